import type { Diagnosis } from '../rules/diagnosis.ts';
import type { Correction } from '../corrections/correction.ts';
import { code, fenced, oneLine } from './quote.ts';

/** A diagnosis as Markdown: what happened, the evidence, what to do, commands, corrections. Hostile text cannot end its fence. */
export function renderDiagnosis(diagnosis: Diagnosis): string {
  const { changed, summary, culprit, evidence, advice, commands, corrections, noCorrection } = diagnosis;
  const happened = culprit ? `${summary}\n\n**Culprit:** ${code(culprit, 300)}` : summary;
  const sections = changed ? [`## What changed\n\n${changed.since}:\n\n${changed.lines.map((line) => `- ${line}`).join('\n')}`] : [];
  sections.push(`## What happened\n\n${happened}`);
  if (evidence.length > 0) sections.push(`## Evidence\n\n${fenced('text', evidence.map((line) => oneLine(line, 600)).join('\n'))}`);
  if (advice.length > 0) sections.push(`## What to do\n\n${advice.map((line, index) => `${index + 1}. ${line}`).join('\n')}`);
  if (commands.length > 0) sections.push(`## Commands\n\n${fenced('sh', commands.map((line) => oneLine(line, 1000)).join('\n'))}`);
  if (corrections.length > 0) sections.push(`## Correction\n\n${corrections.map(renderCorrection).join('\n\n')}`);
  if (noCorrection)
    sections.push(`## No change to the manifest corrects this\n\n${noCorrection.why}\n\n**Where to look:** ${noCorrection.whereToLook}`);
  return sections.join('\n\n') + '\n';
}

function renderCorrection(correction: Correction, index: number): string {
  const lines = correction.changes.flatMap(({ path, from, to }) => [
    ...(from === null || from === undefined ? [] : [`- ${oneLine(path)}: ${plain(from)}`]),
    ...(to === null || to === undefined ? [] : [`+ ${oneLine(path)}: ${plain(to)}`]),
  ]);
  const reasons = correction.changes.map(({ path, why }) => `- ${code(path)}: ${why}`);
  const label = index === 0 ? '' : 'Or: ';
  const mirror = correction.mirrorable ? '' : ' A mirror cannot prove this one.';
  return [
    `**${label}${correction.title}** (${correction.confidence}). ${correction.explanation}${mirror}`,
    fenced('diff', lines.join('\n')),
    reasons.join('\n'),
  ].join('\n\n');
}

function plain(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 500);
}
