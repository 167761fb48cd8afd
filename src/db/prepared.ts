import { hash } from 'node:crypto';
import { sql } from 'kysely';

/**
 * The beginning of a prepared statement. Each connection parses it once, and after a few runs plans it once for all values. Use this for
 * statements with few different texts whose planning costs more than running them.
 */
export const PREPARED = sql`/* prepared */ `;

/** Returns the name of a prepared statement; undefined for a text that is not to be prepared. */
export function preparedNames(): (text: unknown) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    if (typeof text !== 'string' || !text.startsWith('/* prepared')) return undefined;
    const known = names.get(text);
    if (known) return known;
    const name = hash('sha256', text, 'base64url');
    names.set(text, name);
    return name;
  };
}
