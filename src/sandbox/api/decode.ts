import type { Loose } from '../store/object.ts';
import { isMap } from '../store/object.ts';
import type { Schema } from '../kinds/schema.ts';
import { resolve } from '../kinds/schema.ts';

const GO_TYPES: Record<string, string> = { integer: 'int32', boolean: 'bool', string: 'string' };
const jsonType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : isMap(value) ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value;

function goType(schema: Schema | undefined, node: Schema | undefined): string {
  const name = (schema?.['$ref'] as string | undefined)?.split('.').slice(-2).join('.');
  if (name) return name;
  if (node?.type === 'array') return `[]${goType(node.items, resolve(node.items))}`;
  if (node?.type === 'object') return `map[string]${goType(node.additionalProperties, resolve(node.additionalProperties))}`;
  if (node?.format === 'int64') return 'int64';
  return GO_TYPES[node?.type] ?? 'string';
}

/**
 * The first field of a builtin kind with another JSON type than its schema has, in the words of Go's decoder; undefined if there is none.
 * Quantities and int-or-string accept numbers and text.
 */
export function decodeError(schema: Schema | undefined, value: Loose, path = '', owner = ''): string | undefined {
  const node = resolve(schema);
  if (!node || value === undefined || value === null) return undefined;
  if (!fits(node, value))
    return `json: cannot unmarshal ${jsonType(value)} into Go struct field ${owner}.${path} of type ${goType(schema, node)}`;
  if (Array.isArray(value)) return firstOf(value, (item) => decodeError(node.items, item, path, owner));
  if (typeof value === 'string') return textError(node, value);
  if (!isMap(value)) return undefined;
  const name = (schema?.['$ref'] as string | undefined)?.split('.').at(-1) ?? owner;
  const others = isMap(node.additionalProperties) ? node.additionalProperties : undefined;
  return firstOf(Object.entries(value), ([key, child]) => {
    const member = node.properties?.[key];
    if (!member) return others && decodeError(others, child, path, name);
    return decodeError(member, child, path ? `${path}.${key}` : key, name);
  });
}

/** String fields that Go decodes into another type: bytes and timestamps. */
function textError(node: Schema, value: string): string | undefined {
  if (node.format === 'byte') {
    const at = /^[A-Za-z0-9+/]*/.exec(value)?.[0].length ?? 0;
    const isWhole = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value);
    return isWhole ? undefined : `illegal base64 data at input byte ${at}`;
  }
  if (node.format === 'date-time' && Number.isNaN(Date.parse(value)))
    return `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${JSON.stringify(value)} as "2006"`;
  return undefined;
}

function fits(node: Schema, value: unknown): boolean {
  const wanted = node.oneOf || node.format === 'int-or-string' ? undefined : (node.type as string | undefined);
  const actual = jsonType(value);
  if (!wanted || wanted === actual) return true;
  if (wanted === 'integer') return Number.isInteger(value);
  return wanted === 'boolean' && actual === 'bool';
}

function firstOf<T>(items: T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found) return found;
  }
  return undefined;
}
