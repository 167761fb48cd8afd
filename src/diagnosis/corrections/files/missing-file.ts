import { asGuess } from '../combine.ts';
import { givenIn, rewritten, setTo } from '../given-values.ts';
import { leftOutOf, referencesIn } from '../../facts/references.ts';
import { otherReferences } from '../references.ts';
import { type NearFile, nearFiles } from './near-file.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import { replaceText, replaceTexts } from '../replace-text.ts';
import { endingOf, isBelow, allKeys, keysOf, mountedFiles, volumeAt } from './mounted-files.ts';
import { otherSubPath } from './other-sub-path.ts';
import { otherCertificate } from './other-certificate.ts';
import { otherProjection, tokenElsewhere } from './projected-file.ts';
import { withSameStem } from './same-stem.ts';
import { sameSort } from './tls-pair.ts';
import { nearFolder, nearMount } from './near-folder.ts';
import { mountedAt, startedIn } from './other-folder.ts';
import { besideMounted, movedMount, writtenBesideVolume, writtenElsewhere } from './shared-files.ts';
import { unmountedObject } from './unmounted-object.ts';
import { writableFolder } from './writable-folder.ts';
import { textsOf } from '../container-texts.ts';

const TOKEN_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** For a program that finds no token of its service account. */
export function accountToken(input: RuleInput): Correction[] {
  const place = input.place();
  return place ? mountToken(place) : [];
}

/** Mounts the token that the pod or its service account disabled. This grants a right that the pod did not have. */
function mountToken(place: ContainerPlace): Correction[] {
  const { container, spec } = place;
  const isMounted = container?.volumeMounts?.some(({ mountPath }) => mountPath.replace(/\/$/, '') === TOKEN_FOLDER);
  // Admission adds the token mount to pods, not to templates. In a template, a missing mount says nothing.
  const isRefused =
    spec.automountServiceAccountToken === false || (spec.automountServiceAccountToken === undefined && place.specPath === 'spec');
  if (!isRefused || isMounted) return [];
  return [
    {
      title: 'Mount the token of the service account',
      changes: [change(place, fieldPath(place.specPath, 'automountServiceAccountToken'), true, 'the program needs it')],
      confidence: 'likely',
      explanation: `${spec.automountServiceAccountToken === false ? 'The pod' : 'Its service account'} has \`automountServiceAccountToken: false\`, so no token is mounted. With it the program may do what the service account may.`,
      mirrorable: false,
    },
  ];
}

/** For a file that does not exist: a file with a similar path in a mounted ConfigMap or Secret. */
export function missingFile(input: RuleInput, file: string): Correction[] {
  const place = input.place();
  if (!place || file === '') return [];
  if (!file.startsWith('/')) return fromFolder(input, place, file);
  if (file.startsWith(TOKEN_FOLDER)) return mountToken(place);
  const ofMount = otherSubPath(input, place, file);
  if (ofMount.length > 0) return ofMount;
  const quiet = optionalSources(input, place, file);
  if (quiet.length > 0) return quiet;
  const moved = [...otherMountPath(input, place, file), ...folderElsewhere(place, file)];
  if (moved.length > 0) return moved;
  const elsewhere = [
    ...otherItemPath(place, file),
    ...leftOut(input, place, file),
    ...writtenElsewhere(place, file),
    ...writtenBesideVolume(input, place, file),
    ...writtenLater(place, file),
  ];
  if (elsewhere.length > 0) return elsewhere;
  const projected = [...tokenElsewhere(place, file), ...otherProjection(place, file)].slice(0, 1);
  if (projected.length > 0) return projected;
  const unmounted = mountedNowhere(input, place, file);
  if (unmounted.length > 0) return unmounted;
  const near = nearFiles(file, mountedFiles(input, place), textsOf(place.container));
  if (near.length === 0)
    return [
      ...otherCertificate(input, place, file),
      ...sameSort(input, place, file),
      ...besideMounted(place, file),
      ...onlyKey(input, place, file),
      ...unmountedObject(input, place, file),
      ...movedMount(place, file),
      ...besideImage(input, place, file),
      ...workFolder(place, file),
      ...nearFolder(input, file),
    ].slice(0, 1);
  return near.slice(0, 2).flatMap((one): Correction[] => {
    const changed = otherValue(input, place, { file, ...one });
    return changed.length > 0 ? changed : underName(input, place, { file, guess: one.path });
  });
}

