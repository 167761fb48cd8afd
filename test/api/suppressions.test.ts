import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../support/runner/wait.ts';
import type { SuppressionPreview, SuppressionRecord } from '../../src/contract/suppression.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import type { Suppression } from '../../src/crd/suppression.ts';
import { findingSuppressionRepository, failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { explainSuppression } from '../../src/suppressions/policy/explain.ts';
import { suppressionList } from '../../src/suppressions/list.ts';
import { suppressionWrites } from '../../src/suppressions/writes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type Cache, watchKind } from '../../src/kube/watch.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';
import { aNamespace, type Cluster, clusters, installDefinitions } from '../support/cluster/clusters.ts';
import { aFindingReport } from '../support/builders/finding.ts';
import { aReportRow } from '../support/builders/report.ts';
import { aSuppression } from '../support/builders/suppression.ts';
import { readList } from '../support/database/read-list.ts';

const URL = '/api/suppressions';
const RULES = { operatorNamespace: 'podmend', tenantsHideHigh: false };

for (const { name, start } of clusters('suppressions')) {
  const test = suite(`suppressions on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let cache: Cache<Suppression>;
  let it: TestApp;
  /** The objects that previews sent to the API server as a dry run. */
  const dryRuns: KubeObject[] = [];

  test.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    cache = watchKind(client, KINDS.suppression, { namespaces: ['podmend', 'shop', 'hidden'], project: (one) => one });
    const writes = suppressionWrites({ client, cache, operatorNamespace: 'podmend' });
    it = await testApp(({ now, findings }) => {
      // The database exists only after the app is built, so look it up late.
      const failures = {
        openIds: () => failureSuppressionRepository(it.store.db).openIds(),
        subjects: (ids: number[]) => failureSuppressionRepository(it.store.db).subjects(ids),
      };
      const findingRows = {
        openIds: () => findingSuppressionRepository(it.store.db).openIds(),
        subjects: (ids: number[]) => findingSuppressionRepository(it.store.db).subjects(ids),
      };
      const suppressible = { failures, findings: findingRows };
      return {
        suppressions: suppressionList({
          client: {
            create: (kind, object, options) => {
              dryRuns.push(object);
              return client.create(kind, object, options);
            },
          },
          writes,
          cache,
          suppressible,
          findings,
          rules: () => RULES,
          hiddenNamespaces: ['hidden'],
          now,
        }),
        explainSuppression: (subject) => explainSuppression(subject, cache.list(), now(), RULES),
      };
    });
  });
  test.after(async () => {
    await it.close();
    await cache.stop();
    client.close();
    await cluster.close();
  });

  const send = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    it.send('write', { method, url, ...(payload ? { payload } : {}) });
  const list = async () => (await send('GET', URL)).json() as SuppressionRecord[];
  const apply = async (given: Suppression) => {
    const { name: object = '', namespace = '', labels = {} } = given.metadata;
    await client.create(KINDS.suppression, { ...given, metadata: { name: object, namespace, labels } });
    assert.ok(await cache.seen(() => cache.get(namespace, object) !== undefined, 2_000));
  };
  const gone = async (namespace: string, object: string) => {
    await client.remove(KINDS.suppression, namespace, object);
    assert.ok(await cache.seen(() => cache.get(namespace, object) === undefined, 2_000));
  };
  const reason = 'known and accepted';

  test('before the Suppressions are known, the answer is 503', async () => {
    for (const answer of [
      await send('GET', URL),
      await send('DELETE', `${URL}/x`),
      await send('POST', URL, { reason, match: { pods: ['a'] } }),
    ])
      assert.equal([answer.statusCode, answer.json()], [503, { detail: 'Kubernetes client not available' }]);
    await installDefinitions(client);
    for (const namespace of ['podmend', 'shop', 'hidden']) await aNamespace(client, namespace);
    await cache.start();
    assert.equal(await list(), []);
  });

  test('one is made with reason, owner and expiry, shown, changed by the same match, and removed', async () => {
    const match = {
      pods: ['tax-*'],
      failure_reasons: ['CrashLoop*'],
      label_selector: { match_expressions: [{ key: 'app', operator: 'Exists' }] },
    };
    const made = await send('POST', URL, { reason, ticket: 'T-1', expires_at: '2999-01-31T01:00:00.5+01:00', match });
    assert.is(made.statusCode, 200, made.payload);
    const record = made.json() as SuppressionRecord;
    assert.match(record.name, /^api-suppression-[0-9a-f]{10}$/);
    const { created_at, name: object, ...rest } = record;
    assert.ok(Date.parse(created_at));
    assert.equal(rest, {
      namespace: 'podmend',
      reason,
      owner: 'the-write',
      ticket: 'T-1',
      expires_at: '2999-01-31T00:00:00Z',
      suspend: false,
      active: true,
      active_reason: 'InEffect',
      matched_failures: 0,
      matched_findings: 0,
      last_matched_at: null,
      match,
      source: 'api',
    });
    assert.equal(await list(), [record]);
    const again = { reason: 'another reason', owner: 'team-tax', match: { ...match, pods: [...match.pods] } };
    const changed = (await send('POST', URL, again)).json() as SuppressionRecord;
    assert.equal(
      [changed.name, changed.reason, changed.owner, changed.ticket, changed.expires_at],
      [object, 'another reason', 'team-tax', null, null],
    );
    const [{ metadata }] = cache.list('podmend') as [Suppression];
    await send('POST', URL, again);
    assert.is((await client.read(KINDS.suppression, 'podmend', object))?.metadata.resourceVersion, metadata.resourceVersion);
    assert.is((await send('DELETE', `${URL}/${object}`)).statusCode, 204);
    assert.equal(await list(), []);
    const none = await send('DELETE', `${URL}/${object}`);
    assert.equal([none.statusCode, none.json()], [404, { detail: 'Suppression not found' }]);
    const audit = await it.store.db.selectFrom('audit').select(['action', 'target', 'username']).orderBy('id').execute();
    assert.equal(
      audit.map((row) => Object.values(row).join(' ')),
      [...Array.from({ length: 3 }, () => `suppression.add ${object} the-write`), `suppression.remove ${object} the-write`],
    );
  });

  test('ttl_seconds counts from now; a match with the form of an entry is that entry', async () => {
    const { expires_at, name: object } = (await send('POST', URL, { reason, ttl_seconds: 3600, match: { namespaces: ['shop-*'] } })).json();
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 3600_000) < 600_000);
    assert.is(object, 'api-namespace-2a9b65930a');
    await send('DELETE', `${URL}/${object}`);
  });

  test('twenty who ask for the same at once get one object and twenty answers', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', URL, { reason, match: { checks: ['host-*'] } })));
    assert.is(new Set(answers.map(({ statusCode, payload }) => `${statusCode} ${payload}`)).size, 1);
    const [only, ...others] = await list();
    assert.equal([only?.match, others], [{ checks: ['host-*'] }, []]);
    assert.is((await client.read(KINDS.suppression, 'podmend', only!.name))?.metadata.generation, 1);
    await send('DELETE', `${URL}/${only!.name}`);
  });

  const wrong: [says: string, body: object, detail: RegExp][] = [
    ['no reason', { match: { pods: ['a'] } }, /^reason is required/],
    ['a reason of two characters', { reason: 'no', match: { pods: ['a'] } }, /^reason must/],
    ['no match', { reason }, /^match is required/],
    ['nothing to match', { reason, match: {} }, /^match must name at least one of namespaces, pods, label_selector/],
    ['only *', { reason, match: { failure_reasons: ['a', '**'] } }, /^match\.failure_reasons\[1\] must not be only \*/],
    ['an empty list', { reason, match: { pods: [] } }, /^match\.pods must/],
    ['twice the same', { reason, match: { pods: ['a', 'a'] } }, /^match\.pods must/],
    ['a namespace that none can be', { reason, match: { namespaces: ['Shop'] } }, /^match\.namespaces\[0\] must/],
    ['an empty selector', { reason, match: { label_selector: {} } }, /^match\.label_selector must name a label/],
    [
      'what only the kind knows',
      { reason, match: { label_selector: { match_expressions: [{ key: 'a', operator: 'In' }] } } },
      /match\.label_selector\.match_expressions\[0\].*operators In and NotIn need values/,
    ],
    ['a day that is none', { reason, expires_at: '2999-02-30T00:00:00Z', match: { pods: ['a'] } }, /^expires_at must be an instant/],
    ['a time without zone', { reason, expires_at: '2999-02-20T00:00:00', match: { pods: ['a'] } }, /^expires_at must be an instant/],
    ['what is over', { reason, expires_at: '2020-01-01T00:00:00Z', match: { pods: ['a'] } }, /^expires_at must be in the future/],
    [
      'both ends',
      { reason, expires_at: '2999-01-01T00:00:00Z', ttl_seconds: 5, match: { pods: ['a'] } },
      /^expires_at and ttl_seconds exclude/,
    ],
    ['no time', { reason, ttl_seconds: 0, match: { pods: ['a'] } }, /^ttl_seconds must/],
    [
      'another namespace',
      { reason, namespace: 'shop', match: { pods: ['a'] } },
      /^namespace must be podmend: name others in match\.namespaces/,
    ],
    [
      'a reason with NUL',
      { reason: 'known\0', match: { pods: ['a'] } },
      /^reason must hold no control characters but line breaks and tabs/,
    ],
    ['a reason that turns', { reason: 'known \u2066x', match: { pods: ['a'] } }, /^reason must .* none that turn its direction/],
    ['an owner of two lines', { reason, owner: 'a\nb', match: { pods: ['a'] } }, /^owner must hold no control characters/],
    ['a ticket that turns', { reason, ticket: '\u202eSHOP', match: { pods: ['a'] } }, /^ticket must hold no control characters/],
    ['a hidden namespace', { reason, match: { namespaces: ['shop', 'hidden'] } }, /^match\.namespaces\[1\] must not be a hidden namespace/],
  ];
  for (const [says, body, detail] of wrong)
    test(`${says}: 400, for the preview too`, async () => {
      for (const url of [URL, `${URL}/preview`]) {
        const answer = await send('POST', url, body);
        assert.is(answer.statusCode, 400, answer.payload);
        assert.match(answer.json().detail, detail);
      }
      assert.equal(await list(), []);
    });

  test('the list has all namespaces except hidden ones; the API deletes only in its own namespace, and nothing from Git', async () => {
    await apply(aSuppression({ pods: ['a'] }, { metadata: { name: 'team', namespace: 'shop' }, suspend: true }));
    await apply(aSuppression({ pods: ['b'] }, { metadata: { name: 'secret', namespace: 'hidden' } }));
    await apply(aSuppression({ namespaces: ['hidden', 'x'] }, { metadata: { name: 'by-hand', namespace: 'podmend' } }));
    await apply(aSuppression({ namespaces: ['hidden'] }, { metadata: { name: 'all-hidden', namespace: 'podmend' } }));
    const flux = { 'kustomize.toolkit.fluxcd.io/name': 'apps' };
    await apply(aSuppression({ checks: ['c'] }, { metadata: { name: 'from-git', namespace: 'podmend', labels: flux } }));
    assert.equal(
      (await list()).map(({ namespace, name: object, source, active_reason }) => `${namespace}/${object} ${source} ${active_reason}`),
      ['podmend/by-hand kubectl InEffect', 'podmend/from-git Flux InEffect', 'shop/team kubectl Suspended'],
    );
    assert.not.match((await send('GET', URL)).payload, /hidden/);
    const names = ['from-git', 'team', 'secret', 'all-hidden'];
    const answers = await Promise.all(names.map((name) => send('DELETE', `${URL}/${name}`)));
    assert.equal(
      answers.map((answer) => [answer.statusCode, answer.json().detail]),
      [
        [409, 'Managed by Flux: change it at its source'],
        [409, 'Kept in namespace shop: change it there'],
        [404, 'Suppression not found'],
        [404, 'Suppression not found'],
      ],
    );
    assert.is((await send('DELETE', `${URL}/by-hand`)).statusCode, 204);
    for (const [namespace, object] of [
      ['podmend', 'from-git'],
      ['podmend', 'all-hidden'],
      ['shop', 'team'],
      ['hidden', 'secret'],
    ] as const)
      await gone(namespace, object);
  });

  test('the preview shows what would be hidden, and creates nothing', async () => {
    const row = (n: number, over = {}) =>
      aReportRow({ identity: `uid-${n}`, pod_uid: `uid-${n}`, pod_name: `web-${n}`, owner: `Pod/${n}`, ...over });
    await reportRepository(it.store.db).store([
      ...Array.from({ length: 120 }, (_, n) => row(n)),
      row(120, { pod_name: 'db-1' }),
      row(121, { suppressed_by: 'other' }),
      row(122, { namespace: 'hidden' }),
    ]);
    const answer = await send('POST', `${URL}/preview`, {
      reason,
      match: { pods: ['web-*'], label_selector: { match_labels: { app: 'web' } } },
    });
    assert.is(answer.statusCode, 200, answer.payload);
    const { name: object, matched_failures, newly_hidden, failures } = answer.json() as SuppressionPreview;
    assert.match(object, /^api-suppression-/);
    assert.equal([matched_failures, newly_hidden, failures.length], [121, 120, 100]);
    // The dry run names the owner, because an admission policy may check it.
    assert.is((dryRuns.at(-1) as Suppression | undefined)?.spec.owner, 'the-write');
    assert.ok(failures.every(({ id }, index) => index === 0 || id < (failures[index - 1]?.id ?? 0)));
    assert.equal(await list(), []);
    assert.equal(await client.list(KINDS.suppression, { namespace: 'podmend' }), []);
  });

  test('the preview shows findings too: open ones, of every severity', async () => {
    for (const [n, details] of [
      { images: ['evil.example/a:1'] },
      { images: ['evil.example/b:1'] },
      { images: ['good.example/c:1'] },
    ].entries())
      for (const namespace of ['shop', 'hidden'])
        await it.deps.findingIntake.report(
          aFindingReport({ resource_type: 'Deployment', resource_name: `web-${n}`, namespace, details }),
          new Date(),
        );
    const itself = {
      resource_type: 'Namespace',
      resource_name: 'hidden',
      namespace: 'cluster-wide',
      details: { images: ['evil.example/a:1'] },
    };
    await it.deps.findingIntake.report(aFindingReport(itself), new Date());
    const [dismissed] = await readList(it.deps.findings.list, { q: 'web-1', namespace: 'shop' });
    const preview = async (match: object) => (await send('POST', `${URL}/preview`, { reason, match })).json() as SuppressionPreview;
    const evil = await preview({ images: ['evil.example/*'] });
    assert.equal([evil.matched_failures, evil.matched_findings, evil.newly_hidden_findings], [0, 2, 2]);
    assert.equal(
      evil.findings.map(({ id: _, ...shown }) => Object.values(shown).join(' ')),
      ['shop Deployment web-1 privileged high ', 'shop Deployment web-0 privileged high '],
    );
    await it.deps.findings.dismiss(dismissed!.id);
    assert.is((await preview({ images: ['evil.example/*'] })).matched_findings, 1);
    assert.is((await preview({ failure_reasons: ['CrashLoop*'] })).matched_findings, 0);
  });

  test('a suppressed record names its Suppression, the reason for it, and the others that match', async () => {
    await apply(aSuppression({ pods: ['web-*'] }, { metadata: { name: 'wide', namespace: 'podmend' } }));
    await apply(aSuppression({ pods: ['web-121'] }, { metadata: { name: 'team', namespace: 'shop' } }));
    const [hidden] = (await send('GET', '/api/pods/suppressed')).json() as { id: number }[];
    const [shown] = (await send('GET', '/api/pods/failed')).json() as { id: number }[];
    const of = async (id: number) => (await send('GET', `/api/pods/failed/${id}`)).json().hidden_by as unknown;
    assert.equal(await of(hidden!.id), {
      name: 'wide',
      namespace: 'podmend',
      reason,
      expires_at: null,
      why: "It is in Podmend's own namespace, which comes before others.",
      others: [{ name: 'team', namespace: 'shop' }],
    });
    assert.is(await of(shown!.id), null);
    await gone('podmend', 'wide');
    await gone('shop', 'team');
  });

  test('reading and writing take role write', async () => {
    for (const [method, url] of [
      ['GET', URL],
      ['POST', URL],
      ['POST', `${URL}/preview`],
      ['DELETE', `${URL}/x`],
    ] as const) {
      const answer = await it.send('read', { method, url, ...(method === 'POST' ? { payload: { reason, match: { pods: ['a'] } } } : {}) });
      assert.equal([answer.statusCode, answer.json()], [403, { detail: 'Requires the write role' }]);
    }
  });

  test('without the kind, or without its namespace, writing answers 503', async () => {
    await client.remove(KINDS.customResourceDefinition, undefined, 'suppressions.podmend.dev');
    // The API server still serves the kind for a moment after its definition is deleted.
    const refused = async () => {
      const answer = await send('POST', URL, { reason, match: { pods: ['late'] } });
      return answer.statusCode === 503 ? answer : undefined;
    };
    const answer = await until(refused, { what: 'the kind to be gone' });
    assert.equal(answer.json(), { detail: 'Kubernetes client not available' });
  });
  test.run();
}
