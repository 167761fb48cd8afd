import type { Change } from '../../contract/failure.ts';
import type { RuleInput } from '../facts/input.ts';
import { code } from '../rendering/quote.ts';
import { change } from './change.ts';
import type { Correction } from './correction.ts';
import { placedTexts } from './container-texts.ts';

/** Changes that replace a whole word in the container's variables, command and arguments. */
export const replaceText = (input: RuleInput, from: string, to: string, why: string): Change[] => replaceTexts(input, [[from, to]], why);

/** The same for several words, with one change for each text. */
export function replaceTexts(input: RuleInput, pairs: readonly (readonly [from: string, to: string])[], why: string): Change[] {
  const place = input.place();
  if (!place) return [];
  const swap = (text: string) => pairs.reduce((made, [from, to]) => replaceWord(made, from, to), text);
  return placedTexts(place).flatMap(({ path, text }) => (swap(text) === text ? [] : [change(place, path, swap(text), why)]));
}

/** Writes one word instead of another, wherever the container has it as a whole; empty where it does not. `shown`: what of the new word is new. */
export function writtenInstead(
  input: RuleInput,
  { from, to, shown = to }: { from: string; to: string; shown?: string },
  { why, explanation }: { why: string; explanation: string },
): Correction[] {
  const changes = replaceText(input, from, to, why);
  return changes.length === 0 ? [] : [{ title: `Write ${code(shown)}`, changes, confidence: 'likely', explanation, mirrorable: true }];
}

/** Replaces whole words only. */
export function replaceWord(text: string, from: string, to: string): string {
  let result = '';
  let start = 0;
  for (const at of wordsAt(text, from)) {
    result += text.slice(start, at) + to;
    start = at + from.length;
  }
  return result + text.slice(start);
}

/**
 * Where a word stands as a whole in a text. It must not follow a letter, digit, `_`, `-` or `.`, and must not precede a letter, digit, `_`
 * or `-`. An empty word stands nowhere.
 */
export function wordsAt(text: string, word: string): number[] {
  const found: number[] = [];
  if (word === '') return found;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (!/[\w.-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + word.length] ?? '')) found.push(at);
  return found;
}
