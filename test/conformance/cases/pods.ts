import {
  type Case,
  deployment,
  DEPLOYMENTS,
  get,
  type Loose,
  MERGE,
  patch,
  pod,
  PODS,
  post,
  remove,
  type Step,
  STRATEGIC,
} from '../step.ts';

const ASIDE = { schedulerName: 'nobody' };
const one = (container: Loose) => ({ ...ASIDE, containers: [{ name: 'app', image: 'web:1', ...container }] });
const refused = (spec: Loose, metadata: Loose = {}): Step => post(PODS, pod('p', { ...ASIDE, ...spec }, metadata), 422);
const dry = (spec: Loose, metadata: Loose = {}): Step => post(`${PODS}?dryRun=All`, pod('p', { ...ASIDE, ...spec }, metadata));

/** Pods: the defaults, what the server refuses, and what an update may change. */
export const POD_CASES: Case[] = [
  {
    sentence: 'a pod gets its defaults',
    steps: [
      dry(
        one({
          livenessProbe: { httpGet: { port: 80 } },
          readinessProbe: { exec: { command: ['true'] }, periodSeconds: 2 },
          startupProbe: { grpc: { port: 80 } },
          lifecycle: { preStop: { httpGet: { port: 80 } } },
          ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', hostPort: 53 }],
          resources: { limits: { cpu: 1, memory: '1Gi' }, requests: { cpu: '100m' } },
          env: [
            { name: 'A', value: 'b' },
            { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'C', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          ],
        }),
      ),
      dry({ ...one({ image: 'web' }), initContainers: [{ name: 'i', image: 'busybox:latest' }] }),
      dry(one({ image: 'host.example:5000/web' })),
      dry(one({ image: `web@sha256:${'0'.repeat(64)}` })),
      dry({ hostNetwork: true, containers: [{ name: 'a', image: 'web:1', ports: [{ containerPort: 80 }] }] }),
      dry({
        ...one({ volumeMounts: [{ name: 'a', mountPath: '/a' }] }),
        volumes: [
          { name: 'a' },
          { name: 'b', configMap: { name: 'x' } },
          { name: 'c', secret: { secretName: 'x' } },
          { name: 'd', hostPath: { path: '/x' } },
          { name: 'e', projected: { sources: [{ serviceAccountToken: { path: 'x' } }] } },
          { name: 'f', downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          { name: 'g', persistentVolumeClaim: { claimName: 'x' } },
        ],
      }),
      dry({ automountServiceAccountToken: true }),
      dry({ restartPolicy: 'Never', activeDeadlineSeconds: 5, securityContext: { runAsUser: 5 } }),
      dry({ tolerations: [{ operator: 'Exists' }] }),
      dry({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} }] }),
      dry({ schedulingGates: [{ name: 'test.dev/gate' }] }),
      dry(one({ resources: { limits: { cpu: '500m', memory: '64Mi' } } })),
      dry(one({ resources: { requests: { cpu: '0.5', memory: '65536Ki' } } })),
      dry({ containers: [{ name: 'app', image: 'web:1' }], initContainers: [{ name: 's', image: 'web:1', restartPolicy: 'Always' }] }),
    ],
  },
  {
    sentence: 'a pod that makes no sense is refused',
    steps: [
      refused({ containers: [] }),
      refused({ containers: [{ name: 'A', image: '' }] }),
      refused({ containers: [{ image: 'web:1' }] }),
      refused({
        containers: [
          { name: 'a', image: 'b' },
          { name: 'a', image: 'b' },
        ],
      }),
      refused({ initContainers: [{ name: 'app', image: 'b' }] }),
      refused({ restartPolicy: 'Sometimes' }),
      refused({ activeDeadlineSeconds: 0 }),
      refused({ dnsPolicy: 'Mine' }),
      refused({
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'v', emptyDir: {} },
        ],
      }),
      refused({ volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'x' } }] }),
      refused({ volumes: [{ name: 'v', hostPath: { path: '' } }] }),
      refused({ volumes: [{ name: 'v', configMap: {} }] }),
      refused({ serviceAccountName: 'Bad_Name' }, {}),
      refused({ nodeSelector: { 'bad key!': 'x' } }),
      refused({ tolerations: [{ key: 'a', operator: 'Exists', value: 'x' }] }),
      refused({ securityContext: { runAsUser: -1 } }),
      refused({ hostname: 'Bad_Host' }),
      refused({ priorityClassName: 'system-node-critical', priority: 5 }),
      refused({}, { labels: { 'bad key!': 'x' } }),
    ].map((step) => ({ ...step, code: /Bad_Name|"priority"/.test(JSON.stringify(step.body)) ? 403 : 422 })),
  },
  {
    sentence: 'a container that makes no sense is refused',
    steps: [
      refused(one({ volumeMounts: [{ name: 'x', mountPath: '/x' }] })),
      refused({ ...one({ volumeMounts: [{ name: 'v', mountPath: '' }] }), volumes: [{ name: 'v' }] }),
      refused({
        ...one({
          volumeMounts: [
            { name: 'v', mountPath: '/x' },
            { name: 'v', mountPath: '/x' },
          ],
        }),
        volumes: [{ name: 'v' }],
      }),
      refused(one({ resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } })),
      refused(one({ resources: { requests: { cpu: '-1' } } })),
      refused(one({ resources: { requests: { 'bad thing!': 1 } } })),
      refused(one({ imagePullPolicy: 'Sometimes' })),
      refused(one({ image: ' web:1' })),
      refused(one({ ports: [{ containerPort: 0 }] })),
      refused(one({ ports: [{ containerPort: 70000 }] })),
      refused(one({ ports: [{ containerPort: 80, name: 'Bad_Name' }] })),
      refused(one({ ports: [{ containerPort: 80, protocol: 'XYZ' }] })),
      refused(
        one({
          ports: [
            { containerPort: 80, hostPort: 81 },
            { containerPort: 81, hostPort: 81 },
          ],
        }),
      ),
      refused(one({ env: [{ value: 'x' }] })),
      refused(one({ env: [{ name: 'A=B', value: 'x' }] })),
      refused(one({ env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] })),
      refused(one({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.nothing' } } }] })),
      refused(one({ env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'x' } } }] })),
      refused(one({ livenessProbe: {} })),
      refused(one({ livenessProbe: { exec: { command: ['x'] }, httpGet: { port: 80 } } })),
      refused(one({ livenessProbe: { httpGet: { port: 0 } } })),
      refused(one({ livenessProbe: { exec: { command: ['x'] }, periodSeconds: -1 } })),
      refused(one({ livenessProbe: { exec: { command: ['x'] }, successThreshold: 2 } })),
      refused(one({ livenessProbe: { exec: {} } })),
      refused(one({ livenessProbe: { tcpSocket: { port: 'no_such!' } } })),
      refused(one({ lifecycle: { postStart: {} } })),
      refused(one({ terminationMessagePolicy: 'Sometimes' })),
      refused(one({ securityContext: { privileged: true, allowPrivilegeEscalation: false } })),
      refused({ initContainers: [{ name: 'i', image: 'b', livenessProbe: { exec: { command: ['x'] } } }] }),
    ],
  },
  {
    sentence: 'of a pod only a few fields may be changed',
    steps: [
      post(PODS, pod('fixed', { ...ASIDE, activeDeadlineSeconds: 100 })),
      patch(MERGE, `${PODS}/fixed`, { spec: { activeDeadlineSeconds: 50 } }),
      patch(MERGE, `${PODS}/fixed`, { spec: { activeDeadlineSeconds: 200 } }, 422),
      patch(MERGE, `${PODS}/fixed`, { spec: { activeDeadlineSeconds: null } }, 422),
      patch(STRATEGIC, `${PODS}/fixed`, { spec: { containers: [{ name: 'app', image: 'web:2' }] } }),
      patch(STRATEGIC, `${PODS}/fixed`, { spec: { containers: [{ name: 'app', image: '' }] } }, 422),
      {
        ...patch(STRATEGIC, `${PODS}/fixed`, { spec: { containers: [{ name: 'app', env: [{ name: 'A', value: 'b' }] }] } }, 422),
        only: withoutDiff,
      },
      { ...patch(STRATEGIC, `${PODS}/fixed`, { spec: { containers: [{ name: 'more', image: 'web:1' }] } }, 422), only: withoutDiff },
      { ...patch(MERGE, `${PODS}/fixed`, { spec: { restartPolicy: 'Never' } }, 422), only: withoutDiff },
      patch(STRATEGIC, `${PODS}/fixed`, { spec: { tolerations: [{ key: 'more', operator: 'Exists' }] } }),
      patch(MERGE, `${PODS}/fixed`, { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }),
      patch(MERGE, `${PODS}/fixed`, { status: { phase: 'Running' } }),
      patch(MERGE, `${PODS}/fixed/status`, { status: { phase: 'Running', podIP: '10.0.0.1' } }),
      patch(STRATEGIC, `${PODS}/fixed/status`, {
        status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
      }),
      get(`${PODS}/fixed/status`),
      remove(`${PODS}/fixed?gracePeriodSeconds=0`),
    ],
  },
  {
    sentence: 'a pod is bound to a node once',
    steps: [
      post(PODS, pod('bound', ASIDE)),
      post(`${PODS}/bound/binding`, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'bound' },
        target: { kind: 'Node', name: 'nowhere' },
      }),
      { ...get(`${PODS}/bound`), only: (body) => body.spec.nodeName },
      post(
        `${PODS}/bound/binding`,
        { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'bound' }, target: { kind: 'Node', name: 'elsewhere' } },
        409,
      ),
      { ...remove(`${PODS}/bound?gracePeriodSeconds=0`), only: (body) => body.spec.nodeName },
    ],
  },
  {
    sentence: 'a pod is evicted like it is deleted',
    steps: [
      post(PODS, pod('evicted', ASIDE)),
      post(`${PODS}/evicted/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } }),
      get(`${PODS}/evicted`, 404),
      post(`${PODS}/evicted/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } }, 404),
    ],
  },
  {
    sentence: 'logs of a pod that never ran',
    steps: [
      post(PODS, pod('silent', ASIDE)),
      get(`${PODS}/silent/log?container=other`, 400),
      get(`${PODS}/none/log`, 404),
      post(
        PODS,
        pod('two', {
          ...ASIDE,
          containers: [
            { name: 'a', image: 'web:1' },
            { name: 'b', image: 'web:1' },
          ],
          initContainers: [{ name: 'i', image: 'web:1' }],
        }),
      ),
      get(`${PODS}/two/log`, 400),
      get(`${PODS}/two/log?container=c`, 400),
      get(`${PODS}/silent/log?tailLines=-1`, 422),
      get(`${PODS}/silent/log?sinceSeconds=0`, 422),
      get(`${PODS}/silent/log?tailLines=x`, 400),
    ],
  },
  {
    sentence: 'a template is checked like a pod',
    steps: [
      post(DEPLOYMENTS, deployment('t', { image: '' }), 422),
      post(DEPLOYMENTS, deployment('t', {}, { selector: { matchLabels: { app: 'other' } } }), 422),
      post(DEPLOYMENTS, deployment('t', {}, { selector: undefined }), 422),
      post(DEPLOYMENTS, deployment('t', {}, { replicas: -1 }), 422),
      post(DEPLOYMENTS, deployment('t', {}, { strategy: { type: 'Slowly' } }), 422),
      post(DEPLOYMENTS, deployment('t')),
      patch(MERGE, `${DEPLOYMENTS}/t`, { spec: { selector: { matchLabels: { app: 'x' } } } }, 422),
      patch(MERGE, `${DEPLOYMENTS}/t`, { spec: { template: { spec: { restartPolicy: 'Never' } } } }, 422),
    ],
  },
];

/** Removes the diff of the specs. Go's package cmp prints it, without a stable format. */
function withoutDiff(body: Loose): Loose {
  const cut = (text: string) => text.split('\n')[0];
  return {
    ...body,
    message: cut(body.message),
    details: { ...body.details, causes: body.details.causes.map((c: Loose) => ({ ...c, message: cut(c.message) })) },
  };
}
