import type { CureRow } from './cure.ts';
import { app, crash, guess, likely, map, secret } from './rows.ts';

const from = (field: 'secretKeyRef' | 'configMapKeyRef', source: string, ...names: string[]) =>
  names.map((name) => ({ name, valueFrom: { [field]: { name: source, key: name } } }));
const fieldRequired = (name: string) => `${name}\n  Field required [type=missing, input_value={}, input_type=dict]\n`;

/** Programs that list all settings that they miss. A correction that brings only some of them does not cure. */
export const MISSING_SETTINGS: Record<string, CureRow> = {
  'pydantic: two fields that one Secret has': crash(
    `pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings\n${fieldRequired('database_url')}${fieldRequired('jwt_secret')}`,
    {},
    {
      culprit: /database_url/,
      best: { [`${app}.env`]: from('secretKeyRef', 'api', 'DATABASE_URL', 'JWT_SECRET') },
      ...likely,
      says: /`DATABASE_URL`, `JWT_SECRET` are not set/,
    },
    [secret('api', 'DATABASE_URL', 'JWT_SECRET'), secret('other', 'DATABASE_URL')],
  ),
  't3-env: two variables beside those that are set': crash(
    "Invalid environment variables: {\n  DATABASE_URL: [ 'Required' ],\n  NEXTAUTH_SECRET: [ 'Required' ]\n}\n",
    { env: [{ name: 'PORT', value: '80' }] },
    {
      culprit: /DATABASE_URL/,
      best: {
        [`${app}.env[1]`]: from('secretKeyRef', 'web', 'DATABASE_URL')[0],
        [`${app}.env[2]`]: from('secretKeyRef', 'web', 'NEXTAUTH_SECRET')[0],
      },
      ...likely,
    },
    [secret('web', 'DATABASE_URL', 'NEXTAUTH_SECRET')],
  ),
  'zod: two variables of a ConfigMap': crash(
    'ZodError: [\n  { "code": "invalid_type", "path": [ "DB_HOST" ], "message": "Required" },\n  { "path": [ "DB_NAME" ], "message": "Required" }\n]\n',
    {},
    { culprit: /DB_HOST/, best: { [`${app}.env`]: from('configMapKeyRef', 'db', 'DB_HOST', 'DB_NAME') }, ...likely },
    [map('db', 'DB_HOST', 'DB_NAME')],
  ),
  'envconfig: each variable in a line of its own': crash(
    '2026/01/02 10:00:00 required key SHOP_DSN missing value\n2026/01/02 10:00:00 required key SHOP_TOKEN missing value\n',
    {},
    { culprit: /SHOP_DSN/, best: { [`${app}.env`]: from('secretKeyRef', 'shop', 'SHOP_DSN', 'SHOP_TOKEN') }, ...likely },
    [secret('shop', 'SHOP_DSN', 'SHOP_TOKEN', 'MORE')],
  ),
  'envalid: a list in which only some have a source': crash(
    ' Missing environment variables:\n    DB_URL: undefined\n    JWT_SECRET: undefined\n Exiting with error code 1\n',
    {},
    { culprit: /DB_URL/, best: { [`${app}.env`]: from('secretKeyRef', 'shop', 'DB_URL') }, ...guess, says: /also misses `JWT_SECRET`/ },
    [secret('shop', 'DB_URL')],
  ),
  'one line with two names, of which one is set': crash(
    'Error: Missing required environment variables: SHOP_DSN, SHOP_PORT\n',
    { env: [{ name: 'SHOP_PORT', value: '80' }] },
    { culprit: /SHOP_DSN/, best: { [`${app}.env[1]`]: from('secretKeyRef', 'shop', 'SHOP_DSN')[0] }, ...likely },
    [secret('shop', 'SHOP_DSN')],
  ),
  'a single variable is no list': crash(
    'required key SHOP_DSN missing value\n',
    {},
    {
      culprit: /SHOP_DSN/,
      best: { [`${app}.env`]: from('secretKeyRef', 'shop', 'SHOP_DSN') },
      ...likely,
      says: /variable `SHOP_DSN` is not set/,
    },
    [secret('shop', 'SHOP_DSN')],
  ),
};
