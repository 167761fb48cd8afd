import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RbacObjects } from '../../src/access/objects.ts';
import { worldOf } from '../../src/access/paths/world.ts';
import { type PathsQuestion, pathsSearch } from '../../src/api/escalation-paths.ts';
import { ApiError } from '../../src/api/errors.ts';
import { fullRoles, leadingRoles } from '../support/builders/leading-roles.ts';
import { createLog } from '../../src/log.ts';

const test = suite('the search of escalation paths');
const log = createLog({ level: 'silent' });
/** With this level, who creates pods reaches the namespace's Secrets, but not the node. */
const BASELINE = { 'pod-security.kubernetes.io/enforce': 'baseline' };
const rbac: RbacObjects = {
  clusterRoles: [{ metadata: { name: 'makers' }, rules: [{ verbs: ['create'], apiGroups: [''], resources: ['pods'] }] }],
  roles: [],
  clusterRoleBindings: [],
  roleBindings: ['ann', 'bob'].map((name) => ({
    metadata: { name, namespace: 'shop' },
    roleRef: { kind: 'ClusterRole', name: 'makers' },
    subjects: [{ kind: 'User', name }],
  })),
};
const question = (wanted: PathsQuestion['wanted'] = {}, limit = 10): PathsQuestion => ({
  world: worldOf([{ kind: 'Namespace', metadata: { name: 'shop', labels: BASELINE } }], true, rbac),
  wanted,
  limit,
});
const refusal = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'an answer',
    (error: unknown) => (error instanceof ApiError ? `${error.status} ${error.message}` : String(error)),
  );

test('paths are found in a thread, and only those that are asked for', async () => {
  const search = pathsSearch(log);
  try {
    const all = await search.find(async () => question());
    assert.equal(
      all.paths.map(({ subject, target, namespace }) => [subject.name, target, namespace]),
      [
        ['ann', 'secrets', 'shop'],
        ['bob', 'secrets', 'shop'],
      ],
    );
    assert.is((await search.find(async () => question({}, 1))).paths.length, 1);
    const [bob, ...others] = (await search.find(async () => question({ name: 'bob' }))).paths;
    assert.equal([bob?.subject.name, others.length], ['bob', 0]);
    assert.is((await search.find(async () => question({ to: 'node' }))).total, 0);
  } finally {
    await search.stop();
  }
});

test('for the worst known clusters it answers a part, and says how much is left out', async () => {
  const search = pathsSearch(log);
  try {
    for (const objects of [fullRoles(1_000), leadingRoles(1_000)]) {
      const answer = await search.find(async () => ({ world: worldOf(objects, true), wanted: {}, limit: 10 }));
      assert.ok((answer.left_out ?? 0) > 0, JSON.stringify(answer).slice(0, 300));
    }
  } finally {
    await search.stop();
  }
});

test('a search that takes too long is refused, and the next one starts', async () => {
  // A thread needs more than a millisecond to start.
  const search = pathsSearch(log, { jobMs: 1 });
  for (let n = 0; n < 2; n++) assert.match(await refusal(search.find(async () => question())), /^503 .*take too long/);
  await search.stop();
});

test('one search at a time: a request that waits too long is refused before it reads the cluster', async () => {
  const search = pathsSearch(log, { waitMs: 20 });
  const gate = Promise.withResolvers<PathsQuestion>();
  const first = search.find(() => gate.promise);
  let reads = 0;
  const second = search.find(async () => {
    reads++;
    return question();
  });
  assert.match(await refusal(second), /^503 .*others now/);
  assert.is(reads, 0);
  gate.reject(new Error('the cluster is away'));
  assert.match(await refusal(first), /the cluster is away/);
  assert.is((await search.find(async () => question())).total, 2, 'the turn is given back');
  await search.stop();
});

test.run();
