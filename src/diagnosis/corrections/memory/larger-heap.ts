import { parseQuantity } from '../../../crd/quantity.ts';
import { heapNeed, smallHeap } from './heap.ts';
import { replaceText } from '../replace-text.ts';
import type { Correction } from '../correction.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import { placedTexts } from '../container-texts.ts';
import { type Given, setTo, wordsIn } from '../given-values.ts';
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

/** Twice the limit that PHP gives its scripts, in the setting that has the limit of the line. Empty where the memory limit leaves no room. */
export function largerScripts(input: RuleInput, bytes: number): Correction[] {
  const place = input.place();
  const sizes = [
    [2 ** 30, 'G'],
    [2 ** 20, 'M'],
    [2 ** 10, 'K'],
  ] as const;
  const written = sizes.flatMap(([size, unit]) => (bytes > 0 && bytes % size === 0 ? [`${bytes / size}${unit}`] : []));
  const given = place ? [...wordsIn(place), ...optionsOfPhp(place)] : [];
  const [only, ...more] = given.filter(({ value }) => written.includes(value.toUpperCase()));
  const limit = parseQuantity(place?.container?.resources?.limits?.memory) ?? Infinity;
  if (!place || !only || more.length > 0 || bytes * 2 > limit) return [];
  const to = only.value.replace(/^\d+/, (digits) => String(Number(digits) * 2));
  const explanation = 'PHP ends a script that uses more, whatever the memory limit of the container is.';
  return [setTo(place, only, to, { why: `a script needs more than ${code(only.value)}`, explanation })];
}

/** The limit behind `-d`: `php -d memory_limit=128M`. */
function optionsOfPhp(place: ContainerPlace): Given[] {
  return placedTexts(place).flatMap(({ path, text }) => {
    const [, prefix, value] = /^((?:-d ?)?memory_limit=)(.*)$/s.exec(text) ?? [];
    return prefix === undefined || value === undefined ? [] : [{ name: 'memory_limit', value, prefix, path }];
  });
}

/** For a full memory outside of Java's heap: four times what the option allows, or what the memory limit leaves beside the heap. Empty without room. */
export function largerBuffers(input: RuleInput, option: string): Correction[] {
  const container = input.place()?.container;
  const [, name = '', digits = '', unit = ''] = /^(\S+=)(\d+)([kmg]?)$/i.exec(option) ?? [];
  const bytes = Number(digits) * ({ k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, '': 1 }[unit.toLowerCase()] ?? 1);
  const limit = parseQuantity(container?.resources?.limits?.memory) ?? Infinity;
  const heap = (container && heapNeed(container)?.bytes) ?? 0;
  const to = Math.floor(Math.min(bytes * 4, limit - heap) / 2 ** 20);
  const larger = `${name}${to}m`;
  const changes = to * 2 ** 20 > bytes * 1.2 ? replaceText(input, option, larger, 'the buffers of the program need more') : [];
  if (changes.length === 0) return [];
  return [
    {
      title: `Set ${code(larger)}`,
      changes,
      confidence: 'guess',
      explanation: 'How much the buffers need, only the program knows.',
      mirrorable: true,
    },
  ];
}
