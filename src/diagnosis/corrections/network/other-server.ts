import type { ServiceAround } from '../../case.ts';
import { asGuess } from '../combine.ts';
import { replaceTexts } from '../replace-text.ts';
import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { replaceHost } from './host-text.ts';
import { ownService, peerCorrections } from './peer-host.ts';
import { likeness, nearestName } from '../similar-names.ts';
import { code } from '../../rendering/quote.ts';
import { selectsPods } from '../../facts/service.ts';
import type { Correction } from '../correction.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import { mountedSettings } from '../files/mounted-files.ts';
import { textsOf } from '../container-texts.ts';

/** For an existing Service's name in a pod that does not use cluster DNS. The node's resolver does not know Services. */
export function clusterDns(input: RuleInput, host: string): Correction[] {
  const place = input.place();
  const services = input.subject.surroundings?.services ?? [];
  const { hostNetwork, dnsPolicy = 'ClusterFirst' } = place?.spec ?? {};
  const to = hostNetwork ? 'ClusterFirstWithHostNet' : 'ClusterFirst';
  const isAsked = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork);
  if (!place || isAsked) return [];
  const known = host === '' ? calledService(input, place) : services.find(({ name }) => name === host.split('.', 1)[0]);
  if (!known && (host !== '' || !hostNetwork)) return [];
  return [
    {
      title: "Let the pod ask the cluster's DNS",
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'dnsPolicy'),
          to,
          hostNetwork
            ? 'on the network of the node `ClusterFirst` means the DNS of the node'
            : `${code(dnsPolicy)} asks ${dnsPolicy === 'None' ? 'only the servers of `dnsConfig`' : 'the DNS of the node'}`,
        ),
      ],
      confidence: known ? 'likely' : 'guess',
      explanation: known
        ? `There is a Service ${code(known.name)}, and only the cluster's DNS knows it.`
        : "Names of Services are only known to the cluster's DNS.",
      mirrorable: false,
    },
  ];
}

/** The first Service that the container's texts or the ConfigMaps that it mounts call: `http://log-store:3100`. */
function calledService(input: RuleInput, place: ContainerPlace): ServiceAround | undefined {
  const settings = place.container ? mountedSettings(input, place, [place.container]) : [];
  const texts = [textOf(input), ...settings].map((text) => text.slice(0, 20_000));
  const called = new Set(texts.flatMap((text) => [...text.matchAll(CALLED)].map(([, host = '']) => host)));
  return input.subject.surroundings?.services?.find(({ name }) => called.has(name));
}

