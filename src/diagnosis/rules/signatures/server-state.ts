import { writtenInstead } from '../../corrections/replace-text.ts';
import { nameOfServer, otherNameOf, ownVhost } from '../../corrections/settings/server-name.ts';
import { defaultVhost } from '../../corrections/network/default-vhost.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import type { RuleInput } from '../../facts/input.ts';
import { chosenVersion, imageOfVersion, nextMajor } from '../../corrections/images/version-of-data.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';
import type { Correction } from '../../corrections/correction.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change } from '../../corrections/change.ts';

const versionText = (version: string | undefined): string => (version ? ` (${code(version)})` : '');

/** The version that wrote the data, as the line or one beside it names it. MySQL writes 8.4.3 as 80403. */
export function versionIn(input: RuleInput, groups: Record<string, string>): string | undefined {
  const { mysql, postgres, store, data, cluster, redo, written, mongo, elastic, from } = groups;
  if (postgres !== undefined)
    return (
      /version ([\d.]{1,8})/.exec(postgres)?.[1] ??
      (foundInLogs(input.subject, /initialized by PostgreSQL version ([\d.]{1,8})/) || undefined)
    );
  if (mysql === undefined) return (mongo ?? elastic ?? store ?? data ?? cluster ?? redo ?? written ?? from)?.replace(/\.$/, '');
  const number = Number(mysql);
  return [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100].join('.');
}

/** The image of the version that wrote the data, or of the one after it if the program goes up one step at a time (`from`). */
const imageForData = (input: RuleInput, version: string | undefined, from: string | undefined): Correction[] =>
  from === undefined ? imageOfVersion(input, version) : nextMajor(input, from);

const nameOf = (line: string): string =>
  /maria|mysql|ER_[A-Z_]{3,40}|error 1040/i.test(line) ? 'MySQL' : /redis|max number of clients/i.test(line) ? 'Redis' : 'PostgreSQL';

/** A cluster of one node has its own start command. A set with several replicas needs the addresses of its members instead. */
function startedAlone(input: RuleInput): Correction[] {
  const { owner } = input.subject;
  const replicas = ((owner as { spec?: { replicas?: number } } | undefined)?.spec ?? {}).replicas ?? 1;
  const to = 'start-single-node';
  const made = writtenInstead(
    input,
    { from: 'start', to },
    { why: 'without `--join` it is a cluster of one', explanation: 'The program proposes it.' },
  );
  return replicas > 1 ? [] : made.filter(({ changes }) => changes.length === 1);
}

/** Lets the pod use the name servers of its node (`dnsPolicy: Default`). */
function nodesNameServer(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place || (place.spec.dnsPolicy ?? 'ClusterFirst') !== 'ClusterFirst') return [];
  return [
    {
      title: "Ask the node's name servers",
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'dnsPolicy'),
          'Default',
          "with `ClusterFirst` it asks the cluster's name server, which is itself",
        ),
      ],
      confidence: 'likely',
      explanation: 'What it does not know, it then asks outside of the cluster.',
      mirrorable: false,
    },
  ];
}

/** The version that wrote the data: as the image's tag, or where a variable chooses it. */
function ofDataVersion(input: RuleInput, written: string | undefined, from: string | undefined): Correction[] {
  const images = imageForData(input, written, from);
  // Where the revision before had another version, going back to it is tried elsewhere.
  const isUpdate = input.subject.surroundings?.revisions?.previous !== undefined;
  return images.length > 0 || isUpdate ? images : chosenVersion(input, written);
}

/**
 * Servers that answer but refuse because of their state, version or permissions. They come before the file signatures with similar words.
 */
