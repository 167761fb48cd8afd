// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

/** One request and what every server must answer: its code, and what its message (or body) holds. */
export interface Step {
  request: [method: string, path: string, body?: Loose, contentType?: string];
  code: number;
  /** The message of a `Status`, exactly. */
  message?: string;
  reason?: string;
  /** Picks from the body what must be equal to `equals`. */
  pick?: (body: Loose) => unknown;
  equals?: unknown;
}

/** A sentence about the API and the requests that show it, in their order. */
export interface Case {
  sentence: string;
  steps: Step[];
}

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

const NS = '/api/v1/namespaces/default';
const MAPS = `${NS}/configmaps`;
const PODS = `${NS}/pods`;
const WIDGETS = '/apis/test.dev/v1/namespaces/default/widgets';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const map = (name: string, data: Record<string, string> = {}, labels?: Record<string, string>) => ({
  metadata: { name, ...(labels && { labels }) },
  data,
});
const widget = (name: string, spec: Loose) => ({ apiVersion: 'test.dev/v1', kind: 'Widget', metadata: { name }, spec });
const pod = (name: string, spec: Loose = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'app', image: 'web:1' }], automountServiceAccountToken: false, ...spec },
});
const deployment = (name: string, container: Loose = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'app', image: 'web:1', ...container }] } },
  },
});
const UNCHECKED =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
const refusedWidget = (sentence: string, spec: Loose, message: string): Case => ({
  sentence: `a custom resource is refused: ${sentence}`,
  steps: [
    {
      request: ['POST', WIDGETS, widget('bad', spec)],
      code: 422,
      reason: 'Invalid',
      message: `Widget.test.dev "bad" is invalid: ${message}`,
    },
  ],
});
const refusedPod = (sentence: string, body: Loose, message: string): Case => ({
  sentence: `a pod is refused: ${sentence}`,
  steps: [{ request: ['POST', PODS, body], code: 422, reason: 'Invalid', message }],
});

