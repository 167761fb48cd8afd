import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Instruction, stagesOf, variablesOf } from './dockerfile.ts';

// `node test/support/cluster/image.ts ROOTFS` follows deploy/Dockerfile on a machine without docker and registry. The first stage runs in a
// temporary folder. ROOTFS gets what the last stage copies, on top of this machine's Node instead of the base image. Prints the image's
// configuration as JSON.

const root = new URL('../../../', import.meta.url).pathname;
/** The path of Node in the Dockerfile's base image. */
const NODE = '/nodejs/bin/node';

interface ImageConfig {
  User?: string;
  WorkingDir?: string;
  Env: string[];
  Entrypoint?: string[];
  Cmd?: string[];
}

const [rootfs] = process.argv.slice(2);
if (!rootfs) throw new Error('usage: node test/support/cluster/image.ts ROOTFS');
const [first = [], last = []] = stagesOf(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'));
const machine = mkdtempSync(join(tmpdir(), 'podmend-image-'));
try {
  build(first, machine);
  addNode(rootfs);
  process.stdout.write(`${JSON.stringify(finish(last, machine, rootfs))}\n`);
} finally {
  rmSync(machine, { recursive: true, force: true });
}

/** Runs a stage in its folder: copies from the checkout and runs commands. */
function build(stage: Instruction[], folder: string): void {
  let cwd = folder;
  for (const [word, rest] of stage) {
    if (word === 'WORKDIR') mkdirSync((cwd = join(folder, rest)), { recursive: true });
    else if (word === 'COPY') copy(rest.split(' '), root, cwd);
    else if (word === 'RUN') execFileSync('sh', ['-c', rest], { cwd, stdio: ['ignore', 2, 2] });
    else throw new Error(`deploy/Dockerfile: ${word} is not known in the first stage`);
  }
}

function finish(stage: Instruction[], from: string, to: string): ImageConfig {
  const config: ImageConfig = { Env: [`PATH=${dirname(NODE)}`] };
  for (const [word, rest] of stage) {
    if (word === 'WORKDIR') config.WorkingDir = rest;
    else if (word === 'COPY') copy(rest.replace('--from=build ', '').split(' '), from, join(to, config.WorkingDir ?? '/'));
    else if (word === 'ENV') config.Env.push(...variablesOf(rest));
    else if (word === 'USER') config.User = rest;
    else if (word === 'ENTRYPOINT') config.Entrypoint = JSON.parse(rest) as string[];
    else if (word === 'CMD') config.Cmd = JSON.parse(rest) as string[];
    else if (word !== 'EXPOSE') throw new Error(`deploy/Dockerfile: ${word} is not known in the last stage`);
  }
  return config;
}

/** Behaves like COPY: a single source becomes the destination, unless the destination ends in a slash. */
function copy(paths: string[], from: string, to: string): void {
  const destination = paths.at(-1) ?? '';
  for (const path of paths.slice(0, -1)) {
    const target = destination.endsWith('/') ? join(to, destination, path.split('/').at(-1) ?? '') : join(to, destination);
    cpSync(join(from, path), target, { recursive: true, verbatimSymlinks: true });
  }
}

/** Copies the Node that runs this, and the libraries that it is linked to. */
function addNode(to: string): void {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  const files: [string, string][] = [...libraries.map((path): [string, string] => [path, path]), [process.execPath, NODE]];
  for (const [from, path] of files) {
    mkdirSync(join(to, dirname(path)), { recursive: true });
    copyFileSync(from, join(to, path));
  }
}
