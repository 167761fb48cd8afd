import type { Change } from '../contract/failure.ts';
import type { Finding, FindingFix } from '../contract/finding.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { maskManifest } from '../redact/manifest.ts';
import { applyChanges, ChangeError } from '../crd/field-path.ts';
import { withoutServerFields } from '../crd/server-fields.ts';
import { unifiedDiff } from '../diagnosis/changes/diff.ts';

/** A finding and the live object that it is about, secrets masked; null where the object may not be read. */
export interface FindingObject {
  finding: Finding;
  before: KubeObject | null;
  /** The changes of the check itself (`details.fix`); none when they do not fit the object. */
  proposed: Change[];
}

/** What a model answers about a finding, safe to show. */
export interface ModelCorrection {
  explanation: string;
  /** Used where the check has none. */
  changes: Change[];
}

/** The finding with its object and the check's own changes. */
export function findingObject(finding: Finding, live: KubeObject | null): FindingObject {
  const before = live && maskManifest(withoutServerFields(live));
  const proposed = changesIn(finding.details['fix']);
  return { finding, before, proposed: before && applied(before, proposed) ? proposed : [] };
}

/**
 * The correction of a finding: the check's own changes, else the model's, applied to the manifest. Without changes the explanation (the model's,
 * else the check's) says what to do.
 */
export function fixOf({ finding, before, proposed }: FindingObject, model?: ModelCorrection): FindingFix {
  const wanted = proposed.length > 0 ? proposed : (model?.changes ?? []);
  const after = before && applied(before, wanted);
  const patch = after ? wanted : [];
  const explanation =
    model?.explanation ?? (finding.remediation || finding.message || `The check ${finding.check_name} does not say how to correct it.`);
  const reasons = patch.map(({ path, why }) => `- \`${path}\`: ${why}`);
  return {
    finding_id: finding.id,
    fixed_manifest: before ? dumpManifest(after ?? before) : '',
    patch,
    diff: before && after && patch.length > 0 ? unifiedDiff(dumpManifest(before), dumpManifest(after)) : '',
    explanation: [explanation, ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n'),
    is_fallback: model === undefined,
  };
}

/** The manifest with the changes; undefined when they do not fit it. */
function applied(before: KubeObject, changes: Change[]): KubeObject | undefined {
  try {
    return applyChanges(before, changes);
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    return undefined;
  }
}

/** The changes in `details.fix`. Another scanner may have written anything there; what is no change is left out. */
function changesIn(fix: unknown): Change[] {
  if (!Array.isArray(fix)) return [];
  return fix.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('path' in one) || typeof one.path !== 'string') return [];
    const { path, from = null, to = null, why = '' } = one as Partial<Change> & { path: string };
    return [{ path, from, to, why: String(why) }];
  });
}
