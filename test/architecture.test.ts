import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

// The rules of src/README.md that a test can check in the files. A violation reads "file: what is wrong".

const root = new URL('../', import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const files = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', 'test/captures/**'] }).sort();

const sources = files('src/**/*.{ts,tsx}');

interface Import {
  from: string;
  /** The path of an own file relative to the root, or the name of a package. */
  to: string;
  lazy: boolean;
  typeOnly: boolean;
}

const imports = sources.flatMap(importsOf);

function importsOf(from: string): Import[] {
  const text = read(from);
  const stated = text.matchAll(/^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const lazy = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)(?!\.)/g);
  const target = (name: string): string => (name.startsWith('.') ? normalize(join(dirname(from), name)) : name);
  return [
    ...[...stated].map(([, type, name = '']) => ({ from, to: target(name), lazy: false, typeOnly: type !== undefined })),
    ...[...lazy].map(([, name = '']) => ({ from, to: target(name), lazy: true, typeOnly: false })),
  ];
}

/** Folders inside a subject that hold only decisions: no effects, no clock. */
const PURE_PARTS = [
  'failures/detect',
  'failures/policy',
  'suppressions/policy',
  'chat/policy',
  'mirrors/policy',
  'models/policy',
  'advice/detectors',
  'notifications/types',
  'notifications/policy',
];