export const serverStateSignatures: readonly Signature[] = [
  {
    id: 'server-full',
    hints: ['too many clients', 'connection slots', 'too many connections', 'max number of clients', 'er_con_count'],
    pattern: /too many clients|remaining connection slots|[Tt]oo many connections|max number of clients reached|ER_CON_COUNT_ERROR/,
    explain: (_, __, line) => ({
      because: `the ${nameOf(line)} server has no connection left for it: ${code(phraseIn(line), 160)}`,
      culprit: `connections of the ${nameOf(line)} server`,
      advice: [
        'Let all its clients together open fewer connections (smaller pools, a pooler before the server), or raise the limit of the server.',
      ],
      whereToLook: 'the connections that the server has now, by client, and its limit (`max_connections`)',
    }),
  },
  {
    id: 'server-starting',
    hints: ['the database system is', 'loading redis is loading', 'not yet accepting connections'],
    pattern:
      /the database system is (?<a>starting up|shutting down|in recovery mode|not yet accepting connections)|(?<b>LOADING Redis is loading)/,
    explain: ({ a, b }) => ({
      because: `the ${b ? 'Redis' : 'PostgreSQL'} server is not ready: it ${b ? 'loads its data' : `is ${a ?? ''}`}`,
      culprit: `the ${b ? 'Redis' : 'PostgreSQL'} server is ${b ? 'loading' : (a ?? '').replace(/ up$| down$/, '')}`,
      advice: [
        'Wait for the server before the program starts (an init container), or let the program try again. A server that never gets ready has a fault of its own.',
      ],
      whereToLook: 'the log and the readiness of the server',
    }),
  },
  {
    id: 'database-rights',
    hints: ['permission denied for', 'permission denied to', 'must be owner of', 'command denied to user', 'not authorized on'],
    pattern:
      /permission denied (?:for (?<kind>table|relation|schema|database|sequence|function|view|column|language|tablespace|foreign server|materialized view|type|procedure)s? "?(?<name>[\w.$-]{1,120})|to (?:create|alter|drop|set|use) (?<kind2>extension|role|database|schema|parameter|tablespace|publication) ?"?(?<name2>[\w.$-]{0,120}))|must be owner of (?<kind3>(?:(?:materialized|foreign|event|large|text search) )?[a-z-]{3,30}) "?(?<name3>[\w.$-]{1,120})|command denied to user '(?<user>[^']{1,100})'(?:@'[^']{0,100}')? for table '?`?(?<name4>[\w.$-]{1,120})|not authorized on (?<name5>[\w.$-]{1,120}) to execute/,
    explain: ({ kind, kind2, kind3, name, name2, name3, name4, name5 }) => {
      const what = [kind ?? kind2 ?? kind3 ?? (name5 ? 'database' : 'table'), name ?? name2 ?? name3 ?? name4 ?? name5]
        .filter(Boolean)
        .join(' ');
      return {
        because: `its database user has no rights on the ${code(what)}`,
        culprit: what,
        advice: [
          'Grant the rights to the user with which the program logs in (`GRANT … TO …`), or let the user own what the migrations create. Since PostgreSQL 15 only the owner of a database may create tables in its schema `public`.',
        ],
        whereToLook: 'the user in the connection settings, and its rights in the database',
      };
    },
  },
  {
    id: 'database-has-already',
    hints: ['already exists', 'duplicate column', 'er_table_exists', 'er_dup_fieldname'],
    pattern:
      /\b(?<kind>relation|table|type|index|schema|constraint|role|database|column|extension|sequence|function|collection|Table|Database|Collection) ["'`]?(?<name>[\w.$-]{1,120})["'`]?(?: of relation "[^"]{1,100}")? already exists|[Dd]uplicate column name ["'`](?<column>[\w.$-]{1,120})/,
    explain: ({ kind = 'column', name, column }) => {
      const what = `${kind.toLowerCase()} ${name ?? column ?? ''}`;
      return {
        because: `it creates the ${code(what)}, which the database already has`,
        culprit: what,
        advice: [
          'The table of applied migrations does not fit the database. Mark the migration as applied, or start from an empty database. Only one pod may run migrations at a time.',
        ],
        whereToLook: 'the table of applied migrations, and who created this before',
      };
    },
  },
  {
    id: 'extension-missing',
    hints: ['extension "', 'extension control file', 'could not access file'],
    pattern:
      /extension "(?<a>[\w-]{1,80})" is not available|extension control file "[^"]{1,200}\/(?<b>[\w-]{1,80})\.control"|could not access file "(?:\$libdir\/)?(?<library>[\w-]{1,80})": No such file/,
    explain: ({ a, b, library }) => ({
      because: library
        ? `the PostgreSQL server has no library ${code(library)}, which \`shared_preload_libraries\` or an extension names`
        : `the PostgreSQL server does not have the extension ${code(a ?? b ?? '')}`,
      culprit: library ? `library ${library}` : `extension ${a ?? b ?? ''}`,
      advice: ['Correct the name, or use an image of the server that has it.'],
      whereToLook: "the server's image, its `args` and its `shared_preload_libraries`",
    }),
  },
  {
    id: 'data-of-another-version',
    hints: [
      'rdb format version',
      'upgrade problem',
      'cannot upgrade a node',
      'cannot downgrade a node',
      'already been bootstrapped',
      'invalid featurecompatibilityversion',
      'cannot downgrade from',
      'database files are incompatible',
      'initialized by postgresql version',
      'is too old for data store',
      'version of the data (',
      'cannot be downgraded',
      'redo log was created with',
      'is for a newer gitea',
      'to a more recent version of',
      'is not supported',
      'is incompatible with your current engine',
    ],
    pattern:
      /database version \((?<written>[\d.]{1,16})\) is incompatible with your current engine|(?<rdb>RDB format version \d{1,4})|(?:UPGRADE PROBLEM|[Ii]nvalid featureCompatibilityVersion).{0,400}?version: \\{0,2}"(?<mongo>[\d.]{1,10})|cannot (?:up|down)grade a node from version \[(?<elastic>[\w.-]{1,40})\]|member (?<member>[0-9a-f]{8,20}) has already been bootstrapped|[Cc]annot downgrade from (?<mysql>\d{3,6}) to|(?<postgres>database files are incompatible with server|initialized by PostgreSQL version [\d.]{1,8})|too old for data store with version v?(?<store>[\d.]{1,12})|version of the data \((?<data>[\d.]{1,16})\) is (?:higher|lower)|cluster cannot be downgraded.{0,80}determined cluster version: (?<cluster>[\d.]{1,12})|redo log was created with (?:MySQL|MariaDB|Percona)? ?(?<redo>[\d.]{1,16})|upgrading from (?<from>\d{1,3}(?:\.\d{1,6}){0,3}) to \d{1,3}(?:\.\d{1,6}){0,3} is not supported|(?<later>is for a newer Gitea|(?:upgraded|migrated) to a more recent version of)/,
    explain: ({ rdb, mongo, elastic, member, ...others }, input) => ({
      because: member
        ? `its data folder is empty, and the cluster already knows it as the member ${code(member)}: its data was lost or is mounted elsewhere`
        : rdb
          ? `its data was written by a newer version (${code(rdb)})`
          : `its data was written by ${others['later'] ? 'a newer' : 'another'} version${versionText(mongo ?? elastic ?? versionIn(input, others))}, from which this one cannot go on`,
      culprit: member
        ? `member ${member}`
        : (rdb ??
          (mongo
            ? `featureCompatibilityVersion ${mongo} of the data`
            : `data of version ${elastic ?? versionIn(input, others) ?? ''} (image ${input.place()?.container?.image ?? ''})`)),
      advice: [
        member
          ? 'Mount its old data, or remove the member from the cluster and add it again (`initial-cluster-state: existing`).'
          : 'Use the version that wrote the data, and go up one step at a time as the program documents it.',
      ],
      corrections:
        member || rdb || others['later'] ? [] : ofDataVersion(input, mongo ?? elastic ?? versionIn(input, others), others['from']),
      whereToLook: "the image's tag of before, and the volume with the data",
    }),
  },
  {
    // A library says this about a server, and a program about its runtime.
    id: 'version-too-old',
    hints: [' or greater', ' or newer', ' or later', ' or higher', ' or above'],
    pattern:
      /\brequires? (?:a |an |at least )?(?<needs>[A-Za-z][\w.+-]{1,40}(?: [A-Za-z]{2,20})?) v?(?<version>\d{1,4}(?:\.\d{1,4}){0,3}) or (?:greater|newer|later|higher|above)\b/,
    explain: ({ needs = '', version = '' }, _, line) => ({
      because: `it needs ${code(`${needs} ${version}`)} or newer: ${quotedLine(line)}`,
      culprit: `${needs} older than ${version}`,
      advice: [`Use ${needs} ${version} or newer, or a version of the program that works with the older one.`],
      whereToLook: `the version of ${needs} that runs here, and the release notes of the program`,
    }),
  },
  {
    id: 'data-broken',
    hints: ['bad file format reading', 'wrong signature trying to load', 'short read or oom', 'corrupt', 'invalid magic'],
    pattern:
      /[Bb]ad file format reading the append only file (?<a>[\w./-]{1,120})|(?<b>Wrong signature trying to load DB from file)|(?<c>Short read or OOM loading DB)|(?:invalid|corrupt\w{0,4}) (?:magic|checkpoint|page|segment|WAL|wal|block|index|database)\b(?:.{0,60}?(?<d>(?<![\w/])\/[\w./-]{2,120}))?/,
    explain: ({ a, b, c, d }, _, line) => ({
      because: `its data is damaged: ${code(phraseIn(line), 160)}`,
      culprit: a ?? d ?? (b || c ? 'the file with its data (RDB)' : phraseIn(line)),
      advice: ['Restore the data from a backup, or repair it with the tool of the program after you have copied it.'],
      whereToLook: 'the volume with the data, and how the program ended last (a full disk, a kill)',
    }),
  },
  {
    // Redis, `stop-writes-on-bgsave-error`; etcd, "Maintenance": Space quota.
    id: 'server-takes-no-writes',
    hints: ['misconf redis', 'database space exceeded'],
    pattern: /(?<redis>MISCONF Redis is configured to save RDB snapshots)|(?<etcd>mvcc: database space exceeded)/,
    explain: ({ redis }, _, line) => ({
      because: redis
        ? 'Redis takes no writes, because it cannot save its data to its disk'
        : 'etcd takes no writes, because its database has reached its space quota',
      culprit: phraseIn(line),
      advice: [
        redis
          ? 'Look at the log of Redis: its volume is full or not writable, or it lacks the memory to fork. Then it takes writes again by itself.'
          : 'Compact and defragment etcd (`etcdctl compact`, `etcdctl defrag`), then clear the alarm (`etcdctl alarm disarm`), or raise `--quota-backend-bytes`.',
      ],
      whereToLook: redis ? 'the volume, the memory and the log of Redis' : '`etcdctl endpoint status` and `etcdctl alarm list`',
    }),
  },
  {
    // Hibernate asks the database for its dialect. Where it cannot, a warning before this line says why.
    id: 'hibernate-dialect',
    hints: ['dialectresolutioninfo cannot be null', 'unable to determine dialect'],
    pattern: /DialectResolutionInfo cannot be null|Unable to determine Dialect/,
    explain: () => ({
      because: 'Hibernate cannot ask the database which dialect it speaks: it has no connection to it',
      culprit: 'connection to the database (hibernate.dialect)',
      advice: ['Correct the address, the name or the login of the database. The warning before this error says which of them is wrong.'],
      whereToLook: 'the log before this line, and the settings of the data source (`SPRING_DATASOURCE_URL`)',
    }),
  },
  {
    // Ruby on Rails, "Securing Rails Applications": Custom Credentials.
    id: 'rails-master-key',
    // The cipher of Ruby wants 16 bytes, which Rails reads from 32 hexadecimal digits.
    hints: ['activesupport::messageencryptor::invalidmessage', 'key must be 16 bytes'],
    pattern:
      /ActiveSupport::MessageEncryptor::InvalidMessage|ArgumentError.{0,80}key must be 16 bytes|key must be 16 bytes.{0,80}ArgumentError/,
    explain: (_, input, line) => {
      const given = input.place()?.container?.env?.find(({ name }) => name === 'RAILS_MASTER_KEY');
      return {
        because: `the master key does not open the encrypted credentials of Rails${given ? ` (${code('RAILS_MASTER_KEY')})` : ''}`,
        culprit: `RAILS_MASTER_KEY (${/key must be 16 bytes|ActiveSupport::MessageEncryptor::InvalidMessage/.exec(line)?.[0] ?? ''})`,
        advice: [
          'Give the container the key with which `config/credentials.yml.enc` of this image was written, without a line break at its end.',
        ],
        whereToLook: 'where `RAILS_MASTER_KEY` or `config/master.key` comes from, and for which environment the credentials are',
      };
    },
  },
  {
    // Elasticsearch and OpenSearch repeat this as a warning.
    id: 'cluster-bootstrap',
    hints: ['to bootstrap a cluster'],
    pattern:
      /must discover (?:master|cluster-manager)-eligible nodes \[(?<wanted>[\w.,: -]{1,300})\] to bootstrap a cluster: have discovered \[\{?(?<own>[\w.-]{1,100})/,
    explain: ({ wanted = '', own = '' }, input) => ({
      because: `it waits for the nodes ${code(wanted)} to form its cluster, and its own name is ${code(own)}`,
      culprit: `initial_master_nodes: ${wanted}`,
      corrections:
        wanted.includes(own) || /[, ]/.test(wanted)
          ? []
          : writtenInstead(
              input,
              { from: wanted, to: own },
              { why: 'the node is called so', explanation: `No node is called ${code(wanted)}.` },
            ),
      advice: ['Name the nodes that form the cluster as they call themselves (`node.name`): the names of the pods.'],
      whereToLook: '`cluster.initial_master_nodes`, `node.name` and the names of the pods',
    }),
  },
  {
    // A client that only says that the broker closed the connection while it opened the virtual host, and an identity server without the realm.
    id: 'name-unknown-to-server',
    hints: ['connectionopenok', 'realm does not exist', 'realm not found', 'realm not enabled'],
    pattern: /(?<vhost>Expected ConnectionOpenOk; got <ConnectionClose)|(?<realm>Realm (?:does not exist|not found|not enabled))/i,
    explain: ({ vhost }, input) => {
      const thing = vhost ? 'vhost' : 'realm';
      const found = nameOfServer(input, thing);
      const what = `${vhost ? 'virtual host' : 'realm'}${found ? ` ${found.wrong}` : ''}`;
      return {
        because: `${vhost ? 'RabbitMQ does not open' : 'the identity server has no'} ${code(what)}`,
        culprit: found ? `${found.name} (${what})` : what,
        corrections: found?.corrections ?? [],
        advice: ['Create it on the server, or correct the name in the settings of the program.'],
        whereToLook: 'the settings of the program, and what the server has',
      };
    },
  },
  {
    id: 'cockroach-alone',
    hints: ['no --join flags provided'],
    pattern: /no --join flags provided to '(?:\S{1,100}\/)?cockroach start'/,
    explain: (_, input) => ({
      because: '`cockroach start` wants the other nodes of its cluster (`--join`)',
      culprit: 'cockroach start without --join',
      corrections: startedAlone(input),
      advice: ['Give every node the others with `--join`, or start the only one with `start-single-node`.'],
      whereToLook: "the container's `args`, and how many replicas the cluster has",
    }),
  },
  {
    // CoreDNS, "loop": a pod of CoreDNS that forwards to the cluster's name server calls itself.
    id: 'coredns-loop',
    hints: ['plugin/loop'],
    pattern: /plugin\/loop: Loop .{1,120} detected for zone/,
    explain: (_, input) => ({
      because: 'it forwards what it does not know to itself',
      culprit: `dnsPolicy: ${input.place()?.spec.dnsPolicy ?? 'ClusterFirst'}`,
      corrections: nodesNameServer(input),
      advice: ["Let the pod use the node's name servers (`dnsPolicy: Default`), and see that these are not the node itself."],
      whereToLook: "the pod's `dnsPolicy`, `forward` in the Corefile, and `/etc/resolv.conf` of the node",
    }),
  },
  {
    id: 'broker-object',
    hints: ['vhost', 'inequivalent arg', 'unknown_topic', 'not_allowed', 'no exchange', 'no queue', 'not present in metadata'],
    pattern:
      /vhost '?(?<vhost>[\w./-]{1,100}?)'? not found|access to vhost '(?<refused>[^']{1,100})'|inequivalent arg '(?<arg>[\w-]{1,60})' for (?<kind>queue|exchange) '(?<name>[^']{1,120})'|no (?<kind2>queue|exchange) '(?<name2>[^']{1,120})'|\{(?<topic>[\w.-]{1,120})=UNKNOWN_TOPIC_OR_PARTITION\}|Topic (?<topic2>[\w.-]{1,120}) not present in metadata/,
    explain: ({ vhost, refused, arg, kind, name, kind2, name2, topic2, topic = topic2 }, input) => {
      const what =
        vhost || refused ? `vhost ${vhost ?? refused}` : topic ? `topic ${topic}` : `${kind ?? kind2 ?? ''} ${name ?? name2 ?? ''}`;
      return {
        because: arg
          ? `RabbitMQ has the ${code(what)} with another ${code(arg)} than the program wants`
          : refused
            ? `its RabbitMQ user has no right to use the ${code(what)}`
            : `${topic ? 'Kafka' : 'RabbitMQ'} has no ${code(what)}`,
        culprit: what,
        corrections: vhost
          ? [...otherNameOf(input, 'vhost', vhost), ...defaultVhost(input, vhost)]
          : topic
            ? otherNameOf(input, 'topic', topic)
            : refused === '/'
              ? ownVhost(input)
              : refused
                ? otherNameOf(input, 'vhost', refused)
                : [],
        advice: [
          arg
            ? 'Delete the queue and let the program create it again, or let the program declare it as it is.'
            : 'Create it on the server, or correct the name in the address or the settings of the program.',
        ],
        whereToLook: 'the address and the settings of the program, and what the server has',
      };
    },
  },
  {
    id: 'client-too-old',
    hints: [
      'authentication protocol requested',
      'authentication method unknown',
      'authentication plugin',
      'unsupported database:',
      'auth_gssapi',
      'pg_dump version',
    ],
    pattern:
      /does not support (?<a>authentication protocol) requested|authentication method unknown to the client \[(?<b>\w{1,60})\]|[Aa]uthentication plugin '(?<c>\w{1,60})'|Unsupported Database: (?<d>[\w .-]{1,60})|server version: (?<server>\d{1,2}(?:\.\d{1,3})?)\b.{0,80}; pg_\w{4,20} version: (?<client>\d{1,2}(?:\.\d{1,3})?)/,
    explain: ({ a, b, c, d, server, client }, input) => ({
      corrections: server ? imageOfVersion(input, server, 'the server') : [],
      because: server
        ? `its tools are of version ${client}, and the server of ${server}`
        : d
          ? `this version of the program does not know the server ${code(d)}`
          : `its client cannot log in as the server wants (${code(a ?? b ?? c ?? '')})`,
      culprit: server ? `version ${client} of the tools, ${server} of the server` : (d?.trim() ?? a ?? b ?? c ?? ''),
      advice: [
        d || server
          ? 'Use a newer version of the program, or a version of the server that it knows.'
          : 'Use a newer client library, or give the user of the database another way to log in.',
      ],
      whereToLook: 'the versions of the client library and of the server',
    }),
  },
  {
    id: 'changelog-lock',
    hints: ['change log lock', 'changelog lock', 'databasechangeloglock'],
    pattern: /(?:acquire|waiting for) change ?log lock/,
    explain: (_, __, line) => {
      const by = /[Ll]ocked by (?<by>[\w.-]{1,120})/.exec(line)?.[1];
      return {
        because: `${by ? code(by) : 'another pod'} holds the change log lock of Liquibase, or was ended while it did`,
        culprit: 'change log lock',
        advice: [
          'If nothing migrates now, release the lock (`liquibase releaseLocks`, or `UPDATE databasechangeloglock SET locked = false`).',
        ],
        whereToLook: `the table \`databasechangeloglock\`, and whether ${by ? code(by) : 'its holder'} still runs`,
      };
    },
  },
];
