import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../../src/config.ts';
import { StaleLeader } from '../../../src/db/errors.ts';
import { adviceSuppressionRepository, failureSuppressionRepository, findingSuppressionRepository } from '../../../src/db/suppressible.ts';
import { trialRepository } from '../../../src/db/trials.ts';
import { openEvents } from '../../../src/events.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { ClusterUnavailable } from '../../../src/kube/errors.ts';
import { createLog } from '../../../src/log.ts';
import { leaderTasks, type LeaderTasksDeps } from '../../../src/modes/operator/leader-tasks.ts';

const test = suite('the tasks of a leader');

const REPOSITORIES = new Map<unknown, string>([
  [trialRepository, 'trials'],
  [failureSuppressionRepository, 'failures'],
  [findingSuppressionRepository, 'findings'],
  [adviceSuppressionRepository, 'advice'],
]);

/** The tasks of term 7, what each was given, and which were stopped. */
function begin() {
  let current = true;
  const given: Record<string, Record<string, unknown>> = {};
  const stopped: string[] = [];
  const fenced: string[] = [];
  const task =
    (name: string) =>
    (given_: object, ...more: object[]) => {
      given[name] = Object.assign({}, ...(more.length > 0 ? [{ client: given_ }, { suppressible: more[0] }] : [given_]));
      return { stop: async () => void stopped.push(name) };
    };
  const away = async () => {
    throw new ClusterUnavailable('no cluster');
  };
  const client = Object.fromEntries(
    ['read', 'list', 'page', 'watch', 'create', 'replace', 'patch', 'remove'].map((method) => [method, away]),
  ) as unknown as KubeClient;
  const whole = (name: string) => ({ set: `${name}.set, of anybody`, active: `${name}.active` });
  const storage = {
    leadership: {
      fenced(term: { epoch: number }, make: unknown, methods: string[]) {
        const name = REPOSITORIES.get(make) ?? 'another';
        fenced.push(`${term.epoch} ${name} ${methods.join()}`);
        return Object.fromEntries(methods.map((method) => [method, `${name}.${method}, of the term`]));
      },
    },
    trials: {},
    failureSuppressions: whole('failures'),
    findingSuppressions: whole('findings'),
    adviceSuppressions: whole('advice'),
  };
  const tasks = leaderTasks({
    config: readConfig({ SERVICE_TOKEN: 'x'.repeat(16) }, 'operator'),
    storage,
    cluster: { background: { client } },
    hub: openEvents(() => assert.unreachable(), undefined).hub,
    mirrors: { passes: {} },
    suppressions: { lead: task('suppressions') },
    advice: { lead: task('advice') },
    models: { lead: (fence: unknown) => task('models')({ fence }) },
    leaderWatch: { lead: task('leaderWatch') },
    notifications: { lead: task('notifications') },
    now: () => new Date('2026-05-01T10:00:00Z'),
    log: createLog({ level: 'silent' }),
  } as unknown as LeaderTasksDeps)({ epoch: 7, holder: 'me', stale: () => undefined, isCurrent: () => current });
  return { tasks, given, stopped, fenced, end: () => (current = false) };
}

test('each repository that the tasks write to is fenced by the term', async () => {
  const { tasks, fenced, given } = begin();
  assert.equal(fenced, ['7 trials insert,update,end,keepLog', '7 failures set', '7 findings set', '7 advice set']);
  const of = (name: string) => ({ set: `${name}.set, of the term`, active: `${name}.active` });
  assert.equal(given['suppressions']?.['suppressible'], { failures: of('failures'), findings: of('findings'), advice: of('advice') });
  await tasks.stop();
});

test('every task begins, each with what it may do, and a stop waits for all', async () => {
  const { tasks, given, stopped } = begin();
  assert.equal(Object.fromEntries(Object.entries(given).map(([name, fields]) => [name, Object.keys(fields)])), {
    suppressions: ['client', 'suppressible'],
    leaderWatch: ['client'],
    advice: ['client', 'fence'],
    models: ['fence'],
    notifications: ['client', 'fence', 'isCurrent'],
  });
  assert.equal([tasks.counts(), tasks.locate('u'), tasks.tally()], [[], undefined, { verdicts: [], revisions: [] }]);
  await tasks.stop();
  assert.equal(stopped.sort(), Object.keys(given).sort());
});

test('the client of the tasks writes nothing after the term', async () => {
  const { tasks, given, end } = begin();
  const write = (name: string) =>
    (given[name]!['client'] as KubeClient).create({} as never, { metadata: {} }).catch((error: unknown) => error);
  const holders = ['suppressions', 'leaderWatch', 'advice', 'notifications'];
  for (const name of holders) assert.instance(await write(name), ClusterUnavailable, name);
  end();
  for (const name of holders) assert.instance(await write(name), StaleLeader, name);
  assert.not((given['notifications']!['isCurrent'] as () => boolean)());
  await tasks.stop();
});

test.run();
