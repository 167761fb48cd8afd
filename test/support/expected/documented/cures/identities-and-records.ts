import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, secret } from './rows.ts';

const ISSUER = 'http://keycloak:8080/realms/internal';
const OWN_NAME = 'https://sso.acme.io/realms/internal';
const ENDS =
  '[2024/06/18 07:55:13] [main.go:60] ERROR: Failed to initialise OAuth2 Proxy: error initialising provider: could not create provider data: error building OIDC ProviderVerifier: could not get verifier builder: error while discovery OIDC configuration: oidc:';

/** A record of Logback in JSON, with the trace in a field of its own. */
const record = (message: string, trace: string): string =>
  `${JSON.stringify({ '@timestamp': '2024-10-09T06:02:55.780Z', message, logger_name: 'org.springframework.boot.SpringApplication', level: 'ERROR', stack_trace: trace })}\n`;

/** Names of identity providers, records in JSON with whole traces, and files that a volume hides or calls otherwise. */
export const IDENTITIES_AND_RECORDS: Record<string, CureRow> = {
  'the issuer of the provider is another address': crash(
    `${ENDS} issuer did not match the issuer returned by provider, expected "${ISSUER}" got "${OWN_NAME}"\n`,
    { args: ['--provider=oidc', `--oidc-issuer-url=${ISSUER}`] },
    { culprit: /issuer http:\/\/keycloak:8080/, best: { [`${app}.args[1]`]: `--oidc-issuer-url=${OWN_NAME}` }, ...likely },
  ),
  'the same in the words of Spring': crash(
    `Caused by: java.lang.IllegalStateException: The Issuer "${OWN_NAME}" provided in the configuration did not match the requested issuer "${OWN_NAME}/"\n`,
    env({ SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUER_URI: `${OWN_NAME}/` }),
    { culprit: /issuer https:/, best: { [`${app}.env[0].value`]: OWN_NAME }, ...likely },
  ),
  'an issuer that the manifest does not name': crash(
    `${ENDS} issuer did not match the issuer returned by provider, expected "${ISSUER}" got "${OWN_NAME}"\n`,
    { args: ['--config=/etc/oauth2-proxy.cfg'] },
    { culprit: /issuer http:\/\/keycloak:8080/, best: null },
  ),
  'a trace of Java inside a record: the deepest cause counts': crash(
    record(
      'Application run failed',
      "org.springframework.beans.factory.UnsatisfiedDependencyException: Error creating bean with name 'jwtDecoder'\n\tat a.B.c(B.java:1)\nCaused by: java.lang.IllegalArgumentException: Unable to resolve the Configuration\n\tat a.B.d(B.java:2)\nCaused by: org.springframework.web.client.HttpServerErrorException$ServiceUnavailable: 503 Service Unavailable\n\t... 29 common frames omitted\n",
    ),
    {},
    { culprit: /503 Service Unavailable/, best: null },
  ),
  'a trace of Java inside a record: its cause is one that is known': crash(
    record(
      'Application run failed',
      'org.flywaydb.core.internal.exception.FlywaySqlException: Unable to obtain connection from database\n\tat a.B.c(B.java:1)\nCaused by: org.postgresql.util.PSQLException: FATAL: database "order" does not exist\n\tat a.B.d(B.java:2)\n',
    ),
    {},
    { culprit: /order/, best: null },
  ),
  'a trace of Python inside a record': crash(
    `${JSON.stringify({ event: 'startup failed', level: 'error', exception: 'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>\n    start()\nshop.errors.LicenceError: the licence is for 3 stores' })}\n`,
    {},
    { culprit: /the licence is for 3 stores/, best: null },
  ),
  'a keystore whose key has another name': crash(
    'Unhandled exception. Interop+Crypto+OpenSslCryptographicException: error:10000080:BIO routines::no such file\n   at Interop.Crypto.CheckValidOpenSslHandle(SafeHandle handle)\n',
    {
      ...env({ Kestrel__Certificates__Default__Path: '/https/tls.pfx' }),
      volumeMounts: [
        { name: 'tls', mountPath: '/https', readOnly: true },
        { name: 'tmp', mountPath: '/tmp' },
      ],
    },
    { culprit: /tls\.pfx/, best: { [`${app}.env[0].value`]: '/https/keystore.p12' }, ...likely },
    [secret('catalog-tls', 'ca.crt', 'keystore.p12', 'tls.crt', 'tls.key')],
    {
      volumes: [
        { name: 'tls', secret: { secretName: 'catalog-tls' } },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  ),
  'two keystores, and neither has the name': crash(
    'Unhandled exception. Interop+Crypto+OpenSslCryptographicException: error:10000080:BIO routines::no such file\n',
    {
      ...env({ Kestrel__Certificates__Default__Path: '/https/tls.pfx' }),
      volumeMounts: [{ name: 'tls', mountPath: '/https' }],
    },
    { culprit: /no such file/, best: null },
    [secret('catalog-tls', 'one.p12', 'other.p12')],
    { volumes: [{ name: 'tls', secret: { secretName: 'catalog-tls' } }] },
  ),
  'a volume over the folder of compiled views': crash(
    '[2024-05-21 06:11:48] production.ERROR: Please provide a valid cache path. {"exception":"[object] (InvalidArgumentException(code: 0): Please provide a valid cache path. at /var/www/html/vendor/laravel/framework/src/Illuminate/View/Compilers/Compiler.php:67)"}\n',
    { volumeMounts: [{ name: 'storage', mountPath: '/var/www/html/storage' }] },
    {
      culprit: /storage\/framework\/views.*storage/,
      best: { [`${app}.env`]: [{ name: 'VIEW_COMPILED_PATH', value: '/var/www/html/storage' }] },
      ...guess,
    },
    [],
    { volumes: [{ name: 'storage', emptyDir: {} }] },
  ),
};
