import { givenIn, rewritten } from '../../corrections/given-values.ts';
import { meantInstead } from '../../corrections/settings/suggested-word.ts';
import { encodedPassword } from '../../corrections/network/encoded-password.ts';
import { endpointWithScheme } from '../../corrections/network/host-with-scheme.ts';
import type { Correction } from '../../corrections/correction.ts';
import { code } from '../../rendering/quote.ts';
import { replaceText, wordsAt } from '../../corrections/replace-text.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { type RuleInput } from '../../facts/input.ts';
import { otherTls, tlsSwitch, withoutPostgresTls } from '../../corrections/network/tls.ts';
import { driversScheme, madeUpScheme, otherScheme, schemeOfPort, withScheme } from '../../corrections/network/scheme.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

function mismatch(found: ReturnType<typeof otherTls>, line: string, what: string): Meaning {
  return {
    because: found ? `${what} (${code(found.address)})` : `${what}: ${quotedLine(line)}`,
    culprit: found?.address ?? phraseIn(line),
    advice: ['Let both speak the same: `http://` to a port without TLS, `https://` to one with it.'],
    corrections: found?.corrections ?? [],
    whereToLook: 'the scheme and the port of the address that it calls, and what the server behind it speaks',
  };
}

function anyAddress(input: RuleInput, ip: string): Correction[] {
  const changes = replaceText(input, ip, '0.0.0.0', 'a pod gets its address when it starts');
  if (changes.length === 0) return [];
  return [
    {
      title: 'Listen on all addresses',
      changes,
      confidence: 'likely',
      explanation: `${code(ip)} is no address of the pod.`,
      mirrorable: true,
    },
  ];
}

/** For a host name where the program wants an address to listen on: all addresses, in the settings that are about listening. */
function listenEverywhere(input: RuleInput, host: string): Correction[] {
  const place = input.place();
  const own = (place ? givenIn(place) : []).filter(({ name, value }) => /listen|bind/i.test(name) && wordsAt(value, host).length > 0);
  if (!place || own.length === 0) return [];
  return [
    {
      title: 'Listen on all addresses',
      changes: own.map((one) => rewritten(place, one, one.value.replaceAll(host, '0.0.0.0'), 'a pod gets its address when it starts')),
      confidence: 'likely',
      explanation: `The program wants an address here, and ${code(host)} is a name.`,
      mirrorable: true,
    },
  ];
}

/** A scheme that the program does not know, where it suggests another one. */
const misspeltScheme = (scheme: string, corrections: Correction[]): Meaning => ({
  because: `it does not know the scheme ${code(`${scheme}://`)}`,
  culprit: `${scheme}://`,
  advice: ['Write the scheme that the program proposes.'],
  corrections,
  whereToLook: "the container's variables and `args` that hold addresses",
});

