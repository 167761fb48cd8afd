import { nearest } from './nearest.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import type { ContainerPlace, RuleInput } from '../rules/rule.ts';
import { replaceText } from './environment.ts';

/** For a file that does not exist: a file with a similar path in a mounted ConfigMap or Secret. */
export function missingFile(input: RuleInput, file: string): Correction[] {
  const place = input.place();
  if (!place || !file.startsWith('/')) return [];
  return nearest(file, mountedFiles(input, place))
    .slice(0, 2)
    .flatMap((guess): Correction[] => {
      const changes = replaceText(input, file, guess, `a volume contains ${code(guess)}`);
      if (changes.length === 0) return [];
      return [
        {
          title: `Use ${code(guess)}`,
          changes,
          confidence: 'likely',
          explanation: `${code(file)} looks like a typo of it.`,
          mirrorable: true,
        },
      ];
    });
}

/** The paths of the files that ConfigMaps and Secrets bring into the container, as far as their keys are known. */
function mountedFiles(input: RuleInput, place: ContainerPlace): string[] {
  return (place.container?.volumeMounts ?? []).flatMap((mount) => {
    const volume = place.spec.volumes?.find(({ name }) => name === mount.name);
    const source = volume?.configMap ?? volume?.secret;
    if (!source) return [];
    if (mount.subPath) return [mount.mountPath];
    const keys = input.subject.surroundings?.configMaps?.find(({ name }) => name === volume?.configMap?.name)?.keys ?? [];
    return (source.items?.map((item) => item.path) ?? keys).map((path) => `${mount.mountPath.replace(/\/$/, '')}/${path}`);
  });
}
