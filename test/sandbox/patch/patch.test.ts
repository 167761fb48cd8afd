import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Registry } from '../../../src/sandbox/kinds/kinds.ts';
import { fieldsOf, pathText, removeAt, valueAt } from '../../../src/sandbox/patch/fieldset.ts';
import { isGraceful, keepServerFields, merged } from '../../../src/sandbox/patch/merge.ts';
import { jsonPatch, mergePatch, strategicMerge } from '../../../src/sandbox/patch/patch.ts';
import { definitions } from '../../../src/sandbox/kinds/schema.ts';
import type { Loose, Stored } from '../../../src/sandbox/store/object.ts';
import { aPodBody, bareApi, refusalOf } from '../../support/builders/sandbox-api.ts';

const patches = suite('patches of the sandbox');

/** RFC 7386, appendix A. */
const MERGES: [target: Loose, patch: Loose, result: Loose][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];
for (const [target, patch, result] of MERGES)
  patches(`merge: ${JSON.stringify(patch)} into ${JSON.stringify(target)}`, () => assert.equal(mergePatch(target, patch), result));

/** RFC 6902, appendix A; undefined: refused. */
const OPERATIONS: [document: Loose, operations: Loose[], result: Loose][] = [
  [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
  [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
  [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
  [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/1', value: 'x' }], { foo: ['bar', 'x'] }],
  [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/2', value: 'x' }], undefined],
  [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/x', value: 'x' }], undefined],
  [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/-1', value: 'x' }], undefined],
  [{ foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }], undefined],
  [{ foo: 1 }, [{ op: 'add', path: '', value: { a: 1 } }], { a: 1 }],
  [{ baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  [{ foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
  [{ foo: 'bar' }, [{ op: 'remove', path: '/baz' }], undefined],
  [{ baz: 'qux' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo' }],
  [{ foo: ['a'] }, [{ op: 'replace', path: '/foo/0', value: 'b' }], { foo: ['b'] }],
  [{ foo: ['a'] }, [{ op: 'replace', path: '/foo/1', value: 'b' }], undefined],
  [{ foo: ['all', 'grass', 'cows', 'eat'] }, [{ op: 'move', from: '/foo/1', path: '/foo/3' }], { foo: ['all', 'cows', 'eat', 'grass'] }],
  [{ foo: { bar: 'baz' }, qux: {} }, [{ op: 'move', from: '/foo/bar', path: '/qux/thud' }], { foo: {}, qux: { thud: 'baz' } }],
  [{ foo: { a: 1 } }, [{ op: 'copy', from: '/foo', path: '/bar' }], { foo: { a: 1 }, bar: { a: 1 } }],
  [{ foo: 1 }, [{ op: 'copy', from: '/none', path: '/bar' }], undefined],
  [
    { baz: 'qux', foo: ['a', 2] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2] },
  ],
  [{ baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }], undefined],
  [
    { 'a/b': 1, 'c~d': 2 },
    [
      { op: 'replace', path: '/a~1b', value: 3 },
      { op: 'remove', path: '/c~0d' },
    ],
    { 'a/b': 3 },
  ],
  [{ foo: 1 }, [{ op: 'replace', path: '', value: 2 }], undefined],
  [{ foo: 1 }, [{ op: 'spam', path: '/foo' }], undefined],
];
for (const [document, operations, result] of OPERATIONS)
  patches(`JSON patch: ${JSON.stringify(operations)} on ${JSON.stringify(document)}`, () => {
    const before = structuredClone(document);
    if (result === undefined) return assert.ok(refusalOf(() => jsonPatch(document, operations)));
    assert.equal(jsonPatch(document, operations), result);
    assert.equal(document, before, 'the document itself stays');
  });

const POD = definitions()['io.k8s.api.core.v1.Pod'];
const pod = (containers: Loose[], more: Loose = {}) => ({ spec: { containers, ...more } });
const named = (...all: string[]) => all.map((name) => ({ name }));
/** Kubernetes, "Update API Objects in Place Using kubectl patch". */
const STRATEGIC: [what: string, target: Loose, patch: Loose, result: Loose][] = [
  [
    'an item of that name is merged',
    pod([{ name: 'a', image: 'a:1', tty: true }]),
    pod([{ name: 'a', image: 'a:2' }]),
    pod([{ name: 'a', image: 'a:2', tty: true }]),
  ],
  ['another item is added before', pod(named('a')), pod(named('b')), pod(named('b', 'a'))],
  ['an item is deleted', pod(named('a', 'b')), pod([{ name: 'a', $patch: 'delete' }]), pod(named('b'))],
  ['an item that is not there is deleted', pod(named('a')), pod([{ name: 'x', $patch: 'delete' }]), pod(named('a'))],
  ['the list is replaced', pod(named('a', 'b')), pod([{ name: 'c' }, { $patch: 'replace' }]), pod(named('c'))],
  [
    'the order is given',
    pod(named('a', 'b', 'c')),
    { spec: { '$setElementOrder/containers': named('c', 'b', 'a'), containers: [{ name: 'a', tty: true }] } },
    pod([{ name: 'c' }, { name: 'b' }, { name: 'a', tty: true }]),
  ],
  [
    'what only the server has keeps its place',
    pod(named('a', 'x', 'b')),
    { spec: { '$setElementOrder/containers': named('a', 'b'), containers: [{ name: 'b', tty: true }] } },
    pod([{ name: 'a' }, { name: 'x' }, { name: 'b', tty: true }]),
  ],
  [
    'a list without a key is replaced',
    pod([{ name: 'a', args: ['x', 'y'] }]),
    pod([{ name: 'a', args: ['z'] }]),
    pod([{ name: 'a', args: ['z'] }]),
  ],
  [
    'null removes',
    pod([{ name: 'a', tty: true }], { nodeName: 'n' }),
    pod([{ name: 'a', tty: null }], { nodeName: null }),
    pod(named('a')),
  ],
  [
    'a map is replaced',
    { metadata: { labels: { a: '1', b: '2' } } },
    { metadata: { labels: { c: '3', $patch: 'replace' } } },
    { metadata: { labels: { c: '3' } } },
  ],
  ['a map is deleted', { metadata: { labels: { a: '1' } } }, { metadata: { labels: { $patch: 'delete' } } }, { metadata: {} }],
  [
    'only some keys are kept',
    { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
    { spec: { volumes: [{ name: 'v', configMap: { name: 'c' }, $retainKeys: ['name', 'configMap'] }] } },
    { spec: { volumes: [{ name: 'v', configMap: { name: 'c' } }] } },
  ],
  [
    'items of a list of texts are added',
    { metadata: { finalizers: ['a'] } },
    { metadata: { finalizers: ['b', 'a'] } },
    { metadata: { finalizers: ['b', 'a'] } },
  ],
  [
    'items of a list of texts are deleted',
    { metadata: { finalizers: ['a', 'b'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: ['b'] } },
  ],
  [
    'a list of texts that is not there',
    { metadata: {} },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
    { metadata: { finalizers: [] } },
  ],
];
for (const [what, target, patch, result] of STRATEGIC)
  patches(`strategic merge: ${what}`, () => assert.equal(strategicMerge(POD, target, patch), result));

patches('an item without its key is refused', () =>
  assert.is(
    refusalOf(() => strategicMerge(POD, pod(named('a')), pod([{ image: 'x', args: 'y' }]))),
    'map: map[args:y image:x] does not contain declared merge key: name',
  ),
);

patches('fields and their paths', () => {
  const object = pod([{ name: 'app', image: 'a', ports: [{ containerPort: 80 }] }]);
  const found = [...fieldsOf(POD, object).values()].map(pathText);
  assert.equal(found, [
    '.spec.containers[name="app"]',
    '.spec.containers[name="app"].name',
    '.spec.containers[name="app"].image',
    '.spec.containers[name="app"].ports[containerPort=80,protocol="TCP"]',
    '.spec.containers[name="app"].ports[containerPort=80,protocol="TCP"].containerPort',
  ]);
  const port = ['f:spec', 'f:containers', 'k:{"name":"app"}', 'f:ports', 'k:{"containerPort":80,"protocol":"TCP"}'];
  assert.equal(valueAt(object, port), { containerPort: 80 }, 'a key that is left out has its default');
  assert.is(valueAt(object, ['f:spec', 'f:none', 'f:x']), undefined);
  removeAt(object, port);
  removeAt(object, ['f:spec', 'f:containers', 'k:{"name":"app"}', 'f:image']);
  removeAt(object, ['f:spec', 'f:none', 'f:x']);
  assert.equal(object, pod([{ name: 'app', ports: [] }]));
  const list = { metadata: { finalizers: ['a', 'b'] } };
  removeAt(list, ['f:metadata', 'f:finalizers', 'v:"a"']);
  assert.equal([list.metadata.finalizers, pathText(['f:metadata', 'f:finalizers', 'v:"a"'])], [['b'], '.metadata.finalizers[="a"]']);
});

const kinds = new Registry();
const stored = (kind: string, metadata: Loose, more: Loose = {}) =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'x', ...metadata }, ...more }) as Stored;
patches('what stays without a finalizer while it is deleted', () => {
  assert.equal(
    [
      stored('Pod', { deletionGracePeriodSeconds: 30 }),
      stored('Pod', { deletionGracePeriodSeconds: 0 }),
      stored('Pod', {}),
      stored('Namespace', {}, { spec: { finalizers: ['kubernetes'] } }),
      stored('Namespace', {}, { spec: { finalizers: [] } }),
      stored('ConfigMap', { deletionGracePeriodSeconds: 30 }),
    ].map(isGraceful),
    [true, false, false, true, false, false],
  );
});

patches('an update changes metadata that clients own, and the status only through its subresource', () => {
  const old = stored('Pod', { uid: 'u', labels: { a: '1' }, finalizers: ['f'] }, { spec: { nodeName: 'n' }, status: { phase: 'Pending' } });
  const next = stored('Pod', { uid: 'other', annotations: { b: '2' } }, { spec: { nodeName: 'm' }, status: { phase: 'Running' } });
  const kind = kinds.builtin('pods');
  const whole = merged(kind, old, next, undefined);
  assert.equal(
    [whole.metadata.uid, whole.metadata.labels, whole.metadata.annotations, whole.metadata.finalizers],
    ['u', undefined, { b: '2' }, undefined],
  );
  assert.equal([whole.spec.nodeName, whole.status.phase], ['m', 'Pending']);
  const status = merged(kind, old, next, 'status');
  assert.equal(
    [status.spec.nodeName, status.status.phase, status.metadata.finalizers, status.metadata.annotations],
    ['n', 'Running', ['f'], { b: '2' }],
  );
  const custom = merged({ ...kind, isCustom: true }, old, next, 'status');
  assert.equal([custom.metadata.labels, custom.metadata.annotations], [{ a: '1' }, undefined]);
  const { status: _status, ...without } = old;
  assert.is(merged(kind, without as Stored, next, undefined).status, undefined);
  assert.equal(merged(kinds.builtin('configmaps'), stored('ConfigMap', {}), stored('ConfigMap', {}, { status: 1 }), undefined).status, 1);
});

patches('fields that clients may leave out', () => {
  const service = stored('Service', { labels: {}, finalizers: [], ownerReferences: [] }, { spec: { ports: [] } });
  keepServerFields(stored('Service', {}, { spec: { clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.10'] } }), service);
  assert.equal(
    [service.spec, service.metadata.labels, 'finalizers' in service.metadata, 'ownerReferences' in service.metadata],
    [{ ports: [], clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.10'] }, {}, false, false],
  );
  const job = stored('Job', {}, { spec: {} });
  keepServerFields(stored('Job', {}, { spec: { selector: { matchLabels: {} } } }), job);
  assert.equal(job.spec, { selector: { matchLabels: {} } });
  const config = stored('ConfigMap', {}, { spec: {} });
  keepServerFields(stored('ConfigMap', {}, { spec: { clusterIP: 'x', selector: 'y' } }), config);
  assert.equal(config.spec, {});
});

const APPLY = { manager: 'me', force: false };
patches('server-side apply: owners, conflicts, and what is left out', async () => {
  const { api, clock } = bareApi();
  const kind = api.registry.builtin('configmaps');
  const target = { kind, namespace: 'shop', name: 'c' };
  const apply = (data: Record<string, string>, options: Loose = APPLY) =>
    api.patch(target, 'apply', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'shop' }, data }, options);
  const managers = () =>
    (api.get(kind, 'shop', 'c').metadata.managedFields ?? []).map(({ manager, operation, time, fieldsV1 }: Loose) => [
      manager,
      operation,
      time,
      Object.keys(fieldsV1['f:data'] ?? {}).sort(),
    ]);
  const data = () => api.get(kind, 'shop', 'c')['data'];
  const [FIRST, LATER] = ['2030-01-01T00:00:00Z', '2030-01-01T00:00:01Z'];
  assert.is(apply({ a: '1', b: '1' }).isNew, true);
  assert.equal(managers(), [['me', 'Apply', FIRST, ['f:a', 'f:b']]]);
  await clock.advance(1000);
  assert.is(apply({ a: '1', b: '1' }).isNew, false);
  assert.equal(managers(), [['me', 'Apply', FIRST, ['f:a', 'f:b']]], 'nothing changed, so neither did the time');
  apply({ a: '1' });
  assert.equal([data(), managers()], [{ a: '1' }, [['me', 'Apply', LATER, ['f:a']]]]);
  assert.is(
    refusalOf(() => apply({ a: '2' }, { manager: 'you' })),
    'Apply failed with 1 conflict: conflict with "me": .data.a',
  );
  apply({ a: '1', c: '3' }, { manager: 'you' });
  assert.equal(managers(), [
    ['me', 'Apply', LATER, ['f:a']],
    ['you', 'Apply', LATER, ['f:a', 'f:c']],
  ]);
  apply({}, APPLY);
  assert.equal(data(), { a: '1', c: '3' }, 'another manager has it too');
  apply({ a: '9' }, { ...APPLY, force: true });
  assert.equal(
    [data(), managers()],
    [
      { a: '9', c: '3' },
      [
        ['me', 'Apply', LATER, ['f:a']],
        ['you', 'Apply', LATER, ['f:c']],
      ],
    ],
  );
  assert.is(
    refusalOf(() => apply({ a: '2', c: '2' }, { manager: 'they' })),
    'Apply failed with 2 conflicts: conflict with "me": .data.a\nconflict with "you": .data.c',
  );
  api.update(kind, 'shop', 'c', { metadata: { name: 'c' }, data: { a: '9', c: '4', d: '5' } }, { manager: 'editor' });
  assert.equal(managers(), [
    ['me', 'Apply', LATER, ['f:a']],
    ['editor', 'Update', LATER, ['f:c', 'f:d']],
  ]);
  assert.match(refusalOf(() => apply({}, {})) ?? '', 'fieldManager: Required value: is required for apply patch');
});

patches('a change from inside counts generations, removes what has no finalizer left, and writes nothing if nothing changed', () => {
  const { api, make, read } = bareApi();
  const kind = api.registry.builtin('pods');
  make('pods', aPodBody('p'));
  const ref = { metadata: { name: 'p', namespace: 'shop' } };
  const change = (subresource: '' | 'status', mutate: (copy: Loose) => void) => api.change(kind, ref, subresource, mutate);
  const generation = () => read('pods', 'shop/p')?.metadata.generation;
  const revision = api.store.revision;
  change('', () => undefined);
  assert.is(api.store.revision, revision);
  change('', (copy) => (copy.metadata.labels = { a: 'b' }));
  assert.is(generation(), 1);
  change('status', (copy) => (copy.spec.nodeName = 'n'));
  assert.is(generation(), 1);
  change('', (copy) => (copy.spec.hostname = 'h'));
  assert.is(generation(), 2);
  assert.is(
    api.change(kind, { metadata: { name: 'gone' } }, '', () => undefined),
    undefined,
  );
  change('', (copy) => Object.assign(copy.metadata, { deletionTimestamp: 'x', deletionGracePeriodSeconds: 30 }));
  assert.ok(read('pods', 'shop/p'), 'its kubelet is ending it');
  change('', (copy) => Object.assign(copy.metadata, { finalizers: ['a/b'], deletionGracePeriodSeconds: 0 }));
  assert.ok(read('pods', 'shop/p'), 'a finalizer holds it');
  change('', (copy) => delete copy.metadata.finalizers);
  assert.is(read('pods', 'shop/p'), undefined);
});

patches.run();
