#!/usr/bin/env node
// Plain JavaScript, so that an older Node can say what is wrong. Starts main.ts in the repository, the emitted dist/ in a package.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  const own = ['x64', 'arm64'].some((cpu) => existsSync(new URL(`../node_modules/node-linux-${cpu}`, import.meta.url)));
  const how = own ? 'npm scripts here have it (npm run demo), or put node_modules/.bin first on PATH' : 'npm ci brings it here, on Linux';
  process.stderr.write(`podmend needs Node 24.7 or newer, this is ${process.version}: ${how}\n`);
  process.exit(1);
}
// Under load the heap may hold this much more than what lives; left to itself it grows to several times that before it is swept.
v8.setFlagsFromString('--heap-growing-percent=40');
const inRepository = existsSync(new URL('./main.ts', import.meta.url));
// Where types are stripped the result is kept beside the packages: the next start is faster and 15 MB smaller. Plain JavaScript is
// 10 MB smaller without: what the last run compiled would be loaded whole, needed or not.
if (inRepository) module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/podmend', import.meta.url)));
await import(inRepository ? './main.ts' : '../dist/main.js');
