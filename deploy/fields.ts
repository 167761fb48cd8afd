import { readFileSync } from 'node:fs';
import { loadManifest } from '../src/crd/manifest.ts';

/** The parts of a JSON schema that the tables show. */
interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
}

interface Definition {
  spec: { versions: { schema: { openAPIV3Schema: { properties: Record<string, Schema> } } }[] };
}

const MARKED = /^<!-- fields: (\S+) (spec|status) -->\n[^]*?^<!-- end -->$/gm;

/** The text with each table between `<!-- fields: FILE spec|status -->` and `<!-- end -->` written from the definition in FILE. */
export function withFieldTables(text: string, folder: URL): string {
  return text.replaceAll(MARKED, (_whole, file: string, part: string) => {
    const definition = loadManifest(readFileSync(new URL(file, folder), 'utf8')) as unknown as Definition;
    const schema = definition.spec.versions[0]?.schema.openAPIV3Schema.properties[part] ?? {};
    return `<!-- fields: ${file} ${part} -->\n${tableOf(schema)}\n<!-- end -->`;
  });
}

function tableOf(schema: Schema): string {
  const rows = rowsOf(schema, '').map((cells) => `| ${cells.join(' | ')} |`);
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const type = `${typeOf(schema)}${required.includes(name) ? ', required' : ''}`;
    const row = [`\`${path}\``, type, schema.description ?? ''];
    // Conditions are Kubernetes' own: one row is enough.
    return name === 'conditions' ? [row] : [row, ...rowsOf(schema, `${path}.`), ...rowsOf(schema.items ?? {}, `${path}[].`)];
  });
}

function typeOf(schema: Schema): string {
  const { type = 'any', items, additionalProperties, minimum, maximum, format } = schema;
  if (items) return `list of ${items.enum ? wordsOf(items) : items.type === 'object' ? 'objects' : `${items.type}s`}`;
  if (additionalProperties) return `map of ${additionalProperties.type}s`;
  const kind = schema.enum ? wordsOf(schema) : format === 'date-time' ? 'time' : type;
  const bounds = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : '';
  const preset = ['string', 'number', 'boolean'].includes(typeof schema.default) ? `, default \`${String(schema.default)}\`` : '';
  return kind + bounds + preset;
}

const wordsOf = ({ enum: words = [] }: Schema): string => words.map((word) => `\`${word}\``).join(' ');
