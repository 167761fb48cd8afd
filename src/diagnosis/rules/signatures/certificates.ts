import { swappedPair } from '../../corrections/files/swapped-pair.ts';
import { trustedAuthorities, unusedAuthorities } from '../../corrections/files/trusted-authorities.ts';
import { whereToWrite, writableFolder } from '../../corrections/files/writable-folder.ts';
import { logBehind } from '../../facts/log-sections.ts';
import { missingFile } from '../../corrections/files/missing-file.ts';
import { givenIn, setTo } from '../../corrections/given-values.ts';
import { replaceWord, wordsAt } from '../../corrections/replace-text.ts';
import type { Correction } from '../../corrections/correction.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../../corrections/change.ts';
import { type RuleInput, userOf } from '../../facts/input.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { phraseIn } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

/** The certificate that a line is about, in words: that of the server it names, or just a certificate. */
function whose(line: string): string {
  const server = /https:\/\/([\w.-]{1,200}(?::\d{2,5})?)/.exec(line)?.[1];
  return server ? `the certificate of ${code(server)}` : 'a certificate';
}

/** The metrics server calls kubelets, whose certificates are often self-signed. */
function trustKubelets(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const { name = '', image = '', args = [], command = [] } = place?.container ?? {};
  const isMetrics = [name, image, ...args, ...command].some((word) => word.includes('metrics-server'));
  if (!place || !isMetrics || !/:10250\b|scrape/.test(line)) return [];
  const field = args.length === 0 && command.length > 1 ? 'command' : 'args';
  const words = field === 'args' ? args : command;
  if (words.some((word) => word.startsWith('--kubelet-insecure-tls'))) return [];
  const why = 'the certificates of the kubelets are not signed by an authority that it knows';
  const option = '--kubelet-insecure-tls';
  return [
    {
      title: `Start it with ${code(option)}`,
      changes: [
        words.length > 0
          ? change(place, fieldPath(place.path, field, words.length), option, why)
          : change(place, fieldPath(place.path, field), [option], why),
      ],
      confidence: 'guess',
      explanation:
        'It then asks kubelets without proof of who they are. Safer: `serverTLSBootstrap: true` on the kubelets, with signed certificates.',
      mirrorable: true,
    },
  ];
}

/** Go names the host that was asked behind the names in the certificate. */
const OTHER_NAMES = /certificate is valid for (?<names>[\w.*, -]{1,600}), not (?<asked>[\w.-]{1,253})/;

/** For a certificate with other names: the first of them that is a Service of the namespace, in place of the name that was asked. */
function nameInCertificate(input: RuleInput, line: string): { culprit: string; corrections: Correction[] } | undefined {
  const { names = '', asked = '' } = OTHER_NAMES.exec(line)?.groups ?? {};
  if (asked === '') return undefined;
  const place = input.place();
  const services = input.subject.surroundings?.services ?? [];
  const to = names.split(', ').find((name) => services.some((one) => one.name === name));
  const given = place ? givenIn(place).find(({ value }) => wordsAt(value, asked).length > 0) : undefined;
  if (to === undefined || to === asked || !given || !place) return undefined;
  const why = 'the certificate has this name, and so has a Service';
  const corrections = [
    setTo(place, given, replaceWord(given.value, asked, to), { why, explanation: `The certificate is not for ${code(asked)}.` }),
  ];
  return { culprit: `${given.name}=${given.value}: the certificate is for ${to}`, corrections };
}

const CHECK_CERTIFICATE =
  'Check the expiry, the names and the issuer of the certificate. The certificate of a private authority must be mounted, and the program must use it.';

/** What to do about a certificate, by what the line says of it. */
function toDo(line: string): string {
  if (
    /unknown authority|unable to (?:get|verify)|self[- ]signed|PKIX|not trusted|UnknownIssuer|unable to find valid certification path/i.test(
      line,
    )
  )
    return 'Mount the certificate of the authority that signed it, and name its file in the setting of the program for trusted authorities.';
  if (/expired|not yet valid/i.test(line))
    return 'Renew the certificate in the Secret of that server, and start the server again if it reads it only once.';
  return CHECK_CERTIFICATE;
}
const WHERE_CERTIFICATES_ARE =
  'the Secret with the certificate (`openssl x509 -noout -dates -subject -ext subjectAltName`) and the clock of the node';

