import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';

/** Common mistakes in near-JSON, each with its repair. */
const REPAIRS: readonly ((text: string) => string)[] = [
  (text) => text.trim(),
  (text) => text.trim().replace(/^(["'`])(.*)\1$/s, '$2'),
  (text) =>
    text
      .trim()
      .replace(/^(["'`])(.*)\1$/s, '$2')
      .replaceAll('\\"', '"'),
  (text) => text.replaceAll(/,(?=\s*[}\]])/g, ''),
  pythonic,
  (text) => pythonic(text).replaceAll(/,(?=\s*[}\]])/g, ''),
  (text) => text.replaceAll(/([{,]\s*)([A-Za-z_]\w{0,60})(?=\s*:)/g, '$1"$2"'),
];

/** Python's quotes and constants. */
function pythonic(text: string): string {
  const words: Record<string, string> = { True: 'true', False: 'false', None: 'null' };
  return text.includes('"')
    ? text
    : text.replaceAll("'", '"').replaceAll(/(?<=[:,[]\s{0,5})(?:True|False|None)(?=\s{0,5}[,}\]])/g, (word) => words[word] ?? word);
}

const MAX_LENGTH = 10_000;

/** Whether a text was meant to be JSON but is not valid. */
export function isBrokenJson(text: string): boolean {
  return /^\s*["'`]?\s*[[{]/.test(text) && text.length <= MAX_LENGTH && !isJson(text);
}

/** The JSON that the text was meant to be; undefined if no simple change makes it valid. */
export function repaired(text: string): string | undefined {
  return REPAIRS.map((repair) => repair(text)).find((one) => one !== text && isJson(one));
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object';
  } catch {
    return false;
  }
}

/** The title and explanation of a correction that repairs JSON. */
export function toldAsJson(name: string): Pick<Correction, 'title' | 'explanation'> {
  return { title: `Write ${code(name)} as JSON`, explanation: `${code(name)} is not JSON.` };
}
