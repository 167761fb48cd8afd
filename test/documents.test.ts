import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appMetrics } from '../src/api/metrics.ts';
import { type ConfiguredMode, readConfig } from '../src/config.ts';
import { type Role, ROLES } from '../src/contract/auth.ts';
import { type Permission, PERMISSIONS } from '../src/contract/permissions.ts';
import { SETTINGS } from '../src/contract/settings.ts';
import type { KubeObject } from '../src/crd/kubernetes.ts';
import { loadManifests } from '../src/crd/manifest.ts';
import { connect } from '../src/kube/client.ts';
import { KINDS } from '../src/kube/kinds.ts';
import { EVENT_REASONS } from '../src/mirrors/policy/events.ts';
import { MODES } from '../src/modes/index.ts';
import { startSandbox } from '../src/sandbox/sandbox.ts';
import { quoted, rows } from './contract/tables.ts';
import { installDefinitions } from './support/cluster/clusters.ts';

// Checks the documents against the code: tables, links, paths, commands and examples.

const root = new URL('../', import.meta.url).pathname;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = globSync(['*.md', '{src,crds,deploy,test,.github}/**/*.md'], { cwd: root })
  .filter((file) => !/^test\/(captures|contract)\//.test(file))
  .sort();

/** The rows of the tables below a heading, up to the next heading of any level. */
function tableUnder(file: string, heading: string): string[][] {
  const [, after] = read(file).split(new RegExp(`^#+ ${heading}$`, 'm'));
  assert.ok(after, `${file} has the heading "${heading}"`);
  return rows(after.split(/^#+ /m)[0] ?? '');
}

/** Each row as one line, sorted. */
const sorted = (table: readonly (readonly unknown[])[]): string[] => table.map((row) => row.join(' | ')).sort();

/** The code blocks in a language, unchanged. */
function blocks(file: string, language: string): string[] {
  return [...read(file).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
}

const tables = suite('tables');

tables('the table of variables has those that are read, with their defaults', () => {
  const table = tableUnder('deploy/README.md', 'Variables');
  const named = table.map(([variable = '']) => quoted(variable)[0] ?? '');
  const asked = new Set<string>();
  const modes: ConfiguredMode[] = ['operator', 'agent', 'scanner', 'demo', 'sandbox', 'migrate', 'user'];
  for (const mode of modes) {
    const env = new Proxy<NodeJS.ProcessEnv>({ SERVICE_TOKEN: 'x'.repeat(16) }, { get: (it, name: string) => (asked.add(name), it[name]) });
    readConfig(env, mode);
  }
  // Kubernetes sets these in every pod.
  for (const name of ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT']) asked.delete(name);
  assert.equal(named.toSorted(), [...asked].sort());

  const usual = readConfig({ SERVICE_TOKEN: 'x'.repeat(16) }, 'operator');
  for (const [variable = '', , preset = ''] of table) {
    const name = quoted(variable)[0] ?? '';
    const value = /^`([^`]+)`/.exec(preset)?.[1];
    if (value)
      assert.equal(
        readConfig({ SERVICE_TOKEN: 'x'.repeat(16), [name]: value }, 'operator'),
        usual,
        `${name} is ${value} when it is not set`,
      );
    else assert.match(preset, /^(none|all|generated)/, `${name} has a default`);
  }
});

tables('the table of settings has them all, with default and bounds', () => {
  const table = tableUnder('deploy/README.md', 'Settings').map(([key = '', , preset = '', bounds]) => [
    quoted(key)[0],
    quoted(preset)[0],
    bounds,
  ]);
  const bounds = ({ min, max, unit }: { min: number; max: number; unit: string }) =>
    unit === 'switch' ? `${min} or ${max}` : `${min} to ${max} ${unit}`;
  const expected = Object.entries(SETTINGS).map(([key, rule]) => [key, rule.default, bounds(rule)]);
  assert.equal(sorted(table), sorted(expected));
});

tables('the table of metrics has them all, with their labels', async () => {
  const nothing = async () => ({});
  const measured = {
    ...{
      version: '0',
      sockets: () => 0,
      mirrorCounts: () => [],
      mirrorVerdicts: () => ({ verdicts: [], revisions: [] }),
      databasePool: () => undefined,
      modelCalls: () => [],
    },
    ...{ findingsBySeverity: nothing, adviceBySeverity: nothing, queues: nothing },
  };
  const app = Fastify();
  const { registry } = appMetrics(app, measured);
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[];
  const expected = metrics.filter(({ name }) => name.startsWith('podmend_')).map(({ name, labelNames }) => [name, ...labelNames]);
  const table = tableUnder('deploy/README.md', 'Health, metrics and logs').map(([name = '', labels = '']) => quoted(`${name} ${labels}`));
  assert.equal(sorted(table), sorted(expected));
  await app.close();
});

tables('the table of events has every reason with what it means', () => {
  const table = tableUnder('crds/README.md', 'Events').map(([reason = '', meaning]) => [quoted(reason)[0], meaning]);
  assert.equal(table, Object.entries(EVENT_REASONS), 'crds/README.md, "Events", repeats EVENT_REASONS');
});

tables('the table of verdicts has every reason that the code gives', () => {
  const table = tableUnder('crds/README.md', 'Verdict').flatMap(([reason = '', verdict = '']) =>
    quoted(verdict).length === 1 ? quoted(reason) : [],
  );
  const code = globSync('src/mirrors/**/*.ts', { cwd: root }).map(read).join('\n');
  const given = [...code.matchAll(/\binconclusive\(\s*'(\w+)'/g)].map(([, reason = '']) => reason);
  assert.ok(given.length > 5, 'the code calls inconclusive(reason, …)');
  assert.equal(
    given.filter((reason) => !table.includes(reason)),
    [],
    'in crds/README.md, "Verdict"',
  );
  assert.equal(
    table.filter((reason) => !code.includes(`'${reason}'`)),
    [],
    'in src/mirrors',
  );
});

tables('the table of roles has every permission', () => {
  const table = tableUnder('deploy/README.md', 'People').map(([role = '', , permissions = '']) => [
    quoted(role)[0],
    ...quoted(permissions),
  ]);
  const added = (role: Role, index: number): Permission[] => {
    const before = ROLES[index - 1];
    return [...PERMISSIONS[role]].filter((permission) => !before || !PERMISSIONS[before].has(permission));
  };
  assert.equal(
    table,
    ROLES.map((role, index) => [role, ...added(role, index)]),
  );
});

tables('the table of modes has them all, with the exit codes that their help names', () => {
  const table = tableUnder('deploy/README.md', 'Modes and exit codes');
  assert.equal(table.map(([mode = '']) => quoted(mode)[0] ?? '').sort(), Object.keys(MODES).sort());
  const codes = (text: string): string[] => text.match(/\b[012]\b/g) ?? [];
  for (const [mode = '', , documented = ''] of table) {
    const ends = /^Exits with [^]*/m.exec(MODES[quoted(mode)[0] ?? '']?.help ?? '')?.[0];
    if (ends) assert.equal(codes(documented), codes(ends), mode);
  }
});

tables('the patch for an installation without mirrors takes the right to create pods away', () => {
  const [, patch = ''] = /^patches:\n[^]*?patch: \|\n([^]*?)^```$/m.exec(read('deploy/README.md')) ?? [];
  const steps = loadManifests(patch).flat() as { op: string; path: string; value: unknown }[];
  const role = (loadManifests(read('deploy/base/rbac.yaml')) as (KubeObject & { rules?: object[] })[]).find(
    ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'podmend-operator',
  );
  const [rule] = (role?.rules ?? []) as { resources: string[]; verbs: string[] }[];
  assert.equal(steps, [
    { op: 'test', path: '/rules/0/resources/0', value: 'pods' },
    { op: 'replace', path: '/rules/0/verbs', value: ['get', 'list', 'watch'] },
  ]);
  assert.equal(rule?.resources, ['pods']);
  assert.equal(
    rule?.verbs.filter((verb) => !['get', 'list', 'watch'].includes(verb)),
    ['create', 'delete'],
  );
});

tables.run();

const text = suite('text');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

text('src/README.md places every folder and file of src in a layer', () => {
  const section =
    read('src/README.md')
      .split(/^## Folders and layers$/m)[1]
      ?.split(/^## /m)[0] ?? '';
  const entries = readdirSync(join(root, 'src'), { withFileTypes: true }).map((entry) => entry.name + (entry.isDirectory() ? '/' : ''));
  assert.equal(
    entries.filter((name) => !section.includes(`\`${name}\``) && !['README.md', 'podmend.js'].includes(name)),
    [],
  );
});

text('README.md names buttons as the dashboard does', () => {
  const dashboard = globSync('src/dashboard/**/*.tsx', { cwd: root }).map(read).join('\n');
  for (const label of ['Try it', 'Get the patch', 'Dismiss']) {
    assert.match(read('README.md'), `**${label}**`);
    assert.match(dashboard, label);
  }
});

text('README.md fits on a few screens', () => {
  assert.ok(read('README.md').split('\n').length <= 151, 'at most 150 lines');
});

for (const file of documents) {
  text(`${file}: every link leads somewhere`, () => {
    const prose = read(file).replaceAll(/^```[^]*?^```$/gm, '');
    const broken = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const to = path === '' ? file : join(dirname(file), path);
        if (!existsSync(join(root, to))) return true;
        if (anchor === undefined || !to.endsWith('.md')) return false;
        return ![...read(to).matchAll(/^#+ (.+)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor);
      });
    assert.equal(broken, []);
  });

  text(`${file}: every path and npm script that it names exists`, () => {
    const paths = [...read(file).matchAll(/`((?:src|test|crds|deploy)\/[\w./*-]+)`/g)].map(([, path = '']) => path);
    // The architecture document names files and folders relative to src.
    const short = file === 'src/README.md' ? [...read(file).matchAll(/`([\w-]+(?:\/[\w.-]+)*(?:\.ts|\/))`/g)] : [];
    const patterns = [...paths, ...short.map(([, path = '']) => (/^(src|test|crds|deploy)\//.test(path) ? path : `src/**/${path}`))];
    assert.equal(
      patterns.filter((path) => globSync(path, { cwd: root }).length === 0),
      [],
    );
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(file).matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name);
    assert.equal(
      named.filter((name) => !(name in scripts)),
      [],
    );
  });

  text(`${file}: whatever waits has a time-out`, () => {
    const waits = read(file)
      .split('\n')
      .filter((line) => /kubectl (wait|rollout status) .*(--for|\/)/.test(line));
    assert.equal(
      waits.filter((line) => !line.includes('--timeout')),
      [],
    );
  });

  text(`${file}: points to nothing outside the repository`, () => {
    assert.not.match(read(file), /\.\.\/shared|\bDESIGN\b|\bSTYLE\.md\b/);
  });
}
text.run();

const examples = suite('examples');
examples('every custom resource in the documents is accepted', async () => {
  const sandbox = await startSandbox();
  const client = connect({ kubeconfigText: sandbox.kubeconfig });
  try {
    await installDefinitions(client);
    const kinds = [KINDS.mirrorPod, KINDS.suppression, KINDS.notificationProvider];
    const found = documents
      .flatMap((file) => blocks(file, 'yaml'))
      .flatMap((block) => loadManifests(block) as KubeObject[])
      .filter(({ apiVersion }) => apiVersion?.startsWith('podmend.dev/'));
    for (const { kind, metadata, ...rest } of found) {
      const known = kinds.find((one) => one.kind === kind);
      assert.ok(known, `${kind} is one of ours`);
      const taken = (await client.create(known, {
        ...rest,
        metadata: { namespace: 'default', generateName: 'example-' },
      } as KubeObject)) as {
        spec?: unknown;
      };
      const { spec } = rest as { spec?: object };
      // Fields that the schema does not know are dropped silently.
      const lost = Object.keys(flat(spec)).filter((path) => !(path in flat(taken.spec)));
      assert.equal(lost, [], `${kind} ${metadata.name} keeps every field`);
    }
    assert.equal([...new Set(found.map(({ kind }) => kind ?? ''))].sort(), kinds.map(({ kind }) => kind).sort());
  } finally {
    client.close();
    await sandbox.close();
  }
});
examples.run();

/** Every leaf, keyed by its path. */
function flat(value: unknown, path = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return { [path]: value };
  return Object.assign({}, ...Object.entries(value).map(([key, one]) => flat(one, `${path}/${key}`))) as Record<string, unknown>;
}
