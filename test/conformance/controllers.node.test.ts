import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { restClient } from '../support/cluster/rest.ts';
import { CONTROLLERS, type Told, tellAll } from './cases/controllers.ts';
import { certifiedClient, type TestServer } from './servers.ts';

/** Compares the controllers of a real cluster and of the sandbox with `answers/controllers.json`, a recording from a real cluster. */

const SPEED = 5;
const recorded = JSON.parse(readFileSync(new URL('answers/controllers.json', import.meta.url), 'utf8')) as Record<string, Told>;

async function servers(): Promise<TestServer[]> {
  const { url, close } = await startSandbox({ speed: SPEED });
  const sandbox = { name: 'sandbox', client: restClient(url), close };
  const kubeconfig = process.env['TEST_KUBECONFIG'];
  if (kubeconfig) return [sandbox, { name: 'real cluster', ...certifiedClient(readFileSync(kubeconfig, 'utf8')) }];
  console.log('SKIP conformance of controllers on a real cluster: TEST_KUBECONFIG is not set');
  return [sandbox];
}

for (const { name, client, close } of await servers()) {
  const test = suite(`controllers as Podmend relies on them: ${name}`);
  let told: Map<string, Told | Error>;
  test.before(async () => {
    told = await tellAll(client);
  });
  test.after(close);
  for (const { sentence } of CONTROLLERS)
    test(sentence, () => {
      const answer = told.get(sentence);
      if (answer instanceof Error) throw answer;
      assert.equal(JSON.parse(JSON.stringify(answer)), recorded[sentence]);
    });
  test.run();
}