/** Sets the only setting that names the folder to the only mounted volume with the same last name: `/migrations` for `/db/migrations`. */
function folderElsewhere(place: ContainerPlace, folder: string): Correction[] {
  const plain = (path: string): string => path.replace(/^file:\/\//, '').replace(/\/$/, '');
  const last = plain(folder).split('/').at(-1) ?? '';
  const [mount, ...more] = (place.container?.volumeMounts ?? []).filter(
    ({ mountPath, subPath }) => !subPath && plain(mountPath).endsWith(`/${last}`),
  );
  const [only, ...others] = givenIn(place).filter(({ value }) => plain(value) === plain(folder));
  const to = plain(mount?.mountPath ?? '');
  if (last.length < 3 || !mount || more.length > 0 || !only || others.length > 0 || to === plain(folder)) return [];
  return [
    {
      title: `Set ${code(only.name)} to ${code(to)}`,
      changes: [rewritten(place, only, only.value.replace(plain(folder), to), `volume ${code(mount.name)} is mounted there`)],
      confidence: 'likely',
      explanation: `Nothing is at ${code(folder)}.`,
      mirrorable: true,
    },
  ];
}

/** For a folder whose volume has an optional source that does not exist. The kubelet omits such a source without an error. */
function optionalSources(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const mounted = (place.container?.volumeMounts ?? []).filter(({ mountPath }) => file === mountPath || isBelow(file, mountPath));
  const paths = mounted.map(({ name }) => {
    const at = place.spec.volumes?.findIndex((volume) => volume.name === name) ?? -1;
    return `${fieldPath(place.specPath, 'volumes', at)}.`;
  });
  const references = referencesIn(place.spec, place.specPath).filter(({ namePath }) => paths.some((path) => namePath.startsWith(path)));
  const missing = leftOutOf(references, input.subject.surroundings);
  return missing.flatMap((one) => otherReferences(input, one).filter(({ confidence }) => confidence !== 'guess')).slice(0, 2);
}

/** The variable whose value is this path; undefined when there is none. */
export function variableWith(place: ContainerPlace | undefined, file: string): string | undefined {
  return place?.container?.env?.find(({ value }) => isPath(value, file))?.name;
}

/** `file:/config/app.yml` and `optional:file:/config/app.yml` are paths too. */
const isPath = (value: string | undefined, file: string): boolean =>
  value !== undefined && value.replace(/^(?:optional:)?(?:file:(?:\/\/(?=\/))?|@)/, '') === file;

/** Replaces the path of the missing file with the path of an existing one, wherever the container names it. */
function otherValue(input: RuleInput, place: ContainerPlace, { file, path, confidence }: { file: string } & NearFile): Correction[] {
  const why = `a volume contains ${code(path)}`;
  const changes = replaceTexts(input, [[file, path], ...withSameStem(input, place, file, path)], why);
  return [
    {
      title: `Use ${code(path)}`,
      changes: changes.length > 0 ? changes : otherName(place, { file, path, why }),
      confidence,
      explanation: `${code(file)} looks like another spelling of ${code(path)}.`,
      mirrorable: true,
    } satisfies Correction,
  ].filter((one) => one.changes.length > 0);
}

/** The change of a variable that holds only the name of the file, not its folder. */
function otherName(place: ContainerPlace, { file, path, why }: { file: string; path: string; why: string }): Change[] {
  const at = file.lastIndexOf('/') + 1;
  const [name, to] = [file.slice(at), path.slice(at)];
  if (!path.startsWith(file.slice(0, at)) || to.includes('/')) return [];
  const env = place.container?.env ?? [];
  return env.flatMap(({ value }, index) => (value === name ? [change(place, fieldPath(place.path, 'env', index, 'value'), to, why)] : []));
}

/** Folders in which images keep a program with its files. */
const OF_PROGRAM = /^\/(?:app|application|code|srv|workspace|usr\/src\/[^/]+|opt\/[^/]+|home\/[^/]+|var\/www)(?:\/|$)/;

/** For a file that a volume contains but that is mounted at a different folder. */
function otherMountPath(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const folder = file.slice(0, file.lastIndexOf('/'));
  const name = file.slice(folder.length + 1);
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex((mount) => !mount.subPath && mountedFiles(input, place, mount).some((path) => path.endsWith(`/${name}`)));
  const mount = mounts[index];
  // A volume at the folder of all secrets would leave no place for the token of the service account.
  if (!mount || folder === '' || /^(?:\/var)?\/run\/secrets$/.test(folder)) return [];
  if (mounts.some(({ mountPath }) => mountPath.replace(/\/$/, '') === folder)) return [];
  const [only, ...more] = OF_PROGRAM.test(folder) ? givenIn(place).filter(({ value }) => value === file) : [];
  if (only && more.length === 0) {
    const why = `volume ${code(mount.name)} has ${code(name)} there`;
    const explanation = `Nothing mounts ${code(file)}, and a volume at its folder would hide what the image has there.`;
    return [setTo(place, only, `${mount.mountPath.replace(/\/$/, '')}/${name}`, { why, explanation })];
  }
  return [
    mountedAt(
      place,
      { index, to: folder },
      {
        why: `it has ${code(name)}, which the program reads there`,
        explanation: `Volume ${code(mount.name)} is mounted at ${code(mount.mountPath)}.`,
      },
    ),
  ];
}

/** For a file at a path that nothing in the manifest provides: gives a key the name that the program reads. */
function underName(input: RuleInput, place: ContainerPlace, { file, guess }: { file: string; guess: string }): Correction[] {
  const mount = place.container?.volumeMounts?.find((one) => !one.subPath && mountedFiles(input, place, one).includes(guess));
  const index = place.spec.volumes?.findIndex(({ name }) => name === mount?.name) ?? -1;
  const volume = place.spec.volumes?.[index];
  const folder = `${mount?.mountPath.replace(/\/$/, '')}/`;
  if (!mount || !volume || !file.startsWith(folder)) return [];
  const [wanted, there] = [file.slice(folder.length), guess.slice(folder.length)];
  const field = volume.configMap ? 'configMap' : 'secret';
  const items = volume[field]?.items ?? keysOf(input, volume).map((key) => ({ key, path: key }));
  return [
    {
      title: `Mount ${code(there)} as ${code(wanted)}`,
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'volumes', index, field, 'items'),
          items.map((item) => (item.path === there ? { ...item, path: wanted } : item)),
          `the program reads ${code(file)}`,
        ),
      ],
      // Another number is another file.
      confidence: withoutDigits(there) === withoutDigits(wanted) ? 'guess' : 'likely',
      explanation: `${code(wanted)} looks like another name of ${code(there)}.`,
      mirrorable: true,
    },
  ];
}

