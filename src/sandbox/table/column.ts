import type { Stored } from '../store/object.ts';

/** A table's column: what it is called, and its cell for an object. `priority` above 0 shows with `-o wide` only. */
export interface Column {
  name: string;
  type?: string;
  format?: string;
  priority?: number;
  cell(object: Stored, now: Date): unknown;
}

/** How long ago, as `kubectl get` writes ages: `45s`, `3m12s`, `5h`, `3d`. */
export function ageText(from: string | null | undefined, now: Date): string {
  if (!from) return '<unknown>';
  const seconds = Math.floor((now.getTime() - Date.parse(from)) / 1000);
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 ? `${minutes}m${seconds % 60}s` : `${minutes}m`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return minutes % 60 ? `${hours}h${minutes % 60}m` : `${hours}h`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return hours % 24 ? `${days}d${hours % 24}h` : `${days}d`;
  if (days < 730) return `${days}d`;
  return `${Math.floor(days / 365)}y`;
}
