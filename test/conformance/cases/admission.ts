import { type Case, get, type Loose, MERGE, patch, pod, post, remove } from '../step.ts';

const namespace = (name: string, labels?: Loose) => post('/api/v1/namespaces', { metadata: { name, ...(labels && { labels }) } });
const pods = (name: string) => `/api/v1/namespaces/${name}/pods`;
const aside = (name: string, spec: Loose = {}) => pod(name, { schedulerName: 'nobody', ...spec });
const limited = (resources: Loose) => ({ containers: [{ name: 'app', image: 'web:1', resources }] });
const secured = (securityContext: Loose) => ({ containers: [{ name: 'app', image: 'web:1', securityContext }] });
const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';

/** What admission adds and refuses: quotas, Pod Security levels, priorities, service accounts, namespaces. */
export const ADMISSION: Case[] = [
  {
    sentence: 'the baseline level forbids power',
    steps: [
      namespace('strict', { 'pod-security.kubernetes.io/enforce': 'baseline' }),
      ...[
        { hostNetwork: true },
        { hostPID: true, hostIPC: true },
        { volumes: [{ name: 'h', hostPath: { path: '/x' } }] },
        secured({ privileged: true }),
        secured({ capabilities: { add: ['NET_ADMIN', 'SYS_TIME'] } }),
        secured({ procMount: 'Unmasked' }),
        secured({ seccompProfile: { type: 'Unconfined' } }),
        { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } },
        { containers: [{ name: 'app', image: 'web:1', ports: [{ containerPort: 80, hostPort: 80 }] }] },
        { hostNetwork: true, ...secured({ privileged: true }) },
      ].map((spec) => post(pods('strict'), aside('p', spec), 403)),
      post(pods('strict'), aside('fine', secured({ capabilities: { add: ['CHOWN'] } }))),
    ].map((step) => (step.path.includes('strict') && JSON.stringify(step.body).includes('procMount') ? { ...step, code: 422 } : step)),
  },
  {
    sentence: 'the restricted level wants much to be said',
    steps: [
      namespace('restricted', {
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/enforce-version': 'v1.31',
      }),
      post(pods('restricted'), aside('p'), 403),
      post(pods('restricted'), aside('p', { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } }), 403),
      post(
        pods('restricted'),
        aside('p', secured({ runAsUser: 0, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })),
        403,
      ),
      post(
        pods('restricted'),
        aside(
          'fine',
          secured({
            runAsNonRoot: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            seccompProfile: { type: 'RuntimeDefault' },
          }),
        ),
      ),
    ],
  },
  {
    sentence: 'a level may warn only',
    steps: [namespace('warned', { 'pod-security.kubernetes.io/warn': 'restricted' }), post(pods('warned'), aside('p'))],
  },
  {
    sentence: 'a quota counts pods and what they ask for',
    steps: [
      namespace('counted'),
      post('/api/v1/namespaces/counted/resourcequotas', {
        metadata: { name: 'q' },
        spec: { hard: { pods: 1, 'requests.cpu': '1', 'limits.memory': '1Gi' } },
      }),
      patch(MERGE, '/api/v1/namespaces/counted/resourcequotas/q/status', {
        status: {
          hard: { pods: '1', 'requests.cpu': '1', 'limits.memory': '1Gi' },
          used: { pods: '0', 'requests.cpu': '0', 'limits.memory': '0' },
        },
      }),
      { ...post(pods('counted'), aside('p'), 403), isEventual: true },
      { ...post(pods('counted'), aside('p', limited({ requests: { cpu: 2 }, limits: { cpu: 2, memory: '2Gi' } })), 403), isEventual: true },
      post(pods('counted'), aside('p', limited({ requests: { cpu: '500m' }, limits: { memory: '64Mi' } }))),
      post(pods('counted'), aside('q', limited({ requests: { cpu: '100m' }, limits: { memory: '64Mi' } })), 403),
    ],
  },
  {
    sentence: 'priorities come from classes',
    steps: [
      post(CLASSES, { metadata: { name: 'low' }, value: -10, preemptionPolicy: 'Never' }),
      post(CLASSES, { metadata: { name: 'system-mine' }, value: 1 }, 422),
      post(CLASSES, { metadata: { name: 'high' }, value: 2_000_000_000 }, 422),
      patch(MERGE, `${CLASSES}/low`, { value: 5 }, 422),
      { ...post(pods('default'), aside('low', { priorityClassName: 'low' })), isEventual: true },
      post(pods('default'), aside('none', { priorityClassName: 'nothing' }), 403),
      post(pods('default'), aside('forged', { priority: 5 }), 403),
      { ...get(`${CLASSES}/system-node-critical`), only: ({ metadata: _metadata, ...rest }) => rest },
      remove(`${CLASSES}/low`),
    ],
  },
  {
    sentence: 'a service account must be there',
    steps: [
      post(pods('default'), aside('p', { serviceAccountName: 'nobody' }), 403),
      post('/api/v1/namespaces/default/serviceaccounts', {
        metadata: { name: 'quiet' },
        automountServiceAccountToken: false,
        imagePullSecrets: [{ name: 'registry' }],
      }),
      {
        ...post(pods('default'), aside('as-quiet', { serviceAccountName: 'quiet', automountServiceAccountToken: undefined })),
        isEventual: true,
      },
      post(pods('default'), aside('as-quiet-2', { serviceAccountName: 'quiet', automountServiceAccountToken: true })),
    ],
  },
  {
    sentence: 'a namespace that goes takes nothing new',
    steps: [
      namespace('leaving'),
      remove('/api/v1/namespaces/leaving'),
      { ...post('/api/v1/namespaces/leaving/configmaps', { metadata: { name: 'late' } }, 403), isEventual: true },
      get('/api/v1/namespaces/leaving'),
      remove('/api/v1/namespaces/leaving'),
      remove('/api/v1/namespaces/default', undefined, 403),
      remove('/api/v1/namespaces/kube-system', undefined, 403),
    ],
  },
];
