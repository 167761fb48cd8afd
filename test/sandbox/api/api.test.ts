import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeError } from '../../../src/sandbox/api/decode.ts';
import { aggregated, groupDocument, groupList, resourceList } from '../../../src/sandbox/api/discovery.ts';
import { ApiError, differentObject, forbidden, invalid, invalidValue, notFound, required } from '../../../src/sandbox/api/errors.ts';
import { listObjects } from '../../../src/sandbox/api/list.ts';
import { openapiDocument, openapiIndex } from '../../../src/sandbox/api/openapi.ts';
import { plainDocument } from '../../../src/sandbox/api/plain.ts';
import { deletionOf, optionsOf, targetOf } from '../../../src/sandbox/api/request.ts';
import { review } from '../../../src/sandbox/api/reviews.ts';
import { bindPod, evict, readScale, subresourceGet, writeScale } from '../../../src/sandbox/api/subresources.ts';
import { bootstrap } from '../../../src/sandbox/bootstrap.ts';
import { acceptDefinition, customStorage, serveDefinition } from '../../../src/sandbox/kinds/crd.ts';
import { apiVersionOf, Registry } from '../../../src/sandbox/kinds/kinds.ts';
import { applyDefaults, definitions, prune, schemaErrors } from '../../../src/sandbox/kinds/schema.ts';
import { celRules } from '../../../src/sandbox/kinds/cel.ts';
import type { Loose, Stored } from '../../../src/sandbox/store/object.ts';
import { aPodBody, bareApi, refusalOf } from '../../support/builders/sandbox-api.ts';

// Parts of the API that conformance/ does not reach, or reaches only by the way.

const api = suite('parts of the API of the sandbox');
const registry = new Registry();
const statusOf = (run: () => unknown): string => {
  try {
    run();
    return 'accepted';
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return `${error.code} ${error.message}`;
  }
};

api('what a deletion answers: the object for some kinds, a Status for the others', () => {
  const bare = bareApi();
  const { make } = bare;
  const metadata = { name: 'x', namespace: 'shop' };
  make('pods', aPodBody('x'));
  make('services', { metadata, spec: { ports: [{ port: 80 }] } });
  make('serviceaccounts', { metadata });
  make('resourcequotas', { metadata, spec: { hard: {} } });
  make('configmaps', { metadata });
  make('deployments', {
    metadata,
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  });
  make('persistentvolumes', { metadata: { name: 'x' }, spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } });
  const remove = (plural: string) => bare.api.remove(registry.builtin(plural), plural === 'persistentvolumes' ? undefined : 'shop', 'x');
  const kinds = ['pods', 'services', 'serviceaccounts', 'resourcequotas', 'persistentvolumes', 'configmaps'].map(
    (plural) => remove(plural).kind,
  );
  assert.equal(kinds, ['Pod', 'Service', 'ServiceAccount', 'ResourceQuota', 'PersistentVolume', 'Status']);
  const answer = remove('deployments');
  assert.equal([answer.status, answer.details.group, answer.details.kind, answer.details.name], ['Success', 'apps', 'deployments', 'x']);
});

api('a pod on a node gets its grace; the shortest that was asked for counts', () => {
  const bare = bareApi();
  const kind = registry.builtin('pods');
  const pod = (name: string, spec: Loose, status?: Loose) => {
    bare.make('pods', aPodBody(name, spec));
    if (status) bare.say('pods', `shop/${name}`, status);
  };
  const gone = (name: string, options: Loose = {}) => {
    bare.api.remove(kind, 'shop', name, options);
    const { deletionTimestamp, deletionGracePeriodSeconds } = bare.read('pods', `shop/${name}`)?.metadata ?? {};
    return deletionTimestamp ? [deletionTimestamp, deletionGracePeriodSeconds] : 'gone';
  };
  const placed = { nodeName: 'n' };
  pod('a', placed);
  assert.equal(gone('a'), ['2030-01-01T00:00:30Z', 30]);
  assert.equal(gone('a', { gracePeriodSeconds: 60 }), ['2030-01-01T00:00:30Z', 30], 'not longer');
  assert.equal(gone('a', { gracePeriodSeconds: 5 }), ['2030-01-01T00:00:05Z', 5]);
  assert.is(bare.read('pods', 'shop/a')?.metadata.generation, 2, 'counted once');
  assert.is(gone('a', { gracePeriodSeconds: 0 }), 'gone');
  pod('b', { ...placed, terminationGracePeriodSeconds: 7 });
  assert.equal(gone('b'), ['2030-01-01T00:00:07Z', 7]);
  pod('c', {});
  assert.is(gone('c'), 'gone', 'without a node');
  pod('d', placed, { phase: 'Succeeded' });
  assert.is(gone('d'), 'gone', 'after its end');
  pod('e', placed, { phase: 'Failed' });
  assert.is(gone('e'), 'gone', 'after its failure');
  pod('f', placed);
  bare.api.remove(kind, 'shop', 'f', { dryRun: true, gracePeriodSeconds: 0 });
  assert.is(bare.read('pods', 'shop/f')?.metadata.deletionTimestamp, undefined, 'only tried');
  pod('g', {});
  const { metadata } = bare.api.remove(kind, 'shop', 'g');
  assert.equal([metadata.generation, metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds], [2, '2030-01-01T00:00:00Z', 0]);
});

