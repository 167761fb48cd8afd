import { hash } from 'node:crypto';
import { CLUSTER_WIDE } from '../contract/finding.ts';
import type { Exported } from '../contract/finding-table.ts';
import { dumpManifest } from '../crd/manifest.ts';

/**
 * `Report`s and `ClusterReport`s of openreports.io/v1alpha1 in YAML, one for each object. Each document is terminated, so that more can
 * follow.
 */
export function openReports(findings: readonly Exported[]): string {
  const groups = Map.groupBy(findings, ({ resource_type, namespace, resource_name }) =>
    [namespace, resource_type, resource_name].join('\n'),
  );
  return [...groups].map(([key, some]) => `---\n${dumpManifest(report(key, some))}`).join('');
}

function report(key: string, findings: readonly Exported[]): object {
  const [{ resource_type, namespace, resource_name, id }] = findings as [Exported];
  const isWide = namespace === CLUSTER_WIDE;
  const within = isWide ? {} : { namespace };
  // One object's findings may be in several reports.
  const name = `podmend-${hash('sha256', `${key}\n${id ?? ''}`).slice(0, 16)}`;
  return {
    apiVersion: 'openreports.io/v1alpha1',
    kind: isWide ? 'ClusterReport' : 'Report',
    metadata: { name, ...within },
    source: 'podmend',
    scope: { kind: resource_type, name: resource_name, ...within },
    summary: { pass: 0, fail: findings.length, warn: 0, error: 0, skip: 0 },
    results: findings.map(result),
  };
}

function result({ check_name, severity, message = '', remediation = '', source, first_seen, details = {}, file, line }: Exported): object {
  const { container, title, field_paths: paths } = details;
  const properties = {
    ...(typeof container === 'string' && { container }),
    ...(typeof title === 'string' && { title }),
    ...(remediation !== '' && { remediation }),
    ...(Array.isArray(paths) && { fields: paths.map(String).join(', ') }),
    ...(file !== undefined && { file: `${file}:${line}` }),
  };
  const seconds = Math.floor(Date.parse(first_seen ?? '') / 1000);
  return {
    source: source ?? 'podmend',
    policy: check_name,
    severity,
    result: 'fail',
    scored: true,
    message,
    ...(Number.isNaN(seconds) ? {} : { timestamp: { seconds, nanos: 0 } }),
    properties,
  };
}
