import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord } from '../../src/contract/failure.ts';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import { findKubectl } from '../support/cluster/kubectl.ts';
import { apiClient } from '../support/network/client.ts';
import { type DemoProcess, startDemo } from '../support/processes/demo.ts';
import { until } from '../support/runner/wait.ts';

// Runs the commands of README.md on the demo, as a newcomer types them.

const run = promisify(execFile);
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The first command block below a text of README.md, with each `from` replaced by `to`. Throws if the block or a `from` is missing. */
function commandsBelow(text: string, replacements: [from: string | RegExp, to: string][]): string {
  const [, block] = /```sh\n([^]*?)^```$/m.exec(readme.split(text)[1] ?? '') ?? [];
  assert.ok(block, `README.md has commands below "${text}"`);
  return replacements.reduce((commands, [from, to]) => {
    assert.ok(commands.match(from), `the commands below "${text}" contain ${from}`);
    return commands.replace(from, to);
  }, block);
}

const test = suite('the commands of README.md');
const tools = ['bash', 'curl'].filter((tool) => !(process.env['PATH'] ?? '').split(delimiter).some((path) => existsSync(join(path, tool))));
let demo: DemoProcess;
let folder: string;
let url: string;
let kubeconfig: string;
let path: string;

test.before(async () => {
  const kubectl = await findKubectl();
  if ('missing' in kubectl) throw new Error(kubectl.missing);
  path = `${dirname(kubectl.path)}${delimiter}${process.env['PATH']}`;
  folder = await mkdtemp(join(tmpdir(), 'podmend-readme-'));
  demo = await startDemo();
  ({ url, kubeconfig } = demo);
});
test.after(async () => {
  assert.is(await demo?.stop(), 0, demo?.output());
  await rm(folder, { recursive: true, force: true });
});

const shell = async (commands: string): Promise<string> => {
  const { stdout } = await run('bash', ['-euc', commands], { cwd: folder, env: { PATH: path, HOME: folder }, timeout: 240_000 });
  return stdout;
};

test('with kubectl, and at the same time with curl, lead to the verdict Fixed', async () => {
  const withKubectl = async () => {
    const commands = commandsBelow('**With kubectl**', [['export KUBECONFIG=…', `export KUBECONFIG=${kubeconfig}`]]);
    const stdout = await shell(commands);
    assert.match(stdout, /mirrorpod\.podmend\.dev\/payments-try condition met/);
    assert.match(stdout, /payments-try +payments-\S+ +Running +Fixed/);
  };
  const withCurl = async () => {
    const [signup = '', list = '', rest = ''] = commandsBelow('**With curl:**', [['url=http://127.0.0.1:8000', `url=${url}`]]).split(
      /(?<=signup\n)|(?=^id=1)/m,
    );
    await shell(signup);
    const login = /'(\{"username".*?\})'/.exec(signup)?.[1] ?? '{}';
    const client = apiClient(url);
    await client.send('POST', '/api/auth/login', JSON.parse(login) as object);
    const find = async () => (await client.get<FailureRecord[]>('/api/pods/failed?q=payments'))[0]?.id;
    const id = await until(find, { what: 'the record of payments', timeoutMs: 60_000 });
    assert.match(await shell(`url=${url}\n${list}`), `"id":${id},`);
    const commands = rest.replace('id=1', `id=${id}`);
    const lastLine = commands.trimEnd().split('\n').at(-1) ?? '';
    await shell(`url=${url}\n${commands}`);
    const isFixed = async (): Promise<boolean> => {
      const mirrors = JSON.parse(await shell(`url=${url}\n${lastLine}`)) as MirrorRecord[];
      return mirrors.some(({ pod_id, verdict }) => pod_id === id && verdict === 'Fixed');
    };
    await until(isFixed, { what: 'the verdict Fixed in the list of active mirrors', timeoutMs: 180_000, everyMs: 1_000 });
  };
  await Promise.all([withKubectl(), withCurl()]);
});

if (tools.length === 0) test.run();
else console.log(`SKIP the commands of README.md: no ${tools.join(', ')} on this machine`);
