import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Exported } from '../../src/contract/finding-table.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { openReports } from '../../src/findings/open-reports.ts';

const finding = (more: Partial<Exported> = {}): Exported => ({
  ...{ check_name: 'privileged', severity: 'high', resource_type: 'Pod', resource_name: 'web', namespace: 'shop' },
  ...more,
});
interface Report {
  kind: string;
  metadata: { name: string; namespace?: string };
  scope: object;
  summary: object;
  results: Record<string, unknown>[];
}
const reportsOf = (...findings: Exported[]) => loadManifests(openReports(findings)) as unknown as Report[];

test('one report for each object, with all of its findings', () => {
  const reports = reportsOf(finding(), finding({ resource_name: 'db' }), finding({ check_name: 'root' }), finding({ namespace: 'bank' }));
  assert.equal(
    reports.map(({ scope, summary, results }) => [scope, summary, results.map(({ policy }) => policy)]),
    [
      [{ kind: 'Pod', name: 'web', namespace: 'shop' }, { pass: 0, fail: 2, warn: 0, error: 0, skip: 0 }, ['privileged', 'root']],
      [{ kind: 'Pod', name: 'db', namespace: 'shop' }, { pass: 0, fail: 1, warn: 0, error: 0, skip: 0 }, ['privileged']],
      [{ kind: 'Pod', name: 'web', namespace: 'bank' }, { pass: 0, fail: 1, warn: 0, error: 0, skip: 0 }, ['privileged']],
    ],
  );
  assert.is(new Set(reports.map(({ metadata }) => metadata.name)).size, 3);
  for (const { metadata } of reports) assert.match(metadata.name, /^podmend-[0-9a-f]{16}$/);
});

test('a finding about the cluster is in a report without a namespace', () => {
  const [report] = reportsOf(finding({ namespace: 'cluster-wide', resource_type: 'ClusterRole' }));
  assert.equal([report?.kind, report?.scope], ['ClusterReport', { kind: 'ClusterRole', name: 'web' }]);
  assert.is(report?.metadata.namespace, undefined);
  const [other] = reportsOf(finding());
  assert.equal([other?.kind, other?.metadata.namespace], ['Report', 'shop']);
});

test('reports about parts of the findings of one object have other names, the same report always the same', () => {
  const nameOf = (id?: number) => reportsOf(finding(id === undefined ? {} : { id }))[0]?.metadata.name;
  assert.is(nameOf(1), nameOf(1));
  assert.is.not(nameOf(1), nameOf(2));
  assert.is(nameOf(), nameOf());
});

test('a result has what is known about the finding, and only that', () => {
  const plain = { source: 'podmend', policy: 'privileged', severity: 'high', result: 'fail', scored: true, message: '', properties: {} };
  assert.equal(reportsOf(finding())[0]?.results, [plain]);
  const full = finding({
    ...{ source: 'trivy', message: 'It is.', remediation: 'Do not.', first_seen: '2026-01-01T00:00:00.900Z', file: 'a.yaml', line: 3 },
    details: { container: 'app', title: 'Privileged', field_paths: ['a.b', 'c'] },
  });
  const properties = { container: 'app', title: 'Privileged', remediation: 'Do not.', fields: 'a.b, c', file: 'a.yaml:3' };
  assert.equal(reportsOf(full)[0]?.results, [
    { ...plain, source: 'trivy', message: 'It is.', timestamp: { seconds: 1767225600, nanos: 0 }, properties },
  ]);
  const odd = finding({ details: { container: 1, title: {}, field_paths: 'a' }, first_seen: 'long ago' });
  assert.equal(reportsOf(odd)[0]?.results, [plain]);
});

test.run();
