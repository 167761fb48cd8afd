/**
 * Characters that are invisible, or that change the order in which other characters are shown. Joiners between letters of other scripts or
 * emoji are allowed, because these need them; beside ASCII they only hide a difference.
 */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|(?<!\P{ASCII})[\u200c\u200d]|[\u200c\u200d](?!\P{ASCII})/gu;

/** A text in its stored order. Invisible characters, and those that would change the order, are shown by their number, `‹U+202E›`. */
export function withSigns(text: string): string {
  return text.replace(UNSEEN, (sign) => `‹U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);
}
