import { isIP } from 'node:net';
import type { HttpProxy } from './http.ts';
import { isProvider, needsAddress, needsKey, PROVIDERS, type Provider } from './contract/model.ts';

/** The modes that the environment configures. The others take everything from their command line. */
export type ConfiguredMode = 'operator' | 'agent' | 'scanner' | 'demo' | 'sandbox' | 'migrate' | 'user';

/** The checked configuration from the environment. It does not change while the process runs. */
export interface Config {
  port: number;
  host: string;
  /** Public address without a trailing slash. */
  baseUrl?: string | undefined;
  /** Addresses, ranges (`10.0.0.0/8`) and the names `loopback`, `linklocal`, `uniquelocal`. */
  trustProxy: string[];
  /** Absent = the embedded database in `dataDir`. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** `KUBECONFIG` as it is: one path, or several with `:` between. */
  kubeconfig?: string | undefined;
  /** `https://host:port` of the API server when the process runs in a pod. */
  inClusterServer?: string | undefined;
  clusterName: string;
  podNamespace: string;
  /** Empty = all. */
  watchNamespaces: string[];
  hiddenNamespaces: string[];
  /** Whether the names and key names of Secrets are read, where the rights allow it. */
  readSecretNames: boolean;
  mirrorsEnabled: boolean;
  /** Globs. */
  mirrorDeniedNamespaces: string[];
  mirrorLimits: { perIncident: number; perNamespace: number; total: number };
  sessionSecret?: string | undefined;
  /** Newest first. Each of them is accepted, the first one is sent. Empty only where the mode makes its own. */
  serviceTokens: string[];
  /** Newest first. */
  encryptionKeys: string[];
  setupToken?: string | undefined;
  /** Without a trailing slash. */
  backendUrl: string;
  nodeName?: string | undefined;
  /** How long a node's agent may be silent before the operator watches the node itself. Agents send three heartbeats in that time. */
  agentSilentSeconds: number;
  /** The interval between full passes, of the detectors and of the scanner. */
  scanIntervalSeconds: number;
  graces: { pendingSeconds: number; unreadySeconds: number; recoverySeconds: number };
  /** How long a report waits for the model. */
  solutionBudgetMs: number;
  /** The model that the environment names; one in the database wins. */
  model?: { provider: Provider; apiKey: string; model: string; baseUrl: string | null } | undefined;
  /** Private ranges that addresses entered by users may reach, besides all public ones. */
  allowPrivateAddresses: string[];
  /** What leaves for the internet over https goes through it. */
  proxy?: HttpProxy | undefined;
  logLevel: string;
}

/** Bad configuration. The message is one line that names each variable and its rule, never a value. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`bad configuration: ${problems.join('; ')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** The default: three times the usual interval of heartbeats. */
export const AGENT_SILENT_SECONDS = 180;