const withoutDigits = (name: string): string => name.replaceAll(/\d+/g, '');

/** A key that the object has but that `items` omits. */
function leftOut(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const found = volumeAt(place, file);
  const key = found?.wanted.slice(found.wanted.lastIndexOf('/') + 1) ?? '';
  if (!found?.items || !allKeys(input, found.volume).includes(key) || found.items.some((item) => item.key === key)) return [];
  return [
    {
      title: `Mount the key ${code(key)} too`,
      changes: [
        appended(
          place,
          found.path,
          found.items,
          { key, path: found.wanted },
          `\`items\` names what is mounted, and ${code(key)} is not among it`,
        ),
      ],
      confidence: 'likely',
      explanation: `Volume ${code(found.volume.name)} takes only some of the keys.`,
      mirrorable: true,
    },
  ];
}

/** A key that `items` maps to a different path in the same volume. */
function otherItemPath(place: ContainerPlace, file: string): Correction[] {
  for (const mount of place.container?.volumeMounts ?? []) {
    const folder = `${mount.mountPath.replace(/\/$/, '')}/`;
    const at = place.spec.volumes?.findIndex(({ name }) => name === mount.name) ?? -1;
    const volume = place.spec.volumes?.[at];
    const field = volume?.configMap ? 'configMap' : 'secret';
    const wanted = file.slice(folder.length);
    const index =
      volume?.[field]?.items?.findIndex(({ key, path }) => path !== wanted && (key === wanted || path.endsWith(`/${wanted}`))) ?? -1;
    if (mount.subPath || !file.startsWith(folder) || index < 0) continue;
    const path = fieldPath(place.specPath, 'volumes', at, field, 'items', index, 'path');
    return [
      {
        title: `Put the key at ${code(wanted)}`,
        changes: [change(place, path, wanted, `the program reads ${code(file)}`)],
        confidence: 'likely',
        explanation: `Volume ${code(mount.name)} has the key under another path.`,
        mirrorable: true,
      },
    ];
  }
  return [];
}

