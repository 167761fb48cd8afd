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
  /** The API server sends only the metadata of each object, including `managedFields`. */
  metadataOnly?: boolean | undefined;
  /** Keeps `managedFields`, which are removed by default. */
  withManagedFields?: boolean | undefined;
}

/** One page of a collection, and the version from which a watch continues. */
export interface Page<T> {
  items: T[];
  resourceVersion: string;
  continueToken?: string;
}

export interface PatchOptions {
  /** `merge`: RFC 7386. `json`: RFC 6902. `apply`: server-side apply as Podmend, which takes over fields of other managers. */
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
  /** Returns at most this many bytes of the selected lines, from the first line on. */
  limitBytes?: number | undefined;
}

export interface FollowOptions {
  container: string;
  tailLines?: number | undefined;
  /** RFC 3339. The API server ignores fractions of a second. */
  sinceTime?: string | undefined;
}

/** All requests that Podmend makes to a cluster. Every method throws `KubeError` (refused) or `ClusterUnavailable` (no answer). */
export interface KubeClient {
  /** The address of the API server, for display. */
  readonly server: string;
  /** The namespace of the kubeconfig's context, if the context names one. */
  readonly namespace?: string | undefined;
  /** Returns undefined when the object does not exist. */
  read<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string): Promise<T | undefined>;
  /** All selected objects, read in pages, without `managedFields`. Without a namespace, only the namespaces of this client are listed. */
  list<T extends KubeObject>(kind: Kind<T>, selection?: Selection): Promise<T[]>;
  page<T extends KubeObject>(kind: Kind<T>, selection: Selection, query: Query, signal?: AbortSignal): Promise<Page<T>>;
  /** The lines of a watch. It has no deadline: the caller's signal ends it. */
  watch(kind: Kind, selection: Selection, query: Query, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: { dryRun?: boolean }): Promise<T>;
  replace<T extends KubeObject>(kind: Kind<T>, object: T, options?: { dryRun?: boolean }): Promise<T>;
  // Five parameters (the path, the body and the options) are simpler here than an object that is taken apart at once.
  // oxlint-disable-next-line max-params
  patch<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string, body: unknown, options: PatchOptions): Promise<T>;
  /** Returns false when the object does not exist. With `uid` it deletes only that object (409 when another object has its name). */
  remove(kind: Kind, namespace: string | undefined, name: string, options?: { uid?: string; graceSeconds?: number }): Promise<boolean>;
  logs(namespace: string, pod: string, options: LogOptions): Promise<string>;
  /** Streams the log of a container as lines `INSTANT text`, until the container or the signal ends it. */
  followLogs(namespace: string, pod: string, options: FollowOptions, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Sends GET to any path, and returns the parsed answer. */
  raw(path: string): Promise<unknown>;
  /** Sends POST to any path. Used for reviews. */
  post<T>(path: string, body: unknown): Promise<T>;
  /** Throws `ClusterUnavailable` unless the API server says that it is ready. */
  healthy(): Promise<void>;
  /** Closes the connections. */
  close(): void;
}

export interface ConnectOptions {
  /** The path of a kubeconfig. Without it and without `kubeconfigText`, the default rules of Kubernetes clients apply. */
  kubeconfig?: string | undefined;
  kubeconfigText?: string | undefined;
  /** A context other than the current one of the kubeconfig. */
  context?: string | undefined;
  /** `WATCH_NAMESPACES`. Podmend may have rights in these namespaces only, so namespaced kinds are listed nowhere else. Empty = all. */
  namespaces?: readonly string[];
  /** The deadline of every request except watches. */
  timeoutMs?: number;
  /** A request is given up when the API server sends nothing for this time. */
  silenceMs?: number;
}

/** For requests that somebody waits for: after 2 s without an answer the caller gets an error. */
const SILENCE_MS = 1_300;
/** For background work: an API server that needs seconds for an answer is slow, not down. */
export const BACKGROUND_SILENCE_MS = 10_000;

const FIELD_MANAGER = 'podmend';
const CONTENT_TYPES = { merge: 'merge-patch+json', json: 'json-patch+json', apply: 'apply-patch+yaml' };

/** Makes a client. It connects at its first request. Throws a plain Error when the kubeconfig cannot be read or lacks the context. */
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
          // The client sends a JSON patch by default, so the type is always given.
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
    // The API server writes one line per check. Only the failed ones, which begin with [-], are shown.
    const failing = error.message.split('\n').filter((line) => line.startsWith('[-]'));
    throw new ClusterUnavailable(failing.join(', ') || `the API server answered ${error.code}`);
  }
}
