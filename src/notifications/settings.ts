import { randomUUID } from 'node:crypto';
import {
  type Delivery,
  type IncidentMessage,
  MASK,
  type NotificationPreview,
  type NotificationSetting,
  type TestResult,
} from '../contract/notification.ts';
import { isHiddenOwner } from '../contract/hidden.ts';
import { managedElsewhere, Refusal } from '../contract/refusal.ts';
import { MANAGED_BY, MANAGED_BY_LABEL, managerOf, sourceOf } from '../crd/managed.ts';
import { API_VERSION } from '../crd/mirrorpod.ts';
import {
  type NotificationProvider,
  type NotificationProviderSpec,
  PROVIDER_TYPES,
  type ProviderType,
} from '../crd/notificationprovider.ts';
import type { NotificationRepository, PastDelivery } from '../db/notifications.ts';
import type { KubeClient } from '../kube/client.ts';
import { ClusterUnavailable, KubeError } from '../kube/errors.ts';
import { type DataObject, KINDS } from '../kube/kinds.ts';
import type { Cache } from '../kube/watch.ts';
import { SENDING, SUSPENDED } from './policy/status.ts';
import type { Sender } from './send.ts';
import { previewOf } from './preview.ts';
import { judgeSecret, readTarget, SECRET_TYPE, serviceOf, valuesOf } from './target.ts';
import type { Notification } from './types/service.ts';

type Setting = NotificationSetting;

export interface SettingsDeps {
  client: Pick<KubeClient, 'read' | 'create' | 'patch' | 'replace' | 'remove'>;
  cache: Pick<Cache<NotificationProvider>, 'get' | 'list' | 'seen' | 'synced'>;
  rows: Pick<NotificationRepository, 'history' | 'resend' | 'health' | 'ofIncident'>;
  send: Sender;
  operatorNamespace: string;
  /** Messages about these namespaces are not shown, even if they were sent earlier. */
  hiddenNamespaces: readonly string[];
  allowedRanges: readonly string[];
  cluster: string;
  baseUrl: string | null;
  now(): Date;
}

/** Reads and writes providers for administrators over the API. Methods throw Refusal and the client's errors. */
export interface NotificationSettings {
  /** The number of providers. Throws ClusterUnavailable while they are not known. */
  count(): number;
  list(): Promise<Setting[]>;
  put(setting: Setting): Promise<Setting>;
  remove(provider: string): Promise<boolean>;
  /** Sends a real message and returns the service's answer. */
  test(provider: string): Promise<TestResult>;
  /** The messages that a setting would send about an example incident. Nothing is sent, stored or looked up. */
  preview(setting: Setting): NotificationPreview;
  deliveries(provider: string): Promise<Delivery[]>;
  resend(provider: string, id: number): Promise<boolean>;
  /** The messages that were sent about an incident, newest first. Needs no cluster. */
  ofIncident(incident: number): Promise<IncidentMessage[]>;
}

const SEEN_MS = 2_000;
const HISTORY = 100;
/** The fields of `config` that belong to the spec. All others are keys of the Secret, mostly under the same name; `WIRE` has the exceptions. */
const SPEC_FIELDS = ['channel', 'format', 'filter', 'grouping', 'quietHours', 'chat'] as const;
const WIRE: Record<string, string> = { webhook_url: 'address', signing_secret: 'signingSecret', ca_certificate: 'ca.crt' };
/** Keys of the Secret whose values are shown. */
const SHOWN_KEYS = new Set(['username', 'from']);

