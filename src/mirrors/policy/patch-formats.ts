import type { Change, FailureDetail, Trial } from '../../contract/failure.ts';
import type { PatchFormat } from '../../contract/diagnosis.ts';
import type { OwnerPatch, PreviewCorrection } from '../../contract/mirror.ts';
import { applyChanges, changesOfOwner } from '../../crd/field-path.ts';
import { dumpManifest, loadManifest } from '../../crd/manifest.ts';
import { unifiedDiff } from '../../diagnosis/changes/diff.ts';
import { code, fenced } from '../../diagnosis/rendering/quote.ts';
import { valueText } from '../../diagnosis/rendering/value-text.ts';
import { templateIn } from './read-template.ts';

/** A correction that somebody wants to apply, with the facts about it. */
export interface TakenCorrection {
  correction: Pick<PreviewCorrection, 'title' | 'fixed_manifest' | 'changes' | 'explanation' | 'owner_patch'>;
  /** The manifest before it, as YAML. */
  manifest: string;
  failure: Pick<FailureDetail, 'failure_reason' | 'namespace' | 'pod_name' | 'workload'>;
  /** Why the pod fails, in one sentence of Markdown. */
  summary: string;
  /** The trial of exactly this correction. */
  trial: Trial | undefined;
}

/** The correction as a command, YAML, a diff for Git, and a text for a pull request. Secrets stay masked. Never throws. */
export function patchFormats(taken: TakenCorrection): PatchFormat[] {
  const { owner_patch: patch } = taken.correction;
  const text = (name: PatchFormat['name'], about: string, body: string): PatchFormat => ({ name, about, text: body });
  const review = text('Pull request', 'What fails, what changes and what proves it, in Markdown.', pullRequest(taken));
  if (!patch) {
    const whole = text(
      'YAML',
      'The corrected manifest. There is no patch: its owner is gone, has changed since, or is of a kind that is not known here.',
      taken.correction.fixed_manifest,
    );
    return [whole, review];
  }
  const diff = gitDiff(taken, patch);
  return [
    text('kubectl patch', `Changes ${patch.kind} ${patch.name} in ${patch.namespace} at once.`, patch.command),
    text('YAML', YAML_ABOUT[patch.type], patch.type === 'json' ? jsonPatchYaml(patch) : patch.body),
    ...(diff
      ? [text('Git diff', 'As the cluster has the manifest: the path and the lines around may differ in your repository.', diff)]
      : []),
    review,
  ];
}

const YAML_ABOUT: Record<OwnerPatch['type'], string> = {
  json: 'A JSON patch in YAML, for a `patches` entry of Kustomize or `kubectl patch --type=json --patch-file`.',
  replace: 'The whole manifest: its kind cannot be changed, and is made again from this.',
};

function jsonPatchYaml({ body }: OwnerPatch): string {
  return dumpManifest(JSON.parse(body));
}

/** The change as a diff of the owner's manifest; empty if the manifest cannot be read. */
function gitDiff({ correction, manifest }: TakenCorrection, patch: OwnerPatch): string {
  const [before, corrected] = [manifest, correction.fixed_manifest].map((text) => asOwner(text, patch));
  const after = corrected && ownedChanges(corrected, correction.changes);
  const diff = before && after ? unifiedDiff(before, after) : '';
  if (diff === '') return '';
  const path = `${patch.kind.toLowerCase()}-${patch.name}.yaml`;
  const hunks = diff.replace(/^--- before\n\+\+\+ after\n/, '');
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n${hunks}`;
}

/** Adds the changes of the owner's own fields to a manifest. */
function ownedChanges(text: string, changes: Change[]): string {
  const own = changesOfOwner(changes);
  return own.length === 0 ? text : dumpManifest(applyChanges(loadManifest(text), own));
}

/** Turns a manifest into one of the owner, with the template (or the whole Job) at its place. A manifest of the owner stays unchanged. */
function asOwner(text: string, { api_version: apiVersion, kind, name, namespace }: OwnerPatch): string | undefined {
  try {
    const manifest = loadManifest(text);
    const template = templateIn(manifest);
    if (!template || manifest['kind'] === kind) return text;
    const { labels, annotations } = template.metadata ?? {};
    const metadata = { ...(labels && { labels }), ...(annotations && { annotations }) };
    const inner = {
      ...(manifest['kind'] === 'Job' && jobSpecIn(manifest)),
      template: { ...(Object.keys(metadata).length > 0 && { metadata }), spec: template.spec },
    };
    const spec = kind === 'CronJob' ? { jobTemplate: { spec: inner } } : inner;
    return dumpManifest({ apiVersion, kind, metadata: { name, namespace }, spec });
  } catch {
    return undefined;
  }
}

/** The spec of a Job without its selector, which the cluster makes for each Job. */
function jobSpecIn({ spec }: Record<string, unknown>): object {
  const { selector: _, ...rest } = spec as Record<string, unknown>;
  return rest;
}

function pullRequest({ correction, failure, summary, trial }: TakenCorrection): string {
  const { workload, pod_name: pod, namespace, failure_reason: reason } = failure;
  const who = workload ? `${workload.kind} ${code(workload.name)}` : `Pod ${code(pod)}`;
  const patch = correction.owner_patch;
  const sections = [
    `${workload?.name ?? pod}: ${correction.title.replaceAll('`', '')}`,
    `## What fails\n\n${who} in namespace ${code(namespace)}: ${code(reason)}. ${summary}`,
    `## What changes\n\n${correction.explanation}\n\n${correction.changes.map(changeLine).join('\n')}`,
    `## Proof\n\n${trial?.verdict ? proof(trial) : 'No mirror has proven this change.'}`,
    ...(patch ? [`## Apply it without Git\n\n${fenced('sh', patch.command)}${patch.note ? `\n\n${patch.note}` : ''}`] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

const MAX_VALUE = 200;

function changeLine({ path, from, to, why, of }: Change): string {
  const shown = (value: unknown): string => (value === null || value === undefined ? 'not set' : code(valueText(value, path), MAX_VALUE));
  return `- ${code(path)}${of ? ' of the workload' : ''}: ${shown(from)} → ${shown(to)}${why ? `. ${why}` : ''}`;
}

/** The result of the mirror, and what it cannot prove. */
function proof({ verdict, strength, shown_after: after, evidence }: Trial): string {
  const restarts = after?.restarts === 0 ? 'without a restart' : `with ${after?.restarts ?? 0} restarts`;
  const seen = after && !after.message && after.ready_seconds > 0 ? ` It was Ready for ${after.ready_seconds} s, ${restarts}.` : '';
  const watched = evidence ? ` It is watched for ${evidence.window_seconds} s. ${evidence.window_reason}` : '';
  const unknown = evidence?.weaknesses.length
    ? `\n\nWhat this verdict cannot know:\n\n${evidence.weaknesses.map((one) => `- ${one}`).join('\n')}`
    : '';
  const sure = strength ? `, ${strength.toLowerCase()} evidence` : '';
  return `A mirror, a short-lived copy of the pod, ran with this change: **${verdict}**${sure}.${seen}${watched}${unknown}`;
}
