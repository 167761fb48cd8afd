import type { KubeObject } from '../crd/kubernetes.ts';
import { ClusterUnavailable, isKubeError, KubeError } from './errors.ts';
import { type Kind, KINDS, pathOf } from './kinds.ts';
import { pooledConfig } from './pool.ts';
import { lean, reading } from './reading.ts';
import { type Query, type Transport, transport } from './transport.ts';

export interface Selection {
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
}

/** One page of a collection, and the version from which a watch goes on. */
export interface Page<T> {
  items: T[];
  resourceVersion: string;
  continueToken?: string;
}

export interface PatchOptions {
  /** `merge` RFC 7386, `json` RFC 6902, `apply` server-side apply as Podmend, taking over fields of others. */
  type: 'merge' | 'json' | 'apply';
  subresource?: 'status' | 'resize' | undefined;
  /** The patch is refused with 409 unless the object still has this version (not for `json`). */
  resourceVersion?: string | undefined;
  dryRun?: boolean | undefined;
}

export interface LogOptions {
  container?: string | undefined;
  tailLines?: number | undefined;
  previous?: boolean | undefined;
  /** Of the lines that are asked for, no more than so many bytes, from the first on. */
  limitBytes?: number | undefined;
}

export interface FollowOptions {
  container: string;
  tailLines?: number | undefined;
  /** RFC 3339; counts whole seconds. */
  sinceTime?: string | undefined;
}

/** All that Podmend asks of a cluster. Every method throws `KubeError` (refused) or `ClusterUnavailable` (no answer). */
export interface KubeClient {
  /** Address of the API server, for people. */
  readonly server: string;
  /** That of the kubeconfig's context, where it names one. */
  readonly namespace?: string | undefined;
  /** undefined when there is none. */
  read<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string): Promise<T | undefined>;
  /** Everything selected, in pages, without `managedFields`. A list of no one namespace is of those that the client was made for. */
  list<T extends KubeObject>(kind: Kind<T>, selection?: Selection): Promise<T[]>;
  page<T extends KubeObject>(kind: Kind<T>, selection: Selection, query: Query, signal?: AbortSignal): Promise<Page<T>>;
  /** The lines of a watch. It has no deadline: the caller's signal ends it. */
  watch(kind: Kind, selection: Selection, query: Query, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: { dryRun?: boolean }): Promise<T>;
  replace<T extends KubeObject>(kind: Kind<T>, object: T, options?: { dryRun?: boolean }): Promise<T>;
  // The parameters are a path, a body and options: an object for them would only be taken apart again.
  // oxlint-disable-next-line max-params
  patch<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string, body: unknown, options: PatchOptions): Promise<T>;
  /** false when there was none. With `uid` only that very object goes (409 when another has its name). */
  remove(kind: Kind, namespace: string | undefined, name: string, options?: { uid?: string; graceSeconds?: number }): Promise<boolean>;
  logs(namespace: string, pod: string, options: LogOptions): Promise<string>;
  /** A container's lines with their instants, going on while it runs: `INSTANT text`. The signal ends it. */
  followLogs(namespace: string, pod: string, options: FollowOptions, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** GET of any path, parsed. */
  raw(path: string): Promise<unknown>;
  /** POST of any path (reviews). */
  post<T>(path: string, body: unknown): Promise<T>;
  /** Throws `ClusterUnavailable` when the API server does not say that it is ready. */
  healthy(): Promise<void>;
  /** Ends the connections. */
  close(): void;
}

export interface ConnectOptions {
  /** Path of a kubeconfig; without it and without `kubeconfigText` the usual rules hold. */
  kubeconfig?: string | undefined;
  kubeconfigText?: string | undefined;
  /** Another one than the kubeconfig's current context. */
  context?: string | undefined;
  /** `WATCH_NAMESPACES`: there Roles may be all that we have, so nothing namespaced is listed elsewhere. Empty = all. */
  namespaces?: readonly string[];
  /** Of each request but watches. */
  timeoutMs?: number;
  /** How long the API server may say nothing at all before a request is given up. */
  silenceMs?: number;
}

/** Whoever waits for an answer knows within 2 s that none will come. */
const SILENCE_MS = 1_300;
/** For work that nobody waits for: an API server that takes seconds for every answer is slow, not away. */
export const UNHURRIED_MS = 10_000;