export function notificationSettings(deps: SettingsDeps): NotificationSettings {
  const { client, cache, rows, operatorNamespace: namespace, now } = deps;
  const look = (name: string): NotificationProvider | undefined => {
    if (!cache.synced) throw new ClusterUnavailable('the providers are not known yet');
    return cache.get(namespace, name);
  };
  const found = (name: string): NotificationProvider => {
    const provider = look(name);
    if (!provider) throw new Refusal('missing', 'Notification provider not found');
    return provider;
  };
  const readSecret = (name: string) => client.read(KINDS.secret, namespace, name);
  const show = async (provider: NotificationProvider): Promise<Setting> => {
    const [secret, health] = await Promise.all([readSecret(provider.spec.secretRef.name), rows.health(provider.metadata.name ?? '')]);
    return { ...shown(provider, secret), status: statusOf(deps, provider, { secret, health }) };
  };

  return {
    count() {
      if (!cache.synced) throw new ClusterUnavailable('the providers are not known yet');
      return cache.list().length;
    },

    async list() {
      if (!cache.synced) throw new ClusterUnavailable('the providers are not known yet');
      const named = cache.list().toSorted((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''));
      return Promise.all(named.map(show));
    },

    put: (setting) =>
      refusing(async () => {
        const name = setting.provider;
        const held = look(name);
        refuseManaged(held);
        const type = typeOf(setting, held);
        const { spec, values } = partsOf(setting.config);
        const secretName = held?.spec.secretRef.name ?? `podmend-notification-${name}`;
        const wanted: NotificationProviderSpec = { type, suspend: !setting.enabled, secretRef: { name: secretName }, ...spec };
        const write = (dryRun: boolean) =>
          held ? replaceProvider(deps, held, wanted, dryRun) : createProvider(deps, name, wanted, dryRun);
        // A rejected provider must leave no Secret behind.
        await write(true);
        await writeSecret(deps, secretName, values);
        const written = await write(false);
        await cache.seen(() => {
          const seen = cache.get(namespace, name)?.metadata;
          return seen?.uid === written.metadata.uid && (seen?.generation ?? 1) >= (written.metadata.generation ?? 1);
        }, SEEN_MS);
        return show(written);
      }),

    remove: (name) =>
      refusing(async () => {
        const held = look(name);
        if (!held) return false;
        refuseManaged(held);
        await client.remove(KINDS.notificationProvider, namespace, name, held.metadata.uid ? { uid: held.metadata.uid } : {});
        const secret = await readSecret(held.spec.secretRef.name);
        // A Secret that somebody else made stays.
        if (secret?.metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY)
          await client.remove(KINDS.secret, namespace, held.spec.secretRef.name);
        await cache.seen(() => cache.get(namespace, name)?.metadata.uid !== held.metadata.uid, SEEN_MS);
        return true;
      }),

    async test(name) {
      const provider = found(name);
      const readiness = await readTarget(provider, deps);
      if (!('target' in readiness)) return { delivered: false, reason: 'NotReady', detail: readiness.message };
      const said = { notification: testMessage(deps, name), target: readiness.target, place: null, now: now() };
      const { outcome } = await deps.send(said, serviceOf(provider.spec));
      if (!outcome.ok) return { delivered: false, reason: outcome.reason, detail: outcome.detail };
      const detail =
        outcome.state === 'accepted' ? 'The service accepted the message. It may still drop it.' : 'The service took the message.';
      return { delivered: true, reason: null, detail };
    },

    preview(setting) {
      const type = typeOf(setting, undefined);
      const { spec, keys } = partsOf(setting.config);
      return { type, messages: previewOf({ ...spec, type }, { keys, ...deps, now: now() }) };
    },

    async deliveries(name) {
      found(name);
      return (await rows.history(name, HISTORY)).filter((row) => isShown(row, deps.hiddenNamespaces)).map(shownDelivery);
    },

    ofIncident: async (incident) =>
      (await rows.ofIncident(incident, HISTORY)).map((row) => ({ provider: row.provider, ...shownDelivery(row) })),

    async resend(name, id) {
      found(name);
      return rows.resend(name, id, now());
    },
  };
}

function typeOf({ provider, type }: Setting, held: NotificationProvider | undefined): ProviderType {
  const wanted = type ?? held?.spec.type ?? provider;
  const known = PROVIDER_TYPES.find((one) => one === wanted);
  if (!known) throw new Refusal('invalid', `type must be one of ${PROVIDER_TYPES.join(', ')}`);
  return known;
}

interface SettingParts {
  spec: Partial<NotificationProviderSpec>;
  /** The data to write to the Secret. A masked value is left out, so the stored one stays. Null removes a value. */
  values: Record<string, string | null>;
  /** The keys that the Secret has afterwards, of those that the config names. */
  keys: string[];
}

function partsOf(config: Setting['config']): SettingParts {
  const spec: Record<string, unknown> = {};
  const values: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(config)) {
    if (SPEC_FIELDS.includes(name as (typeof SPEC_FIELDS)[number])) spec[name] = value;
    else if (value === null) values[WIRE[name] ?? name] = null;
    else if (typeof value !== 'string') throw new Refusal('invalid', `config.${name} must be a string`);
    else if (!/^[-._a-zA-Z0-9]{1,253}$/.test(name)) throw new Refusal('invalid', 'config has a member with a name that no Secret can have');
    else if (value !== MASK) values[WIRE[name] ?? name] = value;
  }
  const secrets = Object.keys(config).filter((name) => config[name] !== null && !Object.hasOwn(spec, name));
  return { spec, values, keys: secrets.map((name) => WIRE[name] ?? name) };
}

async function writeSecret({ client, operatorNamespace: namespace }: SettingsDeps, name: string, values: Record<string, string | null>) {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value === null ? null : Buffer.from(value).toString('base64')]),
  );
  const held = await client.read(KINDS.secret, namespace, name);
  if (held) {
    if (held.type !== SECRET_TYPE) throw new Refusal('conflict', `A Secret ${name} of another type exists: remove it first`);
    const manager = managerOf(held.metadata);
    if (manager && Object.keys(data).length > 0) throw managedElsewhere(manager);
    if (Object.keys(data).length > 0) await client.patch(KINDS.secret, namespace, name, { data }, { type: 'merge' });
    return;
  }
  const given = Object.fromEntries(Object.entries(data).filter((pair): pair is [string, string] => pair[1] !== null));
  const metadata = { name, namespace, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } };
  await client.create(KINDS.secret, { metadata, type: SECRET_TYPE, data: given });
}

