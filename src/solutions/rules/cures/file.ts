import { nearest } from '../../fix/nearest.ts';
import { code } from '../../quote.ts';
import type { RuleCorrection } from '../answer.ts';
import type { Place, Scene } from '../rule.ts';
import { replaceText } from './environment.ts';

/** A file that is not where the program looks: the file of nearly that path which a mounted ConfigMap or Secret brings. */
export function missingFile(scene: Scene, file: string): RuleCorrection[] {
  const place = scene.place();
  if (!place || !file.startsWith('/')) return [];
  return nearest(file, mountedFiles(scene, place))
    .slice(0, 2)
    .flatMap((guess): RuleCorrection[] => {
      const changes = replaceText(scene, file, guess, `a volume brings ${code(guess)}`);
      if (changes.length === 0) return [];
      return [
        {
          title: `Use ${code(guess)}`,
          changes,
          confidence: 'likely',
          explanation: `${code(file)} looks like a slip of it.`,
          mirrorable: true,
        },
      ];
    });
}

/** The paths of the files that ConfigMaps and Secrets put into the container, as far as their keys are known. */
function mountedFiles(scene: Scene, place: Place): string[] {
  return (place.container?.volumeMounts ?? []).flatMap((mount) => {
    const volume = place.spec.volumes?.find(({ name }) => name === mount.name);
    const source = volume?.configMap ?? volume?.secret;
    if (!source) return [];
    if (mount.subPath) return [mount.mountPath];
    const keys = scene.subject.surroundings?.configMaps?.find(({ name }) => name === volume?.configMap?.name)?.keys ?? [];
    return (source.items?.map((item) => item.path) ?? keys).map((path) => `${mount.mountPath.replace(/\/$/, '')}/${path}`);
  });
}
