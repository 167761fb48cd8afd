import { hash } from 'node:crypto';
import { sql } from 'kysely';

/**
 * Begins a statement that each connection parses once, and plans for any values once it has seen a few: for statements whose text is one
 * of few and whose planning costs more than running them.
 */
export const PREPARED = sql`/* prepared */ `;

/** The name of a prepared statement; undefined for a text that is not to be prepared. */
export function preparedName(text: unknown): string | undefined {
  return typeof text === 'string' && text.startsWith('/* prepared') ? hash('sha256', text, 'base64url') : undefined;
}
