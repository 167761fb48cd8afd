import type { Change } from '../contract/failure.ts';
import type { Finding, FindingFix } from '../contract/finding.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { maskManifest } from '../redact/manifest.ts';
import { applyChanges, ChangeError } from '../solutions/fix/apply.ts';
import { withoutServerFields } from '../solutions/fix/clean.ts';
import { unifiedDiff } from '../solutions/fix/diff.ts';

/**
 * The remediation of a finding by rules: the changes its check proposed (`details.fix`), applied to the live manifest and shown with secrets
 * masked. Without a proposal nothing is changed, and the check's own words say what to do; `live` is null where nobody here may read it.
 */
export function fixOf(finding: Finding, live: KubeObject | null): FindingFix {
  const before = live && maskManifest(withoutServerFields(live));
  const { patch, after } = before ? applied(before, proposalOf(finding.details['fix'])) : { patch: [], after: null };
  const told = finding.remediation || finding.message || `The check ${finding.check_name} says nothing about a remedy.`;
  const reasons = patch.map(({ path, why }) => `- \`${path}\`: ${why}`);
  return {
    finding_id: finding.id,
    fixed_manifest: after ? dumpManifest(after) : '',
    patch,
    diff: before && patch.length > 0 ? unifiedDiff(dumpManifest(before), dumpManifest(after)) : '',
    explanation: [told, ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n'),
    is_fallback: true,
  };
}

/** A proposal that does not fit the manifest is none. */
function applied(before: KubeObject, patch: Change[]): { patch: Change[]; after: KubeObject } {
  try {
    return { patch, after: patch.length > 0 ? applyChanges(before, patch) : before };
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    return { patch: [], after: before };
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
