import { readFileSync, writeFileSync } from 'node:fs';
import { loadManifest } from '../../src/crd/manifest.ts';
import { until } from '../support/runner/wait.ts';
import { AREAS } from './areas.ts';
import { ask, furnish } from './ask.ts';
import { realServer } from './servers.ts';

// `node test/conformance/record.ts` with KUBEBUILDER_ASSETS records the real API server's answers to every case.

const { client, close } = await realServer();
await furnish(client, 'default');
await client.create(loadManifest(readFileSync(new URL('../sandbox/widgets.yaml', import.meta.url), 'utf8')));
await until(() => client.get('/apis/test.dev/v1/namespaces/default/widgets'), { what: 'widgets to be served', timeoutMs: 10_000 });
for (const [area, cases] of Object.entries(AREAS)) {
  const parts: string[] = [];
  for (const one of cases) {
    const answers = await ask(client, one);
    parts.push(`${JSON.stringify(one.sentence)}: [\n${answers.map((answer) => JSON.stringify(answer)).join(',\n')}\n]`);
  }
  writeFileSync(new URL(`answers/${area}.json`, import.meta.url), `{\n${parts.join(',\n')}\n}\n`);
}
await close();
