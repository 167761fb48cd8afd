import type { Severity } from '../../contract/finding.ts';

/** The compiler checks these against the contract, of which the dashboard loads only types. Most severe first. */
export const SEVERITY_NAMES: Record<Severity, string> = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low', info: 'Info' };
export const SEVERITIES = Object.keys(SEVERITY_NAMES) as Severity[];
/** The tone of a tag for each severity. */
export const TONES = { critical: 'bad', high: 'bad', medium: 'unsure', low: 'plain', info: 'plain' } as const;
