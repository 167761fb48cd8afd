import { randomBytes } from 'node:crypto';

/** What is configured. */
export interface KeyOptions {
  sessionSecret?: string | undefined;
  /** Newest first. */
  encryptionKeys: string[];
}

export interface Keys {
  sessionSecret: string;
  /** Newest first; never empty. */
  encryptionKeys: string[];
}

/** The names under which generated keys are kept, as files and in a Secret. */
export const KEY_NAMES = ['session-secret', 'encryption-key'] as const;
export type KeptKeys = Record<(typeof KEY_NAMES)[number], string>;

/** The configured keys. For missing ones it takes those that `kept` returns, which are the same for every process and every start. */
export async function ensureKeys({ sessionSecret, encryptionKeys }: KeyOptions, kept: () => Promise<KeptKeys>): Promise<Keys> {
  if (sessionSecret !== undefined && encryptionKeys.length > 0) return { sessionSecret, encryptionKeys };
  const made = await kept();
  return {
    sessionSecret: sessionSecret ?? made['session-secret'],
    encryptionKeys: encryptionKeys.length > 0 ? encryptionKeys : [made['encryption-key']],
  };
}

/** A random key of 256 bits. */
export const newKey = (): string => randomBytes(32).toString('base64url');
