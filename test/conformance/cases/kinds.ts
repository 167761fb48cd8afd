import { type Case, get, type Loose, map, MAPS, MERGE, NAMESPACE, patch, post, put, remove, widget, WIDGETS } from '../step.ts';

const at = (group: string, plural: string) => `/apis/${group}/namespaces/default/${plural}`;
const LEASES = at('coordination.k8s.io/v1', 'leases');
const POLICIES = at('networking.k8s.io/v1', 'networkpolicies');
const CORE_EVENTS = `${NAMESPACE}/events`;
const NEW_EVENTS = at('events.k8s.io/v1', 'events');
const JOBS = at('batch/v1', 'jobs');
const template = (labels: Loose, spec: Loose = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'app', image: 'web:1' }], ...spec },
});

/** The built-in kinds that Podmend reads or writes: their defaults, and what the server refuses. */
export const KINDS: Case[] = [
  {
    sentence: 'leases',
    steps: [
      post(LEASES, {
        metadata: { name: 'lead' },
        spec: {
          holderIdentity: 'a',
          leaseDurationSeconds: 15,
          renewTime: '2026-01-01T00:00:00.000000Z',
          acquireTime: '2026-01-01T00:00:00.000000Z',
          leaseTransitions: 0,
        },
      }),
      post(LEASES, { metadata: { name: 'lead' } }, 409),
      put(`${LEASES}/lead`, { metadata: { name: 'lead', resourceVersion: '1' }, spec: { holderIdentity: 'b' } }, 409),
      ([lease]) => put(`${LEASES}/lead`, { ...lease, spec: { ...lease.spec, holderIdentity: 'b', leaseTransitions: 1 } }),
      ([lease]) => put(`${LEASES}/lead`, { ...lease, spec: { ...lease.spec, holderIdentity: 'c' } }, 409),
      put(`${LEASES}/lead`, { metadata: { name: 'lead' }, spec: { holderIdentity: 'd' } }, 422),
      post(LEASES, { metadata: { name: 'bad' }, spec: { leaseDurationSeconds: 0 } }, 422),
      post(LEASES, { metadata: { name: 'bad' }, spec: { leaseTransitions: -1 } }, 422),
      post(LEASES, { metadata: { name: 'bad' }, spec: { renewTime: 'soon' } }, 400),
      remove(`${LEASES}/lead`),
    ],
  },
  {
    sentence: 'network policies',
    steps: [
      post(POLICIES, { metadata: { name: 'closed' }, spec: { podSelector: {} } }),
      post(POLICIES, {
        metadata: { name: 'open' },
        spec: {
          podSelector: { matchLabels: { app: 'x' } },
          policyTypes: ['Ingress', 'Egress'],
          egress: [{}, { to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 53 }] }],
        },
      }),
      post(POLICIES, { metadata: { name: 'out' }, spec: { podSelector: {}, egress: [{ to: [{ namespaceSelector: {} }] }] } }),
      post(POLICIES, { metadata: { name: 'bad' }, spec: { podSelector: {}, policyTypes: ['Sideways'] } }, 422),
      post(POLICIES, { metadata: { name: 'bad' }, spec: { podSelector: {}, ingress: [{ from: [{}] }] } }, 422),
      post(POLICIES, { metadata: { name: 'bad' }, spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: 'x' } }] }] } }, 422),
      post(POLICIES, { metadata: { name: 'bad' }, spec: { podSelector: {}, ingress: [{ ports: [{ port: 70000 }] }] } }, 422),
      patch(MERGE, `${POLICIES}/closed`, { spec: { policyTypes: ['Ingress', 'Egress'] } }),
    ],
  },
  {
    sentence: 'events by either group are one',
    steps: [
      post(NEW_EVENTS, {
        metadata: { name: 'new.1' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        action: 'Mirroring',
        reason: 'MirrorStarted',
        note: 'started',
        type: 'Normal',
        reportingController: 'podmend.dev/operator',
        reportingInstance: 'podmend-1',
        regarding: { apiVersion: 'v1', kind: 'Pod', name: 'p', namespace: 'default', uid: '11111111-1111-1111-1111-111111111111' },
        related: { apiVersion: 'v1', kind: 'Pod', name: 'q', namespace: 'default' },
      }),
      get(`${CORE_EVENTS}/new.1`),
      patch(MERGE, `${NEW_EVENTS}/new.1`, { series: { count: 2, lastObservedTime: '2026-01-01T00:01:00.000000Z' } }),
      patch(MERGE, `${NEW_EVENTS}/new.1`, { series: { count: 3, lastObservedTime: '2026-01-01T00:02:00.000000Z' } }),
      patch(MERGE, `${NEW_EVENTS}/new.1`, { note: 'other' }, 422),
      post(CORE_EVENTS, {
        metadata: { name: 'old.1' },
        involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
        reason: 'Failed',
        message: 'no',
        type: 'Warning',
        count: 1,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        source: { component: 'kubelet', host: 'n' },
      }),
      get(`${NEW_EVENTS}/old.1`),
      patch(MERGE, `${CORE_EVENTS}/old.1`, { count: 2 }),
      {
        ...get(`${CORE_EVENTS}?fieldSelector=involvedObject.name%3Dp,type%3DWarning`),
        only: (body) => body.items.map((e: Loose) => e.metadata.name),
      },
      { ...get(`${CORE_EVENTS}?fieldSelector=reason%3DMirrorStarted`), only: (body) => body.items.map((e: Loose) => e.metadata.name) },
      {
        ...get(`${CORE_EVENTS}?fieldSelector=involvedObject.uid%3D11111111-1111-1111-1111-111111111111`),
        only: (body) => body.items.length,
      },
      get(`${NEW_EVENTS}?fieldSelector=involvedObject.name%3Dp`, 400),
      get(`${NEW_EVENTS}?fieldSelector=regarding.name%3Dp`),
    ],
  },
  {
    sentence: 'an event that misses something is refused',
    steps: [
      post(NEW_EVENTS, { metadata: { name: 'bad' }, regarding: { kind: 'Pod', name: 'p', namespace: 'default' } }, 422),
      post(NEW_EVENTS, {
        metadata: { name: 'bad' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        regarding: { kind: 'Pod', name: 'p', namespace: 'other' },
        reason: 'R',
        action: 'A',
        type: 'Normal',
        reportingController: 'c',
        reportingInstance: 'i',
      }),
      post(
        NEW_EVENTS,
        {
          metadata: { name: 'bad' },
          eventTime: '2026-01-01T00:00:00.000000Z',
          regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
          reason: 'R',
          action: 'A',
          type: 'Loud',
          reportingController: 'c',
          reportingInstance: 'i',
        },
        422,
      ),
      post(
        NEW_EVENTS,
        {
          metadata: { name: 'bad' },
          eventTime: '2026-01-01T00:00:00.000000Z',
          regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
          reason: 'R',
          action: 'A',
          type: 'Normal',
          note: 'x'.repeat(1025),
          reportingController: 'c',
          reportingInstance: 'i',
        },
        422,
      ),
      post(CORE_EVENTS, { metadata: { name: 'bare' } }),
      post(CORE_EVENTS, { metadata: { name: 'bare' }, involvedObject: { kind: 'Pod', name: 'p', namespace: 'other' } }, 422),
    ],
  },
  {
    sentence: 'services get an address and defaults',
    steps: [
      post(
        `${NAMESPACE}/services`,
        { metadata: { name: 'web' }, spec: { selector: { app: 'x' }, ports: [{ port: 80 }, { name: 'b', port: 81, targetPort: 'http' }] } },
        422,
      ),
      post(`${NAMESPACE}/services`, { metadata: { name: 'web' }, spec: { selector: { app: 'x' }, ports: [{ port: 80 }] } }),
      post(`${NAMESPACE}/services`, { metadata: { name: 'headless' }, spec: { clusterIP: 'None', selector: { app: 'x' } } }),
      post(`${NAMESPACE}/services`, { metadata: { name: 'outside' }, spec: { type: 'ExternalName', externalName: 'a.example' } }),
      post(`${NAMESPACE}/services`, { metadata: { name: 'bad' }, spec: {} }, 422),
      post(`${NAMESPACE}/services`, { metadata: { name: 'bad' }, spec: { ports: [{ port: 0 }] } }, 422),
      post(`${NAMESPACE}/services`, { metadata: { name: 'bad' }, spec: { type: 'Other', ports: [{ port: 80 }] } }, 422),
    ],
  },
  {
    sentence: 'workloads get their defaults',
    steps: [
      post(`${at('apps/v1', 'deployments')}?dryRun=All`, {
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: { a: 'b' } }, template: template({ a: 'b' }) },
      }),
      post(`${at('apps/v1', 'replicasets')}?dryRun=All`, {
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: { a: 'b' } }, template: template({ a: 'b' }) },
      }),
      post(`${at('apps/v1', 'statefulsets')}?dryRun=All`, {
        metadata: { name: 'd' },
        spec: { serviceName: 's', selector: { matchLabels: { a: 'b' } }, template: template({ a: 'b' }) },
      }),
      post(`${at('apps/v1', 'daemonsets')}?dryRun=All`, {
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: { a: 'b' } }, template: template({ a: 'b' }) },
      }),
      post(`${JOBS}?dryRun=All`, { metadata: { name: 'd' }, spec: { template: template({}, { restartPolicy: 'Never' }) } }),
      post(`${at('batch/v1', 'cronjobs')}?dryRun=All`, {
        metadata: { name: 'd' },
        spec: { schedule: '* * * * *', jobTemplate: { spec: { template: template({}, { restartPolicy: 'Never' }) } } },
      }),
      post(JOBS, { metadata: { name: 'd' }, spec: { template: template({}) } }, 422),
      post(`${JOBS}?dryRun=All`, {
        metadata: { name: 'd', labels: { own: 'x' } },
        spec: { backoffLimit: 2, parallelism: 3, template: template({ l: 'm' }, { restartPolicy: 'OnFailure' }) },
      }),
    ],
  },
  {
    sentence: 'other kinds get their defaults',
    steps: [
      post(`${NAMESPACE}/persistentvolumeclaims?dryRun=All`, {
        metadata: { name: 'c' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      }),
      post(`${NAMESPACE}/persistentvolumeclaims`, { metadata: { name: 'c' }, spec: {} }, 422),
      post(`${at('policy/v1', 'poddisruptionbudgets')}?dryRun=All`, { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: {} } }),
      post(`${at('rbac.authorization.k8s.io/v1', 'roles')}?dryRun=All`, {
        metadata: { name: 'r' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
      post(`${at('rbac.authorization.k8s.io/v1', 'rolebindings')}?dryRun=All`, {
        metadata: { name: 'r' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
        subjects: [{ kind: 'ServiceAccount', name: 'default' }],
      }),
      post(`${at('discovery.k8s.io/v1', 'endpointslices')}?dryRun=All`, {
        metadata: { name: 'e' },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.1'] }],
        ports: [{ port: 80 }],
      }),
      post(`${at('networking.k8s.io/v1', 'ingresses')}?dryRun=All`, {
        metadata: { name: 'i' },
        spec: {
          rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] } }],
        },
      }),
      post(`${at('autoscaling/v2', 'horizontalpodautoscalers')}?dryRun=All`, {
        metadata: { name: 'h' },
        spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
      }),
      post('/apis/node.k8s.io/v1/runtimeclasses?dryRun=All', { metadata: { name: 'r' }, handler: 'runc' }),
      post('/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All', { metadata: { name: 'p' }, value: 5 }),
      post('/apis/storage.k8s.io/v1/storageclasses?dryRun=All', { metadata: { name: 's' }, provisioner: 'x.example/y' }),
      post('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All', {
        metadata: { name: 'v' },
        spec: {
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
          validations: [{ expression: 'true' }],
        },
      }),
      post('/api/v1/namespaces?dryRun=All', { metadata: { name: 'n' } }),
      post(`${NAMESPACE}/serviceaccounts?dryRun=All`, { metadata: { name: 'sa' } }),
      post(`${NAMESPACE}/endpoints?dryRun=All`, {
        metadata: { name: 'e' },
        subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }],
      }),
    ],
  },
  {
    sentence: 'a workload is scaled by its subresource',
    steps: [
      post(at('apps/v1', 'deployments'), {
        metadata: { name: 'scaled' },
        spec: { replicas: 2, selector: { matchLabels: { a: 'b' } }, template: template({ a: 'b' }) },
      }),
      get(`${at('apps/v1', 'deployments')}/scaled/scale`),
      patch(MERGE, `${at('apps/v1', 'deployments')}/scaled/scale`, { spec: { replicas: 0 } }),
      put(`${at('apps/v1', 'deployments')}/scaled/scale`, { metadata: { name: 'scaled', namespace: 'default' }, spec: { replicas: 1 } }),
      patch(MERGE, `${at('apps/v1', 'deployments')}/scaled/scale`, { spec: { replicas: -1 } }, 422),
      { ...get(`${at('apps/v1', 'deployments')}/scaled`), only: (body) => [body.spec.replicas, body.metadata.generation] },
      get(`${MAPS}/scaled/scale`, 404),
      get(`${at('apps/v1', 'deployments')}/none/scale`, 404),
    ],
  },
  {
    sentence: 'reviews say what one may',
    steps: [
      post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: { resourceAttributes: { verb: 'create', resource: 'pods' } },
      }),
      post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        spec: { user: 'x', groups: ['system:masters'], resourceAttributes: { verb: 'create', resource: 'pods' } },
      }),
      post('/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews', {
        metadata: { namespace: 'default' },
        spec: { user: 'x', groups: ['system:masters'], resourceAttributes: { namespace: 'default', verb: 'create', resource: 'pods' } },
      }),
      post(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        { spec: { resourceAttributes: { verb: 'create', resource: 'pods' } } },
        422,
      ),
      post('/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec: { user: 'x' } }, 422),
      post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: {} }, 422),
      post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: {} }, 400),
      {
        ...post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}),
        only: (body: Loose) => [body.kind, body.apiVersion, Object.keys(body.status)],
      },
      get('/apis/authorization.k8s.io/v1/subjectaccessreviews', 405),
    ].map((step) => ({ ...step, only: step.only ?? withoutWhy })),
  },
  {
    sentence: 'status of builtin kinds is written by their subresource',
    steps: [
      post(`${NAMESPACE}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { secrets: 100 } } }),
      patch(MERGE, `${NAMESPACE}/resourcequotas/q`, { status: { used: { secrets: '9' } } }),
      patch(MERGE, `${NAMESPACE}/resourcequotas/q/status`, { status: { used: { secrets: '9' } }, spec: { hard: null } }),
      get(`${MAPS}/none/status`, 404),
      remove(`${NAMESPACE}/resourcequotas/q`),
    ],
  },
  {
    sentence: 'owners stand in metadata',
    steps: [
      post(MAPS, map('owner')),
      ([owner]) =>
        post(WIDGETS, {
          ...widget('owned', { color: 'red' }),
          metadata: {
            name: 'owned',
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid, controller: true, blockOwnerDeletion: true },
            ],
          },
        }),
      patch(MERGE, `${WIDGETS}/owned`, { metadata: { ownerReferences: null } }),
    ],
  },
];

/** Keeps only whether something is allowed: the reason depends on the authorizer. */
function withoutWhy(body: Loose): Loose {
  return body.status?.allowed === undefined ? body : { ...body, metadata: {}, status: { allowed: body.status.allowed } };
}
