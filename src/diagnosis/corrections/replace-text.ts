import type { RuleInput } from '../facts/input.ts';
import { change } from './change.ts';
import { placedTexts } from './texts.ts';

/** Changes that replace a whole word in the container's variables, command and arguments. */
export function replaceText(input: RuleInput, from: string, to: string, why: string) {
  const place = input.place();
  if (!place) return [];
  const swap = (text: string) => replaceWord(text, from, to);
  return placedTexts(place).flatMap(({ path, text }) => (swap(text) === text ? [] : [change(place, path, swap(text), why)]));
}

/** Replaces whole words only. A word must not follow a letter, digit, `_`, `-` or `.`, and must not precede a letter, digit, `_` or `-`. */
function replaceWord(text: string, from: string, to: string): string {
  let result = '';
  let start = 0;
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) {
    if (/[\w.-]/.test(text[at - 1] ?? '') || /[\w-]/.test(text[at + from.length] ?? '')) continue;
    result += text.slice(start, at) + to;
    start = at + from.length;
  }
  return result + text.slice(start);
}
