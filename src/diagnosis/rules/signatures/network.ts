import { siblingPort } from '../../corrections/network/sibling-port.ts';
import { declaredPort, freePort, holderOf, secondPort, sharedPort } from '../../corrections/network/other-port.ts';
import { unprivilegedPorts } from '../../corrections/admission/sysctl.ts';
import { withColon } from '../../corrections/settings/argument.ts';
import { asSidecar, helperIn } from '../../corrections/command/container-order.ts';
import type { Correction } from '../../corrections/correction.ts';
import { peerAdvice } from '../../corrections/network/peer-host.ts';
import { code } from '../../rendering/quote.ts';
import {
  clusterDns,
  namedService,
  otherHost,
  otherServicePort,
  serviceOfPort,
  withoutAlias,
} from '../../corrections/network/other-server.ts';
import { nearestName } from '../../corrections/similar-names.ts';
import { foundInLogs, logBehind } from '../../facts/log-sections.ts';
import { kubectl } from '../../rendering/commands.ts';
import { type RuleInput } from '../../facts/input.ts';
import { ofService } from './empty-service.ts';
import { nameServerRefused, ofPolicies } from './network-policies.ts';
import { ownNetwork } from '../../corrections/placement/own-network.ts';
import { serviceForOwnHost } from '../../corrections/network/own-host.ts';
import { hostInPort, hostWithBlank, hostWithScheme } from '../../corrections/network/host-with-scheme.ts';
import { redisUrl } from '../../corrections/network/redis-url.ts';
import { ownAddressGiven, unknownHost } from '../../corrections/network/unnamed-host.ts';
import { addressIn, hostIn } from './address.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

/** Service and namespace in the whole name of a Service of another namespace: `istiod.istio-system.svc`. */
function elsewhere({ subject }: RuleInput, host: string): { service: string; namespace: string } | undefined {
  const [, service = '', namespace = ''] =
    /^([a-z][\w-]{0,62})\.([a-z][\w-]{0,62})\.svc(?:\.cluster\.local\.?)?(?::\d{1,5})?$/.exec(host) ?? [];
  return namespace === '' || namespace === subject.namespace ? undefined : { service, namespace };
}

function dependency(host: string, input: RuleInput): string[] {
  const { subject } = input;
  const other = elsewhere(input, host);
  if (other) return [kubectl({ ...subject, namespace: other.namespace }, 'get', 'services,endpoints,pods')];
  return [kubectl(subject, 'get', 'services,endpoints'), ...(host ? [kubectl(subject, 'get', 'pods', '-o', 'wide')] : [])];
}

function splitAddress(address: string): [host: string, port: string | undefined] {
  const [host = '', port] = address.split(':');
  return [host, port];
}

/** Explains why a name has no address. A Service of that name exists without one only if it is headless or has type `ExternalName`. */
function unknownName(input: RuleInput, host: string): string {
  const ofPeer = peerAdvice(input, host);
  if (ofPeer) return ofPeer;
  const other = elsewhere(input, host);
  if (other)
    return `There is no Service ${code(other.service)} in the namespace ${code(other.namespace)}, or no such namespace. If the name is right, whoever runs it must bring it back.`;
  const isThere = input.subject.surroundings?.services?.some(({ name }) => name === host) === true;
  return isThere
    ? `The Service ${code(host)} exists. If it is of type \`ExternalName\`, check that the host in \`externalName\` exists. If it is headless, check that its pods are ready.`
    : 'Check the spelling, the namespace (`name.namespace` reaches a Service in another one), and that the Service exists.';
}

/** Names the Service that was probably meant, and the ConfigMap whose file has the wrong name. No change to the pod can correct a file. */
function inAFile(input: RuleInput, host: string, line: string): string[] {
  const place = input.place();
  const [service] = nearestName(
    host.split('.', 1)[0] ?? '',
    (input.subject.surroundings?.services ?? []).map(({ name }) => name),
  );
  const file = /(?<![\w/])(?:\/[\w.@+-]{1,80}){2,12}/.exec(line)?.[0];
  const mount = place?.container?.volumeMounts?.find(
    ({ mountPath }) => file === mountPath || file?.startsWith(`${mountPath.replace(/\/$/, '')}/`),
  );
  const map = place?.spec.volumes?.find(({ name }) => name === mount?.name)?.configMap?.name;
  if (file === undefined || !map) return [];
  const key = mount?.subPath ?? file.slice(file.lastIndexOf('/') + 1);
  return [
    service
      ? `Write ${code(service)}, which is a Service, in place of ${code(host)} in the key ${code(key)} of ConfigMap ${code(map)} (${code(file)}).`
      : `Correct the name in the key ${code(key)} of ConfigMap ${code(map)} (${code(file)}), or create a Service of this name.`,
  ];
}

