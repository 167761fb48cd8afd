import type { Readable, Writable } from 'node:stream';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Config, ConfiguredMode } from '../config.ts';
import type { Logger } from '../log.ts';

/** The arguments of a mode that runs until it is stopped. */
export interface ServiceContext {
  /** The environment, for a mode that changes it and then starts another mode. */
  env: NodeJS.ProcessEnv;
  /** Read and checked for this mode. */
  config: Config;
  log: Logger;
}

/** A running mode. `stop` drains and closes everything within 8 s; it is called once. */
export interface Running {
  stop(): Promise<void>;
}

/** Starts a mode. Resolves when the mode is ready, or with the exit code when its work is done. Throws UsageError, ConfigError. */
export type Service = (context: ServiceContext) => Promise<Running | number>;

export interface Io {
  stdin: Readable;
  /** `isTTY` on a terminal. */
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable;
  env: NodeJS.ProcessEnv;
}

/** A mode that needs no configuration: it reads arguments and standard input, prints text and returns an exit code. Throws UsageError. */
export type Command = (argv: string[], io: Io) => Promise<number>;

interface Described {
  /** One line for `podmend --help`. */
  summary: string;
  /** The text that `podmend <mode> --help` prints below the summary. */
  help: string;
}

/** Loaded lazily: the agent must not load the operator's imports. */
export type Mode = Described & ({ service: ConfiguredMode; load(): Promise<Service> } | { command: true; load(): Promise<Command> });

/** The command line is wrong. The message is one line, and the process exits with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The input of a command cannot be read or does not exist. The message is one line that names it, and the command exits with 2. */
export class InputError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InputError';
  }
}

/** Parses the arguments of a command like `parseArgs`. Throws `InputError`. */
export function parseArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new InputError((error as Error).message);
  }
}