api('finalizers of a deletion, preconditions, and namespaces that stay', () => {
  const bare = bareApi();
  const kind = registry.builtin('configmaps');
  const finalizers = (options: Loose) => {
    bare.make('configmaps', { metadata: { name: 'x', namespace: 'shop', finalizers: ['a/b', 'orphan'] } });
    const found = bare.api.remove(kind, 'shop', 'x', options).metadata.finalizers;
    bare.api.store.remove(kind.storage, 'shop/x');
    return found;
  };
  assert.equal(finalizers({}), ['a/b']);
  assert.equal(finalizers({ propagationPolicy: 'Foreground' }), ['a/b', 'foregroundDeletion']);
  assert.equal(finalizers({ propagationPolicy: 'Orphan' }), ['a/b', 'orphan']);
  bare.make('configmaps', { metadata: { name: 'y', namespace: 'shop' } });
  const { uid, resourceVersion } = bare.read('configmaps', 'shop/y')!.metadata;
  const given = (preconditions: Loose) => statusOf(() => bare.api.remove(kind, 'shop', 'y', { preconditions }));
  assert.match(
    given({ uid: 'u' }),
    `the UID in the precondition (u) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
  );
  assert.match(
    given({ resourceVersion: '1' }),
    `the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
  );
  assert.is(given({ uid, resourceVersion }), 'accepted');
  for (const name of ['kube-system', 'kube-public']) bare.make('namespaces', { metadata: { name } });
  for (const name of ['default', 'kube-system', 'kube-public'])
    assert.match(
      statusOf(() => bare.api.remove(registry.builtin('namespaces'), undefined, name)),
      'this namespace may not be deleted',
    );
  const going = bare.api.remove(registry.builtin('namespaces'), undefined, 'shop');
  assert.equal([going.status.phase, going.metadata.deletionGracePeriodSeconds], ['Terminating', undefined]);
  assert.match(
    refusalOf(() => bare.make('configmaps', { metadata: { name: 'z', namespace: 'shop' } })) ?? '',
    'unable to create new content in namespace shop because it is being terminated',
  );
  assert.match(
    refusalOf(() => bare.make('configmaps', { metadata: { name: 'z', namespace: 'none' } })) ?? '',
    'namespaces "none" not found',
  );
});

const list = (bare: ReturnType<typeof bareApi>, query: string, namespace: string | undefined = 'shop') =>
  listObjects(bare.api, registry.builtin('configmaps'), namespace, new URLSearchParams(query));
