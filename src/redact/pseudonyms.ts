import { createHmac } from 'node:crypto';

/** What to hide besides secrets. `names` are names of objects in the cluster, and are found as whole words. */
export interface PseudonymRules {
  names: readonly string[];
  emails: boolean;
  addresses: boolean;
}

/** Replaces names, e-mail addresses and IP addresses by pseudonyms, and turns pseudonyms back. */
export interface Pseudonyms {
  /** Returns the text with a pseudonym for each of them. With the same key, a value always gets the same pseudonym. */
  hide(text: string): string;
  /** Returns the text with the values that `hide` replaced. Any other pseudonym becomes a general term, such as "(a name)". */
  restore(text: string): string;
}

const EMAIL = /(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}(?![\w-])/g;
const IPV4 = /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;
const IPV6 = /(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])/g;
/** Loopback addresses and the addresses that mean "all". They identify nobody, and often explain a failure, so they stay. */
const PLAIN_ADDRESS = /^(?:127\.|0\.0\.0\.0$|255\.255\.|::1?$)/;
const PSEUDONYM = /\b(name|email|ip)_[0-9a-f]{12}\b/g;
const CALLED: Record<string, string> = { name: '(a name)', email: '(an e-mail address)', ip: '(an IP address)' };
/** Shorter names also occur as ordinary words. */
const SHORTEST_NAME = 3;
const MOST_NAMES = 500;

/** Makes pseudonyms as keyed hashes, so that nobody without the key can find a value by trying. */
export function pseudonyms(key: Uint8Array, { names, emails, addresses }: PseudonymRules): Pseudonyms {
  const hidden = new Map<string, string>();
  const standIn = (kind: string, value: string): string => {
    const pseudonym = `${kind}_${createHmac('sha256', key).update(`${kind}\n${value}`).digest('hex').slice(0, 12)}`;
    hidden.set(pseudonym, value);
    return pseudonym;
  };
  const words = [...new Set(names)].filter((name) => name.length >= SHORTEST_NAME && name !== 'default').slice(0, MOST_NAMES);
  // The longest names come first, because the name of a pod begins with the name of its workload.
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
