import { createHook } from 'node:async_hooks';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hashPassword, isPassword } from '../../src/accounts/password.ts';

test('a flood of logins takes two threads of the pool at once, and all of them are answered', async () => {
  const hash = await hashPassword('correct horse');
  const running = new Set<number>();
  let [begun, most] = [0, 0];
  const hook = createHook({
    init(id, type) {
      if (type !== 'ARGON2REQUEST') return;
      running.add(id);
      begun++;
      most = Math.max(most, running.size);
    },
    // argon2 frees its thread before Node calls back with the result.
    before: (id) => void running.delete(id),
  }).enable();
  try {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => isPassword(n % 2 ? 'correct horse' : 'wrong', hash)));
    assert.equal(
      answers,
      Array.from({ length: 12 }, (_, n) => n % 2 === 1),
    );
  } finally {
    hook.disable();
  }
  assert.equal([begun, most], [12, 2]);
});

test('a password that cannot be derived does not stop those after it', async () => {
  const hash = await hashPassword('correct horse');
  const broken = hash.replace('m=19456', 'm=1');
  const answers = await Promise.allSettled([broken, broken, hash, hash].map((one) => isPassword('correct horse', one)));
  assert.equal(
    answers.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled', 'fulfilled'],
  );
});

test('a hash says how it was made, and the same password never has the same one', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  // 16 bytes of salt and 32 of the tag, in base64 without padding.
  for (const hash of [one, other]) assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.is.not(one, other);
});

test('only the password that made a hash fits; no hash and no hash of ours fit nothing', async () => {
  const hash = await hashPassword('correct horse');
  const rows: [password: string, hash: string | null, fits: boolean][] = [
    ['correct horse', hash, true],
    ['correct hors', hash, false],
    ['', hash, false],
    ['correct horse', null, false],
    ['correct horse', '', false],
    ['correct horse', 'plain', false],
    ['correct horse', hash.replace('argon2id', 'argon2i'), false],
  ];
  for (const [password, against, fits] of rows) assert.is(await isPassword(password, against), fits, `${password} ${against}`);
});

test.run();
