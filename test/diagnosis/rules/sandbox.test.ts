import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { initWaiting } from '../../../src/diagnosis/rules/init-waiting.ts';
import { sandbox } from '../../../src/diagnosis/rules/sandbox.ts';
import { anInput, type CaseParts } from '../../support/builders/cases.ts';
import { tells, type Told, told } from '../../support/builders/told-by-rule.ts';

const pods = suite('pods without a sandbox, and pods that wait for an init container');

interface Pod extends CaseParts {
  app?: object;
  spec?: object;
}
const boxed = (message: string, { app = {}, spec = {}, ...more }: Pod = {}) =>
  sandbox.answer(
    anInput(app, spec, {
      failure_reason: 'ContainerCreating',
      container: null,
      container_statuses: [],
      events: [{ reason: 'FailedCreatePodSandBox', message: `Failed to create pod sandbox: ${message}` }],
      ...more,
    }),
  );

const KATA = 'rpc error: code = Unknown desc = no runtime for "kata" is configured';
const SYSCTL = 'open /proc/sys/net/core/somax: no such file or directory';
const MEANINGS: [message: string, because: string, advice: string, look: string][] = [
  [
    'container init was OOM-killed',
    'the memory limit of its containers is too low to start any process',
    'Raise the memory limit',
    'the memory limits of the containers',
  ],
  [
    KATA,
    'the node does not have the runtime that its runtime class names (`kata`)',
    'Install the runtime on the nodes',
    '`kubectl get runtimeclasses`',
  ],
  [
    SYSCTL,
    'the kernel of the node does not have, or does not let the pod set, a parameter in `securityContext.sysctls` (`net/core/somax`)',
    'Correct the name of the parameter',
    '`securityContext.sysctls` of the pod',
  ],
  [
    'network-attachment-definitions.k8s.cni.cncf.io "vlan" not found',
    'it asks for a further network that nobody has defined (`vlan`)',
    'Correct the name in the annotation',
    '`kubectl get network-attachment-definitions`',
  ],
  [
    'failed to construct FQDN from pod hostname',
    'its host name with the domain of the cluster is longer than the 64 characters that the kernel takes',
    'Remove `setHostnameAsFQDN`',
    '`setHostnameAsFQDN`',
  ],
  [
    'cannot make user namespaces',
    'with `hostUsers: false` it asks for a user namespace, which the node cannot give it',
    'Use nodes whose kernel',
    "the node's kernel and container runtime",
  ],
  [
    'failed to allocate for range 0: no IP addresses available',
    'the node has no free address for it',
    'Give the network more addresses',
    "the network plugin's address pool",
  ],
  [
    'cni plugin not initialized',
    'the network plugin cannot set up its network',
    'Look at the pods of the network plugin',
    'the pods of the network plugin',
  ],
  [
    'failed to get sandbox image "pause:3"',
    'the image of the sandbox cannot be pulled',
    'Check the pause image',
    "the container runtime's configuration on the node",
  ],
  [
    'name "web" is reserved for "abc"',
    'the runtime still has an earlier sandbox with this name',
    'This usually ends by itself',
    "the container runtime's log on the node",
  ],
  [
    'no space left on device',
    'the node has run out of something (disk, files, processes)',
    "Look at the node's conditions",
    "the node's conditions and its log",
  ],
  [
    'it is Tuesday',
    'the container runtime cannot create its sandbox: `it is Tuesday`',
    'The message comes from the node',
    "the container runtime's log on the node",
  ],
];
for (const [message, because, advice, look] of MEANINGS)
  pods(message, () => {
    const answer = told(boxed(message))!;
    assert.is(answer.summary, `The pod \`web\` cannot start: ${because}.`);
    assert.ok(answer.advice[0]?.startsWith(advice), answer.advice[0]);
    assert.ok(answer.look?.startsWith(look), answer.look);
    assert.is(answer.why, `The manifest is not the cause: ${because.replace(/(?: \(`[^)]*\)|: `[^`]*`)$/, '')}.`);
  });

