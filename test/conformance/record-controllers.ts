import { readFileSync, writeFileSync } from 'node:fs';
import { tellAll } from './cases/controllers.ts';
import { certifiedClient } from './servers.ts';

// `node test/conformance/record-controllers.ts` with TEST_KUBECONFIG records what the controllers of a real cluster do.

const { client, close } = certifiedClient(readFileSync(process.env['TEST_KUBECONFIG'] as string, 'utf8'));
const told = await tellAll(client);
const lines = [...told].map(([sentence, answer]) => {
  if (answer instanceof Error) throw answer;
  return `${JSON.stringify(sentence)}: ${JSON.stringify(answer)}`;
});
writeFileSync(new URL('answers/controllers.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
await close();