/** Whether a name stays unknown because nobody answers, and not because the DNS says so (resolver(5): `EAI_AGAIN`). */
function isUnanswered({ subject }: RuleInput, host: string, line: string): boolean {
  const isThere = subject.surroundings?.services?.some(({ name }) => name === host.split('.', 1)[0]) === true;
  return isThere || /EAI_AGAIN|[Tt]emporary failure|[Tt]imed? ?out|bad address/.test(line);
}

/** Whether the address is the loopback, which all containers of a pod share. */
const isOwnPod = (address: string): boolean => /^(?:127\.\d|localhost\b|\[?::1\b)/.test(address);

/** An init container calls a container of its own pod, which starts only after all init containers. */
function laterContainer(input: RuleInput, address: string): Correction[] {
  const [, port] = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\]):(\d{1,5})$/.exec(address) ?? [];
  const place = input.place();
  const name = place?.container?.name;
  if (!place || name === undefined || port === undefined || !place.spec.initContainers?.some((one) => one.name === name)) return [];
  const server = place.spec.containers.find(
    ({ ports = [], command = [], args = [] }) =>
      ports.some(({ containerPort }) => String(containerPort) === port) ||
      [...command, ...args].some((word) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(word)),
  );
  const helper = server?.name ?? helperIn(place);
  return helper === undefined ? [] : asSidecar(place, helper, name);
}

/** The only Service that the container names, if its port does not contradict this address. */
function namedAs(input: RuleInput, said: string): ReturnType<typeof namedService> {
  const service = namedService(input) ?? serviceOfPort(input, splitAddress(said)[1]);
  const [, port] = splitAddress(said);
  return service?.port === undefined || port === undefined || service.port === port ? service : undefined;
}

/** The server of Laravel's database, which its messages do not name (Laravel, "Database: Getting Started"). */
function ofLaravel(input: RuleInput, line: string): ReturnType<typeof namedService> {
  const valueOf = (wanted: string) => input.place()?.container?.env?.find(({ name }) => name === wanted)?.value;
  const host = /\(Connection: \w{2,20}[,)]/.test(line) ? valueOf('DB_HOST') : undefined;
  return host ? { host, port: valueOf('DB_PORT') } : undefined;
}

/** The only Service that the container's texts name, where they call it on a port that it does not have. */
function onOtherPort(input: RuleInput, line: string): ReturnType<typeof namedService> {
  const service = ofLaravel(input, line) ?? namedService(input);
  return service && otherServicePort(input, service.host, service.port).length > 0 ? service : undefined;
}

const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}/;

const aliased = ({ host, ip, corrections }: NonNullable<ReturnType<typeof withoutAlias>>, input: RuleInput) => ({
  because: `a host alias of the pod leads ${code(host)} to ${code(ip)}, where nothing answers`,
  culprit: `hostAliases: ${host} at ${ip}`,
  advice: [`Remove ${code(host)} from \`hostAliases\`: the cluster's DNS knows the Service.`],
  commands: dependency(host, input),
  corrections,
  whereToLook: "the pod's `hostAliases`",
});

