import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { createLog } from '../../src/log.ts';
import { type Operator, OperatorAway } from '../../src/scanner/operator.ts';
import { projectJudged } from '../../src/scanner/project.ts';
import { scan } from '../../src/scanner/scan.ts';
import { requestIn } from '../../src/scanner/socket.ts';
import { until } from '../support/runner/wait.ts';

const log = createLog({ level: 'silent' });

function aPod(name: string, spec: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop' },
    spec: { hostPID: true, containers: [], ...spec },
  } as KubeObject;
}

/** A scan over the objects of a map. It records what is sent. */
function world(names: string[], missing: string[] = []) {
  const objects = new Map(names.map((name) => [`Pod/shop/${name}`, aPod(name)]));
  const calls: string[] = [];
  const state = { isAway: false, holds: undefined as Promise<void> | undefined };
  const call = async (text: string): Promise<void> => {
    if (state.isAway) throw new OperatorAway('away');
    calls.push(text);
    await state.holds;
  };
  const operator: Operator = {
    replace: (key, findings) => call(`put ${key} ${findings.map(({ check_name }) => check_name).includes('host-namespaces')}`),
    remove: (key) => call(`delete ${key}`),
    clear: () => call('clear'),
    status: ({ status, reason }) => call(`${status} ${reason}`),
    duration: () => call('duration'),
  };
  const inventory = { keys: () => [...objects.keys()], get: (key: string) => objects.get(key), around: () => ({}), missing: () => missing };
  const running = scan({ inventory, operator, hiddenNamespaces: [], minor: () => 36, log, gatherMs: 1, backoff: { firstMs: 1, maxMs: 2 } });
  const taken = () => calls.splice(0);
  return { objects, calls, state, running, taken };
}

const scanning = suite('scan');

scanning('the first pass begins anew and reports everything', async () => {
  const { running, taken } = world(['a', 'b']);
  await running.pass('start');
  assert.equal(taken(), ['started start', 'clear', 'put Pod/shop/a true', 'put Pod/shop/b true', 'duration', 'completed start']);
  await running.stop();
});

scanning('an unchanged pass sends no findings', async () => {
  const { running, taken } = world(['a', 'b']);
  await running.pass('start');
  taken();
  await running.pass('schedule');
  assert.equal(taken(), ['started schedule', 'duration', 'completed schedule']);
  await running.stop();
});

scanning('only a change is sent, a deleted object is removed, and an object that returns is sent again', async () => {
  const { objects, running, taken, calls } = world(['a', 'b']);
  await running.pass('start');
  taken();
  objects.set('Pod/shop/a', aPod('a', { hostPID: false }));
  running.changed(['Pod/shop/a', 'Pod/shop/b']);
  await until(() => calls.length > 0, { what: 'the change to be told' });
  assert.equal(taken(), ['put Pod/shop/a false']);
  const b = objects.get('Pod/shop/b') as KubeObject;
  objects.delete('Pod/shop/b');
  running.changed(['Pod/shop/b']);
  await until(() => calls.length > 0, { what: 'the removal to be told' });
  assert.equal(taken(), ['delete Pod/shop/b']);
  objects.set('Pod/shop/b', b);
  running.changed(['Pod/shop/b', 'Pod/shop/never']);
  await until(() => calls.length > 0, { what: 'the return to be told' });
  assert.equal(taken(), ['put Pod/shop/b true']);
  await running.stop();
});

scanning('an object whose deletion nobody saw is removed by the next pass', async () => {
  const { objects, running, taken } = world(['a', 'b']);
  await running.pass('start');
  taken();
  objects.delete('Pod/shop/a');
  await running.pass('schedule');
  assert.equal(taken(), ['started schedule', 'delete Pod/shop/a', 'duration', 'completed schedule']);
  await running.stop();
});

scanning('while the operator is away nothing is lost', async () => {
  const { state, running, taken, calls } = world(['a']);
  state.isAway = true;
  const pass = running.pass('start');
  state.isAway = false;
  await pass;
  assert.equal(taken().slice(-4), ['clear', 'put Pod/shop/a true', 'duration', 'completed start']);
  assert.equal(calls, []);
  await running.stop();
});

scanning('a scan that is stopped while the operator is away ends', async () => {
  const { state, running, taken } = world(['a']);
  state.isAway = true;
  const pass = running.pass('start');
  await running.stop();
  await pass;
  assert.equal(taken(), []);
});

scanning('two requests for the same reason that wait are one pass', async () => {
  const { state, running, taken } = world(['a']);
  const gate = Promise.withResolvers<void>();
  state.holds = gate.promise;
  const passes = [running.pass('start'), running.pass('requested'), running.pass('requested')];
  state.holds = undefined;
  gate.resolve();
  await Promise.all(passes);
  assert.is(taken().filter((text) => text === 'started requested').length, 1);
  await running.stop();
});

scanning('kinds that could not be listed are named', async () => {
  const { running, taken } = world(['a'], ['CronJob']);
  await running.pass('start');
  assert.is(taken().at(-1), 'completed start (could not list CronJob)');
  await running.stop();
});

scanning('what asks for a pass, and what does not', () => {
  const rows: [text: string, reason: string | undefined][] = [
    ['{"type":"security_rescan_status","data":{"status":"requested","reason":"audit"}}', 'audit'],
    ['{"type":"security_rescan_status","data":{"status":"started","reason":"audit"}}', undefined],
    ['{"type":"trusted_registry_change","data":{"registry":"x","action":"added"}}', 'trusted_registry_change'],
    ['{"type":"pod_deleted","data":{}}', undefined],
    ['{"type":"security_rescan_status"}', undefined],
    ['null', undefined],
    ['{', undefined],
  ];
  for (const [text, reason] of rows) assert.is(requestIn(text), reason, text);
});

scanning('only the name of a pod with an owner is kept, and an unknown owner hides nothing', () => {
  const owned = (owner: object): KubeObject => {
    const pod = aPod('a');
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [{ name: 'x', uid: 'u', controller: true, ...owner }] } } as KubeObject;
  };
  const rows: [owner: object, isKept: boolean][] = [
    [{ apiVersion: 'apps/v1', kind: 'ReplicaSet' }, false],
    [{ apiVersion: 'batch/v1', kind: 'Job' }, false],
    [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', controller: false }, true],
    [{ apiVersion: 'example.com/v1', kind: 'ReplicaSet' }, true],
    [{ apiVersion: 'v1', kind: 'Node' }, true],
    [{ apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod' }, true],
  ];
  for (const [owner, isKept] of rows) assert.is('spec' in projectJudged(owned(owner)), isKept, JSON.stringify(owner));
});

scanning.run();
