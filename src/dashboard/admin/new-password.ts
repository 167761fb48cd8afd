/** Letters and digits, except those that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A random password: four groups of five characters, 115 bits. Also works on pages without TLS. */
export function newPassword(): string {
  const letters: string[] = [];
  while (letters.length < 20) {
    // Bytes above the last whole multiple are rejected, so that all letters are equally likely.
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 256 - (256 % ALPHABET.length)) letters.push(ALPHABET[byte % ALPHABET.length] ?? '');
  }
  return (letters.join('').match(/.{5}/g) ?? []).join('-');
}
