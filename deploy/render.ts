import { globSync, readFileSync, writeFileSync } from 'node:fs';

// `npm run render`: deploy/install.yaml out of its parts. With --check it only compares, and fails when they differ.

const root = new URL('../', import.meta.url);
const WHOLE = 'deploy/install.yaml';
/** In the order of need: the kinds first, then the namespace and the rights, then what runs. */
const PARTS = ['crds/*.yaml', 'deploy/base/*.yaml', 'deploy/workloads/*.yaml'];
const HEADER = `# Everything that Podmend needs in a cluster, rendered from ${PARTS.join(', ')} by npm run render:
# change those, not this.
`;

const files = PARTS.flatMap((pattern) => globSync(pattern, { cwd: root.pathname }).sort());
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const rendered = HEADER + files.map((file) => `---\n${read(file).trimEnd()}\n`).join('');

if (!process.argv.includes('--check')) writeFileSync(new URL(WHOLE, root), rendered);
else if (read(WHOLE) !== rendered) {
  process.stderr.write(`${WHOLE} is not what its parts say: npm run render\n`);
  process.exitCode = 1;
}
