import type { Case } from '../case.ts';
import { logSections } from './log-sections.ts';

/** Lists of missing settings stand near the beginning of a log, or at its end. */
const MAX_SEARCHED = 20_000;
/** Programs do not miss more settings than these at once. */
const MAX_NAMES = 12;

/** One setting in each match: pydantic, envconfig and other libraries for Go, zod and t3-env, envalid. */
const EACH: readonly RegExp[] = [
  /(?:^|\n)([A-Za-z_]\w{0,80})\r?\n\s{1,10}[Ff]ield required/g,
  /required key ([A-Z][A-Z0-9_]{1,80}) missing value/g,
  /required environment variable "([A-Z][A-Z0-9_]{1,80})" is not set/g,
  /\b([A-Z][A-Z0-9_]{1,80})['"]?: ?\[ ?['"](?:Required|Invalid input: expected \w{1,20}, received undefined)/g,
  /\n {2,8}([A-Z][A-Z0-9_]{1,80}): undefined\b/g,
];
const ZOD_PATH = /["']?path["']?: ?\[\s{0,20}["']([A-Za-z_]\w{0,80})["']\s{0,20}\]/g;
const ZOD_MISSING = /["'](?:Required|Invalid input: expected \w{1,20}, received undefined)["']/g;
/** Several settings in one line, as in `Missing required environment variables: A, B`. */
const IN_ONE_LINE =
  /\b[Mm]issing (?:required )?(?:env(?:ironment)? )?(?:variables?|vars?|settings|keys)\b ?[:=]? ?([[("']{0,2}[A-Z][A-Z0-9_]{2,60}['"]?(?:(?:, ?| and |, and | )['"]?[A-Z][A-Z0-9_]{2,60}['"]?){1,11})/;

/** Several settings below the line that announces them, one in each line. */
const IN_LINES =
  /\b(?:variables|settings)\b[^\n]{0,120}:[ \t]*\r?\n((?:[ \t]{0,8}(?:[-*•] ?)?[A-Z][A-Z0-9_]{2,60}[ \t]*(?:\r?\n|$)){1,12})/;

/** The settings that one log of the failing container lists as missing, in its order and spelling. Empty if it lists none. */
export function missingNames(subject: Case): string[] {
  for (const { text } of logSections(subject)) {
    const read = text.length <= 2 * MAX_SEARCHED ? text : `${text.slice(0, MAX_SEARCHED)}\n${text.slice(-MAX_SEARCHED)}`;
    const found = [
      ...EACH.flatMap((pattern) => allOf(read, pattern)),
      ...ofZod(read),
      ...inOneLine(read),
      ...namesIn(IN_LINES.exec(read)?.[1]),
    ];
    if (found.length > 0) return [...new Set(found)].slice(0, MAX_NAMES);
  }
  return [];
}

function allOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}

/** Issues of zod may also be about settings that have a wrong value. Then the list is not of missing ones. */
function ofZod(text: string): string[] {
  const names = text.includes('ZodError') ? allOf(text, ZOD_PATH) : [];
  return names.length > 0 && [...text.matchAll(ZOD_MISSING)].length >= names.length ? names : [];
}

function inOneLine(text: string): string[] {
  return namesIn(IN_ONE_LINE.exec(text)?.[1]);
}

const namesIn = (list: string | undefined): string[] => list?.match(/[A-Z][A-Z0-9_]{2,60}/g) ?? [];
