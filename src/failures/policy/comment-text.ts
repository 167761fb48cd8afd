import { COMMENT } from '../../contract/comment.ts';
import { Refusal } from '../../contract/refusal.ts';

/** What a reader would not see, or that makes text look like another one: but emoji are joined by invisible characters, so these stay. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * A comment in the form in which it is stored: Unicode's NFC, lines ended by a line feed, no blanks around it. Throws a Refusal for what is
 * not allowed: nothing else is removed, so that a comment says what its author wrote.
 */
export function commentText(given: string): string {
  const text = given.replaceAll('\r\n', '\n').normalize('NFC').trim();
  if (text === '') throw new Refusal('invalid', 'text must not be blank');
  if (Array.from(text).length > COMMENT.mostCharacters)
    throw new Refusal('invalid', `text must not have more than ${COMMENT.mostCharacters} characters`);
  if (UNSEEN.test(text))
    throw new Refusal('invalid', 'text must hold no control characters but line breaks and tabs, and none that turn its direction');
  return text;
}
