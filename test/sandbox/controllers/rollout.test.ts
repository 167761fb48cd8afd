import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { margins, roomFor, rolloutSteps } from '../../../src/sandbox/controllers/rollout.ts';
import type { Stored } from '../../../src/sandbox/store/object.ts';

// Kubernetes, "Deployments": maxSurge is rounded up, maxUnavailable down; the two may not both be 0.

const rollout = suite('rollouts of the sandbox');

const deployment = (replicas: number, rollingUpdate?: object, type = 'RollingUpdate') =>
  ({ spec: { replicas, strategy: { type, ...(rollingUpdate && { rollingUpdate }) } } }) as unknown as Stored;
const set = (name: string, replicas: number, available = replicas, more: object = {}) =>
  ({ metadata: { name }, spec: { replicas }, status: { replicas, availableReplicas: available, ...more } }) as unknown as Stored;

for (const [replicas, rolling, surge, unavailable] of [
  [4, undefined, 1, 1],
  [3, undefined, 1, 0],
  [1, undefined, 1, 0],
  [10, { maxSurge: '25%', maxUnavailable: '25%' }, 3, 2],
  [10, { maxSurge: 0, maxUnavailable: 2 }, 0, 2],
  [10, { maxSurge: 5, maxUnavailable: 0 }, 5, 0],
  [3, { maxSurge: 0, maxUnavailable: '10%' }, 0, 1],
  [0, { maxSurge: '25%', maxUnavailable: '25%' }, 0, 1],
] as const)
  rollout(`${replicas} replicas with ${JSON.stringify(rolling ?? 'nothing said')}: ${surge} more, ${unavailable} fewer`, () =>
    assert.equal(margins(deployment(replicas, rolling)), { surge, unavailable }),
  );

rollout('Recreate has no margins', () => assert.equal(margins(deployment(4, undefined, 'Recreate')), { surge: 0, unavailable: 0 }));

for (const [what, replicas, current, old, expected] of [
  ['alone it gets all', 4, 0, [], 4],
  ['beside the old ones it gets the surge', 4, 0, [set('old', 4)], 1],
  ['as the old ones shrink, it grows', 4, 1, [set('old', 3)], 2],
  ['there is no room', 4, 1, [set('old', 4)], 1],
  ['never more than it should have', 4, 3, [], 4],
  ['it is scaled down at once', 2, 5, [set('old', 4)], 2],
  ['with more old ones than allowed it does not shrink', 4, 2, [set('old', 9)], 2],
] as const)
  rollout(`room for the new ReplicaSet: ${what}`, () => assert.is(roomFor(deployment(replicas), current, [...old]), expected));

/** `[sentence, deployment, current, old ones, the next sizes]` */
const STEPS: [string, Stored, Stored, Stored[], Record<string, number>][] = [
  ['it begins with the surge', deployment(4), set('new', 0), [set('old', 4)], { new: 1 }],
  [
    'the first new pod is not available: one of the old goes, because one may be unavailable',
    deployment(4),
    set('new', 1, 0),
    [set('old', 4)],
    { new: 1, old: 3 },
  ],
  ['nothing more goes until it is available', deployment(4), set('new', 2, 0), [set('old', 3)], { new: 2 }],
  ['as it is available, an old one goes', deployment(4), set('new', 2, 1), [set('old', 3)], { new: 2, old: 2 }],
  ['unavailable old pods go first', deployment(4), set('new', 1, 1), [set('bad', 2, 0), set('old', 2)], { new: 1, bad: 0 }],
  [
    'the oldest of the available ones goes first',
    deployment(4),
    set('new', 3, 3),
    [set('first', 1), set('second', 1)],
    { new: 3, first: 0, second: 0 },
  ],
  ['nothing to do', deployment(4), set('new', 4), [set('old', 0)], { new: 4 }],
  [
    'Recreate: first the old ones go',
    deployment(2, undefined, 'Recreate'),
    set('new', 0),
    [set('old', 2), set('older', 1)],
    { old: 0, older: 0 },
  ],
  [
    'Recreate: nothing while their pods are there',
    deployment(2, undefined, 'Recreate'),
    set('new', 0),
    [set('old', 0, 0, { replicas: 1 })],
    {},
  ],
  [
    'Recreate: nothing while their pods terminate',
    deployment(2, undefined, 'Recreate'),
    set('new', 0),
    [set('old', 0, 0, { replicas: 0, terminatingReplicas: 1 })],
    {},
  ],
  ['Recreate: then all new ones at once', deployment(2, undefined, 'Recreate'), set('new', 0), [set('old', 0)], { new: 2 }],
];
for (const [sentence, whole, current, old, expected] of STEPS)
  rollout(sentence, () =>
    assert.equal(
      Object.fromEntries(rolloutSteps(whole, current, old).map(({ set: one, replicas }) => [one.metadata.name, replicas])),
      expected,
    ),
  );

rollout.run();
