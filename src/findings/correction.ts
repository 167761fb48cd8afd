import type { Change } from '../contract/failure.ts';
import type { Finding, FindingFix } from '../contract/finding.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { dumpManifest } from '../crd/manifest.ts';
import { maskManifest } from '../redact/manifest.ts';
import { applyChanges, ChangeError } from '../crd/field-path.ts';
import { withoutServerFields } from '../crd/server-fields.ts';
import { jsonPatch } from '../crd/json-patch.ts';
import { unifiedDiff } from '../diagnosis/changes/diff.ts';
import { podSpecIn } from '../diagnosis/facts/manifest.ts';
import { ownerPatch } from '../diagnosis/changes/owner-patch.ts';
import { shellText, shellWord } from '../diagnosis/rendering/quote.ts';

/** A finding and the live object that it is about, with secrets masked. The object is null when it may not be read. */
export interface FindingObject {
  finding: Finding;
  before: KubeObject | null;
  /** The same with the fields of the server. */
  owner: KubeObject | null;
  /** The check's own changes (`details.fix`); empty when they do not fit the object. */
  proposed: Change[];
}

/** A model's answer about a finding, safe to show. */
export interface ModelCorrection {
  explanation: string;
  /** Used where the check has none. */
  changes: Change[];
}

/** The finding with its object and the check's own changes. */
export function findingObject(finding: Finding, live: KubeObject | null): FindingObject {
  const before = live && maskManifest(withoutServerFields(live));
  const proposed = changesIn(finding.details['fix']);
  const owner = live && maskManifest(live);
  return { finding, before, owner, proposed: before && applied(before, proposed) ? proposed : [] };
}

/**
 * The correction of a finding: the check's own changes, or else the model's, applied to the manifest. Without changes, the explanation of
 * the model or the check says what to do.
 */
export function fixOf({ finding, before, owner, proposed }: FindingObject, model?: ModelCorrection): FindingFix {
  const wanted = proposed.length > 0 ? proposed : (model?.changes ?? []);
  const after = before && applied(before, wanted);
  const patch = after ? wanted : [];
  const explanation =
    model?.explanation ?? (finding.remediation || finding.message || `The check ${finding.check_name} does not say how to correct it.`);
  const taken = owner && before && after && patch.length > 0 ? commandOf({ before, after }, owner) : { command: '', note: '' };
  const reasons = patch.map(({ path, why }) => `- \`${path}\`: ${why}`);
  return {
    finding_id: finding.id,
    fixed_manifest: before ? dumpManifest(after ?? before) : '',
    patch,
    diff: before && after && patch.length > 0 ? unifiedDiff(dumpManifest(before), dumpManifest(after)) : '',
    ...taken,
    explanation: [explanation, ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n'),
    is_fallback: model === undefined,
  };
}

/** The `kubectl` command for the change: an owner patch for a workload, a JSON Patch for other objects. Empty when no change would last. */
function commandOf(corrected: { before: KubeObject; after: KubeObject }, owner: KubeObject): Pick<FindingFix, 'command' | 'note'> {
  const { kind = '', metadata } = owner;
  const taken = ownerPatch(corrected, { owner });
  if (taken) return { command: taken.command, note: taken.note };
  const isControlled = metadata.ownerReferences?.some(({ controller }) => controller) === true;
  // Its controller would revert the change.
  if (isControlled || !metadata.name || podSpecIn(owner)) return { command: '', note: '' };
  const place = metadata.namespace === undefined ? '' : ` -n ${shellWord(metadata.namespace)}`;
  const body = shellText(JSON.stringify(jsonPatch(corrected.before, corrected.after)));
  return { command: `kubectl patch ${shellWord(kind.toLowerCase())} ${shellWord(metadata.name)}${place} --type=json -p ${body}`, note: '' };
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

/** The valid changes in `details.fix`. Another scanner may have written anything there. */
function changesIn(fix: unknown): Change[] {
  if (!Array.isArray(fix)) return [];
  return fix.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('path' in one) || typeof one.path !== 'string') return [];
    const { path, from = null, to = null, why = '' } = one as Partial<Change> & { path: string };
    return [{ path, from, to, why: String(why) }];
  });
}
