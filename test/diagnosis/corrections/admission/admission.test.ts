import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { existingAccount, otherAccount } from '../../../../src/diagnosis/corrections/admission/account.ts';
import { lackingCapability } from '../../../../src/diagnosis/corrections/admission/capability.ts';
import {
  needsRoot,
  podSecurityChanges,
  securitySureness,
  takesRights,
} from '../../../../src/diagnosis/corrections/admission/pod-security.ts';
import { pulledAsSaid, withinBound } from '../../../../src/diagnosis/corrections/admission/policy-bound.ts';
import {
  fixedTag,
  listedLabels,
  lowerLimit,
  requiredProbes,
  requiredResources,
} from '../../../../src/diagnosis/corrections/admission/policy.ts';
import { unprivilegedPorts, withoutSysctl } from '../../../../src/diagnosis/corrections/admission/sysctl.ts';
import { aPlace, anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, guess, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';

const test = suite('what admission accepts');
const rows = correctionRows(test);

const accounts = (...serviceAccounts: string[]): CaseParts => ({ surroundings: { serviceAccounts } });
const ACCOUNT = 'spec.serviceAccountName';
const NONE = guess({ [ACCOUNT]: null }, NO_MIRROR);
rows('an account that is not there', {
  'with a slip': [
    existingAccount(anInput({}, { serviceAccountName: 'shp-app' }, accounts('default', 'shop-app')), 'shp-app'),
    [...likely({ [ACCOUNT]: 'shop-app' }, NO_MIRROR), ...NONE],
  ],
  'with a slip of the default one': [
    existingAccount(anInput({}, { serviceAccountName: 'defalt' }, accounts()), 'defalt'),
    [...likely({ [ACCOUNT]: 'default' }, NO_MIRROR), ...NONE],
  ],
  'beside the only one that was made': [
    existingAccount(anInput({}, { serviceAccountName: 'other' }, accounts('default', 'shop')), 'other'),
    [...guess({ [ACCOUNT]: 'shop' }, NO_MIRROR), ...NONE],
  ],
  'beside two that were made': [
    existingAccount(anInput({}, { serviceAccountName: 'other' }, accounts('default', 'shop', 'web')), 'other'),
    NONE,
  ],
  'under both names of the field': [
    existingAccount(anInput({}, { serviceAccountName: 'x', serviceAccount: 'x' }, accounts()), 'x'),
    guess({ [ACCOUNT]: null, 'spec.serviceAccount': null }, NO_MIRROR),
  ],
});
test('where an account comes from', () =>
  assert.equal(
    existingAccount(anInput({}, {}, accounts()), 'defalt').map(({ explanation }) => explanation)[0],
    'Every namespace has the account `default`.',
  ));
const other = (user: string, spec: object, names: string[], parts: object = {}) =>
  otherAccount(anInput({ image: 'x/argo:1' }, spec, { ...accounts(...names), ...parts }), user);
rows('an account that lacks a right', {
  'and the only other one': [other('', {}, ['default', 'shop']), guess({ [ACCOUNT]: 'shop' }, NO_MIRROR)],
  'by its whole name': [other('system:serviceaccount:shop:default', {}, ['shop']), guess({ [ACCOUNT]: 'shop' }, NO_MIRROR)],
  'that is not the own one': [other('system:serviceaccount:shop:other', {}, ['shop']), []],
  'that the pod names': [other('', { serviceAccountName: 'x' }, ['shop']), []],
  'and two others': [other('', {}, ['qqqq', 'zzzz']), []],
  'and two others, one for the image': [other('', {}, ['shop', 'argo']), guess({ [ACCOUNT]: 'argo' }, NO_MIRROR)],
  'and two others, one for the workload': [
    other('', {}, ['shop-worker', 'zzzz'], { workload: { kind: 'Deployment', name: 'shop' } }),
    guess({ [ACCOUNT]: 'shop-worker' }, NO_MIRROR),
  ],
  'and two others, one for the container': [other('', {}, ['app', 'zzzz']), guess({ [ACCOUNT]: 'app' }, NO_MIRROR)],
});

const capability = (line: string, capabilities: object = { drop: ['ALL'] }) =>
  lackingCapability(anInput({ securityContext: { capabilities } }), line);
const ADD = 'securityContext.capabilities.add';
for (const [line, names] of [
  ['chown: Operation not permitted', ['CHOWN']],
  ['changing ownership of x: not permitted', ['CHOWN']],
  ['chmod: not permitted', ['FOWNER']],
  ['changing permissions of x: EPERM', ['FOWNER']],
  ...[
    'setuid',
    'setgid',
    'setresuid',
    'set groups',
    'initgroups',
    'su-exec',
    'gosu',
    'setpriv',
    'su:',
    'switching user',
    'dropping privileges',
  ].map((word) => [`${word} not permitted`, ['SETGID', 'SETUID']] as const),
  ['ping: not permitted', ['NET_RAW']],
  ['raw socket: not permitted', ['NET_RAW']],
  ['mknod: not permitted', ['MKNOD']],
  ['chroot: not permitted', ['SYS_CHROOT']],
  ['bind: not permitted', ['NET_BIND_SERVICE']],
  ['kill: not permitted', ['KILL']],
] as const)
  test(`a capability that was dropped: ${line}`, () => {
    const found = capability(line);
    assert.equal([found?.names, found?.corrections[0]?.confidence], [names, 'likely']);
    assert.equal(found?.corrections[0]?.changes[0]?.to, names);
    assert.is(capability(line, { drop: ['OTHER'] }), undefined, 'that was not dropped');
    assert.is(capability(line, { drop: ['ALL'], add: [...names] }), undefined, 'that was added again');
    assert.ok(capability(line, { drop: [...names] }), 'that was dropped by its name');
  });
for (const [word, name] of [
  ...[
    'RTNETLINK',
    'iptables',
    'ip6tables',
    'nft',
    'nf_tables',
    'netfilter',
    'ip link',
    'tun0',
    'TUNSETIFF',
    'wireguard',
    'ipset',
    'tc',
  ].map((one) => [one, 'NET_ADMIN'] as const),
  ...['mlock', 'locking memory'].map((one) => [one, 'IPC_LOCK'] as const),
  ...['settimeofday', 'clock_settime', 'adjtimex', 'set the clock', "can't set date"].map((one) => [one, 'SYS_TIME'] as const),
  ...['ptrace', 'strace'].map((one) => [one, 'SYS_PTRACE'] as const),
  ...['setpriority', 'sched_setscheduler', 'renice', 'mbind', 'set_mempolicy'].map((one) => [one, 'SYS_NICE'] as const),
  ...['setrlimit', 'ulimit', 'RLIMIT_NOFILE'].map((one) => [one, 'SYS_RESOURCE'] as const),
] as const)
  test(`a capability that no container has: ${word}`, () => {
    const found = capability(`${word}: Operation not permitted`, {});
    assert.equal([found?.names, found?.corrections[0]?.confidence], [[name], 'guess']);
    assert.is(capability(`${word}: it failed`, {}), undefined);
  });
for (const words of ['not permitted', 'EPERM', 'must be root', 'Permission denied', 'Cannot allocate memory'])
  test(`a right that is missing: ${words}`, () => assert.ok(capability(`iptables: ${words}`, {})));
rows('a capability', {
  'beside others': [capability('iptables: not permitted', { add: ['KILL'] }), guess({ [`${ADD}[1]`]: 'NET_ADMIN' }, NO_MIRROR)],
  'two beside others': [
    capability('setuid: not permitted', { drop: ['ALL'], add: ['KILL'] }),
    likely({ [ADD]: ['KILL', 'SETGID', 'SETUID'] }, NO_MIRROR),
  ],
  'with the prefix of the kernel': [
    capability('it: not permitted', { add: ['KILL', 'CAP_NET_ADMIN'] }),
    likely({ [`${ADD}[1]`]: 'NET_ADMIN' }, NO_MIRROR),
  ],
  'of which nothing is said': [capability('it: not permitted', {}), []],
});
test('a capability with a prefix is misspelled', () =>
  assert.equal(
    [
      capability('not permitted', { add: ['CAP_KILL', 'X'] })?.names,
      capability('not permitted', { add: ['CAP_KILL'] })?.isMisspelled,
      capability('permission denied', { add: ['CAP_KILL'] }),
    ],
    [['CAP_KILL'], true, undefined],
  ));

const security = (container: object, spec: object = {}, level: 'baseline' | 'restricted' = 'restricted') => {
  const place = aPlace(container, spec);
  const { changes, complete } = podSecurityChanges(place, level);
  return {
    changed: changes.map(({ path, to }) => [path.replace('spec.containers[0].', ''), to]),
    complete,
    sure: securitySureness(place, changes),
    takes: takesRights(place, changes),
    because: changes[0]?.why,
  };
};
test('what a level of Pod Security asks for', () => {
  const plain = security({});
  assert.ok(plain.complete && plain.changed.some(([path, to]) => path === 'spec.securityContext.runAsUser' && to === 1000));
  assert.match(plain.because ?? '', /^the level forbids that (?:`app`|the pod) .+$/);
  assert.not.ok(
    security({ securityContext: { runAsUser: 5 } }).changed.some(([path]) => String(path).endsWith('runAsUser')),
    'a user is named',
  );
  assert.not.ok(
    security({}, { initContainers: [{ name: 'i', image: 'a', securityContext: { runAsUser: 5 } }] }).changed.some(
      ([path]) => path === 'spec.securityContext.runAsUser',
    ),
    'a user is named in an init container',
  );
  assert.equal(
    security({ securityContext: { privileged: true } }, {}, 'baseline').changed.map(([path]) => path),
    ['securityContext.privileged'],
  );
  assert.equal([plain.sure, plain.takes], ['likely', false]);
  assert.equal(
    [security({ image: 'nginx:1' }).sure, security({ args: ['chown x y'] }).sure, security({ securityContext: { runAsUser: 0 } }).sure],
    ['guess', 'guess', 'guess'],
  );
  assert.is(security({}, { hostNetwork: true }, 'baseline').takes, true);
  const added = { capabilities: { add: ['NET_ADMIN'] } };
  assert.equal(
    [
      security({ securityContext: added }, {}, 'baseline').takes,
      security({ securityContext: { ...added, runAsUser: 5 } }, {}, 'baseline').takes,
      security({ securityContext: added }, { securityContext: { runAsUser: 5 } }, 'baseline').takes,
      security({ securityContext: { ...added, runAsUser: 0 } }, {}, 'baseline').takes,
    ],
    [true, false, false, true],
  );
});
for (const image of [
  'nginx',
  'httpd',
  'postgres',
  'postgis',
  'mysql',
  'mariadb',
  'percona',
  'mongo',
  'rabbitmq',
  'wordpress',
  'nextcloud',
  'drupal',
  'ghost',
  'php',
  'sonarqube',
  'haproxy',
  'squid',
  'vsftpd',
  'openssh-server',
  'docker',
  'kaniko-executor',
])
  test(`${image} begins as root`, () =>
    assert.equal(
      [
        needsRoot(aPlace({ image: `x/${image}:1` })),
        needsRoot(aPlace({ image: `x/${image}-own` })),
        needsRoot(aPlace({ image, securityContext: { runAsUser: 5 } })),
      ],
      [true, false, false],
    ));
for (const command of [
  'chown',
  'chgrp',
  'chroot',
  'mount',
  'umount',
  'iptables',
  'nft',
  'sysctl',
  'modprobe',
  'insmod',
  'setcap',
  'apk',
  'apt-get',
  'yum',
  'dnf',
  'adduser',
  'useradd',
  'su-exec',
  'gosu',
  'setpriv',
  'runuser',
  'sudo',
  'su',
  'mknod',
  'nsenter',
  'tcpdump',
  'ping',
  'dockerd',
  'containerd',
  'sshd',
  'crond',
  'cron',
])
  test(`${command} needs root`, () =>
    assert.equal(
      [
        needsRoot(aPlace({ command: ['sh', '-c', `x; ${command} y`] })),
        needsRoot(aPlace({}, { initContainers: [{ name: 'i', image: 'a', args: [command] }] })),
        needsRoot(aPlace({ args: [`x${command}x`] })),
      ],
      [true, true, false],
    ));
test('a container needs the root that the pod sets', () =>
  assert.equal(
    [
      needsRoot(aPlace({}, { securityContext: { runAsUser: 0 } })),
      needsRoot(aPlace({ securityContext: { runAsUser: 5 } }, { securityContext: { runAsUser: 0 } })),
      needsRoot(aPlace({})),
    ],
    [true, false, false],
  ));

const GRACE = 'spec.terminationGracePeriodSeconds';
const bound = (message: string, seconds = 90) =>
  withinBound(aPlace({}, { terminationGracePeriodSeconds: seconds }), `terminationGracePeriodSeconds ${message}`)?.changes.map(
    ({ path, to }) => [path, to],
  )[0];
for (const [message, seconds, to] of [
  ...[
    'must not exceed 60',
    'must not be more than 60',
    'must not be greater than 60',
    'must not be longer than 60',
    'must never be above 60',
    'must be at most 60',
    'no more than 60',
    'no longer than 60',
    'must be less than or equal to 60',
    'up to 60',
    'is limited to 60',
    'is capped at 60',
    'exceeds the maximum of 60',
    'is greater than the allowed 60',
    'is above the limit 60',
    'maximum is 60',
    'max allowed value: 60',
    '<= 60',
    '60 or less',
    '60 at most',
    '60 maximum',
    'must be between 10 and 60',
    'must not exceed 1m',
    'must be at most 60s',
    'must not exceed 1 minute',
  ].map((one) => [one, 90, 60] as const),
  ...[
    'must not be less than 120',
    'must never be below 120',
    'must be at least 120',
    'no less than 120',
    'must be greater than or equal to 120',
    'is less than the minimum of 120',
    'is below the minimum 120',
    'is under 120',
    'minimum is 120',
    '>= 120',
    '120 or more',
    '120 minimum',
    'must be at least 2 minutes',
  ].map((one) => [one, 90, 120] as const),
  ['must be less than 60', 90, 59],
  ['must be below 60', 60, 59],
  ['must be greater than 120', 90, 121],
  ['should be above 120', 120, 121],
  ['of 90 < 60', 90, 59],
  ['must be at most 1h', 9000, 3600],
  ['must be at most 90', 90, undefined],
  ['must be at least 90', 90, undefined],
  ['must be less than 91', 90, undefined],
  ['must be set', 90, undefined],
] as const)
  test(`a bound of a policy: ${message}, and it is ${seconds}`, () =>
    assert.equal(bound(message, seconds), to === undefined ? undefined : [GRACE, to]));
const limited = (message: string, container: object, spec: object = {}) => withinBound(aPlace(container, spec), message);
const CPU2 = { resources: { limits: { cpu: '2' }, requests: { cpu: '1500m' } } };
rows('a bound of a policy', {
  'for a limit, and its request': [
    limited('the cpu limit must not exceed 1', CPU2),
    guess({ 'resources.limits.cpu': '1', 'resources.requests.cpu': '1' }, NO_MIRROR),
  ],
  'for a limit by its path': [limited('limits.cpu must be at most 1900m', CPU2), guess({ 'resources.limits.cpu': '1900m' }, NO_MIRROR)],
  'before the field': [
    limited('at most 30 for terminationGracePeriodSeconds', {}, { terminationGracePeriodSeconds: 90 }),
    likely({ [GRACE]: 30 }, NO_MIRROR),
  ],
  'far from the field': [
    limited(`terminationGracePeriodSeconds ${'x '.repeat(60)} must be at most 30`, {}, { terminationGracePeriodSeconds: 90 }),
    [],
  ],
  'for a threshold': [
    limited('failureThreshold must be at most 3', { livenessProbe: { failureThreshold: 9 } }),
    likely({ 'livenessProbe.failureThreshold': 3 }, NO_MIRROR),
  ],
  'for a value of the program': [limited('port must be at most 3', { env: [{ name: 'port', value: '9' }] }), []],
  'for a longer name': [limited('myterminationGracePeriodSeconds must be at most 30', {}, { terminationGracePeriodSeconds: 90 }), []],
  'for a short name': [limited('gid must be at most 30', {}, { gid: 90 }), []],
});
const PULL = (message: string, container: object = {}, spec: object = {}) => pulledAsSaid(aPlace(container, spec), message);
rows('how images are pulled', {
  always: [
    PULL('imagePullPolicy must be set to "Always"', {}, { initContainers: [{ name: 'i', image: 'a' }] }),
    likely({ 'spec.initContainers[0].imagePullPolicy': 'Always', imagePullPolicy: 'Always' }, NO_MIRROR),
  ],
  'if not present': [PULL('imagePullPolicy: IfNotPresent'), guess({ imagePullPolicy: 'IfNotPresent' }, NO_MIRROR)],
  'as they are': [PULL('imagePullPolicy must be Always', { imagePullPolicy: 'Always' }), []],
  'of which nothing is said': [PULL('images must be Always'), []],
});

const images = (...known: string[]): CaseParts => ({ surroundings: { images: known } });
const tags = (message: string, image: string, known: string[], spec: object = {}) => {
  const input = anInput({ image }, spec, images(...known));
  return fixedTag(input, input.place()!, message);
};
rows('a tag that does not move', {
  'of the cluster': [tags('An image tag is required', 'web', ['web:1', 'web:latest']), likely({ image: 'web:1' }, NO_MIRROR)],
  'one of two': [tags('using a mutable image tag', 'web:latest', ['web:1', 'web:2']), guess({ image: 'web:2' }, NO_MIRROR)],
  'for all containers': [
    tags('disallowed tag', 'web', ['web:1', 'init:3'], {
      initContainers: [
        { name: 'i', image: 'init' },
        { name: 'j', image: 'x:1' },
      ],
    }),
    likely({ 'spec.initContainers[0].image': 'init:3', image: 'web:1' }, NO_MIRROR),
  ],
  'for only some containers': [tags('disallowed tag', 'web', ['web:1'], { initContainers: [{ name: 'i', image: 'init' }] }), []],
  'that it has': [tags('latest', 'web:1', ['web:2']), []],
  'that is a digest': [tags('latest', `web@sha256:${'a'.repeat(64)}`, ['web:2']), []],
  'of which nothing is said': [tags('images must be signed', 'web', ['web:1']), []],
});
for (const words of [
  'mutable tag',
  'mutable image tag',
  'disallowed tag',
  'image tag is required',
  'tag is required',
  'specify an image tag',
  'not latest',
])
  test(`a tag that does not move: ${words}`, () => assert.ok(tags(words, 'web', ['web:1'])));

const workload = (labels: object, own: object = {}, owner: object = {}) => {
  const input = anInput(
    {},
    {},
    {
      manifest: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', labels },
        spec: { template: { metadata: { labels: own }, spec: { containers: [{ name: 'app', image: 'a' }] } } },
      },
    },
  );
  return { ...input, subject: { ...input.subject, owner: { metadata: { name: 'web', ...owner } } as never } };
};
const labels = (message: string, input = workload({ team: 'blue' }, { app: 'x' })) => listedLabels(input, input.place()!, message);
const AT = (key: string) => `spec.template.metadata.labels.${key}`;
rows('a label that a policy asks for', {
  'that the workload has': [labels('label "team" is required'), likely({ [AT('team')]: 'blue' }, NO_MIRROR)],
  'that nobody has': [labels('the "owner" label is required'), guess({ [AT('owner')]: 'shop' }, NO_MIRROR)],
  'that names the program': [labels('label `name` is required'), guess({ [AT('name')]: 'web' }, NO_MIRROR)],
  'that the pods have': [labels('label "app" is required'), []],
  'of Gatekeeper': [
    labels('you must provide labels: {"team", "owner"}'),
    guess({ [AT('team')]: 'blue', [AT('owner')]: 'shop' }, NO_MIRROR),
  ],
  'of a rule of Kyverno': [labels('failed at path /spec/template/metadata/labels/team/'), likely({ [AT('team')]: 'blue' }, NO_MIRROR)],
  'with a slash': [
    labels('failed at path /metadata/labels/x.io/team/', workload({ 'x.io/team': 'red' })),
    likely({ 'spec.template.metadata.labels["x.io/team"]': 'red' }, NO_MIRROR),
  ],
  'in an expression': [labels("'team' in object.metadata.labels"), likely({ [AT('team')]: 'blue' }, NO_MIRROR)],
  'in an index': [labels('metadata.labels["team"]'), likely({ [AT('team')]: 'blue' }, NO_MIRROR)],
  'as a field': [labels('metadata.labels.team is missing'), likely({ [AT('team')]: 'blue' }, NO_MIRROR)],
  'of the owner': [
    labels('label "team" is required', workload({}, {}, { labels: { team: 'green' } })),
    likely({ [AT('team')]: 'green' }, NO_MIRROR),
  ],
  'of which nothing is said': [labels('it is required'), []],
});

