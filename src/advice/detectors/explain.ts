import type { Advice } from '../../contract/advice.ts';
import { code } from '../../diagnosis/rendering/quote.ts';
import { detectorOf } from './list.ts';

type Explained = Pick<Advice, 'detector_id' | 'title' | 'summary' | 'evidence' | 'recommended_change'>;

/** The explanation in Markdown: the evidence, why it matters (from the detector, unless `better` is given), and what to do. For a detector that no longer exists, what was stored. */
export function explanationOf({ detector_id, title, summary, evidence, recommended_change }: Explained, better?: string): string {
  const seen = Object.entries(evidence).flatMap(([name, value]) =>
    isShown(value) ? [`- ${name.replaceAll('_', ' ')}: ${textOf(value)}`] : [],
  );
  const why = better ?? detectorOf(detector_id)?.why ?? title;
  return [
    `**${summary}**`,
    `### Why it matters\n\n${why}`,
    ...(seen.length > 0 ? [`### What was seen\n\n${seen.join('\n')}`] : []),
    `### What to do\n\n${recommended_change}`,
  ].join('\n\n');
}

function isShown(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function textOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : code(typeof value === 'string' ? value : JSON.stringify(value), 1000);
}
