import type { Confidence } from '../../../contract/mirror.ts';
import { nearest, nearestName } from '../similar-names.ts';
import { isSameMeaning, STAGES } from '../synonyms.ts';

/** A mounted file that may be the one the program looks for. */
export interface NearFile {
  path: string;
  confidence: Confidence;
}

/**
 * The mounted files that a missing path may mean, the most similar first: with other separators (`db-password` for `db/password`), under a
 * similar name in the same folder (`app-prod.yml` for `app-production.yml`), or in a folder with a similar name. `texts` are the texts of the
 * container's manifest: if they name a mounted file, the program already reads this file, so it is only a guess.
 */
export function nearFiles(file: string, mounted: readonly string[], texts: readonly string[]): NearFile[] {
  const others = mounted.filter((path) => path !== file);
  const separated = others.filter((path) => withoutSeparators(path) === withoutSeparators(file));
  const [only, ...more] = separated;
  const found = only !== undefined && more.length === 0 ? separated : [...inSameFolder(file, others), ...inNearFolder(file, others)];
  const isSure = (path: string) =>
    withoutDigits(path) !== withoutDigits(file) &&
    stagesOf(path).join() === stagesOf(file).join() &&
    !texts.some((text) => text.includes(path) && !text.includes(file));
  return [...new Set(found)].map((path) => ({ path, confidence: isSure(path) ? 'likely' : 'guess' }));
}

function inSameFolder(file: string, mounted: readonly string[]): string[] {
  const { folder, name } = partsOf(file);
  const names = mounted.filter((path) => partsOf(path).folder === folder).map((path) => partsOf(path).name);
  const fitting = names.filter((one) => isOfSameSort(name, one));
  const stems = fitting.map(stemOf);
  const typos = nearest(name, fitting);
  const otherEnding = names.filter(
    (one) => one !== name && stemOf(one) === stemOf(name) && (isOfSameSort(name, one) || areSettings(name, one)),
  );
  const related = nearestName(stemOf(name), stems).flatMap((stem) => fitting[stems.indexOf(stem)] ?? []);
  const meant = fitting.filter((one) => one !== name && isSameMeaning(stemOf(name), stemOf(one)));
  const stores = STORES.has(endingOf(name)) ? fitting.filter((one) => STORES.has(endingOf(one))) : [];
  const alone = (all: readonly string[]): readonly string[] => (all.length === 1 ? all : []);
  const near = [alone(otherEnding), typos, alone(related), alone(meant), alone(stores)].find((all) => all.length > 0) ?? [];
  return near.map((one) => `${folder}/${one}`);
}

function inNearFolder(file: string, mounted: readonly string[]): string[] {
  const { folder, name } = partsOf(file);
  const elsewhere = mounted.filter((path) => partsOf(path).folder !== folder);
  const fitting = elsewhere.filter((path) => {
    const other = partsOf(path).name;
    return isOfSameSort(name, other) && (other === name || nearest(name, [other]).length > 0);
  });
  const near = nearest(file, fitting);
  return near.length > 0 ? near : shortBelow(file, elsewhere);
}

/** The only file in a subfolder whose name is the end of the wanted name: `queues/critical.yml` for `sidekiq_critical.yml`. */
function shortBelow(file: string, mounted: readonly string[]): string[] {
  const { folder, name } = partsOf(file);
  const found = mounted.filter(
    (path) =>
      path.startsWith(`${folder}/`) && /[-_.]$/.test(name.slice(0, -partsOf(path).name.length)) && name.endsWith(partsOf(path).name),
  );
  return folder !== '' && found.length === 1 ? found : [];
}

/** Extensions of configuration files. */
const OF_SETTINGS = new Set(['conf', 'cfg', 'cnf', 'ini', 'yaml', 'yml', 'toml', 'json', 'properties', 'hcl', 'xml']);
const areSettings = (...names: string[]): boolean => names.every((name) => OF_SETTINGS.has(endingOf(name)));

/** Groups of extensions for the same format. */
const ALIKE: readonly (readonly string[])[] = [
  ['yml', 'yaml'],
  ['pem', 'crt', 'cer', 'cert'],
  ['cnf', 'conf', 'cfg', 'config'],
  ['properties', 'props'],
  ['pfx', 'p12', 'pkcs12'],
];

/** Extensions of keystores. A folder has hardly more than one of them, and its name says nothing. */
const STORES = new Set(['pfx', 'p12', 'pkcs12', 'jks', 'keystore']);

/** Whether two names may mean the same file. Different extensions are different formats; different stages (`dev`, `prod`) are different settings. */
function isOfSameSort(wanted: string, there: string): boolean {
  const [a, b] = [endingOf(wanted), endingOf(there)];
  const isFormat = a === b || a === '' || b === '' || nearest(a, [b]).length > 0 || ALIKE.some((all) => all.includes(a) && all.includes(b));
  const [own, other] = [stagesOf(wanted), stagesOf(there)];
  return isFormat && (own.length === 0 || other.length === 0 || own.join() === other.join());
}

/** The stages that a file name contains, each by its first name in `STAGES`. */
function stagesOf(path: string): string[] {
  const words = partsOf(path).name.toLowerCase().split(/[-_.]/);
  return STAGES.flatMap((names) => (names.some((name) => words.includes(name)) ? [names[0] as string] : []));
}

function partsOf(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}

const ENDING = /(?<=[^.])\.([A-Za-z]\w{0,9})$/;
const endingOf = (name: string): string => ENDING.exec(name)?.[1]?.toLowerCase() ?? '';
/** A name or a path without its ending. */
export const stemOf = (name: string): string => name.replace(ENDING, '');
const withoutDigits = (path: string): string => path.replaceAll(/\d+/g, '');
const withoutSeparators = (path: string): string => path.toLowerCase().replaceAll(/[-_./]+/g, '-');
