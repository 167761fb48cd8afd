import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { stagesOf, variablesOf } from '../support/cluster/dockerfile.ts';

test('each variable of an ENV line is set by itself', () => {
  assert.equal(variablesOf('NODE_ENV=production MALLOC_ARENA_MAX=2'), ['NODE_ENV=production', 'MALLOC_ARENA_MAX=2']);
  assert.equal(variablesOf('A="two words" B= C=1=2'), ['A=two words', 'B=', 'C=1=2']);
});

test('the image of the tests has the variables of deploy/Dockerfile', () => {
  const last = stagesOf(readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8')).at(-1) ?? [];
  const variables = last.flatMap(([word, rest]) => (word === 'ENV' ? variablesOf(rest) : []));
  assert.equal(variables, ['NODE_ENV=production', 'MALLOC_ARENA_MAX=2']);
});

test.run();