/** The first label of a host in an address, in quotes, or alone behind a sign of assignment. */
const CALLED = /(?:\/\/|@|["'\s=])([a-z][a-z\d-]{1,62})(?=[.:/"'\s]|$)/g;

/** Ends of names that no cluster gives. */
const isOfInternet = (host: string): boolean =>
  /\.(?:com|org|net|io|dev|app|cloud|info|biz|edu|gov|ai|co|eu|de|fr|nl|uk|us|ch|at)$/i.test(host);

/** For a host that cannot be reached or resolved: the Service that was probably meant, in every variable and argument that names the host. */
export function otherHost(input: RuleInput, host: string, line = ''): Correction[] {
  const labels = host.split('.');
  if (/^\d+$/.test(labels.at(-1) ?? '') || isOfInternet(host)) return [];
  const ofPeer = peerCorrections(input, host);
  if (ofPeer) return ofPeer;
  const names = (input.subject.surroundings?.services ?? []).map(({ name }) => name);
  const meant = shownElsewhere(input, host, names);
  if (meant.some(({ confidence }) => confidence !== 'guess')) return meant;
  const { service, pod } = serviceOf(labels, names);
  if (service === '') return [];
  const own = pod === undefined ? service : `${pod}.${service}`;
  if (names.includes(service)) return withoutDomain(input, host, own);
  const near = nearestName(service, names);
  const far = inOtherNamespace(input, host, own);
  if (near.length > 0)
    return [...near.slice(0, 2).flatMap((guess) => similarHost(input, { host, service, pod }, guess)), ...far.map(asGuess)];
  if (meant.length > 0) return meant;
  if (far.length > 0) return far;
  return isNear(input, labels) ? [...byPort(input, { service, line }), ...ownService(input, service)] : [];
}

/** The Service in a host, and the pod of a StatefulSet before it: `db-0.db`. */
function serviceOf([first = '', second = '', ...more]: string[], names: string[]): { service: string; pod?: string } {
  const isOfPod = (second !== '' || more.length > 0) && /-\d{1,4}$/.test(first) && !names.includes(first);
  return isOfPod ? { service: second, pod: first } : { service: first };
}

/** The host with the name of a Service that is spelt similarly. */
function similarHost(
  input: RuleInput,
  { host, service, pod }: { host: string; service: string; pod: string | undefined },
  guess: string,
): Correction[] {
  const [from, to] = pod === undefined ? [service, guess] : [`${pod}.${service}`, `${pod}.${guess}`];
  const changes = replaceHost(input, { from, to, why: `there is a Service ${code(guess)} and none named ${code(service)}` });
  if (changes.length === 0) return [];
  const explanation = `${likeness(host, guess)}.`;
  return [{ title: `Use Service ${code(guess)}`, changes, confidence: 'likely', explanation, mirrorable: true }];
}

/** Names of servers that many teams give. Such a Service of another namespace need not be the one that was meant. */
const COMMON =
  /^(?:db|database|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|valkey|kafka|rabbitmq|nats|elasticsearch|minio|vault|api|web|app|backend|frontend|server|gateway|cache|queue|broker|proxy)$/;

/** The whole name of the only Service of that name, which lies in another namespace (Kubernetes, "DNS for Services and Pods"). `name` is the host without its namespace. */
function inOtherNamespace(input: RuleInput, host: string, name: string): Correction[] {
  const service = name.split('.').at(-1) ?? '';
  const [namespace, ...more] = input.subject.surroundings?.servicesElsewhere?.find((one) => one.name === service)?.namespaces ?? [];
  if (namespace === undefined || more.length > 0) return [];
  const to = `${name}.${namespace}`;
  const changes =
    host.startsWith(`${to}.`) || host === to
      ? []
      : replaceHost(input, { from: host, to, why: `Service ${code(service)} is in namespace ${code(namespace)}` });
  return changes.length === 0
    ? []
    : [
        {
          title: `Use ${code(to)}`,
          changes,
          confidence: COMMON.test(service) ? 'guess' : 'likely',
          explanation: `The only Service ${code(service)} is in namespace ${code(namespace)}, and a short name is looked up in the namespace of the pod.`,
          mirrorable: true,
        },
      ];
}

/** A variable that stands twice in the list, of which the last one counts: the value of the first, if it names a Service. */
function setTwice(input: RuleInput, host: string, names: string[]): Correction[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const last = env.findLastIndex(({ value }) => value === host);
  const first = env.find(({ name, value }, index) => index < last && name === env[last]?.name && value !== host);
  if (!place || first?.value === undefined || !names.includes(first.value.split('.', 1)[0] ?? '')) return [];
  const why = `${code(first.name)} stands twice in the list, and the last one counts`;
  return [
    {
      title: `Set ${code(first.name)} to ${code(first.value)} in both places`,
      changes: [change(place, fieldPath(place.path, 'env', last, 'value'), first.value, why)],
      confidence: 'likely',
      explanation: `${code(first.name)} is set twice. The first value is a Service, the second one is none.`,
      mirrorable: true,
    },
  ];
}

/** The Service that the pod itself names in another place. */
function shownElsewhere(input: RuleInput, host: string, names: string[]): Correction[] {
  const twice = setTwice(input, host, names);
  return twice.length > 0 || names.includes(host.split('.', 1)[0] ?? '') ? twice : hostOfOthers(input, host);
}

/** The one Service that the other containers of the pod call, on the port that this one calls. */
function hostOfOthers(input: RuleInput, host: string): Correction[] {
  const place = input.place();
  const all = [...(place?.spec.initContainers ?? []), ...(place?.spec.containers ?? [])];
  const others = all.filter(({ name }) => name !== place?.container?.name);
  const text = others
    .flatMap((one) => textsOf(one))
    .join('\n')
    .slice(0, 8000);
  const port = portOf(input, host);
  const isCalled = (name: string): boolean =>
    text.includes(name) && new RegExp(`(?:^|[/@,=\\s])${name.replaceAll(/[^\w-]/g, '')}(?=$|[.:/,\\s])`).test(text);
  const found = (input.subject.surroundings?.services ?? []).filter(
    ({ name, ports }) => (port === undefined || ports?.includes(Number(port)) === true) && isCalled(name),
  );
  const [only, ...more] = found;
  const changes =
    only && more.length === 0
      ? replaceHost(input, { from: host, to: only.name, why: `the other containers of the pod call Service ${code(only.name)}` })
      : [];
  if (!only || changes.length === 0) return [];
  return [
    {
      title: `Use Service ${code(only.name)}`,
      changes,
      // Without a port it may be one that only the others need.
      confidence: port === undefined && nearestName(host.split('.', 1)[0] ?? '', [only.name]).length === 0 ? 'guess' : 'likely',
      explanation: `There is no Service ${code(host)}, and the other containers of the pod call ${code(only.name)}.`,
      mirrorable: true,
    },
  ];
}

/** The port on which the container calls a host, from the same text or from the variable beside it. */
function portOf(input: RuleInput, host: string): string | undefined {
  const service = host.split('.', 1)[0] ?? '';
  return (
    new RegExp(`(?<![\\w.-])${service.replaceAll(/[^\w-]/g, '')}(?:\\.[\\w.-]{1,200})?[: ](\\d{2,5})\\b`).exec(textOf(input))?.[1] ??
    portBeside(input, service)
  );
}

/** Whether a name is one of the failing pod's namespace. */
function isNear({ subject }: RuleInput, [, namespace]: string[]): boolean {
  return namespace === undefined || namespace === subject.namespace;
}

/** Server software with its port, found by the names that people give to the server or that clients print. */
const SOFTWARE: readonly [words: RegExp, port: number][] = [
  [/mysql|maria|percona|\bPDO\b/i, 3306],
  [/postgres|psql|psycopg|\bpg\b/i, 5432],
  [/redis|valkey/i, 6379],
  [/mongo/i, 27017],
  [/rabbit|amqp/i, 5672],
  [/kafka/i, 9092],
  [/elastic|opensearch/i, 9200],
  [/memcache/i, 11211],
  [/\bnats\b/i, 4222],
  [/cassandra|scylla/i, 9042],
  [/mssql|sqlserver|SqlClient/i, 1433],
  [/oracle|\bORA-\d/i, 1521],
  [/zookeeper/i, 2181],
  [/etcd/i, 2379],
];
/** Ports that do not identify the server behind them. */
const ANYBODYS = new Set([80, 443, 3000, 5000, 8000, 8080, 8443]);

/** What operators and charts call the Service of a server that takes writes, and those beside it (CloudNativePG, "Service Management"; Bitnami's charts). */
const MAIN = /-(?:rw|master|primary|write)$/;
const SECONDARY = /-(?:ro?|replicas?|read(?:-only)?|secondary|headless|hl)$/;

/** Without the Services for reading or for single pods, beside the one for everything. */
function mainOnes(services: ServiceAround[]): ServiceAround[] {
  const stems = new Set(services.filter(({ name }) => !SECONDARY.test(name)).map(({ name }) => name.replace(MAIN, '')));
  return services.filter(({ name }) => !SECONDARY.test(name) || !stems.has(name.replace(SECONDARY, '')));
}

/** The only Service with the port that the program calls, or with the usual port of a server of this name. */
function byPort(input: RuleInput, { service, line }: { service: string; line: string }): Correction[] {
  const { subject } = input;
  const called = portOf(input, service);
  const port = called
    ? Number(called)
    : [service, schemeOf(input, service), line].flatMap((text) => SOFTWARE.find(([words]) => words.test(text))?.[1] ?? [])[0];
  if (port === undefined || ANYBODYS.has(port)) return [];
  const [only, ...more] = mainOnes(
    (subject.surroundings?.services ?? []).filter((one) => one.ports?.includes(port) && !selectsPods(one, subject.labels)),
  );
  const changes =
    only && more.length === 0
      ? replaceHost(input, { from: service, to: only.name, why: `Service ${code(only.name)} has port ${port}` })
      : [];
  if (!only || changes.length === 0) return [];
  return [
    {
      title: `Use Service ${code(only.name)}`,
      changes,
      confidence: 'guess',
      explanation: `No Service is named ${code(service)}, and ${code(only.name)} is the only one of the namespace with port ${port}.`,
      mirrorable: true,
    },
  ];
}

/** The scheme of the address with this host: `postgres` of `postgres://app@db/shop`. */
function schemeOf(input: RuleInput, host: string): string {
  return (
    new RegExp(`\\b([a-z][a-z\\d+]{1,20})://(?:[^\\s/@]{1,200}@)?${host.replaceAll(/[^\w-]/g, '')}(?![\\w-])`).exec(textOf(input))?.[1] ??
    ''
  );
}

/** All that the container is started with, as one text. */
function textOf(input: RuleInput): string {
  return textsOf(input.place()?.container).join('\n').slice(0, 4000);
}

/** Calls a Service of this namespace by its short name, instead of with another namespace or a wrong domain. */
function withoutDomain(input: RuleInput, host: string, name: string): Correction[] {
  const [namespace, ...domain] = host.slice(name.length + 1).split('.');
  const isWhole = namespace === input.subject.namespace && /^(?:|svc|svc\.cluster\.local\.?)$/.test(domain.join('.'));
  if (!namespace || isWhole) return [];
  const why = `Service ${code(name)} is in this namespace`;
  const changes = replaceHost(input, { from: host, to: name, why });
  return changes.length === 0
    ? []
    : [
        {
          title: `Use ${code(name)}`,
          changes,
          confidence: 'likely',
          explanation:
            namespace === input.subject.namespace
              ? `${why}; its whole name ends with \`.svc.cluster.local\`.`
              : `${why}, and not in ${code(namespace)}.`,
          mirrorable: true,
        },
      ];
}

/** For a Service with a single port that the program calls on another port: the Service's port, everywhere the wrong one occurs. */
export function otherServicePort(input: RuleInput, host: string, port: string | undefined): Correction[] {
  if (isOfInternet(host)) return [];
  const service = input.subject.surroundings?.services?.find(({ name }) => name === host.split('.', 1)[0]);
  if (!service) return otherHost(input, host);
  const ports = service.ports ?? [];
  const usual = SOFTWARE.find(([words]) => words.test(service.name))?.[1];
  const only = ports.length === 1 ? ports[0] : (ports.find((one) => one === usual) ?? portForClients(service));
  if (only === undefined || port === undefined || ports.some((one) => String(one) === port)) return [];
  const others = ports.filter((one) => one !== only).map((one) => code(one));
  const why = `Service ${code(service.name)} has port ${code(only)} ${others.length === 0 ? 'only' : `and ${others.slice(0, 3).join(', ')}`}`;
  const together = replaceTexts(
    input,
    [':', ' '].map((between) => [`${host}${between}${port}`, `${host}${between}${only}`] as const),
    why,
  );
  const changes = together.length > 0 ? together : ownVariable(input, { host, port, to: String(only), why });
  return changes.length === 0
    ? []
    : [{ title: `Use port ${code(only)}`, changes, confidence: 'likely', explanation: `${why}.`, mirrorable: true }];
}

/** Names of ports that no client of the program itself uses. */
const BESIDE = /admin|metric|health|stat|manage|monitor|debug|probe|prom|status|exporter/i;

/** The only port of a Service whose name is not that of a port for administrators or monitoring. */
function portForClients({ ports = [], portNames = [] }: ServiceAround): number | undefined {
  const found = portNames.flatMap((name, index) => (BESIDE.test(name) ? [] : (ports[index] ?? [])));
  return found.length === 1 ? found[0] : undefined;
}

/** Changes a variable that holds only the port. If there are several, changes the one that belongs to the host's variable. */
function ownVariable(input: RuleInput, { host, port, to, why }: { host: string; port: string; to: string; why: string }): Change[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const prefix = env.find(({ value }) => value === host)?.name.replace(/_?[^_]*$/, '');
  const ports = env.flatMap(({ name, value }, index) => (value === port && /port/i.test(name) ? [{ name, index }] : []));
  const own = ports.length > 1 && prefix ? ports.filter(({ name }) => name.startsWith(prefix)) : ports;
  return place && own.length === 1 ? own.map(({ index }) => change(place, fieldPath(place.path, 'env', index, 'value'), to, why)) : [];
}

/** The only Service with the called port that the container's texts name, for a log that shows only an address. */
export function namedService(input: RuleInput): { host: string; port: string | undefined } | undefined {
  const { services = [] } = input.subject.surroundings ?? {};
  const text = textOf(input);
  const named = services.filter(({ name }) => new RegExp(`(?<![\\w.-])${name.replaceAll(/[^\w-]/g, '')}(?![\\w-])`).test(text));
  const [only, ...others] = named;
  if (!only || others.length > 0) return undefined;
  const port = [...text.matchAll(WITH_PORT), ...text.matchAll(IN_URL)].find(([, host = '']) => host.split('.', 1)[0] === only.name)?.[2];
  return { host: only.name, port: port ?? portBeside(input, only.name) };
}

/** The Service in the variable next to the one with this port: `DB_HOST` next to `DB_PORT`. */
export function serviceOfPort(input: RuleInput, port: string | undefined): { host: string; port: string | undefined } | undefined {
  const env = input.place()?.container?.env ?? [];
  const services = new Set((input.subject.surroundings?.services ?? []).map(({ name }) => name));
  const [only, ...more] = env.filter(({ name, value }) => port !== undefined && value === port && /_PORT$/.test(name));
  const prefix = only?.name.slice(0, -'PORT'.length);
  const [host, ...hosts] = env.filter(
    ({ name, value }) =>
      prefix !== undefined && name !== only?.name && name.startsWith(prefix) && services.has(value?.split('.', 1)[0] ?? ''),
  );
  return more.length === 0 && host?.value !== undefined && hosts.length === 0 ? { host: host.value, port } : undefined;
}

/** The port in the variable next to the host's: `DB_PORT` next to `DB_HOST`. */
function portBeside(input: RuleInput, host: string): string | undefined {
  const env = input.place()?.container?.env ?? [];
  const prefix = env.find(({ value }) => value?.split('.', 1)[0] === host)?.name.replace(/_?[^_]*$/, '');
  if (prefix === undefined) return undefined;
  // A variable `HOST` has its port in `PORT`.
  const [only, ...more] = env.filter(
    ({ name, value }) => (prefix === '' ? name === 'PORT' : name.startsWith(prefix)) && /port/i.test(name) && /^\d{2,5}$/.test(value ?? ''),
  );
  return more.length === 0 ? only?.value : undefined;
}

/** Removes a `hostAliases` entry that overrides the name of a Service. The program called the Service's name or the entry's address. */
export function withoutAlias(input: RuleInput, address: string): { host: string; ip: string; corrections: Correction[] } | undefined {
  const place = input.place(null);
  const aliases = (place?.spec.hostAliases ?? []) as { ip?: string; hostnames?: string[] }[];
  const services = new Set((input.subject.surroundings?.services ?? []).map(({ name }) => name));
  const asked = address.split(':', 1)[0] ?? '';
  const index = aliases.findIndex(
    ({ ip, hostnames }) => (ip === asked || hostnames?.includes(asked)) && hostnames?.some((name) => services.has(name)),
  );
  const host = aliases[index]?.hostnames?.find((name) => services.has(name) && (name === asked || aliases[index]?.ip === asked));
  if (!place || host === undefined) return undefined;
  const path = fieldPath(place.specPath, 'hostAliases');
  const at = aliases.length === 1 ? path : fieldPath(path, index);
  return {
    host,
    ip: aliases[index]?.ip ?? '',
    corrections: [
      {
        title: `Remove the host alias of ${code(host)}`,
        changes: [change(place, at, null, `there is a Service ${code(host)}, which the alias hides`)],
        confidence: 'likely',
        explanation: `\`hostAliases\` leads ${code(host)} to ${code(aliases[index]?.ip ?? '')}.`,
        mirrorable: true,
      },
    ],
  };
}

/** The servers that a command asks. */
export function askedServers(input: RuleInput): { host: string; port: string | undefined }[] {
  const text = textOf(input);
  return [
    ...[...text.matchAll(WITH_PORT), ...text.matchAll(IN_URL)].map(([, host = '', port]) => ({ host, port })),
    ...[...text.matchAll(LOOKED_UP)].map(([, host = '']) => ({ host, port: undefined })),
  ];
}

/** Corrections for the Services that a waiting command names: a misspelled name, or a port that the Service lacks. */
export function waitedServices(input: RuleInput): Correction[] {
  const asked = askedServers(input);
  const seen = new Set<string>();
  return asked.flatMap(({ host, port }) => {
    if (seen.has(host) || seen.size > 8) return [];
    seen.add(host);
    return otherServicePort(input, host, port);
  });
}

const WITH_PORT = /(?<![\w.$/-])([a-z][a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,63}){0,4})[ :](\d{2,5})\b/g;
const IN_URL = /:\/\/(?:[^\s@/]{1,80}@)?([a-z][a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,63}){0,4}):(\d{2,5})\b/g;
const LOOKED_UP =
  /\b(?:nslookup|dig|getent hosts|host|pg_isready -h|redis-cli -h|ping(?: -c ?\d{1,3})?) ([a-z][a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,63}){0,4})/g;
