import { spawn } from 'node:child_process';
import { isAbsolute, resolve } from 'node:path';
import { processEnvironment } from '../config.ts';
import { CredentialsUnavailable } from './errors.ts';

/** An entry `users[].user.exec` of a kubeconfig: a program that provides credentials. */
export interface ExecPlugin {
  apiVersion: string;
  command: string;
  args: string[];
  env: { name: string; value: string }[];
  /** How to install the program, for people who do not have it. */
  installHint: string | undefined;
  interactiveMode: InteractiveMode;
  /** The description of the cluster that the plugin gets; undefined unless `provideClusterInfo` is set. */
  cluster: Record<string, unknown> | undefined;
}

type InteractiveMode = (typeof INTERACTIVE_MODES)[number];

/** The credential from a plugin: a token, a client certificate with its key, or both. */
export interface ExecCredential {
  token?: string;
  cert?: string;
  key?: string;
}

export interface ExecCredentials {
  /** The credential, from the plugin or kept until it expires. Rejects with CredentialsUnavailable. */
  get(): Promise<ExecCredential>;
  /** Called when the API server refused this credential. The next `get` runs the plugin again. */
  refused(credential: ExecCredential): void;
}

const API_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const INTERACTIVE_MODES = ['Never', 'IfAvailable', 'Always'] as const;
/** A credential is renewed this long before it expires, because a request takes some time to arrive. */
const RENEW_BEFORE_MS = 5_000;
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_HINT_LENGTH = 300;

/**
 * Reads the `exec` field of a kubeconfig's user. `folder` is the folder of the kubeconfig: a command with a slash is a path relative to it.
 * `cluster` is passed to the plugin if it asks for it with `provideClusterInfo`. Throws a plain Error that says what is wrong.
 */
export function readExecPlugin(exec: unknown, folder: string, cluster: Record<string, unknown>): ExecPlugin {
  const fields = (typeof exec === 'object' && exec !== null ? exec : {}) as Record<string, unknown>;
  const { apiVersion, command, args, env, installHint, interactiveMode, provideClusterInfo } = fields;
  if (typeof command !== 'string' || command === '') throw new Error('the exec credentials name no command');
  const where = `the exec credentials of ${quoted(command)}`;
  if (typeof apiVersion !== 'string' || !API_VERSIONS.includes(apiVersion))
    throw new Error(`${where} must have an apiVersion of ${API_VERSIONS.join(' or ')}`);
  const mode = interactiveMode ?? (apiVersion === API_VERSIONS[0] ? undefined : 'IfAvailable');
  if (!isInteractiveMode(mode)) throw new Error(`${where} must have an interactiveMode of ${INTERACTIVE_MODES.join(', ')}`);
  return {
    apiVersion,
    command: command.includes('/') && !isAbsolute(command) ? resolve(folder, command) : command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: Array.isArray(env) ? (env as ExecPlugin['env']).map(({ name, value }) => ({ name: String(name), value: String(value) })) : [],
    installHint: typeof installHint === 'string' && installHint ? installHint : undefined,
    interactiveMode: mode,
    cluster: provideClusterInfo === true ? cluster : undefined,
  };
}

function isInteractiveMode(mode: unknown): mode is InteractiveMode {
  return (INTERACTIVE_MODES as readonly unknown[]).includes(mode);
}

export interface ExecOptions {
  /** Whether a person is there to answer questions of the plugin. */
  isTerminal?: boolean;
  /** Milliseconds since 1970. */
  now?(): number;
  /** How long a plugin may run when no person can answer its questions. */
  timeoutMs?: number;
}

/** Runs the plugin when a credential is needed. Callers at the same time share one run. */
export function execCredentials(plugin: ExecPlugin, options: ExecOptions = {}): ExecCredentials {
  const { isTerminal = Boolean(process.stdin.isTTY && process.stderr.isTTY), now = Date.now, timeoutMs = TIMEOUT_MS } = options;
  let kept: { credential: ExecCredential; renewAt: number } | undefined;
  let running: Promise<ExecCredential> | undefined;
  const run = async (): Promise<ExecCredential> => {
    const { credential, expiresAt } = readAnswer(plugin, await answerOf(plugin, { isTerminal, timeoutMs }));
    kept = { credential, renewAt: expiresAt === undefined ? Infinity : expiresAt - RENEW_BEFORE_MS };
    return credential;
  };
  return {
    async get() {
      if (kept && now() < kept.renewAt) return kept.credential;
      return (running ??= run().finally(() => (running = undefined)));
    },
    refused(credential) {
      if (kept?.credential === credential) kept = undefined;
    },
  };
}

