import type { Loose } from './object.ts';
import { isMap } from './object.ts';
import type { Schema } from './schema.ts';
import { resolve } from './schema.ts';

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
 * The first field of a builtin kind whose JSON type is not the one its schema wants, in the words of Go's decoder; undefined
 * when all fit. Quantities and int-or-string take numbers and text.
 */
export function decodeError(schema: Schema | undefined, value: Loose, path = '', owner = ''): string | undefined {
  const node = resolve(schema);
  if (!node || value === undefined || value === null) return undefined;
  const wanted = node.oneOf || node.format === 'int-or-string' ? undefined : (node.type as string | undefined);
  const actual = jsonType(value);
  const fits =
    !wanted ||
    wanted === actual ||
    (wanted === 'boolean' && actual === 'bool') ||
    (actual === 'number' && (wanted === 'number' || (wanted === 'integer' && Number.isInteger(value))));
  if (!fits) return `cannot unmarshal ${actual} into Go struct field ${owner}.${path} of type ${goType(schema, node)}`;
  if (Array.isArray(value)) {
    for (const item of value) {
      const wrong = decodeError(node.items, item, path, owner);
      if (wrong) return wrong;
    }
    return undefined;
  }
  if (!isMap(value)) return undefined;
  const name = (schema?.['$ref'] as string | undefined)?.split('.').at(-1) ?? owner;
  for (const [key, child] of Object.entries(value)) {
    const member = node.properties?.[key] ?? (isMap(node.additionalProperties) ? node.additionalProperties : undefined);
    const wrong = member && decodeError(member, child, path ? `${path}.${key}` : key, name);
    if (wrong) return wrong;
  }
  return undefined;
}
