import { COMMENT } from '../../contract/comment.ts';
import { PATTERN_WORDS, WRITTEN } from '../../contract/fields.ts';
import { Refusal } from '../../contract/refusal.ts';

const IS_WRITTEN = new RegExp(WRITTEN, 'u');

/**
 * A comment in the form in which it is stored: Unicode's NFC, lines ended by a line feed, no blanks around it. Throws a Refusal for what is
 * not allowed: nothing else is removed, so that a comment says what its author wrote.
 */
export function commentText(given: string): string {
  const text = given.replaceAll('\r\n', '\n').normalize('NFC').trim();
  if (text === '') throw new Refusal('invalid', 'text must not be blank');
  if (Array.from(text).length > COMMENT.mostCharacters)
    throw new Refusal('invalid', `text must not have more than ${COMMENT.mostCharacters} characters`);
  if (!IS_WRITTEN.test(text)) throw new Refusal('invalid', `text must ${PATTERN_WORDS.get(WRITTEN)}`);
  return text;
}
