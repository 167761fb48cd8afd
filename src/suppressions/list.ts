import { Refusal } from '../contract/refusal.ts';
import type { SuppressionBody, SuppressionPreview, SuppressionRecord } from '../contract/suppression.ts';
import { API_VERSION } from '../crd/mirrorpod.ts';
import type { Suppression } from '../crd/suppression.ts';
import type { FindingRepository } from '../db/findings.ts';
import { type FailureSuppressionRepository, isHiddenSubject, type OpenSubject, type SuppressibleRows } from '../db/suppressible.ts';
import type { KubeClient } from '../kube/client.ts';
import { ClusterUnavailable, isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { Cache } from '../kube/watch.ts';
import { openSubjects } from './apply.ts';
import { findSuppression, type TenantRules } from './policy/match.ts';
import { draftSpec } from './policy/draft.ts';
import { nameOf } from './policy/exclusion-entries.ts';
import { shownRecord, suppressionRecord } from './policy/suppression-record.ts';
import { refusalOf, type SuppressionWrites } from './writes.ts';

export interface SuppressionsDeps {
  client: Pick<KubeClient, 'create'>;
  writes: SuppressionWrites;
  cache: Pick<Cache<Suppression>, 'get' | 'list' | 'synced'>;
  suppressible: {
    failures: Pick<FailureSuppressionRepository, 'openIds' | 'subjects'>;
    findings: Pick<SuppressibleRows, 'openIds' | 'subjects'>;
  };
  findings: Pick<FindingRepository, 'byIds'>;
  rules(): TenantRules;
  hiddenNamespaces: readonly string[];
  now(): Date;
}

/** Suppressions as the API reads and writes them. Every method throws ClusterUnavailable while they are not known. */
export interface SuppressionList {
  /**
   * All Suppressions outside hidden namespaces. Those of the operator's namespace come first, then all are sorted by namespace and name.
   */
  list(): SuppressionRecord[];
  /** Creates one in the operator's namespace, or changes the one with the same match. No write when nothing changes. */
  add(body: SuppressionBody, owner: string): Promise<SuppressionRecord>;
  /** false when there is none of that name in the operator's namespace. */
  remove(name: string): Promise<boolean>;
  /** What `add` would suppress. Refuses what `add` refuses; creates nothing. */
  preview(body: SuppressionBody, owner: string): Promise<SuppressionPreview>;
}

/** Records that a preview shows. */
const SHOWN = 100;

/** Throws Refusal for a change that is not allowed. */
export function suppressionList(deps: SuppressionsDeps): SuppressionList {
  const { cache, writes, rules, hiddenNamespaces, now } = deps;
  const known = () => {
    if (!cache.synced) throw new ClusterUnavailable('the Suppressions have not been listed yet');
    return rules();
  };
  const draft = (body: SuppressionBody, owner: string): Suppression => {
    const { operatorNamespace } = known();
    const spec = draftSpec(body, owner, { operatorNamespace, hiddenNamespaces, now: now() });
    return { apiVersion: API_VERSION, kind: 'Suppression', metadata: { name: nameOf(spec.match), namespace: operatorNamespace }, spec };
  };
  const list = (): SuppressionRecord[] => {
    const { operatorNamespace } = known();
    const records = cache.list().map((one) => suppressionRecord(one, now(), operatorNamespace));
    const shown = records.flatMap((record) => shownRecord(record, { operatorNamespace, hiddenNamespaces }) ?? []);
    const rank = ({ namespace, name }: SuppressionRecord) => `${namespace === operatorNamespace ? 0 : 1} ${namespace} ${name}`;
    return shown.sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  };

  return {
    list,
    async add(body, owner) {
      const { metadata, spec } = draft(body, owner);
      return suppressionRecord(await writes.put(metadata.name ?? '', spec), now(), rules().operatorNamespace);
    },
    async remove(name) {
      const { operatorNamespace } = known();
      const named = cache.get(operatorNamespace, name);
      // One that names nothing but hidden namespaces is not there.
      const isShown = named && shownRecord(suppressionRecord(named, now(), operatorNamespace), { operatorNamespace, hiddenNamespaces });
      const held = isShown && named;
      if (held) await writes.change(held, () => undefined);
      const elsewhere = held ? undefined : list().find((one) => one.name === name);
      if (elsewhere) throw new Refusal('conflict', `Kept in namespace ${elsewhere.namespace}: change it there`);
      return held !== undefined;
    },
    async preview(body, owner) {
      const wanted = draft(body, owner);
      await dryRun(deps.client, wanted);
      const isMatched = (subject: OpenSubject) =>
        !isHiddenSubject(subject, hiddenNamespaces) && findSuppression(subject, [wanted], now(), rules()) !== undefined;
      const failures = await matchedBy(deps.suppressible.failures, isMatched);
      const findings = await matchedBy(deps.suppressible.findings, isMatched);
      const shownFindings = await deps.findings.byIds(findings.slice(0, SHOWN).map(({ id }) => id));
      return {
        name: wanted.metadata.name ?? '',
        matched_failures: failures.length,
        newly_hidden: failures.filter(isShown).length,
        failures: failures.slice(0, SHOWN).map(({ id, namespace, pod_name, failure_reason, suppressed_by }) => ({
          id,
          namespace,
          pod_name,
          failure_reason,
          suppressed_by,
        })),
        matched_findings: findings.length,
        newly_hidden_findings: findings.filter(isShown).length,
        findings: shownFindings.map(({ id, namespace, resource_type, resource_name, check_name, severity, suppressed_by }) => ({
          id,
          namespace,
          resource_type,
          resource_name,
          check_name,
          severity,
          suppressed_by,
        })),
      };
    },
  };
}

/** The records that are counted and match, the newest first. */
async function matchedBy<S extends OpenSubject>(
  rows: { openIds(): Promise<number[]>; subjects(ids: number[]): Promise<S[]> },
  isMatched: (subject: OpenSubject) => boolean,
): Promise<S[]> {
  const matched: S[] = [];
  for await (const subjects of openSubjects(rows)) matched.push(...subjects.filter((subject) => subject.isCounted && isMatched(subject)));
  return matched.sort((one, other) => other.id - one.id);
}

function isShown({ suppressed_by }: OpenSubject): boolean {
  return suppressed_by === null;
}

/**
 * Asks the API server and its policies whether they accept the object, under another name, because an object with its own name may exist.
 */
async function dryRun(client: SuppressionsDeps['client'], { metadata: { namespace }, ...wanted }: Suppression): Promise<void> {
  const metadata = { generateName: 'api-preview-', ...(namespace ? { namespace } : {}) };
  try {
    await client.create(KINDS.suppression, { ...wanted, metadata }, { dryRun: true });
  } catch (error) {
    // A webhook without dry-run support decides at the real write.
    if (isKubeError(error, 400) && /does not support dry[ -]?run/i.test(error.message)) return;
    throw refusalOf(error);
  }
}
