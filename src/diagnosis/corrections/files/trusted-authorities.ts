import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { parseImage } from '../../../crd/image.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { appended } from '../change.ts';
import { textsOf } from '../container-texts.ts';
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

/** A variable and the file of authorities for it. */
interface Authorities {
  name: string;
  file: string;
  advice: string;
  corrections: Correction[];
}

/** For a certificate that nobody known has signed: the file of authorities that a variable names and that no volume brings under that name. */
export function trustedAuthorities(input: RuleInput): Authorities | undefined {
  const place = input.place();
  const files = place ? mountedFiles(input, place) : [];
  for (const { name, value } of place?.container?.env ?? []) {
    if (!VARIABLES.includes(name) || !value?.startsWith('/') || files.includes(value)) continue;
    const corrections = missingFile(input, value);
    if (corrections.length > 0) return { name, file: value, advice: `No volume brings the file that ${code(name)} names.`, corrections };
  }
  return undefined;
}

/** A file with the certificates of authorities, by its usual names. */
const AUTHORITIES = /\/(?:ca|[\w-]{1,40}-ca|ca[-_](?:bundle|cert|certs|certificates|chain)|root[-_]?ca)\.(?:crt|pem|cert)$/i;

/** Whether the file has the name of a host that the line calls: `git.example.com.crt`. */
function isOfHost(file: string, line: string): boolean {
  const host = /\/([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,6})\.(?:crt|pem)$/.exec(file)?.[1];
  return host !== undefined && line.includes(`://${host}`);
}

/** Programs with a variable of their own for the file of authorities. */
const OWN: readonly (readonly [image: RegExp, variable: string])[] = [
  // GitLab Runner, "Self-signed certificates or custom Certification Authorities".
  [/(?:^|\/)gitlab-runner$/, 'CI_SERVER_TLS_CA_FILE'],
];
/** Words of libraries that do not accept a certificate, and the variable with the file of authorities that they read. */
const READERS: readonly (readonly [words: RegExp, variable: string])[] = [
  // Node, "Command-line API": these authorities are added to its own.
  [/UNABLE_TO_(?:VERIFY|GET)|SELF_SIGNED_CERT|DEPTH_ZERO|unable to verify the first certificate/, 'NODE_EXTRA_CA_CERTS'],
  // Go, package crypto/x509.
  [/x509: certificate signed by unknown authority/, 'SSL_CERT_FILE'],
  // Requests, "SSL Cert Verification".
  [/requests\.exceptions|HTTPSConnectionPool/, 'REQUESTS_CA_BUNDLE'],
  // OpenSSL, which Python and Ruby use.
  [/CERTIFICATE_VERIFY_FAILED|certificate verify failed/, 'SSL_CERT_FILE'],
];

/** For a certificate that nobody known has signed: the variable of the library with the only file of authorities that a volume brings and nothing names. */
export function unusedAuthorities(input: RuleInput, line: string): Authorities | undefined {
  const place = input.place();
  const { repository } = parseImage(place?.container?.image ?? '');
  const reader = READERS.find(([words]) => words.test(line))?.[1];
  const name = reader && (OWN.find(([image]) => image.test(repository))?.[1] ?? reader);
  const { env } = place?.container ?? {};
  if (!place || name === undefined || env?.some((one) => VARIABLES.includes(one.name))) return undefined;
  const files = mountedFiles(input, place).filter(
    (file) => (AUTHORITIES.test(file) || isOfHost(file, line)) && !file.startsWith('/var/run/secrets/'),
  );
  const [file, ...more] = files;
  if (file === undefined || more.length > 0 || textsOf(place.container).some((text) => text.includes(file))) return undefined;
  const why = 'the volume brings these authorities, and nothing names them';
  return {
    name,
    file,
    advice: `Let the program trust the authorities in ${code(file)}.`,
    corrections: [
      {
        title: `Trust the authorities in ${code(file)}`,
        changes: [appended(place, fieldPath(place.path, 'env'), env, { name, value: file }, why)],
        confidence: 'likely',
        explanation: `The program's library reads ${code(name)}.`,
        mirrorable: true,
      },
    ],
  };
}
