import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { missingFile } from './missing-file.ts';
import { mountedFiles } from './mounted-files.ts';

/** Variables with the file of the authorities that a program trusts, of the usual libraries. */
const VARIABLES = [
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'PGSSLROOTCERT',
];

/** For a certificate that nobody known has signed: the file of authorities that a variable names and that no volume brings under that name. */
export function trustedAuthorities(input: RuleInput): { name: string; file: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const files = place ? mountedFiles(input, place) : [];
  for (const { name, value } of place?.container?.env ?? []) {
    if (!VARIABLES.includes(name) || !value?.startsWith('/') || files.includes(value)) continue;
    const corrections = missingFile(input, value);
    if (corrections.length > 0) return { name, file: value, corrections };
  }
  return undefined;
}
