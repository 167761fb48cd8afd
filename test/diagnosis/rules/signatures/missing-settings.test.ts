import { suite } from 'uvu';
import { settingSignatures } from '../../../../src/diagnosis/rules/signatures/missing-settings.ts';
import { placeholderSignatures } from '../../../../src/diagnosis/rules/signatures/placeholders.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about settings that are missing');

const unset = (log: string, name: string, more: LogRow[3] = {}): LogRow => [
  log,
  name,
  `the variable \`${name}\` is not set`,
  { advice: `Set \`${name}\``, where: `where \`${name}\` should come from`, corrections: [], ...more },
];
const added = (name: string, value: string) => guess({ env: [{ name, value }] });
const option = (log: string, culprit: string, name: string, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  `the variable \`${name}\` is not set`,
  { corrections: [], ...more },
];
const PROXY = { image: 'quay.io/oauth2-proxy/oauth2-proxy:v7' };
const secrets = (...all: object[]) => ({ surroundings: { secrets: all } }) as { surroundings: object };
const TOKEN: LogRow[3] = {
  advice: 'Mount the token of the service account',
  where: '`automountServiceAccountToken` of the pod',
  spec: { automountServiceAccountToken: false },
  corrections: likely({ 'spec.automountServiceAccountToken': true }),
};

logRows(test, settingSignatures, {
  'option-missing': [
    option('missing setting: client-secret', 'client-secret', 'OAUTH2_PROXY_CLIENT_SECRET', { container: PROXY }),
    option('  missing setting for provider: client-id', 'client-id', 'OAUTH2_PROXY_CLIENT_ID', { container: PROXY }),
    option('missing setting: cookie-secret or cookie-secret-file', 'cookie-secret', 'OAUTH2_PROXY_COOKIE_SECRET', {
      container: PROXY,
      parts: secrets({ name: 'login', keys: ['cookie-secret', 'x'] }, { name: 'other', keys: ['y'] }),
      corrections: likely({
        env: [{ name: 'OAUTH2_PROXY_COOKIE_SECRET', valueFrom: { secretKeyRef: { name: 'login', key: 'cookie-secret' } } }],
      }),
      why: 'it has the key `cookie-secret`',
      mirrorable: false,
    }),
    option('missing setting: cookie-secret', 'cookie-secret', 'OAUTH2_PROXY_COOKIE_SECRET', {
      container: PROXY,
      parts: secrets({ name: 'login', keys: ['cookie-secret'] }, { name: 'other', keys: ['cookie-secret'] }),
    }),
    option('missing setting: email-domain', 'PROXY_EMAIL_DOMAIN (email-domain)', 'PROXY_EMAIL_DOMAINS', {
      container: { image: 'my/proxy:1', ...env({ PROXY_EMAIL_DOMAIN: '*' }) },
      corrections: likely({ 'env[0].name': 'PROXY_EMAIL_DOMAINS' }),
    }),
    option('missing setting: client-secret', 'MY_CLIENT_SECRET (client-secret)', 'MY_CLIENT_SECRETS', {
      container: { ...PROXY, ...env({ MY_CLIENT_SECRET: 'x' }) },
      corrections: likely({ 'env[0].name': 'MY_CLIENT_SECRETS' }),
    }),
  ],
  'setting-unnamed': [
    unset('RuntimeException: No application encryption key has been specified.', 'APP_KEY'),
    unset('NoRegionError: You must specify a region.', 'AWS_REGION'),
    unset('ConfigError: Missing region in config', 'AWS_REGION'),
    unset('botocore.exceptions.NoRegionError', 'AWS_REGION'),
    unset('MissingRegion: could not find region configuration', 'AWS_REGION'),
    unset('You must specify a region', 'AWS_DEFAULT_REGION', {
      container: env({ AWS_REGION: 'eu-west-1' }),
      corrections: likely({ 'env[0].name': 'AWS_DEFAULT_REGION' }),
      why: 'the program reads this name',
    }),
    unset('ERROR: hostname is not configured; either configure hostname, or set hostname-strict to false', 'KC_HOSTNAME', {
      corrections: added('KC_HOSTNAME_STRICT', 'false'),
      mirrorable: true,
      why: 'the program then does without `KC_HOSTNAME`',
    }),
    unset('ERROR: Strict hostname resolution configured but no hostname setting provided', 'KC_HOSTNAME', {
      container: env({ A: 'b' }),
      corrections: guess({ 'env[1]': { name: 'KC_HOSTNAME_STRICT', value: 'false' } }),
    }),
    unset('Strict hostname resolution configured but no hostname', 'KC_HOSTNAME', {
      container: env({ KC_HOSTNAME_STRICT: 'true' }),
      corrections: guess({ 'env[0].value': 'false' }),
    }),
    unset('ArgumentError: Missing `secret_key_base` for production', 'SECRET_KEY_BASE'),
    unset('Missing secret_key_base for this', 'SECRET_KEY_BASE'),
    unset('Error: Could not locate a Flask application. You did not provide the FLASK_APP', 'FLASK_APP'),
    unset('Requested setting X, but settings are not configured. You must either define the variable', 'DJANGO_SETTINGS_MODULE'),
    unset('CommandError: You must set settings.ALLOWED_HOSTS if DEBUG is False.', 'ALLOWED_HOSTS'),
    unset('The SQL Server End-User License Agreement must be accepted with the ACCEPT_EULA environment variable', 'ACCEPT_EULA', {
      corrections: added('ACCEPT_EULA', 'Y'),
    }),
    unset('ERROR: Unable to connect to the database. Configure the url, user and password!', 'FLYWAY_URL'),
    unset('configured datasource <default> not found: the url is not set', 'QUARKUS_DATASOURCE_JDBC_URL'),
    unset("'kms_key_id' not found for AWS KMS sealing", 'VAULT_AWSKMS_SEAL_KEY_ID'),
    unset('"cloudflared tunnel run" requires the ID or name of the tunnel to run as the last command line argument', 'TUNNEL_TOKEN'),
    unset('Key material not provided to setup HTTPS. Please configure your keys/certificates', 'KC_HTTP_ENABLED', {
      corrections: added('KC_HTTP_ENABLED', 'true'),
    }),
  ],
  'token-file-missing': [
    [
      'kubernetes.config.config_exception.ConfigException: Service token file does not exist.',
      'automountServiceAccountToken: Service token file does not exist',
      'its Kubernetes client finds no token of a service account',
      TOKEN,
    ],
    [
      'service token file does not exist',
      'automountServiceAccountToken: Service token file does not exist',
      'finds no token',
      { container: { volumeMounts: [{ name: 't', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }] }, corrections: [] },
    ],
  ],
  'kubernetes-without-token': [
    [
      'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
      'token of the service account (automountServiceAccountToken)',
      'finds neither the token of a service account nor a kubeconfig',
      TOKEN,
    ],
  ],
});