const OBJECTS: Case[] = [
  {
    sentence: 'create, read, and not create twice',
    steps: [
      {
        request: ['POST', MAPS, map('a', { k: 'v' })],
        code: 201,
        pick: (b) => [b.kind, b.apiVersion, b.metadata.name, b.metadata.namespace, b.data],
        equals: ['ConfigMap', 'v1', 'a', 'default', { k: 'v' }],
      },
      { request: ['POST', MAPS, map('a')], code: 409, reason: 'AlreadyExists', message: 'configmaps "a" already exists' },
      { request: ['GET', `${MAPS}/a`], code: 200, pick: (b) => b.data, equals: { k: 'v' } },
      { request: ['GET', `${MAPS}/none`], code: 404, reason: 'NotFound', message: 'configmaps "none" not found' },
    ],
  },
  {
    sentence: 'an old resource version is a conflict',
    steps: [
      { request: ['POST', MAPS, map('b')], code: 201 },
      {
        request: ['PUT', `${MAPS}/b`, { metadata: { name: 'b', resourceVersion: '1' } }],
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on configmaps "b": the object has been modified; please apply your changes to the latest version and try again',
      },
      { request: ['PATCH', `${MAPS}/b`, { metadata: { resourceVersion: '1' }, data: { x: 'y' } }, MERGE], code: 409, reason: 'Conflict' },
      {
        request: ['PUT', `${MAPS}/b`, map('c')],
        code: 400,
        reason: 'BadRequest',
        message: 'the name of the object (c) does not match the name on the URL (b)',
      },
    ],
  },
  {
    sentence: 'names are made and checked',
    steps: [
      {
        request: ['POST', MAPS, { metadata: { generateName: 'made-' } }],
        code: 201,
        pick: (b) => /^made-[a-z0-9]{5}$/.test(b.metadata.name),
        equals: true,
      },
      {
        request: ['POST', MAPS, { metadata: {} }],
        code: 422,
        message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
      },
      {
        request: ['POST', MAPS, { metadata: { name: 'x', namespace: 'other' } }],
        code: 400,
        message: 'the namespace of the provided object does not match the namespace sent on the request',
      },
      { request: ['POST', '/api/v1/namespaces/nowhere/configmaps', map('x')], code: 404, message: 'namespaces "nowhere" not found' },
      { request: ['POST', MAPS, { ...map('x'), kind: 'Secret', apiVersion: 'v1' }], code: 400, reason: 'BadRequest' },
    ],
  },
  {
    sentence: 'dry run stores nothing',
    steps: [
      { request: ['POST', `${MAPS}?dryRun=All`, map('dry')], code: 201 },
      { request: ['GET', `${MAPS}/dry`], code: 404 },
    ],
  },
  {
    sentence: 'deletion answers what it did, with preconditions',
    steps: [
      { request: ['POST', MAPS, map('gone')], code: 201 },
      { request: ['DELETE', `${MAPS}/gone`, { preconditions: { uid: 'other' } }], code: 409, reason: 'Conflict' },
      {
        request: ['DELETE', `${MAPS}/gone`],
        code: 200,
        pick: (b) => [b.kind, b.status, b.details.name, b.details.kind],
        equals: ['Status', 'Success', 'gone', 'configmaps'],
      },
      { request: ['DELETE', `${MAPS}/gone`], code: 404 },
    ],
  },
  {
    sentence: 'finalizers hold an object back',
    steps: [
      { request: ['POST', MAPS, { metadata: { name: 'held', finalizers: ['test.dev/hold'] } }], code: 201 },
      {
        request: ['DELETE', `${MAPS}/held`],
        code: 200,
        pick: (b) => [b.kind, b.metadata.deletionGracePeriodSeconds],
        equals: ['ConfigMap', 0],
      },
      { request: ['GET', `${MAPS}/held`], code: 200, pick: (b) => typeof b.metadata.deletionTimestamp, equals: 'string' },
      { request: ['PATCH', `${MAPS}/held`, { metadata: { finalizers: null } }, MERGE], code: 200 },
      { request: ['GET', `${MAPS}/held`], code: 404 },
    ],
  },
  {
    sentence: 'unknown things are named',
    steps: [
      {
        request: ['POST', `${MAPS}?fieldValidation=Strict`, { ...map('x'), colour: 1 }],
        code: 400,
        message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "colour"',
      },
      {
        request: [
          'POST',
          `${PODS}?fieldValidation=Strict`,
          { metadata: { name: 'x' }, spec: { containers: [{ name: 'a', image: 'b', foo: 1 }] } },
        ],
        code: 400,
        message: 'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].foo"',
      },
      {
        request: ['POST', PODS, { metadata: { name: 'x' }, spec: { containers: 'x' } }],
        code: 400,
        message:
          'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container',
      },
      { request: ['GET', `${MAPS}?fieldSelector=spec.foo%3D1`], code: 400, reason: 'BadRequest' },
      { request: ['PATCH', `${MAPS}/a`, {}, 'text/plain'], code: 415, reason: 'UnsupportedMediaType' },
    ],
  },
];

const LISTS: Case[] = [
  {
    sentence: 'selectors choose',
    steps: [
      { request: ['POST', MAPS, map('s1', {}, { app: 'x', tier: 'a' })], code: 201 },
      { request: ['POST', MAPS, map('s2', {}, { app: 'x', tier: 'b' })], code: 201 },
      ...(
        [
          ['app=x', ['s1', 's2']],
          ['app=x,tier!=a', ['s2']],
          ['tier in (a,c)', ['s1']],
          ['app,tier notin (a)', ['s2']],
          ['app=x,!tier', []],
        ] as [string, string[]][]
      ).map(([selector, names]): Step => ({
        request: ['GET', `${MAPS}?labelSelector=${encodeURIComponent(selector)}`],
        code: 200,
        pick: (b) => b.items.map((i: Loose) => i.metadata.name),
        equals: names,
      })),
      { request: ['GET', `${MAPS}?fieldSelector=metadata.name%3Ds1`], code: 200, pick: (b) => b.items.length, equals: 1 },
    ],
  },
  {
    sentence: 'pages follow each other',
    steps: [
      {
        request: ['GET', `${MAPS}?labelSelector=app%3Dx&limit=1`],
        code: 200,
        pick: (b) => [b.kind, b.items.length, typeof b.metadata.continue],
        equals: ['ConfigMapList', 1, 'string'],
      },
      { request: ['GET', `${MAPS}?limit=1&continue=nonsense`], code: 400, reason: 'BadRequest' },
    ],
  },
];