/** The first match decides. Layers are numbered from the bottom. A file may import its own layer and the layers below it. */
const LAYERS: [RegExp, string][] = [
  [/^src\/(contract|crd)\//, 'words'],
  [/^src\/(checks|access|graphs|redact|diagnosis)\//, 'pure'],
  [new RegExp(`^src/(${PURE_PARTS.join('|')})/`), 'pure'],
  [/^src\/(config|log|http|events)\.ts$|^src\/(async|kube|db)\//, 'edges'],
  [/^src\/models\/providers\//, 'edges'],
  [/^src\/(agent|chat|failures|mirrors|suppressions|notifications|findings|scanner|advice|models|accounts)\//, 'subjects'],
  [/^src\/(reconcilers|api)\//, 'facade'],
  [/^src\/modes\/|^src\/main\.ts$/, 'modes'],
  [/^src\/sandbox\//, 'sandbox'],
  [/^src\/dashboard\//, 'dashboard'],
];
const ORDER = ['words', 'pure', 'edges', 'subjects', 'facade', 'modes'];

function layerOf(file: string): string {
  return LAYERS.find(([pattern]) => pattern.test(file))?.[1] ?? 'nowhere';
}

/** The folder below src, or the file's own name. By this unit, edges are kept apart. */
function chapterOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function isAllowed(one: Import): boolean {
  if (!one.to.startsWith('src/')) return true;
  const [above, below] = [layerOf(one.from), layerOf(one.to)];
  if (above === below && above !== 'edges') return above !== 'facade' || chapterOf(one.from) === chapterOf(one.to);
  const special = SPECIAL[above]?.(one, below);
  return special ?? (ORDER.includes(below) && ORDER.indexOf(below) < ORDER.indexOf(above));
}

/** The only file of the sandbox that others may import. */
const SANDBOX_ENTRY = 'src/sandbox/sandbox.ts';

/** Exceptions from the order of layers. Undefined: the order decides. */
const SPECIAL: Record<string, (one: Import, below: string) => boolean | undefined> = {
  sandbox: (_one, below) => below === 'words',
  // A file of the contract that loads nothing else brings no package into the browser.
  dashboard: ({ to, typeOnly }) => chapterOf(to) === 'contract' && (typeOnly || loads(to).size === 1),
  modes: ({ to }, below) => (below === 'sandbox' ? to === SANDBOX_ENTRY : undefined),
  edges: ({ from, to }, below) =>
    below === 'edges' ? chapterOf(from) === chapterOf(to) || /^src\/(log|config|http)\.ts$|^src\/async\//.test(to) : undefined,
};

/** Everything that loading `file` loads immediately, packages included. Types and lazy imports are not loaded. */
function loads(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { from, to, lazy, typeOnly } of imports) {
    if (from === file && !lazy && !typeOnly) loads(to, seen);
  }
  return seen;
}

const house = suite('house');

house('every file has its place', () => {
  assert.equal(
    sources.filter((file) => layerOf(file) === 'nowhere'),
    [],
  );
});

house('imports point down', () => {
  const wrong = imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from}: imports ${to}`);
  assert.equal(wrong, []);
});

house('no two folders import each other, types included', () => {
  const between = new Map<string, string>();
  for (const { from, to } of imports) {
    if (to.startsWith('src/') && chapterOf(from) !== chapterOf(to))
      between.set(`${chapterOf(from)} ${chapterOf(to)}`, `${from}: imports ${to}`);
  }
  const both = [...between].filter(([pair]) => between.has(pair.split(' ').reverse().join(' ')));
  assert.equal(
    both.map(([, one]) => one),
    [],
  );
});

house('every import of an own file names a file that exists', () => {
  const there = new Set([...sources, ...files('src/dashboard/**/*.css', 'src/**/*.json'), 'package.json']);
  const wrong = imports
    .filter(({ to }) => /^(src\/|package\.json)/.test(to) && !there.has(to))
    .map(({ from, to }) => `${from}: imports ${to}`);
  assert.equal(wrong, []);
});

const CLIENTS = ['@kubernetes/client-node', '@dot-i/k8s-operator'];

/** The files that may import these packages. */
const CLIENT_FILES: Record<string, string[]> = {
  '@kubernetes/client-node': ['src/kube/client-parts.ts'],
  '@dot-i/k8s-operator': ['src/kube/operator.ts'],
};

house('only one file imports the Kubernetes client, and only one the base of the operator', () => {
  const wrong = imports.filter(({ from, to }) => {
    const name = CLIENTS.find((client) => to === client || to.startsWith(`${client}/`));
    return name !== undefined && !CLIENT_FILES[name]?.includes(from);
  });
  assert.equal(
    wrong.map(({ from }) => from),
    [],
  );
});

for (const light of ['src/kube/lightweight.ts', 'src/modes/agent.ts', 'src/modes/scanner.ts'].filter((file) => sources.includes(file))) {
  house(`${light} loads neither the generated client nor a database`, () => {
    const heavy = [...loads(light)].filter((one) => [...CLIENTS, 'pg', 'kysely', '@electric-sql/pglite', 'fastify'].includes(one));
    assert.equal(heavy, []);
  });
}

house('only config.ts reads the environment', () => {
  assert.equal(
    sources.filter((file) => file !== 'src/config.ts' && /\bprocess\.env\b|\bprocess\[/.test(read(file))),
    [],
  );
});

house('the rest imports no development tool', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  const wrong = imports
    // The dashboard is bundled, so the server does not need its packages.
    .filter(({ from }) => layerOf(from) !== 'dashboard')
    .filter(({ to }) => !/^(src\/|node:|package\.json$)/.test(to) && !(packageOf(to) in dependencies))
    .map(({ from, to }) => `${from}: imports ${to}`);
  assert.equal(wrong, []);
});

house('words and pure folders touch nothing outside and use no clock', () => {
  const effects = /^(undici|pg|kysely|fastify|ws|pino)$|^node:(fs|net|http|https|tls|dns|child_process|timers|process|worker_threads)/;
  const clock = /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|\bMath\.random\(|\bperformance\.now\(/;
  const calm = (file: string): boolean => ['words', 'pure'].includes(layerOf(file));
  const touching = imports
    .filter(({ from, to, typeOnly }) => calm(from) && effects.test(to) && !typeOnly)
    .map(({ from, to }) => `${from}: imports ${to}`);
  const ticking = sources
    .filter((file) => calm(file) && clock.test(withoutComments(read(file))))
    .map((file) => `${file}: knows a clock or chance`);
  assert.equal([...touching, ...ticking], []);
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
}

house('the top level is fixed', () => {
  const papers = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'NOTICE', 'README.md', 'SECURITY.md'];
  const expected = [...papers, 'crds', 'deploy', 'package-lock.json', 'package.json', 'src', 'test', 'tsconfig.json'];
  const tools = ['node_modules', 'data', 'dist', 'coverage'];
  const found = readdirSync(root).filter((name) => !name.startsWith('.') && !tools.includes(name));
  assert.equal(found.sort(), expected.sort());
});

house('versions are pinned and the lock file names no download address', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
    ([, version]) => !/^\d[\w.-]*$/.test(version),
  );
  assert.equal(loose, []);
  assert.not.match(read('package-lock.json'), '"resolved"');
});

// Written in pieces, so that this file does not match itself.
const UNFINISHED = new RegExp(['\\bTO' + 'DO\\b', 'FIX' + 'ME', '\\bXX' + 'X\\b', 'not imple' + 'mented', 'coming' + ' soon'].join('|'));
const ONE_MACHINE = new RegExp(String.raw`(?<![\w.*-])/(work|Users/\w+|home/\w+)/`);
const ALONE = new RegExp(String.raw`\.(on` + String.raw`ly|sk` + String.raw`ip)\(`);

for (const [rule, pattern, where] of [
  [
    'nothing is left unfinished',
    UNFINISHED,
    files('src/**/*.{ts,tsx,js,yaml,md}', 'crds/**/*', 'deploy/**/*', 'test/**/*.ts', '*.md', '.ci/run'),
  ],
  [
    'no path of one machine',
    ONE_MACHINE,
    files('src/**/*.{ts,tsx,md}', 'crds/**/*', 'deploy/**/*', 'test/**/*.ts', '*.md', '.ci/run', 'package.json'),
  ],
  ['no test is left out or runs alone', ALONE, files('test/**/*.test.ts')],
] as const) {
  house(rule, () => {
    const wrong = where
      .filter((file) => /\.\w+$|run$/.test(file) && !/\.(png|ico|gz)$/.test(file))
      .flatMap((file) => linesOf(file).filter(([, line]) => pattern.test(line)))
      .map(([place, line]) => `${place}: ${line.trim()}`);
    assert.equal(wrong, []);
  });
}

function linesOf(file: string): [string, string][] {
  return isFolder(file)
    ? []
    : read(file)
        .split('\n')
        .map((line, index) => [`${file}:${index + 1}`, line]);
}

function isFolder(file: string): boolean {
  return files(`${file}/*`).length > 0;
}

house('a test on a real node is skipped where there is none', () => {
  const says = /\bonNode\(|corpusOnNode\(|SKIP/;
  assert.equal(
    files('test/**/*.node.test.ts').filter((file) => !says.test(read(file))),
    [],
  );
});

house.run();

// The rules above, tried on imports that they allow and imports that they refuse.
const rules = suite('rules');
for (const [from, to, allowed] of [
  ['src/checks/power/power.ts', 'src/crd/mirrorpod.ts', true],
  ['src/checks/power/power.ts', 'src/failures/policy/identity.ts', true],
  ['src/checks/power/power.ts', 'src/kube/client.ts', false],
  ['src/crd/mirrorpod.ts', 'src/checks/power/power.ts', false],
  ['src/failures/detect/detect.ts', 'src/failures/intake.ts', false],
  ['src/failures/intake.ts', 'src/failures/detect/detect.ts', true],
  ['src/kube/lightweight.ts', 'src/log.ts', true],
  ['src/kube/lightweight.ts', 'src/db/connect.ts', false],
  ['src/db/failures.ts', 'src/failures/intake.ts', false],
  ['src/reconcilers/mirrorpod.ts', 'src/mirrors/run.ts', true],
  ['src/reconcilers/mirrorpod.ts', 'src/api/mirrors.ts', false],
  ['src/api/mirrors.ts', 'src/mirrors/policy/preview.ts', true],
  ['src/api/app.ts', 'src/modes/operator.ts', false],
  ['src/sandbox/store/store.ts', 'src/crd/manifest.ts', true],
  ['src/sandbox/store/store.ts', 'src/failures/detect/detect.ts', false],
  ['src/modes/demo.ts', 'src/sandbox/sandbox.ts', true],
  ['src/modes/demo.ts', 'src/sandbox/store/store.ts', false],
  ['src/failures/intake.ts', 'src/sandbox/sandbox.ts', false],
] as const) {
  rules(`${from} ${allowed ? 'may' : 'must not'} import ${to}`, () => {
    assert.is(isAllowed({ from, to, lazy: false, typeOnly: false }), allowed);
  });
}
rules('every form of an import is found', () => {
  const forms = importsOf('src/main.ts').map(({ to }) => to);
  assert.ok(
    ['package.json', 'src/config.ts', 'src/modes/index.ts'].every((one) => forms.includes(one)),
    forms.join(),
  );
  assert.ok(loads('src/main.ts').has('pino'), 'what main.ts loads is followed through log.ts');
});
rules.run();
