import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { keyedMutex } from '../async/keyed-mutex.ts';

/** argon2id with 19 MiB, two passes, one lane: OWASP's recommendation, some 30 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/**
 * Derivations at once, in the whole process. They run in Node's pool of four threads, which also compresses lists, reads files and looks up
 * names: a flood of logins leaves two threads to these.
 */
const LANES = 2;
const exclusively = keyedMutex();
let next = 0;
const inPool = promisify(argon2);
const derive: typeof inPool = (algorithm, parameters) => exclusively(String(next++ % LANES), () => inPool(algorithm, parameters));

/** The hash in PHC form, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`, so that the cost may change later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/** Whether the password made that hash. Without a hash (no such user, or one without a password) false after as long a time. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash ?? NOBODY) ?? [];
  if (!salt || !tag) return false;
  const expected = Buffer.from(tag, 'base64');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: expected.length };
  const actual = await derive('argon2id', { message: password, nonce: Buffer.from(salt, 'base64'), ...cost });
  return timingSafeEqual(actual, expected) && hash !== null;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;
/** Checked for users that do not exist. */
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