const PATCHES: Case[] = [
  {
    sentence: 'merge patch',
    steps: [
      { request: ['POST', MAPS, map('m', { a: '1', b: '2' })], code: 201 },
      { request: ['PATCH', `${MAPS}/m`, { data: { a: null, c: '3' } }, MERGE], code: 200, pick: (b) => b.data, equals: { b: '2', c: '3' } },
    ],
  },
  {
    sentence: 'JSON patch, with a test that fails',
    steps: [
      {
        request: [
          'PATCH',
          `${MAPS}/m`,
          [
            { op: 'add', path: '/data/d', value: '4' },
            { op: 'remove', path: '/data/b' },
          ],
          JSON_PATCH,
        ],
        code: 200,
        pick: (b) => b.data,
        equals: { c: '3', d: '4' },
      },
      { request: ['PATCH', `${MAPS}/m`, [{ op: 'test', path: '/data/c', value: '9' }], JSON_PATCH], code: 422, reason: 'Invalid' },
    ],
  },
  {
    sentence: 'strategic merge patch merges lists by key',
    steps: [
      { request: ['POST', DEPLOYMENTS, deployment('strategic', { env: [{ name: 'A', value: '1' }] })], code: 201 },
      {
        request: [
          'PATCH',
          `${DEPLOYMENTS}/strategic`,
          { spec: { template: { spec: { containers: [{ name: 'app', env: [{ name: 'B', value: '2' }] }] } } } },
          STRATEGIC,
        ],
        code: 200,
        pick: (b) => [b.metadata.generation, b.spec.template.spec.containers[0].image, b.spec.template.spec.containers[0].env],
        equals: [
          2,
          'web:1',
          [
            { name: 'B', value: '2' },
            { name: 'A', value: '1' },
          ],
        ],
      },
      {
        request: [
          'PATCH',
          `${DEPLOYMENTS}/strategic`,
          { spec: { template: { spec: { containers: [{ name: 'app', env: [{ name: 'A', $patch: 'delete' }] }] } } } },
          STRATEGIC,
        ],
        code: 200,
        pick: (b) => b.spec.template.spec.containers[0].env,
        equals: [{ name: 'B', value: '2' }],
      },
      {
        request: ['PATCH', `${WIDGETS}/none`, {}, STRATEGIC],
        code: 415,
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      },
    ],
  },
  {
    sentence: 'server-side apply: owners, conflicts, force',
    steps: [
      {
        request: ['PATCH', `${DEPLOYMENTS}/applied?fieldManager=one`, JSON.stringify(deployment('applied', { image: 'web:1' })), APPLY],
        code: 201,
      },
      {
        request: ['PATCH', `${DEPLOYMENTS}/applied?fieldManager=two`, JSON.stringify(deployment('applied', { image: 'web:2' })), APPLY],
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .spec.template.spec.containers[name="app"].image',
      },
      {
        request: [
          'PATCH',
          `${DEPLOYMENTS}/applied?fieldManager=two&force=true`,
          JSON.stringify(deployment('applied', { image: 'web:2' })),
          APPLY,
        ],
        code: 200,
        pick: (b) => b.spec.template.spec.containers[0].image,
        equals: 'web:2',
      },
      {
        request: [
          'PATCH',
          `${MAPS}/owned?fieldManager=one`,
          JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...map('owned', { a: '1', b: '2' }) }),
          APPLY,
        ],
        code: 201,
      },
      {
        request: [
          'PATCH',
          `${MAPS}/owned?fieldManager=one`,
          JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...map('owned', { a: '1' }) }),
          APPLY,
        ],
        code: 200,
        pick: (b) => b.data,
        equals: { a: '1' },
      },
    ],
  },
];

