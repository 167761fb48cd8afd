import type { Kind, PrinterColumn } from './kinds.ts';
import { COLUMNS } from './columns.ts';
import type { Loose, Stored } from './object.ts';

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

/** The value of a printer column's path: dots, `[n]`, `[?(@.type=="Ready")].status`, `\.` for a dot in a key. */
export function jsonPath(object: Loose, path: string): Loose {
  const steps =
    path
      .replace(/^\{?\.?/, '')
      .replace(/\}$/, '')
      .match(/\[\?\(@\.(\w+)\s*==\s*["']([^"']*)["']\)\]|\[(\d+|\*)\]|(?:\\.|[^.[\]])+/g) ?? [];
  return steps.reduce<Loose>((at, step) => {
    if (at === undefined || at === null) return undefined;
    const filter = /^\[\?\(@\.(\w+)\s*==\s*["']([^"']*)["']\)\]$/.exec(step);
    if (filter) return Array.isArray(at) ? at.find((item) => String(item?.[filter[1] as string]) === filter[2]) : undefined;
    if (step === '[*]') return Array.isArray(at) ? at[0] : undefined;
    if (step.startsWith('[')) return at[Number(step.slice(1, -1))];
    return at[step.replaceAll('\\', '')];
  }, object);
}

const customColumn = (column: PrinterColumn): Column => ({
  name: column.name,
  type: column.type,
  ...(column.format && { format: column.format }),
  ...(column.priority && { priority: column.priority }),
  cell: (object, now) => {
    const value = jsonPath(object, column.jsonPath);
    if (value === undefined || value === null) return column.type === 'date' ? '<unknown>' : null;
    if (column.type === 'date') return ageText(String(value), now);
    return typeof value === 'object' ? JSON.stringify(value) : value;
  },
});

const NAME: Column = { name: 'Name', format: 'name', cell: (object) => object.metadata.name };
const AGE: Column = { name: 'Age', cell: (object, now) => ageText(object.metadata.creationTimestamp, now) };

function columnsOf(kind: Kind): Column[] {
  if (kind.columns) return [NAME, ...kind.columns.map(customColumn)];
  if (kind.plural === 'events') return COLUMNS.Event as Column[];
  const own = COLUMNS[kind.kind];
  return own ? [NAME, ...own] : [NAME, AGE];
}

/** The answer in the form of `application/json;as=Table;v=v1;g=meta.k8s.io`. `include` is `includeObject` of the query. */
export function tableOf(kind: Kind, objects: Stored[], metadata: Loose, now: Date, include: string | null): Loose {
  const columns = columnsOf(kind);
  const row = (object: Stored) => ({
    cells: columns.map((column) => column.cell(object, now)),
    ...(include === 'None'
      ? {}
      : {
          object:
            include === 'Object' ? object : { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
        }),
  });
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, type = 'string', format = '', priority = 0 }) => ({
      name,
      type,
      format,
      description: name,
      priority,
    })),
    rows: objects.map(row),
  };
}