const res = (message: string, container: object = {}, spec: object = {}) => requiredResources(aPlace(container, spec), message);
rows('resources that a policy asks for', {
  'requests and limits': [
    res('CPU and memory resource requests and limits are required'),
    guess(
      {
        'resources.requests.cpu': '100m',
        'resources.requests.memory': '128Mi',
        'resources.limits.cpu': '500m',
        'resources.limits.memory': '256Mi',
      },
      NO_MIRROR,
    ),
  ],
  'limits of memory': [res('memory limits must be set'), guess({ 'resources.limits.memory': '256Mi' }, NO_MIRROR)],
  'requests of all': [
    res('requests are missing'),
    guess({ 'resources.requests.cpu': '100m', 'resources.requests.memory': '128Mi' }, NO_MIRROR),
  ],
  'as much as the other one': [
    res('memory limit is required', { resources: { requests: { memory: '1Gi' } } }),
    guess({ 'resources.limits.memory': '1Gi' }, NO_MIRROR),
  ],
  'that are there': [res('memory limit is required', { resources: { limits: { memory: '1Gi' } } }), []],
  'of init containers too': [
    res('cpu requests are required', { resources: { requests: { cpu: '1' } } }, { initContainers: [{ name: 'i', image: 'a' }] }),
    guess({ 'spec.initContainers[0].resources.requests.cpu': '100m' }, NO_MIRROR),
  ],
  'that are too high': [res('memory limit exceeds what is required'), []],
  without: [res('containers without limits'), guess({ 'resources.limits.cpu': '500m', 'resources.limits.memory': '256Mi' }, NO_MIRROR)],
  'of which nothing is said': [res('pods are required'), []],
});
const high = (message: string, cpu = '2') =>
  lowerLimit(
    aPlace({ resources: { limits: { cpu } } }, { initContainers: [{ name: 'i', image: 'a', resources: { limits: { cpu } } }] }),
    message,
  );