/** The environment of this process: the only place in `src` that reads it. */
export function processEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/** Checks all variables at once. Throws ConfigError with every problem found. An empty or blank variable counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv, mode: ConfiguredMode): Config {
  const problems: string[] = [];
  const read = <T>(name: string, { rule, parse }: Rule<T>, fallback: T): T => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`${name} must be ${rule}`);
    return value ?? fallback;
  };
  const optional = <T>(name: string, rule: Rule<T>): T | undefined => read<T | undefined>(name, rule, undefined);

  const podNamespace = read('POD_NAMESPACE', NAMESPACE, 'podmend');
  const [perIncident, perNamespace, total] = read('MIRROR_LIMITS', LIMITS, [3, 10, 50]);
  const config: Config = {
    port: read('PORT', numberWithin(0, 65_535), 8000),
    host: read('HOST', HOST, mode === 'demo' || mode === 'sandbox' ? '127.0.0.1' : '0.0.0.0'),
    baseUrl: optional('BASE_URL', ADDRESS),
    trustProxy: read('TRUST_PROXY', listOf(PROXY), []),
    databaseUrl: optional('DATABASE_URL', DATABASE),
    dataDir: read('DATA_DIR', TEXT, './data'),
    kubeconfig: optional('KUBECONFIG', TEXT),
    inClusterServer: inClusterServer(env),
    clusterName: read('CLUSTER_NAME', CLUSTER, 'default'),
    podNamespace,
    watchNamespaces: read('WATCH_NAMESPACES', listOf(NAMESPACE), []),
    hiddenNamespaces: read('HIDDEN_NAMESPACES', listOf(NAMESPACE), []),
    readSecretNames: read('READ_SECRET_NAMES', SWITCH, false),
    mirrorsEnabled: read('MIRRORS_ENABLED', SWITCH, true),
    mirrorDeniedNamespaces: read('MIRROR_DENIED_NAMESPACES', listOf(NAMESPACE_GLOB), ['kube-*', podNamespace]),
    mirrorLimits: { perIncident, perNamespace, total },
    sessionSecret: optional('SESSION_SECRET', SECRET),
    serviceTokens: read('SERVICE_TOKEN', listOf(KEY), []),
    encryptionKeys: read('ENCRYPTION_KEY', listOf(KEY), []),
    setupToken: optional('SETUP_TOKEN', SECRET),
    backendUrl: read('BACKEND_URL', ADDRESS, 'http://podmend:8000'),
    nodeName: optional('NODE_NAME', NODE),
    scanIntervalSeconds: read('SCAN_INTERVAL_SECONDS', numberWithin(10, 604_800), 3600),
    agentSilentSeconds: read('AGENT_SILENT_SECONDS', numberWithin(3, 604_800), AGENT_SILENT_SECONDS),
    graces: {
      pendingSeconds: read('PENDING_GRACE_SECONDS', SECONDS, 120),
      unreadySeconds: read('UNREADY_GRACE_SECONDS', SECONDS, 60),
      recoverySeconds: read('RECOVERY_SECONDS', SECONDS, 600),
    },
    solutionBudgetMs: read('SOLUTION_BUDGET_MS', numberWithin(0, 60_000), 2000),
    model: undefined,
    allowPrivateAddresses: read('ALLOW_PRIVATE_ADDRESSES', listOf(RANGE), []),
    proxy: undefined,
    logLevel: read('LOG_LEVEL', LEVEL, 'info'),
  };
  const [address, except] = [optional('HTTPS_PROXY', PROXY_ADDRESS), read('NO_PROXY', EXCEPT, '')];
  if (address) config.proxy = { address, except };
  config.model = modelOf(
    { provider: optional('LLM_PROVIDER', PROVIDER), baseUrl: optional('LLM_BASE_URL', ADDRESS) },
    { apiKey: optional('LLM_API_KEY', HEADER), model: optional('LLM_MODEL', TEXT) },
    problems,
  );
  const needsToken = mode === 'operator' || mode === 'agent' || mode === 'scanner';
  if (needsToken && config.serviceTokens.length === 0 && !problems.some((problem) => problem.startsWith('SERVICE_TOKEN '))) {
    problems.push(`SERVICE_TOKEN must be set for podmend ${mode}: the secret that operator, agent and scanner share`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** A model needs a provider, a name and a key; a self-hosted server may do without the key. A key without a provider is a mistake. */
function modelOf(
  { provider, baseUrl }: { provider: Provider | undefined; baseUrl: string | undefined },
  { apiKey, model }: { apiKey: string | undefined; model: string | undefined },
  problems: string[],
): Config['model'] {
  if (!provider) {
    const isMeant = [baseUrl, apiKey, model].some((value) => value !== undefined);
    if (isMeant && !problems.some((problem) => problem.startsWith('LLM_')))
      problems.push('LLM_PROVIDER must be set beside the other LLM_ variables');
    return undefined;
  }
  if (!model) problems.push(`LLM_MODEL must be set for LLM_PROVIDER=${provider}`);
  const isWrongKey = problems.some((problem) => problem.startsWith('LLM_API_KEY '));
  if (needsKey(provider) && !apiKey && !isWrongKey) problems.push(`LLM_API_KEY must be set for LLM_PROVIDER=${provider}`);
  if (needsAddress(provider) && !baseUrl) problems.push(`LLM_BASE_URL must be set for LLM_PROVIDER=${provider}`);
  return { provider, apiKey: apiKey ?? '', model: model ?? '', baseUrl: baseUrl ?? null };
}

/** `parse` answers undefined when the text breaks the rule; `rule` ends the sentence "NAME must be …". */
interface Rule<T> {
  rule: string;
  parse(text: string): T | undefined;
}

function pattern(rule: string, form: RegExp): Rule<string> {
  return { rule, parse: (text) => (form.test(text) ? text : undefined) };
}

