import { MASK, isHarmless } from './keys.ts';

/** Programs that take a password behind a letter, and that letter. With `mysql -psecret` it stands right behind it, elsewhere further on. */
const CLIENTS: { program: RegExp; letter: string; isAttached?: boolean }[] = [
  { program: /^(?:mysql|mariadb)/, letter: 'p', isAttached: true },
  { program: /-cli$/, letter: 'a' },
  { program: /^(?:sshpass|mongo|docker|podman|nerdctl|helm|az)/, letter: 'p' },
  { program: /^(?:sqlcmd|bcp)$/, letter: 'P' },
  { program: /^ldap/, letter: 'w' },
];
const PROGRAM =
  /(?<![\w.-])(?:(?:mysql|mariadb)(?:-?[a-z]{1,16}){0,2}|(?:redis|valkey|keydb)-cli|sshpass|mongo(?:sh|dump|restore|export|import|files)?|sqlcmd|bcp|ldap(?:search|add|modify|delete|whoami|passwd)|(?:docker|podman|nerdctl|helm registry|az(?: acr)?) login)(?![\w.-])/g;
/** One of these is in any text that names one: looking for a word is much cheaper than for a pattern. */
const WORDS = ['mysql', 'mariadb', '-cli', 'sshpass', 'mongo', 'sqlcmd', 'bcp', 'ldap', 'login'];
/** How far behind its program a password may stand. */
const NEAR = 400;
const SEPARATE = `(?:[ \\t]{1,4}|["'][ \\t]{0,4},[ \\t]{0,4})`;
/** In quotes or one word. */
const VALUE = `(?:(["'])((?:(?!\\2)[^\\n]){1,256})|([^\\s"',;&|\\])]{1,256}))`;

const FLAGS = CLIENTS.map(({ program, letter, isAttached }) => ({
  program,
  inText: new RegExp(`([\\s"',[]-${letter}${isAttached ? '' : SEPARATE})${VALUE}`, 'g'),
  inList: new RegExp(`^-${letter}${isAttached ? '(.+)' : ''}$`, 's'),
  isAttached: isAttached === true,
}));

const flagOf = (program: string) => FLAGS.find((flag) => flag.program.test(program));

/** Masks passwords that known programs are given behind a letter, in command lines wherever they stand. */
export function maskClients(text: string): string {
  if (!WORDS.some((word) => text.includes(word))) return text;
  let masked = '';
  let at = 0;
  for (const found of text.matchAll(PROGRAM)) {
    const from = found.index + found[0].length;
    const flag = flagOf(found[0]);
    if (!flag || from < at) continue;
    const end = Math.min(endOfCommand(text, from), from + NEAR);
    const rest = text
      .slice(from, end)
      .replace(flag.inText, (all, before: string, quote: string | undefined, quoted: string | undefined, word: string) =>
        isHarmless(quoted ?? word) ? all : before + (quote ?? '') + MASK,
      );
    masked += text.slice(at, from) + rest;
    at = end;
  }
  return masked + text.slice(at);
}

/** The same in a list of arguments that begins with the program, or names it. Undefined for an item that is no password. */
export function clientPassword(list: unknown[], index: number): string | undefined {
  const program = list.find((item): item is string => typeof item === 'string' && nameOf(item).match(PROGRAM)?.[0] === nameOf(item));
  const [flag, item, before] = [program && flagOf(nameOf(program)), list[index], list[index - 1]];
  if (!flag || typeof item !== 'string') return undefined;
  if (flag.isAttached) {
    const value = flag.inList.exec(item)?.[1];
    return value === undefined || isHarmless(value) ? undefined : item.slice(0, -value.length) + MASK;
  }
  return typeof before === 'string' && flag.inList.test(before) && !isHarmless(item) ? MASK : undefined;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function endOfCommand(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
