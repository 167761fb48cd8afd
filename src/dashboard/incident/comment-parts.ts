/** A part of a comment: plain text, or a web address to show as a link. */
export interface CommentPart {
  text: string;
  isLink: boolean;
}

/** A web address, without the punctuation or closing bracket of the sentence around it. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g;

/** Splits a comment into text and links, in order. */
export function partsOf(text: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    if (index > end) parts.push({ text: text.slice(end, index), isLink: false });
    parts.push({ text: address, isLink: true });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isLink: false });
  return parts;
}