/** Addresses in a form that the program does not take, and connections where only one side speaks TLS. */
export const addressSignatures: readonly Signature[] = [
  {
    id: 'address-with-scheme',
    hints: ['too many colons in address'],
    pattern: /\baddress (?<address>(?:https?|grpcs?|tcp):\/\/(?<bare>[\w.-]{1,253}:\d{2,5})\/?): too many colons in address/,
    explain: ({ address = '', bare = '' }, input) => {
      const changes = replaceText(input, address, bare, 'the program wants `host:port` alone');
      return {
        because: `it wants an address of the form \`host:port\`, and gets ${code(address)}`,
        culprit: address,
        advice: ['Write the address without its scheme.'],
        corrections:
          changes.length === 0
            ? []
            : [
                {
                  title: `Write ${code(bare)}`,
                  changes,
                  confidence: 'likely',
                  explanation: 'The program takes the colon of the scheme for that of the port.',
                  mirrorable: true,
                },
              ],
        whereToLook: "the container's variables and `args` with this address, and its mounted configuration",
      };
    },
  },
  {
    id: 'url-characters',
    hints: [
      'bad uri',
      'invalid userinfo',
      'urisyntaxexception',
      'configuration: invalid port number',
      'invalid ipv6 url',
      'port could not be cast',
      'must be escaped according to rfc 3986',
    ],
    pattern:
      /bad URI ?\(is not URI\?\)|error with configuration: invalid port number|invalid userinfo|URISyntaxException|Invalid IPv6 URL|Port could not be cast to integer|must be escaped according to RFC 3986/,
    explain: (_, input, line) => {
      const found = encodedPassword(input);
      return {
        because: found
          ? `the password in ${code(found.name)} has signs that a URL may not have as they are`
          : `it gets an address that is no URL: ${quotedLine(line)}`,
        culprit: found?.name ?? phraseIn(line),
        advice: [
          'Encode the signs of a password that have a meaning in a URL (`#` is `%23`), or give the password in a variable of its own.',
        ],
        corrections: found?.corrections ?? [],
        whereToLook: "the container's variables that hold addresses",
      };
    },
  },
  {
    // minio-go: an endpoint is a host with its port.
    id: 'endpoint-with-scheme',
    hints: ['cannot have fully qualified paths', 'does not follow ip address or domain name standards', 'too many colons in address'],
    pattern:
      /[Ee]ndpoint(?: url)? cannot have fully qualified paths|[Ee]ndpoint: \S{1,200} does not follow ip address or domain name standards|address \w{2,15}:\/\/\S{1,200}: too many colons in address/,
    explain: (_, input, line) => {
      const wrong = endpointWithScheme(input);
      return {
        because: wrong?.because ?? `it does not take the address of a server: ${quotedLine(line)}`,
        culprit: wrong?.culprit ?? phraseIn(line),
        advice: ['Write the host and the port of the server into the setting, without a scheme and a path.'],
        corrections: wrong?.corrections ?? [],
        whereToLook: "the container's variables and `args` with the address",
      };
    },
  },
  {
    id: 'address-without-scheme',
    hints: [
      'scheme',
      'protocol',
      'connection adapters',
      'failed to parse url',
      'absolute',
      'relative url',
      'start with',
      'begin with',
      'invalid url',
      'no such transport',
      'first path segment',
      'redis url did not parse',
      'root url is not valid',
    ],
    pattern:
      /No such transport: |Redis URL did not parse|Root url is not valid: parse "(?!\w{2,10}:\/\/)|unsupported protocol scheme|missing protocol scheme|first path segment in URL cannot contain colon|Protocol "[^"]{1,100}" (?:is )?not supported|No connection adapters were found|No scheme supplied|(?:[Uu]nknown|no) protocol: |Unsupported protocol |Failed to parse URL from|missing an 'http:\/\/|must be (?:an )?absolute UR[IL]|Only absolute UR[IL]s|URI is not absolute|relative URL without a base|(?:must|should|to|does not|doesn't) (?:start|begin) with (?:the (?:protocol|scheme) )?['"`]?[a-z][a-z0-9+]{1,20}:\/\/|must specify one of the following schemes|(?:URL|URI|connection string) scheme|expected URI with scheme|must be provided with protocol|needs to contain the protocol|: Invalid URL$/,
    explain: (_, input, line) => {
      // Node names the address in a line of its own.
      const other =
        otherScheme(input, line) ??
        (/unsupported UR[IL]/.test(line) ? driversScheme(input, line) : undefined) ??
        (/http|[Uu]nknown URL scheme/.test(line) ? schemeOfPort(input) : undefined);
      const suggested = /\btransport: ([a-z]{2,20})\b/.exec(line)?.[1];
      // Kombu proposes a name that only looks like it: `librabbitmq` for `rabbitmq`.
      const spelled = suggested === undefined ? [] : (madeUpScheme(input)?.corrections ?? meantInstead(input, suggested));
      if (spelled.length > 0) return misspeltScheme(suggested ?? '', spelled);
      // Rust quotes its own words before it, which are no address.
      const said = line.slice(Math.max(0, line.indexOf('Redis URL did not parse')));
      const found = other ?? withScheme(input, `${said} ${foundInLogs(input.subject, /\binput: '([^'\n]{2,300})'/)}`);
      return {
        because: other
          ? `it does not take the scheme of ${code(other.address)}: ${quotedLine(line)}`
          : found
            ? `${code(found.address)} lacks the scheme with which a URL begins`
            : `it gets an address without a scheme, or with one that it does not know: ${quotedLine(line)}`,
        culprit: found?.address ?? phraseIn(line),
        advice: ['Write the address with a scheme that the program knows, such as `https://`, in the variable or argument that holds it.'],
        corrections: found?.corrections ?? [],
        whereToLook: "the container's variables and `args` that hold addresses",
      };
    },
  },
  {
    id: 'tls-to-plain',
    hints: [
      'wrong version number',
      'wrong_version_number',
      'http response to https',
      'ssl message',
      'tls handshake',
      'record too long',
      'record_too_long',
      'unexpected tls packet',
      'corrupted frame',
      'packet length too long',
    ],
    pattern:
      /wrong[ _]version[ _]number|server gave HTTP response to HTTPS client|[Uu]nsupported or unrecognized SSL message|first record does not look like a TLS handshake|record[ _]too[ _]long|unexpected TLS packet|corrupted frame was received|packet length too long/i,
    explain: (_, input, line) =>
      mismatch(otherTls(input, line, true) ?? tlsSwitch(input), line, 'it speaks TLS, and the server that it calls does not'),
  },
  {
    id: 'plain-to-tls',
    hints: ['malformed http response', 'http request to an https server', 'http request was sent to https port'],
    pattern:
      /^(?!.{0,200}TLS handshake error from).{0,600}?(?:malformed HTTP response "\\x15\\x03|sent an HTTP request to an HTTPS server|plain HTTP request was sent to HTTPS port)/i,
    explain: (_, input, line) => mismatch(otherTls(input, line, false), line, 'the server that it calls wants TLS, and it speaks none'),
  },
  {
    id: 'database-without-tls',
    hints: ['ssl is not enabled on the server', 'does not support ssl', 'ssl not available', 'does not support secure connection'],
    pattern: /SSL is not enabled on the server|server does not support (?:SSL|secure connection)|Postgrex\.Error\) ssl not available/i,
    explain: (_, input, line) => ({
      because: `it wants TLS, and the database has none: ${quotedLine(line)}`,
      culprit: phraseIn(line),
      advice: ['Switch TLS off in the client (`sslmode=disable`), or give the server a certificate.'],
      corrections: [...withoutPostgresTls(input), ...(tlsSwitch(input)?.corrections ?? [])].slice(0, 1),
      whereToLook: "`sslmode` in the database's address, and the TLS settings of the server",
    }),
  },
  {
    id: 'address-not-own',
    hints: ['cannot assign requested address', 'eaddrnotavail', 'not valid in its context', 'expected ip'],
    pattern:
      /(?:bind|listen|make_sock).{0,160}(?:cannot assign requested address|EADDRNOTAVAIL|requested address is not valid)|EADDRNOTAVAIL.{0,20}address not available (?<ip>\d{1,3}(?:\.\d{1,3}){3}):|[Cc]annot assign requested address: (?:[^:]{0,40}bind)|expected IP in URL for binding/i,
    explain: (_, input, line) => {
      const ip =
        /(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])/.exec(line)?.[1] ??
        /expected IP in URL for binding \(\w{1,10}:\/\/([\w.-]{1,253})/.exec(line)?.[1];
      return {
        because: ip
          ? `it wants to listen on ${code(ip)}, which is no address of the pod`
          : 'it wants to listen on an address that the pod does not have',
        culprit: ip ?? phraseIn(line),
        advice: ['Let it listen on all addresses (`0.0.0.0`): a pod gets another address each time.'],
        corrections: ip ? (/^\d/.test(ip) ? anyAddress(input, ip) : listenEverywhere(input, ip)) : [],
        whereToLook: "the container's variables and `args` with the address on which it listens",
      };
    },
  },
  {
    id: 'driver-unknown',
    hints: [
      'bad format of jdbc url',
      'not support the provided url',
      'no database found to handle',
      'no suitable driver',
      'cannot find database driver',
      'jdbc',
      'sqlalchemy.dialects:postgres',
    ],
    pattern:
      /No suitable driver found|Bad format of JDBC URL|Unsupported JDBC driver provider: |Cannot find database driver|claims to not accept jdbcUrl|Driver does not support the provided URL|No database found to handle|must start with ["'`]?jdbc|Can't load plugin: sqlalchemy\.dialects:postgres\b/,
    explain: (_, input, line) => {
      const found = driversScheme(input, line);
      return {
        because: found
          ? `no driver of the program takes an address that begins as ${code(found.address, 120)} does`
          : `no driver of the program takes the address of its database: ${quotedLine(line)}`,
        culprit: found?.address ?? phraseIn(line),
        advice: ['JDBC wants `jdbc:postgresql://HOST:PORT/NAME`, SQLAlchemy `postgresql://…`.'],
        corrections: found?.corrections ?? [],
        whereToLook: "the variables with the database's address, and the drivers in the image",
      };
    },
  },
];
