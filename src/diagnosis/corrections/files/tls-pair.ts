import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { allKeys, volumeAt } from './mounted-files.ts';

/** Common names of the files in a TLS pair. */
const SORTS: readonly [sort: 'authority' | 'key' | 'certificate', names: RegExp][] = [
  ['authority', /^(?:ca|root|chain)\b|[-_.]ca\.(?:crt|pem|cer)$|^ca[-_.]/i],
  ['key', /(?:^|[-_.])key\.pem$|\.key$|privkey|private/i],
  ['certificate', /(?:^|[-_.])certs?\b|\.crt$|\.cer$|fullchain|\.pem$/i],
];
const sortOf = (name: string) => SORTS.find(([, names]) => names.test(name))?.[0];
/** The name of the other file of a pair: `tls.key` beside `tls.crt`, `key.pem` beside `cert.pem`. */
const partnerOf = (name: string, sort: 'key' | 'certificate'): string =>
  sort === 'certificate'
    ? name.replace(/\.(?:crt|cer)$/, '.key').replace(/certs?|fullchain/i, 'key')
    : name.replace(/\.key$/, '.crt').replace(/(?:priv)?key/i, 'cert');

/** For a certificate or key under a different usual name: gives both files of the pair the names that the program reads. */
export function sameSort(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const found = volumeAt(place, file);
  const sort = sortOf(found?.wanted ?? '');
  if (!found || found.items || sort === undefined || sort === 'authority') return [];
  const keys = allKeys(input, found.volume);
  const only = (wanted: string) => keys.filter((key) => sortOf(key) === wanted);
  const [own, ...more] = only(sort);
  if (own === undefined || more.length > 0) return [];
  const partner = partnerOf(found.wanted, sort);
  const [other, ...others] = only(sort === 'key' ? 'certificate' : 'key');
  const hasPartner = other !== undefined && others.length === 0 && partner !== found.wanted && partner !== other;
  const rest = keys.filter((key) => key !== own && (!hasPartner || key !== other)).map((key) => ({ key, path: key }));
  const to = [{ key: own, path: found.wanted }, ...(hasPartner ? [{ key: other, path: partner }] : []), ...rest];
  return [
    {
      title: `Mount ${code(own)} as ${code(found.wanted)}`,
      changes: [change(place, found.path, to, `the program reads ${code(file)}`)],
      confidence: 'likely',
      explanation: `Volume ${code(found.volume.name)} has the keys ${keys
        .slice(0, 8)
        .map((key) => code(key))
        .join(', ')}.`,
      mirrorable: true,
    },
  ];
}
