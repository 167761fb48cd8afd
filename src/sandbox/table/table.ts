import type { Kind, PrinterColumn } from '../kinds/kinds.ts';
import { ageText, type Column } from './column.ts';
import { COLUMNS } from './kind-columns.ts';
import type { Loose, Stored } from '../store/object.ts';

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
      ? { object: null }
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
