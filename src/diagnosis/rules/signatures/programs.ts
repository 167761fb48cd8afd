import { asGuess } from '../../corrections/combine.ts';
import { withoutOption } from '../../corrections/settings/remove-setting.ts';
import { explainVariable } from './environment.ts';
import type { Correction } from '../../corrections/correction.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change } from '../../corrections/change.ts';
import { namedConnectionString } from '../../corrections/settings/connection-string.ts';
import { withoutHttps } from '../../corrections/network/without-https.ts';
import { withScheme } from '../../corrections/network/scheme.ts';
import { withVariable } from '../../corrections/settings/set-variable.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import type { RuleInput } from '../../facts/input.ts';
import { missingFile } from '../../corrections/files/missing-file.ts';
import { inTheCode } from './in-the-code.ts';
import { formatBytes } from '../../../crd/quantity.ts';
import { sparkMemory } from '../../corrections/memory/spark-memory.ts';
import { writtenInstead } from '../../corrections/replace-text.ts';
import { phraseIn } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';
import { keyOfCertificate } from '../../corrections/files/key-of-certificate.ts';

/**
 * Programs that reject a setting without naming it: the pattern, the variable in the program's documentation, and the value that it
 * requires.
 */
const UNFIT: readonly [pattern: RegExp, variable: string, wants: string][] = [
  [/incorrect key length|Unsupported cipher or/, 'APP_KEY', '`base64:` and 32 random bytes (`php artisan key:generate --show`)'],
  [
    /secret key length at least|Access key length should be|MINIO_ROOT_PASSWORD length at least/,
    'MINIO_ROOT_PASSWORD',
    'at least 8 characters (and `MINIO_ROOT_USER` 3)',
  ],
  [/cookie_secret must be 16, 24, or 32 bytes/, 'OAUTH2_PROXY_COOKIE_SECRET', '16, 24 or 32 bytes'],
  [/Fernet key must be 32 url-safe base64/, 'FERNET_KEY', '32 bytes in URL-safe base64'],
];

function isUnfit(line: string): (typeof UNFIT)[number] | undefined {
  return UNFIT.find(([pattern]) => pattern.test(line));
}

/** Laravel takes a key for what it says, unless `base64:` stands before it (Laravel, "Encryption"). */
function asBase64(input: RuleInput, name: string): Correction[] {
  const place = input.place();
  const index = place?.container?.env?.findIndex((one) => one.name === name) ?? -1;
  const value = place?.container?.env?.[index]?.value ?? '';
  // 32 or 16 bytes.
  if (!place || !/^(?:[A-Za-z\d+/]{43}=|[A-Za-z\d+/]{22}==)$/.test(value)) return [];
  return [
    {
      title: `Write ${code('base64:')} before the key`,
      changes: [change(place, fieldPath(place.path, 'env', index, 'value'), `base64:${value}`, 'the key is written in base64')],
      confidence: 'likely',
      explanation: `Without it the program takes the text of ${code(name)} itself for the key.`,
      mirrorable: true,
    },
  ];
}

