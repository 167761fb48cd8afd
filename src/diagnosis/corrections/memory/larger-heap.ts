import { smallHeap } from './heap.ts';
import { replaceText } from '../replace-text.ts';
import type { Correction } from '../correction.ts';
import { type RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';

/** The settings fix the heap below what the memory limit allows. A higher limit alone would not help. */
export function largerHeap(input: RuleInput): Correction[] | undefined {
  const container = input.place()?.container;
  const small = container && smallHeap(container);
  if (!small) return undefined;
  const changes = replaceText(
    input,
    small.from,
    small.to,
    `the heap of ${code(small.from)} is full, and the memory limit leaves room for more`,
  );
  if (changes.length === 0) return undefined;
  return [
    {
      title: `Raise the heap to ${code(small.to)}`,
      changes,
      confidence: 'guess',
      explanation: 'The runtime uses no more than this setting allows.',
      mirrorable: true,
    },
  ];
}
