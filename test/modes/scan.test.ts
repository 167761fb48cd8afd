import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lineOf } from '../../src/crd/field-line.ts';
import { CHECKS } from '../../src/checks/list.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { MODES } from '../../src/modes/index.ts';
import { runScan } from '../../src/modes/scan.ts';
import { spoken } from '../support/processes/command.ts';

const scanning = suite('podmend scan');

let folder = '';
scanning.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podmend-scan-'));
});
scanning.after(() => rm(folder, { recursive: true }));

const run = (argv: string[], stdin = '') => spoken(runScan, argv, { stdin });

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const BAD = `# the shop
apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
spec:
  containers:
  - name: side
    image: side:1
  - image: web:1
    name: app
    securityContext:
      allowPrivilegeEscalation: true
      privileged: true
`;
const GOOD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {}\n';

/** Each finding in the JSON, as `check container line`. */
async function found(
  argv: string[],
  stdin = '',
): Promise<{ rows: string[]; code: number; stderr: string; summary: Record<string, number> }> {
  const { stdout, stderr, code } = await run([...argv, '-o', 'json'], stdin);
  const { findings, summary } = JSON.parse(stdout);
  const rows = findings.map(
    (one: { check_name: string; resource_name: string; line: number; details: { container?: string } }) =>
      `${one.resource_name} ${one.check_name} ${one.details.container ?? '-'} ${one.line}`,
  );
  return { rows, code, stderr, summary };
}

scanning('the exit code says whether something is at or above the threshold', async () => {
  const bad = await file('bad.yaml', BAD);
  const good = await file('good.yaml', GOOD);
  const rows: [argv: string[], code: number][] = [
    [['-f', bad], 1],
    [['-f', bad, '--fail-on', 'critical'], 1],
    [['-f', bad, '--fail-on', 'none'], 0],
    [['-f', good], 0],
    [['-f', good, '--fail-on', 'info'], 0],
  ];
  for (const [argv, code] of rows) assert.is((await run(argv)).code, code, argv.join(' '));
});

scanning('a finding names the field and its line', async () => {
  const { rows, summary } = await found(['-f', await file('place.yaml', BAD), '--min-severity', 'critical']);
  assert.equal(rows, ['web privileged app 15']);
  assert.equal(summary, { critical: 1, high: 0, medium: 0, low: 0, info: 0 });
});

scanning('documents are counted from the beginning of the file', async () => {
  const text = `${GOOD}---\n${BAD}--- # another\n${BAD.replace('name: web', 'name: api')}`;
  const { rows } = await found(['-f', await file('many.yaml', text), '--min-severity', 'critical']);
  assert.equal(rows, ['web privileged app 20', 'api privileged app 36']);
});

scanning('lines of fields in block style, and of the nearest field above one that is missing', () => {
  const lines = BAD.split('\n');
  const rows: [path: string, line: number][] = [
    ['metadata.namespace', 6],
    ['spec.containers[0].image', 10],
    ['spec.containers[1].image', 11],
    ['spec.containers[1].name', 12],
    ['spec.containers[1].securityContext.privileged', 15],
    ['spec.containers[1].securityContext.capabilities.drop', 13],
    ['spec.containers[0].securityContext.privileged', 9],
    ['spec.containers[7].image', 8],
    ['status', 2],
  ];
  for (const [path, line] of rows) assert.is(lineOf(lines, path) + 1, line, path);
  assert.is(lineOf(['spec: {containers: [{name: a}]}'], 'spec.containers[0].name'), 0);
  assert.is(lineOf(['"spec":', '    "a.b/c": 1'], 'spec["a.b/c"]'), 1);
});

scanning('what cannot be read is named with file and line, and the rest is judged', async () => {
  const path = await file('broken.yaml', `${GOOD}---\nkind: Pod\nmetadata: [a\n---\n${BAD}`);
  const { rows, code, stderr } = await found(['-f', path, '-f', join(folder, 'none.yaml'), '--min-severity', 'critical']);
  assert.is(code, 2);
  assert.equal(rows, ['web privileged app 23']);
  assert.match(stderr, /broken\.yaml:\d: not valid YAML/);
  assert.match(stderr, /none\.yaml: cannot be read \(ENOENT\)/);
});

