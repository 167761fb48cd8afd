import type { Advice } from '../contract/advice.ts';
import { code } from '../solutions/quote.ts';
import { detectorOf } from './list.ts';

type Explained = Pick<Advice, 'detector_id' | 'title' | 'summary' | 'evidence' | 'recommended_change'>;

/** The explanation in Markdown: what was seen, why it matters (as the detector says, unless somebody knows better), what to do. Of a detector that is gone, what was written down. */
export function explanationOf({ detector_id, title, summary, evidence, recommended_change }: Explained, better?: string): string {
  const seen = Object.entries(evidence).flatMap(([name, value]) =>
    isTold(value) ? [`- ${name.replaceAll('_', ' ')}: ${tell(value)}`] : [],
  );
  const why = better ?? detectorOf(detector_id)?.why ?? title;
  return [
    `**${summary}**`,
    `### Why it matters\n\n${why}`,
    ...(seen.length > 0 ? [`### What was seen\n\n${seen.join('\n')}`] : []),
    `### What to do\n\n${recommended_change}`,
  ].join('\n\n');
}

function isTold(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function tell(value: unknown): string {
  return typeof value === 'number' ? String(value) : code(typeof value === 'string' ? value : JSON.stringify(value), 1000);
}