rows('a limit that is too high', {
  'for a policy': [
    high('container <app> cpu limit <2> is higher than the maximum allowed of <1>'),
    guess({ 'spec.initContainers[0].resources.limits.cpu': '1', 'resources.limits.cpu': '1' }, NO_MIRROR),
  ],
  'of another number': [high('cpu limit <3> is higher than the maximum allowed of <1>'), []],
  'in another message': [high('cpu limit <2> is high'), []],
});
const HTTP = { ports: [{ containerPort: 80 }] };
const TCP = { tcpSocket: { port: 80 }, periodSeconds: 10 };
const probes = (message: string, container: object = HTTP, spec: object = {}) => requiredProbes(aPlace(container, spec), message);
rows('probes that a policy asks for', {
  'of readiness': [probes('a readiness probe is required'), guess({ readinessProbe: TCP }, NO_MIRROR)],
  'of both kinds': [probes('liveness and readiness probes are required'), guess({ livenessProbe: TCP, readinessProbe: TCP }, NO_MIRROR)],
  'of which there is one': [
    probes('liveness and readiness probes are required', { ...HTTP, livenessProbe: {} }),
    guess({ readinessProbe: TCP }, NO_MIRROR),
  ],
  'of any kind': [probes('probes are required'), guess({ readinessProbe: TCP }, NO_MIRROR)],
  'of a container without a port': [probes('probes are required', {}), []],
  'that are there': [probes('readinessProbe must be set', { ...HTTP, readinessProbe: {} }), []],
  'that are not asked for': [probes('the readiness probe is slow'), []],
});

