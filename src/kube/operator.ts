import { KubeConfig } from './client-parts.ts';
import operatorModule, { type ResourceEvent, ResourceEventType, type ResourceMeta, ResourceMetaImpl } from '@dot-i/k8s-operator';
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { Logger } from '../log.ts';
import type { KubeClient } from './client.ts';
import type { Controller } from './controller.ts';
import { KubeError } from './errors.ts';
import { type Kind, pathOf } from './kinds.ts';
import { keyOf } from './store.ts';
import type { Cache } from './watch.ts';

/** Writes the status of an object if it differs from the current one. Throws `KubeError` 409 if somebody else changed the object first. */
export type StatusWriter = <T extends KubeObject & { status?: object }>(
  kind: Kind<T>,
  object: T,
  status: NonNullable<T['status']>,
) => Promise<void>;

/** Returns the keys of the controller that need a pass after a change of this object. */
type KeysOf<P> = (object: P) => string[];

interface Row {
  kind: Kind;
  cache: Cache<KubeObject>;
  controller: Controller;
  keysOf: KeysOf<KubeObject>;
}

const idOf = ({ plural, apiVersion }: { plural: string; apiVersion: string }) => `${plural}.${apiVersion}`;

/**
 * Podmend's operator: a table of "when this kind changes, these keys of that controller need a pass", started and drained as one.
 *
 * The base class gives the life cycle, the registration of watches, and the types of events and meta data. Podmend overrides:
 * - `start`: also starts the controllers, once the caches have synced;
 * - `init`: registers the rows of the table;
 * - `watchResource`: the base ends the process on any error of a watch;
 * - `getCustomResourceApiUri`: the base reads a field that the client no longer has;
 * - `patchResourceStatus`: the base hides refusals, so nothing would be tried again;
 * - `stop`: the base takes its own abort for an error and ends the process.
 *
 * Podmend does not use the base's finalizers (owner references clean up) nor its registration of definitions (the installation does it).
 */
class PodmendOperator extends operatorModule.default {
  readonly #client: KubeClient;
  readonly #table: Row[] = [];
  readonly #listening: (() => void)[] = [];
  #stopped = false;

  constructor(client: KubeClient, log: Logger) {
    super({
      debug: (message) => log.debug(message),
      info: (message) => log.debug(message),
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    });
    this.#client = client;
  }

  /**
   * Adds a kind to the table, before the start. `keysOf` says which keys need a pass after a change; the default is the changed object's
   * own key.
   */
  when<P extends KubeObject>(
    kind: Kind,
    cache: Cache<P>,
    target: Controller,
    keysOf: KeysOf<P> = (object) => [keyOf(object.metadata)],
  ): this {
    this.#table.push({ kind, cache: cache as unknown as Cache<KubeObject>, controller: target, keysOf: keysOf as KeysOf<KubeObject> });
    return this;
  }

