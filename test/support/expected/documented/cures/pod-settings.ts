import type { PodSpec } from '../../../../../src/crd/kubernetes.ts';
import type { CureRow } from './cure.ts';
import { container, controller, node, one, other, pod, serves, waits } from '../documented.ts';
import { app, crash, map, service } from './rows.ts';

const refused = (message: string, spec: PodSpec, is: object): CureRow => ({
  object: controller('ReplicaSet', 'shop', spec),
  events: [['FailedCreate', `Error creating: pods "shop-x" is forbidden: ${message}`]],
  is: { reason: 'FailedCreate', ...is } as CureRow['is'],
});

/** Settings of the pod and values of the manifest that break a program. */
export const POD_SETTINGS: Record<string, CureRow> = {
  'a variable of a Service that the program takes for its own': crash(
    "ValueError: invalid literal for int() with base 10: 'tcp://10.96.12.7:6379'",
    {},
    { culprit: /REDIS_PORT=tcp/, best: { 'spec.enableServiceLinks': false } },
    [service('redis', 6379)],
  ),
  'the same address, set by the manifest itself': crash(
    'panic: strconv.Atoi: parsing "tcp://10.96.12.7:8080": invalid syntax',
    { env: [{ name: 'PEER', value: 'tcp://10.96.12.7:8080' }] },
    { culprit: /PEER=tcp/, best: null },
  ),
  'the DNS of the node, by its network': crash(
    'Error: getaddrinfo ENOTFOUND postgres',
    {},
    { culprit: /postgres/, best: { 'spec.dnsPolicy': 'ClusterFirstWithHostNet' } },
    [service('postgres', 5432)],
    { hostNetwork: true, dnsPolicy: 'ClusterFirst' },
  ),
  'the DNS of the node, by the policy': crash(
    'could not translate host name "postgres" to address: Name or service not known',
    {},
    { culprit: /postgres/, best: { 'spec.dnsPolicy': 'ClusterFirst' } },
    [service('postgres', 5432)],
    { dnsPolicy: 'Default' },
  ),
  'a Service of this namespace, called in another one': crash(
    'Error: getaddrinfo ENOTFOUND postgres.data.svc.cluster.local',
    { env: [{ name: 'DB', value: 'postgres.data.svc.cluster.local' }] },
    { culprit: /postgres\.data/, best: { [`${app}.env[0].value`]: 'postgres' } },
    [service('postgres', 5432)],
  ),
  'a variable that is used before it is defined': crash(
    'Error: getaddrinfo ENOTFOUND $(DB_HOST)',
    {
      env: [
        { name: 'URL', value: 'postgres://$(DB_HOST)/x' },
        { name: 'DB_HOST', value: 'pg' },
      ],
    },
    {
      culprit: /\$\(DB_HOST\)/,
      best: { [`${app}.env[0].value`]: 'postgres://pg/x' },
    },
  ),
  'a variable that is written with a slip': crash(
    'dial tcp: lookup $(DB_HSOT): no such host',
    {
      env: [
        { name: 'DB_HOST', value: 'pg' },
        { name: 'URL', value: 'postgres://$(DB_HSOT)/x' },
      ],
    },
    { culprit: /DB_HSOT/, best: { [`${app}.env[1].value`]: 'postgres://$(DB_HOST)/x' } },
  ),
  'a variable as a shell would write it': crash(
    'error: cannot listen on port "$PORT"',
    { command: ['server', '--port', '$PORT'], env: [{ name: 'PORT', value: '8080' }] },
    { culprit: /\$PORT/, best: { [`${app}.command[2]`]: '$(PORT)' } },
  ),
  'a value with a line end': crash(
    'parse "http://api:8080\\n": net/url: invalid control character in URL',
    { env: [{ name: 'API_URL', value: 'http://api:8080\n' }] },
    { culprit: /API_URL/, best: { [`${app}.env[0].value`]: 'http://api:8080' } },
  ),
  'a value with a slip, and those that are allowed': crash(
    'error: invalid value "inof" for LOG_LEVEL (must be one of: debug, info, warn)',
    { env: [{ name: 'LOG_LEVEL', value: 'inof' }] },
    { culprit: /LOG_LEVEL=inof/, best: { [`${app}.env[0].value`]: 'info' } },
  ),
  'a number as a word': crash(
    "ValueError: invalid literal for int() with base 10: 'eight'",
    { env: [{ name: 'WORKERS', value: 'eight' }] },
    { culprit: /WORKERS=eight/, best: { [`${app}.env[0].value`]: '8' }, confidence: ['likely'] },
  ),
  'an option with a slip, and the usage': crash(
    'Error: unknown flag: --prot\nUsage:\n  server [flags]\nFlags:\n  --port int   port to listen on',
    { command: ['server', '--prot', '8080'] },
    { culprit: /--prot/, best: { [`${app}.command[1]`]: '--port' } },
  ),
  'a low port and a user that is not root': crash(
    'Error: listen EACCES: permission denied 0.0.0.0:80',
    { securityContext: { runAsUser: 1000 } },
    {
      culprit: /^port 80$/,
      best: { 'spec.securityContext.sysctls': [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] },
    },
  ),
  'a low port in one word with its option': crash(
    'Error: listen EACCES: permission denied 0.0.0.0:80',
    { args: ['--port=80'], ports: [{ containerPort: 8080 }], securityContext: { runAsUser: 1000 } },
    { culprit: /^port 80$/, best: { [`${app}.args[0]`]: '--port=8080' } },
  ),
  'a file under another name than its key': crash(
    "FileNotFoundError: [Errno 2] No such file or directory: '/etc/app/config.yml'",
    { volumeMounts: [{ name: 'c', mountPath: '/etc/app' }] },
    { culprit: /config\.yml/, best: { 'spec.volumes[0].configMap.items': [{ key: 'config.yaml', path: 'config.yml' }] } },
    [map('cfg', 'config.yaml')],
    { volumes: [{ name: 'c', configMap: { name: 'cfg' } }] },
  ),
  'a volume that the container does not mount': crash(
    'open /tls/tls.crt: no such file or directory',
    {},
    { culprit: /tls\.crt/, best: { [`${app}.volumeMounts`]: [{ name: 't', mountPath: '/tls' }] } },
    [other('Secret', 'web-tls', { data: { 'tls.crt': '', 'tls.key': '' } })],
    { volumes: [{ name: 't', secret: { secretName: 'web-tls' } }] },
  ),
  'a path with a variable that there is not': {
    object: one(
      'shop',
      waits('CreateContainerConfigError', 'failed to expand subPathExpr: missing value for "POD_NAM"'),
      { env: [{ name: 'POD_NAME', value: 'x' }], volumeMounts: [{ name: 'c', mountPath: '/logs', subPathExpr: '$(POD_NAM)' }] },
      { volumes: [{ name: 'c', emptyDir: {} }] },
    ),
    is: { reason: 'CreateContainerConfigError', culprit: /POD_NAM/, best: { [`${app}.volumeMounts[0].subPathExpr`]: '$(POD_NAME)' } },
  },
  'a readiness gate that nothing opens': {
    object: {
      ...pod(
        'shop',
        { containers: [{ name: 'app', image: 'web' }], readinessGates: [{ conditionType: 'lb/ready' }] },
        [container('app', serves())],
        {
          status: { conditions: [{ type: 'ContainersReady', status: 'True', lastTransitionTime: '2026-06-01T00:00:10Z' }] },
        },
      ),
    },
    is: { reason: 'ReadinessGatesNotReady', culprit: /lb\/ready/, best: { 'spec.readinessGates': null }, confidence: ['guess'] },
  },
  'a limit that is too many times its request': refused(
    'cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
    { containers: [{ name: 'app', image: 'n', resources: { limits: { cpu: '2' }, requests: { cpu: '500m' } } }] },
    { culprit: /cpu/, best: { 'spec.template.spec.containers[0].resources.requests.cpu': '1' } },
  ),
  'two containers that are too large together': {
    object: (() => {
      const asks = { requests: { cpu: '1500m' } };
      const made = one('shop', {}, {}, {});
      made.spec.containers = ['a', 'b'].map((name) => ({ name, image: 'n', resources: asks }));
      delete made.spec.nodeName;
      const message = '0/1 nodes are available: 1 Insufficient cpu.';
      made.status = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] };
      return made;
    })(),
    others: [node('a')],
    is: {
      reason: 'Unschedulable',
      culprit: /cpu/,
      best: { [`${app}.resources.requests.cpu`]: '500m', 'spec.containers[1].resources.requests.cpu': '500m' },
    },
  },
};
