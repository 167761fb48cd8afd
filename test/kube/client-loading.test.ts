import { registerHooks } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadClientInParts } from '../../src/kube/client-loading.ts';
import { createLog } from '../../src/log.ts';
import { fakeApi } from '../support/cluster/fake-api.ts';

const loading = suite('loading of the Kubernetes client');

loading('nothing generated is loaded, and what is loaded reaches a cluster', async () => {
  const loaded: string[] = [];
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      loaded.push(found.url);
      return found;
    },
  });
  loadClientInParts();
  const { connect } = await import('../../src/kube/client.ts');
  const { KINDS } = await import('../../src/kube/kinds.ts');
  const { podmendOperator } = await import('../../src/kube/operator.ts');
  const api = await fakeApi();
  const client = connect({ kubeconfigText: api.kubeconfigText });
  const operator = podmendOperator(client, createLog({ level: 'silent' }));
  try {
    api.put('a');
    const pods = await client.list(KINDS.pod);
    assert.equal(
      pods.map(({ metadata }) => metadata.name),
      ['a'],
    );
    await operator.start();
    const generated = loaded.filter((url) => /client-node\/dist\/gen\/(models|apis|types)\//.test(url));
    assert.equal(generated, []);
    assert.ok(
      loaded.some((url) => url.endsWith('/@dot-i/k8s-operator/dist/operator.js')),
      'the base of the operator is there',
    );
  } finally {
    await operator.drain();
    client.close();
    await api.close();
  }
});

loading('the internals that Podmend uses exist: an update of the package that moves them fails here', async () => {
  const parts = await import('../../src/kube/client-parts.ts');
  const whole = await import(import.meta.resolve('@kubernetes/client-node/dist/index.js').replace(/\?.*/, ''));
  for (const name of ['KubeConfig', 'HttpMethod', 'RequestContext', 'createConfiguration', 'ServerConfiguration'] as const)
    assert.is(parts[name], whole[name], name);
  // pool.ts replaces `createDispatcher`, and calls `createDispatcherOptions` to learn which options the client would use.
  for (const method of ['createDispatcher', 'createDispatcherOptions', 'addAuthenticator', 'applySecurityAuthentication'] as const)
    assert.type((parts.KubeConfig.prototype as unknown as Record<string, unknown>)[method], 'function', method);
  const config = new parts.KubeConfig();
  const cluster = { name: 'k', server: 'http://127.0.0.1:1', skipTLSVerify: true };
  config.loadFromClusterAndUser(cluster, { name: 'u', token: 't' });
  const given = {} as never;
  let asked = 0;
  Object.assign(config, { createDispatcher: () => (asked++, given) });
  const context = new parts.RequestContext('http://127.0.0.1:1/', parts.HttpMethod.GET);
  await config.applySecurityAuthentication(context);
  assert.is(context.getDispatcher(), given, 'the dispatcher of our pool is used');
  assert.equal([asked, context.getHeaders()['Authorization']], [1, 'Bearer t']);
});

loading.run();