scanning('folders with all below them, lists in JSON and standard input', async () => {
  const below = join(folder, 'tree', 'deep');
  await mkdir(below, { recursive: true });
  await writeFile(join(below, 'bad.yml'), BAD);
  await writeFile(join(folder, 'tree', 'notes.txt'), 'kind: [');
  await writeFile(join(folder, 'tree', 'values.yaml'), 'replicas: 3\n');
  assert.equal((await found(['-f', join(folder, 'tree'), '--min-severity', 'critical'])).rows, ['web privileged app 15']);
  const pod = { metadata: { name: 'x' }, spec: { hostPID: true, containers: [] } };
  const list = { kind: 'PodList', apiVersion: 'v1', items: [pod, { ...pod, kind: 'Nothing' }] };
  const { rows } = await found(['-f', '-', '--min-severity', 'high'], JSON.stringify(list));
  assert.equal(rows, ['x host-namespaces - 1']);
});

scanning('a folder is read in the order of its names, without hidden folders and packages', async () => {
  const chart = join(folder, 'chart');
  for (const path of ['b', 'a', '.git', 'node_modules']) await mkdir(join(chart, path), { recursive: true });
  const pod = (name: string) => BAD.replace('name: web', `name: ${name}`);
  await writeFile(join(chart, 'b', 'pod.yml'), pod('second'));
  await writeFile(join(chart, 'a', 'pod.yaml'), pod('first'));
  await writeFile(join(chart, 'c.json'), JSON.stringify(loadManifests(pod('third'))[0]));
  await writeFile(join(chart, 'd.txt'), pod('text'));
  await writeFile(join(chart, '.git', 'pod.yaml'), pod('hidden'));
  await writeFile(join(chart, 'node_modules', 'pod.yaml'), pod('package'));
  const { rows } = await found(['-f', chart, '--check', 'privileged']);
  assert.equal(
    rows.map((row) => row.split(' ')[0]),
    ['first', 'second', 'third'],
  );
});

scanning('the output of helm template is placed in its templates', async () => {
  const { stdout } = await run(['-f', '-', '-o', 'sarif', '--min-severity', 'critical'], `---\n# Source: shop/templates/web.yaml\n${BAD}`);
  const [result] = JSON.parse(stdout).runs[0].results;
  assert.equal(result.locations[0].physicalLocation, {
    artifactLocation: { uri: 'shop/templates/web.yaml' },
    region: { startLine: 1 },
  });
});

scanning('SARIF 2.1.0: rules, results that point to them, levels and lines', async () => {
  const { stdout } = await run(['-f', await file('a b.yaml', BAD), '-o', 'sarif']);
  const { version, runs } = JSON.parse(stdout);
  assert.is(version, '2.1.0');
  const [{ tool, results }] = runs;
  assert.is(tool.driver.name, 'podmend');
  for (const result of results) {
    assert.is(tool.driver.rules[result.ruleIndex].id, result.ruleId);
    assert.ok(['error', 'warning', 'note'].includes(result.level));
    assert.ok(result.locations[0].physicalLocation.region.startLine >= 1);
    assert.match(result.locations[0].physicalLocation.artifactLocation.uri, /a%20b\.yaml$/);
    assert.ok(result.message.text.length > 10);
  }
  const { rules } = tool.driver;
  assert.is(new Set(rules.map(({ id }: { id: string }) => id)).size, rules.length);
  assert.ok(rules.every((rule: { helpUri: string }) => rule.helpUri.startsWith('https://')));
});

scanning('JUnit is well-formed whatever the names are', async () => {
  const odd = BAD.replace('name: web', 'name: "a<b>&\\"c\\u0001"');
  const { stdout } = await run(['-f', '-', '-o', 'junit', '--min-severity', 'critical'], odd);
  assert.match(stdout, '<testsuites tests="1" failures="1">');
  assert.match(stdout, 'classname="Pod/shop/a&lt;b&gt;&amp;&quot;c"');
});

scanning('an earlier scan is a baseline: only new findings are reported', async () => {
  const bad = await file('again.yaml', BAD);
  const { stdout } = await run(['-f', bad, '-o', 'json']);
  const baseline = await file('baseline.json', stdout);
  const more = await file('again2.yaml', `# moved\n${BAD}  hostPID: true\n`);
  const { rows, code } = await found(['-f', more, '--baseline', baseline]);
  assert.equal(rows, ['web host-namespaces - 17']);
  assert.is(code, 1);
  const { code: refused, stderr } = await run(['-f', bad, '--baseline', bad]);
  assert.is(refused, 2);
  assert.match(stderr, 'it is not the output of podmend scan -o json');
});

