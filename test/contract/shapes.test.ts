import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fields from '../../src/contract/fields.ts';

// shapes.txt has a line for each schema of the contract: what a client may send and what it gets. It says nothing about the order of
// fields and nothing about descriptions. Change a line there together with the schema.

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: unknown;
  required?: string[];
  pattern?: string;
  uniqueItems?: boolean;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

const patternOf = ({ pattern = '' }: Schema): string => pattern;

const PATTERNS = new Map([
  [fields.NOT_BLANK, 'not blank'],
  [fields.DNS_LABEL, 'DNS label'],
  [patternOf(fields.NamespaceGlob), 'glob of a DNS label'],
  [patternOf(fields.ObjectName), 'name'],
  [patternOf(fields.OptionalName), 'name or nothing'],
  [patternOf(fields.ShownName('')), 'shown name'],
  [fields.SEEN_OR_NONE, 'visible line'],
  [fields.WRITTEN, 'written text'],
  [fields.WRITTEN_LINE, 'written line'],
  [patternOf(fields.OptionalCluster), 'cluster'],
  [patternOf(fields.Instant), 'instant'],
]);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && ['type', 'anyOf', 'enum'].some((key) => key in value);

/** All schemas that the modules export, with their names. */
const NAMES = new Map<Schema, string>();
for (const file of globSync('*.ts', { cwd: new URL('../../src/contract/', import.meta.url).pathname }).toSorted()) {
  const exported = (await import(`../../src/contract/${file}`)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(exported)) if (isSchema(value)) NAMES.set(value, name);
}

/** What a schema accepts. Compares schemas, because an optional field has a copy of a named one. */
const accepted = (schema: Schema): string => JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value));
const NAMED = new Map([...NAMES].filter(([schema]) => schema.properties || schema.enum).map(([schema, name]) => [accepted(schema), name]));

const range = (least: number | undefined, most: number | undefined): string =>
  least === undefined && most === undefined ? '' : ` ${least ?? ''}..${most ?? ''}`;

const shapeIn = (schema: Schema): string => NAMES.get(schema) ?? NAMED.get(accepted(schema)) ?? shapeOf(schema);

function shapeOf(schema: Schema): string {
  const { type = 'any', items, pattern } = schema;
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.anyOf) return schema.anyOf.map(shapeIn).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (items) return `[${shapeIn(items)}]${range(schema.minItems, schema.maxItems)}${schema.uniqueItems ? ' unique' : ''}`;
  if (schema.patternProperties) return `{ *: ${Object.values(schema.patternProperties).map(shapeIn).join()} }`;
  if (type === 'object') return `{ ${fieldsOf(schema).join('; ')} }${schema.default === undefined ? '' : ' or nothing'}`;
  const bounds = range(schema.minLength, schema.maxLength) + range(schema.minimum, schema.maximum);
  return type + bounds + (pattern === undefined ? '' : `, ${PATTERNS.get(pattern) ?? pattern}`);
}

function fieldsOf({ properties = {}, required = [], additionalProperties }: Schema): string[] {
  const each = Object.entries(properties).map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${shapeIn(field)}`);
  return [...each.toSorted(), ...(additionalProperties === undefined ? [] : [`others: ${JSON.stringify(additionalProperties)}`])];
}

const test = suite('shapes of requests and answers');

const LINES = readFileSync(new URL('shapes.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const WRITTEN = new Map(LINES.map((line): [string, string] => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3)]));

test('every schema has its line, and every line its schema', () => {
  assert.equal([...WRITTEN.keys()].toSorted(), [...new Set(NAMES.values())].toSorted());
});

for (const [schema, name] of NAMES) test(`${name} has the shape that is written`, () => assert.is(shapeOf(schema), WRITTEN.get(name)));

test.run();
