import { phraseIn } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import { mountOf } from '../../corrections/files/mounted-files.ts';
import { folderOfFile } from '../../corrections/files/file-of-folder.ts';
import { unbroughtFile } from '../../corrections/files/unbrought-file.ts';
import { unbroughtFolder } from '../../corrections/files/unbrought-folder.ts';
import { inUnusedMount, unmountedDatabase } from '../../corrections/files/unused-mount.ts';
import { variableForFile } from '../../corrections/files/variable-for-file.ts';
import { whereToWrite, writableFolder } from '../../corrections/files/writable-folder.ts';
import { fileIn } from '../signatures/file-in-line.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Explained } from './explained.ts';

/** What programs say when they cannot make something. */
const NOT_MADE =
  /\b(?:(?:can ?not|can't|could ?n[o']t|failed to|unable to|failed opening) ?(?:[a-z]{1,12} ){0,2}?(?:creat|initiali[sz]|writ|make|mkdir|lock|sav|stor|persist)|(?:failed|error) (?:creat|initiali[sz]|writ|sav)ing\b)/i;

/** Files that programs keep for themselves, so that they open them for writing. */
const OWN_DATA = /\.(?:db|sqlite3?|mdb|lock|pid|sock|log|rdb|aof|wal)$/;

/** A path below a mount or a root that is read-only, where the line says that something cannot be made. */
export function ofPath({ input, log, meaning }: Explained): Meaning | undefined {
  const isDatabase = /unable to open database file|SQLITE_CANTOPEN/.test(log.line);
  const unused = isDatabase ? inUnusedMount(input, '') : undefined;
  if (unused)
    return {
      ...meaning,
      culprit: `${unused.name}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: ['Let the program keep its data in the claim that is mounted for it.'],
      corrections: unused.corrections,
    };
  const outside = isDatabase ? unmountedDatabase(input.place()) : undefined;
  if (outside)
    return {
      ...meaning,
      because: `it cannot open its database ${code(outside.value)}, which lies in no volume`,
      culprit: `${outside.name}=${outside.value}: ${phraseIn(log.line)}`,
      advice: ['Mount a volume where the database lies: a claim, if its data must outlive the pod.'],
      corrections: writableFolder(input.place(), outside.value, false, input.subject.surroundings?.claims),
    };
  const file = log.signature.general === true ? fileIn(log.line) : '';
  const place = input.place();
  if (file === '' || (!NOT_MADE.test(log.line) && !(OWN_DATA.test(file) && mountOf(place, file)?.readOnly))) return undefined;
  const elsewhere = mountOf(place, file) ? undefined : inUnusedMount(input, file);
  if (elsewhere)
    return {
      ...meaning,
      culprit: `${elsewhere.name}=${file}`,
      advice: ['Let the program keep its data in the claim that is mounted for it.'],
      corrections: elsewhere.corrections,
    };
  const why = refusal(place, file);
  const corrections = why === undefined ? [] : writableFolder(place, file, true, input.subject.surroundings?.claims);
  return corrections.length === 0
    ? undefined
    : { ...meaning, culprit: `${file} (${why})`, advice: [whereToWrite(place, file)], corrections };
}

/** Why the program may not write at the path, as far as the manifest shows it. */
function refusal(place: ContainerPlace | undefined, file: string): string | undefined {
  const mount = mountOf(place, file);
  if (mount?.readOnly === true) return `volume ${mount.name} is read-only`;
  const own = place?.container?.securityContext;
  if (!mount) return own?.readOnlyRootFilesystem === true ? 'readOnlyRootFilesystem' : undefined;
  const ofPod = place?.spec.securityContext;
  const user = own?.runAsUser ?? ofPod?.runAsUser ?? 0;
  // A new volume belongs to root, and nothing gives it to the group of the pod.
  return user > 0 && ofPod?.fsGroup === undefined ? `volume ${mount.name}, user ${user}` : undefined;
}

/** A tool that does not find its own file, which a volume brings elsewhere. */
export function ofFolderOfFile({ input, log, meaning }: Explained): Meaning | undefined {
  const found = folderOfFile(input, log.line);
  return (
    found && {
      ...meaning,
      culprit: `${found.file} (workingDir): ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`Start the tool in the folder of ${code(found.file)}, or name the file in its options.`],
      corrections: [found.correction],
    }
  );
}

/** A file that a setting names in the folder of a mounted object without such a key. */
export function ofUnbroughtFile({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found = log.signature.general === true || inCode || log.signature.id === 'file-missing' ? unbroughtFile(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name}=${found.file}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`${code(found.name)} names a file that no volume brings.`],
      corrections: found.corrections,
    }
  );
}

/** A folder that a setting names, while the volume is mounted beside it. */
export function ofUnbroughtFolder({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found =
    log.signature.general === true || inCode || /^(?:certificate|file-missing)$/.test(log.signature.id)
      ? unbroughtFolder(input)
      : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name}=${found.folder}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`${code(found.name)} names a folder in which no volume is mounted.`],
      corrections: found.corrections,
    }
  );
}

/** A missing file of which the line says which variable names it, where a volume brings it to another folder. */
export function ofVariableForFile({ input, log, meaning }: Explained): Meaning | undefined {
  const found = variableForFile(input, log.line, fileIn(log.line));
  return (
    found && {
      ...meaning,
      advice: [`Name the file in ${code(found.name)}, as the message says.`],
      corrections: [found.correction],
    }
  );
}
