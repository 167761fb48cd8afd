import { globSync } from 'node:fs';
import type { Bench } from './bench.ts';

// `npm run bench [-- name…]`: runs the benches of this folder one after the other, each in this process. Nothing is asserted.

const files = globSync('*.ts', { cwd: new URL('.', import.meta.url).pathname }).filter((file) => !['run.ts', 'bench.ts'].includes(file));
const benches = await Promise.all(files.sort().map(async (file) => (await import(`./${file}`)) as Partial<Bench>));
const wanted = process.argv.slice(2);
const chosen = benches.filter(isBench).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const out = (line = ''): void => console.log(line);

if (chosen.length === 0) {
  out(`no bench named ${wanted.join(', ') || 'anything'}; there are: ${benches.flatMap(({ name }) => name ?? []).join(', ')}`);
  process.exitCode = 2;
}
for (const { name, run } of chosen) {
  out(`\n## ${name}\n`);
  try {
    await run(out);
  } catch (error) {
    out(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 1;
  }
}

function isBench(bench: Partial<Bench>): bench is Bench {
  return typeof bench.name === 'string' && typeof bench.run === 'function';
}
