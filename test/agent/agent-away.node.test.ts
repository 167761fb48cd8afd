import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentRecord } from '../../src/contract/agent.ts';
import { longOr } from '../support/runner/long.ts';
import { inOrder, millis, type NodeWorld, nodeWorld, PODS } from '../support/worlds/node.ts';
import type { Running } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';
import { onNode } from '../support/cluster/on-node.ts';

// The agent or the operator is away for a while. What do they see when they are back?

const OUTAGE_MS = longOr(300_000, 10_000);
/** After 60 seconds without a heartbeat, the operator watches the agent's node itself. */
const SETTINGS = { AGENT_SILENT_SECONDS: '60', RECOVERY_SECONDS: '5' };
/** Gives a heartbeat every two seconds, so that the test waits less. */
const OF_AGENT = { ...SETTINGS, AGENT_SILENT_SECONDS: '6' };

function tell(admin: string): void {
  const test = suite('an agent that was away, and an agent whose operator was away');
  let world: NodeWorld;
  let operator: Running;
  let agent: Running;

  test.before(async () => {
    world = await nodeWorld(admin, 'agent-away');
    operator = await world.startOperator(SETTINGS);
    await world.signUp();
    agent = world.startAgent(OF_AGENT);
  });
  test.after(() => world?.end());

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    test(`after ${signal} a new agent finds what began and ended meanwhile, and reports nothing twice`, async () => {
      const name = (stem: string) => `${stem}-${signal.toLowerCase()}`;
      await world.run({ [name('stays')]: PODS.unpulled, [name('goes')]: PODS.unpulled, [name('heals')]: PODS.unconfigured(name('late')) });
      const before = await Promise.all(['stays', 'goes', 'heals'].map((stem) => world.recordOf(name(stem))));
      await agent.stop(signal);
      await world.run({ [name('comes')]: PODS.unpulled, [name('dies')]: PODS.failing });
      await world.kubectl('create', 'configmap', name('late'), '-n', world.namespace, '--from-literal=size=2');
      await Promise.all([
        world.kubectl('wait', '--for=condition=Ready', `pod/${name('heals')}`, '-n', world.namespace, '--timeout=120s'),
        world.remove(name('goes')),
        world.kubectl('wait', '--for=jsonpath={.status.phase}=Failed', `pod/${name('dies')}`, '-n', world.namespace, '--timeout=60s'),
      ]);
      agent = world.startAgent(OF_AGENT);
      for (const stem of ['comes', 'dies']) await world.recordOf(name(stem));
      for (const stem of ['goes', 'heals']) await world.closed(name(stem));
      const after = await Promise.all(['stays', 'goes', 'heals'].map((stem) => world.single(name(stem))));
      assert.equal(
        after.map(({ id, occurrences }) => [id, occurrences]),
        before.map(({ id, occurrences }) => [id, occurrences]),
      );
      assert.is(after[0]?.resolved_at, null);
      assert.equal(
        after.map(({ timestamp }) => timestamp),
        before.map(({ timestamp }) => timestamp),
      );
    });
  }

  test('while the operator is away the agent keeps what happens, and reports it with its times', async () => {
    await world.run({ old: PODS.unpulled });
    const old = await world.recordOf('old');
    await operator.stop('SIGKILL');
    const begun = Date.now();
    await world.run({ 'away-stays': PODS.unpulled, 'away-goes': PODS.failing });
    await world.kubectl('wait', '--for=jsonpath={.status.phase}=Failed', 'pod/away-goes', '-n', world.namespace, '--timeout=60s');
    await until(() => /"pod":"away-goes".*pod fails/.test(agent.output()), { what: 'the agent to see away-goes' });
    await world.remove('away-goes', 'old');
    const over = Date.now();
    await sleep(Math.max(5_000, OUTAGE_MS - (over - begun)));
    const back = Date.now();
    operator = await world.startOperator(SETTINGS);
    const stays = await world.recordOf('away-stays');
    const goes = await world.closed('away-goes');
    const gone = await world.closed('old');
    inOrder('stays', begun, stays.timestamp, over);
    assert.is(stays.resolved_at, null);
    inOrder('goes', begun, goes.container_statuses[0]?.finished_at, goes.timestamp, goes.resolved_at, over);
    assert.ok(millis(goes.resolved_at) < back, 'the times are not those of the delivery');
    assert.is(gone.id, old.id);
    inOrder('old', begun, gone.resolved_at, over);
    const told = async () => (await world.client.get<AgentRecord[]>('/api/agents')).find(({ node }) => node === world.node);
    const word = await until(async () => ((await told())?.spooled === 0 ? told() : undefined), {
      what: 'an empty spool',
    });
    assert.is(word.dropped, 0);
  });

  test('a failure that was not reported when the agent was killed is found again, if it is still there', async () => {
    await operator.stop();
    const begun = Date.now();
    await world.run({ 'lost-stays': PODS.unpulled, 'lost-goes': PODS.failing });
    await until(() => /"pod":"lost-goes".*pod fails/.test(agent.output()) && /"pod":"lost-stays".*pod fails/.test(agent.output()), {
      what: 'the agent to see both',
    });
    await world.remove('lost-goes');
    await agent.stop('SIGKILL');
    agent = world.startAgent(OF_AGENT);
    operator = await world.startOperator(SETTINGS);
    const stays = await world.recordOf('lost-stays');
    inOrder('lost-stays', begun, stays.timestamp, Date.now());
    // Only the killed agent saw this pod, and could not report it. So it has no record.
    assert.equal(
      (await world.records()).filter(({ pod_name }) => pod_name === 'lost-goes'),
      [],
    );
  });

  test.run();
}

onNode('an agent that was away', tell);
