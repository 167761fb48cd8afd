import { Files } from '../files.ts';
import type { Machine } from '../machine.ts';
import { ProcessEnd } from '../machine.ts';
import { applet } from './applets.ts';
import { BUILTINS } from './builtins.ts';
import type { Scope } from './expand.ts';
import { ExpansionFault, expandText, expandWord, patternOf } from './expand.ts';
import { LoopEnd, Return } from './flow.ts';
import { parseScript } from './parse.ts';
import { redirected } from './redirect.ts';
import type { Command, List, Pipeline, Simple } from './syntax.ts';
import { SyntaxFault } from './syntax.ts';

/** The input and output of a command. */
export interface Streams {
  input: string;
  out(text: string): void;
  err(text: string): void;
}

/** A loop that never waits gives way to others this often. */
const BREATH_MS = 10;

/** Runs shell scripts in a machine, as BusyBox's `ash` runs them for the commands `applets.ts` knows. */
export class Shell {
  readonly machine: Machine;
  readonly name: string;
  variables: Map<string, string>;
  exported: Set<string>;
  directory: string;
  status = 0;
  args: string[];
  functions = new Map<string, Command>();
  options = new Set<string>();
  #isConditional = 0;
  /** Only the machine's first process may change what SIGTERM does. */
  isFirst: boolean;

  constructor(
    machine: Machine,
    { name = 'sh', args = [] as string[], isFirst = false, environment = machine.environment, directory = machine.workingDirectory } = {},
  ) {
    this.machine = machine;
    this.name = name;
    this.args = args;
    this.isFirst = isFirst;
    this.variables = new Map(Object.entries(environment));
    this.exported = new Set(this.variables.keys());
    this.directory = directory;
  }

  get environment(): Record<string, string> {
    return Object.fromEntries([...this.variables].filter(([name]) => this.exported.has(name)));
  }

  scope(streams: Streams): Scope {
    return {
      value: (name) => this.value(name),
      assign: (name, value) => this.variables.set(name, value),
      substitute: async (source) => {
        let text = '';
        this.status = await this.#child().run(source, { input: streams.input, out: (more) => (text += more), err: streams.err });
        return text;
      },
      isStrict: this.options.has('u'),
    };
  }

  value(name: string): string | undefined {
    if (name === '?') return String(this.status);
    if (name === '$') return this.isFirst ? '1' : '7';
    if (name === '#') return String(this.args.length);
    if (name === '@' || name === '*') return this.args.join(' ');
    if (name === '0') return this.name;
    if (/^\d+$/.test(name)) return this.args[Number(name) - 1];
    if (name === 'PWD') return this.directory;
    return this.variables.get(name);
  }

  /** A new shell in the same machine, as `sh` starts one. */
  another(options: { name: string; args: string[]; environment: Record<string, string>; directory: string }): Shell {
    return new Shell(this.machine, options);
  }

