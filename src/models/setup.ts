import { singleFlight } from '../async/single-flight.ts';
import { hash } from 'node:crypto';
import type { Sealer } from '../accounts/seal.ts';
import { type ModelConfigBody, type ModelConfigRecord, needsAddress, needsKey } from '../contract/model.ts';
import { Refusal } from '../contract/refusal.ts';
import type { ModelConfigRepository, StoredModelConfig } from '../db/model-config.ts';
import type { Http } from '../http.ts';
import type { Logger } from '../log.ts';
import { CLIENTS } from './providers/list.ts';
import type { ModelClient, ModelSetup } from './providers/model.ts';

/** The context that the key is sealed for. It cannot be opened in another context. */
const PLACE = 'model_config/1/api_key';
/** This process notices a change by another replica after this time at the latest. */
const FRESH_MS = 2_000;
const MASK = '***';

/** The currently configured model. */
export interface ConfiguredModel {
  setup: ModelSetup;
  client: ModelClient;
  /** Changes with every change of the configuration. */
  id: string;
  source: 'database' | 'environment';
}

export interface ModelSetupDeps {
  rows: ModelConfigRepository;
  sealer: Sealer;
  /** The configuration from the environment. The one in the database has priority. */
  environment: ModelSetup | undefined;
  /** `typed` is for addresses that users entered, `configured` for addresses from the environment. */
  http: { typed: Http; configured: Http };
  log: Logger;
}

export type ModelSetups = ReturnType<typeof modelSetups>;

interface ReadSetup {
  record: ModelConfigRecord;
  model: ConfiguredModel | undefined;
}

type Source = ConfiguredModel['source'];

/** Reads the configuration and caches it for two seconds. */
function setupReader({ rows, sealer, environment, http, log }: ModelSetupDeps) {
  let known: ReadSetup | undefined;
  let readAt = -Infinity;

  const modelOf = (setup: ModelSetup, source: Source): ConfiguredModel => ({
    setup,
    source,
    client: CLIENTS[setup.provider](setup, source === 'database' ? http.typed : http.configured),
    id: idOf(setup),
  });
  /** Seals the key again if it was sealed with the old encryption key. */
  const renewSeal = async (sealed: string, apiKey: string): Promise<void> => {
    if (!sealer.isOld(sealed)) return;
    await rows
      .reseal(sealed, sealer.seal(PLACE, apiKey))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the API key could not be sealed with the new encryption key; it stays sealed with the old one'),
      );
  };
  const fromRow = async (stored: StoredModelConfig): Promise<ReadSetup> => {
    const { provider, model, base_url: baseUrl, api_key: sealed, updated_at } = stored;
    const apiKey = sealer.open(PLACE, sealed);
    const setup = { provider, model, baseUrl, apiKey: apiKey ?? '' };
    const record = recordOf(setup, 'database', updated_at);
    if (apiKey === undefined) return { record: { ...record, configured: false, api_key: null, problem: LOCKED }, model: undefined };
    await renewSeal(sealed, apiKey);
    return { record, model: modelOf(setup, 'database') };
  };
  const fromEnvironment = (setup: ModelSetup): ReadSetup => ({
    record: recordOf(setup, 'environment', null),
    model: modelOf(setup, 'environment'),
  });
  const read = async (): Promise<ReadSetup> => {
    const stored = await rows.read();
    const found = stored ? await fromRow(stored) : environment ? fromEnvironment(environment) : NOTHING;
    // An unchanged configuration keeps its client and that client's connections.
    if (found.model && found.model.id === known?.model?.id && found.model.source === known.model.source) found.model = known.model;
    known = found;
    readAt = performance.now();
    return found;
  };
  const readOnce = singleFlight(read);

  return {
    modelOf,
    latest: (): ConfiguredModel | undefined => known?.model,
    /** The cached setup; reads it again when it is older than two seconds. */
    fresh: async (): Promise<ReadSetup> => (known && performance.now() - readAt < FRESH_MS ? known : readOnce()),
    /** The setup as stored after a change. A read that began before the change is not used. */
    afterChange(): Promise<ReadSetup> {
      readAt = -Infinity;
      return read();
    },
  };
}

