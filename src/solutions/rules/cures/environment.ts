import { fieldPath } from '../../fix/apply.ts';
import { nearest } from '../../fix/nearest.ts';
import { code } from '../../quote.ts';
import type { RuleCorrection } from '../answer.ts';
import { change, type Scene } from '../rule.ts';
import { appended } from './folder.ts';

/** A variable that the program misses: one of nearly that name, or a ConfigMap that has a key for it. */
export function missingVariable(scene: Scene, name: string): RuleCorrection[] {
  const place = scene.place();
  if (!place?.container) return [];
  const { env } = place.container;
  const slips = nearest(
    name,
    (env ?? []).map((variable) => variable.name),
  ).slice(0, 1);
  const renamed = slips.map((slip): RuleCorrection => {
    const index = env?.findIndex((variable) => variable.name === slip) ?? 0;
    return {
      title: `Rename ${code(slip)} to ${code(name)}`,
      changes: [change(place, fieldPath(place.path, 'env', index, 'name'), name, `the program asks for ${code(name)}`)],
      confidence: 'likely',
      explanation: 'The container sets a variable of nearly that name.',
      mirrorable: true,
    };
  });
  if (env?.some((variable) => variable.name === name)) return renamed;
  const wanted = [name, name.toLowerCase(), name.toLowerCase().replaceAll('_', '-'), name.toLowerCase().replaceAll('_', '.')];
  const sources = (scene.subject.surroundings?.configMaps ?? []).flatMap((map) =>
    map.keys.filter((key) => wanted.includes(key)).map((key) => ({ name: map.name, key })),
  );
  const added = sources.slice(0, 2).map((source): RuleCorrection => ({
    title: `Take ${code(name)} from ConfigMap ${code(source.name)}`,
    changes: [
      appended(
        place,
        fieldPath(place.path, 'env'),
        env,
        { name, valueFrom: { configMapKeyRef: source } },
        'the ConfigMap has a key of that name',
      ),
    ],
    confidence: 'likely',
    explanation: `Nothing sets ${code(name)} for this container.`,
    mirrorable: true,
  }));
  return [...renamed, ...added];
}

/** A host that does not answer or has no name: the Service that was probably meant, in every variable and argument that names it. */
export function otherHost(scene: Scene, host: string): RuleCorrection[] {
  const [service, ...domain] = host.split('.');
  if (!service || /^\d+$/.test(domain.at(-1) ?? '')) return [];
  return nearest(
    service,
    (scene.subject.surroundings?.services ?? []).map(({ name }) => name),
  )
    .slice(0, 2)
    .flatMap((guess) => {
      const changes = replaceText(scene, service, guess, `there is a Service ${code(guess)} and none named ${code(service)}`);
      if (changes.length === 0) return [];
      return [
        {
          title: `Use Service ${code(guess)}`,
          changes,
          confidence: 'likely' as const,
          explanation: `${code(host)} looks like a slip of ${code(guess)}.`,
          mirrorable: true,
        },
      ];
    });
}

/** Changes that replace a whole word in the container's variables, command and arguments. */
export function replaceText(scene: Scene, from: string, to: string, why: string) {
  const place = scene.place();
  const { env, command, args } = place?.container ?? {};
  if (!place) return [];
  const swap = (text: string) => replaceWord(text, from, to);
  const texts: { path: string; text: string }[] = [
    ...(env ?? []).flatMap(({ value }, index) =>
      typeof value === 'string' ? [{ path: fieldPath(place.path, 'env', index, 'value'), text: value }] : [],
    ),
    ...(command ?? []).map((text, index) => ({ path: fieldPath(place.path, 'command', index), text })),
    ...(args ?? []).map((text, index) => ({ path: fieldPath(place.path, 'args', index), text })),
  ];
  return texts.flatMap(({ path, text }) => (swap(text) === text ? [] : [change(place, path, swap(text), why)]));
}

/** A word ends where a letter, digit, `_`, `-` or `.` before it, or a letter, digit, `_` or `-` behind it, does not go on. */
function replaceWord(text: string, from: string, to: string): string {
  let result = '';
  let start = 0;
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) {
    if (/[\w.-]/.test(text[at - 1] ?? '') || /[\w-]/.test(text[at + from.length] ?? '')) continue;
    result += text.slice(start, at) + to;
    start = at + from.length;
  }
  return result + text.slice(start);
}