/** A file with a certificate that the program cannot use. */
function unreadable(input: RuleInput, line: string, file: string): Meaning {
  return {
    corrections: missingFile(input, file),
    because: `the certificate ${code(file)} ${/no such file/i.test(line) ? 'does not exist' : 'cannot be loaded'}`,
    culprit: file,
    advice: [CHECK_CERTIFICATE],
    whereToLook: WHERE_CERTIFICATES_ARE,
  };
}

/** The file of a line whose reason OpenSSL gives in the lines behind it, as in the log of Mosquitto. */
function ofNextLine(input: RuleInput, line: string): Meaning | undefined {
  const file = /unable to load .{1,40}? ["'](\/[^"']{1,300})["']/i.exec(line)?.[1];
  const [, reason] =
    /^.{0,200}\bsystem library::(Permission denied|No such file or directory)/m.exec(logBehind(input.subject, line).slice(0, 600)) ?? [];
  if (file === undefined || reason === undefined) return undefined;
  if (reason !== 'Permission denied') return unreadable(input, reason, file);
  const place = input.place();
  const user = place && userOf(place);
  return {
    because: `${user === undefined ? 'its user' : `user ${code(user)}`} is not allowed to access ${code(file)}`,
    culprit: `${file} (permission denied)`,
    advice: [whereToWrite(place, file)],
    corrections: writableFolder(place, file, false, input.subject.surroundings?.claims),
    whereToLook: 'the mode and the group of the files in the volume, and `runAsUser`, `fsGroup`',
  };
}

/** Certificates that programs do not accept, and the files they come from. */
export const certificateSignatures: readonly Signature[] = [
  {
    id: 'certificate-and-key',
    hints: ['may have been switched', 'but did find a private key'],
    pattern: /PEM inputs may have been switched|but did find a private key/,
    explain: (_, input) => {
      const found = swappedPair(input);
      return {
        because: 'it finds a key where it wants the certificate',
        culprit: found ? found.names.join(' and ') : 'certificate and key',
        corrections: found?.corrections ?? [],
        advice: ['Give the program the certificate as certificate, and the key as key.'],
        whereToLook: "the container's variables and `args` that name the two files, and what is in them",
      };
    },
  },
  {
    id: 'certificate',
    hints: ['x509', 'certificate', 'unable to load', 'sslhandshake', 'pkix', 'ssl_error', 'tls: ', 'ssl: '],
    pattern:
      /(?:x509: (?<what>.{1,160})|invalid peer certificate: (?<peer>\w{1,80})|certificate (?:has expired|verify failed|is not (?:yet valid|trusted)|signed by unknown)|(?<!creating )self[- ]signed certificate|PKIX path|SSLHandshakeException|unable to (?:get|verify).{0,30}certificate|(?:CERT|SSL)_[A-Z_]{3,60}|cannot load certificate ["']?(?<file>[^\s"':]{1,300})(?!.{0,200}Permission denied)|\btls: (?!initial packet|.{0,200}(?:no such file|permission denied)).{1,120}|unable to load (?:client |server )?(?:cert|key file))/i,
    explain: ({ file, ...found }, input, line) => {
      if (file) return unreadable(input, line, file);
      const next = ofNextLine(input, line);
      if (next) return next;
      // A message of Go names the protocol first.
      const what = found['what'] ?? found['peer'] ?? /\bx509: ([^"\\]{1,160})/.exec(line)?.[1];
      const trusted = trustedAuthorities(input) ?? unusedAuthorities(input, line);
      const named = nameInCertificate(input, line);
      return {
        corrections: trusted?.corrections ?? [...(named?.corrections ?? []), ...trustKubelets(input, line)],
        because: `${whose(line)} is not accepted${what ? ` (${code(what)})` : ''}`,
        culprit: trusted ? `${trusted.name}=${trusted.file}: ${what ?? phraseIn(line)}` : (named?.culprit ?? what ?? phraseIn(line)),
        advice: [trusted?.advice ?? toDo(line)],
        whereToLook: WHERE_CERTIFICATES_ARE,
      };
    },
  },
];
