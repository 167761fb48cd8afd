import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recentKeys } from '../../src/redact/recent-keys.ts';

test('the newest half is remembered, the oldest is forgotten', () => {
  const keys = recentKeys(8);
  const added = Array.from({ length: 50 }, (_, n) => String(n));
  for (const key of added) keys.add(key);
  assert.equal(
    added.slice(-4).map((key) => keys.has(key)),
    [true, true, true, true],
  );
  assert.not(keys.has('41'));
});

test('a key that is asked for again and again stays', () => {
  const keys = recentKeys(8);
  keys.add('first');
  for (let n = 0; n < 50; n++) {
    keys.add(String(n));
    assert.ok(keys.has('first'), `after ${n}`);
  }
});

test.run();
