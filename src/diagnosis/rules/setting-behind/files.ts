import { phraseIn } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import { mountOf } from '../../corrections/files/mounted-files.ts';
import { unbroughtFile } from '../../corrections/files/unbrought-file.ts';
import { unbroughtFolder } from '../../corrections/files/unbrought-folder.ts';
import { inUnusedMount } from '../../corrections/files/unused-mount.ts';
import { whereToWrite, writableFolder } from '../../corrections/files/writable-folder.ts';
import { fileIn } from '../signatures/file-in-line.ts';
import { code } from '../../rendering/quote.ts';
import type { Explained } from './explained.ts';

/** What programs say when they cannot make something. */
const NOT_MADE =
  /\b(?:can ?not|can't|could ?n[o']t|failed to|unable to|failed (?:creat|initiali[sz]|open|writ)ing|error (?:creat|initiali[sz]|writ|sav)ing)(?: to)? ?(?:[a-z]{1,12} ){0,2}?(?:creat|initiali[sz]|writ|make|mkdir|lock|sav|stor|persist)|cannot initialize/i;

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
  if (log.signature.general !== true || !NOT_MADE.test(log.line)) return undefined;
  const file = fileIn(log.line);
  const place = input.place();
  const mount = mountOf(place, file);
  const isReadOnly = mount ? mount.readOnly === true : place?.container?.securityContext?.readOnlyRootFilesystem === true;
  const elsewhere = file !== '' && !mount ? inUnusedMount(input, file) : undefined;
  if (elsewhere)
    return {
      ...meaning,
      culprit: `${elsewhere.name}=${file}`,
      advice: ['Let the program keep its data in the claim that is mounted for it.'],
      corrections: elsewhere.corrections,
    };
  const corrections = file !== '' && isReadOnly ? writableFolder(place, file, true) : [];
  return corrections.length === 0
    ? undefined
    : {
        ...meaning,
        culprit: `${file} (${mount ? `volume ${mount.name} is read-only` : 'readOnlyRootFilesystem'})`,
        advice: [whereToWrite(place, file)],
        corrections,
      };
}

/** A file that a setting names in the folder of a mounted object without such a key. */
export function ofUnbroughtFile({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found = log.signature.general === true || inCode ? unbroughtFile(input) : undefined;
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
