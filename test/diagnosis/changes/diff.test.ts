import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unifiedDiff } from '../../../src/diagnosis/changes/diff.ts';

const diff = suite('a unified diff');
const lines = (...numbers: (number | string)[]) => `${numbers.join('\n')}\n`;

diff('of equal texts is empty', () => {
  assert.is(unifiedDiff('a\n', 'a\n'), '');
});

diff('shows three lines around a change', () => {
  assert.is(
    unifiedDiff(lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 2, 3, 4, 'x', 6, 7, 8, 9)),
    lines('--- before', '+++ after', '@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+x', ' 6', ' 7', ' 8'),
  );
});

diff('parts changes that are far from each other', () => {
  const before = Array.from({ length: 30 }, (_, index) => index);
  const after = before.flatMap((line) => (line === 2 ? ['new', line] : line === 25 ? [] : [line]));
  assert.is(
    unifiedDiff(lines(...before), lines(...after)),
    lines(
      '--- before',
      '+++ after',
      '@@ -1,5 +1,6 @@',
      ' 0',
      ' 1',
      '+new',
      ' 2',
      ' 3',
      ' 4',
      '@@ -23,7 +24,6 @@',
      ' 22',
      ' 23',
      ' 24',
      '-25',
      ' 26',
      ' 27',
      ' 28',
    ),
  );
});

diff('of an empty text counts no lines on that side', () => {
  assert.is(unifiedDiff('', lines('a', 'b')).split('\n')[2], '@@ -1 +1,2 @@');
});

diff('of two large texts ends in reasonable time', () => {
  const text = (mark: string) => lines(...Array.from({ length: 5000 }, (_, index) => `${mark}${index}`));
  assert.is(unifiedDiff(text('a'), text('b')).split('\n').length, 10_004);
});

diff.run();