function listOf<T>(item: Rule<T>): Rule<T[]> {
  return {
    rule: `a list with commas between, each entry ${item.rule}`,
    parse: (text) => {
      const entries = text.split(',').map((entry) => item.parse(entry.trim()));
      return entries.every((entry) => entry !== undefined) ? entries : undefined;
    },
  };
}

function numberWithin(min: number, max: number): Rule<number> {
  return {
    rule: `a whole number from ${min} to ${max}`,
    parse: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
  };
}

const TEXT = pattern('text on one line', /^[^\r\n]+$/);
const NAMESPACE = pattern('the name of a namespace (at most 63 of a-z, 0-9 and -)', /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const NAMESPACE_GLOB = pattern('the name of a namespace, in which * stands for any text', /^[a-z0-9*]([a-z0-9*-]{0,61}[a-z0-9*])?$/);
const NODE = pattern('the name of a node (at most 253 of a-z, 0-9, - and .)', /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/);
const CLUSTER = pattern('1 to 253 letters, digits, -, _, ., : or /', /^[\w.:/-]{1,253}$/);
const HOST = pattern(
  'an IP address or a host name, without a port',
  /^([a-zA-Z0-9]([\w.-]{0,251}[a-zA-Z0-9])?|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$/,
);
// Service tokens travel in headers, so they hold only what a header can hold. Shorter secrets can be guessed.
const KEY = pattern('at least 16 printable characters, without blanks', /^[\x21-\x2b\x2d-\x7e]{16,}$/);
const SECRET = pattern('at least 16 characters on one line', /^[^\r\n]{16,}$/);
const HEADER = pattern('printable characters, without blanks', /^[\x21-\x7e]+$/);
const PROVIDER: Rule<Provider> = {
  rule: `one of ${PROVIDERS.join(', ')}`,
  parse: (text) => (isProvider(text) ? text : undefined),
};
const LEVEL = pattern('trace, debug, info, warn, error, fatal or silent', /^(trace|debug|info|warn|error|fatal|silent)$/);
const SECONDS = numberWithin(0, 604_800);

const SWITCH: Rule<boolean> = {
  rule: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

const LIMITS: Rule<[number, number, number]> = {
  rule: 'three whole numbers from 1 to 10000 with commas between (per incident, per namespace, in all)',
  parse: (text) => {
    const [first, second, third, ...more] = listOf(numberWithin(1, 10_000)).parse(text) ?? [];
    return first === undefined || second === undefined || third === undefined || more.length > 0 ? undefined : [first, second, third];
  },
};

const ADDRESS: Rule<string> = {
  rule: 'an http or https address without credentials, query and fragment',
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return undefined;
    return url.href.replace(/\/+$/, '');
  },
};

const PROXY_ADDRESS: Rule<string> = {
  rule: 'an http or https address without path, query and fragment; user:password@ may stand before the host',
  parse: (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) return undefined;
    return isDecodable(url.username) && isDecodable(url.password) ? url.href : undefined;
  },
};
const EXCEPT = pattern('host names, suffixes and addresses with commas between', /^[\w.*:[\]/, -]+$/);

const DATABASE: Rule<string> = {
  rule: 'an address that begins with postgres:// or postgresql://',
  parse: (text) => (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
};

const PROXY: Rule<string> = {
  rule: 'an IP address, a range like 10.0.0.0/8, or one of loopback, linklocal, uniquelocal',
  parse: (text) => (/^(loopback|linklocal|uniquelocal)$/.test(text) ? text : RANGE.parse(text)),
};

const RANGE: Rule<string> = {
  rule: 'an IP address or a range like 10.0.0.0/8',
  parse: (text) => {
    const [address = '', prefix, ...more] = text.split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const fits = prefix === undefined ? bits > 0 : numberWithin(0, bits).parse(prefix) !== undefined;
    return fits && more.length === 0 ? text : undefined;
  },
};

/** Whether each `%` begins the code of a character, as in `p%40ss`. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the process acts as its pod's ServiceAccount. */
export const isInCluster = ({ kubeconfig, inClusterServer: server }: Config): boolean => kubeconfig === undefined && server !== undefined;

/** Kubernetes sets these two variables in every pod. */
function inClusterServer(env: NodeJS.ProcessEnv): string | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  return host && port ? `https://${host.includes(':') ? `[${host}]` : host}:${port}` : undefined;
}
