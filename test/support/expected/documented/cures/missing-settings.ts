import type { CureRow } from './cure.ts';
import { app, crash, guess, likely, map, secret } from './rows.ts';

const from = (field: 'secretKeyRef' | 'configMapKeyRef', source: string, ...names: string[]) =>
  names.map((name) => ({ name, valueFrom: { [field]: { name: source, key: name } } }));
const fieldRequired = (name: string) => `${name}\n  Field required [type=missing, input_value={}, input_type=dict]\n`;

/** Programs that list all settings that they miss. A correction that adds only some of them does not cure. */
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
  'a name whose words are abbreviated': crash(
    "thread 'main' panicked at src/config.rs:9:10:\nDATABASE_PASSWORD must be set: NotPresent\n",
    { env: from('secretKeyRef', 'shop', 'DB_PASS') },
    { culprit: /DATABASE_PASSWORD/, best: { [`${app}.env[0].name`]: 'DATABASE_PASSWORD' }, ...likely },
    [secret('shop', 'DB_PASS')],
  ),
  'a name with the word of the application before it': crash(
    'Error: Missing required environment variable: DATABASE_URL\n',
    { env: [{ name: 'APP_DATABASE_URL', value: 'postgres://db/shop' }] },
    { culprit: /DATABASE_URL/, best: { [`${app}.env[0].name`]: 'DATABASE_URL' }, ...likely },
  ),
  'a name that another word makes a different setting': crash(
    'Error: Missing required environment variable: DATABASE_URL\n',
    { env: [{ name: 'TEST_DATABASE_URL', value: 'postgres://db/test' }] },
    { culprit: /DATABASE_URL/, best: { [`${app}.env[0].name`]: 'DATABASE_URL' }, ...guess },
  ),
  'two names that could each be meant': crash(
    'Error: Missing required environment variable: DATABASE_URL\n',
    {
      env: [
        { name: 'READ_DATABASE_URL', value: 'postgres://replica/shop' },
        { name: 'TEST_DATABASE_URL', value: 'postgres://db/test' },
      ],
    },
    { culprit: /DATABASE_URL/, best: null },
  ),
  'one word of a longer name': crash(
    'Error: Missing required environment variable: PORT\n',
    { env: [{ name: 'DB_PORT', value: '5432' }] },
    { culprit: /PORT/, best: null },
  ),
  'boto3: the region under a general name': crash(
    'botocore.exceptions.NoRegionError: You must specify a region.\n',
    { env: [{ name: 'REGION', value: 'eu-west-1' }] },
    { culprit: /AWS_REGION/, best: { [`${app}.env[0].name`]: 'AWS_REGION' }, ...guess },
  ),
  '.NET: one underscore in place of two': crash(
    'Unhandled exception. System.InvalidOperationException: The ConnectionString property has not been initialized.\n   at Npgsql.NpgsqlConnection.Open()\n',
    { env: [{ name: 'ConnectionStrings_Default', value: 'Host=db' }] },
    { culprit: /ConnectionString/, best: { [`${app}.env[0].name`]: 'ConnectionStrings__Default' }, ...likely },
  ),
  '.NET: a connection string with the right name': crash(
    'Unhandled exception. System.InvalidOperationException: The ConnectionString property has not been initialized.\n   at Npgsql.NpgsqlConnection.Open()\n',
    { env: [{ name: 'ConnectionStrings__Orders', value: 'Host=db' }] },
    { culprit: /ConnectionString/, best: null },
  ),
  'the only file of a Secret, under another name than the variable says': crash(
    'google.auth.exceptions.DefaultCredentialsError: File /secrets/gcp/key.json was not found.\n',
    {
      env: [{ name: 'GOOGLE_APPLICATION_CREDENTIALS', value: '/secrets/gcp/key.json' }],
      volumeMounts: [{ name: 'gcp', mountPath: '/secrets/gcp' }],
    },
    { culprit: /key\.json/, best: { [`${app}.env[0].value`]: '/secrets/gcp/account.json' }, ...likely },
    [secret('gcp', 'account.json')],
    { volumes: [{ name: 'gcp', secret: { secretName: 'gcp' } }] },
  ),
  'a file in a folder that `items` leaves out': crash(
    "Error: ENOENT: no such file or directory, open '/etc/shop/sites/main.conf'\n",
    { volumeMounts: [{ name: 'conf', mountPath: '/etc/shop' }] },
    {
      culprit: /main\.conf/,
      best: { 'spec.volumes[0].configMap.items[1]': { key: 'main.conf', path: 'sites/main.conf' } },
      ...likely,
    },
    [map('shop', 'shop.conf', 'main.conf')],
    { volumes: [{ name: 'conf', configMap: { name: 'shop', items: [{ key: 'shop.conf', path: 'shop.conf' }] } }] },
  ),
  'the licence file under a name with another spelling': crash(
    'FATAL License file not found: /etc/license/license.lic\n',
    { volumeMounts: [{ name: 'licence', mountPath: '/etc/license' }] },
    { culprit: /licence/, best: { 'spec.volumes[0].secret.items': [{ key: 'licence.lic', path: 'license.lic' }] }, ...likely },
    [secret('licence', 'licence.lic')],
    { volumes: [{ name: 'licence', secret: { secretName: 'licence' } }] },
  ),
};
