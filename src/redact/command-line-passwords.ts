import { MASK } from './keys.ts';
import { isHarmless } from './harmless-values.ts';
import { type ClientFlag, hide, lineEnd, type Pass } from './scan-state.ts';

const taking = (flag: string, programs: string, how: Partial<ClientFlag> = {}): [string, ClientFlag][] =>
  programs.split(' ').map((program) => [program, { flag, isAttached: false, isEither: false, ...how }]);
/** Programs that take a password after a one-letter option, with that letter. */
const CLIENTS = new Map<string, ClientFlag>([
  ...taking('p', 'sshpass', { isEither: true }),
  ...taking('a', 'redis-cli valkey-cli keydb-cli'),
  ...taking('p', 'mongo mongosh mongodump mongorestore mongoexport mongoimport mongofiles'),
  ...taking('P', 'sqlcmd bcp ipmitool cypher-shell clickhouse-client impala-shell'),
  ...taking('w', 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare ldapmodrdn'),
  ...taking('c', 'snmpwalk snmpget snmpgetnext snmpset snmpbulkwalk snmpbulkget snmptrap snmptable'),
  ...taking('U', 'smbclient rpcclient'),
]);
/** The clients of MySQL: the password follows the letter without a blank, as in `mysql -psecret`. */
const MYSQL = /^(?:mysql|mariadb)(?:-?[a-z]{1,16}){0,2}$/;
const MYSQL_FLAG: ClientFlag = { flag: 'p', isAttached: true, isEither: false };
/** Programs that have a `login` command. */
const LOGIN =
  /(?:^|[\s"',/])(?:docker|podman|nerdctl|buildah|skopeo|crane|helm registry|az(?: acr)?|cf|oc|argocd|vault)["']?,?[ \t]{1,4}["']?$/;
/** The program names that `noteClient` knows, and the first letters of names with several endings. */
export const CLIENT_WORDS: readonly string[] = [...CLIENTS.keys(), 'login'];
export const CLIENT_STEMS: readonly string[] = ['mysql', 'mariadb'];
/** The largest distance between a program and its password, in characters. */
const NEAR = 400;

/** If the word is the name of a program that takes a password, notes that its arguments follow. */
export function noteClient(pass: Pass, from: number, to: number): void {
  const length = to - from;
  if (length < 3 || length > 36) return;
  const next = pass.text.charCodeAt(to);
  if (!(next === 32 || next === 9 || next === 34 || next === 39) || isPartOfName(pass.text, from)) return;
  const program = pass.text.slice(from, to);
  if (program !== 'login' && program === pass.client?.program) {
    pass.client.until = endOfCommand(pass.text, to);
    return;
  }
  const flag = flagOf(program, () => pass.text.slice(Math.max(0, from - 24), from));
  if (flag) pass.client = { ...flag, program, until: endOfCommand(pass.text, to) };
}

function endOfCommand(text: string, from: number): number {
  return from + lineEnd(text.slice(from, from + NEAR), 0);
}

function isPartOfName(text: string, from: number): boolean {
  const before = text.charCodeAt(from - 1);
  return before === 46 || before === 64;
}

function flagOf(program: string, before: () => string): ClientFlag | undefined {
  if (program === 'login') return LOGIN.test(before()) ? { flag: 'p', isAttached: false, isEither: false } : undefined;
  const isMysql = (program.startsWith('mysql') || program.startsWith('mariadb')) && MYSQL.test(program);
  return isMysql ? MYSQL_FLAG : CLIENTS.get(program);
}

const SEPARATE = /(?:[ \t]{1,4}|["'][ \t]{0,4},[ \t]{0,4})(?:"([^"\n]{1,256})|'([^'\n]{1,256})|([^\s"',;&|\\)]{1,256}))/y;
const ATTACHED = /(?:"([^"\n]{1,256})|'([^'\n]{1,256})|([^\s"',;&|\\)]{1,256}))/y;

/**
 * Hides the password after the one-letter option of the program that `noteClient` has noted. `to` is the end of the word. Returns where to
 * continue reading.
 */
export function clientFlag(pass: Pass, from: number, to: number): number {
  const { client, text } = pass;
  if (!client || from > client.until || text[from + 1] !== client.flag) return to;
  const isAttached = client.isAttached || (client.isEither && to !== from + 2);
  if (!isAttached && to !== from + 2) return to;
  const value = isAttached ? ATTACHED : SEPARATE;
  value.lastIndex = from + 2;
  const found = value.exec(text);
  const word = found?.[1] ?? found?.[2] ?? found?.[3];
  if (!found || word === undefined || isHarmless(word)) return to;
  const skipped = beforePassword(client, word);
  return skipped === undefined ? to : hide(pass, value.lastIndex - word.length + skipped, value.lastIndex);
}

/** How many characters of the word come before the password: a user and a percent sign after `-U`. Undefined if a user has no password. */
function beforePassword({ flag }: Pick<ClientFlag, 'flag'>, word: string): number | undefined {
  if (flag !== 'U') return 0;
  return word.includes('%') ? word.indexOf('%') + 1 : undefined;
}

/** The password in an item of a list of arguments that contains the name of the program. Undefined for an item that is not a password. */
export function clientPassword(list: unknown[], index: number): string | undefined {
  const item = list[index];
  if (typeof item !== 'string' || index === 0) return undefined;
  const flag = clientIn(list, index);
  if (!flag) return undefined;
  if (flag.isAttached || (flag.isEither && item.length > 2 && item.startsWith(`-${flag.flag}`))) {
    const value = item.startsWith(`-${flag.flag}`) ? item.slice(2) : '';
    return value === '' || isHarmless(value) ? undefined : `-${flag.flag}${MASK}`;
  }
  const skipped = beforePassword(flag, item);
  const isPassword = list[index - 1] === `-${flag.flag}` && skipped !== undefined && !isHarmless(item);
  return isPassword ? item.slice(0, skipped) + MASK : undefined;
}

function clientIn(list: unknown[], index: number): ClientFlag | undefined {
  for (let at = 0; at < Math.min(index, 8); at++) {
    const item = list[at];
    if (typeof item !== 'string' || item.length > 128) continue;
    const flag = flagOf(item.slice(item.lastIndexOf('/') + 1), () => `${list.slice(0, at).join(' ')} `);
    if (flag) return flag;
  }
  return undefined;
}