const unfilled = (says: string): LogRow => [
  `config: ${says} \${DB_HOST}`,
  'DB_HOST',
  'the variable `DB_HOST` is not set',
  { advice: 'Set `DB_HOST`' },
];
const left = (log: string): LogRow => [
  log,
  '${DB_HOST}',
  'its configuration has the placeholder `${DB_HOST}`, which the program does not replace',
  {
    container: env({ DB_HOST: 'db' }),
    advice:
      'Somebody must fill the placeholder before the program reads it: with `envsubst` in the entrypoint, or with the value itself. The variable `DB_HOST` itself is set.',
    where: 'file with `${DB_HOST}`: `',
  },
];
logRows(test, placeholderSignatures, {
  'placeholder-left': [
    ...['Error', 'error', 'ERROR', 'Failed', 'fail', 'FATAL', 'Invalid', 'invalid', 'Cannot', 'cannot', "Can't", "can't", 'Could not'].map(
      unfilled,
    ),
    ...[
      'could not',
      'not found',
      'NOTFOUND',
      'Unknown',
      'unknown',
      'Unable',
      'unable',
      'refused',
      'emerg',
      'parse',
      'No such',
      'no such',
    ].map(unfilled),
    left('error: unknown host ${DB_HOST}'),
    left('error: unknown host ${env:DB_HOST}'),
    [
      'Missing environment variable in config. name = "DB_HOST"',
      'DB_HOST',
      'the variable `DB_HOST` is not set',
      { advice: 'Set `DB_HOST`' },
    ],
    [
      'error: missing environment variable in config. name = "DB_HOST"',
      'DB_HOST',
      'the variable `DB_HOST` is not set',
      { container: env({ DB_HOST: 'db' }) },
    ],
  ],
});
otherLogs(test, {
  'option-missing': ['error: missing setting: client-id'],
  'placeholder-left': ['starting with ${DB_HOST}', 'error: ${name} is here', 'error: ${A} is short'],
  'kubernetes-without-token': ['try setting KUBERNETES_MASTER\nFATAL: JWT_SECRET is not set'],
});

test.run();
