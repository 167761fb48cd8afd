import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench, Tree } from './bench.ts';

// `npm run bench [-- name…] [--against COMMIT]` runs the benches of this folder one after the other, in this process. They assert
// nothing. With a commit, benches that compare also measure its operator, in turn with this one. So a slow machine slows both.

const files = globSync('*.ts', { cwd: new URL('.', import.meta.url).pathname }).filter((file) => !['run.ts', 'bench.ts'].includes(file));
const benches = await Promise.all(files.sort().map(async (file) => (await import(`./${file}`)) as Partial<Bench>));
const {
  positionals: wanted,
  values: { against },
} = given();
const root = fileURLToPath(new URL('../../', import.meta.url));
const chosen = benches.filter(isBench).filter(({ name, compares }) => (wanted.length === 0 ? !against || compares : wanted.includes(name)));
const out = (line = ''): void => console.log(line);

if (chosen.length === 0) {
  out(`no bench named ${wanted.join(', ') || 'anything'}; there are: ${benches.flatMap(({ name }) => name ?? []).join(', ')}`);
  process.exitCode = 2;
}
const here: Tree = { name: 'this', launcher: join(root, 'src/podmend.js') };
const other = against ? checkOut(against) : undefined;
try {
  for (const { name, compares, run } of chosen) {
    out(`\n## ${name}${other && !compares ? ` (${other.tree.name} is left out)` : ''}\n`);
    try {
      await run(out, other && compares ? [here, other.tree] : [here]);
    } catch (error) {
      out(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      process.exitCode = 1;
    }
  }
} finally {
  other?.remove();
}

/** Checks out another commit into a new folder. It uses the packages of this checkout. */
function checkOut(commit: string): { tree: Tree; remove(): void } {
  const folder = join(mkdtempSync(join(tmpdir(), 'podmend-against-')), 'tree');
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { cwd: root, stdio: 'inherit' });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    tree: { name: commit, launcher: join(folder, 'src/podmend.js') },
    remove() {
      execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root, stdio: 'inherit' });
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
}

function isBench(bench: Partial<Bench>): bench is Bench {
  return typeof bench.name === 'string' && typeof bench.run === 'function';
}

/** The arguments. Ends the process with 2 for an option that there is not. */
function given(): { positionals: string[]; values: { against?: string } } {
  try {
    return parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
