/** Letters and digits that cannot be mistaken for one another. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password to hand over: four groups of five, 115 bits. Also where the page has no TLS. */
export function newPassword(): string {
  const letters: string[] = [];
  while (letters.length < 20) {
    // Bytes above the last whole multiple are left out: each letter is as likely as the others.
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 256 - (256 % ALPHABET.length)) letters.push(ALPHABET[byte % ALPHABET.length] ?? '');
  }
  return (letters.join('').match(/.{5}/g) ?? []).join('-');
}
