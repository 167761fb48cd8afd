import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { nodeKubeconfig, onNode } from '../support/cluster/on-node.ts';
import { nodeWorld, type NodeWorld } from '../support/worlds/node.ts';
import type { VerdictCase } from './case.ts';
import { longForm, shortForm } from './select-cases.ts';
import { type CaseResult, score } from './score.ts';

/** Each case has two pods, and a node takes 110. */
const AT_ONCE = 36;
const EVERY_MS = 1_000;
let world: NodeWorld;

/**
 * Runs every second case on a real kubelet with the real operator: the even ones (0) or the odd ones (1). Two files share the corpus,
 * because one file may take only five minutes. With `isLong`, all cases run. Otherwise, a third of the cases that need little time run.
 */
export function corpusOnNode(half: 0 | 1, isLong: boolean): void {
  const name = `verdict corpus on a real node, half ${half + 1} of 2`;
  const chosen = (isLong ? longForm() : shortForm().filter((_, index) => index % 3 === 0)).filter((_, index) => index % 2 === half);
  const test = suite(name);
  test.before(async () => {
    world = await nodeWorld(nodeKubeconfig, 'verdicts');
    await world.startOperator({ MIRROR_LIMITS: '100,200,400' });
    world.startAgent();
  });
  test.after(() => world?.end());
  test('no last verdict is false, and every mirror ends', async () => {
    const results: CaseResult[] = [];
    for (let from = 0; from < chosen.length; from += AT_ONCE) results.push(...(await runBatch(chosen.slice(from, from + AT_ONCE), from)));
    const { lines, falseFixed, falseStillFailing, inconclusive, withoutEnd } = score(results);
    console.log(lines.join('\n'));
    if (inconclusive.length > 0) console.log(`Inconclusive: ${inconclusive.join('\n')}`);
    assert.equal(falseFixed, [], 'false Fixed');
    assert.equal(falseStillFailing, [], 'false StillFailing');
    assert.equal(withoutEnd, [], 'without an end');
  });
  onNode(name, () => test.run());
}

interface Running {
  one: VerdictCase;
  /** The name of the source. Its mirror is `m-<name>`. */
  name: string;
  result: CaseResult;
  startedAt: number;
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const apply = (items: object[]) => world.kubectl.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));

async function runBatch(cases: readonly VerdictCase[], batch: number): Promise<CaseResult[]> {
  const { namespace } = world;
  const running = cases.map((one, index): Running => {
    const result = { name: one.name, class: one.class, truth: one.truth, verdicts: [], windowSeconds: 0 };
    return { one, name: `c${batch}-${index}`, result, startedAt: 0 };
  });
  const begun = Date.now();
  await apply(running.map(({ one, name }) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec: one.source })));
  for (let waiting = [...running]; waiting.length > 0;) {
    const due = waiting.filter(({ one }) => Date.now() - begun >= (one.sourceSeconds ?? 20) * 1000);
    waiting = waiting.filter((each) => !due.includes(each));
    if (due.length > 0) await apply(due.map(mirrorFor));
    await note(running);
    await sleep(EVERY_MS);
  }
  while (running.some(({ result }) => result.isFinal !== true) && Date.now() - begun < 1_500_000) {
    await note(running);
    await sleep(EVERY_MS);
  }
  await world.kubectl('delete', 'pods', '--all', '-n', namespace, '--grace-period=1', '--wait=false');
  return running.map(({ result }) => result);
}

function mirrorFor({ one, name }: Running): object {
  return {
    apiVersion: 'podmend.dev/v1alpha1',
    kind: 'MirrorPod',
    metadata: { name: `m-${name}`, namespace: world.namespace },
    spec: {
      source: { name },
      template: { spec: one.corrected },
      onExpiry: 'Retain',
      acknowledgeSideEffects: true,
      ...(one.ttlSeconds === undefined ? {} : { ttlSeconds: one.ttlSeconds }),
    },
  };
}

/** Updates the results from the MirrorPods. */
async function note(running: readonly Running[]): Promise<void> {
  const { items } = JSON.parse(await world.kubectl('get', 'mirrorpods', '-n', world.namespace, '-o', 'json')) as { items: MirrorPod[] };
  for (const { name, result } of running) {
    const mirror = items.find(({ metadata }) => metadata.name === `m-${name}`);
    if (!mirror?.status) continue;
    const { status, metadata } = mirror;
    const at = (Date.now() - Date.parse(status.startTime ?? metadata.creationTimestamp ?? '')) / 1000;
    const conditions = status.conditions ?? [];
    const isNew = status.verdict !== result.last || (status.revisions?.length ?? 0) >= Math.max(1, result.verdicts.length);
    if (status.verdict && isNew) {
      const reason = conditions.find(({ type }) => type === 'Fixed')?.reason ?? '';
      result.verdicts.push({ at: Math.round(at), verdict: status.verdict, reason });
      result.last = status.verdict;
    }
    if (status.evidence) result.windowSeconds = status.evidence.windowSeconds;
    if (status.evidence?.readySince) result.readyAt ??= at;
    result.isFinal = conditions.some(({ type, status: isTrue }) => type === 'Final' && isTrue === 'True');
  }
}
