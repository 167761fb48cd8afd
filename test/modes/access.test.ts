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

const ANSWERS: [argv: string[], code: number, expected: string][] = [
  [
    ['who-can', 'get', 'deployments.apps', 'web', '-n', 'shop'],
    0,
    `Group system:masters
  the API server asks its members nothing
Group dev
  by RoleBinding shop/readers → Role shop/reader
`,
  ],
  [['who-can', 'get', 'deployments.apps', 'db', '-n', 'shop'], 0, 'Group system:masters\n  the API server asks its members nothing\n'],
  [
    ['rights', 'user:ann', '--group', 'dev'],
    0,
    `get deployments, deployments.apps named web, in namespace shop
  by RoleBinding shop/readers → Role shop/reader
`,
  ],
  [['rights', 'user:ann'], 0, 'No binding gives it any right.\n'],
  [
    ['paths'],
    1,
    `ServiceAccount build/ci may do everything
  1. ServiceAccount build/ci binds ClusterRole cluster-admin in the whole cluster to itself
     by ClusterRoleBinding binders → ClusterRole binder

Without ClusterRoleBinding binders, 1 of the paths end.
`,
  ],
  [['paths', 'sa:build/ci', '--to', 'node'], 0, 'No escalation path.\n'],
];
for (const [argv, code, expected] of ANSWERS)
  access(argv.join(' '), async () => {
    const told = await ask(...argv);
    assert.equal([told.stderr, told.stdout, told.code], ['', expected, code]);
  });

access('JSON has the same answer', async () => {
  const { stdout } = await ask('paths', '-o', 'json');
  const { total, paths } = JSON.parse(stdout);
  assert.equal([total, paths[0].subject, paths[0].steps.length], [1, { kind: 'ServiceAccount', name: 'ci', namespace: 'build' }, 1]);
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
];
for (const [argv, said] of REFUSED)
  access(`refused: ${argv.join(' ') || 'nothing'}`, async () => {
    const { stderr, stdout, code } = await ask(...argv);
    assert.match(stderr, said);
    assert.equal([stdout, code], ['', 2]);
  });

access('names of a file cannot forge lines', async () => {
  const evil = FILES.replace('name: ci,', 'name: "c\\ni\\u001b[31m",');
  const { stdout } = await spoken(runAccess, ['paths', '-f', '-'], { stdin: evil });
  assert.not.ok(stdout.includes('\ni') || stdout.includes('\u001b'), stdout);
});

access.run();
