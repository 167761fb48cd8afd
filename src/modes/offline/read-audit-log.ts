import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { auditUse } from '../../access/audit-event.ts';
import type { Use } from '../../access/usage.ts';
import { InputError } from '../mode.ts';

/** Facts about an audit log other than its requests. */
export interface AuditLog {
  events: number;
  /** For example `2026-05-01T10:00:00Z to 2026-05-02T10:00:00Z (24 hours)`. */
  span: string;
  /** Unreadable parts, summarised in one line each. */
  problems: string[];
}

/**
 * Reads a file of `audit.k8s.io/v1` events, one JSON object per line, of any size. Throws InputError when it cannot be opened or contains
 * no event.
 */
export async function readAuditLog(file: string, count: (use: Use) => void): Promise<AuditLog> {
  let [line, events, broken, firstBroken] = [0, 0, 0, 0];
  let [from, to] = [Infinity, -Infinity];
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      line += 1;
      if (text.trim() === '') continue;
      const event = auditUse(parsed(text));
      if (!event) {
        broken += 1;
        firstBroken ||= line;
        continue;
      }
      events += 1;
      for (const use of event.uses) count(use);
      if (!event.at) continue;
      from = Math.min(from, event.at.getTime());
      to = Math.max(to, event.at.getTime());
    }
  } catch (error) {
    throw new InputError(`--audit-log ${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`);
  }
  if (events === 0 || from === Infinity) throw new InputError(`--audit-log ${file}: no event of audit.k8s.io with a time in it`);
  const problems = broken > 0 ? [`${file}:${firstBroken}: ${broken === 1 ? 'a line is' : `${broken} lines are`} no audit event`] : [];
  return { events, span: spanOf(new Date(from), new Date(to)), problems };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const HOUR_MS = 3_600_000;

function spanOf(from: Date, to: Date): string {
  const instant = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');
  const hours = (to.getTime() - from.getTime()) / HOUR_MS;
  const long =
    hours < 1 ? `${Math.round(hours * 60)} minutes` : hours < 72 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
  return `${instant(from)} to ${instant(to)} (${long})`;
}
