import { createHmac } from 'node:crypto';

/** Names to hide besides secrets. `names`: of objects of the cluster, whole words. */
export interface PseudonymRules {
  names: readonly string[];
  emails: boolean;
  addresses: boolean;
}

/** Stands in for names, e-mail and IP addresses, and turns them back. */
export interface Pseudonyms {
  /** The text with a pseudonym for each; the same value has the same one, everywhere and always, as long as the key is the same. */
  hide(text: string): string;
  /** The text with the values that this one hid. A pseudonym of something else becomes what it is called. */
  restore(text: string): string;
}

const EMAIL = /(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}(?![\w-])/g;
const IPV4 = /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;
const IPV6 = /(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])/g;
/** Everybody's own, and what says "all": they tell nothing about anybody, and much about a mistake. */
const PLAIN_ADDRESS = /^(?:127\.|0\.0\.0\.0$|255\.255\.|::1?$)/;
const PSEUDONYM = /\b(name|email|ip)_[0-9a-f]{12}\b/g;
const CALLED: Record<string, string> = { name: '(a name)', email: '(an e-mail address)', ip: '(an IP address)' };
/** Shorter ones are parts of ordinary words. */
const SHORTEST_NAME = 3;
const MOST_NAMES = 500;

/** Pseudonyms as keyed hashes: who does not have the key cannot try values out. */
export function pseudonyms(key: Uint8Array, { names, emails, addresses }: PseudonymRules): Pseudonyms {
  const hidden = new Map<string, string>();
  const standIn = (kind: string, value: string): string => {
    const pseudonym = `${kind}_${createHmac('sha256', key).update(`${kind}\n${value}`).digest('hex').slice(0, 12)}`;
    hidden.set(pseudonym, value);
    return pseudonym;
  };
  const words = [...new Set(names)].filter((name) => name.length >= SHORTEST_NAME && name !== 'default').slice(0, MOST_NAMES);
  // The longest first: a pod is called as its workload is, and more.
  const known = words.toSorted((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = known.length > 0 ? new RegExp(`(?<![A-Za-z0-9_-])(?:${known.join('|')})(?![A-Za-z0-9_-])`, 'g') : undefined;
  const hideAddress = (text: string): string => (!isAddress(text) || PLAIN_ADDRESS.test(text) ? text : standIn('ip', text));
  return {
    hide(text) {
      let shown = text;
      if (emails && shown.includes('@')) shown = shown.replace(EMAIL, (found) => standIn('email', found));
      if (addresses) shown = shown.replace(IPV4, hideAddress).replace(IPV6, hideAddress);
      return pattern ? shown.replace(pattern, (found) => standIn('name', found)) : shown;
    },
    restore: (text) => text.replace(PSEUDONYM, (found, kind: string) => hidden.get(found) ?? CALLED[kind] ?? found),
  };
}

function isAddress(text: string): boolean {
  return text.includes(':') ? URL.canParse(`http://[${text}]/`) : text.split('.').every((part) => Number(part) <= 255);
}