scanning('comments and Suppressions switch checks off', async () => {
  const ignoring = BAD.replace('# the shop', '# podmend-ignore: privileged, privilege-escalation');
  assert.not.ok((await found(['-f', '-'], ignoring)).rows.some((row) => /privileged|escalation/.test(row)));
  const suppression = (namespace: string, checks: string) =>
    `---\napiVersion: podmend.dev/v1alpha1\nkind: Suppression\nmetadata: {name: s, namespace: ${namespace}}\nspec: {reason: known, match: {checks: [${checks}]}}\n`;
  const has = async (text: string, check: string) => (await found(['-f', '-'], text)).rows.some((row) => row.includes(` ${check} `));
  assert.ok(await has(BAD, 'run-as-non-root'));
  assert.not(await has(BAD + suppression('shop', 'run-as-non-root'), 'run-as-non-root'));
  assert.ok(await has(BAD + suppression('other', 'run-as-non-root'), 'run-as-non-root'), 'another namespace');
  assert.ok(await has(BAD + suppression('shop', 'privileged'), 'privileged'), 'a tenant hides nothing grave');
  assert.not(await has(BAD + suppression('podmend', 'privileged'), 'privileged'));
  assert.ok(await has(`${BAD}---\napiVersion: podmend.dev/v1alpha1\nkind: Suppression\nmetadata: {namespace: shop}\n`, 'privileged'));
});

scanning('a pod is judged through its workload if that is there', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { hostPID: true, containers: [{ name: 'a', image: 'b:1' }] } };
  const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web-1', namespace: 'x' }, spec: { template } };
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'u', controller: true };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1-abc', namespace: 'x', ownerReferences: [owner] },
    spec: template.spec,
  };
  const names = async (items: object[]) =>
    (await found(['-f', '-', '--min-severity', 'high'], JSON.stringify({ kind: 'List', items }))).rows;
  assert.equal(await names([set, pod]), ['web-1 host-namespaces - 1']);
  assert.equal(await names([pod]), ['web-1-abc host-namespaces - 1']);
});

scanning('the rules are those of the version that is named', async () => {
  const probe = BAD.replace('privileged: true', 'privileged: false').replace(
    '    name: app',
    '    name: app\n    livenessProbe: {httpGet: {port: 80, host: x}}',
  );
  const has = async (version: string) =>
    (await found(['-f', '-', '--kubernetes-version', version], probe)).rows.some((row) => row.includes('host-probes'));
  assert.not(await has('v1.33'));
  assert.ok(await has('1.34.2'));
  assert.ok(await has('latest'));
});

scanning('webhooks and policies in the files that examine an object are named at its findings', async () => {
  const rules = '[{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]';
  const hook = (kind: string, name: string) =>
    `---\napiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nwebhooks: [{name: a.b, rules: ${rules}}]\n`;
  const files = BAD + hook('ValidatingWebhookConfiguration', 'guard') + hook('MutatingWebhookConfiguration', 'filler');
  const { stdout } = await run(['-f', '-', '--check', 'privileged', '-o', 'json'], files);
  assert.equal(
    JSON.parse(stdout).findings.map(({ details }: { details: { may_be_refused_by?: string[] } }) => details.may_be_refused_by),
    [['ValidatingWebhookConfiguration guard']],
  );
});

scanning('only the checks that are named, whatever their severity', async () => {
  const { rows } = await found(['-f', '-', '--check', 'privileged', '--check', 'image-digest'], BAD);
  assert.equal(rows, ['web privileged app 15', 'web image-digest side 10', 'web image-digest app 11']);
});