type Row = [sentence: string, answer: ReturnType<typeof sandbox.answer>, expected: Partial<Told> | undefined];
const own = { spec: { hostUsers: false } };
const DENIED = 'runc create failed: newuidmap: operation not permitted';
const BOXES: Row[] = [
  ['another failure', boxed('', { events: [] }), undefined],
  [
    'a runtime class',
    boxed(KATA, { spec: { runtimeClassName: 'kata' } }),
    {
      summary:
        'The pod `web` cannot start: the node does not have the runtime that its runtime class names (`kata`, runtime class `kata`).',
      culprit: 'runtime kata',
      evidence: [
        'event FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = no runtime for "kata" is configured',
      ],
      commands: ['kubectl describe pod web -n shop', 'kubectl get runtimeclasses'],
      corrections: [['guess', "Use the node's default runtime", { 'spec.runtimeClassName': null }, 'no mirror']],
    },
  ],
  [
    'a runtime class without the name of its runtime',
    boxed('runtime class is unknown: RuntimeHandler "kata" not supported'),
    { culprit: 'runtime kata', corrections: [] },
  ],
  [
    'a parameter',
    boxed(SYSCTL, { spec: { securityContext: { sysctls: [{ name: 'net.core.somax', value: '1' }] } } }),
    {
      culprit: 'sysctl net.core.somax',
      commands: ['kubectl describe pod web -n shop', 'kubectl get pods -n kube-system -o wide'],
      corrections: [['likely', 'Remove the kernel parameter `net.core.somax`', { 'spec.securityContext.sysctls': null }]],
    },
  ],
  [
    'a limit',
    boxed('container init was OOM-killed', { app: { resources: { limits: { memory: '1Mi' } } } }),
    {
      culprit: 'memory limit 1Mi',
      corrections: [
        ['likely', 'Raise the memory limit to `64Mi`', { 'resources.limits.memory': '64Mi' }],
        ['guess', 'Raise the memory limit to `256Mi`', { 'resources.limits.memory': '256Mi' }],
      ],
    },
  ],
  [
    'a host name',
    boxed('failed to construct FQDN from pod hostname', { spec: { setHostnameAsFQDN: true } }),
    {
      culprit: 'failed to construct FQDN from pod hostname',
      corrections: [['likely', 'Remove `setHostnameAsFQDN`', { 'spec.setHostnameAsFQDN': null }]],
    },
  ],
  ['a host name that the manifest does not ask for', boxed('failed to construct FQDN from pod hostname'), { corrections: [] }],
  [
    'users',
    boxed('cannot make user namespaces', own),
    {
      culprit: 'hostUsers: false',
      corrections: [['guess', 'Remove `hostUsers`', { 'spec.hostUsers': null }, 'no mirror']],
    },
  ],
  [
    'users that the manifest does not ask for',
    boxed('cannot make user namespaces', { spec: { hostUsers: true } }),
    {
      culprit: 'cannot make user namespaces',
      corrections: [],
    },
  ],
  [
    'users of which the runtime does not speak',
    boxed(DENIED, own),
    {
      summary: 'The pod `web` cannot start: with `hostUsers: false` it asks for a user namespace, which the node cannot give it.',
      culprit: 'hostUsers: false',
      corrections: [['guess', 'Remove `hostUsers`', { 'spec.hostUsers': null }, 'no mirror']],
    },
  ],
  [
    'the same without users',
    boxed(DENIED),
    {
      summary: 'The pod `web` cannot start: the container runtime cannot create its sandbox: `newuidmap: operation not permitted`.',
      culprit: 'newuidmap: operation not permitted',
    },
  ],
  ['resources, with users', boxed('cgroup: invalid argument', own), { culprit: 'hostUsers: false' }],
  ['another cause, with users', boxed('it is Tuesday', own), { culprit: 'it is Tuesday' }],
  ['a network, with users', boxed('cni plugin: permission denied', own), { culprit: 'network: cni plugin: permission denied' }],
  [
    'a network',
    boxed('rpc error: code = Unknown desc = failed to setup network for sandbox "0a1b": plugin type="bridge" failed'),
    { culprit: 'network: plugin type="bridge" failed' },
  ],
  [
    'the id of the sandbox is left out',
    boxed('rpc error: code = Unknown desc = failed to start sandbox "0a1b2c": it is Tuesday'),
    {
      summary: 'The pod `web` cannot start: the container runtime cannot create its sandbox: `it is Tuesday`.',
      culprit: 'it is Tuesday',
    },
  ],
];
for (const [sentence, answer, expected] of BOXES) pods(`a sandbox: ${sentence}`, () => tells(answer, expected));

const init = { name: 'wait', kind: 'init' as const, state: 'running' as const, ready: false };
const waits = (line: string | undefined, { spec, app = {}, ...more }: Pod = {}) =>
  initWaiting.answer(
    anInput(
      {},
      { initContainers: [{ name: 'wait', image: 'busybox', ...app }], ...spec },
      {
        failure_reason: 'PodInitializing',
        container: 'wait',
        container_statuses: [init],
        ...(line === undefined ? {} : { logs: `==> wait (current) <==\n${line}\n` }),
        ...more,
      },
    ),
  );
const services = (...all: object[]) =>
  ({ surroundings: { services: all.map((one) => ({ name: 'db', ports: [5432], selector: { app: 'db' }, ...one })) } }) as CaseParts;
