import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { settingValue } from '../db/settings.ts';
import { AppStatus, MirrorTtl, SettingEntry, SETTINGS, SettingRecord, type SettingKey } from '../contract/settings.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';

const Key = Type.Object({ key: Type.String() });
/** The answer for `mirror-ttl` is included, because that address also matches the address of any setting. */
const ReadSetting = Type.Union([SettingRecord, MirrorTtl], { description: 'the setting; `mirror-ttl` answers its seconds' });

/** Routes for the settings that administrators change while the service runs, and for the part that everybody may read. */
export function settingRoutes({
  settings,
  config,
  version,
  now,
  bus,
  models,
}: Pick<AppDeps, 'settings' | 'config' | 'version' | 'now' | 'bus' | 'models'>): FastifyPluginAsyncTypebox {
  const valueOf = async (key: SettingKey): Promise<string> => String(await settingValue(settings, key));
  const mirrorTtl = (): Promise<number> => settingValue(settings, 'mirror-ttl');

  return async (app) => {
    app.get(
      '/api/config',
      {
        config: { access: 'config.read' },
        schema: { summary: 'What this installation is and can do', tags: ['config'], response: { 200: AppStatus } },
      },
      async () => {
        const { configured, provider, model } = await models.setups.record();
        return {
          version,
          cluster: config.clusterName,
          ai_enabled: configured,
          ai_provider: configured ? provider : null,
          ai_model: configured ? model : null,
          mirror_ttl_seconds: await mirrorTtl(),
          features: { mirrors: config.mirrorsEnabled },
        };
      },
    );

    app.get(
      '/api/admin/settings',
      {
        config: { access: 'settings.manage' },
        schema: { summary: 'All settings, with what each may be', tags: ['settings'], response: { 200: Type.Array(SettingEntry) } },
      },
      () => Promise.all(Object.entries(SETTINGS).map(async ([key, rule]) => ({ key, value: await valueOf(key as SettingKey), ...rule }))),
    );

    app.get(
      '/api/admin/settings/mirror-ttl',
      {
        config: { access: 'settings.manage' },
        schema: { summary: 'How long a mirror lives by default', tags: ['settings'], response: { 200: MirrorTtl } },
      },
      async () => ({ seconds: await mirrorTtl() }),
    );

    app.put(
      '/api/admin/settings/mirror-ttl',
      {
        config: { access: 'settings.manage' },
        schema: { summary: 'Set how long a mirror lives by default', tags: ['settings'], body: MirrorTtl, response: { 200: MirrorTtl } },
      },
      async (request) => {
        const { seconds } = request.body;
        await settings.set('mirror-ttl', String(seconds), now());
        await request.audit('setting.set', 'mirror-ttl', { value: String(seconds) });
        return { seconds };
      },
    );

    app.get(
      '/api/admin/settings/:key',
      {
        config: { access: 'settings.manage' },
        schema: { summary: 'A setting, or its default', tags: ['settings'], params: Key, response: { 200: ReadSetting } },
      },
      async (request) => {
        const key = known(request.params.key);
        return { key, value: await valueOf(key) };
      },
    );

    app.post(
      '/api/admin/settings/:key',
      {
        config: { access: 'settings.manage' },
        schema: {
          summary: 'Change a setting',
          tags: ['settings'],
          params: Key,
          body: Type.Object({ value: Type.String() }),
          response: { 200: SettingRecord },
        },
      },
      async (request) => {
        const key = known(request.params.key);
        const value = checked(key, request.body.value);
        await settings.set(key, value, now());
        void bus.emit('settingChanged', { key });
        await request.audit('setting.set', key, { value });
        return { key, value };
      },
    );
  };
}

function known(key: string): SettingKey {
  if (!Object.hasOwn(SETTINGS, key)) throw new ApiError(404, 'Setting not found');
  return key as SettingKey;
}

function checked(key: SettingKey, value: string): string {
  const { min, max, unit } = SETTINGS[key];
  const number = /^\d{1,12}$/.test(value) ? Number(value) : NaN;
  const right = unit === 'switch' ? '0 (no) or 1 (yes)' : `a whole number of ${unit} from ${min} to ${max}`;
  if (!(number >= min && number <= max)) throw new ApiError(400, `value must be ${right}`);
  return String(number);
}
