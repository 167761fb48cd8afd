import type { Change } from '../../contract/failure.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import type { Diagnosis } from '../diagnosis.ts';
import type { Correction } from '../corrections/correction.ts';
import type { Case } from '../case.ts';
import { toldOf } from './cause.ts';
import { entryNames } from './entry-name.ts';
import { code, fenced, oneLine } from './quote.ts';
import { valueText } from './value-text.ts';

/** A diagnosis as Markdown: what happened, the evidence, what to do, commands, corrections. Hostile text cannot end its fence. */
export function renderDiagnosis(diagnosis: Diagnosis): string {
  const { summary, culprit } = diagnosis;
  const happened = culprit ? `${summary}\n\n**Culprit:** ${code(culprit, 300)}` : summary;
  return [...changedSection(diagnosis), `## What happened\n\n${happened}`, ...detailSections(diagnosis)].join('\n\n') + '\n';
}

/** The workload that a person edits; a pod that nothing controls is none. */
type EditedWorkload = Pick<KubeObject, 'kind' | 'metadata'>;

/** What the report tells of the diagnosed case: the workload to edit, and the names in its manifest. */
export type Reported = Partial<Pick<Case, 'owner' | 'manifest' | 'resource_kind'>>;

/**
 * The same for a person at a terminal: the first five lines say what happened, why, and what to do next. The next step names the workload
 * to edit, if it is known, and the entries of its lists.
 */
export function renderReport(title: string, diagnosis: Diagnosis, subject: Reported = {}): string {
  const { culprit } = diagnosis;
  const { happened, why } = toldOf(diagnosis);
  const head = [
    `- **What happened:** ${happened}`,
    ...(why === undefined ? [] : [`- **Why:** ${why}`]),
    `- **Next:** ${nextStep(diagnosis, subject)}`,
    ...(culprit ? [`- **Culprit:** ${code(culprit, 300)}`] : []),
  ].join('\n');
  const rest = saysAdvice(diagnosis) ? diagnosis.advice.slice(1) : diagnosis.advice;
  return [`# ${title}`, head, ...changedSection(diagnosis), ...detailSections({ ...diagnosis, advice: rest })].join('\n\n') + '\n';
}

/** The first correction with its reason and what it changes, or else the first advice; then what makes the change count. */
function nextStep(
  { corrections: [best], advice, noCorrection }: Diagnosis,
  { owner: workload, manifest, resource_kind: kind }: Reported,
): string {
  const first = advice[0] ?? `Look at ${noCorrection?.whereToLook ?? 'the events and the logs'}.`;
  if (!best) return first;
  const [made, ...more] = best.changes;
  const [why = ''] = made && made.why.length <= MAX_REASON ? made.why.split('; ') : [];
  const step = `${best.title}${why ? `, because ${why}` : ''}`;
  const isGuess = best.confidence === 'guess';
  const said = `${isGuess ? 'A guess' : `A ${best.confidence} correction`}: ${step}.`;
  const otherwise = isGuess && !first.startsWith(best.title) ? ` Otherwise: ${first}` : '';
  if (!made) return `${said}${otherwise}`;
  const edited = manifest?.();
  const edit = { workload, manifest: edited, step };
  const changes = `${changeText(made, edit)}${further(made, more, edit)}`;
  const isRunning = kind === undefined || kind === 'Pod';
  const then = `${lost(made)}${afterwards(made, { workload, isRunning })}`;
  return `${said} In ${placeOf(made, workload, edited)}, ${changes}.${then}${otherwise}`;
}

/** What the pod gives up without a field that somebody set on purpose, and the other way. */
function lost({ path, to }: Change): string {
  if (to !== null && to !== undefined) return '';
  if (/\bnode(?:Selector|Affinity)\b/.test(path)) return ' If the program needs such a node, give one the label instead.';
  if (/^spec\.(?:template\.spec\.)?os$/.test(path)) return ' If the image is for that system, it needs a node of it instead.';
  if (path.endsWith('.hostPort')) return ' Who calls the pod at the address of its node must then use a Service or another port.';
  return /\bruntimeClassName$/.test(path) ? ' The pod then runs without the isolation or the devices of that class.' : '';
}

/** Whether the next step begins with the first advice. */
const saysAdvice = ({ corrections: [best] }: Diagnosis): boolean => !best || best.confidence === 'guess';

/** A longer reason stands below. */
const MAX_REASON = 100;
/** A longer value stands below, where it is whole. */
const MAX_VALUE = 320;

/** What to edit. */
function placeOf({ path, of }: Change, workload: EditedWorkload | undefined, edited: KubeObject | undefined): string {
  if (!workload || workload.kind === 'Pod') {
    const name = workload?.metadata.name ?? edited?.metadata.name;
    return name ? `the manifest of the pod ${code(name)}` : 'its manifest';
  }
  const name = `the ${workload.kind ?? 'workload'} ${code(workload.metadata.name ?? '')}`;
  // The template of a Job cannot be changed in the cluster.
  if (workload.kind === 'Job' && !of) return `the file with ${name}`;
  const isOfWorkload = of !== undefined || /^spec\.(?:jobTemplate|template)\./.test(path) || edited?.kind === workload.kind;
  return isOfWorkload ? name : `the pod template of ${name}`;
}

/** Fields of a pod that can be changed while it lives (Kubernetes, "Pod update and replacement"). */
const MUTABLE =
  /^spec\.(?:(?:initContainers|containers)\[\d+\]\.image|activeDeadlineSeconds|terminationGracePeriodSeconds|tolerations)\b|^metadata\./;

