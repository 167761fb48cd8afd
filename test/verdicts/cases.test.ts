import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asks, CLASSES } from './case.ts';
import { ALL } from './cases/all.ts';

const test = suite('verdict cases');

test('every case has a name of its own, a known class and its truth in a sentence', () => {
  assert.is(new Set(ALL.map(({ name }) => name)).size, ALL.length);
  for (const { name, why, class: one } of ALL) {
    assert.ok(CLASSES.includes(one), name);
    assert.match(why, /^[A-Z].*\.$/, name);
    assert.not.match(name, /\.$/);
  }
});

test('a probe asks every 5 s unless said otherwise', () => {
  assert.equal(asks('true', { failureThreshold: 1 }), {
    exec: { command: ['sh', '-c', 'true'] },
    periodSeconds: 5,
    failureThreshold: 1,
  });
});

test.run();
