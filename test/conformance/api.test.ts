import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadManifest } from '../../src/crd/manifest.ts';
import { until } from '../support/wait.ts';
import { CASES } from './cases.ts';
import { startServers } from './servers.ts';

const definition = loadManifest(readFileSync(new URL('../sandbox/widgets.yaml', import.meta.url), 'utf8'));

for (const { name, client, close } of await startServers('conformance of the API')) {
  const test = suite(`the API as Podmend relies on it: ${name}`);

  test.before(async () => {
    await client.create(definition);
    await until(() => client.get('/apis/test.dev/v1/namespaces/default/widgets'), { what: 'widgets to be served', timeoutMs: 10_000 });
  });
  test.after(close);

  for (const { sentence, steps } of CASES)
    test(sentence, async () => {
      for (const { request, code, message, reason, pick, equals } of steps) {
        const { status, body } = await client.request(...request);
        const what = `${request[0]} ${request[1]}`;
        assert.is(status, code, `${what}: ${JSON.stringify(body)}`);
        if (message !== undefined) assert.is(body.message, message, what);
        if (reason !== undefined) assert.is(body.reason, reason, what);
        if (pick) assert.equal(pick(body), equals, what);
      }
    });

  test.run();
}
