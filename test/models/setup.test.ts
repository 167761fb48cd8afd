import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sealer } from '../../src/accounts/seal.ts';
import type { ModelConfigBody } from '../../src/contract/model.ts';
import type { StoredModelConfig } from '../../src/db/model-config.ts';
import { createLog } from '../../src/log.ts';
import type { ModelSetup } from '../../src/models/providers/model.ts';
import { modelSetups } from '../../src/models/setup.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const KEY = 'sk-0123456789abcdefghij';
const log = createLog({ level: 'silent' });

/** Setups over one row in memory. */
function world(
  { environment, keys = ['key-one'] }: { environment?: ModelSetup; keys?: string[] } = {},
  row: { stored: StoredModelConfig | undefined } = { stored: undefined },
) {
  const rows = {
    read: async () => row.stored,
    write: async (stored: StoredModelConfig) => void (row.stored = stored),
    remove: async () => void (row.stored = undefined),
    reseal: async (before: string, after: string) => {
      if (row.stored?.api_key === before) row.stored = { ...row.stored, api_key: after };
    },
  };
  const http = { typed: 'typed', configured: 'configured' } as never;
  return { row, setups: modelSetups({ rows: rows as never, sealer: sealer(keys), environment, http, log }) };
}
const BODY: ModelConfigBody = { provider: 'anthropic', model: ' the-model ', api_key: ` ${KEY} ` };
const refusalOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'taken',
    ({ message }: Error) => message,
  );

test('a saved configuration is shown with the end of its key, and the key is stored sealed', async () => {
  const { setups, row } = world();
  const record = {
    configured: true,
    provider: 'anthropic',
    model: 'the-model',
    base_url: null,
    api_key: '***ghij',
    source: 'database',
    problem: null,
  };
  assert.equal(await setups.save(BODY, NOW), { ...record, updated_at: NOW.toISOString() });
  assert.not.match(JSON.stringify(row.stored), KEY);
  const current = await setups.current();
  assert.equal(current?.setup, { provider: 'anthropic', model: 'the-model', baseUrl: null, apiKey: KEY });
  assert.is(setups.latest(), current);
  await setups.remove();
  assert.equal([await setups.current(), (await setups.record()).configured], [undefined, false]);
});

test('a short key is shown as a mask alone', async () => {
  const shown = async (api_key: string) => (await world().setups.save({ ...BODY, api_key }, NOW)).api_key;
  assert.equal([await shown('x'.repeat(19)), await shown('x'.repeat(20))], ['***', '***xxxx']);
});

type Refused = [says: string, over: object, message: string];
const refused: Refused[] = [
  ['no key', { api_key: '' }, 'api_key is required for anthropic'],
  ['a masked key, where none is kept', { api_key: '***ghij' }, 'api_key is masked, and no key is kept: send the key itself'],
  ['a key with blanks', { api_key: 'a b' }, 'api_key must be printable characters without blanks'],
  ['a model of two lines', { model: 'a\nb' }, 'model must be one line of printable characters'],
  ...['ftp://a', 'a', 'https://u@a', 'https://:p@a', 'https://a?b=c', 'https://a#b'].map((base_url): Refused => [
    base_url,
    { base_url },
    'base_url must be an http or https address without credentials, query and fragment',
  ]),
];
for (const [says, over, message] of refused)
  test(`refused: ${says}`, async () =>
    assert.is(await refusalOf(world().setups.save({ ...BODY, ...over } as ModelConfigBody, NOW)), message));

test('a masked key stands for the kept one, at the same provider and address only', async () => {
  const { setups } = world();
  await setups.save({ ...BODY, base_url: 'https://a.example/v1//' }, NOW);
  assert.is((await setups.record()).base_url, 'https://a.example/v1');
  const masked = { ...BODY, api_key: '***ghij' };
  const other = 'api_key is masked, and the kept one is for another provider or address: send the key itself';
  assert.is(await refusalOf(setups.save({ ...masked, base_url: 'https://b.example' }, NOW)), other);
  assert.is(await refusalOf(setups.save({ ...masked, provider: 'gemini', base_url: 'https://a.example/v1' }, NOW)), other);
  await setups.save({ ...masked, model: 'new', base_url: 'https://a.example/v1' }, NOW);
  assert.equal([(await setups.current())?.setup.apiKey, (await setups.current())?.setup.model], [KEY, 'new']);
});

test('the database comes before the environment', async () => {
  const environment: ModelSetup = { provider: 'gemini', model: 'env', baseUrl: null, apiKey: 'env-key' };
  const { setups } = world({ environment });
  const before = await setups.record();
  assert.equal([before.source, before.provider, before.updated_at], ['environment', 'gemini', null]);
  const id = (await setups.current())?.id;
  await setups.save(BODY, NOW);
  assert.is((await setups.record()).source, 'database');
  assert.is.not((await setups.current())?.id, id);
});

test('an unchanged configuration keeps its client, and every change makes another id', async () => {
  const { setups } = world();
  const ids: unknown[] = [];
  for (const over of [{}, { model: 'b' }, { api_key: 'other' }, { base_url: 'https://a.example' }, { provider: 'gemini' as const }]) {
    await setups.save({ ...BODY, ...over }, NOW);
    const model = await setups.current();
    await setups.save({ ...BODY, ...over }, NOW);
    assert.is((await setups.current())?.client, model?.client);
    ids.push(model?.id);
  }
  assert.is(new Set(ids).size, 5);
});

test('a key that cannot be opened is no configuration, and the record says why; an old seal is renewed', async () => {
  const { setups, row } = world();
  await setups.save(BODY, NOW);
  const sealed = row.stored?.api_key;
  const locked = await world({ keys: ['another'] }, row).setups.record();
  assert.equal([locked.configured, locked.api_key, locked.provider], [false, null, 'anthropic']);
  assert.match(locked.problem ?? '', /^The key was encrypted with an ENCRYPTION_KEY that is not known here/);
  assert.is((await world({ keys: ['key-two', 'key-one'] }, row).setups.current())?.setup.apiKey, KEY);
  assert.is.not(row.stored?.api_key, sealed);
  assert.is((await world({ keys: ['key-two'] }, row).setups.current())?.setup.apiKey, KEY);
});

test.run();
