import type { Change } from '../contract/failure.ts';
import type { Finding, FindingFix } from '../contract/finding.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { maskManifest } from '../redact/manifest.ts';
import { applyChanges, ChangeError } from '../solutions/fix/apply.ts';
import { withoutServerFields } from '../solutions/fix/clean.ts';
import { unifiedDiff } from '../solutions/fix/diff.ts';

/** A finding and the live object that it is about, secrets masked; null where nobody here may read it. */
export interface Found {
  finding: Finding;
  before: KubeObject | null;
  /** The changes that the check proposed (`details.fix`), as far as they fit. */
  proposed: Change[];
}

/** What a model says about it, safe to show. */
export interface Told {
  explanation: string;
  /** Used where the check proposes none. */
  changes: Change[];
}

/** What there is to be mended. */
export function foundOf(finding: Finding, live: KubeObject | null): Found {
  const before = live && maskManifest(withoutServerFields(live));
  const proposed = proposalOf(finding.details['fix']);
  return { finding, before, proposed: before && applied(before, proposed) ? proposed : [] };
}

/**
 * The remediation of a finding: the check's own changes, else the model's, applied to the manifest. Without any nothing is changed, and the
 * explanation (the model's, else the check's own words) says what to do.
 */
export function fixOf({ finding, before, proposed }: Found, told?: Told): FindingFix {
  const wanted = proposed.length > 0 ? proposed : (told?.changes ?? []);
  const after = before && applied(before, wanted);
  const patch = after ? wanted : [];
  const words =
    told?.explanation ?? (finding.remediation || finding.message || `The check ${finding.check_name} says nothing about a remedy.`);
  const reasons = patch.map(({ path, why }) => `- \`${path}\`: ${why}`);
  return {
    finding_id: finding.id,
    fixed_manifest: before ? dumpManifest(after ?? before) : '',
    patch,
    diff: before && after && patch.length > 0 ? unifiedDiff(dumpManifest(before), dumpManifest(after)) : '',
    explanation: [words, ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n'),
    is_fallback: told === undefined,
  };
}

/** undefined when they do not fit the manifest. */
function applied(before: KubeObject, changes: Change[]): KubeObject | undefined {
  try {
    return applyChanges(before, changes);
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    return undefined;
  }
}

/** What of `details.fix` is a change; the rest was written by somebody else's scanner and is left out. */
function proposalOf(fix: unknown): Change[] {
  if (!Array.isArray(fix)) return [];
  return fix.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('path' in one) || typeof one.path !== 'string') return [];
    const { path, from = null, to = null, why = '' } = one as Partial<Change> & { path: string };
    return [{ path, from, to, why: String(why) }];
  });
}
