import { setTimeout as sleep } from 'node:timers/promises';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../crd/managed.ts';
import type { KubeClient } from '../kube/client.ts';
import { ClusterUnavailable, isKubeError, KubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { Logger } from '../log.ts';
import { KEY_NAMES, type KeptKeys, newKey } from './keys.ts';

const NAME = 'podmend-keys';
const RETRY_MS = 2_000;

export interface SecretKeysOptions {
  client: Pick<KubeClient, 'read' | 'create'>;
  /** The operator's own. */
  namespace: string;
  log: Logger;
  retryMs?: number;
}

/**
 * Keys that are generated once and stored in Secret `podmend-keys`: in a cluster all replicas must have the same ones. The second replica reads what
 * the first one made. Waits for an API server that is away, because nobody could be logged in without the keys; throws what only people
 * can repair (missing rights, a Secret of that name without the keys).
 */
export async function keysInSecret({ client, namespace, log, retryMs = RETRY_MS }: SecretKeysOptions): Promise<KeptKeys> {
  for (;;) {
    try {
      return (await readKeys(client, namespace)) ?? (await makeKeys(client, namespace));
    } catch (error) {
      if (isKubeError(error, 403) || isKubeError(error, 404))
        throw new Error(`Secret ${namespace}/${NAME}: ${error.message}`, { cause: error });
      if (!isPassing(error)) throw error;
      if (isKubeError(error, 409)) continue;
      log.warn({ err: error, retry_in_ms: retryMs }, 'waiting for the cluster, which keeps the keys');
      await sleep(retryMs);
    }
  }
}

async function readKeys(client: SecretKeysOptions['client'], namespace: string): Promise<KeptKeys | undefined> {
  const secret = await client.read(KINDS.secret, namespace, NAME);
  if (!secret) return undefined;
  const entries = KEY_NAMES.map(
    (key) =>
      [
        key,
        Buffer.from(secret.data?.[key] ?? '', 'base64')
          .toString('utf8')
          .trim(),
      ] as const,
  );
  const missing = entries.filter(([, value]) => value === '').map(([key]) => key);
  if (missing.length > 0)
    throw new Error(`Secret ${namespace}/${NAME} lacks ${missing.join(' and ')}: add what is missing, or delete it, and new keys are made`);
  return Object.fromEntries(entries) as KeptKeys;
}

async function makeKeys(client: SecretKeysOptions['client'], namespace: string): Promise<KeptKeys> {
  const keys = Object.fromEntries(KEY_NAMES.map((key) => [key, newKey()])) as KeptKeys;
  const data = Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  const metadata = { name: NAME, namespace, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } };
  await client.create(KINDS.secret, { metadata, type: 'Opaque', data });
  return keys;
}

/** Errors that pass: no answer, an overloaded API server, or another replica that was faster. */
const isPassing = (error: unknown): boolean =>
  error instanceof ClusterUnavailable || (error instanceof KubeError && (error.code === 409 || error.code >= 429));
