import Type from 'typebox';

/** A notification setting (specification, "Other resources"). Secrets in `config` come back masked; a masked one sent back stays what it is. */
export const NotificationSetting = Type.Object({
  provider: Type.String({ maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$', description: 'name of the provider' }),
  type: Type.Optional(Type.String({ description: 'absent: the name' })),
  enabled: Type.Boolean(),
  config: Type.Record(Type.String(), Type.Unknown(), { description: '`webhook_url`, and what the type needs besides' }),
});
