import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

const CERTIFICATE = /\.(?:crt|cer|cert)$|(?:^|[-_/])(?:cert|certs|fullchain)\.pem$/i;
const KEY = /\.key$|(?:^|[-_/])(?:key|privkey)\.pem$/i;

/** For a program that finds a key where it wants a certificate: the two settings that have each other's file. */
export function swappedPair(input: RuleInput): { names: [string, string]; corrections: Correction[] } | undefined {
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const [cert, ...certs] = given.filter(({ name, value }) => /cert|crt/i.test(name) && KEY.test(value));
  const [key, ...keys] = given.filter(({ name, value }) => /key/i.test(name) && CERTIFICATE.test(value));
  if (!place || !cert || !key || certs.length > 0 || keys.length > 0 || cert.path === key.path) return undefined;
  const why = 'each has the file of the other';
  return {
    names: [cert.name, key.name],
    corrections: [
      {
        title: `Swap ${code(cert.name)} and ${code(key.name)}`,
        changes: [rewritten(place, cert, key.value, why), rewritten(place, key, cert.value, why)],
        confidence: 'likely',
        explanation: `${code(cert.value)} is a key, and ${code(key.value)} a certificate.`,
        mirrorable: true,
      },
    ],
  };
}
