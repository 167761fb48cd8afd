import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withTag } from '../../src/advice/detectors/observed.ts';
import { explanationOf } from '../../src/advice/detectors/explain.ts';
import { configMapSource, secretSource } from '../../src/advice/observed/config-source.ts';
import { usesOf } from '../../src/advice/observed/config-uses.ts';

// Small parts of what passes remember. configs.test.ts, pulls.test.ts and usage.test.ts have whole series of passes.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const parts = suite('what passes remember');

parts('an image as the kubelet names it', () => {
  const digest = `@sha256:${'a'.repeat(64)}`;
  for (const [image, named] of [
    ['web', 'web:latest'],
    ['web:1', 'web:1'],
    [`web${digest}`, `web${digest}`],
    [`web:1${digest}`, `web:1${digest}`],
    ['host:5000/web', 'host:5000/web:latest'],
  ] as const)
    assert.is(withTag(image), named);
});

parts('evidence that is empty is not shown, and names have no underlines', () => {
  const evidence = { a_b: 1, none: null, no_text: '', no_list: [], list: ['x'], zero: 0, map: { k: 'v' } };
  const text = explanationOf({ detector_id: 'gone', title: 'T', summary: 's', evidence, recommended_change: 'c' });
  assert.equal(text.match(/^- .*$/gm), ['- a b: 1', '- list: `["x"]`', '- zero: 0', '- map: `{"k":"v"}`']);
  assert.is(
    explanationOf({ detector_id: 'gone', title: 'T', summary: 's', evidence: {}, recommended_change: 'c' }),
    '**s**\n\n### Why it matters\n\nT\n\n### What to do\n\nc',
  );
});

const env = (name: string, from: Loose) => ({ name, valueFrom: from });
const uses = (container: Loose, volumes: Loose[] = []) => usesOf({ name: 'app', ...container }, volumes);
const mount = (subPath: string | undefined, more: Loose = {}) => ({
  volumeMounts: [{ name: 'v', mountPath: '/v', ...(subPath && { subPath }), ...more }],
});
const volume = (fields: Loose) => [
  { name: 'other', configMap: { name: 'no' } },
  { name: 'v', ...fields },
];
const used = (source: string, name: string, by: string, ...keys: string[]) => ({ source, name, by, ...(keys.length > 0 && { keys }) });
/** `[what, uses, expected]` */
const USES: [string, Loose[], Loose[]][] = [
  [
    'keys in the environment, once for each source',
    uses({
      env: [
        env('A', { configMapKeyRef: { name: 'c', key: 'a' } }),
        env('B', { configMapKeyRef: { name: 'c', key: 'b' } }),
        env('C', { configMapKeyRef: { name: 'c', key: 'a' } }),
        env('D', { secretKeyRef: { name: 's', key: 'k' } }),
        { name: 'E', value: 'x' },
      ],
    }),
    [used('ConfigMap', 'c', 'environment', 'a', 'b'), used('Secret', 's', 'environment', 'k')],
  ],
  [
    'all of a source',
    uses({ envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name: 's' } }] }),
    [used('ConfigMap', 'c', 'environment'), used('Secret', 's', 'environment')],
  ],
  [
    'all of a source and a key of it',
    uses({ env: [env('A', { configMapKeyRef: { name: 'c', key: 'a' } })], envFrom: [{ configMapRef: { name: 'c' } }] }),
    [used('ConfigMap', 'c', 'environment')],
  ],
  ['a whole volume, which follows its source', uses(mount(undefined), volume({ configMap: { name: 'c' } })), []],
  ['a file of a volume', uses(mount('a'), volume({ configMap: { name: 'c' } })), [used('ConfigMap', 'c', 'subPath', 'a')]],
  [
    'a file that another key is',
    uses(
      mount('file'),
      volume({
        secret: {
          secretName: 's',
          items: [
            { key: 'k', path: 'file' },
            { key: 'l', path: 'files' },
          ],
        },
      }),
    ),
    [used('Secret', 's', 'subPath', 'k')],
  ],
  [
    'a folder of files',
    uses(
      mount('dir'),
      volume({
        configMap: {
          name: 'c',
          items: [
            { key: 'a', path: 'dir/a' },
            { key: 'b', path: 'dirs/b' },
          ],
        },
      }),
    ),
    [used('ConfigMap', 'c', 'subPath', 'a')],
  ],
  ['a file that is not there', uses(mount('x'), volume({ configMap: { name: 'c', items: [{ key: 'a', path: 'a' }] } })), []],
  [
    'a path with variables',
    uses(mount(undefined, { subPathExpr: '$(A)' }), volume({ configMap: { name: 'c' } })),
    [used('ConfigMap', 'c', 'subPath')],
  ],
  [
    'a projected volume',
    uses(
      mount('a'),
      volume({ projected: { sources: [{ configMap: { name: 'c' } }, { secret: { name: 's' } }, { serviceAccountToken: {} }] } }),
    ),
    [used('ConfigMap', 'c', 'subPath', 'a'), used('Secret', 's', 'subPath', 'a')],
  ],
  [
    'a file, and the same key in the environment',
    uses({ ...mount('a'), env: [env('A', { configMapKeyRef: { name: 'c', key: 'a' } })] }, volume({ configMap: { name: 'c' } })),
    [used('ConfigMap', 'c', 'environment', 'a'), used('ConfigMap', 'c', 'subPath', 'a')],
  ],
  ['nothing', uses({}), []],
];
for (const [what, found, expected] of USES) parts(`what a container reads only at its start: ${what}`, () => assert.equal(found, expected));

