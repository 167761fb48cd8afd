import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { findKubectl, type Said } from '../support/cluster/kubectl.ts';
import { until } from '../support/runner/wait.ts';

/** The second command name of the package, found on the PATH, makes it a kubectl plugin. */
const plugin = suite('kubectl podmend');
const found = await findKubectl();
const folder = mkdtempSync(join(tmpdir(), 'podmend-plugin-'));
const kubeconfig = join(folder, 'kubeconfig');
let sandbox: Sandbox;
let client: KubeClient;

plugin.before(async () => {
  sandbox = await startSandbox({ speed: 20 });
  client = connect({ kubeconfigText: sandbox.kubeconfig });
  writeFileSync(kubeconfig, sandbox.kubeconfig);
  for (const name of ['kubectl-podmend', 'podmend'])
    symlinkSync(fileURLToPath(new URL('../../src/podmend.js', import.meta.url)), join(folder, name));
  const [, script = ''] =
    /^```sh\n(#!\/bin\/sh\n[^]*?)^```$/m.exec(readFileSync(new URL('../../deploy/README.md', import.meta.url), 'utf8')) ?? [];
  writeFileSync(join(folder, 'kubectl_complete-podmend'), script);
  chmodSync(join(folder, 'kubectl_complete-podmend'), 0o755);
  await client.create(KINDS.namespace, { metadata: { name: 'shop' } });
  const command = ['sh', '-c', 'echo "panic: index out of range"; exit 3'];
  await client.create<Pod>(KINDS.pod, {
    metadata: { name: 'crashing', namespace: 'shop' },
    spec: { containers: [{ name: 'app', image: 'busybox:1.35', command }] },
  });
  const waiting = async () => (await client.read(KINDS.pod, 'shop', 'crashing'))?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
  await until(async () => (await waiting()) === 'CrashLoopBackOff', { what: 'a crash' });
});
plugin.after(async () => {
  client.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const kubectl = (...args: string[]): Promise<Said> => run('path' in found ? found.path : '', args);

async function run(program: string, args: string[]): Promise<Said> {
  const path = [folder, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const child = spawn(program, args, { env: { PATH: path, HOME: folder, KUBECONFIG: kubeconfig } });
  const said: Said = { code: 0, stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (said.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.stderr += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...said, code: code ?? 1 };
}

if ('missing' in found) console.log(`SKIP kubectl podmend: ${found.missing}`);
else {
  plugin('why says why a pod fails, through the kubeconfig that kubectl has, without colours in a pipe', async () => {
    const { code, stdout, stderr } = await kubectl('podmend', 'why', 'crashing', '-n', 'shop');
    assert.equal([code, stderr.replace(/^error: exit status 1\n?/, '')], [1, '']);
    assert.match(stdout, /^# shop\/crashing: CrashLoopBackOff\n\n- \*\*What happened:\*\* /);
    assert.match(stdout, /\*\*Culprit:\*\* `panic: index out of range`/);
    // oxlint-disable-next-line no-control-regex
    assert.not.match(stdout, /\u001b/);
  });

  plugin('knows its own help, and ends with 2 on bad input', async () => {
    assert.match((await kubectl('podmend', 'why', '--help')).stdout, /kubectl podmend why/);
    const { code, stderr } = await kubectl('podmend', 'why', 'gone', '-n', 'shop');
    assert.is(code, 2);
    assert.match(stderr, /there is no pod "gone" in namespace "shop"/);
  });

  plugin('kubectl completes names with the script of the documents', async () => {
    const { stdout } = await kubectl('__complete', 'podmend', 'why', '-n', 'shop', 'cra');
    assert.match(stdout, /^crashing$/m);
    assert.match((await kubectl('__complete', 'podmend', 'why', '-n', 'shop', 'crashng')).stdout, /^crashing$/m);
  });

  plugin('bash completes modes, options and names, similar ones too', async () => {
    const script = join(folder, 'completion.bash');
    writeFileSync(script, (await run('podmend', ['completion', 'bash'])).stdout);
    const typed = async (...words: string[]): Promise<string> => {
      const line = 'source "$HOME/completion.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _podmend; printf "%s\\n" "${COMPREPLY[@]}"';
      return (await run('bash', ['-c', line, 'bash', 'podmend', ...words])).stdout.trim();
    };
    assert.is(await typed('diagn'), 'diagnose');
    assert.is(await typed('why', '--secr'), '--secret-names');
    assert.is(await typed('why', '-n', 'sh'), 'shop');
    assert.is(await typed('why', '-n', 'shop', 'pod/crashng'), 'pod/crashing');
    assert.is(await typed('why', '-n', 'nowhere', 'x'), '');
  });

  plugin('kubectl lists it among its plugins', async () => {
    assert.match((await kubectl('plugin', 'list')).stdout, /kubectl-podmend$/m);
  });
}

plugin.run();
