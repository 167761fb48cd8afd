import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('specification.md', import.meta.url), 'utf8');

/** The text of a section of the specification, with its subsections. Throws when no section has this heading. */
export function section(heading: string): string {
  const start = new RegExp(`^(#+) ${heading.replaceAll(/[()/`]/g, String.raw`\$&`)}.*$`, 'm').exec(text);
  if (!start) throw new Error(`the specification has no section "${heading}"`);
  const [line, marks = ''] = start;
  const rest = text.slice(start.index + line.length);
  const end = rest.search(new RegExp(`^#{1,${marks.length}} `, 'm'));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The rows of all tables in a text, without header rows. A row is a list of cells. */
export function rows(of: string): string[][] {
  const lines = of.split('\n').map((line) => (line.startsWith('|') ? line.slice(1, line.lastIndexOf('|')).split(' | ') : undefined));
  const found: string[][] = [];
  lines.forEach((cells, index) => {
    const isRule = (at: number): boolean => /^\|?-/.test(lines[at]?.[0]?.trim() ?? '');
    if (cells && !isRule(index) && !isRule(index + 1)) found.push(cells.map((cell) => cell.trim()));
  });
  return found;
}

/** The words in backquotes. */
export function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

/** A route with `:` for every parameter, whatever its notation. */
export function bare(route: string): string {
  return route.replaceAll(/\{[^}]+\}|:\w+|\*/g, ':');
}

/** A field of a resource, with its type in the words of the specification. */
export interface Field {
  path: string;
  type: string;
}

/** The fields in a resource's table. Fields of objects in a list are written as `nodes[].id`. */
export function fieldsOf(heading: string): Field[] {
  return rows(section(heading)).flatMap(([name = '', type = '', notes = '']) => {
    if (!name.endsWith('[]')) return [{ path: name, type: type.replace(/ .*/, '') }];
    const stated = /(?:fields|objects with) (.+)/.exec(`${type} ${notes}`.trim())?.[1] ?? '';
    const fields = [...stated.matchAll(/(\w+)(?: \(([^)]*)\))?(?:, | and |$)/g)];
    return [
      { path: name.slice(0, -2), type: 'array' },
      ...fields.map(([, field = '', said = '']) => ({ path: `${name}.${field}`, type: said.startsWith('array') ? 'array' : 'string' })),
    ];
  });
}