const CUSTOM: Case[] = [
  {
    sentence: 'custom resources get defaults, lose what is unknown, count generations',
    steps: [
      {
        request: ['POST', WIDGETS, { ...widget('w', { color: 'red', shape: 'round', free: { any: 1 } }), status: { x: 1 } }],
        code: 201,
        pick: (b) => [b.spec, b.status, b.metadata.generation],
        equals: [{ color: 'red', mode: 'a', size: 3, free: { any: 1 } }, undefined, 1],
      },
      {
        request: ['PATCH', `${WIDGETS}/w`, { spec: { size: 5 } }, MERGE],
        code: 200,
        pick: (b) => [b.spec.size, b.metadata.generation],
        equals: [5, 2],
      },
      {
        request: ['PATCH', `${WIDGETS}/w`, { metadata: { labels: { a: 'b' } } }, MERGE],
        code: 200,
        pick: (b) => b.metadata.generation,
        equals: 2,
      },
      {
        request: [
          'PATCH',
          `${WIDGETS}/w/status`,
          { status: { conditions: [{ type: 'Ready', status: 'True' }] }, spec: { size: 7 } },
          MERGE,
        ],
        code: 200,
        pick: (b) => [b.spec.size, b.status, b.metadata.generation],
        equals: [5, { conditions: [{ type: 'Ready', status: 'True' }] }, 2],
      },
      { request: ['PATCH', `${WIDGETS}/w`, { status: null }, MERGE], code: 200, pick: (b) => b.status.conditions.length, equals: 1 },
      {
        request: ['PATCH', `${WIDGETS}/w`, { spec: { color: 'blue' } }, MERGE],
        code: 422,
        message: 'Widget.test.dev "w" is invalid: spec: Invalid value: color is immutable',
      },
    ],
  },
  refusedWidget(
    'an unknown value',
    { color: 'green' },
    `[spec.color: Unsupported value: "green": supported values: "red", "blue", ${UNCHECKED}]`,
  ),
  refusedWidget('a missing field', {}, `[spec.color: Required value, ${UNCHECKED}]`),
  refusedWidget(
    'a wrong type',
    { color: 'red', size: 'x' },
    `[spec.size: Invalid value: "string": spec.size in body must be of type integer: "string", ${UNCHECKED}]`,
  ),
  refusedWidget(
    'too big',
    { color: 'red', size: 11 },
    'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
  ),
  refusedWidget('a rule', { color: 'red', size: 1 }, 'spec: Invalid value: size must be at least 2'),
  refusedWidget(
    'a rule without a message',
    { color: 'red', mode: 'c' },
    "spec: Invalid value: failed rule: !has(self.mode) || self.mode != 'c'",
  ),
  refusedWidget('a rule of a text', { color: 'red', name: 'evil' }, 'spec.name: Invalid value: "evil": no evil'),
  refusedWidget('a pattern', { color: 'red', name: 'AAA' }, 'spec.name: Invalid value: "AAA": spec.name in body should match \'^[a-z]+$\''),
  refusedWidget(
    'too short',
    { color: 'red', name: 'ab' },
    'spec.name: Invalid value: "ab": spec.name in body should be at least 3 chars long',
  ),
  refusedWidget('too long', { color: 'red', name: 'abcdef' }, `[spec.name: Too long: may not be more than 5 bytes, ${UNCHECKED}]`),
  refusedWidget('too many', { color: 'red', tags: ['a', 'b', 'c'] }, `[spec.tags: Too many: 3: must have at most 2 items, ${UNCHECKED}]`),
  refusedWidget('the same twice in a set', { color: 'red', tags: ['a', 'a'] }, 'spec.tags[1]: Duplicate value: "a"'),
  refusedWidget(
    'no instant',
    { color: 'red', at: 'x' },
    `[spec.at: Invalid value: "x": spec.at in body must be of type date-time: "x", ${UNCHECKED}]`,
  ),
];

