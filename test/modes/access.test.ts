import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runAccess } from '../../src/modes/access.ts';
import { spoken } from '../support/processes/command.ts';

const access = suite('podmend access');

const FILES = `
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: binder}, rules: [{apiGroups: [rbac.authorization.k8s.io], resources: [clusterrolebindings], verbs: [create]}, {apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [bind]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: binders}, roleRef: {kind: ClusterRole, name: binder}, subjects: [{kind: ServiceAccount, name: ci, namespace: build}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: shop}, rules: [{apiGroups: ['', apps], resources: [deployments], verbs: [get], resourceNames: [web]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: readers, namespace: shop}, roleRef: {kind: Role, name: reader}, subjects: [{kind: Group, name: dev}]}
`;
const ask = (...argv: string[]) => spoken(runAccess, [...argv, '-f', '-'], { stdin: FILES });

const OWN = (...accounts: string[]): string =>
  accounts
    .map((name) => {
      const role = `system:controller:${name}`;
      return `ServiceAccount kube-system/${name}\n  by ClusterRoleBinding ${role} → ClusterRole ${role}\n`;
    })
    .join('');
const MASTERS = 'Group system:masters\n  by ClusterRoleBinding cluster-admin → ClusterRole cluster-admin\n';
/** The built-in controllers that read Deployments in every cluster. */
const READERS = OWN('deployment-controller', 'disruption-controller', 'generic-garbage-collector', 'namespace-controller');
/** What every authenticated user may do. */
const EVERYBODY = `create selfsubjectaccessreviews.authorization.k8s.io, selfsubjectrulesreviews.authorization.k8s.io, in the whole cluster
  by ClusterRoleBinding system:basic-user → ClusterRole system:basic-user
create selfsubjectreviews.authentication.k8s.io, in the whole cluster
  by ClusterRoleBinding system:basic-user → ClusterRole system:basic-user
get /api, /api/*, /apis, /apis/*, /healthz, /livez, /openapi, /openapi/*, /readyz, /version, /version/, in the whole cluster
  by ClusterRoleBinding system:discovery → ClusterRole system:discovery
get /healthz, /livez, /readyz, /version, /version/, in the whole cluster
  by ClusterRoleBinding system:public-info-viewer → ClusterRole system:public-info-viewer
`;

const ANSWERS: [argv: string[], code: number, expected: string][] = [
  [
    ['who-can', 'get', 'deployments.apps', 'web', '-n', 'shop'],
    0,
    `${MASTERS}Group dev
  by RoleBinding shop/readers → Role shop/reader
${READERS}`,
  ],
  [['who-can', 'get', 'deployments.apps', 'db', '-n', 'shop'], 0, `${MASTERS}${READERS}`],
  [
    ['rights', 'user:ann', '--group', 'dev'],
    0,
    `get deployments, deployments.apps named web, in namespace shop
  by RoleBinding shop/readers → Role shop/reader
${EVERYBODY}`,
  ],
  [['rights', 'user:ann'], 0, EVERYBODY],
  [['rights', 'user:system:anonymous'], 0, EVERYBODY.slice(EVERYBODY.indexOf('get /healthz'))],
  [
    ['paths'],
    1,
    `ServiceAccount build/ci may do everything
  1. ServiceAccount build/ci binds ClusterRole cluster-admin in the whole cluster to itself
     by ClusterRoleBinding binders → ClusterRole binder

Removing ClusterRoleBinding binders breaks 1 of the paths.
26 paths of Kubernetes' own components are not shown; --all shows them.
`,
  ],
  [['paths', 'sa:build/ci', '--to', 'node'], 0, 'No escalation path.\n'],
];
for (const [argv, code, expected] of ANSWERS)
  access(argv.join(' '), async () => {
    const told = await ask(...argv);
    assert.equal([told.stderr, told.stdout, told.code], ['', expected, code]);
  });

access('--all also shows the paths of Kubernetes itself, and a subject has its own whoever it is', async () => {
  const all = await ask('paths', '--all', '-o', 'json');
  const { total, paths } = JSON.parse(all.stdout);
  assert.equal([total, paths.length, all.code], [27, 27, 1]);
  assert.not.match((await ask('paths', '--all')).stdout, 'not shown');
  const own = await ask('paths', 'sa:kube-system/clusterrole-aggregation-controller', '-o', 'json');
  assert.equal([JSON.parse(own.stdout).total > 0, own.code], [true, 1]);
});

const SUBJECTS: [word: string, more: string[], subject: object][] = [
  ['user:ann', [], { kind: 'User', name: 'ann' }],
  ['USER:ann:x', [], { kind: 'User', name: 'ann:x' }],
  ['group:dev', [], { kind: 'Group', name: 'dev' }],
  ['sa:build/ci', [], { kind: 'ServiceAccount', name: 'ci', namespace: 'build' }],
  ['serviceaccount:ci', ['-n', 'build'], { kind: 'ServiceAccount', name: 'ci', namespace: 'build' }],
  ['system:serviceaccount:build:ci', [], { kind: 'ServiceAccount', name: 'ci', namespace: 'build' }],
];
for (const [word, more, subject] of SUBJECTS)
  access(`the subject ${word} ${more.join(' ')}`, async () => {
    const binding = FILES.replace('[{kind: Group, name: dev}]', `[${JSON.stringify(subject)}]`);
    const { stdout, code } = await spoken(runAccess, ['rights', word, ...more, '-f', '-'], { stdin: binding });
    assert.is(code, 0);
    assert.match(stdout, /^get deployments, deployments.apps named web, in namespace shop$/m);
  });

