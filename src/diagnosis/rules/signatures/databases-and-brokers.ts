import { givenIn } from '../../corrections/given-values.ts';
import { writtenInstead } from '../../corrections/replace-text.ts';
import { unknownHost } from '../../corrections/network/unnamed-host.ts';
import { otherNameOf, credentialsOfServer } from '../../corrections/settings/server-name.ts';
import { secretOfUser } from '../../corrections/settings/secret-of-user.ts';
import { fromAdmin } from '../../corrections/settings/mongo-auth-source.ts';
import { withoutFeature } from '../../corrections/settings/removed-option.ts';
import { passwordInAddress } from '../../corrections/network/password-in-address.ts';
import { mountedAt } from '../../corrections/files/other-folder.ts';
import { ordinaryKey } from '../../corrections/settings/ordinary-key.ts';
import { migrateAtStart, migrateInstead } from '../../corrections/command/migration.ts';
import { otherHost, otherServicePort } from '../../corrections/network/other-server.ts';
import { missingVariable } from '../../corrections/settings/variable.ts';
import type { Correction } from '../../corrections/correction.ts';
import { withPostgresTls } from '../../corrections/network/tls.ts';
import { appended, change } from '../../corrections/change.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { serverPassword } from '../../corrections/settings/server-password.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { type RuleInput } from '../../facts/input.ts';
import { addressIn } from './address.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import { listenerName } from '../../corrections/network/listener-name.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

/**
 * A volume with its own file system has `lost+found` at its root, but databases require an empty folder. This uses a folder below the root.
 */
function belowMount(input: RuleInput, folder: string, why = 'the top of a volume may hold `lost+found`'): Correction[] {
  const place = input.place();
  const index =
    place?.container?.volumeMounts?.findIndex(({ mountPath }) => mountPath.replace(/\/$/, '') === folder.replace(/\/$/, '')) ?? -1;
  const mount = place?.container?.volumeMounts?.[index];
  if (!place || !mount) return [];
  const env = place.container?.env;
  const isPostgres = folder.includes('postgres') || env?.some(({ name }) => name.startsWith('POSTGRES_') || name === 'PGDATA') === true;
  const own = env?.findIndex(({ name }) => name === 'PGDATA') ?? -1;
  const to = `${folder.replace(/\/$/, '')}/pgdata`;
  const made = isPostgres
    ? own < 0
      ? appended(place, fieldPath(place.path, 'env'), env, { name: 'PGDATA', value: to }, why)
      : change(place, fieldPath(place.path, 'env', own, 'value'), to, why)
    : change(place, fieldPath(place.path, 'volumeMounts', index, 'subPath'), [mount.subPath, 'data'].filter(Boolean).join('/'), why);
  return [
    {
      title: 'Keep the data in a folder below the top of the volume',
      changes: [made],
      confidence: 'likely',
      explanation: `Volume ${code(mount.name)} is mounted where the data should be. Data that is there already is not moved.`,
      mirrorable: true,
    },
  ];
}

/** The Secrets from which the container takes its keys, in words. */
function credentialsOf(input: RuleInput): string {
  const { env = [], envFrom = [] } = input.place()?.container ?? {};
  const names = [...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name), ...envFrom.map(({ secretRef }) => secretRef?.name)];
  const secrets = [...new Set(names.filter((name) => name !== undefined))].map((name) => code(name));
  return secrets.length === 0 ? ' that the container uses' : ` in Secret ${secrets.slice(0, 3).join(' or ')}`;
}

/** Which setting of the container holds the name, in words. */
function settingWith(input: RuleInput, name: string): string {
  const place = input.place();
  const found = place
    ? givenIn(place).find(({ value }) => value === name || value.includes(`/${name}`) || value.includes(`=${name}`))
    : undefined;
  return found ? ` in ${code(found.name)}` : '';
}

/** A program that sends no password at all, while the server wants one. */
function withoutPassword(input: RuleInput, server: string, kind: RegExp): Meaning {
  return {
    because: `${server} wants a password, and the program sends none: no password reaches it`,
    culprit: `${server} login`,
    advice: ['Give the program the password from the Secret of the server, under the name that the program reads.'],
    corrections: [...serverPassword(input, kind), ...passwordInAddress(input, kind)],
    whereToLook: `the Secret with the password of ${server}, and the variables that the program reads`,
  };
}

