import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildDashboard } from './dashboard.ts';

// `npm run build`: src as plain JavaScript in dist, with the files that it reads beside it, and the dashboard. A path from dist leads where it leads from src.

const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));

rmSync(path('dist'), { recursive: true, force: true });
execFileSync(path('node_modules/.bin/tsc'), ['-p', path('deploy')], { stdio: 'inherit' });
for (const file of globSync('**/*.{yaml,json}', { cwd: path('src'), exclude: ['dashboard/**'] }))
  cpSync(path(`src/${file}`), path(`dist/${file}`));
await buildDashboard();