/** For a file name without a folder that a volume provides: starts the container in the volume's folder. */
function fromFolder(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const name = file.replace(/^(?:\.\/)+/, '');
  const mount = place.container?.volumeMounts?.find(
    (one) => !one.subPath && mountedFiles(input, place, one).includes(`${one.mountPath.replace(/\/$/, '')}/${name}`),
  );
  if (!mount) return [...nearInFolder(input, place, { file, name }), ...nearMount(place, file)].slice(0, 1);
  if (place.container?.workingDir?.replace(/\/$/, '') === mount.mountPath.replace(/\/$/, '')) return [];
  return [
    startedIn(place, mount.mountPath, {
      why: `volume ${code(mount.name)} has ${code(name)} there`,
      explanation: `${code(file)} is looked for in the working directory.`,
    }),
  ];
}

/** For a path below the working directory: the mounted file with a near name, below that directory too. */
function nearInFolder(input: RuleInput, place: ContainerPlace, { file, name }: { file: string; name: string }): Correction[] {
  const folder = `${(place.container?.workingDir ?? '').replace(/\/$/, '')}/`;
  if (!folder.startsWith('/')) return [];
  const near = nearFiles(folder + name, mountedFiles(input, place), textsOf(place.container)).filter(({ path }) => path.startsWith(folder));
  return near.slice(0, 2).flatMap(({ path, confidence }) => {
    const to = path.slice(folder.length);
    const changes = replaceText(input, file, to, `a volume contains ${code(path)}`);
    return changes.length === 0
      ? []
      : [
          {
            title: `Use ${code(to)}`,
            changes,
            confidence,
            explanation: `${code(file)} looks like another spelling of ${code(to)}.`,
            mirrorable: true,
          },
        ];
  });
}

/** An init container writes the file to the same volume, but runs later. */
function writtenLater(place: ContainerPlace, file: string): Correction[] {
  const list = place.spec.initContainers ?? [];
  const reader = list.findIndex(({ name }) => name === place.container?.name);
  const mounts = place.container?.volumeMounts ?? [];
  const writer = list.findIndex(
    ({ volumeMounts = [], command = [], args = [] }, index) =>
      index > reader &&
      [...command, ...args].join(' ').includes(file) &&
      volumeMounts.some(
        ({ name, mountPath }) => isBelow(file, mountPath) && mounts.some((own) => own.name === name && own.mountPath === mountPath),
      ),
  );
  if (reader < 0 || writer < 0) return [];
  const [first, ...between] = list.slice(reader, writer);
  const order = [...list.slice(0, reader), list[writer], first, ...between, ...list.slice(writer + 1)];
  const name = list[writer]?.name ?? '';
  return [
    {
      title: `Run ${code(name)} before ${code(place.container?.name ?? '')}`,
      changes: [change(place, fieldPath(place.specPath, 'initContainers'), order, `${code(name)} writes ${code(file)}`)],
      confidence: 'likely',
      explanation: 'Init containers run one after another, in the order of the list.',
      mirrorable: true,
    },
  ];
}

