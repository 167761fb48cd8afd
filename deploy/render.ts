import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { withFieldTables } from './fields.ts';

// `npm run render`: deploy/install.yaml from its parts, and the tables of fields in crds/README.md from the definitions beside it. With
// --check it only compares, and fails when they differ.

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

const FIELDS = 'crds/README.md';
const results: [file: string, text: string][] = [
  [WHOLE, rendered],
  [FIELDS, withFieldTables(read(FIELDS), new URL('crds/', root))],
];
for (const [file, text] of results) {
  if (!process.argv.includes('--check')) writeFileSync(new URL(file, root), text);
  else if (read(file) !== text) {
    process.stderr.write(`${file} differs from what it is made of: npm run render\n`);
    process.exitCode = 1;
  }
}
