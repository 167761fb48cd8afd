import type { FailureDiagnosis } from '../../contract/diagnosis.ts';
import type { Trial } from '../../contract/failure.ts';
import { alertText } from '../../notifications/policy/compose.ts';
import type { IncidentView } from '../../notifications/policy/view.ts';
import { maskText } from '../../redact/text.ts';
import { type ChatMessage, headOf } from './message.ts';

/** Links of the dashboard; null without `BASE_URL`. */
export type Links = (record: number | null) => string | null;

export const aboutIncident = ({ owner, namespace }: IncidentView): string => `${owner} in ${namespace}`;

/** Markdown of one line, without its marks. */
const unmarked = (text: string): string => text.replaceAll('**', '').replaceAll('`', '');

/** Says why an incident's pods fail, by the rules, and what a mirror proved. */
export function whyMessage(incident: IncidentView, diagnosis: FailureDiagnosis, links: Links): ChatMessage {
  const { summary, culprit, advice, no_correction: none, preview } = diagnosis;
  const [best] = preview.candidates;
  const lines = [
    unmarked(summary) + (culprit ? ` Culprit: ${unmarked(culprit)}.` : ''),
    ...(advice.length > 0 ? [`What to do: ${advice.map(unmarked).join(' ')}`] : []),
    ...(best ? [`Correction (${best.confidence}): ${unmarked(best.title)}. ${unmarked(best.explanation)}`] : []),
    ...(!best && none ? [`No change of the manifest corrects this: ${unmarked(none.why)} Look at ${unmarked(none.where_to_look)}.`] : []),
    ...(incident.verdict ? [`A mirror tried a correction: ${verdictText(incident.verdict)}.`] : []),
    ...(incident.alerts.length > 0 ? [`Alertmanager says: ${incident.alerts.slice(0, 3).map(alertText).join('; ')}`] : []),
  ];
  return { title: `${incident.reason}: ${aboutIncident(incident)}`, lines, link: links(incident.recordId), ...subjectOf(incident) };
}

/** Buttons for an incident that still fails. */
export function subjectOf({ id, open, recordId }: IncidentView): Pick<ChatMessage, 'subject'> {
  return open > 0 && recordId !== null ? { subject: { incident: id, record: recordId } } : {};
}

function verdictText({ verdict, strength }: { verdict: string; strength: string | null }): string {
  return `${verdict}${strength ? ` (${strength.toLowerCase()} evidence)` : ''}`;
}

/** What changed before it failed. Who changed it is in the cluster's audit log, and Podmend says so. */
export function changedMessage(incident: IncidentView, { changed }: FailureDiagnosis, links: Links): ChatMessage {
  const title = `What changed: ${aboutIncident(incident)}`;
  const link = links(incident.recordId);
  if (!changed)
    return { title, lines: ['No change of the manifest is known: there is no earlier revision to compare with, or none differs.'], link };
  return { title, lines: [`${unmarked(changed.since)}:`, changed.lines.map((one) => `• ${unmarked(one)}`).join('\n')], link };
}

const LISTED = 15;

/** What fails now, one incident a line. */
export function failingMessage(
  namespace: string | null,
  incidents: IncidentView[],
  { total, links }: { total: number; links: Links },
): ChatMessage {
  const where = namespace === null ? 'in all namespaces' : `in ${namespace}`;
  if (incidents.length === 0) return { title: `Nothing fails ${where}, as far as Podmend sees.`, lines: [] };
  const lines = incidents
    .slice(0, LISTED)
    .map(
      ({ reason, owner, namespace: of, open, recordId }) =>
        `#${recordId ?? '?'} ${reason}: ${owner}${namespace === null ? ` in ${of}` : ''}, ${open} ${open === 1 ? 'pod' : 'pods'}`,
    );
  const more = total > lines.length ? [`and ${total - lines.length} more`] : [];
  return {
    title: `${total} ${total === 1 ? 'incident' : 'incidents'} ${where}`,
    lines: [[...lines, ...more].join('\n')],
    link: links(null),
  };
}

/** Several incidents could be meant. */
export function whichMessage(incidents: IncidentView[], name: string): ChatMessage {
  const lines = incidents.map((one) => `#${one.recordId ?? '?'} ${one.reason}: ${aboutIncident(one)}`);
  return { title: `Several incidents could be meant by ${name}. Name one by its number.`, lines: [lines.join('\n')] };
}

export const HELP: ChatMessage = {
  title: 'Podmend understands these',
  lines: [
    'why is checkout failing? · what fails in shop? · who changed it?',
    'acknowledge #12 · resolve #12 · ignore #12 for 1 d · ignore #12 for 7 d · try #12 · logs #12 · patch #12',
    'In the thread of an incident the number can be left out. Instead of a number, the name of a workload or pod works too.',
  ],
};

/** The best correction as a diff. */
export function patchMessage(incident: IncidentView, { preview, no_correction: none }: FailureDiagnosis, links: Links): ChatMessage {
  const [best] = preview.candidates;
  const link = links(incident.recordId);
  const title = `Patch for ${aboutIncident(incident)}`;
  if (!best)
    return { title, lines: [`There is no patch. ${unmarked(none?.why ?? 'No field of the manifest is known to be wrong.')}`], link };
  const { text, cut } = headOf(maskText(best.diff));
  const { owner_patch: patch } = best;
  // A command that is cut does something else.
  const command =
    patch && patch.command.length <= 1_500 ? [`To apply it: ${maskText(patch.command)}`, ...(patch.note ? [patch.note] : [])] : [];
  const short = cut > 0 ? [`${cut} more lines are in the dashboard.`] : [];
  return {
    title,
    lines: [`${unmarked(best.title)} (${best.confidence}). ${unmarked(best.explanation)}`, ...command, ...short],
    code: { title: 'Diff', text },
    link,
  };
}

/** The last message that was posted about the mirror of a trial. */
export interface ToldTrial {
  verdict: string | null;
  revisions: number;
  final: boolean;
}

/** The news about a trial since then; null when there is none. */
export function trialNews(
  trial: Pick<Trial, 'verdict' | 'strength' | 'revisions' | 'final' | 'evidence'>,
  told: ToldTrial,
): ChatMessage | null {
  const { verdict, strength, revisions, evidence } = trial;
  if (verdict === null || (verdict === told.verdict && revisions.length === told.revisions)) return null;
  const newest = revisions.at(-1);
  const weaknesses = evidence?.weaknesses.length ? [`It cannot know: ${evidence.weaknesses.join(' ')}`] : [];
  if (newest && revisions.length > told.revisions && told.verdict !== null)
    return {
      title: `The verdict was revised: ${newest.from} → ${verdictText({ verdict, strength })}`,
      lines: [`${newest.reason}: ${newest.message}`, ...weaknesses],
    };
  const seen = evidence ? [`Observed for ${evidence.window_seconds} s (${evidence.window_reason}), ${evidence.restarts} restarts.`] : [];
  return { title: `Verdict of the mirror: ${verdictText({ verdict, strength })}`, lines: [...seen, ...weaknesses] };
}