const named = (name: string, app: object = {}): Pod => ({
  container: name,
  container_statuses: [{ ...init, name }],
  spec: { initContainers: [{ name, image: 'x', ...app }] },
});
const helper = (name: string, line: string, app: object = {}) => ({ ...named(name, app), logs: `==> ${name} (current) <==\n${line}\n` });
const WAITS: Row[] = [
  ['no init container runs', waits('x', { container_statuses: [{ ...init, state: 'terminated' }] }), undefined],
  ['a container runs that is no init container', waits('x', { container_statuses: [{ ...init, kind: 'app' }] }), undefined],
  ['another init container', waits('x', { container: 'app' }), undefined],
  [
    'no container is named',
    waits('x', { container: null }),
    {
      summary: 'Init container `wait` runs and does not end, so the containers after it never start; its last log line is `x`.',
      culprit: 'init container wait',
    },
  ],
  [
    'it says nothing',
    waits(undefined),
    {
      summary: 'Init container `wait` runs and does not end, so the containers after it never start.',
      culprit: 'init container wait',
      evidence: [],
      advice: [
        'Find out what it waits for, and whether that can ever happen.',
        'Loops around BusyBox `nslookup` may never end: it fails as long as one search domain does not have the name.',
      ],
      commands: ['kubectl logs web -c wait --tail=100 -n shop'],
      corrections: [],
      why: 'It waits for something outside the pod.',
      look: 'the log of `wait` and what its command waits for',
    },
  ],
  [
    'it says for what it waits',
    waits('waiting for db'),
    {
      summary:
        'Init container `wait` runs and does not end, so the containers after it never start; its last log line is `waiting for db`.',
      culprit: 'init container wait: db',
      evidence: ['log of wait (current), last line: waiting for db'],
      look: 'the log of `wait` and what its command waits for',
    },
  ],
  [
    'a Service that is not there',
    waits('waiting for cache:6379', services({})),
    {
      summary:
        'Init container `wait` runs and does not end, so the containers after it never start: there is no Service `cache`; its last log line is `waiting for cache:6379`.',
    },
  ],
  [
    'a Service that is there',
    waits('waiting for db:5432', services({})),
    {
      summary:
        'Init container `wait` runs and does not end, so the containers after it never start; its last log line is `waiting for db:5432`.',
    },
  ],
  [
    'a host of another domain',
    waits('waiting for cache.example.org:6379', services({})),
    {
      summary:
        'Init container `wait` runs and does not end, so the containers after it never start; its last log line is `waiting for cache.example.org:6379`.',
    },
  ],
  [
    'its command',
    waits('hello', { app: { command: ['sh', '-c'], args: ['sleep 1'] } }),
    { evidence: ['log of wait (current), last line: hello', 'manifest, init container wait: sh -c sleep 1'] },
  ],
  [
    'its command calls a server',
    waits('hello', { app: { command: ['sh', '-c', 'until nc -z db 5432; do sleep 1; done'] } }),
    { culprit: 'init container wait: db:5432' },
  ],
  [
    'a Service without pods',
    waits('waiting for db:5432', services({ selected: { pods: 0, ready: 0 } })),
    {
      summary:
        'Init container `wait` runs and does not end, so the containers after it never start: the Service `db` selects no pods (no pod has the labels `app=db`).',
      culprit: 'init container wait: Service db: no pods have app=db',
      advice: [
        'Correct the selector of the Service `db`, or start the pods that it selects (`app=db`): a workload scaled to zero has none.',
        'Loops around BusyBox `nslookup` may never end: it fails as long as one search domain does not have the name.',
      ],
      commands: ['kubectl logs web -c wait --tail=100 -n shop'],
      look: 'the Service that it waits for, its selector and its pods',
    },
  ],
  [
    'another port of the Service',
    waits('waiting for db:5433', { ...services({}), app: { command: ['sh', '-c', 'until nc -z db 5433; do sleep 1; done'] } }),
    {
      culprit: 'init container wait: db:5433',
      corrections: [
        ['likely', 'Use port `5432`', { 'spec.initContainers[0].command[2]': 'until nc -z db 5432; do sleep 1; done' }],
        ['likely', 'Use port `5432`', { 'spec.initContainers[0].command[2]': 'until nc -z db 5432; do sleep 1; done' }],
      ],
    },
  ],
  [
    'a cause in its log',
    waits('Error: A_B is not set'),
    {
      summary: 'Init container `wait` runs and does not end, so the containers after it never start: the variable `A_B` is not set.',
      culprit: 'init container wait: A_B',
      evidence: ['log of wait (current): Error: A_B is not set'],
      advice: [
        "Set `A_B` in the container's `env`, or load it with `envFrom` from the ConfigMap or Secret that has it.",
        'Loops around BusyBox `nslookup` may never end: it fails as long as one search domain does not have the name.',
      ],
      look: "where `A_B` should come from: the container's `env` and `envFrom`, and the ConfigMaps and Secrets they name",
    },
  ],
  [
    'a server',
    waits('listening on :8080'),
    {
      corrections: [['guess', 'Let `wait` run beside the others', { 'spec.initContainers[0].restartPolicy': 'Always' }]],
    },
  ],
  ['a sidecar already', waits('listening on :8080', { app: { restartPolicy: 'Always' } }), { corrections: [] }],
  [
    'a helper at work',
    waits(undefined, helper('log-shipper', 'tailing /var/log/app.log')),
    {
      corrections: [['likely', 'Let `log-shipper` run beside the others', { 'spec.initContainers[0].restartPolicy': 'Always' }]],
    },
  ],
  ['a helper that does not say so', waits(undefined, helper('log-shipper', 'hello')), { corrections: [] }],
  ['work of another name', waits('tailing /var/log/app.log'), { corrections: [] }],
];
for (const [sentence, answer, expected] of WAITS) pods(`an init container: ${sentence}`, () => tells(answer, expected));

pods.run();
