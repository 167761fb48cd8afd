import { MAX_USER_NAME_LENGTH } from '../contract/fields.ts';
import { Refusal } from '../contract/refusal.ts';

/**
 * What a reader would not see, or would see as something else: control characters, characters that turn the direction of the text around
 * them or have no width, fillers that look like blanks, blanks other than the usual one, unassigned and private characters, and halves of
 * surrogate pairs.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/**
 * A name in the form in which it is stored: Unicode's NFC, so that two names that look the same are the same. Undefined for a name that is
 * not allowed. No characters are removed: without its zero byte, `ad\0min` would be another person's name.
 */
export function storedName(text: string): string | undefined {
  const name = text.normalize('NFC');
  const isName = name !== '' && name.trim() === name && name.length <= MAX_USER_NAME_LENGTH && name.search(UNSEEN) < 0;
  return isName ? name : undefined;
}

/** A name that somebody typed, for a log: what nobody would see is written as `\u{200b}`. */
export function shownName(text: string): string {
  return text.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The name as it is stored. Throws a Refusal that names `field`. */
export function visibleName(field: string, text: string): string {
  const name = storedName(text);
  if (name === undefined)
    throw new Refusal('invalid', `${field} must be at most ${MAX_USER_NAME_LENGTH} visible characters, without blanks around them`);
  return name;
}