/** Runs the plugin and returns its output. The output may hold secrets, so no error repeats any of it. */
async function answerOf(plugin: ExecPlugin, { isTerminal, timeoutMs }: { isTerminal: boolean; timeoutMs: number }): Promise<string> {
  const { command, args, env, installHint, interactiveMode } = plugin;
  const isInteractive = isTerminal && interactiveMode !== 'Never';
  if (interactiveMode === 'Always' && !isInteractive) throw failure(plugin, 'needs a terminal, and there is none');
  const child = spawn(command, args, {
    env: { ...processEnvironment(), ...Object.fromEntries(env.map(({ name, value }) => [name, value])), ...infoFor(plugin, isInteractive) },
    // As in kubectl: the plugin may ask the person at the terminal.
    stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', isInteractive ? 'inherit' : 'ignore'],
  });
  let stoppedBecause: string | undefined;
  const stop = (why: string): void => {
    stoppedBecause ??= why;
    child.kill('SIGKILL');
    // A program that the plugin started may outlive it and keep its output open.
    child.stdout?.destroy();
  };
  // The `timeout` option of spawn is not used: after a failed start it would keep our process alive until the timeout.
  const limit = isInteractive ? undefined : setTimeout(stop, timeoutMs, 'does not answer in time');
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_OUTPUT_BYTES) stop('prints too much');
    else chunks.push(chunk);
  });
  return new Promise<string>((done, fail) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      const hint = installHint ? `: ${installHint.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_HINT_LENGTH)}` : '';
      const isMissing = code === 'ENOENT';
      fail(failure(plugin, isMissing ? `is not installed${hint}` : `cannot be run (${code ?? 'unknown'})`));
    });
    child.once('close', (code, signal) => {
      if (stoppedBecause) fail(failure(plugin, stoppedBecause));
      else if (code === 0) done(Buffer.concat(chunks).toString('utf8'));
      else fail(failure(plugin, code === null ? `was ended by ${signal}` : `ended with exit code ${code}; run it in a shell to see why`));
    });
  }).finally(() => clearTimeout(limit));
}

/** The environment variable for the plugin. It contains the requested version of the output, and the cluster. */
function infoFor({ apiVersion, cluster }: ExecPlugin, interactive: boolean): { KUBERNETES_EXEC_INFO: string } {
  const spec = { interactive, ...(cluster ? { cluster } : {}) };
  return { KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion, kind: 'ExecCredential', spec }) };
}

function readAnswer(plugin: ExecPlugin, text: string): { credential: ExecCredential; expiresAt: number | undefined } {
  const answer = parsed(text);
  const status = answer?.['status'] as Record<string, unknown> | undefined;
  if (answer?.['kind'] !== 'ExecCredential' || answer['apiVersion'] !== plugin.apiVersion || !status)
    throw failure(plugin, `printed no ExecCredential of ${plugin.apiVersion}`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  const credential = {
    ...(typeof token === 'string' && token ? { token } : {}),
    ...(typeof cert === 'string' && typeof key === 'string' && cert && key ? { cert, key } : {}),
  };
  if (Object.keys(credential).length === 0) throw failure(plugin, 'printed neither a token nor a client certificate with its key');
  const expiresAt = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : NaN;
  return { credential, expiresAt: Number.isNaN(expiresAt) ? undefined : expiresAt };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function failure({ command }: ExecPlugin, what: string): CredentialsUnavailable {
  return new CredentialsUnavailable(`the credential plugin ${quoted(command)} ${what}`);
}

/** The command on one line; its arguments may hold secrets and are never shown. */
function quoted(command: string): string {
  return JSON.stringify(command);
}
