import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cutBegin, cutEnd, cutMiddle } from '../../../src/failures/policy/cut-text.ts';

const test = suite('texts that are cut');

const CUTS = { cutBegin, cutEnd, cutMiddle };
const bytesOf = (text: string): number => Buffer.byteLength(text);

for (const [name, cut] of Object.entries(CUTS)) {
  test(`${name} keeps what has just the bytes, and bounds what has one more`, () => {
    for (const text of ['x'.repeat(100), 'ä'.repeat(50), '\n'.repeat(100)]) assert.is(cut(text, 100), text);
    for (const letter of ['x', 'ä', '€', '😀']) {
      const cutText = cut(letter.repeat(1000), 200);
      assert.ok(bytesOf(cutText) <= 200 && bytesOf(cutText) > 120, `${bytesOf(cutText)} bytes of ${letter}`);
      assert.not.match(cutText, '\ufffd', 'no half character');
    }
  });

  test(`${name} masks before it cuts`, () => {
    const text = `PASSWORD=hunter2hunter2 ${'x'.repeat(500)} PASSWORD=hunter2hunter2`;
    assert.not.match(cut(text, 300), 'hunter2');
  });
}

test('the marks say how much was cut', () => {
  assert.is(cutEnd('x'.repeat(200), 100), `${'x'.repeat(36)} [164 more bytes were cut]`);
  assert.is(cutMiddle('x'.repeat(200), 100), `${'x'.repeat(9)}\n[164 bytes were cut]\n${'x'.repeat(27)}`);
  assert.is(
    cutBegin(`${'x'.repeat(150)}\n${'y'.repeat(10)}\n${'z'.repeat(9)}`, 100),
    `[151 earlier bytes were cut]\n${'y'.repeat(10)}\n${'z'.repeat(9)}`,
  );
});

test('an end without a line keeps what there is room for', () => {
  assert.is(cutBegin('x'.repeat(200), 100), `[164 earlier bytes were cut]\n${'x'.repeat(36)}`);
  assert.is(cutBegin(`${'x'.repeat(200)}\n`, 100), `[165 earlier bytes were cut]\n${'x'.repeat(35)}\n`);
});

test('less room than a mark takes leaves the mark alone', () => {
  assert.is(cutEnd('x'.repeat(200), 10), ' [200 more bytes were cut]');
});

test.run();
