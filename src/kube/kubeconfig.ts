import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadManifest } from '../crd/manifest.ts';
import { type ExecPlugin, readExecPlugin } from './exec-credentials.ts';

export interface TlsOptions {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  rejectUnauthorized?: false;
}

/** How to reach an API server and as whom. */
export interface Access {
  /** Without a trailing slash. */
  server: string;
  /** Value of the header, if any. */
  authorization?: string;
  tls: TlsOptions;
  /** The program that provides credentials. They replace the credentials above. */
  exec?: ExecPlugin;
  /** The address of an HTTP proxy. */
  proxy?: string;
}

/** Where the kubelet puts a service account's `token` and `ca.crt`. */
export const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

interface Kubeconfig {
  'current-context'?: string;
  contexts?: { name: string; context: { cluster: string; user?: string } }[];
  clusters?: { name: string; cluster: Record<string, unknown> & { server?: string } }[];
  users?: { name: string; user?: Record<string, unknown> }[];
}

/**
 * Reads the current context of the first readable kubeconfig in `paths` (separated by `:`). Supports certificates and tokens (inline or in
 * files), user and password, and exec plugins, which it does not run. Throws a plain Error that names the file.
 */
export function fromKubeconfig(paths: string): Access {
  const [path, text] = firstReadable(paths.split(':').filter(Boolean));
  const { server, cluster, user } = currentOf(loadManifest(text), path);
  const folder = dirname(path);
  const data = dataReader(folder);
  try {
    const tls = tlsOf({ cluster, user, data });
    const authorization = authorizationOf(user, data);
    const exec = user['exec'] ? readExecPlugin(user['exec'], folder, clusterInfo(server, cluster, tls)) : undefined;
    const proxy = proxyOf(cluster);
    refuseAuthProvider(user['auth-provider']);
    return {
      server: server.replace(/\/$/, ''),
      tls,
      ...(authorization ? { authorization } : {}),
      ...(exec ? { exec } : {}),
      ...(proxy ? { proxy } : {}),
    };
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Throws if the user has an `auth-provider`. Kubernetes has replaced these with exec plugins. */
function refuseAuthProvider(provider: unknown): void {
  if (typeof provider !== 'object' || provider === null) return;
  const name = JSON.stringify((provider as Fields)['name'] ?? '');
  throw new Error(`the auth-provider ${name} is not supported; use exec credentials or a token`);
}

function proxyOf(cluster: Fields): string | undefined {
  const proxy = textOf(cluster['proxy-url']);
  if (proxy !== undefined && !/^https?:\/\//.test(proxy)) throw new Error('proxy-url must begin with http:// or https://');
  return proxy;
}

/** The description of the cluster that exec plugins get. */
export function clusterInfo(server: string, cluster: Fields, tls: TlsOptions): Fields {
  const extensions = Array.isArray(cluster['extensions']) ? (cluster['extensions'] as Fields[]) : [];
  const own = extensions.find((one) => one['name'] === 'client.authentication.k8s.io/exec');
  const info = {
    server,
    'tls-server-name': tls.servername,
    'insecure-skip-tls-verify': tls.rejectUnauthorized === false ? true : undefined,
    'certificate-authority-data': tls.ca && Buffer.from(tls.ca).toString('base64'),
    'proxy-url': textOf(cluster['proxy-url']),
    config: own?.['extension'],
  };
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
}

function currentOf(config: Kubeconfig, path: string): { server: string; cluster: Fields; user: Fields } {
  const context = config.contexts?.find(({ name }) => name === config['current-context'])?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  if (!cluster?.server) throw new Error(`${path}: the current context names no cluster with a server`);
  return { server: cluster.server, cluster, user: config.users?.find(({ name }) => name === context?.user)?.user ?? {} };
}

function tlsOf({ cluster, user, data }: { cluster: Fields; user: Fields; data: DataReader }): TlsOptions {
  const given = {
    ca: data(cluster, 'certificate-authority'),
    cert: data(user, 'client-certificate'),
    key: data(user, 'client-key'),
    servername: textOf(cluster['tls-server-name']),
    rejectUnauthorized: cluster['insecure-skip-tls-verify'] === true ? false : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as TlsOptions;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}

function firstReadable(paths: string[]): [string, string] {
  for (const path of paths) {
    try {
      return [path, readFileSync(path, 'utf8')];
    } catch {
      // Skip a file that does not exist, as kubectl does.
    }
  }
  throw new Error(`no kubeconfig could be read: ${paths.join(', ')}`);
}

type Fields = Record<string, unknown>;
type DataReader = (from: Fields, field: string) => string | undefined;

/** A field's content: `<field>-data` in base64, or the file that `<field>` names, relative to the kubeconfig. */
function dataReader(folder: string): DataReader {
  return (from, field) => {
    const inline = from[`${field}-data`];
    if (typeof inline === 'string' && inline) return Buffer.from(inline, 'base64').toString('utf8');
    const file = from[field];
    return typeof file === 'string' && file ? readFileSync(resolve(folder, file), 'utf8') : undefined;
  };
}

function authorizationOf(user: Record<string, unknown>, data: DataReader): string | undefined {
  const token = data(user, 'tokenFile')?.trim() ?? textOf(user['token']);
  if (token) return `Bearer ${token}`;
  const username = textOf(user['username']);
  return username && `Basic ${Buffer.from(`${username}:${textOf(user['password']) ?? ''}`).toString('base64')}`;
}