/** The port in a line about a refused `bind`: after an address, in a Python address tuple, or alone. A position in a file is not a port. */
function lowPort(line: string): Pick<Meaning, 'because' | 'culprit'> {
  const port =
    /(?:^|[\s'"([]|\d{1,3}(?:\.\d{1,3}){3}|\*|\]|localhost):(\d{1,4})(?!\d)/.exec(line)?.[1] ??
    /\('[\w.:]{0,60}', (\d{1,4})\)/.exec(line)?.[1] ??
    /\bport[ =:]{1,2}(\d{1,4})\b/i.exec(line)?.[1];
  return {
    because: `its user is not allowed to open port ${port ? code(port) : 'numbers below 1024'}`,
    culprit: port ? `port ${port}` : 'privileged port',
  };
}

/** The address that refuses a connection. libpq before version 14 asks about the server in the lines behind the error. */
function refusedAddress(input: RuleInput, line: string): string {
  const behind = /could not connect to server/i.test(line) ? logBehind(input.subject, line).slice(0, 300).replaceAll('\n', ' ') : '';
  return addressIn(line) || addressIn(behind) || (/\((\d{1,3}(?:\.\d{1,3}){3})\)/.exec(line)?.[1] ?? '') || ownAddressGiven(input);
}

/** Host names that do not resolve, servers that cannot be reached, and certificates that are not accepted. */
export const networkSignatures: readonly Signature[] = [
  {
    id: 'name-server-silent',
    hints: [':53', 'no servers could be reached'],
    pattern:
      /\blookup (?<host>[\w.-]{1,253}) on (?<server>[\w.:[\]]{2,60}:53): .{0,200}?(?<how>i\/o timeout|timed out|connection refused|network is unreachable|no route to host|operation not permitted)|(?<none>no servers could be reached)/,
    explain: ({ host, server, how, none }, input) => ({
      because: `the name server${server ? ` ${code(server)}` : ''} does not answer${host ? ` when the program looks up ${code(host)}` : ''}: ${code(how ?? none ?? '')}`,
      culprit: `name server${server ? ` ${server}` : ''}: ${how ?? none ?? ''}${host ? ` (lookup ${host})` : ''}`,
      advice: [
        'Let the pods reach port 53 of the name server (UDP and TCP): a NetworkPolicy with egress rules must allow it. If no pod of the cluster gets an answer, look at CoreDNS.',
      ],
      commands: [
        kubectl(input.subject, 'get', 'networkpolicies'),
        kubectl({ ...input.subject, namespace: 'kube-system' }, 'get', 'pods', '-l', 'k8s-app=kube-dns'),
      ],
      whereToLook: 'the NetworkPolicies of the namespace, and CoreDNS',
      elsewhere: 'The name server does not answer. No name in the manifest is known to be wrong.',
      ...(how === 'connection refused' ? undefined : nameServerRefused(input)),
    }),
  },
  {
    id: 'name-unknown',
    hints: [
      'no such host',
      'enotfound',
      'name or service not known',
      'name resolution',
      'unknownhostexception',
      'could not resolve host',
      'nodename nor servname',
      'host not found',
      'could not translate host name',
      'eai_again',
      'name does not resolve',
      'bad address',
      'unknown host',
      'getaddrinfo',
      "can't resolve",
      'nxdomain',
      'unknown mysql server host',
      'no address associated',
      'cannot resolve',
      'resolve proxy',
      'could not resolve address',
      "couldn't resolve",
      'socketerror',
      'lookup host',
    ],
    pattern:
      /no such host|not known|[Rr]esolve proxy|name resolution|not resolve(?! placeholder| dependenc| all | symbol| module| type| import| parameter|(?: the)? config|(?: the)? expression|(?: the)? reference|(?: the)? class)|[Cc](?:an(?:'t|not)|ould(?:n't| not)) resolve (?!dependenc|all |symbol|module|type|import|placeholder|parameter|(?:the )?config|(?:the )?expression|(?:the )?reference|(?:the )?class)|NXDOMAIN|nxdomain|host not found|\bENOTFOUND|EAI_AGAIN|UnknownHost|[Uu]nknown (?:MySQL server )?host|bad address|getaddrinfo|nodename nor servname|could not translate|(?:couldn't|could not|cannot|failed to) lookup host|[Nn]o address associated|[Cc]onnecting to .{1,200}\(SocketError\)/i,
    explain: (_, input, line) => {
      const host = hostIn(line) || unknownHost(input);
      const wrong = hostWithScheme(input, line) ?? hostWithBlank(input, host) ?? hostInPort(input, host);
      if (wrong)
        return {
          ...wrong,
          advice: ['Write the name of the server into the setting of its host, and nothing else.'],
          whereToLook: "the container's variables and `args` with the address",
        };
      const ownDns = clusterDns(input, host);
      const refused = isUnanswered(input, host, line) && ownDns.length === 0 ? nameServerRefused(input) : undefined;
      if (refused) return { ...refused, culprit: `${refused.culprit}${host ? ` (lookup ${host})` : ''}` };
      const whose = ownDns.length > 0 ? "the DNS that this pod asks, which is not the cluster's" : "the cluster's DNS";
      return ofService(input, host, {
        because: host
          ? `the name ${code(host)} is not known to ${whose}`
          : `a host name is not known to ${ownDns.length > 0 ? whose : 'the DNS'}`,
        culprit:
          ownDns.length > 0 ? `${host ? `${host}: ` : ''}dnsPolicy ${input.place()?.spec.dnsPolicy ?? 'ClusterFirst'}` : host || null,
        advice: [...inAFile(input, host, line), unknownName(input, host)],
        commands: dependency(host, input),
        corrections: [...ownDns, ...otherHost(input, host, line)],
        whereToLook: host
          ? `the variable or file that names ${code(host)}, the Services of that namespace, and CoreDNS when several names fail`
          : 'the address that the program uses, and CoreDNS',
      });
    },
  },
  {
    id: 'address-without-port',
    hints: ['missing port in address'],
    pattern: /address (?<port>\d{2,5}): missing port in address/,
    explain: ({ port = '' }, input) => ({
      because: `it wants an address, and ${code(port)} is only a port`,
      culprit: `address ${port}`,
      advice: ['Write the port with a colon before it.'],
      corrections: withColon(input, port),
      whereToLook: "the container's `args`, `command` and variables",
    }),
  },
  {
    id: 'connection-refused',
    hints: [
      'connection refused',
      'econnrefused',
      'connectionrefused',
      'refused',
      'connect exception',
      'connectexception',
      'actively refused',
      'could not connect to server',
      "can't connect to",
    ],
    pattern:
      /[Cc]onnection (?:was |attempt )?refused|ECONNREFUSED|ConnectionRefused|ConnectException|actively refused|connection to .{1,260} refused|refused the connection|could not connect to server|can't connect to .{1,200}\((?:111|61)\b/i,
    explain: (_, input, line) => {
      const said = refusedAddress(input, line);
      const isNumber = IP_ADDRESS.test(said);
      const alias = said === '' ? undefined : withoutAlias(input, said);
      const service = (isNumber || said === '') && !alias && !said.startsWith('127.') ? namedAs(input, said) : undefined;
      const address = service ? `${service.host}${service.port ? `:${service.port}` : ''}` : (alias?.host ?? said);
      if (alias) return aliased(alias, input);
      return ofService(input, address, {
        because: address ? `nothing answers at ${code(address)}` : 'a server it needs refuses the connection',
        culprit: address || null,
        advice: [
          isOwnPod(address)
            ? `${code(address)} is the pod itself, and nothing in it listens there. Name the Service of the server instead.`
            : `Make sure that the server${address ? ` at ${code(address)}` : ''} runs and is ready, and that the port is the Service's.`,
        ],
        commands: dependency(address, input),
        corrections: [
          ...clusterDns(input, splitAddress(address)[0]),
          ...laterContainer(input, address),
          ...siblingPort(input, address),
          ...serviceForOwnHost(input, address),
          ...redisUrl(input, address),
          ...otherServicePort(input, ...splitAddress(address)),
        ],
        whereToLook: `${address ? code(address) : 'the server'}: its pods, its Service's port and endpoints, and the variable that names it`,
      });
    },
  },
  {
    id: 'connection-timeout',
    hints: [
      'i/o timeout',
      'etimedout',
      'connection timed out',
      'timed out',
      'no route to host',
      'ehostunreach',
      'network is unreachable',
      'deadline exceeded',
      'connecttimeout',
      'timeout expired',
    ],
    pattern:
      /i\/o timeout|ETIMEDOUT|[Cc]onnection timed out|[Nn]o route to host|EHOSTUNREACH|[Nn]etwork is unreachable|ConnectTimeout|timeout expired|connect.{0,200}(?:timed out|timeout|deadline exceeded)/i,
    explain: (_, input, line) => {
      const said = addressIn(line) || hostIn(line);
      const alias = withoutAlias(input, said);
      if (alias) return aliased(alias, input);
      const service = IP_ADDRESS.test(said) ? namedAs(input, said) : said === '' ? onOtherPort(input, line) : undefined;
      const address = service ? `${service.host}${service.port ? `:${service.port}` : ''}` : said;
      const meaning = ofService(input, address, {
        because: address ? `${code(address)} does not answer in time` : 'a server it needs does not answer in time',
        culprit: address || phraseIn(line),
        advice: ['A timeout, and not a refusal, points at a NetworkPolicy, a firewall, or an address that nobody has.'],
        commands: [kubectl(input.subject, 'get', 'networkpolicies'), ...dependency(address, input)],
        corrections: [...clusterDns(input, splitAddress(address)[0]), ...otherServicePort(input, ...splitAddress(address))],
        whereToLook: 'NetworkPolicies of both namespaces, firewalls, and the address itself',
      });
      return ofPolicies(input, address, meaning);
    },
  },
  {
    // The line names the server, but not the reason.
    id: 'no-connection',
    hints: ['connect', 'reach', 'waiting', 'no servers available'],
    pattern:
      /It was not possible to connect to the redis server|no servers available for connection|(?:[Cc]ould(?: not|n't)|[Cc]an(?:not|'?t| not)|[Uu]nable to|[Ff]ailed to|[Ee]rror) (?:connect(?:ing)? (?:to )?|reach |(?:establish|open) (?:a )?connection (?:to|with) ).{0,80}?[A-Za-z][\w.-]{1,252}['"`]?:['"`]?\d{2,5}\b(?!:)|(?:[Tt]ime(?:d |-)?out|[Gg]ave up|[Gg]iving up)\b.{0,60}\bwaiting .{0,100}?[A-Za-z][\w.-]{1,252}:\d{2,5}\b/,
    explain: (_, input, line) => {
      const address = addressIn(line);
      return {
        because: address ? `it cannot connect to ${code(address)}` : `it cannot connect to a server: ${quotedLine(line)}`,
        culprit: address || phraseIn(line),
        advice: ['Compare the address with the Service and its port, and see whether its pods are ready.'],
        commands: dependency(address, input),
        corrections: [
          ...laterContainer(input, address),
          ...siblingPort(input, address),
          ...otherServicePort(input, ...splitAddress(address)),
        ],
        whereToLook: `${address ? code(address) : 'the server'}: its pods, its Service's port and endpoints, and the variable that names it`,
      };
    },
  },
  {
    // pgJDBC says so of every address with which no connection comes about. The host is in a line below at best.
    id: 'connection-attempt',
    vague: true,
    hints: ['connection attempt failed'],
    pattern: /The connection attempt failed\b/,
    explain: (_, input, line) => {
      const host = unknownHost(input);
      return {
        because: host ? `no Service has the name ${code(host)} of its database` : `it cannot connect to its database: ${quotedLine(line)}`,
        culprit: host || phraseIn(line),
        advice: ['Compare the address of the database with the Services, and see whether its pods are ready.'],
        commands: dependency(host, input),
        corrections: otherHost(input, host, line),
        whereToLook: `${host ? code(host) : 'the database'}: its pods, its Service, and the variable that names it`,
      };
    },
  },
  {
    id: 'port-in-use',
    hints: ['address already in use', 'eaddrinuse', 'bindexception', 'address in use', 'already in use', 'only one usage of each socket'],
    pattern:
      /(?:EADDRINUSE.{0,60}?(?::+|\bport )(?<a>\d{2,5})|(?:address|port|\[::\]|0\.0\.0\.0|\*|listen|bind|tcp).{0,80}?:(?<b>\d{2,5})\b.{0,80}(?:in use)|[Pp]ort (?<c>\d{2,5}) (?:is |was )?already in use|(?:address|bind).{0,60}in use|EADDRINUSE|BindException)/i,
    explain: ({ a, b, c }, input, line) => {
      const port = a ?? b ?? c ?? sharedPort(input) ?? '';
      const ofNode = input.place(null)?.spec.hostNetwork === true ? ' of the node' : '';
      const holder = port === '' ? undefined : holderOf(input, port);
      return {
        because: port
          ? `port ${code(port)}${ofNode} is already in use${holder === undefined ? '' : ` by container ${code(holder)}`}`
          : `its port${ofNode} is already in use`,
        culprit: port ? `port ${port}` : 'port in use',
        corrections: [...ownNetwork(input, port), ...[...freePort(input, port), ...secondPort(input, port, line)].slice(0, 1)],
        advice: [
          ofNode === ''
            ? 'All containers of a pod share its ports. Give one of those that want this one another port, in its setting, its `ports` and its probes.'
            : 'With `hostNetwork` the ports are those of the node. Give this container a port that is free there, in its setting, its `ports` and its probes.',
        ],
        whereToLook: 'the other containers of the pod, `hostNetwork`, and whether the program starts itself twice',
      };
    },
  },
  {
    id: 'port-privileged',
    hints: ['bind', 'listen', 'socketexception (13)', 'socketexception: permission denied', '[errno 13]'],
    pattern:
      /SocketException(?: \(13\)|: Permission denied)|(?:bind|listen).{0,160}?(?:[Pp]ermission denied|EACCES)|[Pp]ermission denied.{0,120}?(?:bind|listen)|connection to \('[\w.:]{0,60}', \d{1,4}\) failed: \[Errno 13\]/,
    explain: (_, input, line) => ({
      ...lowPort(
        /SocketException/.test(line)
          ? `port ${foundInLogs(input.subject, /bind to address \S{1,100}?:(\d{1,5})\b|\b(?:start|bind|listen)\w{0,3} .{0,80}? on \S{0,60}?:(\d{1,4})\b/)}`
          : line,
      ),
      advice: ["Let the program listen on a port above 1023 and point `containerPort`, probes and the Service's `targetPort` there."],
      corrections: [...declaredPort(input), ...unprivilegedPorts(input)],
      whereToLook: "the program's port setting; the capability `NET_BIND_SERVICE` would be a right that the pod does not have",
    }),
  },
];
