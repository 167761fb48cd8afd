import type { Case } from '../case.ts';
import { logSections } from './log-sections.ts';

/** What a library says of one setting: its name, and a line with the message and the values that it would take. */
export interface RefusedVariable {
  name: string;
  line: string;
}

/** A list of issues is as long as the list of settings. */
const MAX_LIST = 20_000;
/** The list as zod writes it (JSON), and as Node prints the same objects. */
const LIST = /ZodError: \[([^]{1,20000}?)\n\]/;
const PATH = /\bpath["']?: ?\[\s{0,20}["']([A-Za-z_]\w{0,80})["']/;
const MESSAGE = /\bmessage["']?: ?(?:"((?:[^"\\\n]|\\.){1,400})"|'((?:[^'\\\n]|\\.){1,400})'|`([^`\n]{1,400})`)/;
const ALLOWED = /\b(?:options|values)["']?: ?\[([^\]]{1,1000})\]/;

/** What is below `Invalid environment variables`: lists as t3-env and zod's `flatten` make them, and the lines of envalid. */
const BELOW = /[Ii]nvalid environment variables[^]{0,4000}/;
const FIELDS: readonly RegExp[] = [
  /["']?\b(?<name>[A-Z][A-Z0-9_]{1,80})["']?: ?\[\s{0,20}(?<quote>["'])(?<message>(?:(?!\k<quote>)[^\n]){3,300})/g,
  /\n {2,8}(?<name>[A-Z][A-Z0-9_]{1,80}): (?<message>[A-Z][^\n]{3,300})/g,
];

/** The settings that a log lists below `Invalid environment variables`, without those that are missing. */
export function invalidVariables(subject: Case): RefusedVariable[] {
  for (const { text } of logSections(subject)) {
    const below = BELOW.exec(text.slice(0, 2 * MAX_LIST))?.[0] ?? '';
    const found = FIELDS.flatMap((field) => [...below.matchAll(field)].map(({ groups }) => groups ?? {}));
    const refused = found.filter(({ message = '' }) => !isMissing(message));
    if (refused.length > 0) return refused.map(({ name = '', message = '' }) => ({ name, line: `${name}: ${message}` }));
  }
  return [];
}

const isMissing = (message: string): boolean => /^Required$|received undefined$|undefined$/.test(message);

/** The issues of the first `ZodError` in the failing container's logs that are about a value, not about a missing one. */
export function refusedByZod(subject: Case): RefusedVariable[] {
  for (const { text } of logSections(subject)) {
    const list = LIST.exec(text.slice(0, 2 * MAX_LIST))?.[1];
    if (list !== undefined) return list.split(/\n {0,4}\},?/).flatMap((issue) => refused(issue));
  }
  return [];
}

function refused(issue: string): RefusedVariable[] {
  const name = PATH.exec(issue)?.[1];
  const [, json, single, template] = MESSAGE.exec(issue) ?? [];
  const message = (json ?? single ?? template)?.replaceAll(/\\(["'])/g, '$1');
  if (name === undefined || message === undefined || isMissing(message)) return [];
  const allowed = ALLOWED.exec(issue)?.[1]?.match(/[\w.+-]{1,60}/g) ?? [];
  const list = allowed.length > 0 && !/expected/i.test(message) ? ` (expected one of ${allowed.join(', ')})` : '';
  return [{ name, line: `${name}: ${message}${list}` }];
}
