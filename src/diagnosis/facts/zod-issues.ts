import type { Case } from '../case.ts';
import { logSections } from './log-sections.ts';

/** What zod says of one setting: its name, and a line with the message and the values that it would take. */
export interface ZodIssue {
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

/** The issues of the first `ZodError` in the failing container's logs that are about a value, not about a missing one. */
export function refusedByZod(subject: Case): ZodIssue[] {
  for (const { text } of logSections(subject)) {
    const list = LIST.exec(text.slice(0, 2 * MAX_LIST))?.[1];
    if (list !== undefined) return list.split(/\n {0,4}\},?/).flatMap((issue) => refused(issue));
  }
  return [];
}

function refused(issue: string): ZodIssue[] {
  const name = PATH.exec(issue)?.[1];
  const [, json, single, template] = MESSAGE.exec(issue) ?? [];
  const message = (json ?? single ?? template)?.replaceAll(/\\(["'])/g, '$1');
  if (name === undefined || message === undefined || /^Required$|received undefined$/.test(message)) return [];
  const allowed = ALLOWED.exec(issue)?.[1]?.match(/[\w.+-]{1,60}/g) ?? [];
  const list = allowed.length > 0 && !/expected/i.test(message) ? ` (expected one of ${allowed.join(', ')})` : '';
  return [{ name, line: `${name}: ${message}${list}` }];
}