const BUILTIN: Case[] = [
  {
    sentence: 'a pod gets its defaults',
    steps: [
      {
        request: [
          'POST',
          `${PODS}?dryRun=All`,
          pod('p', {
            containers: [
              {
                name: 'app',
                image: 'web:1',
                livenessProbe: { httpGet: { port: 80 } },
                ports: [{ containerPort: 80 }],
                resources: { limits: { cpu: 1 } },
              },
            ],
          }),
        ],
        code: 201,
        // Without a service account: the real server of the tests runs without that admission.
        pick: ({ spec: { serviceAccount: _account, serviceAccountName: _name, ...spec }, status }) => ({
          ...spec,
          status: status.phase,
          qos: status.qosClass,
        }),
        equals: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'app',
              image: 'web:1',
              imagePullPolicy: 'IfNotPresent',
              livenessProbe: {
                failureThreshold: 3,
                httpGet: { path: '/', port: 80, scheme: 'HTTP' },
                periodSeconds: 10,
                successThreshold: 1,
                timeoutSeconds: 1,
              },
              ports: [{ containerPort: 80, protocol: 'TCP' }],
              resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
          dnsPolicy: 'ClusterFirst',
          enableServiceLinks: true,
          preemptionPolicy: 'PreemptLowerPriority',
          priority: 0,
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          securityContext: {},
          terminationGracePeriodSeconds: 30,
          tolerations: [
            { effect: 'NoExecute', key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 300 },
            { effect: 'NoExecute', key: 'node.kubernetes.io/unreachable', operator: 'Exists', tolerationSeconds: 300 },
          ],
          status: 'Pending',
          qos: 'Burstable',
        },
      },
    ],
  },
  {
    sentence: 'a deadline may shrink, never grow',
    steps: [
      { request: ['POST', PODS, pod('deadline', { activeDeadlineSeconds: 100, nodeSelector: { no: 'where' } })], code: 201 },
      { request: ['PATCH', `${PODS}/deadline`, { spec: { activeDeadlineSeconds: 50 } }, MERGE], code: 200 },
      {
        request: ['PATCH', `${PODS}/deadline`, { spec: { activeDeadlineSeconds: 200 } }, MERGE],
        code: 422,
        message: 'Pod "deadline" is invalid: spec.activeDeadlineSeconds: Invalid value: 200: must be less than or equal to previous value',
      },
    ],
  },
  refusedPod(
    'no image, a bad name',
    { metadata: { name: 'p' }, spec: { containers: [{ name: 'A', image: '' }] } },
    `Pod "p" is invalid: [spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'), spec.containers[0].image: Required value]`,
  ),
  refusedPod(
    'a mount without its volume',
    pod('p', { containers: [{ name: 'a', image: 'b', volumeMounts: [{ name: 'x', mountPath: '/x' }] }] }),
    'Pod "p" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "x"',
  ),
  refusedPod(
    'a request above its limit',
    pod('p', { containers: [{ name: 'a', image: 'b', resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }] }),
    'Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ),
  {
    sentence: 'quotas and security levels forbid',
    steps: [
      {
        request: [
          'POST',
          '/api/v1/namespaces',
          { metadata: { name: 'strict', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
        ],
        code: 201,
      },
      {
        request: ['POST', '/api/v1/namespaces/strict/pods', pod('p', { hostNetwork: true })],
        code: 403,
        reason: 'Forbidden',
        message: 'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      },
    ],
  },
  {
    sentence: 'reviews say what one may',
    steps: [
      {
        request: [
          'POST',
          '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
          { spec: { resourceAttributes: { verb: 'create', resource: 'pods' } } },
        ],
        code: 201,
        pick: (b) => b.status.allowed,
        equals: true,
      },
    ],
  },
];

/** Everything about the API that Podmend relies on and one request after the other can show. */
export const CASES: Case[] = [...OBJECTS, ...LISTS, ...PATCHES, ...CUSTOM, ...BUILTIN];