const forbidsTwo = (workload: EditedWorkload): boolean =>
  (workload as { spec?: { concurrencyPolicy?: string } }).spec?.concurrencyPolicy === 'Forbid';

/** What remains to be done for kinds that take no change, or do not replace their failing pods (Kubernetes, "StatefulSets": Forced rollback; "CronJob": Concurrency policy). */
function afterwards({ path, of }: Change, { workload, isRunning }: { workload: EditedWorkload | undefined; isRunning: boolean }): string {
  if (of) return '';
  if (workload?.kind === 'Job')
    return ` Then delete the Job and create it again from that file${path === 'spec.activeDeadlineSeconds' ? ': one that has ended does not start again' : ''}.`;
  if (workload?.kind === 'StatefulSet')
    return isRunning ? ' Then delete the pod: a StatefulSet does not replace a pod that never became ready.' : '';
  if (workload?.kind === 'CronJob' && forbidsTwo(workload))
    return ' Then delete the Job if it still runs: with `Forbid` the CronJob starts no other beside it.';
  const isBare = workload === undefined || workload.kind === 'Pod';
  return isBare && path.startsWith('spec.') && !MUTABLE.test(path)
    ? ' Then delete the pod and create it again: this field of a pod cannot be changed.'
    : '';
}

/** Where the changes are made, and what the sentences have said already. */
interface Edit {
  workload: EditedWorkload | undefined;
  manifest: KubeObject | undefined;
  step: string;
}

function changeText(made: Change, { workload, manifest, step }: Edit): string {
  const { path, to, of } = made;
  const inJob = of ? path : pathIn(workload?.kind, path, manifest);
  const names = of ? [] : entryNames(manifest, path);
  const isSaid = names.every(({ name }) => step.includes(code(name)));
  const named = isSaid ? '' : ` (${names.map(({ what, name }) => `${what} ${code(name)}`).join(' of ')})`;
  const field = code(inJob) + named;
  if (to === null || to === undefined) return `remove ${field}${onlyEntry(made)}`;
  const part = changedPart(made);
  if (part) return `change ${code(part.from)} to ${code(part.to)} in ${field}`;
  const value = valueText(to, path);
  if (value.length > MAX_VALUE) return `set ${field} as below`;
  // A list that is not there yet is made with its first entry.
  if (Array.isArray(to) && to.length === 1 && (made.from === null || made.from === undefined) && LISTS.test(path))
    return `add ${code(plain(to[0], path))} to ${field}`;
  const [, list] = made.from === null && typeof to === 'object' ? (/^(.+)\[\d+\]$/.exec(inJob) ?? []) : [];
  return list === undefined ? `set ${field} to ${shown(to, path)}` : `add ${code(plain(to, path))} to ${code(list)}`;
}

/** That a list which goes as a whole has only the entry that is meant. */
function onlyEntry({ from }: Change): string {
  const [only, ...more] = Array.isArray(from) ? (from as unknown[]) : [];
  const name = typeof only === 'object' && only !== null ? (only as { name?: unknown }).name : undefined;
  return typeof name === 'string' && more.length === 0 ? `, whose only entry is ${code(name)}` : '';
}

/** Lists of entries with names; lists of words are given whole. */
const LISTS = /\.(?:env|envFrom|volumes|volumeMounts|initContainers|containers|ports|tolerations|imagePullSecrets)$/;

/** The path in the object that a person edits: the template of a Job is changed in its file, and that of a CronJob's Job in the CronJob. */
function pathIn(kind: string | undefined, path: string, manifest: KubeObject | undefined): string {
  if (kind === 'CronJob') return path.replace(/^spec\.template\./, 'spec.jobTemplate.spec.template.');
  return kind === 'Job' && manifest?.kind === 'Pod' ? `spec.template.${path}` : path;
}

/** Text of which a part is shown as stars: a password in an address. */
const HIDDEN = /\*\*\*|:\/\/[^/\s:@]*:[^/\s@]+@/;

/** The words that differ between two texts of which a part is hidden: whoever copies the whole text would write the stars. */
function changedPart({ from, to }: Change): { from: string; to: string } | undefined {
  if (typeof from !== 'string' || typeof to !== 'string' || !HIDDEN.test(to)) return undefined;
  const [before, after] = [from, to].map((text) => text.split(/(?<=:\/\/|(?<!:|:\/)\/|:(?!\/\/)|[?&=,;@ ])/)) as [string[], string[]];
  let [start, end] = [0, 0];
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [old, made] = [before, after].map((words) => words.slice(start, words.length - end).join('')) as [string, string];
  return old === '' || made === '' || old.includes('***') || made.includes('***') ? undefined : { from: old, to: made };
}

/** Names a second field, with its reason if that is its own; of more fields, only the number is given. */
function further(first: Change, more: Change[], edit: Edit): string {
  const [second] = more;
  if (!second) return '';
  if (more.length > 1) return `, together with the other ${more.length} changes below`;
  const isWrongToo = second.from !== null && second.from !== undefined && second.why !== first.why;
  const { from, to, why } = second;
  const isOther = typeof from === 'string' && from.length < 60 && typeof to === 'string' && !why.includes(from);
  const old = isOther ? ` in place of ${code(from)}` : '';
  return `, and ${changeText(second, edit)}${isWrongToo ? `${old} (${why})` : ''}`;
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

/** Text in quotes, numbers without: quotes would make them text. */
function shown(value: unknown, path: string): string {
  return typeof value === 'number' || typeof value === 'boolean' ? plain(value, path) : code(plain(value, path));
}

function plain(value: unknown, path: string): string {
  return oneLine(valueText(value, path), 500);
}
