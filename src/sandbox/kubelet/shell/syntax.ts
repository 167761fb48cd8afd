/** The parts of a word, before expansion. `quoted` text and values are not split into fields. */
export type Part =
  | { type: 'text'; text: string; quoted: boolean }
  | { type: 'variable'; name: string; operator: string; argument: string; quoted: boolean }
  | { type: 'command'; source: string; quoted: boolean }
  | { type: 'arithmetic'; source: string; quoted: boolean };

export type Word = Part[];

/** `N>file`, `N>>file`, `<file`, `N>&M`. */
export interface Redirect {
  descriptor: number;
  operator: '>' | '>>' | '<' | '>&';
  target: Word;
}

export interface Simple {
  type: 'simple';
  assigns: { name: string; value: Word }[];
  words: Word[];
  redirects: Redirect[];
}

export type Command =
  | Simple
  | { type: 'if'; branches: { condition: List; body: List }[]; otherwise?: List; redirects: Redirect[] }
  | { type: 'loop'; until: boolean; condition: List; body: List; redirects: Redirect[] }
  | { type: 'for'; variable: string; words?: Word[]; body: List; redirects: Redirect[] }
  | { type: 'case'; word: Word; branches: { patterns: Word[]; body: List }[]; redirects: Redirect[] }
  | { type: 'group'; subshell: boolean; body: List; redirects: Redirect[] }
  | { type: 'function'; name: string; body: Command; redirects: Redirect[] };

export interface Pipeline {
  negated: boolean;
  commands: Command[];
}

/** The separator after each pipeline decides whether the next one runs. */
export type List = { pipeline: Pipeline; ending: ';' | '&&' | '||' | '&' }[];

/** A syntax error; the message is BusyBox's. */
export class SyntaxFault extends Error {}
