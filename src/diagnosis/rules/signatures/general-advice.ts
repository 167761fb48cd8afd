import { CORRECT_THE_CODE } from './in-the-code.ts';

/** What to do about a migration that stopped halfway and left the database marked as dirty. */
export const REPAIR_MIGRATION =
  'A migration broke off before. Repair the schema by hand, then tell the migration tool which version the database has.';

/** Advice for errors that are known only by their wording. The first pattern that matches counts. */
const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\bdirty (?:database|version|state)\b/i, REPAIR_MIGRATION],
  [
    /\binvalid header (?:field )?(?:value|character)/i,
    'The value has a line break or another control character. Write it again without one: `printf %s`, not `echo`, or `kubectl create secret generic --from-literal`.',
  ],
  [
    /\b(?:certificate|cert|tls|x509|\.crt|\.pem)\b.{0,80}\b(?:expired|not (?:yet )?valid)\b|\bcertificate has expired\b/i,
    'Renew the certificate, and see why nothing renewed it in time.',
  ],
  [
    /\bORA-\d{5}\b|\bTNS[:-]/,
    'Look up the code of the Oracle error. Then check the host, the port and the service name of the database, and whether its listener runs.',
  ],
  [
    /\bversion mismatch\b|\bunsupported (?:server |client |protocol )?version\b|\bversions? (?:is|are) (?:not compatible|incompatible|too (?:old|new))\b/i,
    'The program and what it works with have versions that do not fit. Use an image with the version that the other side needs.',
  ],
  [
    /\bsub-?command\b|\bmissing (?:\w{1,30} ){0,2}(?:argument|operand|option|flag|parameter)s?\b|\brequire[sd]? (?:at least |exactly )?(?:\d{1,3}|one|an?) arg/i,
    'Give the program the argument that it asks for, in `args`.',
  ],
  [
    /\breset by peer\b|\bbroken pipe\b|\bunexpected EOF\b|\b(?:connection|upstream) (?:was )?closed\b|\bserver closed the connection\b/i,
    'The other side closed the connection. Look at the log and the state of the server that the program calls.',
  ],
  [/\blicen[cs]e\b/i, 'Give the program a valid license, or correct the one that it reads.'],
  [/\bassertion\b|\bassert\b.{0,60}\bfail/i, CORRECT_THE_CODE],
  [
    /\bplugin\/loop\b/,
    'CoreDNS gets its own requests back. Forward to a resolver other than the one of the node: in the Corefile, or in the `resolvConf` of kubelet.',
  ],
  [
    /\bno (?:\w{1,40} ){0,3}(?:configured|given|provided|specified|defined|set)\b|\bnot (?:configured|provided|specified)\b/i,
    'Give the program the setting that it asks for: in a variable, an argument or its configuration.',
  ],
  [
    /\b(?:there is )?no (?:such )?(?:region|zone|profile|environment|plan|tenant|locale|queue|topic|bucket|index)\b|\bunknown (?:region|zone|profile|environment|plan|tenant|locale)\b/i,
    'Correct the name, where the program gets it: in its variables, its arguments or its configuration.',
  ],
  [
    /\bfile\b.{0,160}\b(?:not found|missing|does not exist)\b/i,
    'Put the file where the program reads it, or correct its name in the variables, the arguments or the configuration.',
  ],
];

/**
 * What to do about an error that no other signature knows. `isFollowed`: more errors come after it in the log. `ofSetting`: what to do about
 * the setting that it names, if it names one.
 */
export function generalAdvice(line: string, isFollowed: boolean, ofSetting?: string): string {
  const known = ADVICE.find(([pattern]) => pattern.test(line))?.[1];
  if (known) return known;
  const what =
    ofSetting ??
    'Look for what this error names: in the variables and arguments of the container, in its mounted files, or at the server that it calls.';
  return isFollowed ? `${what} It is the first error of the log: the errors after it are usually its consequences.` : what;
}
