import type { Change } from '../../contract/failure.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import type { Diagnosis } from '../diagnosis.ts';
import type { Correction } from '../corrections/correction.ts';
import { code, fenced, oneLine } from './quote.ts';
import { valueText } from './value-text.ts';

/** A diagnosis as Markdown: what happened, the evidence, what to do, commands, corrections. Hostile text cannot end its fence. */
export function renderDiagnosis(diagnosis: Diagnosis): string {
  const { summary, culprit } = diagnosis;
  const happened = culprit ? `${summary}\n\n**Culprit:** ${code(culprit, 300)}` : summary;
  return [...changedSection(diagnosis), `## What happened\n\n${happened}`, ...detailSections(diagnosis)].join('\n\n') + '\n';
}

/** The workload that a person edits; a pod that nothing controls is none. */
export type EditedWorkload = Pick<KubeObject, 'kind' | 'metadata'>;

/**
 * The same for a person at a terminal: the first five lines say what happened, why, and what to do next. The next step names the workload
 * to edit, if it is known.
 */
export function renderReport(title: string, diagnosis: Diagnosis, workload?: EditedWorkload): string {
  const { summary, culprit } = diagnosis;
  const head = [
    `- **What happened:** ${summary}`,
    ...(culprit ? [`- **Culprit:** ${code(culprit, 300)}`] : []),
    `- **Next:** ${nextStep(diagnosis, workload)}`,
  ].join('\n');
  return [`# ${title}`, head, ...changedSection(diagnosis), ...detailSections(diagnosis)].join('\n\n') + '\n';
}

/** The first correction and what it changes, or else the first advice. */
function nextStep({ corrections: [best], advice, noCorrection }: Diagnosis, workload: EditedWorkload | undefined): string {
  const first = advice[0] ?? `Look at ${noCorrection?.whereToLook ?? 'the events and the logs'}.`;
  if (!best) return first;
  const step = best.confidence === 'guess' ? `${first} A guess: ${best.title}` : `${best.title} (${best.confidence})`;
  const [made, ...more] = best.changes;
  if (!made) return `${step}.`;
  const place = placeOf(made, workload);
  const changes = `${changeText(made, place !== undefined)}${further(made, more)}`;
  return place ? `${step}. In ${place}, ${changes}.` : `${step}: ${changes}.`;
}

/** What to edit. Undefined for a pod that nothing controls: the title names it. */
function placeOf({ path, of }: Change, workload: EditedWorkload | undefined): string | undefined {
  if (!workload || workload.kind === 'Pod') return undefined;
  const name = `the ${workload.kind ?? 'workload'} ${code(workload.metadata.name ?? '')}`;
  return of || /^spec\.(?:jobTemplate|template)\./.test(path) ? name : `the pod template of ${name}`;
}

function changeText({ path: field, to, of }: Change, isPlaceSaid = false): string {
  const path = code(field) + (of && !isPlaceSaid ? ' of the workload' : '');
  return to === null || to === undefined ? `remove ${path}` : `set ${path} to ${code(plain(to, field), 160)}`;
}

/** Names a second field, with its reason if that is its own; of more fields, only the number is given. */
function further(first: Change, more: Change[]): string {
  const [second] = more;
  if (!second) return '';
  if (more.length > 1) return `, together with the other ${more.length} changes below`;
  const isWrongToo = second.from !== null && second.from !== undefined && second.why !== first.why;
  return `, and ${changeText(second)}${isWrongToo ? ` (${second.why})` : ''}`;
}

function changedSection({ changed }: Diagnosis): string[] {
  return changed ? [`## What changed\n\n${changed.since}:\n\n${changed.lines.map((line) => `- ${line}`).join('\n')}`] : [];
}

function detailSections({ evidence, advice, commands, corrections, noCorrection }: Diagnosis): string[] {
  const sections: string[] = [];
  if (evidence.length > 0) sections.push(`## Evidence\n\n${fenced('text', evidence.map((line) => oneLine(line, 600)).join('\n'))}`);
  if (advice.length > 0) sections.push(`## What to do\n\n${advice.map((line, index) => `${index + 1}. ${line}`).join('\n')}`);
  if (commands.length > 0) sections.push(`## Commands\n\n${fenced('sh', commands.map((line) => oneLine(line, 1000)).join('\n'))}`);
  if (corrections.length > 0) sections.push(`## Correction\n\n${corrections.map(renderCorrection).join('\n\n')}`);
  if (noCorrection)
    sections.push(
      `## No change to the manifest ${noCorrection.isOpen ? 'is known to correct' : 'corrects'} this\n\n${noCorrection.why}\n\n**Where to look:** ${noCorrection.whereToLook}`,
    );
  return sections;
}

function renderCorrection(correction: Correction, index: number): string {
  const lines = correction.changes.flatMap(({ path, from, to }) => [
    ...(from === null || from === undefined ? [] : [`- ${oneLine(path)}: ${plain(from, path)}`]),
    ...(to === null || to === undefined ? [] : [`+ ${oneLine(path)}: ${plain(to, path)}`]),
  ]);
  const reasons = correction.changes.map(({ path, why, of }) => `- ${code(path)}${of ? ' of the workload' : ''}: ${why}`);
  const label = index === 0 ? '' : 'Or: ';
  const mirror =
    correction.mirrorable || /\bmirror (?:may not|cannot)\b|Podmend cannot try this/i.test(correction.explanation)
      ? ''
      : ' Podmend cannot try this one on a mirror, its copy of the pod.';
  return [
    `**${label}${correction.title}** (${correction.confidence}). ${correction.explanation}${mirror}`,
    fenced('diff', lines.join('\n')),
    reasons.join('\n'),
  ].join('\n\n');
}

function plain(value: unknown, path: string): string {
  return oneLine(valueText(value, path), 500);
}
