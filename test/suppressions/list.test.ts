import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SuppressionBody } from '../../src/contract/suppression.ts';
import type { Suppression } from '../../src/crd/suppression.ts';
import type { OpenSubject } from '../../src/db/suppressible.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { suppressionList, type SuppressionsDeps } from '../../src/suppressions/list.ts';
import { aSuppression } from '../support/builders/suppression.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const failure = (id: number, more: object = {}) => ({
  ...{ id, namespace: 'shop', pod_name: `web-${id}`, failure_reason: 'Error', images: [], suppressed_by: null, isCounted: true },
  ...more,
});
const finding = (id: number, more: object = {}) => ({
  id,
  namespace: 'shop',
  pod_name: 'web',
  suppressed_by: null,
  isCounted: true,
  ...more,
});
const rowsOf = <S extends OpenSubject>(some: S[]) => ({
  openIds: async () => some.map(({ id }) => id),
  // In any order.
  subjects: async (ids: number[]) => some.filter(({ id }) => ids.includes(id)),
});

function world({
  held = [],
  failures = [],
  findings = [],
  refusal,
  tenantsHideHigh = false,
}: {
  held?: Suppression[];
  failures?: ReturnType<typeof failure>[];
  findings?: OpenSubject[];
  refusal?: Error;
  tenantsHideHigh?: boolean;
} = {}) {
  const [tried, changed, read]: [unknown[], unknown[], number[][]] = [[], [], []];
  const byIds = async (ids: number[]) => {
    read.push(ids);
    return ids.map((id) => ({
      ...{
        id,
        namespace: 'shop',
        resource_type: 'Pod',
        resource_name: 'web',
        check_name: 'privileged',
        severity: 'low',
        suppressed_by: null,
      },
      message: 'not shown',
    }));
  };
  const create = async (_kind: unknown, object: unknown, options: unknown) => {
    tried.push(object, options);
    if (refusal) throw refusal;
  };
  const list = suppressionList({
    client: { create } as unknown as SuppressionsDeps['client'],
    writes: {
      put: async (name, spec) => aSuppression({}, { ...spec, metadata: { name } }),
      change: async ({ metadata }, next) => void changed.push([metadata.namespace, metadata.name, next({ pods: ['a'] })]),
    },
    cache: {
      get: (namespace, name) => held.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
      list: () => held,
      synced: true,
    },
    suppressible: { failures: rowsOf(failures), findings: rowsOf(findings) },
    findings: { byIds } as unknown as SuppressionsDeps['findings'],
    rules: () => ({ operatorNamespace: 'podmend', tenantsHideHigh }),
    hiddenNamespaces: ['hidden'],
    now: () => NOW,
  });
  return { list, tried, changed, read };
}
const BODY: SuppressionBody = { reason: 'known', match: { pods: ['web*'] } };
const named = (name: string, namespace: string, match: Suppression['spec']['match'] = { pods: ['a'] }) =>
  aSuppression(match, { metadata: { name, namespace } });

test('those of the operator’s namespace come first, then by namespace and name', () => {
  const held = [
    named('b', 'shop'),
    named('z', 'podmend'),
    named('a', 'shop'),
    named('c', 'bank'),
    named('y', 'podmend'),
    named('x', 'hidden'),
  ];
  assert.equal(
    world({ held })
      .list.list()
      .map(({ namespace, name }) => `${namespace}/${name}`),
    ['podmend/y', 'podmend/z', 'bank/c', 'shop/a', 'shop/b'],
  );
});

test('only one of the operator’s namespace is removed, and none that is not shown', async () => {
  const { list, changed } = world({ held: [named('a', 'podmend'), named('b', 'shop'), named('c', 'podmend', { namespaces: ['hidden'] })] });
  assert.is(await list.remove('a'), true);
  assert.is(await list.remove('c'), false);
  assert.is(await list.remove('none'), false);
  await list.remove('b').then(
    () => assert.unreachable(),
    ({ message }: Error) => assert.is(message, 'Kept in namespace shop: change it there'),
  );
  assert.equal(changed, [['podmend', 'a', undefined]]);
});

test('a preview counts what matches, and says how much of it is shown now, the newest first', async () => {
  const { list } = world({
    failures: [
      failure(1),
      failure(2, { suppressed_by: 'other' }),
      failure(3),
      failure(4, { pod_name: 'db' }),
      failure(5, { namespace: 'hidden' }),
    ],
    findings: [finding(6), finding(7, { isCounted: false }), finding(8, { suppressed_by: 'other' }), finding(9)],
  });
  const { failures, findings, name, ...counts } = await list.preview(BODY, 'ann');
  assert.equal(counts, { matched_failures: 3, newly_hidden: 2, matched_findings: 3, newly_hidden_findings: 2 });
  const shown = (id: number, suppressed_by: string | null) => ({
    id,
    namespace: 'shop',
    pod_name: `web-${id}`,
    failure_reason: 'Error',
    suppressed_by,
  });
  assert.equal(failures, [shown(3, null), shown(2, 'other'), shown(1, null)]);
  const rest = { namespace: 'shop', resource_type: 'Pod', resource_name: 'web', check_name: 'privileged', severity: 'low' as const };
  assert.equal(
    findings,
    [9, 8, 6].map((id) => ({ id, ...rest, suppressed_by: null })),
  );
  assert.is(name, (await list.add(BODY, 'ann')).name);
});

test('a preview shows the newest hundred of each', async () => {
  const many = Array.from({ length: 101 }, (_, n) => failure(n + 1));
  const { list, read } = world({ failures: many, findings: many });
  const { failures, findings, matched_failures } = await list.preview(BODY, 'ann');
  assert.equal([failures.length, findings.length, matched_failures], [100, 100, 101]);
  assert.equal([failures[0]?.id, failures.at(-1)?.id], [101, 2]);
  assert.equal([read[0]?.[0], read[0]?.at(-1)], [101, 2]);
});

test('the API server decides about a preview, under a name that no other object has', async () => {
  const { list, tried } = world();
  await list.preview(BODY, 'ann');
  const spec = { reason: 'known', owner: 'ann', match: { pods: ['web*'] } };
  const metadata = { generateName: 'api-preview-', namespace: 'podmend' };
  assert.equal(tried, [{ apiVersion: 'podmend.dev/v1alpha1', kind: 'Suppression', metadata, spec }, { dryRun: true }]);
});

const answers: [says: string, refusal: Error, message: string][] = [
  ['a webhook without dry runs decides later', new KubeError(400, 'BadRequest', 'admission webhook "x" does not support dry run'), ''],
  ['any other mistake is refused', new KubeError(400, 'BadRequest', 'spec.ticket: odd'), 'ticket: odd'],
  [
    'a policy may refuse it in the same words',
    new KubeError(403, 'Forbidden', 'policy does not support dry run'),
    'The cluster refuses it: policy does not support dry run',
  ],
];
for (const [says, refusal, message] of answers)
  test(`a preview: ${says}`, async () => {
    const { list } = world({ refusal });
    assert.is(
      await list.preview(BODY, 'ann').then(
        () => '',
        (error: Error) => error.message,
      ),
      message,
    );
  });

test.run();