/** Uses the only file of the volume in the folder, if it has the same extension as the missing file. */
function onlyKey(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const found = volumeAt(place, file);
  // `-Dconfig.file=/etc/app/app.conf` among other options names it too.
  const isNamed = givenIn(place).some(({ value }) => isPath(value, file) || value.split(/[\s=]+/).includes(file));
  const keys = found && (found.volume.secret || (found.volume.configMap && isNamed)) ? keysOf(input, found.volume) : [];
  const [only = '', ...more] = keys;
  if (!found || more.length > 0 || only === '' || found.wanted.includes('/')) return [];
  const path = `${file.slice(0, file.length - found.wanted.length)}${only}`;
  if (endingOf(only) === endingOf(found.wanted)) return otherValue(input, place, { file, path, confidence: 'likely' });
  return found.volume.secret && !isNamed ? underName(input, place, { file, guess: path }).map(asGuess) : [];
}

/** An object's only key is mounted over a whole folder. The image may have the file there, and the volume hides it. */
function besideImage(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex(({ subPath, mountPath }) => !subPath && isBelow(file, mountPath));
  const mount = mounts[index];
  const [only, ...more] = mount ? mountedFiles(input, place, mount) : [];
  if (!mount || only === undefined || more.length > 0) return [];
  const key = only.slice(only.lastIndexOf('/') + 1);
  const path = fieldPath(place.path, 'volumeMounts', index);
  const why = `the volume hides what the image has at ${code(mount.mountPath)}`;
  return [
    {
      title: `Mount only the file ${code(key)}`,
      changes: [change(place, fieldPath(path, 'mountPath'), only, why), change(place, fieldPath(path, 'subPath'), key, why)],
      confidence: 'guess',
      explanation: `It helps if the image has ${code(file)}.`,
      mirrorable: true,
    },
  ];
}

/** A path in a program's own folder for logs, sockets or temporary files, such as `/var/run/app/x`. */
const WORK_FILE = /^\/(?:var\/(?:log|run|cache|spool|tmp)|run|tmp)\/[^/]+\/./;

/**
 * For a missing path in a folder for logs, sockets or temporary files (`WORK_FILE`): makes that folder writable. Programs usually write such
 * files rather than read them. This is a guess.
 */
function workFolder(place: ContainerPlace, file: string): Correction[] {
  const isWork = WORK_FILE.test(`${file}/`) && !file.endsWith('.sock') && !/^(?:\/var)?\/run\/secrets\//.test(file);
  const isFolder = file.endsWith('/');
  return isWork && (isFolder || WORK_FILE.test(file)) ? writableFolder(place, file, isFolder).map(asGuess) : [];
}

/** A volume of the pod that has the file but is not mounted in this container. */
function mountedNowhere(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const mounts = place.container?.volumeMounts ?? [];
  const name = file.slice(file.lastIndexOf('/') + 1);
  const folder = file.slice(0, file.lastIndexOf('/'));
  const volume = place.spec.volumes?.find((one) => !mounts.some((mount) => mount.name === one.name) && keysOf(input, one).includes(name));
  if (!volume || folder === '' || mounts.some(({ mountPath }) => mountPath.replace(/\/$/, '') === folder)) return [];
  return [
    {
      title: `Mount volume ${code(volume.name)} at ${code(folder)}`,
      changes: [
        appended(
          place,
          fieldPath(place.path, 'volumeMounts'),
          place.container?.volumeMounts,
          { name: volume.name, mountPath: folder },
          `the volume has ${code(name)}, and the container does not mount it`,
        ),
      ],
      confidence: 'likely',
      explanation: 'The pod has the volume. Other files of this folder in the image are hidden then.',
      mirrorable: true,
    },
  ];
}
