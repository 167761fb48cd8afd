import { fieldPath } from '../../../crd/field-path.ts';
import type { KeyToPath } from '../../../crd/kubernetes.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** A Secret that a volume brings into the container, with the field that names it and the keys that it takes. */
interface Brought {
  path: string;
  secret: string;
  keys: readonly string[] | undefined;
}

const CERTIFICATE = /\.(?:crt|cert|pem)$|cert/i;
const KEY = /\.key$|(?:^|[-_.])key(?:\.pem)?$/i;

/**
 * For a private key that does not belong to its certificate, where each comes from a Secret of its own and the Secret of the certificate has
 * the key too: the key of that Secret.
 */
export function keyOfCertificate(input: RuleInput): Correction[] {
  const all = broughtSecrets(input);
  const takes = (is: RegExp, isNot: RegExp) =>
    all.filter(({ keys }) => keys !== undefined && keys.length > 0 && keys.every((key) => is.test(key) && !isNot.test(key)));
  const [[certificate, ...certificates], [key, ...others]] = [takes(CERTIFICATE, KEY), takes(KEY, /^$/)];
  const place = input.place();
  if (!place || !certificate || !key || certificates.length > 0 || others.length > 0 || certificate.secret === key.secret) return [];
  const own = input.subject.surroundings?.secrets?.find(({ name }) => name === certificate.secret);
  if (!key.keys?.every((one) => own?.keys.includes(one))) return [];
  return [
    {
      title: `Take the key from Secret ${code(certificate.secret)}`,
      changes: [change(place, key.path, certificate.secret, `the certificate comes from ${code(certificate.secret)}`)],
      confidence: 'likely',
      explanation: `The key comes from Secret ${code(key.secret)} now, and the certificate from ${code(certificate.secret)}.`,
      mirrorable: true,
    },
  ];
}

function broughtSecrets(input: RuleInput): Brought[] {
  const place = input.place();
  const mounts = place?.container?.volumeMounts ?? [];
  return (place?.spec.volumes ?? []).flatMap((volume, index): Brought[] => {
    const own = mounts.filter(({ name }) => name === volume.name);
    if (!place || own.length === 0) return [];
    const base = fieldPath(place.specPath, 'volumes', index);
    const { secret, projected } = volume;
    const single = own.flatMap(({ subPath }) => (subPath ? [subPath] : []));
    return [
      ...(secret?.secretName === undefined
        ? []
        : [
            {
              path: fieldPath(base, 'secret', 'secretName'),
              secret: secret.secretName,
              keys: keysOf(secret.items) ?? (single.length > 0 ? single : undefined),
            },
          ]),
      ...(projected?.sources ?? []).flatMap((source, at) =>
        source.secret?.name === undefined
          ? []
          : [
              {
                path: fieldPath(base, 'projected', 'sources', at, 'secret', 'name'),
                secret: source.secret.name,
                keys: keysOf(source.secret.items),
              },
            ],
      ),
    ];
  });
}

const keysOf = (items: readonly KeyToPath[] | null | undefined): string[] | undefined => items?.map(({ key }) => key);
