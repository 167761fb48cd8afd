import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadManifest } from '../crd/manifest.ts';

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
 * The current context of the first kubeconfig of `paths` (`:` between) that can be read. Knows certificates, tokens (also in
 * files), user and password. Throws a plain Error that names the file; plugins that fetch credentials are not run.
 */
export function fromKubeconfig(paths: string): Access {
  const [path, text] = firstReadable(paths.split(':').filter(Boolean));
  const { server, cluster, user } = currentOf(loadManifest(text), path);
  if (user['exec'] || user['auth-provider']) throw new Error(`${path}: credentials from a plugin (exec) are not supported here`);
  const data = dataReader(dirname(path));
  const authorization = authorizationOf(user, data);
  return { server: server.replace(/\/$/, ''), tls: tlsOf({ cluster, user, data }), ...(authorization ? { authorization } : {}) };
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
      // The usual rule: files that are not there are passed over.
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
