import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as about from '../../src/contract/about.ts';
import * as access from '../../src/contract/access.ts';
import * as advice from '../../src/contract/advice.ts';
import * as agent from '../../src/contract/agent.ts';
import * as alert from '../../src/contract/alert.ts';
import * as auth from '../../src/contract/auth.ts';
import * as comment from '../../src/contract/comment.ts';
import * as diagnosis from '../../src/contract/diagnosis.ts';
import * as errors from '../../src/contract/errors.ts';
import * as failure from '../../src/contract/failure.ts';
import * as fields from '../../src/contract/fields.ts';
import * as finding from '../../src/contract/finding.ts';
import * as graph from '../../src/contract/graph.ts';
import * as incident from '../../src/contract/incident.ts';
import * as log from '../../src/contract/log.ts';
import * as mirror from '../../src/contract/mirror.ts';
import * as model from '../../src/contract/model.ts';
import * as notification from '../../src/contract/notification.ts';
import * as settings from '../../src/contract/settings.ts';
import * as suppression from '../../src/contract/suppression.ts';

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

const MODULES = {
  about,
  access,
  advice,
  agent,
  alert,
  auth,
  comment,
  diagnosis,
  errors,
  failure,
  fields,
  finding,
  graph,
  incident,
  log,
  mirror,
  model,
  notification,
  settings,
  suppression,
};

/** All schemas that the modules export, with their names. */
const NAMES = new Map(
  Object.values<Record<string, unknown>>(MODULES).flatMap((exported) =>
    Object.entries(exported).flatMap(([name, value]): [Schema, string][] => (isSchema(value) ? [[value, name]] : [])),
  ),
);

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

const TEXT = readFileSync(new URL('shapes.txt', import.meta.url), 'utf8').split('\n');
/** The modules that have a heading. */
const HEADINGS = TEXT.flatMap((line) => /^# (\S+\.ts)$/.exec(line)?.[1] ?? []);
const LINES = TEXT.filter((line) => line !== '' && !line.startsWith('#'));
const WRITTEN = new Map(LINES.map((line): [string, string] => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3)]));

test('every module with schemas is looked at', () => {
  const folder = new URL('../../src/contract/', import.meta.url);
  const withSchemas = globSync('*.ts', { cwd: folder.pathname }).filter((file) =>
    /^export const \w+ =\s+Type\./m.test(readFileSync(new URL(file, folder), 'utf8')),
  );
  assert.equal(withSchemas.toSorted(), HEADINGS);
});

test('every schema has its line, and every line its schema', () => {
  assert.equal([...WRITTEN.keys()].toSorted(), [...new Set(NAMES.values())].toSorted());
});

for (const [schema, name] of NAMES) test(`${name} has the shape that is written`, () => assert.is(shapeOf(schema), WRITTEN.get(name)));

test.run();
