import { CORE_SCHEMA, NOT_RESOLVED, defineScalarTag, dump, loadAll, mergeTag } from 'js-yaml';

/** Text that is no manifest. `message` is one sentence for people: what was wrong, and the line where there is one. */
export class ManifestError extends Error {}

/** Aliases beyond this many are refused: a few nested ones expand to gigabytes when written out again ("billion laughs"). */
const MAX_ALIASES = 100;

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
 * documents are left out. Throws `ManifestError` when the text is no YAML or holds more than 100 aliases.
 */
export function loadManifests(text: string): unknown[] {
  const aliases = text.match(/(?<=^|[\s[{,:-])\*[^\s,\]}]+/gm)?.length ?? 0;
  if (aliases > MAX_ALIASES) throw new ManifestError(`the YAML holds ${aliases} aliases; at most ${MAX_ALIASES} are allowed`);
  try {
    return loadAll(text, { schema }).filter((document) => document !== null && document !== undefined);
  } catch (error) {
    throw new ManifestError(`not valid YAML: ${String((error as Error).message).split('\n')[0]}`);
  }
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
