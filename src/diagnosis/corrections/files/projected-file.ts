import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { givenIn, setTo } from '../given-values.ts';
import { mountedAt } from './other-folder.ts';
import { endingOf, isBelow } from './mounted-files.ts';
import { nearestName } from '../similar-names.ts';

/** A file of a volume's `items`, a projected token or a downward API file under a different name than the program reads. */
export function otherProjection(place: ContainerPlace, file: string): Correction[] {
  const mounts = (place.container?.volumeMounts ?? []).filter(({ subPath, mountPath }) => !subPath && isBelow(file, mountPath));
  const found = mounts.flatMap(({ name, mountPath }) => {
    const at = place.spec.volumes?.findIndex((one) => one.name === name) ?? -1;
    const wanted = file.slice(mountPath.replace(/\/$/, '').length + 1);
    const paths = projectedPaths(place, at);
    const [near] = nearestName(
      wanted,
      paths.map(({ is }) => is),
    );
    const [one, ...more] = paths.filter(({ is, path }) => !isOfObject(path) || endingOf(is) === endingOf(wanted));
    const only = more.length === 0 ? one?.is : undefined;
    // A near name among the items of an object is weighed where all mounted files are.
    return paths
      .filter(({ is, path }) => is === (near ?? only) && is !== wanted && !(near !== undefined && isOfObject(path)))
      .map((one) => ({ ...one, wanted }));
  });
  return found.slice(0, 1).map(({ path, is, wanted }) => ({
    title: `Name the file ${code(wanted)}`,
    changes: [change(place, path, wanted, `the program reads ${code(file)}`)],
    confidence: 'likely',
    explanation: `The volume has it as ${code(is)}.`,
    mirrorable: true,
  }));
}

/** A token that the pod projects under the same name into another folder: the path in the only setting that names the file, or else the mount. */
export function tokenElsewhere(place: ContainerPlace, file: string): Correction[] {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const mounts = (place.container?.volumeMounts ?? []).map((mount, index) => ({ ...mount, index }));
  const found = mounts.filter(({ name: volume, subPath }) => {
    const sources =
      place.spec.volumes?.find((one) => one.name === volume && !volume.startsWith('kube-api-access-'))?.projected?.sources ?? [];
    return !subPath && sources.some(({ serviceAccountToken: token }) => token?.path === name);
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return [];
  const there = `${only.mountPath.replace(/\/$/, '')}/${name}`;
  const [setting, ...settings] = givenIn(place).filter(({ value }) => value === file);
  const why = `volume ${code(only.name)} brings the token there`;
  if (setting && settings.length === 0 && there !== file)
    return [setTo(place, setting, there, { why, explanation: `Nothing is at ${code(file)}.` })];
  const to = file.slice(0, file.lastIndexOf('/'));
  return there === file
    ? []
    : [
        mountedAt(
          place,
          { index: only.index, to },
          { why: 'the program reads the token there', explanation: `Volume ${code(only.name)} brings it elsewhere.` },
        ),
      ];
}

/** Whether a path is that of an item of a ConfigMap or Secret, whose content may be anything. */
const isOfObject = (path: string): boolean => /\.(?:configMap|secret)\.items\[/.test(path);

/** The files that a volume names itself (`items`, tokens, the downward API), with the paths of the fields that name them. */
function projectedPaths(place: ContainerPlace, at: number): { path: string; is: string }[] {
  const volume = place.spec.volumes?.[at];
  // Admission's own volume has the names that every client knows.
  if (!volume || volume.name.startsWith('kube-api-access-')) return [];
  const base = fieldPath(place.specPath, 'volumes', at);
  const items = (source: unknown, path: string) => {
    const list = (source as { items?: { path?: unknown }[] } | undefined)?.items;
    return (Array.isArray(list) ? list : []).flatMap((item, index) =>
      typeof item?.path === 'string' ? [{ path: fieldPath(path, 'items', index, 'path'), is: item.path }] : [],
    );
  };
  const sources = (volume.projected?.sources ?? []).flatMap(({ serviceAccountToken: token, downwardAPI }, index) => {
    const path = fieldPath(base, 'projected', 'sources', index);
    return [
      ...(typeof token?.path === 'string' ? [{ path: fieldPath(path, 'serviceAccountToken', 'path'), is: token.path }] : []),
      ...items(downwardAPI, fieldPath(path, 'downwardAPI')),
    ];
  });
  const ofObjects = (['configMap', 'secret'] as const).flatMap((field) => items(volume[field], fieldPath(base, field)));
  return [...items(volume.downwardAPI, fieldPath(base, 'downwardAPI')), ...ofObjects, ...sources];
}
