import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sealer } from '../../src/accounts/seal.ts';

const OLD = 'an-old-key-of-the-test';
const NEW = 'a-new-key-of-the-test';

test('what is sealed opens again, and shows nothing of itself', () => {
  const { seal, open } = sealer([NEW]);
  for (const text of ['', 'sk-secret', 'ü€😀', 'x'.repeat(10_000)]) {
    const sealed = seal('a/1/b', text);
    assert.is(open('a/1/b', sealed), text);
    if (text) assert.not.ok(sealed.includes(text));
    assert.not.ok(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes(text || 'none'));
  }
});

test('sealing the same text twice gives different results', () => {
  const { seal } = sealer([NEW]);
  assert.is.not(seal('a', 'b'), seal('a', 'b'));
});

test('a sealed text opens only in its own place', () => {
  const { seal, open } = sealer([NEW]);
  assert.is(open('model_config/2/api_key', seal('model_config/1/api_key', 'b')), undefined);
});

test('an older key still opens; the newest seals', () => {
  const sealed = sealer([OLD]).seal('a', 'b');
  const rotating = sealer([NEW, OLD]);
  assert.is(rotating.open('a', sealed), 'b');
  assert.is(rotating.isOld(sealed), true);
  const again = rotating.seal('a', 'b');
  assert.is(rotating.isOld(again), false);
  assert.is(sealer([NEW]).open('a', again), 'b');
  assert.is(sealer([OLD]).open('a', again), undefined);
});

test('a changed, cut or foreign text does not open, and does not throw', () => {
  const { seal, open } = sealer([NEW]);
  const sealed = seal('a', 'some text');
  const [version = '', id = '', body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) ^ 1;
    assert.is(open('a', [version, id, other.toString('base64url')].join('.')), undefined, `byte ${at}`);
  }
  for (const broken of ['', '.', 'v1', `v2.${id}.${body}`, `v1.${id}.`, `v1.${id}.${body.slice(0, 20)}`, `v1.other.${body}`, 'null'])
    assert.is(open('a', broken), undefined, broken);
});

test('each purpose has a different key, which is always the same', () => {
  const { derive } = sealer([NEW, OLD]);
  assert.ok(derive('x').equals(sealer([NEW]).derive('x')));
  assert.not.ok(derive('x').equals(derive('y')));
  assert.is(derive('x').length, 32);
});

test.run();
