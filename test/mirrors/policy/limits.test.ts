import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { countMirrors, isLive, liveByNamespace, mirrorsAhead, reachedLimit } from '../../../src/mirrors/policy/limits.ts';
import { aMirrorPod, at, atText, BORN } from '../../support/builders/mirror.ts';

test('live mirrors are counted by phase and verdict, without those in hidden namespaces', () => {
  const of = (namespace: string, phase: 'Running' | 'Failed') => aMirrorPod({}, { phase }, { namespace });
  const all = [of('shop', 'Running'), of('pay', 'Running'), of('hidden', 'Running'), of('hidden', 'Failed')];
  assert.equal(countMirrors(all, ['hidden'], new Date(BORN)), [{ phase: 'Running', verdict: 'None', count: 2 }]);
});

const NOW = at(60);
const live: [sentence: string, mirror: ReturnType<typeof aMirrorPod>, isLive: boolean][] = [
  ['one that nobody has looked at', aMirrorPod({}, {}), true],
  ['one with its pod', aMirrorPod({}, { phase: 'Running', podName: 'web-mirror', expirationTime: atText(61) }), true],
  ['one whose time is over at this moment', aMirrorPod({}, { phase: 'Running', podName: 'web-mirror', expirationTime: atText(60) }), false],
  ['a refused one', aMirrorPod({}, { phase: 'Rejected' }), false],
  ['one that keeps its pod although it is deleted', aMirrorPod({}, { podName: 'web-mirror' }, { deletionTimestamp: atText(1) }), true],
  ['one that is deleted before it had a pod', aMirrorPod({}, {}, { deletionTimestamp: atText(1) }), false],
  ['one with a verdict and no pod', aMirrorPod({}, { verdict: 'Inconclusive' }), false],
  ['one that is stalled', aMirrorPod({}, { conditions: [condition('Stalled', 'True')] }), false],
  ['one that was stalled', aMirrorPod({}, { conditions: [condition('Stalled', 'False')] }), true],
  ['one that is validated', aMirrorPod({}, { conditions: [condition('Validated', 'True')] }), true],
];
for (const [sentence, mirror, is] of live)
  test(`${sentence} ${is ? 'counts' : 'does not count'}`, () => assert.is(isLive(mirror, NOW), is));

function condition(type: string, status: 'True' | 'False') {
  return { type, status, reason: 'Because', message: '', lastTransitionTime: BORN };
}

const named = (name: string, born: number, status = {}, namespace = 'shop') =>
  aMirrorPod({}, status, { name, uid: name, namespace, creationTimestamp: atText(born) });

test('ahead of a mirror are those with a pod, and older ones that wait', () => {
  const mine = named('mine', 10);
  const all = [mine, named('older', 9), named('younger', 11), named('runs', 20, { podName: 'p' }), named('over', 1, { phase: 'Expired' })];
  const same = named('a-same-age', 10);
  assert.equal(
    mirrorsAhead(mine, [...all, same], NOW).map(({ metadata }) => metadata.name),
    ['older', 'runs', 'a-same-age'],
  );
});

test('live mirrors are counted in each namespace, by its name', () => {
  const all = [named('a', 1), named('b', 1, {}, 'bank'), named('c', 1), named('d', 1, { phase: 'Expired' }, 'bank')];
  assert.equal(
    [...liveByNamespace(all, NOW)],
    [
      ['bank', 1],
      ['shop', 2],
    ],
  );
});

const LIMITS = { perIncident: 2, perNamespace: 3, total: 4 };
const counted = (...places: [namespace: string, incident: string][]) =>
  places.map(([namespace, incident], index) => ({ mirror: named(`m${index}`, 1, {}, namespace), incident }));
const limitRows: [sentence: string, ahead: ReturnType<typeof counted>, reached: RegExp | undefined][] = [
  ['one of the incident', counted(['shop', 'i']), undefined],
  ['two of the incident', counted(['shop', 'i'], ['shop', 'i']), /try one incident/],
  ['an incident of that name in another namespace', counted(['bank', 'i'], ['bank', 'i']), undefined],
  ['two in the namespace', counted(['shop', 'a'], ['shop', 'b']), undefined],
  ['three in the namespace', counted(['shop', 'a'], ['shop', 'b'], ['shop', 'c']), /live in one namespace/],
  ['three elsewhere', counted(['a', 'a'], ['b', 'b'], ['c', 'c']), undefined],
  ['four elsewhere', counted(['a', 'a'], ['b', 'b'], ['c', 'c'], ['d', 'd']), /At most 4 mirrors may live at a time/],
];
for (const [sentence, ahead, reached] of limitRows)
  test(`room beside ${sentence}: ${reached ? 'none' : 'yes'}`, () => {
    const said = reachedLimit(ahead, { namespace: 'shop', incident: 'i' }, LIMITS);
    if (reached) assert.match(said ?? '', reached);
    else assert.is(said, undefined);
  });

test.run();
