import type { Pod } from '../../../../../src/crd/kubernetes.ts';
import { other } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, likely } from './rows.ts';

const env = (...all: [name: string, value: string][]): { env: { name: string; value: string }[] } => ({
  env: all.map(([name, value]) => ({ name, value })),
});
const rename = (index: number, to: string): object => ({ [`${app}.env[${index}].name`]: to });
const QUARKUS = (property: string): string =>
  `2026-01-02 10:00:03,118 ERROR [io.qua.run.Application] (main) Failed to start application: java.lang.RuntimeException: Failed to start quarkus\n\tat io.quarkus.runner.ApplicationImpl.doStart(Unknown Source)\nCaused by: jakarta.enterprise.inject.spi.DeploymentException: io.quarkus.runtime.configuration.ConfigurationException: Failed to load config value of type class java.lang.String for: ${property}\n\tat io.quarkus.arc.runtime.ConfigRecorder.validateConfigProperties(ConfigRecorder.java:70)\nCaused by: java.util.NoSuchElementException: SRCFG00014: The config property ${property} is required but it could not be found in any config source\n\tat io.smallrye.config.SmallRyeConfig.convertValue(SmallRyeConfig.java:388)`;
const SPRING =
  '2026-01-02T10:00:01.004Z  INFO 1 --- [shop] [main] c.e.Shop : No active profile set, falling back to 1 default profile: "default"\n\n***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nFailed to configure a DataSource: \'url\' attribute is not specified and no embedded datasource could be configured.\n\nReason: Failed to determine a suitable driver class\n';
const TRAEFIK = (node: string): string =>
  `{"level":"error","error":"command traefik error: failed to decode configuration from flags: field not found, node: ${node}","time":"2026-01-02T10:00:02Z","message":"Command error"}`;
const ELASTIC =
  'bootstrap check failure [1] of [1]: the default discovery settings are unsuitable for production use; at least one of [discovery.seed_hosts, discovery.seed_providers, cluster.initial_master_nodes] must be configured';

/** A pod of a StatefulSet with this many replicas. */
function ofSet(row: CureRow, replicas: number): CureRow {
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'shop', uid: 'uid-set', controller: true };
  const { metadata, spec } = row.object as Pod;
  const set = other('StatefulSet', 'shop', {
    apiVersion: 'apps/v1',
    metadata: { name: 'shop', namespace: 'default', uid: 'uid-set' },
    spec: {
      replicas,
      serviceName: 'shop',
      selector: { matchLabels: { app: 'shop' } },
      template: { metadata: { labels: { app: 'shop' } }, spec },
    },
    status: { replicas },
  });
  return { ...row, object: { ...row.object, metadata: { ...metadata, ownerReferences: [owner] } } as Pod, others: [set] };
}