const FIRST = { name: 'net.ipv4.ip_unprivileged_port_start', value: '80' };
const SYSCTLS = 'spec.securityContext.sysctls';
const sysctls = (...all: object[]) => ({ securityContext: { sysctls: all } });
rows('low ports for all users', {
  'of the pod': [unprivilegedPorts(anInput()), likely({ [SYSCTLS]: [{ ...FIRST, value: '0' }] }, NO_MIRROR)],
  'beside another parameter': [
    unprivilegedPorts(anInput({}, sysctls({ name: 'a', value: '1' }))),
    likely({ [`${SYSCTLS}[1]`]: { ...FIRST, value: '0' } }, NO_MIRROR),
  ],
  'where the parameter is higher': [
    unprivilegedPorts(anInput({}, sysctls({ name: 'a', value: '1' }, FIRST))),
    likely({ [`${SYSCTLS}[1].value`]: '0' }, NO_MIRROR),
  ],
  'where it comes first': [unprivilegedPorts(anInput({}, sysctls(FIRST))), likely({ [`${SYSCTLS}[0].value`]: '0' }, NO_MIRROR)],
  'of the node': [unprivilegedPorts(anInput({}, { hostNetwork: true })), []],
});
rows('a kernel parameter that goes', {
  'among others': [withoutSysctl(aPlace({}, sysctls(FIRST, { name: 'a', value: '1' })), 'a'), likely({ [SYSCTLS]: [FIRST] })],
  alone: [withoutSysctl(aPlace({}, sysctls({ name: 'a', value: '1' })), 'a'), likely({ [SYSCTLS]: null })],
  'that is not there': [withoutSysctl(aPlace({}, sysctls(FIRST)), 'a'), []],
});

test.run();