  /** A subshell: it starts with the state of this one, and does not change it. */
  #child(): Shell {
    const child = new Shell(this.machine, { name: this.name, args: this.args, environment: {}, directory: this.directory });
    child.variables = new Map(this.variables);
    child.exported = new Set(this.exported);
    child.functions = this.functions;
    child.options = new Set(this.options);
    child.status = this.status;
    return child;
  }

  /** Runs a script to its end and returns its exit status; `exit` and failing expansions end it early. */
  async run(source: string, streams: Streams): Promise<number> {
    try {
      this.status = await this.list(parseScript(source), streams);
    } catch (error) {
      if (error instanceof ProcessEnd) this.status = error.exitCode;
      else if (error instanceof SyntaxFault || error instanceof ExpansionFault) {
        streams.err(`${this.name}: ${error.message}\n`);
        this.status = 2;
      } else if (error instanceof Return) this.status = error.status;
      else if (!(error instanceof LoopEnd)) throw error;
    }
    return this.status;
  }

  async list(list: List, streams: Streams): Promise<number> {
    let skip = false;
    for (const { pipeline, ending } of list) {
      if (!skip) {
        if (ending === '&') void this.#child().#pipeline(pipeline, streams).catch(() => undefined);
        else await this.#step(pipeline, ending, streams);
      }
      if (ending === '&&') skip = skip || this.status !== 0;
      else if (ending === '||') skip = skip ? this.status === 0 && skip : this.status === 0;
      else skip = false;
      if (ending === '||' && this.status !== 0) skip = false;
      if (ending === '&&' && this.status === 0) skip = false;
    }
    return this.status;
  }

  async #step(pipeline: Pipeline, ending: string, streams: Streams): Promise<void> {
    const isAsked = ending === '&&' || ending === '||' || pipeline.negated;
    this.#isConditional += isAsked ? 1 : 0;
    try {
      this.status = await this.#pipeline(pipeline, streams);
    } finally {
      this.#isConditional -= isAsked ? 1 : 0;
    }
    if (this.status !== 0 && this.options.has('e') && !isAsked && this.#isConditional === 0) throw new ProcessEnd(this.status);
  }

  async #pipeline({ commands, negated }: Pipeline, streams: Streams): Promise<number> {
    let input = streams.input;
    let status = 0;
    for (const [i, command] of commands.entries()) {
      let text = '';
      const isLast = i === commands.length - 1;
      const own: Streams = { input, out: isLast ? streams.out : (more) => (text += more), err: streams.err };
      const shell = commands.length > 1 ? this.#child() : this;
      status = await shell.#contained(command, own, commands.length > 1);
      input = text;
    }
    return negated ? Number(status === 0) : status;
  }

  /** Each part of a pipeline is a process: its `exit` ends only that part. */
  async #contained(command: Command, streams: Streams, isProcess: boolean): Promise<number> {
    if (!isProcess) return this.#command(command, streams);
    try {
      return await this.#command(command, streams);
    } catch (error) {
      if (error instanceof ProcessEnd) return error.exitCode;
      throw error;
    }
  }

  async #asked(list: List, streams: Streams): Promise<boolean> {
    this.#isConditional += 1;
    try {
      return (await this.list(list, streams)) === 0;
    } finally {
      this.#isConditional -= 1;
    }
  }

  async #command(command: Command, outer: Streams): Promise<number> {
    if (command.type === 'simple') return this.#simple(command, outer);
    const streams = await redirected(this, command.redirects, outer);
    if (!streams) return 1;
    switch (command.type) {
      case 'group':
        return command.subshell
          ? this.#child().#contained({ ...command, subshell: false, redirects: [] }, streams, true)
          : this.list(command.body, streams);
      case 'function':
        this.functions.set(command.name, command.body);
        return 0;
      case 'if':
        for (const { condition, body } of command.branches) if (await this.#asked(condition, streams)) return this.list(body, streams);
        return command.otherwise ? this.list(command.otherwise, streams) : 0;
      case 'loop':
        return this.#loop(async () => (await this.#asked(command.condition, streams)) !== command.until, command.body, streams);
      case 'for':
        return this.#for(command, streams);
      case 'case':
        return this.#case(command, streams);
    }
  }

  async #loop(more: () => Promise<boolean>, body: List, streams: Streams): Promise<number> {
    let status = 0;
    while (await more()) {
      try {
        status = await this.list(body, streams);
      } catch (error) {
        if (!(error instanceof LoopEnd)) throw error;
        if (error.isBreak) return 0;
      }
      await this.machine.sleep(BREATH_MS);
    }
    return status;
  }

  async #for(command: Extract<Command, { type: 'for' }>, streams: Streams): Promise<number> {
    const values: string[] = command.words ? [] : [...this.args];
    for (const word of command.words ?? []) values.push(...(await expandWord(word, this.scope(streams))));
    return this.#loop(
      async () => {
        const next = values.shift();
        if (next !== undefined) this.variables.set(command.variable, next);
        return next !== undefined;
      },
      command.body,
      streams,
    );
  }

  async #case(command: Extract<Command, { type: 'case' }>, streams: Streams): Promise<number> {
    const scope = this.scope(streams);
    const subject = await expandText(command.word, scope);
    for (const { patterns, body } of command.branches)
      for (const pattern of patterns) if (patternOf(await expandText(pattern, scope)).test(subject)) return this.list(body, streams);
    return 0;
  }

  async #simple(command: Simple, outer: Streams): Promise<number> {
    const scope = this.scope(outer);
    const words: string[] = [];
    for (const word of command.words) words.push(...(await expandWord(word, scope)));
    const assigns: [string, string][] = [];
    for (const { name, value } of command.assigns) assigns.push([name, await expandText(value, scope)]);
    const streams = await redirected(this, command.redirects, outer);
    if (!streams) return 1;
    const [name, ...args] = words;
    if (name === undefined) {
      for (const [variable, value] of assigns) this.variables.set(variable, value);
      return command.assigns.length ? (command.assigns.some((a) => a.value.some((p) => p.type === 'command')) ? this.status : 0) : 0;
    }
    if (name === ':' || name === 'true') return 0;
    const builtin = await this.#builtin(name, args, streams);
    if (builtin !== undefined) return builtin;
    const environment = { ...this.environment, ...Object.fromEntries(assigns) };
    return this.execute([name, ...args], streams, environment);
  }

  /** Runs a program that is not part of the shell. */
  async execute(words: string[], streams: Streams, environment: Record<string, string>): Promise<number> {
    const [name = '', ...args] = words;
    const known = this.program(name);
    if (known === 'missing') {
      streams.err(`${this.name}: ${name}: not found\n`);
      return 127;
    }
    if (known === 'denied') {
      streams.err(`${this.name}: ${name}: Permission denied\n`);
      return 126;
    }
    return applet({ machine: this.machine, directory: this.directory, environment, streams, shell: this }, known, args);
  }

  /** The applet with this name, looked up in the image's PATH. */
  program(name: string): string {
    const { files } = this.machine;
    if (name.includes('/')) {
      const path = Files.resolve(name, this.directory);
      if (!files.exists(path)) return 'missing';
      if (!files.isExecutable(path)) return 'denied';
      return path.startsWith('/bin/') ? path.slice(5) : `script ${path}`;
    }
    return files.isExecutable(`/bin/${name}`) ? name : 'missing';
  }

  /** Runs a function of the script or a builtin command; undefined if it is neither. */
  async #builtin(name: string, args: string[], streams: Streams): Promise<number | undefined> {
    const called = this.functions.get(name);
    if (called) return this.#call(called, args, streams);
    return Object.hasOwn(BUILTINS, name) ? BUILTINS[name]?.(this, args, streams) : undefined;
  }

  async #call(body: Command, args: string[], streams: Streams): Promise<number> {
    const before = this.args;
    this.args = args;
    try {
      return await this.#command(body, streams);
    } catch (error) {
      if (error instanceof Return) return error.status;
      throw error;
    } finally {
      this.args = before;
    }
  }

  async trapped(action: string, streams: Streams): Promise<void> {
    const shell = this.#child();
    const status = await shell.run(action, streams);
    if (/\bexit\b/.test(action)) this.onTrapExit?.(status);
  }

  /** Called when a trap ends the script; set by who started the shell. */
  onTrapExit: ((status: number) => void) | undefined;
}