/** The configured model. It is read again every two seconds, so that a change reaches every replica without a restart. */
export function modelSetups(deps: ModelSetupDeps) {
  const { rows, sealer } = deps;
  const { modelOf, latest, fresh, afterChange } = setupReader(deps);
  const givenSetup = (body: ModelConfigBody): Promise<ModelSetup> => setupOf(body, async () => (await fresh()).model?.setup);

  return {
    /** The configured model. Undefined when there is none, or when its key cannot be decrypted. Throws DatabaseUnavailable. */
    current: async (): Promise<ConfiguredModel | undefined> => (await fresh()).model,
    /** The model of the last read, without waiting for the database. */
    latest,
    record: async (): Promise<ModelConfigRecord> => (await fresh()).record,

    /** Throws Refusal for a configuration that can never work. Only the connection test shows whether it works. */
    async save(body: ModelConfigBody, now: Date): Promise<ModelConfigRecord> {
      const { provider, model, baseUrl, apiKey } = await givenSetup(body);
      await rows.write({ provider, model, base_url: baseUrl, api_key: sealer.seal(PLACE, apiKey), updated_at: now });
      return (await afterChange()).record;
    },

    async remove(): Promise<void> {
      await rows.remove();
      await afterChange();
    },

    /** A client for a configuration that is not saved. Throws Refusal. */
    async unsavedClient(body: ModelConfigBody): Promise<ModelClient> {
      return modelOf(await givenSetup(body), 'database').client;
    },
  };
}

/** The configuration in a request body. If the body holds a masked key, the stored key, which `kept` returns, is used. Throws Refusal. */
async function setupOf(body: ModelConfigBody, kept: () => Promise<ModelSetup | undefined>): Promise<ModelSetup> {
  const { provider } = body;
  const baseUrl = addressOf(body.base_url);
  const given = body.api_key?.trim() ?? '';
  if (needsAddress(provider) && baseUrl === null) throw new Refusal('invalid', `base_url is required for ${provider}`);
  const apiKey = given.startsWith(MASK) ? keptKey(await kept(), provider, baseUrl) : given;
  if (needsKey(provider) && apiKey === '') throw new Refusal('invalid', `api_key is required for ${provider}`);
  if (!/^[\x21-\x7e]*$/.test(apiKey)) throw new Refusal('invalid', 'api_key must be printable characters without blanks');
  const model = body.model.trim();
  if (/\p{Cc}/u.test(model)) throw new Refusal('invalid', 'model must be one line of printable characters');
  return { provider, model, apiKey, baseUrl };
}

const NOTHING: ReadSetup = {
  record: { configured: false, provider: null, model: null, base_url: null, api_key: null, source: null, updated_at: null, problem: null },
  model: undefined,
};
const LOCKED =
  'The key was encrypted with an ENCRYPTION_KEY that is not known here: set that one beside the new one, or save the key again';

function recordOf(
  { provider, model, baseUrl, apiKey }: ModelSetup,
  source: 'database' | 'environment',
  updatedAt: Date | null,
): ModelConfigRecord {
  const shown = { provider, model, base_url: baseUrl, api_key: maskedKey(apiKey), source, updated_at: updatedAt?.toISOString() ?? null };
  return { configured: true, ...shown, problem: null };
}

/** Shows enough of a key to distinguish two keys, but too little to use it. */
function maskedKey(key: string): string {
  if (key === '') return '';
  return key.length >= 20 ? MASK + key.slice(-4) : MASK;
}

function idOf({ provider, model, baseUrl, apiKey }: ModelSetup): string {
  return hash('sha256', JSON.stringify([provider, model, baseUrl, apiKey])).slice(0, 32);
}

/** The stored key, if it was stored for the same provider and address. Throws Refusal otherwise. */
function keptKey(kept: ModelSetup | undefined, provider: string, baseUrl: string | null): string {
  if (!kept) throw new Refusal('invalid', 'api_key is masked, and no key is kept: send the key itself');
  if (kept.provider === provider && kept.baseUrl === baseUrl) return kept.apiKey;
  throw new Refusal('invalid', 'api_key is masked, and the kept one is for another provider or address: send the key itself');
}

function addressOf(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new Refusal('invalid', 'base_url must be an http or https address without credentials, query and fragment');
  return url.href.replace(/\/+$/, '');
}
