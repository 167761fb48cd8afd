import { isDeepStrictEqual } from 'node:util';
import { managedElsewhere, Refusal } from '../contract/refusal.ts';
import { MANAGED_BY, MANAGED_BY_LABEL, managerOf } from '../crd/managed.ts';
import { API_VERSION } from '../crd/mirrorpod.ts';
import type { Suppression, SuppressionMatch, SuppressionSpec } from '../crd/suppression.ts';
import type { KubeClient } from '../kube/client.ts';
import { ClusterUnavailable, isKubeError, KubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { Cache } from '../kube/watch.ts';
import { keyedMutex } from '../async/keyed-mutex.ts';
import { isMapping } from '../crd/mapping.ts';

export interface WritesDeps {
  client: Pick<KubeClient, 'create' | 'patch' | 'remove'>;
  cache: Pick<Cache<Suppression>, 'get' | 'seen'>;
  operatorNamespace: string;
}

export interface SuppressionWrites {
  /**
   * Ensures that the Suppression with that name has this spec, and returns it. Writes nothing if the existing one is sufficient (by
   * default: has the same spec). Simultaneous calls for the same name run one after another.
   */
  put(name: string, spec: SuppressionSpec, isEnough?: (held: Suppression) => boolean): Promise<Suppression>;
  /** Gives the object the match that `next` returns. undefined removes the object; the same match leaves it unchanged. */
  change(held: Suppression, next: (match: SuppressionMatch) => SuppressionMatch | undefined): Promise<void>;
}

/** A write returns when the cache has seen it, or after this time. After a conflict, it retries when the cache has seen the other write. */
const SEEN_MS = 2_000;
/** Attempts of one write that conflicts with others. */
const TRIES = 5;

/** Writes Suppressions for the API: in the operator's namespace, and none that a tool manages. Throws Refusal. */
export function suppressionWrites({ client, cache, operatorNamespace: namespace }: WritesDeps): SuppressionWrites {
  const look = (name: string) => cache.get(namespace, name);
  const exclusively = keyedMutex();

  /** Tries until there is no conflict. */
  const settle = <T>(name: string, attempt: (held: Suppression | undefined) => Promise<T>): Promise<T> =>
    exclusively(name, () => settleNow(name, attempt));
  const settleNow = async <T>(name: string, attempt: (held: Suppression | undefined) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const held = look(name);
      try {
        return await attempt(held);
      } catch (error) {
        // A patch of an object that is gone is also a conflict.
        const isConflict = isKubeError(error, 409) || (held !== undefined && isKubeError(error, 404));
        if (!isConflict) throw refusalOf(error);
        const version = held?.metadata.resourceVersion;
        const isNew = await cache.seen(() => look(name)?.metadata.resourceVersion !== version, SEEN_MS);
        if (!isNew || tries === TRIES) throw new Refusal('conflict', `${name} is being changed by somebody else: try again`);
      }
    }
  };
  const seen = ({ metadata: { name = '', uid, generation = 1 } }: Suppression) =>
    cache.seen(() => {
      const now = look(name)?.metadata;
      return now?.uid === uid && (now?.generation ?? 1) >= generation;
    }, SEEN_MS);

  return {
    put: (name, spec, isEnough = (held) => isDeepStrictEqual(held.spec, spec)) =>
      settle(name, async (held) => {
        if (held && isEnough(held)) return held;
        const manager = held && managerOf(held.metadata);
        if (manager) throw managedElsewhere(manager);
        const written = held
          ? await patch(client, held, { spec: replacing(held.spec, spec) })
          : await create(client, { namespace, name, spec });
        await seen(written);
        return written;
      }),
    change: ({ metadata: { name = '', uid } }, next) =>
      settle(name, async (held) => {
        if (!held || held.metadata.uid !== uid) return;
        const manager = managerOf(held.metadata);
        if (manager) throw managedElsewhere(manager);
        const match = next(held.spec.match);
        if (match === held.spec.match) return;
        if (match) {
          await seen(await patch(client, held, { spec: { match: replacing(held.spec.match, match) } }));
          return;
        }
        await client.remove(KINDS.suppression, namespace, name, uid ? { uid } : {});
        await cache.seen(() => look(name)?.metadata.uid !== uid, SEEN_MS);
      }),
  };
}

type Client = WritesDeps['client'];

function create(
  client: Client,
  { namespace, name, spec }: { namespace: string; name: string; spec: SuppressionSpec },
): Promise<Suppression> {
  const metadata = { name, namespace, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } };
  return client.create(KINDS.suppression, { apiVersion: API_VERSION, kind: 'Suppression', metadata, spec });
}

function patch(client: Client, { metadata }: Suppression, body: object): Promise<Suppression> {
  const { namespace, name = '', resourceVersion } = metadata;
  return client.patch(KINDS.suppression, namespace, name, body, { type: 'merge', resourceVersion });
}

/** The merge patch (RFC 7386) from `from` to `to`: fields that `to` lacks are null. */
function replacing(from: object, to: object): object {
  const gone = Object.keys(from).filter((key) => !(key in to));
  const kept = Object.entries(to).map(([key, value]: [string, unknown]) => {
    const before: unknown = (from as Record<string, unknown>)[key];
    return [key, isMapping(before) && isMapping(value) ? replacing(before, value) : value];
  });
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(kept) };
}

/** What an API server's refusal means to the caller. Other errors are returned unchanged. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof KubeError)) return error;
  const { code, message } = error;
  if (code === 422 || code === 400) return new Refusal('invalid', inWireNames(message));
  if (code === 403 && !/^\S+ is forbidden: User /.test(message)) return new Refusal('denied', `The cluster refuses it: ${message}`);
  // The kind or the namespace does not exist (yet), or the API server is too busy.
  if (code === 404 || code === 429 || code >= 500) return new ClusterUnavailable(message);
  return error;
}

const WIRE_NAMES: Record<string, string> = {
  expirationTime: 'expires_at',
  failureReasons: 'failure_reasons',
  labelSelector: 'label_selector',
  matchLabels: 'match_labels',
  matchExpressions: 'match_expressions',
};

/** `Suppression.podmend.dev "x" is invalid: spec.match.failureReasons: …` → `match.failure_reasons: …`. */
function inWireNames(message: string): string {
  const [, causes = message] = /^Suppression\.podmend\.dev ".*?" is invalid: (.*)$/s.exec(message) ?? [];
  return causes.replaceAll(/\bspec\.([\w.]+)/g, (_all, path: string) =>
    path
      .split('.')
      .map((step) => WIRE_NAMES[step] ?? step)
      .join('.'),
  );
}
