import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadManifest } from '../../src/crd/manifest.ts';
import { until } from '../support/runner/wait.ts';
import { AREAS } from './areas.ts';
import { type Answered, ask, furnish } from './ask.ts';
import { startServers } from './servers.ts';

/**
 * Sends the same requests to the sandbox and to a real API server. Each masked answer must equal the one in `answers/`, which
 * `record.ts` recorded from a real server. So the sandbox is compared with a real server even when none is available.
 */

const definition = loadManifest(readFileSync(new URL('../sandbox/widgets.yaml', import.meta.url), 'utf8'));

for (const { name, client, close } of await startServers('conformance of the API')) {
  const test = suite(`the API as Podmend relies on it: ${name}`);

  test.before(async () => {
    await furnish(client, 'default');
    await client.create(definition);
    await until(() => client.get('/apis/test.dev/v1/namespaces/default/widgets'), { what: 'widgets to be served' });
  });
  test.after(close);

  for (const [area, cases] of Object.entries(AREAS)) {
    const recorded = JSON.parse(readFileSync(new URL(`answers/${area}.json`, import.meta.url), 'utf8')) as Record<string, Answered[]>;
    for (const one of cases)
      test(`${area}: ${one.sentence}`, async () => {
        const answers = await ask(client, one);
        for (const [i, answer] of answers.entries())
          assert.equal(JSON.parse(JSON.stringify(answer)), recorded[one.sentence]?.[i], `request ${i}: ${answer.request}`);
        assert.is(answers.length, recorded[one.sentence]?.length);
      });
  }

  test.run();
}
