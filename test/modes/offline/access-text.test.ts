import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EscalationPaths, Rights, Through, WhoCan } from '../../../src/contract/access.ts';
import { pathsText, rightsText, whoCanText } from '../../../src/modes/offline/access-text.ts';

const test = suite('the text of answers about rights');

const robot = { kind: 'ServiceAccount' as const, name: 'robot', namespace: 'shop' };
const through = (name: string, namespace?: string): Through => ({
  binding: namespace ? { kind: 'RoleBinding', name, namespace } : { kind: 'ClusterRoleBinding', name },
  role: namespace ? { kind: 'Role', name: 'r', namespace } : { kind: 'ClusterRole', name: 'r' },
  subject: robot,
});
const lines = (...all: string[]): string => `${all.join('\n')}\n`;

test('who can: each subject with all its bindings; members of system:masters have none', () => {
  const answer: WhoCan = {
    subjects: [
      { kind: 'Group', name: 'system:masters', through: [] },
      { ...robot, through: [through('a'), through('b', 'shop')] },
    ],
  };
  assert.is(
    whoCanText(answer),
    lines(
      'Group system:masters',
      '  the API server does not check the rights of its members',
      'ServiceAccount shop/robot',
      '  by ClusterRoleBinding a → ClusterRole r',
      '  by RoleBinding shop/b → Role shop/r',
    ),
  );
});

const aRight = (over: Partial<Rights['rights'][number]>): Rights['rights'][number] => ({
  namespace: '*',
  verbs: ['get'],
  api_groups: [],
  resources: [],
  resource_names: [],
  non_resource_urls: [],
  through: through('a'),
  ...over,
});
const RIGHTS: [what: string, over: Partial<Rights['rights'][number]>, line: string][] = [
  [
    'resources of several groups',
    { verbs: ['get', 'list'], api_groups: ['', 'apps'], resources: ['pods', 'x'] },
    'get, list pods, x, pods.apps, x.apps, in the whole cluster',
  ],
  [
    'named objects of a namespace',
    { api_groups: [''], resources: ['pods'], resource_names: ['a', 'b'], namespace: 'shop' },
    'get pods named a, b, in namespace shop',
  ],
  ['addresses', { non_resource_urls: ['/healthz', '/livez'] }, 'get /healthz, /livez, in the whole cluster'],
];
for (const [what, over, line] of RIGHTS)
  test(`rights: ${what}`, () =>
    assert.is(rightsText({ rights: [aRight(over)] }), lines(line, '  by ClusterRoleBinding a → ClusterRole r')));

test('rights: none', () => assert.is(rightsText({ rights: [] }), 'No binding gives this subject any right.\n'));

type Path = EscalationPaths['paths'][number];
const aPath = (over: Partial<Path>): Path => ({ subject: robot, target: 'node', steps: [], ends: [], ...over });
const TARGETS: [over: Partial<Path>, ends: string][] = [
  [{ target: 'cluster-admin' }, 'may do everything'],
  [{ target: 'node' }, 'controls a node'],
  [{ target: 'secrets', namespace: '*' }, 'reads Secrets of all namespaces'],
  [{ target: 'secrets', namespace: 'bank' }, 'reads Secrets of namespace bank'],
];
for (const [over, ends] of TARGETS)
  test(`a path whose subject ${ends}`, () =>
    assert.is(pathsText({ total: 1, paths: [aPath(over)] }, 0), lines(`ServiceAccount shop/robot ${ends}`, '')));

test('a path has its steps in their order with what grants them, and what its last identity has; then the best cut', () => {
  const step = (does: string, ...by: Through[]) => ({ as: 'ServiceAccount shop/robot', does, through: by });
  const path = aPath({
    steps: [step('creates a pod', through('a'), through('b', 'shop')), step('reads it', through('c'))],
    ends: [through('d')],
  });
  assert.is(
    pathsText({ total: 9, paths: [path], cut: { binding: { kind: 'RoleBinding', name: 'b', namespace: 'shop' }, breaks: 7 } }, 2),
    lines(
      'ServiceAccount shop/robot controls a node',
      '  1. ServiceAccount shop/robot creates a pod',
      '     by ClusterRoleBinding a → ClusterRole r',
      '     by RoleBinding shop/b → Role shop/r',
      '  2. ServiceAccount shop/robot reads it',
      '     by ClusterRoleBinding c → ClusterRole r',
      '     which has this power by ClusterRoleBinding d → ClusterRole r',
      '',
      'Removing RoleBinding shop/b breaks 7 of the paths.',
      "2 paths of Kubernetes' own components are not shown; --all shows them.",
    ),
  );
});

test('no path: whether the search was whole, and how many paths are not shown', () => {
  const none = { total: 0, paths: [] };
  assert.is(pathsText(none, 0), 'No escalation path.\n');
  assert.is(pathsText({ ...none, left_out: 3 }, 0), 'No escalation path was found so far.\n');
  assert.is(pathsText(none, 4), "No escalation path.\n4 paths of Kubernetes' own components are not shown; --all shows them.\n");
});

test('a name stays on its line, and a long one is cut', () => {
  const named = (name: string) => whoCanText({ subjects: [{ kind: 'User', name, through: [] }] }).split('\n');
  assert.is(named('a\nb').length, 3);
  const [line = ''] = named('x'.repeat(2_000));
  assert.ok(line.length <= 310 && line.length >= 300, String(line.length));
});

test.run();
