import type { Change } from '../../contract/failure.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { nearest, nearestName } from './nearest.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import { change, type RuleInput } from '../rules/rule.ts';
import { appended } from './writable-folder.ts';

/** For a variable that the program needs: one with a similar name to rename, or a ConfigMap with a key for it. */
export function missingVariable(input: RuleInput, name: string): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const { env } = place.container;
  const typos = nearest(
    name,
    (env ?? []).map((variable) => variable.name),
  ).slice(0, 1);
  const renamed = typos.map((typo): Correction => {
    const index = env?.findIndex((variable) => variable.name === typo) ?? 0;
    return {
      title: `Rename ${code(typo)} to ${code(name)}`,
      changes: [change(place, fieldPath(place.path, 'env', index, 'name'), name, `the program reads ${code(name)}`)],
      confidence: 'likely',
      explanation: 'The container sets a variable with a similar name.',
      mirrorable: true,
    };
  });
  if (env?.some((variable) => variable.name === name)) return renamed;
  const wanted = [name, name.toLowerCase(), name.toLowerCase().replaceAll('_', '-'), name.toLowerCase().replaceAll('_', '.')];
  const sources = (input.subject.surroundings?.configMaps ?? []).flatMap((map) =>
    map.keys.filter((key) => wanted.includes(key)).map((key) => ({ name: map.name, key })),
  );
  const added = sources.slice(0, 2).map((source): Correction => ({
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

/** For a host that cannot be reached or resolved: the Service that was probably meant, in every variable and argument that names the host. */
export function otherHost(input: RuleInput, host: string): Correction[] {
  const [service, ...domain] = host.split('.');
  if (!service || /^\d+$/.test(domain.at(-1) ?? '')) return [];
  return nearestName(
    service,
    (input.subject.surroundings?.services ?? []).map(({ name }) => name),
  )
    .slice(0, 2)
    .flatMap((guess) => {
      const changes = replaceText(input, service, guess, `there is a Service ${code(guess)} and none named ${code(service)}`);
      if (changes.length === 0) return [];
      return [
        {
          title: `Use Service ${code(guess)}`,
          changes,
          confidence: 'likely' as const,
          explanation: `${code(host)} looks like a typo of ${code(guess)}.`,
          mirrorable: true,
        },
      ];
    });
}

/** For a Service with one port that the program calls at another port: its own port, wherever the wrong one stands. */
export function otherServicePort(input: RuleInput, host: string, port: string | undefined): Correction[] {
  const service = input.subject.surroundings?.services?.find(({ name }) => name === host.split('.', 1)[0]);
  const [only, ...more] = service?.ports ?? [];
  if (!service) return otherHost(input, host);
  if (only === undefined || more.length > 0 || port === undefined || String(only) === port) return [];
  const why = `Service ${code(service.name)} has port ${code(only)} only`;
  const together = [':', ' '].flatMap((between) => replaceText(input, `${host}${between}${port}`, `${host}${between}${only}`, why));
  const changes = together.length > 0 ? together : ownVariable(input, { host, port, to: String(only), why });
  return changes.length === 0
    ? []
    : [{ title: `Use port ${code(only)}`, changes, confidence: 'likely', explanation: `${why}.`, mirrorable: true }];
}

/** The change of a variable that holds only the port. Of several, the one that belongs to the variable with the host. */
function ownVariable(input: RuleInput, { host, port, to, why }: { host: string; port: string; to: string; why: string }): Change[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const prefix = env.find(({ value }) => value === host)?.name.replace(/_?[^_]*$/, '');
  const ports = env.flatMap(({ name, value }, index) => (value === port && /port/i.test(name) ? [{ name, index }] : []));
  const own = ports.length > 1 && prefix ? ports.filter(({ name }) => name.startsWith(prefix)) : ports;
  return place && own.length === 1 ? own.map(({ index }) => change(place, fieldPath(place.path, 'env', index, 'value'), to, why)) : [];
}

/** Corrections for the Services that a waiting command names: a name with a slip, a port that the Service does not have. */
export function waitedServices(input: RuleInput): Correction[] {
  const { command, args, env } = input.place()?.container ?? {};
  const texts = [...(command ?? []), ...(args ?? []), ...(env ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))];
  const text = texts.join('\n').slice(0, 4000);
  const asked = [
    ...[...text.matchAll(WITH_PORT)].map(([, host = '', port]) => ({ host, port })),
    ...[...text.matchAll(LOOKED_UP)].map(([, host = '']) => ({ host, port: undefined })),
  ];
  const seen = new Set<string>();
  return asked.flatMap(({ host, port }) => {
    if (seen.has(host) || seen.size > 8) return [];
    seen.add(host);
    return otherServicePort(input, host, port);
  });
}

const WITH_PORT = /(?<![\w.$/-])([a-z][a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,63}){0,4})[ :](\d{2,5})\b/g;
const LOOKED_UP =
  /\b(?:nslookup|dig|getent hosts|host|pg_isready -h|redis-cli -h|ping(?: -c ?\d{1,3})?) ([a-z][a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,63}){0,4})/g;

/** Changes that replace a whole word in the container's variables, command and arguments. */
export function replaceText(input: RuleInput, from: string, to: string, why: string) {
  const place = input.place();
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

/** Replaces whole words only: no letter, digit, `_`, `-` or `.` stands before one, and no letter, digit, `_` or `-` after it. */
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
