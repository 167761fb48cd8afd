import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets that are stored. */
export interface Sealer {
  /** The text encrypted with the newest key, bound to its place (`table/row/column`): elsewhere it does not open. */
  seal(place: string, text: string): string;
  /** The decrypted text; undefined when it was encrypted for another place, with a key that is not known any more, or was changed. */
  open(place: string, sealed: string): string | undefined;
  /** Whether it was sealed with an older key than the newest. */
  isOld(sealed: string): boolean;
  /** A key of its own for another purpose, made of the newest one. */
  derive(purpose: string): Buffer;
}

/** A sealer with AES-256-GCM over keys of any text (`ENCRYPTION_KEY`), newest first; older ones still open what they sealed. */
export function sealer(encryptionKeys: string[]): Sealer {
  const [newest, ...older] = encryptionKeys.map(keyOf);
  if (!newest) throw new Error('sealing needs a key');
  return {
    seal(place, text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.key, iv).setAAD(boundTo(place, newest.id));
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, newest.id, sealed.toString('base64url')].join('.');
    },
    open(place, sealed) {
      const [version, id = '', body = ''] = sealed.split('.');
      const found = [newest, ...older].find((one) => one.id === id);
      const bytes = Buffer.from(body, 'base64url');
      if (version !== VERSION || !found || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(boundTo(place, id)).setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
    isOld: (sealed) => sealed.split('.')[1] !== newest.id,
    derive: (purpose) => derived(newest.text, purpose),
  };
}

function keyOf(text: string): { text: string; id: string; key: Buffer } {
  return { text, key: derived(text, 'seal'), id: derived(text, 'key id').toString('hex').slice(0, 16) };
}

function derived(text: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', text, 'podmend', purpose, 32));
}

function boundTo(place: string, keyId: string): Buffer {
  return Buffer.from(`${VERSION}\n${keyId}\n${place}`);
}
