import type { PodSpec, Volume } from '../../crd/kubernetes.ts';
import { nearest } from '../corrections/similar-names.ts';
import { code } from '../rendering/quote.ts';
import type { RuleInput } from './input.ts';
import { plainWords } from './phrase.ts';
import { logSections } from './log-sections.ts';
import { type DataKind, existing } from './references.ts';

/** A ConfigMap or Secret behind a folder or file of the container. */
interface Source {
  what: DataKind;
  name: string;
  /** The folder, or the file where only one key is mounted. */
  mountPath: string;
  /** The key that is mounted alone; null for the whole object. */
  only: string | null;
  /** Empty when unknown. */
  keys: string[];
}

const PATH = /(?<![\w/])(?:\/[\w.@+-]{1,80}){1,12}/g;
const FILE_NAME = /(?<![\w/.-])[\w-]{1,80}(?:\.[\w-]{1,40}){0,3}\.(?:conf|cfg|cnf|ini|json|properties|toml|ya?ml|hcl|xml|env|rules)\b/g;
/** Files that are right alone and do not go together. */
const CLASH =
  /\bonly one\b|\bduplicated?\b|already (?:defined|exists|registered|declared|in use)|\brepeated\b|\bconflict|\bmore than one\b|\btwice\b/i;
/** More ConfigMaps than these are no help. */
const MAX_SOURCES = 3;
const MAX_KEYS = 4;

/**
 * Says which key of which ConfigMap or Secret holds the file that a line of the log is about: the one that it names or, if it names none, all that
 * the container mounts, if they are few. Empty when the line names a file of the image, or when nothing is mounted.
 */
export function configSource(input: RuleInput, line: string): string {
  const all = sources(input);
  const paths = line.match(PATH) ?? [];
  const inMount = paths.flatMap((path) => all.filter((one) => keyAt(one, path) !== undefined).map((source) => ({ source, path })));
  const [first] = inMount;
  const group = first ? all.filter(({ mountPath }) => mountPath === first.source.mountPath) : [];
  if (group.length > 1 && CLASH.test(line) && !/same file/.test(line)) return together(group);
  const exact =
    inMount.find(({ source, path }) => source.keys.includes(keyAt(source, path) ?? '')) ?? (inMount.length === 1 ? first : undefined);
  if (exact) return `The file is the key ${code(keyAt(exact.source, exact.path) ?? '')} of ${titleOf(exact.source)}.`;
  if (group.length > 0) return few(group);
  if (paths.some((path) => /\.\w{1,12}$/.test(path))) return '';
  const named = (line.match(FILE_NAME) ?? []).flatMap((file) =>
    all.filter(({ keys, only }) => keys.includes(file) && (only ?? file) === file),
  );
  const beside = named[0] ? all.filter(({ mountPath }) => mountPath === named[0]?.mountPath) : all;
  if (CLASH.test(line) && beside.length > 1) return together(beside);
  return few(named.length > 0 ? named : all);
}

/** The name that the log offers in place of one that the program does not know; undefined if it offers none that is similar. */
export function offeredName(input: RuleInput, line: string, wrong: string): string | undefined {
  const near = nearest(wrong, [...listedIn(line), ...listedBelow(input, line)]);
  return near[0];
}

const OFFERS =
  /(?:did you mean|expected one of|(?:valid|allowed|known|supported|possible) (?:\w{1,20} ){1,3}?(?:are|is)|must be one of|similar)\b(?<names>.{0,400})/i;

function listedIn(line: string): string[] {
  const { names = '' } = OFFERS.exec(line)?.groups ?? {};
  return names.match(/[A-Za-z_][\w.-]{0,99}/g)?.map((name) => name.replace(/[.-]+$/, '')) ?? [];
}

/** Lines with one word each below "Did you mean one of these?". */
function listedBelow(input: RuleInput, line: string): string[] {
  const text = logSections(input.subject).find((one) => one.text.includes(line.slice(0, 200)))?.text;
  if (text === undefined) return [];
  const at = text.indexOf(line.slice(0, 200));
  const lines = text
    .slice(at, at + 3000)
    .split('\n')
    .slice(1, 9)
    .map((one) =>
      plainWords(one)
        .replace(/^<[\d.]{1,20}>\s{1,8}/, '')
        .trim(),
    );
  const from = lines.findIndex((one) => OFFERS.test(one));
  if (from < 0) return [];
  const below = lines.slice(from + 1);
  const end = below.findIndex((one) => !/^[-*•]?\s{0,4}['"`]?[\w.-]{1,100}['"`]?$/.test(one));
  return [...listedIn(lines[from] ?? ''), ...below.slice(0, end < 0 ? below.length : end).map((one) => one.replaceAll(/[^\w.-]/g, ''))];
}

const titleOf = ({ what, name }: Source): string => `${what} ${code(name)}`;

function withKeys(source: Source): string {
  const keys = source.only === null ? source.keys : [source.only];
  const shown = keys.slice(0, MAX_KEYS).map((key) => code(key));
  return `${titleOf(source)}${shown.length > 0 ? ` (${shown.join(', ')}${keys.length > MAX_KEYS ? ', …' : ''})` : ''}`;
}

function few(found: Source[]): string {
  const different = found.filter(({ name }, index) => found.findIndex((one) => one.name === name) === index);
  if (different.length === 0 || different.length > MAX_SOURCES) return '';
  return `Its mounted configuration comes from ${different.map(withKeys).join(' and ')}.`;
}

function together(group: Source[]): string {
  return `The program reads the files of ${group.map(withKeys).join(' and ')} together. One of them must change.`;
}

/** The key that is at this path, if the source is mounted there. */
function keyAt({ mountPath, only }: Source, path: string): string | undefined {
  if (only !== null) return path === mountPath ? only : undefined;
  const folder = mountPath.replace(/\/$/, '');
  return path.startsWith(`${folder}/`) && path.length > folder.length + 1 ? path.slice(folder.length + 1) : undefined;
}

/** What the container mounts of ConfigMaps and Secrets, without the token of its service account. */
function sources(input: RuleInput): Source[] {
  const place = input.place();
  return (place?.container?.volumeMounts ?? []).flatMap(({ name, mountPath, subPath }) => {
    if (mountPath.startsWith('/var/run/secrets/')) return [];
    const volume = volumeOf(place?.spec, name);
    return objectsOf(volume).map(({ what, name: object, items }): Source => {
      const known = existing(input.subject.surroundings ?? {}, what)?.find((one) => one.name === object)?.keys ?? [];
      return { what, name: object, mountPath, only: subPath || null, keys: items ?? known };
    });
  });
}

function volumeOf(spec: PodSpec | undefined, name: string): Volume | undefined {
  return spec?.volumes?.find((one) => one.name === name);
}

interface Mounted {
  what: DataKind;
  name: string;
  /** The files that are taken of it; undefined for all. */
  items: string[] | undefined;
}

function objectsOf(volume: Volume | undefined): Mounted[] {
  const own = [{ configMap: volume?.configMap, secret: volume?.secret && { ...volume.secret, name: volume.secret.secretName } }];
  return [...own, ...(volume?.projected?.sources ?? [])].flatMap(({ configMap, secret }) => [
    ...(configMap?.name ? [{ what: 'ConfigMap' as const, name: configMap.name, items: configMap.items?.map(({ path }) => path) }] : []),
    ...(secret?.name ? [{ what: 'Secret' as const, name: secret.name, items: secret.items?.map(({ path }) => path) }] : []),
  ]);
}
