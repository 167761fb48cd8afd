import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pathsIn } from '../../../src/access/paths/paths.ts';
import { worldOf } from '../../../src/access/paths/world.ts';
import { objectsOf, smallCluster, type SmallSubject } from './cluster.ts';
import { type Outcome, outcomeOf } from './walk.ts';

/** Compares with an exhaustive search in small clusters: no path is missed, and no false path is reported. */
const test = suite('escalation paths against an exhaustive search');
const CLUSTERS = 1000;
/** Seeds beyond the first 1000 in which an earlier version missed a path. */
const MISSED = [2497, 2826, 3333, 4055, 5722, 22_231, 102_701];
const SEEDS = [...Array.from({ length: CLUSTERS }, (_, index) => index + 1), ...MISSED];

const keyOf = ({ kind, namespace = '', name }: { kind: string; namespace?: string | undefined; name: string }): string =>
  `${kind} ${namespace}/${name}`;

/** The targets that our search reports for each subject. */
function toldIn(seed: number): Map<string, Outcome> {
  const told = new Map<string, Outcome>();
  for (const { subject, target } of pathsIn(worldOf(objectsOf(smallCluster(seed)), true))) {
    const one = told.get(keyOf(subject)) ?? { all: false, node: false, secrets: [] };
    if (target.kind === 'cluster-admin') one.all = true;
    else if (target.kind === 'node') one.node = true;
    else one.secrets = [...one.secrets, target.namespace].toSorted();
    told.set(keyOf(subject), one);
  }
  // Who reaches everything reaches the other targets too. Our search reports those only when they are nearer, so ignore them.
  for (const one of told.values()) if (one.all) Object.assign(one, { node: false, secrets: [] });
  return told;
}

const NOTHING: Outcome = { all: false, node: false, secrets: [] };

test('the same targets for every subject', () => {
  const differing: string[] = [];
  let reached = 0;
  for (const seed of SEEDS) {
    const cluster = smallCluster(seed);
    const told = toldIn(seed);
    const subjects = new Map(
      cluster.bindings.flatMap((one) => one.subjects.map((subject): [string, SmallSubject] => [keyOf(subject), subject])),
    );
    for (const [key, subject] of subjects) {
      const expected = outcomeOf(cluster, subject);
      const said = told.get(key) ?? NOTHING;
      if (expected.all || expected.node || expected.secrets.length > 0) reached++;
      if (JSON.stringify(said) !== JSON.stringify(expected))
        differing.push(`seed ${seed}, ${key}: told ${JSON.stringify(said)}, true is ${JSON.stringify(expected)}`);
    }
  }
  assert.equal(differing.slice(0, 10), [], `${differing.length} differ`);
  // The test means nothing if hardly any subject reaches a target.
  assert.ok(reached > CLUSTERS / 3, `${reached} subjects reach something`);
});

test.run();
