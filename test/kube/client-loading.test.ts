import { registerHooks } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadClientInParts } from '../../src/kube/client-loading.ts';
import { createLog } from '../../src/log.ts';
import { fakeApi } from '../support/fake-api.ts';

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
  const { connect } = await import('../../src/kube/connect.ts');
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

loading.run();