/** Messages of particular programs that fit none of the other files. */
export const programSignatures: readonly Signature[] = [
  {
    id: 'spark-memory',
    hints: ['please increase heap size', 'please increase executor memory'],
    pattern:
      /(?:System|Executor) memory \d{6,14} must be at least (?<bytes>\d{6,14})\. Please increase (?:heap size|executor memory) using the --(?<whose>driver|executor)-memory/,
    explain: ({ bytes = '', whose = 'driver' }, input, line) => {
      const found = sparkMemory(input, whose);
      return {
        because: `the ${whose} of Spark starts with ${code(formatBytes(Number(bytes)))} of heap at least`,
        culprit: found?.name ?? phraseIn(line),
        advice: [`Give the ${whose} more memory (${code(`spark.${whose}.memory`)}), and the container a limit above that.`],
        corrections: found ? [found.correction] : [],
        whereToLook: `where ${code(`spark.${whose}.memory`)} is set`,
      };
    },
  },
  {
    // Sidekiq, "Using Redis".
    id: 'pool-too-small',
    general: true,
    hints: ['but must have at least'],
    pattern: /pool .{0,80} but must have at least \d/i,
    explain: (_, _input, line) => ({
      because: `a pool is too small: ${code(phraseIn(line), 160)}`,
      culprit: phraseIn(line),
      advice: ['Make the pool as large as the program says, or lower the number of its threads.'],
      whereToLook: "the container's variables and options with the size of the pool and the number of threads",
    }),
  },
  {
    // PostgreSQL, "Locale Support".
    id: 'locale-missing',
    hints: ['invalid locale name'],
    pattern: /invalid locale name:? "(?<locale>[\w.@-]{2,60})"/,
    explain: ({ locale = '' }, input) => ({
      because: `the image does not have the locale ${code(locale)}`,
      culprit: `locale ${locale}`,
      advice: ['Use a locale that the image has (`C.UTF-8` is in all), or an image that brings the other one.'],
      corrections: writtenInstead(
        input,
        { from: locale, to: 'C.UTF-8' },
        {
          why: 'every image has it',
          explanation: `Sorting and character classes then follow no language. The image does not have ${code(locale)}.`,
        },
      ).map(asGuess),
      whereToLook: 'the setting that names the locale, and `locale -a` in the image',
    }),
  },
  {
    // C++, `std::locale`; Python, `locale.setlocale`: they name no locale, and take that of the variables (POSIX, "Environment Variables").
    id: 'locale-of-variables',
    hints: ['_s_create_c_locale', 'unsupported locale setting'],
    pattern: /_S_create_c_locale name not valid|unsupported locale setting/,
    explain: (_, input, line) => {
      const place = input.place();
      const own = (place?.container?.env ?? []).filter(
        ({ name, value }) => /^(?:LC_\w{2,20}|LANG)$/.test(name) && !/^(?:C|POSIX)(?:\.|$)/.test(value ?? 'C'),
      );
      const [first] = own;
      return {
        because: `the image does not have the locale${first ? ` ${code(first.value ?? '')}` : ' that its variables name'}`,
        culprit: first ? `${first.name}=${first.value}` : phraseIn(line),
        advice: ['Use a locale that the image has (`C.UTF-8` is in nearly all), or an image that brings the other one.'],
        corrections:
          place && first
            ? [
                {
                  title: `Set ${own.map(({ name }) => code(name)).join(' and ')} to ${code('C.UTF-8')}`,
                  changes: own.map(({ name }) => withVariable(place, name, 'C.UTF-8', 'nearly every image has this locale')),
                  confidence: 'likely',
                  explanation: `Dates and numbers then follow no language. The image does not have ${code(first.value ?? '')}.`,
                  mirrorable: true,
                },
              ]
            : [],
        whereToLook: '`LC_ALL` and `LANG` of the container, and `locale -a` in the image',
      };
    },
  },
  {
    id: 'setting-unfit',
    hints: ['key length', 'cookie_secret', 'fernet key', 'minio_root_password length'],
    pattern: new RegExp(UNFIT.map(([{ source }]) => source).join('|')),
    explain: (_, input, line) => {
      const [, variable = '', wants = ''] = isUnfit(line) ?? [];
      return {
        corrections: variable === 'APP_KEY' ? asBase64(input, variable) : [],
        because: `the program does not take the value of ${code(variable)}: it wants ${wants}`,
        culprit: variable,
        advice: [`Give ${code(variable)} a value that the program takes: ${wants}.`],
        whereToLook: `where ${code(variable)} is set: the container's \`env\`, and the Secret that it names`,
      };
    },
  },
  {
    // A user missing from the image's `/etc/passwd`, not a user of a server.
    id: 'user-not-in-image',
    hints: [
      'getpwnam',
      'getgrnam',
      'bad user name',
      'bad group name',
      'cannot get uid',
      'cannot get gid',
      'invalid user name',
      'unable to find user',
      'unable to find group',
      'does not exist',
      'invalid user:',
      'unknown user',
      'invalid group:',
      'unknown group',
      'no such user',
      "can't find user",
      'no matching entries in passwd',
    ],
    pattern:
      /\b(?:getpwnam|getgrnam)\("(?<a>[\w.-]{1,60})"\)|[Bb]ad (?:user|group) name (?<b>[\w.-]{1,60})|cannot get [ug]id for (?:user|group) '(?<c>[^']{1,60})'|[Ii]nvalid user name (?<d>[\w.-]{1,60})|unable to find (?:user|group) (?<e>[\w.-]{1,60})|\b(?:su|runuser|chown|install|sudo|adduser|setpriv|chpst|su-exec|gosu|start-stop-daemon|s6-setuidgid|s6-applyuidgid): .{0,30}?(?:invalid|unknown|no such) (?:user|group|spec)(?: name)?:? ?['"`‘]?(?<f>[\w.-]{1,60})|\bsu: user '?(?<g>[\w.-]{1,60})'? does not exist|[Cc]an't find user ['"]?(?<h>[\w.-]{1,60})/,
    explain: (groups) => {
      const user = Object.values(groups).find(Boolean) ?? '';
      return {
        because: `the image has no user or group ${code(user)}`,
        culprit: `user ${user}`,
        advice: [
          'Name a user that the image has, or its number; `cat /etc/passwd` in the container lists them. Or add the user in the image.',
        ],
        whereToLook: "the configuration or script that names the user, and the image's `/etc/passwd`",
      };
    },
  },
  {
    id: 'key-pair',
    hints: [
      'key values mismatch',
      'private key does not match',
      'key_values_mismatch',
      'does not match public key',
      'failed to find any pem',
      'no start line',
      'bad decrypt',
      'password was incorrect',
      'password verification failed',
      'password incorrect',
    ],
    pattern:
      /key values mismatch|KEY_VALUES_MISMATCH|private key does not match|(?<pem>failed to find any PEM data)|(?<line>PEM_read_bio\w{0,20}.{0,60}no start line|no start line)|(?<store>keystore password was incorrect|keystore was tampered with, or password|keystore password is incorrect|password verification failed|mac verify failure)|(?<locked>bad decrypt)/i,
    explain: ({ pem, line: noLine, store, locked }, input, line) => {
      const file = /(?<![\w/])(?:\/[\w.@+-]{1,80}){1,12}/.exec(line)?.[0];
      const named = file ? ` ${code(file)}` : '';
      return {
        because: store
          ? `the password of its keystore${named} is wrong`
          : pem || noLine
            ? `a certificate or key${named} is not in the form that it wants (PEM)`
            : locked
              ? `the password of its private key${named} is wrong`
              : `the private key${named} does not belong to the certificate`,
        culprit: file ?? (store ? 'keystore password' : pem || noLine ? 'certificate that is no PEM' : 'private key of the certificate'),
        advice: [
          store || locked
            ? 'Give the program the password with which the file was made.'
            : 'Put a certificate and its own key into the Secret (`openssl x509 -noout -pubkey` and `openssl pkey -pubout` must print the same).',
        ],
        corrections: store || pem || noLine || locked ? [] : keyOfCertificate(input),
        whereToLook: 'the Secret with the certificate and the key, and which of its keys is mounted where',
      };
    },
  },
  {
    id: 'host-key-of-part',
    hints: [
      "can't resolve dependencies",
      'unable to resolve service',
      'required a bean of type',
      'no qualifying bean',
      'unsatisfied dependency',
    ],
    pattern:
      /Nest can't resolve dependencies of the (?<by>[\w$]{1,100}).{0,200}?argument "?(?<a>[\w$]{1,100})|Unable to resolve service for type '(?<b>[^']{1,200})'|required a (?:single )?bean(?: named '(?<c>[^']{1,200})'| of type '(?<d>[^']{1,200})')|No qualifying bean of type '(?<e>[^']{1,200})'/,
    explain: ({ a, b, c, d, e }) =>
      inTheCode(
        `nothing in the program provides ${code(a ?? b ?? c ?? d ?? e ?? '')}, which another part needs`,
        a ?? b ?? c ?? d ?? e ?? '',
      ),
  },
  {
    id: 'java-agent',
    hints: ['error opening zip file', 'could not find agent library', 'agent library failed'],
    pattern: /Error opening zip file or JAR manifest missing ?: ?(?<jar>\S{1,300})|Could not find agent library (?<lib>\S{1,200})/,
    explain: ({ jar, lib }, input) => {
      const file = jar ?? lib ?? '';
      const isIt = (word: string) => /^-(?:javaagent|agentpath|agentlib):/.test(word) && word.includes(file);
      const brought = jar ? missingFile(input, jar) : [];
      return {
        because: `the agent ${code(file)} does not exist, which the options of Java name`,
        culprit: file,
        advice: ['Bring the agent with an init container or in the image, correct its path, or leave the option out.'],
        corrections: [...brought, ...withoutOption(input, isIt)],
        whereToLook: '`JAVA_TOOL_OPTIONS`, `JAVA_OPTS`, and what should bring the agent',
      };
    },
  },
  {
    id: 'runtime-version',
    hints: ['your ruby version is', 'query engine', 'requires a different python', 'the engine "node" is incompatible'],
    pattern:
      /Your Ruby version is (?<has>[\d.]{1,12}), but your Gemfile specified (?:~> ?|>= ?)?(?<ruby>[\d.]{1,12})|Query [Ee]ngine (?:library )?for (?:runtime|current platform) "(?<engine>[\w.-]{1,80})"|[Rr]equires a different Python: (?<python>[\d.]{1,12})|engine "node" is incompatible.{0,80}?Expected version "(?<node>[^"]{1,40})"/,
    explain: ({ has, ruby, engine, python, node }) => {
      const name = ruby ? `Ruby ${ruby}` : engine ? `Prisma engine ${engine}` : node ? `Node ${node}` : `Python ${python ?? ''}`;
      return {
        because: engine
          ? `the image lacks Prisma's engine for its platform ${code(engine)}`
          : `the program was built for another version than the image has${has ? ` (${code(has)})` : ''}: ${code(name)}`,
        culprit: name,
        advice: [
          engine
            ? 'Name this platform in `binaryTargets` of the schema, and build the image again.'
            : 'Use an image with the version that the program was built for.',
        ],
        whereToLook: "the image's base and how it was built",
      };
    },
  },
  {
    id: 'role-of-vault',
    hints: ['invalid role name', 'role "'],
    pattern: /invalid role name \\?"(?<a>[\w.-]{1,100})|role \\?"(?<b>[\w.-]{1,100})\\?" could not be found/,
    explain: ({ a, b }) => ({
      because: `Vault has no role ${code(a ?? b ?? '')} for this way to log in`,
      culprit: `role ${a ?? b ?? ''}`,
      advice: ['Correct the role in the annotations or settings of the pod, or create it in Vault for this service account.'],
      whereToLook: 'the roles of the auth method in Vault, and the name that the pod gives',
    }),
  },
  {
    id: 'not-initialized',
    hints: ['need to initialize', 'myid file'],
    pattern: /need to initialize the database\.? Please run `(?<command>[\w -]{3,60})`|(?<myid>myid) file is missing/,
    explain: ({ command, myid }) => ({
      because: myid
        ? 'a server of a ZooKeeper ensemble needs a file `myid` with its number in its data folder'
        : `its database has no tables yet: ${code(command ?? '')} creates them`,
      culprit: command ?? myid ?? '',
      advice: [
        myid
          ? 'Write the number of the pod into `myid`, or set `ZOO_MY_ID`.'
          : `Run ${code(command ?? '')} once, in a Job or an init container.`,
      ],
      whereToLook: myid ? 'the volume with its data, and the script that writes the file' : 'the Job that should prepare the database',
    }),
  },
  {
    id: 'url-invalid',
    hints: ['invalid url', 'err_invalid_url'],
    pattern: /TypeError.{0,30}Invalid URL/,
    explain: (_, input, line) => {
      const value =
        foundInLogs(input.subject, /\binput: ?'([^'\n]{1,200})'/) || (/Invalid URL: ?['"]?([^\s'"]{1,200})/.exec(line)?.[1] ?? '');
      const variable = value ? input.place()?.container?.env?.find((one) => one.value === value)?.name : undefined;
      return {
        because: value
          ? `${code(value)} is no URL${variable ? ` (${code(variable)})` : ''}: it has no scheme, or something in it is not allowed`
          : 'it gets an address that is no URL',
        culprit: variable ? `${variable}=${value}` : value || phraseIn(line),
        advice: ['Write the whole URL, with its scheme (`http://…`).'],
        corrections: value ? (withScheme(input, value)?.corrections ?? []) : [],
        whereToLook: "the container's variables that hold addresses",
      };
    },
  },
  {
    id: 'certificate-unset',
    hints: ['no server certificate was specified', 'ssl_certificate" is defined'],
    pattern: /No server certificate was specified|no "ssl_certificate" is defined/,
    explain: (_, input, line) => ({
      corrections: line.includes('ssl_certificate') ? [] : withoutHttps(input),
      because: 'it should speak HTTPS and has no certificate',
      culprit: /ssl_certificate/.test(line) ? 'ssl_certificate' : 'server certificate',
      advice: [
        'Give it a certificate (`ASPNETCORE_Kestrel__Certificates__Default__Path`), or let it listen on HTTP only behind an ingress.',
      ],
      whereToLook: "the container's variables with the addresses it listens on, and its certificate",
    }),
  },
  {
    id: 'connection-string-missing',
    hints: ['no connection string named'],
    pattern: /No connection string named ['"](?<name>[\w.-]{1,80})['"]/,
    explain: ({ name = '' }, input) => {
      const setting = `ConnectionStrings__${name}`;
      return { ...explainVariable({ name: setting }, input, ''), because: `it has no connection string ${code(name)}`, culprit: setting };
    },
  },
  {
    id: 'connection-string',
    hints: ['connectionstring property', 'format of the initialization string'],
    pattern: /ConnectionString property has not been initialized|Format of the initialization string does not conform/,
    explain: (_, input, line) => ({
      ...(/not been/.test(line) ? { corrections: namedConnectionString(input) } : {}),
      because: /not been/.test(line)
        ? 'it has no connection string for its database'
        : 'the connection string of its database is not written as the driver wants it',
      culprit: /not been/.test(line) ? 'ConnectionString' : 'connection string of the database',
      advice: ['Set `ConnectionStrings__NAME` to `Host=…;Database=…;Username=…;Password=…`.'],
      whereToLook: "the container's variables `ConnectionStrings__…` and the mounted `appsettings.json`",
    }),
  },
  {
    id: 'interface-unclear',
    hints: ['private ipv4 addresses found'],
    pattern: /Multiple private IPv4 addresses found/,
    explain: () => ({
      because: 'the pod has several addresses, and it does not know which one is its own',
      culprit: 'bind address',
      advice: ['Set `bind` (`-bind={{ GetInterfaceIP "eth0" }}`, or `POD_IP` from `status.podIP`).'],
      whereToLook: "the container's `args` and the mounted configuration",
    }),
  },
  {
    id: 'data-folder-denied',
    hints: ['operating system error number 13', 'does not have the access rights'],
    pattern: /Operating system error number 13 |does not have the access rights to the directory/,
    explain: () => ({
      because: 'its user is not allowed to access its data directory',
      culprit: 'data directory (permissions)',
      advice: ['Give the volume to the user of the server with `fsGroup`, or run the server as the user that owns the data.'],
      whereToLook: 'the owner of the volume, and `runAsUser`, `fsGroup`',
    }),
  },
];
