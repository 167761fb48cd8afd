import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linesOf } from '../../src/kube/lines.ts';

const lines = suite('lines of a stream');

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const euro = bytes('€');

const CASES: [sentence: string, chunks: Uint8Array[], expected: string[]][] = [
  ['one chunk with two lines', [bytes('a\nb\n')], ['a', 'b']],
  ['a line in two chunks', [bytes('hel'), bytes('lo\n')], ['hello']],
  ['a last line without an end', [bytes('a\nb')], ['a', 'b']],
  ['empty lines are left out', [bytes('a\n\n\nb\n')], ['a', 'b']],
  ['a character in two chunks', [bytes('5 '), euro.slice(0, 1), euro.slice(1), bytes('\n')], ['5 €']],
  ['an empty stream', [], []],
];
for (const [sentence, chunks, expected] of CASES)
  lines(sentence, async () => {
    const found: string[] = [];
    for await (const line of linesOf(ReadableStream.from(chunks))) found.push(line);
    assert.equal(found, expected);
  });

lines.run();
