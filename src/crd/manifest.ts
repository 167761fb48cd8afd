import { CORE_SCHEMA, NOT_RESOLVED, defineScalarTag, dump, loadAll, mergeTag } from 'js-yaml';
import { MAX_DEPTH } from './depth.ts';
import { readPlainYaml } from './plain-yaml.ts';

/** A text that is not a manifest. `message` is one sentence for people: what is wrong, and in which line if that is known. */
export class ManifestError extends Error {}

/** Aliases beyond this many are refused: a few nested ones expand to gigabytes when written out again ("billion laughs"). */
const MAX_ALIASES = 100;
/** Aliases may expand a text to twice its length plus this many characters. */
const FREE_GROWTH = 100_000;

const goInt = defineScalarTag('tag:yaml.org,2002:int', {
  implicit: true,
  identify: Number.isInteger,
  represent: String,
  resolve: (text: string) => {
    const match = /^([-+]?)(?:0x([0-9a-fA-F_]+)|0b([01_]+)|0o?([0-7_]+)|(0|[1-9][0-9_]*))$/.exec(text);
    if (!match) return NOT_RESOLVED;
    const base = match[2] ? 16 : match[3] ? 2 : match[4] ? 8 : 10;
    const value = parseInt((match[2] ?? match[3] ?? match[4] ?? match[5] ?? '').replaceAll('_', ''), base);
    return match[1] === '-' ? -value : value;
  },
});

const goBool = defineScalarTag('tag:yaml.org,2002:bool', {
  implicit: true,
  identify: (data: unknown) => typeof data === 'boolean',
  represent: String,
  resolve: (text: string) =>
    /^(?:true|True|TRUE|yes|Yes|YES|on|On|ON)$/.test(text)
      ? true
      : /^(?:false|False|FALSE|no|No|NO|off|Off|OFF)$/.test(text)
        ? false
        : NOT_RESOLVED,
});

const schema = CORE_SCHEMA.withTags([mergeTag, goInt, goBool]);

/**
 * The documents of a YAML or JSON text, read as kubectl reads them (sigs.k8s.io/yaml: `0644` is 420, `yes` is true). Empty
 * documents are left out. Throws `ManifestError` when the text is no YAML, nests deeper than 100 levels, holds more than 100 aliases,
 * or becomes much more than it is when its aliases are written out.
 */
export function loadManifests(text: string): unknown[] {
  const plain = readPlainYaml(text);
  return plain ? [plain] : loadWhole(text);
}

function loadWhole(text: string): unknown[] {
  const aliases = text.match(/(?<=^|[\s[{,:-])\*[^\s,\]}]+/gm)?.length ?? 0;
  if (aliases > MAX_ALIASES) throw new ManifestError(`the YAML holds ${aliases} aliases; at most ${MAX_ALIASES} are allowed`);
  const documents = parsed(text).filter((document) => document !== null && document !== undefined);
  if (isTooDeep(documents, MAX_DEPTH + 1)) throw new ManifestError(`the YAML nests deeper than ${MAX_DEPTH} levels`);
  if (aliases > 0 && writtenSize(documents) > 2 * text.length + FREE_GROWTH)
    throw new ManifestError('the aliases of the YAML stand for far more than its text holds');
  return documents;
}

function parsed(text: string): unknown[] {
  try {
    return loadAll(text, { schema });
  } catch (error) {
    throw new ManifestError(`not valid YAML: ${String((error as Error).message).split('\n')[0]}`);
  }
}

/** Whether lists and mappings nest deeper than `levels`. It is not recursive itself. A value that contains itself is too deep. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
  const seen = new Map<object, number>();
  const waiting: [unknown, number][] = [[value, 1]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [one, depth] = next;
    if (typeof one !== 'object' || one === null || (seen.get(one) ?? 0) >= depth) continue;
    if (depth > levels) return true;
    seen.set(one, depth);
    for (const child of Object.values(one)) waiting.push([child, depth + 1]);
  }
  return false;
}

/**
 * The approximate number of characters of a value written without aliases. A value that occurs in several places counts in each, but is
 * measured once.
 */
function writtenSize(value: unknown, known = new Map<object, number>()): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let size = known.get(value);
  if (size === undefined) {
    size = 1;
    for (const [key, child] of Object.entries(value)) size += (Array.isArray(value) ? 0 : key.length) + writtenSize(child, known);
    known.set(value, size);
  }
  return size;
}

/** The one document of a text, which must be a mapping. Throws `ManifestError`. */
export function loadManifest(text: string): Record<string, unknown> {
  const documents = loadManifests(text);
  const [first] = documents;
  if (documents.length !== 1) throw new ManifestError(`expected one YAML document, found ${documents.length}`);
  if (typeof first !== 'object' || first === null || Array.isArray(first))
    throw new ManifestError('the manifest must be a mapping of fields');
  return first as Record<string, unknown>;
}

/** YAML that kubectl reads back as the same value; keys in their own order, long strings unfolded, no aliases. */
export function dumpManifest(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1 });
}
