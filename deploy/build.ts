import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildDashboard, compress } from './dashboard.ts';

// `npm run build` writes dist: src as plain JavaScript with the files that it reads, the dashboard, and the bundle of /redoc. dist has the
// layout of src, so that relative paths work in both.

const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));

rmSync(path('dist'), { recursive: true, force: true });
execFileSync(path('node_modules/.bin/tsc'), ['-p', path('deploy')], { stdio: 'inherit' });
for (const file of globSync('**/*.{yaml,json}', { cwd: path('src'), exclude: ['dashboard/**'] }))
  cpSync(path(`src/${file}`), path(`dist/${file}`));
mkdirSync(path('dist/redoc'), { recursive: true });
for (const name of ['redoc.standalone.js', 'redoc.standalone.js.LICENSE.txt'])
  cpSync(path(`node_modules/redoc/bundles/${name}`), path(`dist/redoc/${name}`));
compress(path('dist/redoc/redoc.standalone.js'));
await buildDashboard();
