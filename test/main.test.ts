import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import packageJson from '../package.json' with { type: 'json' };
import { MODES } from '../src/modes/index.ts';
import { until } from './support/runner/wait.ts';

const launcher = fileURLToPath(new URL('../src/podmend.js', import.meta.url));

/** Processes that a failed test left running. They would keep this file open. */
const running = new Set<ChildProcess>();
test.after(() => {
  for (const child of running) child.kill('SIGKILL');
});

interface Started {
  out(): string;
  err(): string;
  kill(signal: NodeJS.Signals): void;
  code: Promise<number | null>;
}

function start(args: string[], env: Record<string, string> = {}, flags: string[] = []): Started {
  const inherited = process.execArgv.filter((flag) => flag === '--liftoff-only');
  const child = spawn(process.execPath, [...inherited, ...flags, launcher, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const code = once(child, 'close').then(([value]) => {
    running.delete(child);
    return value as number | null;
  });
  return { out: () => out, err: () => err, kill: (signal) => child.kill(signal), code };
}

/** Arguments, environment, exit code, and the one line on standard error. */
const refusals: [string, string[], Record<string, string>, number, RegExp][] = [
  [
    'an unknown mode',
    ['opperator'],
    {},
    2,
    /^podmend: unknown mode "opperator" \(did you mean operator\?\): podmend --help lists them all$/m,
  ],
  ['a mode with the name of an object’s property', ['constructor'], {}, 2, /^podmend: unknown mode "constructor"/],
  ['an argument that a mode does not take', ['sandbox', '--port=1'], {}, 2, /^podmend: podmend sandbox takes no arguments.*"--port=1"$/m],
  [
    'bad configuration',
    ['migrate'],
    { PORT: 'hunter2', LOG_LEVEL: 'loud' },
    1,
    /^podmend: bad configuration: PORT must be .*; LOG_LEVEL must be /,
  ],
  ['a data folder that cannot be created', ['migrate'], { DATA_DIR: '/dev/null/data' }, 1, /^podmend: ENOTDIR: .*\/dev\/null\/data/],
  [
    'a database that is away',
    ['migrate'],
    { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
    1,
    /^podmend: Database not available: .*ECONNREFUSED/,
  ],
];
for (const [name, args, env, code, words] of refusals) {
  test(`${name}: one clear line and ${code}`, async () => {
    const process = start(args, env);
    assert.is(await process.code, code);
    assert.match(process.err(), words);
    assert.is(process.err().trim().split('\n').length, 1, process.err());
    assert.not.match(process.err() + process.out(), 'hunter2');
  });
}

test('an address in use ends a demo before it begins, with one line, and leaves nothing', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'podmend-main-'));
  try {
    const process = start(['demo'], { PORT: String((taken.address() as AddressInfo).port), TMPDIR: folder });
    assert.is(await process.code, 1);
    assert.match(process.err(), /^podmend: listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+: PORT chooses another port\n$/);
    assert.equal(await readdir(folder), []);
  } finally {
    taken.close();
    await rm(folder, { recursive: true });
  }
});

test('npm hands its SIGTERM to the mode itself: no shell stands between', () => {
  const { demo, start: operator } = packageJson.scripts;
  assert.equal(
    [demo, operator],
    ['demo', 'operator'].map((mode) => `exec env MALLOC_ARENA_MAX=2 node --max-semi-space-size=16 src/podmend.js ${mode}`),
  );
});

test('an older Node is turned away before anything of ours is loaded', async () => {
  const pretend = ['--import', 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"24.6.9"})'];
  const process = start(['--version'], {}, pretend);
  assert.is(await process.code, 1);
  assert.match(process.err(), /^podmend needs Node 24\.7 or newer, .*\n$/);
  assert.is(process.out(), '');
});

test('--version and --help answer and end; each mode tells how it is used', async () => {
  const [version, help, mode] = [start(['--version']), start(['--help']), start(['sandbox', '--help'])];
  assert.equal(await Promise.all([version.code, help.code, mode.code]), [0, 0, 0]);
  assert.match(version.out(), /^\d+\.\d+\.\d+\n$/);
  for (const [name, { summary }] of Object.entries(MODES)) assert.match(help.out(), new RegExp(`^  ${name} +\\S`, 'm'), summary);
  assert.match(mode.out(), 'Usage: podmend sandbox');
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends a running mode with 0, and nothing of it is left`, async () => {
    const process = start(['sandbox']);
    const kubeconfig = await until(() => /^kubeconfig: (.+)$/m.exec(process.out())?.[1], {
      what: () => `the kubeconfig in ${process.out()}${process.err()}`,
    });
    await access(kubeconfig);
    process.kill(signal);
    assert.is(await process.code, 0);
    assert.is(
      await access(kubeconfig).then(
        () => true,
        () => false,
      ),
      false,
    );
  });
}

test('SIGTERM ends an operator with 0 that still waits for its database', async () => {
  const process = start(['operator'], { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', SERVICE_TOKEN: 'token-of-a-process', PORT: '0' });
  await until(() => process.out().includes('waiting for the database'), {
    what: () => `the wait for the database in ${process.out()}${process.err()}`,
  });
  process.kill('SIGTERM');
  assert.is(await process.code, 0);
});

for (const [code, ms, what] of [
  [0, 1, 'that npm passes on at once is the same one'],
  [1, 1_200, 'a second later ends it at once'],
] as const)
  test(`a SIGINT again ${what}`, async () => {
    const process = start(['operator'], { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', SERVICE_TOKEN: 'token-of-a-process', PORT: '0' });
    await until(() => process.out().includes('waiting for the database'), {
      what: () => `the wait for the database in ${process.out()}${process.err()}`,
    });
    process.kill('SIGINT');
    await sleep(ms);
    process.kill('SIGINT');
    assert.is(await process.code, code);
  });

test.run();