/** Variables that the program reads, beside variables with almost the same name. */
export const NEAR_NAMES: Record<string, CureRow> = {
  'a property of Quarkus, and a variable of almost its name': crash(
    QUARKUS('payments.gateway.url'),
    env(['QUARKUS_LOG_LEVEL', 'INFO'], ['PAYMENT_GATEWAY_URL', 'http://gateway:8080']),
    { culprit: /payments\.gateway\.url/, best: rename(1, 'PAYMENTS_GATEWAY_URL'), ...likely },
  ),
  'a property that is injected': crash(
    'Exception in thread "main" io.smallrye.config.inject.ConfigException: SRCFG02000: Failed to Inject @ConfigProperty for key orders.queue-name into shop.Orders.queue since the config property could not be found in any config source',
    env(['ORDERS_QUEU_NAME', 'orders']),
    { culprit: /orders\.queue-name/, best: rename(0, 'ORDERS_QUEUE_NAME'), ...likely },
  ),
  'a property of Micronaut': crash(
    "Message: Error resolving property value [${mail.sender-address}]. Property doesn't exist",
    env(['MAIL_SENDR_ADDRESS', 'shop@example.com']),
    { culprit: /mail\.sender-address/, best: rename(0, 'MAIL_SENDER_ADDRESS'), ...likely },
  ),
  'a property that only ends like the variable': crash(QUARKUS('payments.gateway.url'), env(['PAYPAL_GATEWAY_URL', 'http://paypal:8080']), {
    culprit: /payments\.gateway\.url/,
    best: null,
  }),
  'a property whose last word is another one': crash(QUARKUS('orders.db.host'), env(['ORDERS_DB_PORT', '5432']), {
    culprit: /orders\.db\.host/,
    best: null,
  }),
  'a property of Quarkus that cannot be converted': crash(
    'Caused by: java.lang.IllegalArgumentException: SRCFG00029: Expected an integer value, got "many"',
    env(['SHOP_WORKERS', '4']),
    { culprit: /Expected an integer value/, best: null },
  ),
  'the profile of Spring, with a letter too few': crash(SPRING, env(['SPRING_PROFILE_ACTIVE', 'prod']), {
    culprit: /datasource/i,
    best: rename(0, 'SPRING_PROFILES_ACTIVE'),
    ...likely,
  }),
  'the profile of Spring, set as it should be': crash(
    SPRING.replace('No active profile set', 'The following 1 profile is active'),
    env(['SPRING_PROFILES_ACTIVE', 'prod']),
    { culprit: /datasource/i, best: null },
  ),
  'the profile of Spring, and a variable that is none': crash(SPRING, env(['SPRING_PROFILER_ADDRESS', 'prod']), {
    culprit: /datasource/i,
    best: null,
  }),
  'the environment of .NET': crash(
    'info: Microsoft.Hosting.Lifetime[0]\n      Hosting environment: Production\nUnhandled exception. System.InvalidOperationException: The plan of the tenant is unknown.',
    env(['ASPNETCORE_ENVIROMENT', 'Staging']),
    { culprit: /plan of the tenant/, best: rename(0, 'ASPNETCORE_ENVIRONMENT'), ...likely },
  ),
  'the settings of Django': crash(
    'django.core.exceptions.ImproperlyConfigured: Requested setting INSTALLED_APPS, but settings are not configured. You must either define the environment variable DJANGO_SETTINGS_MODULE or call settings.configure() before accessing settings.',
    env(['DJANGO_SETTING_MODULE', 'shop.settings']),
    { culprit: /DJANGO_SETTINGS_MODULE/, best: rename(0, 'DJANGO_SETTINGS_MODULE'), ...likely },
  ),
  'the environment of Rails, where another name is meant': crash(
    '=> Rails 8.0.1 application starting in development http://0.0.0.0:3000\nActiveRecord::AdapterNotSpecified: The `queue` database is not configured for the `development` environment.',
    env(['RAILS_ENV', 'development'], ['RAILS_ENVY', 'x']),
    { culprit: /database is not configured/, best: null },
  ),
  'a flag that its sibling spells otherwise': crash(
    TRAEFIK('entrypoint'),
    { args: ['--global.sendanonymoususage=false', '--entrypoint.web.address=:8000', '--entrypoints.websecure.address=:8443'] },
    { culprit: /entrypoint/, best: { [`${app}.args[1]`]: '--entrypoints.web.address=:8000' }, ...likely },
  ),
  'a part of a flag in the middle': crash(
    TRAEFIK('kubernetescdr'),
    { args: ['--providers.kubernetescrd=true', '--providers.kubernetescdr.namespaces=shop'] },
    { culprit: /kubernetescdr/, best: { [`${app}.args[1]`]: '--providers.kubernetescrd.namespaces=shop' }, ...likely },
  ),
  'a flag without a sibling of its kind': crash(
    TRAEFIK('dashbord'),
    { args: ['--api.dashbord=true', '--providers.kubernetescrd'] },
    { culprit: /dashbord/, best: { [`${app}.args`]: ['--providers.kubernetescrd'] } },
  ),
  'a flag that is there in the right spelling too': crash(
    TRAEFIK('entrypoint'),
    { args: ['--entrypoint.web.address=:8000', '--entrypoints.web.address=:8000'] },
    { culprit: /entrypoint/, best: { [`${app}.args`]: ['--entrypoints.web.address=:8000'] } },
  ),
  'a search engine that is alone, and is not told so': ofSet(
    crash(ELASTIC, env(['ES_JAVA_OPTS', '-Xms512m -Xmx512m']), {
      culprit: /discovery/,
      best: { [`${app}.env[1]`]: { name: 'discovery.type', value: 'single-node' } },
      ...likely,
    }),
    1,
  ),
  'a search engine of three': ofSet(crash(ELASTIC, env(['ES_JAVA_OPTS', '-Xms512m -Xmx512m']), { culprit: /discovery/, best: null }), 3),
  'a search engine that is told of others': ofSet(
    crash(ELASTIC, env(['discovery.type', 'multi-node']), { culprit: /discovery/, best: null }),
    1,
  ),
  'another check of a search engine': ofSet(
    crash(
      'bootstrap check failure [1] of [1]: memory locking requested for elasticsearch process but memory is not locked',
      env(['ES_JAVA_OPTS', '-Xms512m -Xmx512m']),
      { culprit: /memory/, best: null },
    ),
    1,
  ),
  'the database of Airflow under its old name': crash(
    'Traceback (most recent call last):\n  File "/usr/local/bin/airflow", line 5, in <module>\nairflow.exceptions.AirflowConfigException: error: cannot use SQLite with the CeleryExecutor',
    env(['AIRFLOW__CORE__EXECUTOR', 'CeleryExecutor'], ['AIRFLOW__CORE__SQL_ALCHEMY_CONN', 'postgresql://pg/airflow']),
    { culprit: /SQLite/, best: rename(1, 'AIRFLOW__DATABASE__SQL_ALCHEMY_CONN'), ...likely },
  ),
  'the database of Airflow under both names': crash(
    'airflow.exceptions.AirflowConfigException: error: cannot use SQLite with the CeleryExecutor',
    env(['AIRFLOW__DATABASE__SQL_ALCHEMY_CONN', 'sqlite:////tmp/a.db'], ['AIRFLOW__CORE__SQL_ALCHEMY_CONN', 'postgresql://pg/airflow']),
    { culprit: /SQLite/, best: null },
  ),
  'an old name of Airflow, and another error': crash(
    'airflow.exceptions.AirflowConfigException: error: the fernet key is not valid',
    env(['AIRFLOW__CORE__SQL_ALCHEMY_CONN', 'postgresql://pg/airflow']),
    { culprit: /fernet/, best: null },
  ),
  'the token of Hugging Face under another name': crash(
    'Traceback (most recent call last):\nhuggingface_hub.errors.GatedRepoError: 401 Client Error. Cannot access gated repo for url https://huggingface.co/api/models/google/gemma-2-2b.',
    env(['MODEL', 'google/gemma-2-2b'], ['HUGGINGFACE_API_KEY', 'hf_x']),
    { culprit: /gated repo/i, best: rename(1, 'HF_TOKEN'), ...likely },
  ),
  'the token of Hugging Face, which may not read the model': crash(
    'huggingface_hub.errors.GatedRepoError: 403 Client Error. Cannot access gated repo for url https://huggingface.co/api/models/google/gemma-2-2b.',
    env(['HF_TOKEN', 'hf_x'], ['HUGGINGFACE_API_KEY', 'hf_x']),
    { culprit: /gated repo/i, best: null },
  ),
  'a token of Hugging Face, and another server that refuses': crash(
    'openai.AuthenticationError: Error code: 401 - Incorrect API key provided',
    env(['HUGGINGFACE_API_KEY', 'hf_x']),
    { culprit: /./, best: null },
  ),
  'the token of Hugging Face under another name, without a value': crash(
    'huggingface_hub.errors.GatedRepoError: 401 Client Error. Cannot access gated repo for url https://huggingface.co/api/models/google/gemma-2-2b.',
    env(['MODEL', 'google/gemma-2-2b'], ['HUGGINGFACE_API_KEY', '']),
    { culprit: /gated repo/i, best: null },
  ),
  'Redis of Spring under the names of its second version': crash(
    'Caused by: io.lettuce.core.RedisConnectionException: Unable to connect to localhost/<unresolved>:6379',
    env(['SPRING_REDIS_HOST', 'redis'], ['SPRING_REDIS_PORT', '6379']),
    {
      culprit: /localhost/,
      best: { ...rename(0, 'SPRING_DATA_REDIS_HOST'), ...rename(1, 'SPRING_DATA_REDIS_PORT') },
      ...likely,
    },
  ),
  'Redis of Spring, told to be in the same pod': crash(
    'Caused by: io.lettuce.core.RedisConnectionException: Unable to connect to localhost/<unresolved>:6379',
    env(['SPRING_DATA_REDIS_HOST', 'localhost'], ['SPRING_REDIS_HOST', 'redis']),
    { culprit: /localhost/, best: null },
  ),
};
