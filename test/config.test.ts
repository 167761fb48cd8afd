import { suite, test } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError, type ConfiguredMode, isInCluster, readConfig } from '../src/config.ts';

const token = { SERVICE_TOKEN: 'a-token-of-16-chars' };

function problemsOf(env: Record<string, string>, mode: ConfiguredMode = 'operator'): string[] {
  try {
    readConfig({ ...token, ...env }, mode);
  } catch (error) {
    assert.instance(error, ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
}

test('nothing set but the token: the defaults of the environment table', () => {
  const config = readConfig(token, 'operator');
  assert.equal(
    [config.port, config.host, config.dataDir, config.clusterName, config.podNamespace],
    [8000, '0.0.0.0', './data', 'default', 'podmend'],
  );
  assert.equal([config.mirrorsEnabled, config.mirrorDeniedNamespaces], [true, ['kube-*', 'podmend']]);
  assert.equal(config.mirrorLimits, { perIncident: 3, perNamespace: 10, total: 50 });
  assert.equal(config.graces, { pendingSeconds: 120, unreadySeconds: 60, recoverySeconds: 600 });
  assert.equal(
    [config.backendUrl, config.logLevel, config.databaseUrl, config.nodeName],
    ['http://podmend:8000', 'info', undefined, undefined],
  );
  assert.equal([config.watchNamespaces, config.hiddenNamespaces, config.trustProxy, config.encryptionKeys], [[], [], [], []]);
});

test('each variable has its own field, and without it its own default', () => {
  const rest = { sessionSecret: undefined, setupToken: undefined, baseUrl: undefined, kubeconfig: undefined, inClusterServer: undefined };
  const { mirrorLimits: _limits, graces: _graces, ...plain } = readConfig(token, 'operator');
  assert.equal(plain, {
    ...{ ...rest, port: 8000, host: '0.0.0.0', trustProxy: [], databaseUrl: undefined, dataDir: './data', clusterName: 'default' },
    ...{ podNamespace: 'podmend', watchNamespaces: [], hiddenNamespaces: [], readSecretNames: false, mirrorsEnabled: true },
    ...{ mirrorDeniedNamespaces: ['kube-*', 'podmend'], serviceTokens: [token.SERVICE_TOKEN], encryptionKeys: [] },
    ...{ backendUrl: 'http://podmend:8000', nodeName: undefined, scanIntervalSeconds: 3600, agentSilentSeconds: 180 },
    ...{ solutionBudgetMs: 2000, model: undefined, allowPrivateAddresses: [], proxy: undefined, logLevel: 'info' },
  });
  const [session, service, key, setup] = ['s', 't', 'k', 'u'].map((letter) => letter.repeat(16)) as [string, string, string, string];
  const set = {
    ...{
      PORT: '81',
      HOST: '127.0.0.1',
      BASE_URL: 'https://a.example',
      TRUST_PROXY: 'loopback,10.0.0.0/8',
      DATABASE_URL: 'postgres://db/a',
    },
    ...{ DATA_DIR: '/a', KUBECONFIG: '/b:/c', CLUSTER_NAME: 'c', POD_NAMESPACE: 'd', WATCH_NAMESPACES: 'e,f', HIDDEN_NAMESPACES: 'g' },
    ...{ READ_SECRET_NAMES: 'true', MIRRORS_ENABLED: 'false', MIRROR_DENIED_NAMESPACES: 'h-*', MIRROR_LIMITS: '1,2,3' },
    ...{ SESSION_SECRET: session, SERVICE_TOKEN: service, ENCRYPTION_KEY: key, SETUP_TOKEN: setup, BACKEND_URL: 'http://i:1' },
    ...{
      NODE_NAME: 'j',
      SCAN_INTERVAL_SECONDS: '11',
      AGENT_SILENT_SECONDS: '12',
      PENDING_GRACE_SECONDS: '13',
      UNREADY_GRACE_SECONDS: '14',
    },
    ...{ RECOVERY_SECONDS: '15', SOLUTION_BUDGET_MS: '16', ALLOW_PRIVATE_ADDRESSES: '10.0.0.1', LOG_LEVEL: 'warn' },
  };
  assert.equal(readConfig(set, 'operator'), {
    ...{
      port: 81,
      host: '127.0.0.1',
      baseUrl: 'https://a.example',
      trustProxy: ['loopback', '10.0.0.0/8'],
      databaseUrl: 'postgres://db/a',
    },
    ...{ dataDir: '/a', kubeconfig: '/b:/c', inClusterServer: undefined, clusterName: 'c', podNamespace: 'd', watchNamespaces: ['e', 'f'] },
    ...{ hiddenNamespaces: ['g'], readSecretNames: true, mirrorsEnabled: false, mirrorDeniedNamespaces: ['h-*'] },
    ...{ mirrorLimits: { perIncident: 1, perNamespace: 2, total: 3 }, sessionSecret: session, serviceTokens: [service] },
    ...{
      encryptionKeys: [key],
      setupToken: setup,
      backendUrl: 'http://i:1',
      nodeName: 'j',
      scanIntervalSeconds: 11,
      agentSilentSeconds: 12,
    },
    ...{ graces: { pendingSeconds: 13, unreadySeconds: 14, recoverySeconds: 15 }, solutionBudgetMs: 16, model: undefined },
    ...{ allowPrivateAddresses: ['10.0.0.1'], proxy: undefined, logLevel: 'warn' },
  });
});

const BOUNDS: [name: string, least: number, most: number][] = [
  ['PORT', 0, 65_535],
  ['PENDING_GRACE_SECONDS', 0, 604_800],
  ['UNREADY_GRACE_SECONDS', 0, 604_800],
  ['RECOVERY_SECONDS', 0, 604_800],
  ['SCAN_INTERVAL_SECONDS', 10, 604_800],
  ['AGENT_SILENT_SECONDS', 3, 604_800],
  ['SOLUTION_BUDGET_MS', 0, 60_000],
];
test('numbers have a least and a greatest value, and a refusal names both', () => {
  for (const [name, least, most] of BOUNDS) {
    for (const value of [least, most]) assert.equal(problemsOf({ [name]: String(value) }), [], `${name} ${value}`);
    for (const value of [least - 1, most + 1])
      assert.equal(problemsOf({ [name]: String(value) }), [`${name} must be a whole number from ${least} to ${most}`]);
  }
  assert.equal(problemsOf({ MIRROR_LIMITS: '10000,10000,10000' }), []);
  assert.equal(problemsOf({ MIRROR_LIMITS: '10000,10001,10000' }), [
    'MIRROR_LIMITS must be three whole numbers from 1 to 10000 with commas between (per incident, per namespace, in all)',
  ]);
});

const LENGTHS: [name: string, most: number][] = [
  ['POD_NAMESPACE', 63],
  ['NODE_NAME', 253],
  ['CLUSTER_NAME', 253],
  ['MIRROR_DENIED_NAMESPACES', 63],
];
test('names have a greatest length', () => {
  for (const [name, most] of LENGTHS) {
    assert.equal(problemsOf({ [name]: 'x'.repeat(most) }), [], name);
    assert.is(problemsOf({ [name]: 'x'.repeat(most + 1) }).length, 1, name);
  }
});

test('a process acts as its pod only where no kubeconfig is named', () => {
  const inPod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
  const acts = (env: Record<string, string>) => isInCluster(readConfig({ ...token, ...env }, 'operator'));
  assert.equal([acts(inPod), acts({ ...inPod, KUBECONFIG: '/a' }), acts({ KUBECONFIG: '/a' }), acts({})], [true, false, false, false]);
  assert.is(acts({ KUBERNETES_SERVICE_HOST: '10.96.0.1' }), false);
});

test('an empty variable counts as unset', () => {
  const blank = readConfig({ ...token, PORT: '', DATABASE_URL: ' ', MIRRORS_ENABLED: '', SESSION_SECRET: '', TRUST_PROXY: '' }, 'operator');
  assert.equal(blank, readConfig(token, 'operator'));
});

const needs: [ConfiguredMode, boolean][] = [
  ['operator', true],
  ['agent', true],
  ['scanner', true],
  ['user', false],
  ['demo', false],
  ['sandbox', false],
  ['migrate', false],
];
for (const [mode, needed] of needs) {
  test(`podmend ${mode} ${needed ? 'needs' : 'does without'} SERVICE_TOKEN`, () => {
    const problems = problemsOf({ SERVICE_TOKEN: '' }, mode);
    assert.equal(
      problems.map((problem) => problem.split(' ')[0]),
      needed ? ['SERVICE_TOKEN'] : [],
    );
  });
}

test('modes for trying things out listen only on this machine, unless HOST says otherwise', () => {
  assert.is(readConfig({}, 'demo').host, '127.0.0.1');
  assert.is(readConfig({}, 'sandbox').host, '127.0.0.1');
  assert.is(readConfig({ HOST: '0.0.0.0' }, 'demo').host, '0.0.0.0');
});

test('tokens and keys are newest first', () => {
  const config = readConfig({ SERVICE_TOKEN: 'the-new-token-0123, the-old-token-0123', ENCRYPTION_KEY: 'n'.repeat(16) }, 'operator');
  assert.equal([config.serviceTokens, config.encryptionKeys], [['the-new-token-0123', 'the-old-token-0123'], ['n'.repeat(16)]]);
});

test('the denied namespaces follow POD_NAMESPACE unless they are set', () => {
  assert.equal(readConfig({ ...token, POD_NAMESPACE: 'ops' }, 'operator').mirrorDeniedNamespaces, ['kube-*', 'ops']);
  assert.equal(readConfig({ ...token, MIRROR_DENIED_NAMESPACES: 'prod-*,bank' }, 'operator').mirrorDeniedNamespaces, ['prod-*', 'bank']);
});

test('addresses lose their trailing slash', () => {
  const config = readConfig({ ...token, BASE_URL: 'https://podmend.example/', BACKEND_URL: 'http://podmend:8000/sub/' }, 'agent');
  assert.equal([config.baseUrl, config.backendUrl], ['https://podmend.example', 'http://podmend:8000/sub']);
});

test('there is no proxy without an address, and NO_PROXY names exceptions', () => {
  const proxy = (env: Record<string, string>) => readConfig({ ...token, ...env }, 'operator').proxy;
  assert.is(proxy({ NO_PROXY: '.svc' }), undefined);
  assert.is(proxy({ https_proxy: 'http://proxy:3128', HTTP_PROXY: 'http://proxy:3128' }), undefined);
  assert.equal(proxy({ HTTPS_PROXY: 'http://u:p%40@proxy:3128' }), { address: 'http://u:p%40@proxy:3128/', except: '' });
  assert.equal(proxy({ HTTPS_PROXY: 'http://proxy', NO_PROXY: ' .svc,a.example ' }), {
    address: 'http://proxy/',
    except: '.svc,a.example',
  });
});

test('in a pod, the API server is the one that Kubernetes names', () => {
  const inPod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
  assert.is(readConfig({ ...token, ...inPod }, 'agent').inClusterServer, 'https://10.96.0.1:443');
  assert.is(readConfig({ ...token, ...inPod, KUBERNETES_SERVICE_HOST: 'fd00::1' }, 'agent').inClusterServer, 'https://[fd00::1]:443');
  assert.is(readConfig(token, 'agent').inClusterServer, undefined);
});

test('all problems are reported at once, in one line', () => {
  assert.throws(
    () => readConfig({ PORT: 'http', HOST: 'a b', MIRROR_LIMITS: '3,10' }, 'operator'),
    ({ message }: Error) =>
      ['PORT', 'HOST', 'MIRROR_LIMITS', 'SERVICE_TOKEN'].every((name) => message.includes(`${name} must be`)) && !message.includes('\n'),
  );
});

test('a model: what the environment names, and what else each provider needs', () => {
  const model = (env: Record<string, string>) => readConfig({ ...token, ...env }, 'operator').model;
  assert.is(model({}), undefined);
  assert.equal(model({ LLM_PROVIDER: 'anthropic', LLM_API_KEY: 'k', LLM_MODEL: 'm' }), {
    provider: 'anthropic',
    apiKey: 'k',
    model: 'm',
    baseUrl: null,
  });
  const own = { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'm', LLM_BASE_URL: 'http://10.0.0.1:11434/v1/' };
  assert.equal(model(own), { provider: 'openai-compatible', apiKey: '', model: 'm', baseUrl: 'http://10.0.0.1:11434/v1' });
});

const MODELS: [Record<string, string>, string[]][] = [
  [{ LLM_PROVIDER: 'other' }, ['LLM_PROVIDER must be one of anthropic, openai, openai-compatible, azure, gemini']],
  [{ LLM_PROVIDER: 'openai' }, ['LLM_MODEL must be set for LLM_PROVIDER=openai', 'LLM_API_KEY must be set for LLM_PROVIDER=openai']],
  [{ LLM_PROVIDER: 'azure', LLM_API_KEY: 'k', LLM_MODEL: 'm' }, ['LLM_BASE_URL must be set for LLM_PROVIDER=azure']],
  [{ LLM_API_KEY: 'k' }, ['LLM_PROVIDER must be set beside the other LLM_ variables']],
  [{ LLM_PROVIDER: 'openai', LLM_API_KEY: 'a b', LLM_MODEL: 'm' }, ['LLM_API_KEY must be printable characters, without blanks']],
  [{ SOLUTION_BUDGET_MS: '60001' }, ['SOLUTION_BUDGET_MS must be a whole number from 0 to 60000']],
  [
    { ALLOW_PRIVATE_ADDRESSES: '10.0.0.0/8,loopback' },
    ['ALLOW_PRIVATE_ADDRESSES must be a list with commas between, each entry an IP address or a range like 10.0.0.0/8'],
  ],
];
for (const [env, problems] of MODELS) test(`${Object.keys(env).join()}: ${problems[0]}`, () => assert.equal(problemsOf(env), problems));

test.run();

const values = suite('values');
/** A variable, its accepted values, its refused values. */
const table: [string, string[], string[]][] = [
  ['PORT', ['0', '80', '65535'], ['-1', '65536', '8e3', '80 80', 'http', '1.5']],
  ['HOST', ['127.0.0.1', '::1', '::', 'localhost', 'pod-1.podmend.svc'], ['localhost:80', 'a b', 'http://x']],
  [
    'BASE_URL',
    ['https://podmend.example', 'http://10.0.0.1:8080/podmend'],
    ['podmend.example', 'ftp://x', 'https://u:p@x', 'https://x/?a=b', 'https://x/#a'],
  ],
  [
    'TRUST_PROXY',
    ['10.0.0.1', '10.0.0.0/8, ::1/128', '10.0.0.0/32', 'loopback', 'linklocal,uniquelocal'],
    ['10.0.0.0/-1', '::/129', 'x/8', '10.0.0.0/33', '10.0.0', 'true', '10.0.0.0/8/8', '10.0.0.1,'],
  ],
  ['DATABASE_URL', ['postgres://u:p@db/podmend', 'postgresql:///podmend?host=/run'], ['mysql://db/x', 'db:5432', 'postgres:']],
  ['CLUSTER_NAME', ['prod-eu.1', 'arn:aws:eks:eu/prod'], ['a b', 'x'.repeat(254)]],
  ['POD_NAMESPACE', ['podmend', 'a'], ['Podmend', '-a', 'a-', 'a.b', 'x'.repeat(64)]],
  ['WATCH_NAMESPACES', ['shop', 'shop, team-a'], ['shop,', 'shop team-a', 'Shop']],
  ['HIDDEN_NAMESPACES', ['bank'], ['ba_nk']],
  ['READ_SECRET_NAMES', ['true', 'false'], ['yes', 'names']],
  ['MIRRORS_ENABLED', ['true', 'false'], ['yes', '1', 'TRUE']],
  ['MIRROR_DENIED_NAMESPACES', ['*', 'kube-*,prod'], ['kube_*', ',']],
  ['MIRROR_LIMITS', ['3,10,50', '1, 1, 1'], ['3,10', '3,10,50,1', '0,10,50', 'a,b,c']],
  [
    'SERVICE_TOKEN',
    ['t'.repeat(16), `${'n'.repeat(16)},${'o'.repeat(48)}`],
    ['fifteen-letters', 'two words of one', `${'n'.repeat(16)},,${'o'.repeat(16)}`, 'ümlaut'.repeat(3)],
  ],
  ['SESSION_SECRET', ['s'.repeat(16), 'a sentence that nobody guesses'], ['fifteen-letters', `${'s'.repeat(16)}\n${'s'.repeat(16)}`]],
  ['SETUP_TOKEN', ['s'.repeat(16)], ['open sesame']],
  ['ENCRYPTION_KEY', ['k'.repeat(16), `${'k'.repeat(44)},${'o'.repeat(16)}`], ['short', `${'k'.repeat(16)},short`]],
  ['BACKEND_URL', ['http://podmend:8000'], ['podmend:8000', 'http://']],
  ['NODE_NAME', ['node-1', 'ip-10-0-0-1.eu.internal'], ['node 1', 'Node']],
  ['PENDING_GRACE_SECONDS', ['0', '120'], ['-1', '2m', '1.5', '9999999']],
  ['UNREADY_GRACE_SECONDS', ['60'], ['soon']],
  ['RECOVERY_SECONDS', ['600'], ['never']],
  ['SCAN_INTERVAL_SECONDS', ['3600', '10'], ['0', '9', 'hourly']],
  ['AGENT_SILENT_SECONDS', ['180', '3'], ['0', 'never']],
  [
    'HTTPS_PROXY',
    ['http://proxy:3128', 'https://proxy.example/', 'http://user:p%40ss@10.0.0.1:3128', 'http://[fd00::1]:3128'],
    ['proxy:3128', 'socks5://proxy', 'http://', 'http://proxy/path', 'http://proxy/?a=b', 'http://proxy/#a', 'http://user:%zz@proxy'],
  ],
  ['NO_PROXY', ['*', '.svc,.cluster.local', 'a.example:8443, *.b.example', '10.0.0.1,[::1]:443'], ['a;b', 'a\nb', 'bücher.example']],
  ['LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], ['verbose', 'INFO']],
];
for (const [name, good, bad] of table) {
  values(`${name} takes ${good.join(' | ')}`, () => {
    for (const value of good) assert.equal(problemsOf({ [name]: value }), [], value);
  });
  values(`${name} refuses ${bad.join(' | ')}, without repeating it`, () => {
    for (const value of bad) {
      const problems = problemsOf({ [name]: value });
      assert.is(problems.length, 1, `${JSON.stringify(value)} gives ${JSON.stringify(problems)}`);
      assert.ok(problems[0]?.startsWith(`${name} must be `), problems[0]);
    }
  });
}

const marker = 'zq-9-marker!{';
values('a refused value is never repeated', () => {
  for (const [name] of table) {
    const told = problemsOf({ [name]: `${marker} ${marker}\n` }).join();
    assert.not.ok(told.includes('zq-9'), told);
  }
});
values.run();