const AT = '2026-05-01T10:00:00Z';
const managed = (fieldsV1: Loose, time: unknown = AT, more: Loose = {}) => ({ manager: 'm', time, fieldsV1, ...more });
const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

parts('a ConfigMap is kept without its values', () => {
  const object = {
    metadata: { name: 'c', namespace: 'shop', uid: 'u', labels: { a: 'b' } },
    data: { color: 'blue' },
    binaryData: { raw: 'AA==' },
    immutable: true,
  };
  const { digests, described, ...rest } = configMapSource(object as Loose);
  assert.equal(rest, {
    metadata: { name: 'c', namespace: 'shop', uid: 'u' },
    source: 'ConfigMap',
    keys: ['color', 'raw'],
    immutable: true,
  });
  assert.equal(Object.keys(digests!), ['color', 'raw']);
  assert.not.match(JSON.stringify([digests, described]), /blue|AA==/);
  const other = configMapSource({ ...object, data: { color: 'red' }, immutable: false } as Loose);
  assert.equal(
    [other.digests!['color'] === digests!['color'], other.digests!['raw'] === digests!['raw'], 'immutable' in other],
    [false, true, false],
  );
});

parts('labels, annotations, owners and finalizers are known by a digest, without what kubectl applied', () => {
  const of = (metadata: Loose) => configMapSource({ metadata: { name: 'c', ...metadata } }).described;
  const plain = of({});
  assert.is(of({ annotations: { [APPLIED]: 'secret' } }), plain);
  for (const metadata of [
    { labels: { a: 'b' } },
    { annotations: { a: 'b' } },
    { ownerReferences: [{ uid: 'u' }] },
    { finalizers: ['x/y'] },
  ])
    assert.is.not(of(metadata), plain);
});

parts('a Secret is known by the fields that its managers own', () => {
  const of = (...managedFields: Loose[]) => secretSource({ metadata: { name: 's', managedFields } } as Loose);
  const { keys, dataAt, isDataAlone } = of(
    managed({ 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} }, 'f:metadata': { 'f:annotations': { '.': {}, [`f:${APPLIED}`]: {} } } }),
  );
  assert.equal([keys, dataAt, isDataAlone], [['a', 'b'], Date.parse(AT), true]);
  assert.is(of(managed({ 'f:data': { 'f:a': {} }, 'f:metadata': { 'f:labels': {} } })).isDataAlone, false);
  assert.is(of(managed({ 'f:data': { 'f:a': {} }, 'f:metadata': { 'f:annotations': { 'f:mine': {} } } })).isDataAlone, false);
  const later = '2026-05-01T11:00:00Z';
  const two = of(
    managed({ 'f:data': { 'f:a': {} } }),
    managed({ 'f:stringData': { 'f:b': {}, 'f:a': {} } }, later),
    managed({ 'f:metadata': {} }, '2026-05-01T12:00:00Z'),
  );
  assert.equal([two.keys, two.dataAt], [['a', 'b'], Date.parse(later)]);
  for (const odd of [
    managed({ 'f:data': { 'f:a': {} } }, 'soon'),
    managed({ 'f:data': { 'f:a': {} } }, 7),
    managed({ 'f:data': { 'f:a': {} } }, AT, { subresource: 'status' }),
  ])
    assert.equal([of(odd).keys, of(odd).dataAt, of(odd).isDataAlone], [[], undefined, undefined]);
  assert.equal(secretSource({ metadata: { name: 's' } }).keys, []);
});

parts.run();