/** Where the only password of the container comes from, in words; empty when no variable takes one from a Secret, or several do. */
function passwordSource(input: RuleInput): string {
  const found = (input.place()?.container?.env ?? []).flatMap(({ name, valueFrom }) => {
    const { name: secret, key } = valueFrom?.secretKeyRef ?? {};
    return secret && key && /PASS|PWD/i.test(name) ? [`${code(name)} from key ${code(key)} of Secret ${code(secret)}`] : [];
  });
  return found.length === 1 ? (found[0] ?? '') : '';
}

function login(input: RuleInput, server: string, user: string | undefined): Meaning {
  const source = passwordSource(input);
  return {
    because: `${server} refuses ${user ? `the login of ${code(user)}` : 'its login'}`,
    culprit: user ? `login of ${user}` : `${server} login`,
    advice: [
      source
        ? `Compare user and password with those of the server: the program gets ${source}. If one side is older than the last change, put the server's password there and restart the pods, or set it on the server.`
        : 'Compare user and password with those of the server. The Secret may be older than the last change of the password.',
    ],
    whereToLook: `the Secret that holds the password (its age, its keys), and the users of ${server}`,
  };
}

/** MySQL says this of a database that does not exist, too (error 1044): a user without rights shall not learn which databases there are. */
function noRightTo(input: RuleInput, database: string, user: string | undefined): Meaning {
  return {
    because: `MySQL does not let ${code(user ?? '')} use the database ${code(database)}`,
    culprit: `database ${database} (user ${user ?? ''})`,
    advice: [`Correct the name of the database, or give the user rights on it (\`GRANT ALL ON ${database}.* TO '${user ?? ''}'@'%'\`).`],
    corrections: otherNameOf(input, 'database', database),
    whereToLook: 'the databases of the server and the rights of the user (`SHOW GRANTS`)',
  };
}

/** A login that PostgreSQL refuses: of a user, or of a role that does not exist. */
function refusedLogin(input: RuleInput, user: string | undefined, role: string | undefined): Meaning {
  const meaning = login(input, 'PostgreSQL', user ?? role);
  const other = secretOfUser(input, user);
  return {
    ...meaning,
    ...(other ? { culprit: `${meaning.culprit ?? ''} with the password of Secret ${other.secret} (${other.name})` } : {}),
    corrections:
      role === undefined
        ? [...ordinaryKey(input, user), ...(other ? [other.correction] : credentialsOfServer(input, user))]
        : otherNameOf(input, 'user', role),
  };
}

const rootPassword = (input: RuleInput): string =>
  /maria/i.test(`${input.place()?.container?.image ?? ''} ${foundInLogs(input.subject, /(specify one of MARIADB_)/)}`)
    ? 'MARIADB_ROOT_PASSWORD'
    : 'MYSQL_ROOT_PASSWORD';

/** The broker of a line: `node -1 (kafka/10.96.0.7:9092)`, or its address. */
function brokerIn(line: string): { host: string; port: string } {
  const [, name, own] = /\(([A-Za-z][\w.-]{0,252})\/[\d.]{7,15}:(\d{2,5})\)/.exec(line) ?? [];
  const [host = '', port = ''] = name && own ? [name, own] : addressIn(line).split(':');
  return { host: port === '' ? '' : host, port };
}

/**
 * Lets PostgreSQL create its own folder below the volume's root, because it refuses the root's owner or mode. Existing data is then not
 * found.
 */
function ownFolder(input: RuleInput, folder: string): Correction[] {
  const place = input.place();
  const mount = place?.container?.volumeMounts?.find(({ mountPath }) => mountPath.replace(/\/$/, '') === folder.replace(/\/$/, ''));
  const isNew = place?.spec.volumes?.find(({ name }) => name === mount?.name)?.emptyDir !== undefined;
  return belowMount(input, folder, 'PostgreSQL makes this folder itself, with the mode that it wants').map((one) => ({
    ...one,
    confidence: isNew ? 'likely' : 'guess',
  }));
}

