import type { Confidence } from '../../../contract/mirror.ts';
import { editDistance, isSubsequence, nearest } from '../similar-names.ts';
import { isSameMeaning, meaningOf } from '../synonyms.ts';

/** A variable of the container that may be the one the program reads, under a wrong name. */
export interface NearVariable {
  name: string;
  confidence: Confidence;
}

/** First words that name the owner of a setting, but not its meaning. */
const OWNERS = new Set(['APP', 'APPLICATION', 'SERVICE', 'SERVER', 'MY', 'AWS', 'SPRING', 'DJANGO', 'FLASK', 'RAILS', 'NODE', 'VITE']);

/**
 * The variables that may be `wanted` under a wrong name, the most similar first: a typo, other words with the same meaning (`DB_URL` for
 * `DATABASE_URL`), the same words with more before or after them (`APP_DATABASE_URL`), or another token or key. A variable of the last two kinds
 * counts only if it is the only one.
 */
export function nearVariables(wanted: string, names: readonly string[]): NearVariable[] {
  const slips = nearest(wanted, names).filter((near) => isSlip(wanted, near));
  const others = names.filter((name) => name !== wanted && !slips.includes(name));
  const same = others.filter((name) => isSameMeaning(name, wanted));
  if (slips.length > 0 || same.length > 0) return [...slips, ...same].map((name) => ({ name, confidence: 'likely' }));
  const [short, ...shorter] = others.filter((name) => isShortOwner(meaningOf(wanted), meaningOf(name)));
  if (short !== undefined && shorter.length === 0) return [{ name: short, confidence: 'likely' }];
  const [only, ...more] = others.flatMap((name) => extended(wanted, name) ?? []);
  if (only) return more.length === 0 ? [only] : [];
  const sibling = asSibling(wanted, others);
  if (sibling !== undefined) return [{ name: sibling, confidence: 'guess' }];
  const [database, ...databases] = ADDRESS_OF_DATABASE.test(wanted) ? others.filter((name) => OF_ONE_DATABASE.test(name)) : [];
  if (database !== undefined) return databases.length === 0 ? [{ name: database, confidence: 'guess' }] : [];
  const [last = ''] = /_(?:TOKEN|API_?KEY|DSN)$/.exec(wanted) ?? [];
  const [token, ...tokens] = last === '' ? [] : others.filter((name) => name.endsWith(last));
  return token !== undefined && tokens.length === 0 ? [{ name: token, confidence: 'guess' }] : [];
}

/** The only variable of the same owner, where another owner has one with the wanted ending: `ORDERS_HOST` beside `CATALOG_UPSTREAM`. */
function asSibling(wanted: string, others: readonly string[]): string | undefined {
  const [owner = '', ...rest] = wanted.split('_');
  const ending = rest.join('_');
  const own = others.filter((name) => name.startsWith(`${owner}_`) && OF_PLACE.test(name));
  const isUsual = others.some((name) => !name.startsWith(`${owner}_`) && name.endsWith(`_${ending}`));
  return OF_PLACE.test(wanted) && isUsual && own.length === 1 ? own[0] : undefined;
}

/** Endings of variables that say where something is. */
const OF_PLACE = /_(?:HOST|HOSTNAME|ADDR|ADDRESS|URL|URI|UPSTREAM|ENDPOINT|SERVER|SERVICE|BACKEND|TARGET)$/;

/** Names of a variable with a database address: the names that frameworks use, and those of the database vendors. */
const ADDRESS_OF_DATABASE = /^(?:DATABASE|DB)_UR[IL]$/;
const OF_ONE_DATABASE = /^(?:POSTGRES(?:QL)?|PG|MYSQL|MARIADB|MONGO(?:DB)?)_UR[IL]$/;

/** Whether each word equals the word of the other name, abbreviates it or is a typo of it. `DB_PORT` is not a typo of `DB_HOST`. */
function isSlip(name: string, near: string): boolean {
  const [words, others] = [name.toUpperCase().split('_'), near.toUpperCase().split('_')];
  if (words.length !== others.length) return true;
  return words.every((word, index) => {
    const other = others[index] ?? '';
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    return (short.length > 2 && long.startsWith(short)) || editDistance(word, other) <= Math.max(1, Math.floor(word.length / 3));
  });
}

/** Whether the names differ only in their first word, and one abbreviates that of the other: `KC_HOSTNAME` and `KEYCLOAK_HOSTNAME`. */
function isShortOwner([a = '', ...rest]: string[], [b = '', ...others]: string[]): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return rest.length > 0 && rest.join('_') === others.join('_') && short.length < 4 && long.length > 4 && isSubsequence(short, long);
}

function extended(wanted: string, name: string): NearVariable | undefined {
  const [short, long] = [meaningOf(wanted), meaningOf(name)].toSorted((a, b) => a.length - b.length) as [string[], string[]];
  const added = long.length - short.length;
  const isEnd = added > 0 && long.slice(added).join('_') === short.join('_');
  const isBegin = added === 1 && long.slice(0, -1).join('_') === short.join('_');
  const isOwned = isEnd && added === 1 && OWNERS.has(long[0] ?? '');
  // A single word such as `PORT` is part of the names of very different settings.
  if (short.length < 2) return isOwned ? { name, confidence: 'guess' } : undefined;
  // `NATS_AUTH_TOKEN` for `NATS_TOKEN`.
  const isAround = added === 1 && long.slice(1, -1).some((_, at) => long.toSpliced(at + 1, 1).join('_') === short.join('_'));
  return isEnd || isBegin || isAround ? { name, confidence: isOwned ? 'likely' : 'guess' } : undefined;
}
