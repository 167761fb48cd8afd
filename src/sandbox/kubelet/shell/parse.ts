import type { Command, List, Pipeline, Redirect, Simple, Word } from './syntax.ts';
import { SyntaxFault } from './syntax.ts';
import { plainText, readWord } from './words.ts';

const OPERATORS = ['&&', '||', ';;', '>>', '>&', '<&', ';', '&', '|', '<', '>', '(', ')', '\n'];
const CLOSERS = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', '}']);

type Token =
  | { type: 'operator'; text: string }
  | { type: 'word'; word: Word; text: string | undefined }
  | { type: 'redirect'; descriptor: number; text: string };

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < source.length) {
    const rest = source.slice(i);
    const blank = /^([ \t\r]|\\\n)+/.exec(rest)?.[0] ?? (/^#[^\n]*/.exec(rest)?.[0] as string | undefined);
    const numbered = /^([0-9])(>>|>&|>|<)/.exec(rest);
    const operator = OPERATORS.find((o) => rest.startsWith(o));
    if (blank) i += blank.length;
    else if (numbered) {
      tokens.push({ type: 'redirect', descriptor: Number(numbered[1]), text: numbered[2] as string });
      i += numbered[0].length;
    } else if (operator && /[<>]/.test(operator)) {
      tokens.push({ type: 'redirect', descriptor: operator.startsWith('<') ? 0 : 1, text: operator });
      i += operator.length;
    } else if (operator) {
      tokens.push({ type: 'operator', text: operator });
      i += operator.length;
    } else {
      const { word, next } = readWord(source, i);
      tokens.push({ type: 'word', word, text: plainText(word) });
      i = next;
    }
  }
  return tokens;
}

/** Parses a script into the parts that `interpret.ts` runs: the grammar of a POSIX shell, without here-documents. Throws `SyntaxFault`. */
export function parseScript(source: string): List {
  const tokens = tokenize(source);
  let at = 0;

  const peek = () => tokens[at];
  const isOperator = (text: string) => peek()?.type === 'operator' && peek()?.text === text;
  const isKeyword = (text: string) => peek()?.type === 'word' && peek()?.text === text;
  const unexpected = (): SyntaxFault => {
    const token = peek();
    const shown = !token ? 'end of file' : token.text === '\n' ? 'newline' : `"${token.text ?? 'word'}"`;
    return new SyntaxFault(`syntax error: unexpected ${shown}`);
  };
  const skipLines = () => {
    while (isOperator('\n')) at += 1;
  };
  const expect = (text: string) => {
    if (!isKeyword(text) && !isOperator(text)) throw unexpected();
    at += 1;
  };

  function list(): List {
    const items: List = [];
    for (;;) {
      while (isOperator('\n') || (items.length > 0 && isOperator(';'))) at += 1;
      const token = peek();
      if (!token || isOperator(')') || isOperator(';;') || (token.type === 'word' && CLOSERS.has(token.text ?? ''))) return items;
      const item: List[number] = { pipeline: pipeline(), ending: ';' };
      items.push(item);
      const next = peek();
      if (next?.type !== 'operator') continue;
      if (next.text === '&&' || next.text === '||' || next.text === '&') {
        item.ending = next.text;
        at += 1;
        if (next.text !== '&') skipLines();
      }
    }
  }

  function pipeline(): Pipeline {
    let negated = false;
    while (isKeyword('!')) {
      negated = !negated;
      at += 1;
    }
    const commands = [command()];
    while (isOperator('|')) {
      at += 1;
      skipLines();
      commands.push(command());
    }
    return { negated, commands };
  }

  function redirects(): Redirect[] {
    const found: Redirect[] = [];
    for (let token = peek(); token?.type === 'redirect'; token = peek()) {
      at += 1;
      const target = peek();
      if (target?.type !== 'word') throw unexpected();
      at += 1;
      found.push({ descriptor: token.descriptor, operator: token.text as Redirect['operator'], target: target.word });
    }
    return found;
  }

  function command(): Command {
    const built = compound();
    if (!built) return simple();
    built.redirects = redirects();
    return built;
  }

  function compound(): Command | undefined {
    if (isOperator('(') || isKeyword('{')) {
      const subshell = isOperator('(');
      at += 1;
      const body = list();
      expect(subshell ? ')' : '}');
      return { type: 'group', subshell, body, redirects: [] };
    }
    if (isKeyword('if')) return conditional();
    if (isKeyword('while') || isKeyword('until')) {
      const until = isKeyword('until');
      at += 1;
      const condition = list();
      return { type: 'loop', until, condition, body: doBlock(), redirects: [] };
    }
    if (isKeyword('for')) return forLoop();
    if (isKeyword('case')) return choice();
    const [, open, close] = tokens.slice(at, at + 3);
    const token = peek();
    if (token?.type === 'word' && token.text && open?.text === '(' && open.type === 'operator' && close?.text === ')') {
      at += 3;
      skipLines();
      return { type: 'function', name: token.text, body: command(), redirects: [] };
    }
    return undefined;
  }

  function conditional(): Command {
    const branches: { condition: List; body: List }[] = [];
    do {
      at += 1;
      const condition = list();
      expect('then');
      branches.push({ condition, body: list() });
    } while (isKeyword('elif'));
    const result: Command = { type: 'if', branches, redirects: [] };
    if (isKeyword('else')) {
      at += 1;
      result.otherwise = list();
    }
    expect('fi');
    return result;
  }

  function doBlock(): List {
    while (isOperator(';') || isOperator('\n')) at += 1;
    expect('do');
    const body = list();
    expect('done');
    return body;
  }

  function forLoop(): Command {
    at += 1;
    const name = peek();
    if (name?.type !== 'word' || !name.text) throw unexpected();
    at += 1;
    skipLines();
    const result: Command = { type: 'for', variable: name.text, body: [], redirects: [] };
    if (isKeyword('in')) {
      at += 1;
      result.words = [];
      for (let token = peek(); token?.type === 'word'; token = peek()) {
        result.words.push(token.word);
        at += 1;
      }
    }
    result.body = doBlock();
    return result;
  }

  function choice(): Command {
    at += 1;
    const subject = peek();
    if (subject?.type !== 'word') throw unexpected();
    at += 1;
    skipLines();
    expect('in');
    const branches: { patterns: Word[]; body: List }[] = [];
    for (skipLines(); !isKeyword('esac'); skipLines()) {
      if (isOperator('(')) at += 1;
      const patterns: Word[] = [];
      for (let token = peek(); token?.type === 'word' || isOperator('|'); token = peek()) {
        if (token?.type === 'word') patterns.push(token.word);
        at += 1;
      }
      expect(')');
      branches.push({ patterns, body: list() });
      if (isOperator(';;')) at += 1;
    }
    expect('esac');
    return { type: 'case', word: subject.word, branches, redirects: [] };
  }

  function simple(): Simple {
    const result: Simple = { type: 'simple', assigns: [], words: [], redirects: [] };
    for (;;) {
      result.redirects.push(...redirects());
      const token = peek();
      if (token?.type !== 'word') break;
      const first = token.word[0];
      const assign =
        result.words.length === 0 && first?.type === 'text' && !first.quoted ? /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text) : null;
      if (assign)
        result.assigns.push({
          name: assign[1] as string,
          value: [{ type: 'text', text: assign[2] as string, quoted: false }, ...token.word.slice(1)],
        });
      else result.words.push(token.word);
      at += 1;
    }
    if (result.words.length + result.assigns.length + result.redirects.length === 0) throw unexpected();
    return result;
  }

  const script = list();
  if (peek()) throw unexpected();
  return script;
}
