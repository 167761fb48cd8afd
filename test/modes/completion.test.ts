import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCompletion } from '../../src/modes/completion.ts';
import { SHELL_SCRIPTS } from '../../src/modes/offline/shell-scripts.ts';
import { spoken } from '../support/processes/command.ts';

const test = suite('podmend completion');

const folder = mkdtempSync(join(tmpdir(), 'podmend-completion-'));
const kubeconfig = join(folder, 'kubeconfig');
const asked: string[] = [];
let server: Server;
/** The names in each collection. What is not here may not be listed. */
const NAMES: Record<string, string[]> = {
  '/api/v1/namespaces': ['shop', 'shed', 'bank'],
  '/api/v1/namespaces/shop/pods': ['payments-1', 'web-1'],
  '/apis/apps/v1/namespaces/shop/deployments': ['payments', 'web'],
  '/apis/apps/v1/namespaces/shop/replicasets': ['payments-abc'],
  '/apis/batch/v1/namespaces/shop/jobs': ['pay-once'],
  '/api/v1/namespaces/bank/pods': ['vault'],
};
test.before(async () => {
  server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    asked.push(`${path}?${query}`);
    const items = NAMES[path]?.map((name) => ({ metadata: { name } }));
    response.writeHead(items ? 200 : 403).end(JSON.stringify(items ? { items, metadata: { resourceVersion: '1' } } : {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const contexts = ['shop', 'bank'].map((namespace) => ({ name: namespace, context: { cluster: 'c', user: 'u', namespace } }));
  const clusters = [{ name: 'c', cluster: { server: url, 'insecure-skip-tls-verify': true } }];
  writeFileSync(
    kubeconfig,
    JSON.stringify({ 'current-context': 'shop', contexts, clusters, users: [{ name: 'u', user: { token: 't' } }] }),
  );
});
test.after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** The completions of the last word, and the directive. */
async function words(...typed: string[]): Promise<string[]> {
  const { code, stdout } = await spoken(runCompletion, ['words', '--', 'why', '--kubeconfig', kubeconfig, ...typed]);
  assert.is(code, 0);
  assert.ok(stdout.endsWith('\n'));
  return stdout.trimEnd().split('\n');
}

const KINDS = ['pod/', 'deployment/', 'replicaset/', 'statefulset/', 'daemonset/', 'job/'];
const WORDS: [what: string, typed: string[], offered: string[]][] = [
  [
    'pods and workloads of the context, without ReplicaSets, then kinds',
    [''],
    ['payments-1', 'web-1', 'payments', 'web', 'pay-once', ...KINDS, ':4'],
  ],
  ['those that begin with what is typed', ['payments'], ['payments-1', 'payments', ':4']],
  ['kinds alone: no blank follows', ['deplo'], ['deployment/', ':6']],
  ['one kind, behind the word that is typed', ['deploy/p'], ['deploy/payments', ':4']],
  ['ReplicaSets if they are meant', ['rs', 'p'], ['payments-abc', ':4']],
  ['a kind that may not be listed: nothing', ['sts', 'p'], [':4']],
  ['another namespace', ['-n', 'bank', 'v'], ['vault', ':4']],
  ['another namespace by its long name', ['--namespace', 'bank', 'v'], ['vault', ':4']],
  ['the namespace of another context', ['--context', 'bank', 'v'], ['vault', ':4']],
  ['namespaces', ['-n', 'sh'], ['shop', 'shed', ':4']],
  ['contexts of the kubeconfig that is typed', ['--context', ''], ['shop', 'bank', ':4']],
  ['files', ['--kubeconfig', ''], [':0']],
  ['a cluster that is away: nothing', ['--kubeconfig', join(folder, 'none'), 'x'], [':4']],
];
for (const [what, typed, offered] of WORDS) test(`offers ${what}`, async () => assert.equal(await words(...typed), offered));

test('asks for at most 500 names', async () => {
  asked.length = 0;
  await words('po', '');
  assert.equal(asked, ['/api/v1/namespaces/shop/pods?limit=500']);
});

for (const shell of ['bash', 'zsh', 'fish'])
  test(`prints the script for ${shell}, which asks podmend for the words`, async () => {
    const { code, stdout } = await spoken(runCompletion, [shell]);
    assert.equal([code, stdout], [0, SHELL_SCRIPTS[shell]]);
    assert.match(stdout, 'podmend completion words -- ');
    assert.match(stdout, shell === 'fish' ? /^complete -c podmend /m : /^(?:complete|compdef) .*podmend$/m);
  });

for (const argv of [[], ['tcsh'], ['constructor'], ['bash', '--'], ['words'], ['words', 'x']])
  test(`refused: ${argv.join(' ') || 'nothing'}`, async () => {
    const { code, stdout, stderr } = await spoken(runCompletion, argv);
    assert.equal([code, stdout, stderr], [2, '', 'podmend completion: name a shell: bash, zsh, fish\n']);
  });

test.run();