scanning('checks as policies: a policy and a binding each, and comments for those that have none', async () => {
  const { stdout, code } = await run(['--as-vap', '--check', 'privileged', '--check', 'network-policy']);
  assert.is(code, 0);
  assert.match(stdout, /^# No policy for network-policy: it depends on NetworkPolicies/);
  const documents = loadManifests(stdout) as { kind: string; metadata: { name: string }; spec: { validationActions?: string[] } }[];
  assert.equal(
    documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    ['ValidatingAdmissionPolicy podmend-privileged', 'ValidatingAdmissionPolicyBinding podmend-privileged'],
  );
  assert.equal(documents[1]?.spec.validationActions, ['Deny']);
});

scanning('all checks as policies but those that CEL cannot express, as the help says', async () => {
  const { stdout } = await run(['--as-vap', '--min-severity', 'info', '--trusted-registry', 'ghcr.io/acme']);
  const without = [...stdout.matchAll(/^# No policy for ([a-z-]+):/gm)].map(([, id]) => id);
  assert.equal(without, [
    'secret-in-env',
    'secret-in-arguments',
    'network-policy',
    'token-automount',
    'default-account',
    'removed-api',
    'missing-account',
    'unbound-role',
    'unused-rights',
  ]);
  const help = MODES['scan']?.help ?? '';
  for (const id of without) assert.match(help, id as string);
  assert.is(loadManifests(stdout).length, 2 * (CHECKS.length - without.length));
  assert.match((await run(['--as-vap', '--kubernetes-version', 'v1.33', '--check', 'host-probes'])).stderr, 'from v1.34 on');
});

const RIGHTS = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: keeper, namespace: shop}
rules:
  - {apiGroups: [''], resources: [pods, pods/log], verbs: [get, list]}
  - {apiGroups: [''], resources: [configmaps], verbs: [get], resourceNames: [settings]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: keeper, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: keeper}
subjects: [{kind: ServiceAccount, name: robot, namespace: shop}]
`;
const auditEvent = (verb: string, objectRef: object, over: object = {}): string =>
  JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    stage: 'ResponseComplete',
    verb,
    user: { username: 'system:serviceaccount:shop:robot', groups: ['system:authenticated'] },
    objectRef: { namespace: 'shop', ...objectRef },
    requestReceivedTimestamp: '2026-05-01T10:00:00.000000Z',
    ...over,
  });

scanning('an audit log tells which rights nobody used, and for which time', async () => {
  const log = [
    auditEvent('get', { resource: 'pods', name: 'web' }),
    auditEvent('get', { resource: 'pods', subresource: 'log', name: 'web' }, { requestReceivedTimestamp: '2026-05-03T10:00:00Z' }),
    auditEvent('list', { resource: 'pods', namespace: 'other' }),
    auditEvent('list', { resource: 'pods' }, { user: { username: 'ann' } }),
    auditEvent('get', { resource: 'configmaps', name: 'other' }),
    auditEvent('list', { resource: 'pods', subresource: 'log' }, { annotations: { 'authorization.k8s.io/decision': 'forbid' } }),
  ].join('\n');
  const argv = ['-f', '-', '--check', 'unused-rights', '-o', 'json', '--audit-log', await file('audit.log', `${log}\n`)];
  const { stdout, stderr, code } = await run(argv, RIGHTS);
  const [finding] = JSON.parse(stdout).findings;
  assert.match(
    finding.message,
    'gives 3 of 5 rights of Role keeper that no request used from 2026-05-01T10:00:00Z to 2026-05-03T10:00:00Z',
  );
  assert.match(finding.message, '(48 hours): list pods, list pods/log, get configmaps settings. Used were: get pods, get pods/log.');
  assert.match(stderr, '6 events of the audit log');
  assert.is(code, 0);
  const cut = await run([...argv.slice(0, -1), await file('cut.log', `${log}\n{"kind":"Ev`)], RIGHTS);
  assert.is(cut.code, 2);
  assert.match(cut.stderr, /cut\.log:7: a line is no audit event/);
  const as = { user: { username: 'ann' }, impersonatedUser: { username: 'system:serviceaccount:shop:robot' } };
  const acted = await run([...argv.slice(0, -1), await file('as.log', auditEvent('list', { resource: 'pods' }, as))], RIGHTS);
  assert.match(JSON.parse(acted.stdout).findings[0].message, 'Used were: list pods.');
  for (const [name, text, says] of [
    ['empty.log', '', 'no event of audit.k8s.io'],
    ['none.log', undefined, 'cannot be read (ENOENT)'],
  ] as const) {
    const path = text === undefined ? join(folder, name) : await file(name, text);
    const refused = await run([...argv.slice(0, -1), path], RIGHTS);
    assert.equal([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, says);
  }
});

scanning('manifests may refer to the roles that every cluster has', async () => {
  const bound = (name: string): string =>
    `---\n{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: ${name}, namespace: shop}, roleRef: {kind: ClusterRole, name: ${name}}, subjects: [{kind: ServiceAccount, name: robot, namespace: shop}]}\n`;
  const log = await file('view.log', auditEvent('get', { resource: 'pods', subresource: 'log', name: 'web' }));
  const used = await run(['-f', '-', '--check', 'unused-rights', '-o', 'json', '--audit-log', log], bound('view') + bound('editor'));
  const { findings } = JSON.parse(used.stdout);
  assert.equal(
    findings.map(({ resource_name }: { resource_name: string }) => resource_name),
    ['view'],
    'nobody knows what another role allows',
  );
  assert.match(findings[0].message, /rights of ClusterRole view that no request used .*Used were: get pods\/log\./);
  const part = (label: string): string =>
    `---\n{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: ${label}, labels: {rbac.authorization.k8s.io/${label}: 'true'}}, rules: []}\n`;
  const unbound = await run(
    ['-f', '-', '--check', 'unbound-role', '-o', 'json'],
    bound('view') + part('aggregate-to-view') + part('other'),
  );
  assert.equal(
    JSON.parse(unbound.stdout).findings.map(({ resource_name }: { resource_name: string }) => resource_name),
    ['other'],
  );
});

scanning('a table for spreadsheets, and reports of openreports.io', async () => {
  const odd = BAD.replace('name: web', 'name: "=HYPERLINK(1)"');
  const { stdout: csv } = await run(['-f', '-', '-o', 'csv', '--min-severity', 'critical'], odd);
  const [head = '', row = '', end] = csv.split('\r\n');
  assert.match(head, /^"severity","check_name"/);
  assert.match(row, /^"critical","privileged","Pod","shop","'=HYPERLINK\(1\)","app",/);
  assert.is(end, '');
  const { stdout } = await run(['-f', '-', '-o', 'openreports', '--check', 'privileged', '--check', 'host-path'], BAD);
  const [report, more] = loadManifests(stdout) as [{ kind: string; results: { policy: string }[]; summary: object }, unknown];
  assert.is(more, undefined);
  assert.equal([report.kind, report.results.map(({ policy }) => policy)], ['Report', ['privileged']]);
  assert.equal(report.summary, { pass: 0, fail: 1, warn: 0, error: 0, skip: 0 });
});

scanning('wrong arguments and useless input end with 2 and one line', async () => {
  const good = await file('g.yaml', GOOD);
  const rows: [argv: string[], says: string][] = [
    [[], 'name an input'],
    [['-f', good, 'more'], 'unexpected argument "more"'],
    [['-f', good, '-o', 'xml'], 'unknown output "xml"'],
    [['-f', good, '-o', 'constructor'], 'unknown output'],
    [['-f', good, '--fail-on', 'awful'], '--fail-on is critical'],
    [['-f', good, '--kubernetes-version', 'two'], '--kubernetes-version is like v1.34'],
    [['-f', good, '--check', 'nothing'], 'there is no check "nothing"'],
    [['--as-vap', '-f', good], '--as-vap prints policies and scans nothing'],
    [['--as-vap', '--kubernetes-version', 'v1.29'], 'from v1.30 on'],
    [['--as-vap', '--check', 'network-policy'], 'no policy can be printed'],
    [['-f', good, '--what'], "Unknown option '--what'"],
    [['-f', '-'], 'standard input: no Kubernetes object in it'],
  ];
  for (const [argv, says] of rows) {
    const { code, stdout, stderr } = await run(argv);
    assert.is(code, 2, argv.join(' '));
    assert.is(stdout, '');
    assert.match(stderr, says);
    assert.is(stderr.trim().split('\n').length, 1);
  }
});

scanning('no secret is printed in any format', async () => {
  const secret = 'tr0ub4dor3xhj28dk2';
  const text = BAD.replace(
    '    name: app',
    `    name: app\n    env: [{name: DB_PASSWORD, value: ${secret}}]\n    args: ["--password=${secret}"]`,
  );
  for (const format of ['table', 'json', 'sarif', 'junit', 'csv', 'openreports']) {
    const { stdout, stderr } = await run(['-f', '-', '-o', format], text);
    assert.match(stdout, 'secret-in-env');
    assert.not.match(stdout + stderr, secret);
  }
});

scanning.run();
