import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { Container } from '../../../crd/kubernetes.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { wordsAt } from '../replace-text.ts';

/** Words in the names of settings that do not hold a host. In such a setting, the same word may be a user, a database or a driver. */
const NEVER =
  /(?:^|[_.\s-])(?:user(?:name)?|usr|uid|id|pass(?:word|wd)?|pwd|driver|dialect|engine|connection|client|type|kind|schema|role|adapter|topic|queue|bucket|profile|mode|scheme|protocol|catalog|app|component|u|U|p|n|d|D)$/i;
/** Settings that usually hold a database's name. Some people use them for its host. */
const SELDOM = /(?:^|[_.\s-])(?:db|dbname|database|name)$|^(?:db|database)name$/i;
const OF_HOST = /host|addr|server|url|uri|dsn|endpoint|broker|service|target|upstream|node/i;
/** Where a shell looks for a program. */
const AT_COMMAND = /(?:^|[;&|(!\n`]\s*|\b(?:do|then|until|while|if|elif|else|exec|time|env)\s+)$/;

/**
 * Replaces a host in the container's variables, command and arguments, wherever the word is a host. Paths are relative to the container.
 * Pure.
 */
export function withHost(
  { env, command, args }: Pick<Container, 'env' | 'command' | 'args'>,
  from: string,
  to: string,
): { path: string; to: string }[] {
  const texts: { path: string; text: string; made: string; isSeldom: boolean }[] = [];
  for (const [index, { name, value }] of (env ?? []).entries())
    if (typeof value === 'string')
      texts.push({ path: fieldPath('env', index, 'value'), text: value, ...inVariable(name, value, { from, to }) });
  for (const [field, words] of [
    ['command', command ?? []],
    ['args', args ?? []],
  ] as const)
    for (const [index, word] of words.entries()) {
      const isProgram = field === 'command' && index === 0;
      const isOther = isProgram || names(words[index - 1] ?? '') === 'other';
      const made = word === from ? (isOther ? word : to) : swapped(word, from, to);
      texts.push({ path: fieldPath(field, index), text: word, made, isSeldom: false });
    }
  const changed = texts.filter(({ text, made }) => text !== made);
  const sure = changed.filter(({ isSeldom }) => !isSeldom);
  return (sure.length > 0 ? sure : changed).map(({ path, made }) => ({ path, to: made }));
}

/** The same as changes of the case's manifest. */
export function replaceHost(input: RuleInput, { from, to, why }: { from: string; to: string; why: string }): Change[] {
  const place = input.place();
  return place?.container && from !== ''
    ? withHost(place.container, from, to).map((one) => change(place, `${place.path}.${one.path}`, one.to, why))
    : [];
}

function inVariable(name: string, value: string, { from, to }: { from: string; to: string }): { made: string; isSeldom: boolean } {
  if (value.trim() !== from) return { made: swapped(value, from, to), isSeldom: false };
  const holds = OF_HOST.test(name) ? 'host' : NEVER.test(name) ? 'other' : SELDOM.test(name) ? 'seldom' : 'host';
  return { made: holds === 'other' ? value : value.replace(from, () => to), isSeldom: holds === 'seldom' };
}

/** Whether the option before a word holds a host or something else. */
function names(option: string): 'host' | 'other' | undefined {
  const name = /^-{1,2}([\w.-]{1,60})$/.exec(option)?.[1];
  if (name === undefined) return undefined;
  return !OF_HOST.test(name) && (NEVER.test(name) || SELDOM.test(name)) ? 'other' : 'host';
}

function swapped(text: string, from: string, to: string): string {
  let result = '';
  let start = 0;
  for (const at of wordsAt(text, from)) {
    if (!isHost(text.slice(Math.max(0, at - 200), at), text.slice(at + from.length, at + from.length + 200))) continue;
    result += text.slice(start, at) + to;
    start = at + from.length;
  }
  return result + text.slice(start);
}

/** Whether the surrounding text makes a word a host, and not a scheme, user, password, path, value of another key, or program. */
function isHost(before: string, after: string): boolean {
  if (/^(?::\/\/|@|:[^/@\s]{0,150}@)/.test(after)) return false;
  if (/(?:^|[^/])\/$/.test(before) || (/:[^/\s]{0,150}$/.test(before) && after.startsWith('@'))) return false;
  if (/^\/[\w/-]{1,100}\.\w/.test(after) && !/(?:\/\/|@)$/.test(before)) return false;
  const key = /([\w.-]+(?: Id)?)\s{0,3}=\s{0,3}["']?$/.exec(before)?.[1];
  if (key !== undefined && !OF_HOST.test(key) && (NEVER.test(key) || SELDOM.test(key))) return false;
  const option = /(?:^|\s)(-{1,2}[\w.-]{1,60})\s{1,3}["']?$/.exec(before)?.[1];
  if (option !== undefined && names(option) === 'other') return false;
  return !(AT_COMMAND.test(before) && /^(?:\s|$|[;&|)<>])/.test(after));
}
