import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';

// `npm run check` runs all static checks and prints each name and result. The exit code is non-zero if one of them fails.

const root = new URL('../../../', import.meta.url);
const node = process.execPath;
const tool = (path: string): string => new URL(`node_modules/.bin/${path}`, root).pathname;

const checks: [string, ...[string, ...string[]]][] = [
  ['format', tool('oxfmt'), '--check'],
  ['lint', tool('oxlint'), '--type-aware', '--deny-warnings', '--quiet'],
  ['types', tool('tsc'), '-p', '.'],
  ['types of the dashboard', tool('tsc'), '-p', 'src/dashboard'],
  ['unused code', tool('knip'), '--no-config-hints'],
  ['import directions', node, 'test/architecture.test.ts'],
  ['documents agree with the code', node, 'test/documents.test.ts'],
  ['rendered files equal their sources', node, 'deploy/render.ts', '--check'],
  ...globSync('test/crd/*.test.ts', { cwd: root.pathname })
    .sort()
    .map((file): [string, string, string] => [`kinds equal their types (${file})`, node, file]),
];

let failed = 0;
for (const [name, command, ...args] of checks) {
  const begun = performance.now();
  const { code, output } = await outcome(command, args);
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}  ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '     | '));
  failed += code === 0 ? 0 : 1;
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function outcome(command: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
