import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerPaths } from '../../src/access/answers.ts';
import { escalations, pathsIn } from '../../src/access/paths/paths.ts';
import { worldOf } from '../../src/access/paths/world.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { BASE, RBAC, rule, told } from '../support/builders/eve.ts';

// Identities with equal rights share one search, but each still gets its own paths. A search that is cut short says so.

const test = suite('searches that are shared, and cut short');

const objectsIn = (...documents: string[]): KubeObject[] => loadManifests([BASE, ...documents].join('\n---\n')) as KubeObject[];
/** A ClusterRole for one user, with its binding. */
const own = (user: string, rules: string): string => `{kind: ClusterRole, metadata: {name: role-${user}}, rules: [${rules}]}
---
{kind: ClusterRoleBinding, metadata: {name: binding-${user}}, roleRef: {kind: ClusterRole, name: role-${user}}, subjects: [{kind: User, name: ${user}}]}`;
const BINDS = `${rule('create', 'clusterrolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC)}`;
const users = Array.from({ length: 20 }, (_, number) => `user-${number}`);

test('each path names the binding of its own subject, and the cut breaks one of them', () => {
  const { paths, cut, leftOut } = escalations(worldOf(objectsIn(...users.map((user) => own(user, BINDS))), true));
  assert.equal(
    paths.map(({ subject, steps: [first] }) => `${subject.name} ${first?.grants.map(({ bound }) => bound.binding.metadata.name).join()}`),
    users.map((user) => `${user} binding-${user},binding-${user}`),
  );
  assert.equal([cut?.bound.binding.metadata.name, cut?.broken, leftOut], ['binding-user-0', 1, 0]);
});

const FILLS = rule('escalate, patch', 'roles', RBAC, 'plain');
const PLAIN = `{kind: Role, metadata: {name: plain, namespace: base}, rules: [${rule('get', 'pods')}]}`;
const bound = (user: string): string =>
  `{kind: RoleBinding, metadata: {name: plain, namespace: base}, roleRef: {kind: Role, name: plain}, subjects: [{kind: User, name: ${user}}]}`;
const ofUser = (objects: KubeObject[], user: string): string[] =>
  pathsIn(worldOf(objects, true))
    .filter(({ subject }) => subject.name === user)
    .map(told)
    .toSorted();

for (const [one, other] of [
  ['ann', 'bob'],
  ['bob', 'ann'],
] as const)
  test(`of two subjects that may rewrite a role, only ${one} has it`, () => {
    const objects = objectsIn(own('ann', FILLS), own('bob', FILLS), PLAIN, bound(one));
    assert.equal(ofUser(objects, one), ['cluster-admin: escalate > impersonate', 'secrets base: escalate']);
    assert.equal(ofUser(objects, other), []);
  });

test('the binding to a role that is rewritten can be the cut', () => {
  const { cut } = escalations(worldOf(objectsIn(own('ann', FILLS), PLAIN, bound('ann')), true));
  assert.equal([cut?.bound.binding.metadata.name, cut?.broken], ['binding-ann', 2]);
  const both = escalations(
    worldOf(
      objectsIn(own('ann', FILLS), own('bob', FILLS), PLAIN, bound('ann').replace('name: ann}', 'name: ann}, {kind: User, name: bob}')),
      true,
    ),
  );
  assert.equal([both.paths.length, both.cut?.bound.binding.metadata.name, both.cut?.broken], [4, 'plain', 4]);
});

test('with little effort, the reported paths are real, and the subjects left out are counted', () => {
  // Every role is different, so that no two identities share a search.
  const objects = objectsIn(...users.map((user) => own(user, `${BINDS}, ${rule('create', 'pods/exec', "''", user)}`)));
  const world = worldOf(objects, true);
  const whole = escalations(world);
  assert.equal([whole.paths.length, whole.leftOut], [users.length, 0]);
  const counts = [1, 2_000, 4_000, 1_000_000].map((effort) => {
    const { paths, leftOut } = escalations(world, { effort });
    for (const path of paths) assert.is(told(path), 'cluster-admin: bind');
    assert.ok(paths.length + leftOut >= users.length, `${paths.length} found, ${leftOut} left out of ${users.length}`);
    return { found: paths.length, leftOut };
  });
  assert.equal([counts[0]?.found, counts.at(-1)], [0, { found: users.length, leftOut: 0 }]);
  assert.ok(
    counts.some(({ found, leftOut }) => found > 0 && leftOut > 0),
    JSON.stringify(counts),
  );
  // The subject that the question is about is searched first. The others do not count as left out.
  const first = escalations(world, { effort: 4_000, about: ({ name }) => name === 'user-19' });
  assert.equal([first.paths[0]?.subject.name, first.leftOut], ['user-19', 0]);
  const cutShort = escalations(world, { effort: 4_000 });
  assert.equal([answerPaths([], cutShort, 10).left_out, answerPaths([], whole, 10).left_out], [cutShort.leftOut, undefined]);
});

test.run();