  /** Starts the caches, and the controllers when all caches have synced. Does not wait for the cluster, which may be away. */
  override async start(): Promise<void> {
    await super.start();
    const caches = [...new Set(this.#table.map(({ cache }) => cache))];
    const synced = Promise.all(caches.map((cache) => cache.start()));
    void synced.then(() => this.#begin());
  }

  #begin(): void {
    if (this.#stopped) return;
    for (const { cache, controller, keysOf } of this.#table) {
      // A cache that was started earlier has already sent its first events, so enqueue its objects now.
      for (const object of cache.list()) for (const key of keysOf(object)) controller.enqueue(key);
      controller.start();
    }
  }

  /** Ends watches and waits for the passes that run. */
  async drain(): Promise<void> {
    this.#stopped = true;
    for (const end of this.#listening) end();
    await Promise.all(this.#table.map(({ controller }) => controller.stop()));
    await Promise.all(this.#table.map(({ cache }) => cache.stop()));
  }

  readonly writeStatus: StatusWriter = async (kind, object, status) => {
    const gone = Object.keys(object.status ?? {}).filter((field) => !(field in status));
    // A merge patch keeps fields that it does not contain. To remove a field, set it to null.
    const patch = { ...Object.fromEntries(gone.map((field) => [field, null])), ...status };
    if (gone.length === 0 && isDeepStrictEqual(object.status, status)) return;
    const whole = { ...object, apiVersion: kind.apiVersion, kind: kind.kind };
    await this.patchResourceStatus(metaOf(kind, whole), patch);
  };

  /** The base calls this in its start. */
  protected override async init(): Promise<void> {
    for (const { kind, controller, keysOf, cache } of this.#table) {
      this.#listening.push(cache.onReturn(() => controller.retryNow()));
      const [version = '', group = ''] = kind.apiVersion.split('/').reverse();
      const onEvent = async (event: ResourceEvent) => {
        for (const key of keysOf(event.object as unknown as KubeObject)) controller.enqueue(key);
      };
      await this.watchResource(group, version, kind.plural, onEvent, undefined, cache);
    }
  }

  /**
   * Passes on the events of the row's cache. The method of the base watches without a list, misses deletions during a gap, runs all handlers
   * in one queue, and ends the process on any error of a watch.
   */
  // The base defines these parameters.
  // oxlint-disable-next-line max-params
  protected override async watchResource(
    group: string,
    version: string,
    plural: string,
    onEvent: (event: ResourceEvent) => Promise<void>,
    _namespace?: string,
    cache?: Cache<KubeObject>,
  ): Promise<void> {
    const apiVersion = group ? `${group}/${version}` : version;
    const row = this.#table.find((one) => idOf(one.kind) === idOf({ plural, apiVersion }) && (!cache || one.cache === cache));
    if (!row) throw new Error(`no cache for ${idOf({ plural, apiVersion })}`);
    const end = row.cache.onChange(async ({ type, object }) => {
      const whole = { ...object, apiVersion, kind: row.kind.kind };
      await onEvent({ type: EVENT_TYPES[type], meta: metaOf(row.kind, whole), object: whole as unknown as ResourceEvent['object'] });
    });
    this.#listening.push(end);
  }

  /** The base's address begins with "undefined": it reads the `basePath` of an older client. */
  protected override getCustomResourceApiUri(group: string, version: string, plural: string, namespace?: string): string {
    const kind = { apiVersion: group ? `${group}/${version}` : version, kind: '', plural, namespaced: true };
    return this.#client.server + pathOf(kind, namespace);
  }

  /** The base logs a refusal and answers null, so nothing would be tried again. It also makes a TLS connection for each call. */
  protected override async patchResourceStatus(meta: ResourceMeta, status: unknown): Promise<ResourceMeta> {
    const row = this.#table.find(({ kind }) => idOf(kind) === meta.id);
    if (!row) throw new KubeError(404, 'NotFound', `${meta.id} is not registered`);
    const { resourceVersion } = meta;
    const options = { type: 'merge', subresource: 'status', resourceVersion } as const;
    const written = await this.#client.patch(row.kind, meta.namespace, meta.name, { status }, options);
    return metaOf(row.kind, written);
  }

  /** The base aborts its watches, takes the abort for an error and ends the process. */
  override stop(): void {
    void this.drain();
  }
}

const EVENT_TYPES = {
  ADDED: ResourceEventType.Added,
  MODIFIED: ResourceEventType.Modified,
  DELETED: ResourceEventType.Deleted,
};

function metaOf(kind: Kind, object: KubeObject): ResourceMeta {
  return ResourceMetaImpl.createWithId(idOf(kind), object as unknown as ResourceEvent['object']);
}

/** An operator over this client, with an empty table. */
export function podmendOperator(client: KubeClient, log: Logger): PodmendOperator {
  const { prototype } = KubeConfig;
  const usual = prototype.loadFromDefault;
  // The base's constructor loads the user's kubeconfig, and throws when the file is broken. No kubeconfig is needed, because every request
  // goes through `client`.
  prototype.loadFromDefault = function given(this: KubeConfig) {
    this.loadFromClusterAndUser({ name: 'podmend', server: client.server, skipTLSVerify: false }, { name: 'podmend' });
  };
  try {
    return new PodmendOperator(client, log);
  } finally {
    prototype.loadFromDefault = usual;
  }
}