/** PostgreSQL 18 images keep data in one folder per version, below a mount one level higher than before. */
function aboveData(input: RuleInput): Correction[] {
  const place = input.place();
  const data = '/var/lib/postgresql/data';
  const index = place?.container?.volumeMounts?.findIndex(({ mountPath }) => mountPath.replace(/\/$/, '') === data) ?? -1;
  if (!place || index < 0) return [];
  return [
    mountedAt(
      place,
      { index, to: '/var/lib/postgresql' },
      {
        why: 'since version 18 the data lies in a folder for each version',
        explanation: 'Data of an older version in this volume must be upgraded first.',
      },
    ),
  ];
}

/** What clients log when a database or broker refuses them. */
export const databaseSignatures: readonly Signature[] = [
  {
    // The server refuses only unencrypted connections. If a client tried both kinds and both were refused, TLS does not help.
    id: 'postgres-only-tls',
    hints: ['no pg_hba.conf entry'],
    pattern: /no pg_hba\.conf entry for host.{0,60}user \\{0,2}"(?<user>[^"\\]{1,100})\\{0,2}".{0,120}(?:no encryption|SSL off)\b/,
    explain: ({ user = '' }, input) => {
      const isBoth = foundInLogs(input.subject, /(no pg_hba\.conf entry for host.{0,200}(?:SSL encryption|SSL on)\b)/) !== '';
      if (isBoth) return login(input, 'PostgreSQL', user);
      return {
        because: `PostgreSQL lets ${code(user)} in from this address only with encryption, if at all, and the program calls it without`,
        culprit: `no pg_hba.conf entry for user ${user}, no encryption`,
        advice: [
          'Let the client use TLS (`sslmode=require`, or `PGSSLMODE=require`). If the server has no TLS, its `pg_hba.conf` must allow this address.',
        ],
        corrections: withPostgresTls(input),
        whereToLook: "`sslmode` in the database's address, and `pg_hba.conf` of the server",
      };
    },
  },
  {
    id: 'postgres-login',
    hints: [
      'password authentication failed',
      'no pg_hba.conf entry',
      'peer authentication failed',
      'no password supplied',
      'no password was provided',
      'role "',
    ],
    pattern:
      /(?:(?:password|[Pp]eer) authentication failed for user ["']?(?<a>[^"'\s]{1,100})|no pg_hba\.conf entry.{0,80}user \\{0,2}"(?<b>[^"\\]{1,100})|no password (?:supplied|was provided)|role "(?<c>[^"]{1,100})" does not exist)/,
    explain: ({ a, b, c }, input, line) =>
      /no password (?:supplied|was provided)/.test(line)
        ? withoutPassword(input, 'PostgreSQL', /pg|postgres|database|db|sql/i)
        : refusedLogin(input, a ?? b, c),
  },
  {
    id: 'postgres-relation',
    hints: [
      'no such table',
      "doesn't exist",
      'unknown column',
      'does not exist',
      'unknown database',
      'schema',
      'could not find your database',
    ],
    pattern:
      /(?:(?:relation|[Tt]able) ["`]?(?<a>[\w.]{1,100})["`]? does not exist|[Nn]o such table:? (?<b>[\w.]{1,100})|[Tt]able '(?<c>[^']{1,100})' doesn't exist|database "(?<d>[^"]{1,100})" does not exist|[Uu]nknown (?:database|column) '(?<e>[^']{1,100})'|column "?(?<f>[\w.]{1,100})"? (?:of relation .{1,100} )?does not exist|schema "(?<g>[^"]{1,100})" does not exist|Database [`'](?<h>[^`']{1,100})[`'] does not exist|could not find your database: (?<i>[\w-]{1,100})|missing (?:table|column|sequence) \[(?<j>[\w.]{1,100})\])/,
    explain: (groups, input, line) => {
      const name = Object.values(groups).find(Boolean) ?? '';
      const looking = migrateInstead(input);
      const kind =
        (groups['d'] ?? groups['h'] ?? groups['i'] ?? /nknown database/.test(line))
          ? 'database'
          : groups['e']
            ? 'table or column'
            : groups['f']
              ? 'column'
              : groups['g']
                ? 'schema'
                : 'table';
      return {
        because: `${kind === 'database' ? 'there is no' : 'the database has no'} ${kind} ${code(name)}${looking ? `: init container ${code(looking.container)} runs ${code(looking.looks)}, which changes nothing` : ''}`,
        culprit: looking ? `init container ${looking.container}: ${looking.looks}` : name,
        corrections: looking ? [looking.correction] : kind === 'database' ? otherNameOf(input, 'database', name) : migrateAtStart(input),
        advice: [
          kind === 'database'
            ? `Correct the name${settingWith(input, name)} if the server has the database under another one. Otherwise create it there.`
            : 'See first to which database it connects: an empty or a wrong one has no tables. Run the migrations that create it before whatever needs it.',
        ],
        whereToLook: 'the migrations (did they run, against which database?) and the connection settings',
      };
    },
  },
  {
    // Go-MySQL-Driver, "DSN (Data Source Name)".
    id: 'mysql-address-of-go',
    hints: ['default addr for network'],
    pattern: /default addr for network '(?<address>[\w.:-]{1,200})' unknown/,
    explain: ({ address = '' }, input) => ({
      because: `the address of MySQL lacks the network before ${code(address)}`,
      culprit: address,
      advice: ['Write the server as `tcp(HOST:PORT)`.'],
      corrections: writtenInstead(
        input,
        { from: address, to: `tcp(${address})` },
        {
          why: 'the driver takes the network and the server so',
          explanation: `The driver takes ${code(address)} for the name of a network.`,
        },
      ),
      whereToLook: 'the variable with the address of the database',
    }),
  },
  {
    id: 'mysql-login',
    hints: ['access denied for user', 'er_access_denied', 'is not allowed to connect', 'database is uninitialized'],
    pattern:
      /(?:[Aa]ccess denied for user '(?<user>[^']{0,100})'(?:@'[^']{0,255}' to database '(?<database>[^']{1,64})')?|ER_ACCESS_DENIED|(?:Host '(?<host>[^']{1,100})' )?is not allowed to connect to this (?:MySQL|MariaDB) server|[Dd]atabase is uninitialized and password)/,
    explain: ({ user, host, database }, input, line) =>
      host
        ? {
            because: `the MySQL server lets nobody log in from ${code(host)}`,
            culprit: `host ${host}`,
            advice: ["Give the database user the right to come from the pods (`CREATE USER 'name'@'%'`)."],
            whereToLook: 'the users of the server and their hosts',
          }
        : line.includes('uninitialized')
          ? {
              because: 'the new database needs a root password for its first start',
              culprit: 'MYSQL_ROOT_PASSWORD',
              advice: ['Set `MYSQL_ROOT_PASSWORD` (`MARIADB_ROOT_PASSWORD`, `POSTGRES_PASSWORD`) from a Secret.'],
              corrections: missingVariable(input, rootPassword(input)),
              whereToLook: "the container's `env`",
            }
          : line.includes('using password: NO')
            ? { ...login(input, 'MySQL', user), corrections: serverPassword(input, /mysql|maria|database|db|sql/i) }
            : database
              ? noRightTo(input, database, user)
              : {
                  ...login(input, 'MySQL', user),
                  corrections: [...ordinaryKey(input, user), ...credentialsOfServer(input, user)].slice(0, 1),
                },
  },
  {
    id: 'database-login',
    hints: ['login failed for user', 'cannot open database', 'provided database credentials'],
    pattern:
      /Cannot open database "(?<database>[^"]{1,120})" requested by the login|Login failed for user '(?<user>[^']{1,100})'|provided database credentials for [`'"](?<other>[^`'"]{1,100})/,
    explain: ({ database, user, other }, input) =>
      database
        ? {
            because: `the server has no database ${code(database)}, or its user has no right to it`,
            culprit: `database ${database}`,
            advice: ['Create the database, correct its name, or give the user rights on it.'],
            whereToLook: 'the connection settings, and the databases of the server',
          }
        : login(input, user ? 'SQL Server' : 'the database server', user ?? other),
  },
  {
    id: 'redis-login',
    hints: ['noauth', 'wrongpass', 'err auth', 'invalid username-password', 'invalid password', 'redis.exceptions.authenticationerror'],
    pattern: /NOAUTH|WRONGPASS|ERR AUTH|invalid username-password pair|ERR invalid password|redis\.exceptions\.AuthenticationError/,
    explain: (_, input, line) =>
      /NOAUTH|Authentication required/.test(line)
        ? withoutPassword(input, 'Redis', /redis|valkey|cache/i)
        : { ...login(input, 'Redis', undefined), corrections: credentialsOfServer(input, undefined) },
  },
  {
    id: 'mongo-login',
    hints: ['authentication failed', 'authenticationfailed'],
    pattern:
      /(?:Mongo|mongo|SCRAM).{0,140}?(?:[Aa]uthentication failed|AuthenticationFailed)|(?:code|error) 18\b.{0,40}AuthenticationFailed/,
    explain: (_, input) => {
      const found = fromAdmin(input);
      return {
        ...login(input, 'MongoDB', undefined),
        ...(found ? { culprit: `MongoDB login (${found.name})`, corrections: found.corrections } : {}),
      };
    },
  },
  {
    id: 'kafka-listener-name',
    hints: ['listener.name', 'security protocol defined for listener'],
    pattern:
      /(?<setting>controller\.listener\.names|inter\.broker\.listener\.name) must (?:contain|be) .{0,60}listener|No security protocol defined for listener (?<unknown>\w{1,60})/,
    explain: ({ setting, unknown }, input, line) => listenerName(input, line, setting, unknown),
  },
  {
    id: 'kafka-broker',
    hints: ['kafka', 'sasl', 'bootstrap'],
    pattern:
      /(?:SaslAuthenticationException|SASL.{0,60}fail|No resolvable bootstrap urls|TopicAuthorization|(?:bootstrap|broker).{0,100}(?:may not be available|disconnected|could not be established|not available)|UnknownTopicOrPartition)(?<rest>.{0,100})/i,
    explain: (_, input, line) => {
      if (/sasl|authoriz/i.test(line)) return login(input, 'Kafka', undefined);
      const said = foundInLogs(input.subject, /resolve server ([\w.-]{1,200}):\d{2,5} from bootstrap/);
      const isUnresolved = /No resolvable bootstrap urls/.test(line);
      const unknown = said || (isUnresolved ? unknownHost(input, (name) => /kafka|bootstrap|broker/i.test(name)) : '');
      if (unknown !== '')
        return {
          because: `the name ${code(unknown)} of its Kafka broker is not known to the cluster's DNS`,
          culprit: unknown,
          corrections: otherHost(input, unknown, line),
          advice: ['Correct the bootstrap address, or create the Service that it names.'],
          whereToLook: 'the bootstrap setting, and the Services of the namespace',
        };
      const { host, port } = brokerIn(line);
      return {
        because: `the Kafka brokers cannot be reached${host ? ` (${code(`${host}:${port}`)})` : ''}`,
        culprit: host ? `${host}:${port}` : 'Kafka bootstrap servers',
        corrections: host ? otherServicePort(input, host, port) : [],
        advice: ['Check the bootstrap address. The brokers must announce an address that pods can reach (`advertised.listeners`).'],
        whereToLook: 'the bootstrap setting and the brokers',
      };
    },
  },
  {
    id: 'rabbit-login',
    hints: ['access_refused', 'accessrefused'],
    pattern: /ACCESS_REFUSED|AccessRefused/,
    explain: (_, input) => ({ ...login(input, 'RabbitMQ', undefined), corrections: credentialsOfServer(input, undefined) }),
  },
  {
    id: 'postgres-password-missing',
    hints: ['superuser password is not specified'],
    pattern: /superuser password is not specified/,
    explain: (_, input) => ({
      because: 'the new database needs a superuser password for its first start, and `POSTGRES_PASSWORD` is not set',
      culprit: 'POSTGRES_PASSWORD',
      advice: ['Set `POSTGRES_PASSWORD` from a Secret.'],
      corrections: missingVariable(input, 'POSTGRES_PASSWORD'),
      whereToLook: "the container's `env`",
    }),
  },
  {
    id: 'data-directory',
    hints: [
      'data directory',
      'exists but is not empty',
      'data files',
      'clusterid',
      'cluster id',
      'downgrad',
      'newer version',
      'older version',
    ],
    pattern:
      /(?:data directory "(?<a>[^"]{1,200})" has (?:wrong ownership|invalid permissions|group or world)|directory "?(?<b>[^"\s]{1,200})"? exists but is not empty|data directory has wrong ownership|too (?:recent|old|new) to start.{0,60}data files|data files .{0,80}(?:incompatible|newer|older|unsupported)|cluster ?id .{1,80}(?:doesn't|does not) match|[Dd]owngrad\w{1,4} .{0,60}not (?:supported|possible|allowed)|(?:created|written|upgraded) by a newer version|(?:from|of) an older version .{0,60}not supported|data directory has (?<files>files) in it)/i,
    explain: ({ a, b, files }, input, line) => ({
      corrections: a ? ownFolder(input, a) : b ? belowMount(input, b) : files ? belowMount(input, '/var/lib/mysql') : [],
      because: `its data folder ${(a ?? b) ? `${code(a ?? b ?? '')} ` : ''}cannot be used: ${quotedLine(line)}`,
      culprit: b === undefined ? (a ?? 'data directory') : `${b} (not empty)`,
      advice: [
        a
          ? `The folder must belong to the user of PostgreSQL, with mode 0700 or 0750. At the top of a volume kubelet or the storage decides that: let \`PGDATA\` be a folder below it, and move data that is there already.`
          : 'Use a folder below the mount point (`PGDATA=/var/lib/postgresql/data/pgdata`) to avoid `lost+found`. Upgrade data of an older major version.',
      ],
      whereToLook: 'the contents and the owner of the volume, and the version that wrote it',
    }),
  },
  {
    id: 'postgres-18-folder',
    hints: ['in 18+, these'],
    pattern: /in 18\+, these Docker images/,
    explain: (_, input) => ({
      because:
        'PostgreSQL 18 keeps its data in a folder for each version, and a volume is mounted at the old place `/var/lib/postgresql/data`',
      culprit: 'mount /var/lib/postgresql/data',
      advice: ['Mount the volume at `/var/lib/postgresql`, or set `PGDATA` to the old folder.'],
      corrections: aboveData(input),
      whereToLook: "the container's `volumeMounts` and `PGDATA`",
    }),
  },
  {
    id: 'kind-missing',
    hints: ['no matches for kind', 'could not find the requested resource'],
    pattern:
      /no matches for kind \\?"(?<kind>\w{1,80})\\?" in (?:version|group) \\?"(?<version>[\w./-]{1,120})|could not find the requested resource/,
    explain: ({ kind, version }, input, line) => ({
      corrections: withoutFeature(input, line)?.corrections ?? [],
      because: kind ? `the cluster has no kind ${code(kind)} (${code(version ?? '')})` : 'the cluster does not have this kind',
      culprit: kind ?? phraseIn(line),
      advice: ['Before the program, install the CustomResourceDefinition that it watches, in the version that it needs.'],
      commands: ['kubectl get customresourcedefinitions'],
      whereToLook: 'the installed definitions, and those that this release of the program needs',
    }),
  },
  {
    id: 'http-credentials',
    hints: [
      '401',
      '403',
      'invalid api key',
      'invalid token',
      'invalid access token',
      'invalid_client',
      'accessdenied',
      'expiredtoken',
      'signaturedoesnotmatch',
    ],
    pattern:
      /(?:(?:[Ss]tatus(?: [Cc]ode)?|HTTP|[Ee]rror|[Cc]ode|got)[:= ]{1,3}(?:401|403)\b(?!\. Errors:$)|40[13] (?:Unauthorized|Forbidden)|[Ii]nvalid (?:API|api) [Kk]ey|[Ii]nvalid (?:access )?token|invalid_client|AccessDenied\b(?!\) when calling)|ExpiredToken|SignatureDoesNotMatch)/,
    explain: (_, input, line) => ({
      because: `a service it calls does not accept its credentials: ${quotedLine(line)}`,
      culprit: phraseIn(line),
      advice: [`Renew or correct the key${credentialsOf(input)}, or give the identity the right that it lacks.`],
      whereToLook: 'the Secret or the identity that the container uses',
    }),
  },
];