api('pages of a list, as it was when it began', () => {
  const bare = bareApi();
  for (const name of ['a', 'b', 'c', 'd'])
    bare.make('configmaps', { metadata: { name, namespace: 'shop', labels: { odd: String('ac'.includes(name)) } } });
  const names = ({ items }: Loose) => items.map(({ metadata }: Loose) => metadata.name);
  const first = list(bare, 'limit=2');
  assert.equal([names(first), first.metadata.remainingItemCount, first.kind, first.apiVersion], [['a', 'b'], 2, 'ConfigMapList', 'v1']);
  assert.equal([first.items[0].kind, first.items[0].apiVersion], [undefined, undefined]);
  bare.make('configmaps', { metadata: { name: 'bb', namespace: 'shop' } });
  const second = list(bare, `limit=1&continue=${first.metadata.continue}`);
  assert.equal([names(second), second.metadata.resourceVersion], [['c'], first.metadata.resourceVersion]);
  const last = list(bare, `continue=${second.metadata.continue}`);
  assert.equal([names(last), last.metadata.continue, last.metadata.remainingItemCount], [['d'], undefined, undefined]);
  const chosen = list(bare, 'limit=1&labelSelector=odd%3Dtrue');
  assert.equal([names(chosen), typeof chosen.metadata.continue, chosen.metadata.remainingItemCount], [['a'], 'string', undefined]);
  assert.equal(names(list(bare, 'limit=5')), ['a', 'b', 'bb', 'c', 'd']);
  assert.is(list(bare, 'limit=5').metadata.continue, undefined);
  for (const [query, refused] of [
    ['limit=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
    ['resourceVersionMatch=Exact', 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
    ['resourceVersionMatch=Exact&resourceVersion=0', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
    ['resourceVersionMatch=Newest&resourceVersion=5', 'Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""'],
    ['resourceVersion=x', '400 invalid resource version: resourceVersion: Invalid value: "x"'],
    [`continue=${first.metadata.continue}&resourceVersion=5`, '400 specifying resource version is not allowed when using continue'],
    ['continue=%40', '400 invalid continue token: continue key is not valid'],
  ] as const)
    assert.ok(
      statusOf(() => list(bare, query)).includes(refused),
      statusOf(() => list(bare, query)),
    );
  for (const query of [
    'limit=-1',
    'resourceVersionMatch=Exact&resourceVersion=5',
    'resourceVersionMatch=NotOlderThan&resourceVersion=0',
    `continue=${first.metadata.continue}&resourceVersion=0`,
  ])
    assert.is(
      statusOf(() => list(bare, query)),
      'accepted',
      query,
    );
  for (let count = 0; count < 1001; count += 1) bare.say('configmaps', 'shop/a', { count });
  assert.match(
    statusOf(() => list(bare, `continue=${first.metadata.continue}`)),
    /^410 The provided continue parameter is too old/,
  );
});

const pod = definitions()['io.k8s.api.core.v1.Pod'];
for (const [what, value, fault] of [
  [
    'right types',
    { spec: { hostNetwork: true, terminationGracePeriodSeconds: 5, containers: [{ name: 'a', ports: [{ containerPort: 80 }] }] } },
    undefined,
  ],
  [
    'a text for a number',
    { spec: { terminationGracePeriodSeconds: '5' } },
    'json: cannot unmarshal string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
  ],
  [
    'a number for a truth',
    { spec: { hostNetwork: 1 } },
    'json: cannot unmarshal number into Go struct field PodSpec.spec.hostNetwork of type bool',
  ],
  [
    'a broken number',
    { spec: { containers: [{ ports: [{ containerPort: 1.5 }] }] } },
    'json: cannot unmarshal number into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32',
  ],
  [
    'a map for a list',
    { spec: { containers: {} } },
    'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
  ],
  [
    'a list for a map',
    { metadata: { labels: [] } },
    'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
  ],
  [
    'a truth for a text',
    { metadata: { labels: { a: true } } },
    'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
  ],
  [
    'a number or a text',
    { spec: { containers: [{ livenessProbe: { httpGet: { port: 'http' } } }, { livenessProbe: { httpGet: { port: 80 } } }] } },
    undefined,
  ],
  ['an amount as a number', { spec: { containers: [{ resources: { limits: { cpu: 1 } } }] } }, undefined],
  [
    'no time',
    { metadata: { creationTimestamp: 'x' } },
    'parsing time "x" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "x" as "2006"',
  ],
  ['nothing', null, undefined],
] as const)
  api(`types of a body: ${what}`, () => assert.is(decodeError(pod, value, '', 'Pod'), fault));

api('types of a body: bytes', () => {
  const secret = definitions()['io.k8s.api.core.v1.Secret'];
  const of = (text: string) => decodeError(secret, { data: { a: text } }, '', 'Secret');
  assert.equal(['YQ==', 'YWI=', 'YWJj', ''].map(of), [undefined, undefined, undefined, undefined]);
  assert.equal(['a b', 'YQ=', 'Y'].map(of), [
    'illegal base64 data at input byte 1',
    'illegal base64 data at input byte 2',
    'illegal base64 data at input byte 1',
  ]);
});

for (const [path, target] of [
  ['/api/v1/pods', 'pods - - -'],
  ['/api/v1/namespaces/shop/pods', 'pods shop - -'],
  ['/api/v1/namespaces/shop/pods/web', 'pods shop web -'],
  ['/api/v1/namespaces/shop/pods/web/log', 'pods shop web log'],
  ['/api/v1/namespaces', 'namespaces - - -'],
  ['/api/v1/namespaces/shop', 'namespaces - shop -'],
  ['/api/v1/namespaces/shop/status', 'namespaces - shop status'],
  ['/api/v1/namespaces/shop/finalize', 'namespaces - shop finalize'],
  ['/apis/apps/v1/namespaces/shop/deployments/a%2Fb', 'deployments shop a/b -'],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles/x', 'clusterroles - x -'],
  ['/apis/rbac.authorization.k8s.io/v1/namespaces/shop/clusterroles/x', undefined],
  ['/api/v1/namespaces/shop/pods/web/log/more', undefined],
  ['/api/v1/gadgets', undefined],
  ['/apis/apps/v2/deployments', undefined],
] as const)
  api(`the path ${path}`, () => {
    const found = targetOf(registry, path);
    assert.is(found && [found.kind.plural, found.namespace ?? '-', found.name ?? '-', found.subresource ?? '-'].join(' '), target);
  });

const options = (method: string, query: string, { type = 'application/json', agent = 'kubectl/v1', body = undefined as Loose } = {}) =>
  optionsOf(
    new URLSearchParams(query),
    { method, headers: { 'content-type': type, ...(agent && { 'user-agent': agent }) } } as never,
    undefined,
    body,
  );
api('options of a write', () => {
  assert.equal(options('POST', ''), { dryRun: false, manager: 'kubectl', validation: 'Warn', force: false, warnings: [] });
  assert.equal(options('POST', 'dryRun=All&fieldManager=me&fieldValidation=Strict').dryRun, true);
  assert.equal(
    [
      options('POST', 'fieldManager=me').manager,
      options('POST', '', { agent: '' }).manager,
      options('POST', 'fieldValidation=Ignore').validation,
    ],
    ['me', 'unknown', 'Ignore'],
  );
  assert.is(options('PATCH', 'force=true', { type: 'application/apply-patch+yaml' }).force, true);
  assert.is(options('DELETE', '', { body: { kind: 'DeleteOptions', dryRun: ['All'] } }).dryRun, true);
  assert.is(options('POST', '', { body: { kind: 'Other', dryRun: ['All'] } }).dryRun, false);
  for (const [method, query, refused] of [
    ['PATCH', 'force=true', 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch'],
    [
      'POST',
      `fieldManager=${'x'.repeat(129)}`,
      'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
    ],
    ['PUT', 'dryRun=Some', 'UpdateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [
      'POST',
      'fieldValidation=Loose',
      'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    [
      'DELETE',
      'propagationPolicy=Slow',
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Slow": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
  ] as const)
    assert.is(
      statusOf(() => options(method, query)),
      `422 ${refused}`,
    );
  assert.is(
    statusOf(() => options('POST', `fieldManager=${'x'.repeat(128)}`)),
    'accepted',
  );
  for (const policy of ['Foreground', 'Background', 'Orphan'])
    assert.is(
      statusOf(() => options('DELETE', `propagationPolicy=${policy}`)),
      'accepted',
    );
});

api('options of a deletion: the query counts before the body', () => {
  const of = (query: string, body: Loose) => deletionOf(new URLSearchParams(query), body, true);
  assert.equal(of('', { gracePeriodSeconds: 5, propagationPolicy: 'Orphan' }), {
    gracePeriodSeconds: 5,
    propagationPolicy: 'Orphan',
    dryRun: true,
  });
  assert.equal(of('gracePeriodSeconds=0&propagationPolicy=Foreground', { gracePeriodSeconds: 5 }), {
    gracePeriodSeconds: 0,
    propagationPolicy: 'Foreground',
    dryRun: true,
  });
});

api('messages name a resource with its group', () => {
  const apps = registry.builtin('deployments');
  const [core, custom] = [registry.builtin('pods'), { group: 'example.org', plural: 'widgets', kind: 'Widget' }];
  assert.equal([notFound(apps, 'x').message, notFound(core, 'x').message], ['deployments.apps "x" not found', 'pods "x" not found']);
  assert.equal(notFound(apps, 'x').status(), {
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'deployments.apps "x" not found' },
    ...{ reason: 'NotFound', details: { name: 'x', group: 'apps', kind: 'deployments' }, code: 404 },
  });
  assert.equal(
    [forbidden(core, 'x', 'no').message, forbidden(core, '', 'no').message],
    ['pods "x" is forbidden: no', 'pods is forbidden: no'],
  );
  const one = invalid(core, 'x', [required('a')]);
  assert.equal(
    [one.message, one.details],
    [
      'Pod "x" is invalid: a: Required value',
      { name: 'x', kind: 'Pod', causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'a' }] },
    ],
  );
  assert.is(
    invalid(apps, 'x', [required('a', 'b'), invalidValue('c', undefined, 'd'), required('a', 'b')]).message,
    'Deployment.apps "x" is invalid: [a: Required value: b, c: Invalid value: null: d]',
  );
  const held = { metadata: { name: 'x', namespace: 'shop', uid: 'u' } } as Stored;
  const key = (of: typeof custom) => /Key: (\S+),/.exec(differentObject(of, held, 'v').message)?.[1];
  assert.equal([core, apps, registry.builtin('roles'), custom].map(key), [
    '/registry/pods/shop/x',
    '/registry/deployments/shop/x',
    '/registry/roles/shop/x',
    '/registry/example.org/widgets/shop/x',
  ]);
});

api('the size of a workload by its scale', () => {
  const bare = bareApi();
  const labels = { a: 'b', c: 'd' };
  bare.make('deployments', {
    metadata: { name: 'x', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  });
  bare.say('deployments', 'shop/x', { replicas: 1 });
  const kind = registry.builtin('deployments');
  const scale = () => readScale(kind, bare.read('deployments', 'shop/x')!);
  assert.equal(
    [scale().kind, scale().apiVersion, scale().spec, scale().status],
    ['Scale', 'autoscaling/v1', { replicas: 2 }, { replicas: 1, selector: 'a=b,c=d' }],
  );
  const target = { kind, namespace: 'shop', name: 'x' };
  assert.equal(writeScale(bare.api, target, { spec: { replicas: 5 } }, { isPatch: false }).spec, { replicas: 5 });
  assert.equal(writeScale(bare.api, target, { spec: { replicas: 3 } }, { isPatch: true, subresource: 'scale' }).spec, { replicas: 3 });
  assert.is(bare.read('deployments', 'shop/x')?.spec.replicas, 3);
  assert.match(
    statusOf(() => writeScale(bare.api, target, { spec: { replicas: -1 } }, { isPatch: false })),
    '422 Scale.autoscaling "x" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
  assert.equal(writeScale(bare.api, target, { spec: {} }, { isPatch: false }).spec, {});
  assert.match(
    statusOf(() => readScale(registry.builtin('pods'), {} as never)),
    '404',
  );
});

api('a pod is bound once, and evicted as it is deleted', () => {
  const bare = bareApi();
  bare.make('pods', aPodBody('x'));
  const target = { kind: registry.builtin('pods'), namespace: 'shop', name: 'x' };
  bare.say('pods', 'shop/x', { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False' }, { type: 'Other' }] });
  assert.is(bindPod(bare.api, target, 'n').code, 201);
  const { spec, status } = bare.read('pods', 'shop/x')!;
  assert.equal(
    [spec.nodeName, status.conditions],
    ['n', [{ type: 'Other' }, { lastProbeTime: null, lastTransitionTime: '2030-01-01T00:00:00Z', status: 'True', type: 'PodScheduled' }]],
  );
  assert.is(
    statusOf(() => bindPod(bare.api, target, 'm')),
    '409 Operation cannot be fulfilled on pods/binding "x": pod x is already assigned to node "n"',
  );
  assert.is(evict(bare.api, target.kind, 'shop', 'x', { deleteOptions: { gracePeriodSeconds: 3 } }).status, 'Success');
  assert.is(bare.read('pods', 'shop/x')?.metadata.deletionGracePeriodSeconds, 3);
});

api('subresources that a kind has', () => {
  const object = { metadata: { name: 'x' } } as Stored;
  const get = (kind: Loose, part: string | undefined) => statusOf(() => subresourceGet(kind, object, part));
  assert.equal([get(registry.builtin('pods'), undefined), get(registry.builtin('pods'), 'status')], ['accepted', 'accepted']);
  assert.match(get(registry.builtin('configmaps'), 'status'), '404 the server could not find');
  assert.match(get({ ...registry.builtin('configmaps'), isCustom: true, plural: 'widgets' }, 'status'), '404 widgets "x" not found');
});

api('reviews: everybody is the administrator', () => {
  const of = (plural: string, body: Loose) => review(registry.builtin(plural), 'shop', body);
  const asked = { resourceAttributes: { verb: 'get' } };
  assert.equal(of('selfsubjectaccessreviews', { spec: asked }).status, { allowed: true });
  assert.equal(of('subjectaccessreviews', { spec: { ...asked, user: 'ann' } }).status, { allowed: true });
  assert.equal(of('subjectaccessreviews', { spec: { ...asked, groups: ['g'] } }).metadata, { namespace: 'shop' });
  assert.match(
    statusOf(() => of('subjectaccessreviews', { spec: asked })),
    'spec.user: Invalid value: "": at least one of user or group must be specified',
  );
  for (const spec of [{}, { ...asked, nonResourceAttributes: {} }])
    assert.match(
      statusOf(() => of('selfsubjectaccessreviews', { spec })),
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    );
  assert.equal(of('selfsubjectaccessreviews', undefined).status, { allowed: true });
  const user = { username: 'sandbox', uid: '', groups: ['system:masters', 'system:authenticated'] };
  assert.equal(of('tokenreviews', { spec: { token: 't' } }).status, { authenticated: true, user });
  assert.equal(of('tokenreviews', undefined).status, { authenticated: false });
  assert.match(
    statusOf(() => of('tokenreviews', { spec: {} })),
    '400 token is required',
  );
  assert.equal(of('selfsubjectreviews', undefined).status, { userInfo: user });
  assert.equal(of('selfsubjectrulesreviews', undefined).status.resourceRules, [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
});

/** Kubernetes' API reference: `[plural, version, short names, namespaced, subresources]` */
const SERVED: [string, string, string, boolean, string][] = [
  ['configmaps', 'v1', 'cm', true, ''],
  ['events', 'v1', 'ev', true, ''],
  ['namespaces', 'v1', 'ns', false, 'status finalize'],
  ['nodes', 'v1', 'no', false, 'status'],
  ['persistentvolumeclaims', 'v1', 'pvc', true, 'status'],
  ['persistentvolumes', 'v1', 'pv', false, 'status'],
  ['pods', 'v1', 'po', true, 'status binding eviction log'],
  ['resourcequotas', 'v1', 'quota', true, 'status'],
  ['secrets', 'v1', '', true, ''],
  ['serviceaccounts', 'v1', 'sa', true, ''],
  ['services', 'v1', 'svc', true, 'status'],
  ['horizontalpodautoscalers', 'autoscaling/v2', 'hpa', true, 'status'],
  ['cronjobs', 'batch/v1', 'cj', true, 'status'],
  ['jobs', 'batch/v1', '', true, 'status'],
  ['ingresses', 'networking.k8s.io/v1', 'ing', true, 'status'],
  ['networkpolicies', 'networking.k8s.io/v1', 'netpol', true, ''],
  ['poddisruptionbudgets', 'policy/v1', 'pdb', true, 'status'],
  ['clusterroles', 'rbac.authorization.k8s.io/v1', '', false, ''],
  ['rolebindings', 'rbac.authorization.k8s.io/v1', '', true, ''],
  ['storageclasses', 'storage.k8s.io/v1', 'sc', false, ''],
  ['customresourcedefinitions', 'apiextensions.k8s.io/v1', 'crd crds', false, 'status'],
  ['daemonsets', 'apps/v1', 'ds', true, 'status'],
  ['deployments', 'apps/v1', 'deploy', true, 'status scale'],
  ['replicasets', 'apps/v1', 'rs', true, 'status scale'],
  ['statefulsets', 'apps/v1', 'sts', true, 'status scale'],
  ['priorityclasses', 'scheduling.k8s.io/v1', 'pc', false, ''],
  ['leases', 'coordination.k8s.io/v1', '', true, ''],
];
for (const [plural, version, short, namespaced, parts] of SERVED)
  api(`${plural} of ${version} as discovery shows them`, () => {
    const kind = registry.builtin(plural);
    assert.equal([apiVersionOf(kind), kind.shortNames.join(' '), kind.namespaced], [version, short, namespaced]);
    const all = resourceList(registry, kind.group, kind.version)!.resources as Loose[];
    assert.equal(
      all
        .filter(({ name }) => name.startsWith(`${plural}/`))
        .map(({ name }) => name.split('/')[1])
        .join(' '),
      parts,
    );
    const own = all.find(({ name }) => name === plural);
    assert.equal([own.singularName, own.namespaced, own.kind], [kind.kind.toLowerCase(), namespaced, kind.kind]);
  });

api('verbs: reviews are only created, and namespaces not deleted together', () => {
  const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
  assert.equal([registry.builtin('pods').verbs, registry.builtin('tokenreviews').verbs], [ALL, ['create']]);
  assert.equal(
    registry.builtin('namespaces').verbs,
    ALL.filter((verb) => verb !== 'deletecollection'),
  );
  assert.not(registry.storages().some(({ plural }) => plural === 'tokenreviews'));
  const events = registry.all().filter(({ plural }) => plural === 'events');
  assert.equal(
    [
      events.length,
      new Set(events.map(({ storage }) => storage)).size,
      registry.storages().filter(({ storage }) => storage === 'events').length,
    ],
    [2, 1, 1],
  );
  assert.equal([registry.byKind('apps/v1', 'Deployment')?.plural, registry.byKind('v1', 'Deployment')], ['deployments', undefined]);
  assert.throws(() => registry.builtin('gadgets'), /no builtin kind gadgets/);
  const all = registry.all().filter(({ categories }) => categories.includes('all'));
  assert.equal(all.map(({ plural }) => plural).sort(), [
    'cronjobs',
    'daemonsets',
    'deployments',
    'horizontalpodautoscalers',
    'jobs',
    'pods',
    'replicasets',
    'services',
    'statefulsets',
  ]);
});

api('groups, in both forms', () => {
  assert.equal(groupDocument(registry, 'apps'), {
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'apps',
    versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
    preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
  });
  assert.equal(
    [groupDocument(registry, ''), groupDocument(registry, 'none'), resourceList(registry, 'none', 'v1')],
    [undefined, undefined, undefined],
  );
  const { groups } = groupList(registry);
  assert.equal(
    [groups[0].kind, groups.some(({ name }: Loose) => name === 'apps'), groups.some(({ name }: Loose) => name === '')],
    [undefined, true, false],
  );
  const [core] = aggregated(registry, true).items;
  assert.equal([core.metadata.name, core.versions[0].version, core.versions[0].freshness], [undefined, 'v1', 'Current']);
  const pods = core.versions[0].resources.find(({ resource }: Loose) => resource === 'pods');
  assert.equal([pods.scope, pods.singularResource, pods.shortNames, pods.categories], ['Namespaced', 'pod', ['po'], ['all']]);
  assert.equal(pods.subresources[2], {
    subresource: 'eviction',
    responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
    verbs: ['create'],
  });
  assert.ok(aggregated(registry, false).items.every(({ metadata }: Loose) => metadata.name));
});

api('documents at plain paths', () => {
  const at = (path: string, accept = '') => plainDocument(registry, 'v1.36.0-sandbox', path, accept);
  assert.equal([at('/version').major, at('/version').minor, at('/version').gitVersion], ['1', '36', 'v1.36.0-sandbox']);
  assert.equal(at('/api'), { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] });
  assert.equal(
    [at('/apis').kind, at('/apis', 'x;as=APIGroupDiscoveryList').kind, at('/api', 'as=APIGroupDiscoveryList').kind],
    ['APIGroupList', 'APIGroupDiscoveryList', 'APIGroupDiscoveryList'],
  );
  assert.equal([at('/api/v1').groupVersion, at('/apis/apps').kind, at('/apis/apps/v1').groupVersion], ['v1', 'APIGroup', 'apps/v1']);
  assert.equal(
    [at('/api/v2'), at('/api/v1/pods'), at('/apis/apps/v1/deployments'), at('/apis/none'), at('/openapi/v3/none')],
    [undefined, undefined, undefined, undefined, undefined],
  );
  assert.equal(
    [at('/openapi/v3').paths['api/v1'].serverRelativeURL, at('/openapi/v3/api/v1').openapi],
    [`/openapi/v3/api/v1?hash=${registry.all().length}`, '3.0.0'],
  );
});

api('the OpenAPI document of a group has its schemas, those that they use, and its paths', () => {
  const document = openapiDocument(registry, 'apps', 'v1')!;
  const { paths, components } = document;
  const { get, post } = paths['/apis/apps/v1/namespaces/{namespace}/deployments'];
  assert.equal(
    [get['x-kubernetes-action'], get.parameters, post['x-kubernetes-group-version-kind']],
    ['list', [], { group: 'apps', version: 'v1', kind: 'Deployment' }],
  );
  assert.equal(
    post.parameters.map(({ name }: Loose) => name),
    ['dryRun', 'fieldManager', 'fieldValidation'],
  );
  const one = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
  assert.equal(Object.keys(one).sort(), ['delete', 'get', 'patch', 'put']);
  const own = components.schemas['io.k8s.api.apps.v1.Deployment'];
  assert.equal(own['x-kubernetes-group-version-kind'], [{ group: 'apps', version: 'v1', kind: 'Deployment' }]);
  const meta = own.properties.metadata;
  assert.is(meta.$ref ?? meta.allOf[0].$ref, '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
  assert.ok(components.schemas['io.k8s.api.core.v1.Container'], 'what a template uses');
  const used = JSON.stringify(document).matchAll(/#\/components\/schemas\/([\w.-]+)/g);
  for (const [, name = ''] of used) assert.ok(components.schemas[name], name);
  assert.ok(openapiDocument(registry, '', 'v1')!.paths['/api/v1/nodes']);
  assert.equal(
    [openapiDocument(registry, 'apps', 'v2'), Object.keys(openapiIndex(registry).paths).includes('apis/apps/v1')],
    [undefined, true],
  );
});

const definition = (over: Loose = {}): Stored =>
  ({
    metadata: { name: 'widgets.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', shortNames: ['wd'], categories: ['all'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'C', type: 'string', jsonPath: '.c' }],
          schema: { openAPIV3Schema: { properties: { spec: { type: 'object' } } } },
        },
        { name: 'v2', served: true, storage: false },
        { name: 'v0', served: false, storage: false },
      ],
      ...over,
    },
  }) as never;
api('a definition serves its versions, and stops when it is gone', () => {
  const own = new Registry();
  const count = own.all().length;
  serveDefinition(own, definition());
  assert.is(customStorage(definition()), 'example.org/widgets');
  const [first, second] = [own.byPlural('example.org', 'v1', 'widgets')!, own.byPlural('example.org', 'v2', 'widgets')!];
  assert.equal(
    [first.singular, first.shortNames, first.categories, first.namespaced, first.hasStatus, first.isCustom],
    ['widget', ['wd'], ['all'], true, true, true],
  );
  assert.equal(
    [second.hasStatus, second.columns!.map(({ name }) => name), first.columns!.map(({ name }) => name)],
    [false, ['Age'], ['C']],
  );
  assert.equal(
    [own.byPlural('example.org', 'v0', 'widgets'), first.storage, second.storage],
    [undefined, 'example.org/widgets', 'example.org/widgets'],
  );
  assert.equal(Object.keys((first.schema as Loose).properties).sort(), ['apiVersion', 'kind', 'metadata', 'spec']);
  serveDefinition(own, definition({ scope: 'Cluster', versions: [{ name: 'v1', served: true, storage: true }] }));
  assert.equal(
    [own.byPlural('example.org', 'v1', 'widgets')?.namespaced, own.byPlural('example.org', 'v2', 'widgets')],
    [false, undefined],
  );
  own.setCustom('example.org/widgets', []);
  assert.is(own.all().length, count);
});

api('a new definition is accepted at once', () => {
  const made = definition();
  acceptDefinition(made, bareApi().clock);
  const { acceptedNames, storedVersions, conditions } = made['status'];
  assert.equal([acceptedNames, storedVersions], [made.spec.names, ['v1']]);
  assert.equal(
    conditions.map(({ type, status, reason, lastTransitionTime }: Loose) => [type, status, reason, lastTransitionTime]),
    [
      ['NamesAccepted', 'True', 'NoConflicts', '2030-01-01T00:00:00Z'],
      ['Established', 'True', 'InitialNamesAccepted', '2030-01-01T00:00:00Z'],
    ],
  );
});

const told = (schema: Loose, value: Loose) => [...schemaErrors(schema, value, 'f')].map(({ field, text }) => `${field}: ${text}`);
/** `[what, schema, value, errors]` */
const SCHEMAS: [string, Loose, Loose, string[]][] = [
  ['a text', { type: 'string' }, 'x', []],
  ['a number for a text', { type: 'string' }, 1, ['f: Invalid value: "integer": f in body must be of type string: "integer"']],
  ['an integer for a number', { type: 'number' }, 1, []],
  [
    'a number for an integer',
    { type: 'integer' },
    1.5,
    [
      'f: Invalid value: "number": f in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in f',
    ],
  ],
  ['nothing where it may be', { type: 'string', nullable: true }, null, []],
  ['nothing where it may not be', { type: 'string' }, null, ['f: Invalid value: "null": f in body must be of type string: "null"']],
  ['a number or a text', { 'x-kubernetes-int-or-string': true }, 'x', []],
  [
    'neither a number nor a text',
    { 'x-kubernetes-int-or-string': true },
    true,
    ['f: Invalid value: "boolean": f in body must be of type integer,string: "boolean"'],
  ],
  ['one of some', { type: 'string', enum: ['a', 'b'] }, 'b', []],
  ['none of some', { type: 'string', enum: ['a', 'b'] }, 'c', ['f: Unsupported value: "c": supported values: "a", "b"']],
  ['the longest text, in letters of two bytes', { type: 'string', maxLength: 2 }, '\u{1F600}é', []],
  ['a longer text', { type: 'string', maxLength: 2 }, 'abc', ['f: Too long: may not be more than 2 bytes']],
  ['the shortest text', { type: 'string', minLength: 2 }, 'ab', []],
  ['a shorter text', { type: 'string', minLength: 2 }, 'a', ['f: Invalid value: "a": f in body should be at least 2 chars long']],
  ['a text of another form', { type: 'string', pattern: '^a+$' }, 'ab', [`f: Invalid value: "ab": f in body should match '^a+$'`]],
  ['a time', { type: 'string', format: 'date-time' }, '2030-01-01T00:00:00.5+01:00', []],
  [
    'no time',
    { type: 'string', format: 'date-time' },
    '2030-13-01T00:00:00Z',
    ['f: Invalid value: "2030-13-01T00:00:00Z": f in body must be of type date-time: "2030-13-01T00:00:00Z"'],
  ],
  ['numbers at the limits', { type: 'array', items: { type: 'integer', minimum: 1, maximum: 3 } }, [1, 3], []],
  [
    'numbers beyond the limits',
    { type: 'array', items: { type: 'integer', minimum: 1, maximum: 3 } },
    [0, 4],
    [
      'f[0]: Invalid value: 0: f[0] in body should be greater than or equal to 1',
      'f[1]: Invalid value: 4: f[1] in body should be less than or equal to 3',
    ],
  ],
  ['lists of the right length', { type: 'array', minItems: 1, maxItems: 2 }, [1, 2], []],
  ['a longer list', { type: 'array', maxItems: 2 }, [1, 2, 3], ['f: Too many: 3: must have at most 2 items']],
  ['a shorter list', { type: 'array', minItems: 1 }, [], ['f: Invalid value: 0: f in body should have at least 1 items']],
  ['a set with a value twice', { type: 'array', 'x-kubernetes-list-type': 'set' }, ['a', 'b', 'a'], ['f[2]: Duplicate value: "a"']],
  [
    'a list by keys with a key twice',
    { type: 'array', 'x-kubernetes-list-map-keys': ['k'] },
    [
      { k: 1, v: 1 },
      { k: 1, v: 2 },
    ],
    ['f[1]: Duplicate value: {"k":1}'],
  ],
  ['a list with a value twice', { type: 'array' }, ['a', 'a'], []],
  [
    'too many and too few properties',
    { type: 'object', properties: { a: { type: 'object', maxProperties: 1 }, b: { type: 'object', minProperties: 1 } } },
    { a: { x: 1, y: 2 }, b: {} },
    ['f.a: Too many: 2: must have at most 1 items', 'f.b: Invalid value: 0: f.b in body should have at least 1 properties'],
  ],
  ['a required member that is missing', { type: 'object', required: ['a', 'b'] }, { a: 1 }, ['f.b: Required value']],
  [
    'members that the author names',
    { type: 'object', additionalProperties: { type: 'integer' } },
    { x: 'y' },
    ['f.x: Invalid value: "string": f.x in body must be of type integer: "string"'],
  ],
];
for (const [what, schema, value, errors] of SCHEMAS) api(`schemas: ${what}`, () => assert.equal(told(schema, value), errors));

api('unknown fields are dropped and named, except where they are kept', () => {
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { b: {} } },
      list: { items: { properties: { c: {} } } },
      free: { 'x-kubernetes-preserve-unknown-fields': true, properties: { d: { type: 'object', properties: { e: {} } } } },
      map: { additionalProperties: { properties: { f: {} } } },
      any: {},
    },
  };
  const value = {
    a: { b: 1, x: 1 },
    list: [{ c: 1 }, { y: 1 }],
    free: { x: 1, d: { e: 1, z: 1 } },
    map: { k: { f: 1, x: 1 } },
    any: { x: 1 },
    w: 1,
  };
  assert.equal(prune(schema, value), ['a.x', 'list[1].y', 'free.d.z', 'map.k.x', 'w']);
  assert.equal(value, { a: { b: 1 }, list: [{ c: 1 }, {}], free: { x: 1, d: { e: 1 } }, map: { k: { f: 1 } }, any: { x: 1 } } as never);
});

api('defaults of a schema', () => {
  const item = { type: 'object', properties: { port: { default: 80 } } };
  const schema = {
    type: 'object',
    properties: {
      a: { default: 'x' },
      b: { type: 'object', default: {}, properties: { c: { default: 1 } } },
      list: { items: item },
      map: { additionalProperties: item },
      none: { type: 'string' },
      maybe: { nullable: true },
    },
  };
  const value: Loose = { list: [{}], map: { k: {} }, none: null, maybe: null };
  applyDefaults(schema, value);
  assert.equal(value, { a: 'x', b: { c: 1 }, list: [{ port: 80 }], map: { k: { port: 80 } }, maybe: null });
  const given: Loose = { a: 'y', b: { c: 2 } };
  applyDefaults(schema, given);
  assert.equal(given, { a: 'y', b: { c: 2 } });
});

const rules = celRules();
const ruled = (rule: Loose, value: Loose, old?: Loose) =>
  rules
    .errors(
      {
        type: 'object',
        properties: { spec: { type: 'object', 'x-kubernetes-validations': [rule], properties: { n: { type: 'integer' } } } },
      },
      { spec: value },
      old && { spec: old },
    )
    .map(({ field, reason, text }) => [field, reason, text].join(' | '));
api('rules of a schema, and their messages', () => {
  assert.equal(ruled({ rule: 'self.n > 1' }, { n: 2 }), []);
  assert.equal(ruled({ rule: 'self.n > 1' }, { n: 1 }), ['spec | FieldValueInvalid | Invalid value: failed rule: self.n > 1']);
  assert.equal(ruled({ rule: 'self.n > 1', message: 'too small', fieldPath: '.n' }, { n: 1 }), [
    'spec.n | FieldValueInvalid | Invalid value: too small',
  ]);
  assert.equal(ruled({ rule: 'self.n > 1', messageExpression: '"n is " + string(self.n)', message: 'm' }, { n: 1 }), [
    'spec | FieldValueInvalid | Invalid value: n is 1',
  ]);
  assert.equal(ruled({ rule: 'false', reason: 'FieldValueForbidden', message: 'no' }, { n: 1 }), [
    'spec | FieldValueForbidden | Forbidden: no',
  ]);
  assert.equal(ruled({ rule: 'false', reason: 'FieldValueRequired', message: 'no' }, { n: 1 }), [
    'spec | FieldValueRequired | Required value: no',
  ]);
  assert.match(ruled({ rule: 'self.none > 1' }, { n: 1 })[0] ?? '', 'rule evaluation error: self.none > 1');
});

api('a rule about the old value is skipped without one', () => {
  const rule = { rule: 'self.n == oldSelf.n', message: 'fixed' };
  assert.equal([ruled(rule, { n: 1 }), ruled(rule, { n: 1 }, { n: 1 }), ruled(rule, { n: 2 }, { n: 1 }).length], [[], [], 1]);
  const optional = { rule: 'self.n == 1', optionalOldSelf: true };
  assert.equal([ruled(optional, { n: 1 }), ruled(optional, { n: 2 }).length], [[], 1]);
});

api('a new cluster', () => {
  const { api: server, list: all, read } = bareApi();
  for (const name of ['default']) server.store.remove(registry.builtin('namespaces').storage, name);
  bootstrap(server, 'node-1', 'v1.36.0');
  assert.equal(
    all('namespaces').map(({ metadata }) => metadata.name),
    ['default', 'kube-node-lease', 'kube-public', 'kube-system', 'shop'],
  );
  const node = read('nodes', 'node-1')!;
  const amounts = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '40Gi', pods: '110', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0' };
  assert.equal([node.status.allocatable, node.status.capacity], [amounts, amounts]);
  assert.equal(
    node.status.conditions.map(({ type, status, reason }: Loose) => `${type} ${status} ${reason}`),
    [
      'MemoryPressure False KubeletHasSufficientMemory',
      'DiskPressure False KubeletHasNoDiskPressure',
      'PIDPressure False KubeletHasSufficientPID',
      'Ready True KubeletReady',
    ],
  );
  assert.equal(node.metadata.labels, {
    ...{ 'beta.kubernetes.io/arch': 'amd64', 'beta.kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
    ...{ 'kubernetes.io/hostname': 'node-1', 'kubernetes.io/os': 'linux' },
  });
  assert.equal(
    [node.status.addresses, node.spec.podCIDR, node.status.nodeInfo.kubeletVersion],
    [
      [
        { type: 'InternalIP', address: '172.31.255.1' },
        { type: 'Hostname', address: 'node-1' },
      ],
      '10.244.0.0/24',
      'v1.36.0',
    ],
  );
  const service = read('services', 'default/kubernetes')!;
  assert.equal(
    [service.spec.clusterIP, service.spec.ports, service.metadata.labels],
    ['10.96.0.1', [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }], { component: 'apiserver', provider: 'kubernetes' }],
  );
  assert.equal(
    all('priorityclasses').map(({ metadata, value }) => [metadata.name, value]),
    [
      ['system-cluster-critical', 2_000_000_000],
      ['system-node-critical', 2_000_001_000],
    ],
  );
});

api.run();
