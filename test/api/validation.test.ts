import Type, { type TSchema } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileValidator, validationError } from '../../src/api/validation.ts';

const test = suite('checks of requests');

/** The value as a route gets it, or what the caller is told. */
function read(schema: TSchema, input: unknown, httpPart = 'querystring'): unknown {
  const check = compileValidator({ schema, httpPart, method: 'GET', url: '/' } as never) as (input: unknown) => {
    value?: unknown;
    error?: never;
  };
  const { error, value } = check(input);
  return error ? validationError(error, httpPart).message : value;
}

const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  whole: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String({ maxLength: 3 })),
});
const QUERIES: [input: object, result: unknown][] = [
  [{ limit: '7' }, { limit: 7 }],
  [{ limit: '-1' }, 'limit must be >= 1'],
  [{ limit: '11' }, 'limit must be <= 10'],
  ...['1.5', '1e1', '', ' 7', '7x', '0x7', '1234567890123456'].map((limit): [object, unknown] => [{ limit }, 'limit must be integer']),
  [{ whole: 'true' }, { whole: true }],
  [{ whole: 'false' }, { whole: false }],
  ...['1', 'TRUE', ''].map((whole): [object, unknown] => [{ whole }, 'whole must be boolean']),
  [{ name: '7' }, { name: '7' }],
  [{ name: 'long' }, 'name must not have more than 3 characters'],
  [{ other: '7' }, { other: '7' }],
];
for (const [input, result] of QUERIES) test(`the query ${JSON.stringify(input)}`, () => assert.equal(read(Query, input), result));

test('a body is taken as it is', () => {
  assert.equal(read(Query, { limit: 7 }, 'body'), { limit: 7 });
  assert.is(read(Query, { limit: '7' }, 'body'), 'limit must be integer');
  assert.is(read(Query, [], 'body'), 'The body must be object');
});

const Body = Type.Object({
  kind: Type.Enum(['a', 'b']),
  list: Type.Optional(Type.Array(Type.Object({ name: Type.String(), count: Type.Union([Type.Integer(), Type.Null()]) }))),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
});
const BODIES: [body: object, says: string][] = [
  [{}, 'kind is required'],
  [{ kind: 'c' }, 'kind must be one of a, b'],
  [{ kind: 'a', list: [{ name: 'x', count: 1 }, { count: 1 }] }, 'list[1].name is required'],
  [{ kind: 'a', list: [{ name: 'x', count: 'y' }] }, 'list[0].count must be integer or null'],
  [{ kind: 'a', labels: { 'a/b~c': 5 } }, 'labels.a/b~c must be string'],
];
for (const [body, says] of BODIES) test(says, () => assert.is(read(Body, body, 'body'), says));

test('an error without words says that the form is another', () => {
  assert.is(validationError([], 'body').message, 'The body must have another form');
});

test.run();