const FIELD_MANAGER = 'podmend';
const CONTENT_TYPES = { merge: 'merge-patch+json', json: 'json-patch+json', apply: 'apply-patch+yaml' };

/** Connects nothing yet: the first request does. Throws a plain Error when the kubeconfig cannot be read or lacks the context. */
export function connect({
  kubeconfig,
  kubeconfigText,
  context,
  namespaces = [],
  timeoutMs = 30_000,
  silenceMs = SILENCE_MS,
}: ConnectOptions): KubeClient {
  const pool = pooledConfig({ path: kubeconfig, text: kubeconfigText, context });
  const wire = transport(pool, { timeoutMs, silenceMs });
  return {
    server: pool.config.getCurrentCluster()?.server ?? 'no cluster',
    namespace: pool.config.getContextObject(pool.config.getCurrentContext())?.namespace,
    ...reading(wire, namespaces),
    ...writing(wire),
    logs: (namespace, pod, options) => wire.text(`${pathOf(KINDS.pod, namespace, pod)}/log`, { query: { ...options } }),
    followLogs: (namespace, pod, options, signal) =>
      wire.stream(`${pathOf(KINDS.pod, namespace, pod)}/log`, { query: { ...options, follow: true, timestamps: true }, signal }),
    raw: (path) => wire.json(path),
    post: (path, body) => wire.json(path, { method: 'POST', body }),
    healthy: () => healthy(wire),
    close: pool.close,
  };
}

function writing(wire: Transport): Pick<KubeClient, 'create' | 'replace' | 'patch' | 'remove'> {
  return {
    async create(kind, object, { dryRun } = {}) {
      const body = { apiVersion: kind.apiVersion, kind: kind.kind, ...object };
      const query = { fieldManager: FIELD_MANAGER, ...(dryRun ? { dryRun: 'All' } : {}) };
      return lean(await wire.json(pathOf(kind, object.metadata.namespace), { method: 'POST', query, body }));
    },
    async replace(kind, object, { dryRun } = {}) {
      const { namespace, name } = object.metadata;
      if (!name) throw new KubeError(400, 'BadRequest', 'an object without a name cannot be replaced');
      const body = { apiVersion: kind.apiVersion, kind: kind.kind, ...object };
      const query = { fieldManager: FIELD_MANAGER, ...(dryRun ? { dryRun: 'All' } : {}) };
      return lean(await wire.json(pathOf(kind, namespace, name), { method: 'PUT', query, body }));
    },
    // oxlint-disable-next-line max-params
    async patch(kind, namespace, name, body, { type, subresource, resourceVersion, dryRun }) {
      const path = pathOf(kind, namespace, name) + (subresource ? `/${subresource}` : '');
      const force = type === 'apply' ? { force: true } : {};
      return lean(
        await wire.json(path, {
          method: 'PATCH',
          // The client's default is a JSON patch, whatever the body; here the type is always said.
          contentType: `application/${CONTENT_TYPES[type]}`,
          query: { fieldManager: FIELD_MANAGER, ...force, ...(dryRun ? { dryRun: 'All' } : {}) },
          body: resourceVersion === undefined ? body : atVersion(body, resourceVersion),
        }),
      );
    },
    async remove(kind, namespace, name, { uid, graceSeconds } = {}) {
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
        ...(uid ? { preconditions: { uid } } : {}),
        ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
      };
      try {
        await wire.text(pathOf(kind, namespace, name), { method: 'DELETE', body });
        return true;
      } catch (error) {
        if (isKubeError(error, 404)) return false;
        throw error;
      }
    },
  };
}

function atVersion(body: unknown, resourceVersion: string): object {
  const { metadata, ...rest } = body as Partial<KubeObject>;
  return { ...rest, metadata: { ...metadata, resourceVersion } };
}

async function healthy(wire: Transport): Promise<void> {
  try {
    await wire.text('/readyz');
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    // One line per part, those that fail begin with [-]; the rest would only bury them.
    const failing = error.message.split('\n').filter((line) => line.startsWith('[-]'));
    throw new ClusterUnavailable(failing.join(', ') || `the API server answered ${error.code}`);
  }
}