access('a path is asked for by its address, and what could not be read ends with 2', async () => {
  assert.match((await ask('who-can', 'get', '/healthz')).stdout, 'Group system:unauthenticated');
  const broken = await spoken(runAccess, ['rights', 'user:ann', '-f', '-'], { stdin: `${FILES}\n---\n[` });
  assert.is(broken.code, 2);
  assert.match(broken.stderr, /^podmend access: standard input:\d+: not valid YAML/);
  assert.match(broken.stdout, 'selfsubjectreviews');
  const empty = await spoken(runAccess, ['rights', 'user:ann', '-f', '-'], { stdin: '# nothing' });
  assert.equal([empty.code, empty.stderr], [2, 'podmend access: standard input: no Kubernetes object in it\n']);
});

access('in a cluster, what may not be read is said, and the rest is answered', async () => {
  const server = createServer((request, response) => {
    const isRefused = /\/(?:roles|serviceaccounts|pods)(?:\?|$)/.test(request.url ?? '');
    response.writeHead(isRefused ? 403 : 200).end(isRefused ? '{}' : '{"items": [], "metadata": {"resourceVersion": "1"}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const kubeconfig = join(tmpdir(), `podmend-access-${process.pid}`);
  const cluster = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'insecure-skip-tls-verify': true };
  const contexts = [{ name: 'c', context: { cluster: 'c', user: 'u' } }];
  const users = [{ name: 'u', user: { token: 't' } }];
  writeFileSync(kubeconfig, JSON.stringify({ 'current-context': 'c', contexts, clusters: [{ name: 'c', cluster }], users }));
  const lines = async (...argv: string[]) => (await spoken(runAccess, [...argv, '--kubeconfig', kubeconfig])).stderr.trimEnd().split('\n');
  const told = (right: string) => `podmend access: you may not list ${right}, so the answer may lack something`;
  try {
    assert.equal(await lines('who-can', 'get', 'pods'), [told('roles.rbac.authorization.k8s.io'), told('serviceaccounts')]);
    assert.equal(await lines('paths'), [told('roles.rbac.authorization.k8s.io'), told('serviceaccounts'), told('pods')]);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(kubeconfig);
  }
});

access('JSON has the same answer', async () => {
  const { stdout } = await ask('paths', '-o', 'json');
  const { total, paths } = JSON.parse(stdout);
  assert.equal([total, paths[0].subject, paths[0].steps.length], [1, { kind: 'ServiceAccount', name: 'ci', namespace: 'build' }, 1]);
});

access('a search that is cut short says so, and answers what it found', async () => {
  const short = await ask('paths', '--effort', '1', '-o', 'json');
  assert.match(
    short.stderr,
    /^podmend access: there are too many roles and bindings: of \d subjects .* --effort all, or a number above 1\n$/,
  );
  const { total, left_out: leftOut } = JSON.parse(short.stdout);
  assert.equal([total, leftOut > 0, short.code], [0, true, 2]);
  assert.is((await ask('paths', 'sa:build/ci', '--effort', '1')).stdout, 'No escalation path was found so far.\n');
  const whole = await ask('paths', '--effort', 'all');
  assert.equal([whole.stderr, whole.code], ['', 1]);
});

const REFUSED: [argv: string[], said: RegExp][] = [
  [[], /ask one of who-can, rights, paths/],
  [['who'], /ask one of .*, not "who"/],
  [['who-can', 'get'], /who-can needs a verb and a resource/],
  [['who-can', 'get', 'pods', 'web', 'more'], /unexpected argument "more"/],
  [['rights'], /rights needs a subject/],
  [['rights', 'ann'], /"ann" is no subject/],
  [['rights', 'sa:web'], /name the namespace/],
  [['paths', '--to', 'moon'], /--to is cluster-admin, node, secrets/],
  [['paths', '-o', 'yaml'], /-o is text or json/],
  [['paths', '--effort', 'long'], /--effort is a number of 1 or more, or all, not "long"/],
  [['paths', '--effort', '0'], /--effort is a number/],
  [['paths', '--effort', ''], /--effort is a number/],
];
for (const [argv, said] of REFUSED)
  access(`refused: ${argv.join(' ') || 'nothing'}`, async () => {
    const { stderr, stdout, code } = await ask(...argv);
    assert.match(stderr, said);
    assert.equal([stdout, code], ['', 2]);
  });

access('names in a file cannot forge lines of the output', async () => {
  const evil = FILES.replace('name: ci,', 'name: "c\\ni\\u001b[31m",');
  const { stdout } = await spoken(runAccess, ['paths', '-f', '-'], { stdin: evil });
  assert.not.ok(stdout.includes('\ni') || stdout.includes('\u001b'), stdout);
});

access.run();