// oxlint-disable-next-line max-params
function createProvider(
  { client, operatorNamespace: namespace }: SettingsDeps,
  name: string,
  spec: NotificationProviderSpec,
  dryRun: boolean,
) {
  const metadata = { name, namespace, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } };
  return client.create(KINDS.notificationProvider, { apiVersion: API_VERSION, kind: 'NotificationProvider', metadata, spec }, { dryRun });
}

/** A setting describes the whole provider, so fields that it lacks are removed. */
// oxlint-disable-next-line max-params
function replaceProvider(
  { client, operatorNamespace }: SettingsDeps,
  held: NotificationProvider,
  spec: NotificationProviderSpec,
  dryRun: boolean,
) {
  const gone = Object.fromEntries(Object.keys(held.spec).map((field) => [field, null]));
  const body = { spec: { ...gone, ...spec } };
  const { name = '', resourceVersion } = held.metadata;
  return client.patch(KINDS.notificationProvider, operatorNamespace, name, body, { type: 'merge', resourceVersion, dryRun });
}

function refuseManaged(held: NotificationProvider | undefined): void {
  const manager = held && managerOf(held.metadata);
  if (manager) throw managedElsewhere(manager);
}

/** Secrets are shown as a mask. Clients can send the mask back unchanged. */
function shown({ metadata, spec }: NotificationProvider, secret: DataObject | undefined): Setting {
  const wireOf = (key: string): string => Object.entries(WIRE).find(([, inSecret]) => inSecret === key)?.[0] ?? key;
  const values = secret?.type === SECRET_TYPE ? valuesOf(secret) : {};
  const secrets = Object.entries(values).map(([key, value]) => [wireOf(key), SHOWN_KEYS.has(key) ? value : MASK]);
  const fields = SPEC_FIELDS.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]]));
  return {
    provider: metadata.name ?? '',
    type: spec.type,
    enabled: spec.suspend !== true,
    config: Object.fromEntries([...fields, ...secrets]) as Setting['config'],
    source: sourceOf(metadata),
  };
}

/** The status as the controller would write it now, so that a change of the Secret shows at once. */
function statusOf(
  { allowedRanges }: SettingsDeps,
  { spec }: NotificationProvider,
  { secret, health }: { secret: DataObject | undefined; health: Awaited<ReturnType<NotificationRepository['health']>> },
): NonNullable<Setting['status']> {
  const readiness = judgeSecret(spec, secret, allowedRanges);
  const why = 'target' in readiness ? (spec.suspend ? SUSPENDED : SENDING) : readiness;
  const last = { last_delivery_at: health.deliveredAt?.toISOString() ?? null, last_error: health.error };
  return { ready: why === SENDING, reason: why.reason, message: why.message, ...last };
}

function isShown({ message }: PastDelivery, hidden: readonly string[]): boolean {
  const { workload = '', namespace = '' } = message as Partial<Notification>;
  return !isHiddenOwner(workload, namespace, hidden);
}

function shownDelivery(row: PastDelivery): Delivery {
  const { title = '' } = row.message as { title?: string };
  const { id, event, state, attempts, reason, detail } = row;
  const dates = {
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    next_attempt_at: state === 'pending' ? row.due_at.toISOString() : null,
  };
  const resendable = state === 'dead' && (event === 'resolved' || row.thread_status !== 'resolved');
  return { id, event, title, state, attempts, reason, detail, ...dates, resendable };
}

function testMessage({ cluster, baseUrl, now }: SettingsDeps, name: string): Notification {
  const at = now().toISOString();
  const id = `podmend-test-${randomUUID()}`;
  return {
    ...{ id, key: id, event: 'test', cluster, namespace: '-', workload: '-', reason: 'Test', startedAt: at, at },
    title: `Test message from Podmend (${name})`,
    text: 'An administrator is testing this provider. Nothing has failed.',
    news: 'This is only a test.',
    facts: [{ name: 'Cluster', value: cluster }],
    sections: [],
    link: baseUrl === null ? null : `${baseUrl}/`,
  };
}

/** Translates refusals of the API server for the caller. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    if (error.code === 422 || error.code === 400) throw new Refusal('invalid', error.message);
    if (error.code === 409) throw new Refusal('conflict', 'It is being changed by somebody else: try again');
    if (error.code === 404) throw new ClusterUnavailable(error.message);
    throw error;
  }
}
