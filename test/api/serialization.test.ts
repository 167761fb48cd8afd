import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import { type TSchema, Type } from 'typebox';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileSerializer } from '../../src/api/serialization.ts';

const serializer = (schema: unknown) =>
  compileSerializer({ schema, method: 'GET', url: '/', httpStatus: '200' } as unknown as FastifyRouteSchemaDef<TSchema>);

test('an answer holds only the fields of its schema, time after time', () => {
  const write = serializer(Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) }));
  assert.is(write({ name: 'ada', password_hash: 'x' }), '{"name":"ada"}');
  assert.is(write({ name: 'eve', age: 7, role: 'admin' }), '{"name":"eve","age":7}');
});

test('an answer without a required field is an error', () => {
  assert.throws(() => serializer(Type.Object({ name: Type.String() }))({}), /"name" is required/);
});

test('a schema is compiled with the first answer, once', () => {
  let reads = 0;
  const schema = Type.String();
  const counted = new Proxy(schema, { get: (target, key) => (reads++, Reflect.get(target, key) as unknown) });
  const write = serializer(counted);
  assert.is(reads, 0, 'not before an answer');
  assert.is(write('a'), '"a"');
  const once = reads;
  assert.ok(once > 0);
  assert.is(write('b'), '"b"');
  assert.is(reads, once);
});

test.run();
