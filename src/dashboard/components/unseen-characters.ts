/**
 * Characters that are not seen, or change in which order those around them are shown. Joiners are left between letters and pictures of scripts that
 * need them; beside ASCII they only hide a difference.
 */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|(?<!\P{ASCII})[\u200c\u200d]|[\u200c\u200d](?!\P{ASCII})/gu;

/** A text in the order in which it is written: what is not seen or would turn it is shown by its number, `‹U+202E›`. */
export function withSigns(text: string): string {
  return text.replace(UNSEEN, (sign) => `‹U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);
}
