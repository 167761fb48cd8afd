import { unprivilegedPorts } from '../../corrections/sysctl.ts';
import { withColon } from '../../corrections/argument.ts';
import { code } from '../../rendering/quote.ts';
import { clusterDns, namedService, otherHost, otherServicePort, withoutAlias } from '../../corrections/environment.ts';
import { kubectl } from '../commands.ts';
import type { RuleInput } from '../rule.ts';
import { addressIn, hostIn } from './address.ts';
import type { Signature } from './signature.ts';

const dependency = (host: string, input: RuleInput) => [
  kubectl(input.subject, 'get', 'services,endpoints'),
  ...(host ? [kubectl(input.subject, 'get', 'pods', '-o', 'wide')] : []),
];

function splitAddress(address: string): [host: string, port: string | undefined] {
  const [host = '', port] = address.split(':');
  return [host, port];
}

const aliased = ({ host, corrections }: NonNullable<ReturnType<typeof withoutAlias>>, address: string, input: RuleInput) => ({
  because: `a host alias of the pod leads ${code(host)} to ${code(address)}, where nothing answers`,
  culprit: `hostAliases: ${host} at ${address}`,
  advice: [`Remove ${code(host)} from \`hostAliases\`: the cluster's DNS knows the Service.`],
  commands: dependency(host, input),
  corrections,
  whereToLook: "the pod's `hostAliases`",
});

/** Servers that cannot be reached, and certificates that are not accepted. */
export const networkSignatures: readonly Signature[] = [
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
    ],
    pattern:
      /no such host|not known|name resolution|not resolve|[Cc]an(?:'t|not) resolve|NXDOMAIN|host not found|\bENOTFOUND|EAI_AGAIN|UnknownHost|[Uu]nknown (?:MySQL server )?host|bad address|getaddrinfo|nodename nor servname|could not translate|[Nn]o address associated/i,
    explain: (_, input, line) => {
      const host = hostIn(line);
      return {
        because: host ? `the name ${code(host)} is not known to the cluster's DNS` : 'a host name is not known to the DNS',
        culprit: host || null,
        advice: ['Check the spelling, the namespace (`name.namespace` reaches a Service in another one), and that the Service exists.'],
        commands: dependency(host, input),
        corrections: [...clusterDns(input, host), ...otherHost(input, host)],
        whereToLook: host
          ? `the variable or file that names ${code(host)}, the Services of that namespace, and CoreDNS when several names fail`
          : 'the address that the program uses, and CoreDNS',
      };
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
    ],
    pattern:
      /[Cc]onnection (?:was |attempt )?refused|ECONNREFUSED|ConnectionRefused|ConnectException|actively refused|connection to .{1,260} refused|refused the connection|could not connect to server/i,
    explain: (_, input, line) => {
      const said = addressIn(line) || (/\((\d{1,3}(?:\.\d{1,3}){3})\)/.exec(line)?.[1] ?? '');
      const isNumber = /^(?:\d{1,3}\.){3}\d{1,3}/.test(said);
      const alias = isNumber ? withoutAlias(input, said) : undefined;
      const service = isNumber && !alias ? namedService(input) : undefined;
      const address = service ? `${service.host}${service.port ? `:${service.port}` : ''}` : (alias?.host ?? said);
      if (alias) return aliased(alias, said, input);
      return {
        because: address ? `nothing answers at ${code(address)}` : 'a server it needs refuses the connection',
        culprit: address || null,
        advice: [
          `Make sure that the server${address ? ` at ${code(address)}` : ''} runs and is ready, and that the port is the Service's.`,
        ],
        commands: dependency(address, input),
        corrections: otherServicePort(input, ...splitAddress(address)),
        whereToLook: `${address ? code(address) : 'the server'}: its pods, its Service's port and endpoints, and the variable that names it`,
      };
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
      const address = addressIn(line) || hostIn(line);
      return {
        because: address ? `${code(address)} does not answer in time` : 'a server it needs does not answer in time',
        culprit: address || null,
        advice: ['A timeout, and not a refusal, points at a NetworkPolicy, a firewall, or an address that nobody has.'],
        commands: [kubectl(input.subject, 'get', 'networkpolicies'), ...dependency(address, input)],
        corrections: otherHost(input, address.split(':', 1)[0] ?? ''),
        whereToLook: 'NetworkPolicies of both namespaces, firewalls, and the address itself',
      };
    },
  },
  {
    id: 'certificate',
    hints: ['x509', 'certificate', 'sslhandshake', 'pkix', 'ssl_error', 'tls handshake', 'self signed', 'self-signed', 'ssl: '],
    pattern:
      /(?:x509: (?<what>.{1,160})|certificate (?:has expired|verify failed|is not (?:yet valid|trusted)|signed by unknown)|self[- ]signed certificate|PKIX path|SSLHandshakeException|unable to (?:get|verify).{0,30}certificate|(?:CERT|SSL)_[A-Z_]{3,60}|cannot load certificate ["']?(?<file>[^\s"']{1,300})|tls: .{1,120}|unable to load (?:client |server )?cert)/i,
    explain: ({ what, file }, _, line) => ({
      because: file ? `the certificate ${code(file)} cannot be loaded` : `a certificate is not accepted${what ? ` (${code(what)})` : ''}`,
      culprit: file ?? what ?? line.slice(0, 200),
      advice: [
        'Check its expiry, its names and its issuer. The certificate of a private authority must be mounted, and the program must use it.',
      ],
      whereToLook: 'the Secret with the certificate (`openssl x509 -noout -dates -subject -ext subjectAltName`) and the clock of the node',
    }),
  },
  {
    id: 'port-in-use',
    hints: ['address already in use', 'eaddrinuse', 'bindexception', 'address in use', 'already in use', 'only one usage of each socket'],
    pattern:
      /(?:EADDRINUSE.{0,60}?:+(?<a>\d{2,5})|(?:address|port|\[::\]|0\.0\.0\.0|\*|listen|bind|tcp).{0,80}?:(?<b>\d{2,5})\b.{0,80}(?:in use)|[Pp]ort (?<c>\d{2,5}) (?:is |was )?already in use|(?:address|bind).{0,60}in use|EADDRINUSE|BindException)/i,
    explain: ({ a, b, c }) => {
      const port = a ?? b ?? c ?? '';
      return {
        because: port ? `port ${code(port)} is already in use` : 'its port is already in use',
        culprit: port ? `port ${port}` : 'port in use',
        advice: [
          'All containers of a pod share its ports (with `hostNetwork` those of the node). Give one of the two another port, in its setting, its `ports` and its probes.',
        ],
        whereToLook: 'the other containers of the pod, `hostNetwork`, and whether the program starts itself twice',
      };
    },
  },
  {
    id: 'port-privileged',
    hints: ['bind', 'listen'],
    pattern:
      /(?:bind|listen).{0,100}?(?::(?<port>\d{1,4})\b.{0,60})?(?:permission denied|EACCES|\(13: Permission denied\))(?:[^:]{0,60}:(?<after>\d{1,4})\b)?/i,
    explain: ({ port: before, after, port = before ?? after }, input) => ({
      because: `its user may not open port ${port ? code(port) : 'numbers below 1024'}`,
      culprit: port ? `port ${port}` : 'privileged port',
      advice: ["Let the program listen on a port above 1023 and point `containerPort`, probes and the Service's `targetPort` there."],
      corrections: unprivilegedPorts(input),
      whereToLook: "the program's port setting; the capability `NET_BIND_SERVICE` would be a right that the pod does not have",
    }),
  },
];
