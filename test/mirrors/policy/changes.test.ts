import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { allChanges, changesBetween, keepDefaults } from '../../../src/mirrors/policy/changes.ts';

const told = (before: object, after: object) => changesBetween(before, after, 'w', 'spec').map(({ path, from, to }) => [path, from, to]);
const app = (more: object = {}) => ({ containers: [{ name: 'app', image: 'web:1', ...more }] });

const cases: [says: string, before: object, after: object, changes: unknown[][]][] = [
  ['nothing', app(), app(), []],
  ['a field', app(), app({ image: 'web:2' }), [['spec.containers[0].image', 'web:1', 'web:2']]],
  ['a new field', app(), app({ tty: true }), [['spec.containers[0].tty', null, true]]],
  ['a field that is gone', app({ tty: true }), app(), [['spec.containers[0].tty', true, null]]],
  [
    'another order of entries with names',
    { a: [{ name: 'x', v: 1 }, { name: 'y' }] },
    { a: [{ name: 'y' }, { name: 'x', v: 2 }] },
    [['spec.a[1].v', 1, 2]],
  ],
  ['an entry that is gone', { a: [{ name: 'x' }, { name: 'y' }] }, { a: [{ name: 'x' }] }, [['spec.a[1]', { name: 'y' }, null]]],
  ['a new entry', { a: [{ name: 'x' }] }, { a: [{ name: 'x' }, { name: 'y' }] }, [['spec.a[1]', null, { name: 'y' }]]],
  ['a list without names', { a: [1, 2] }, { a: [2, 1] }, [['spec.a', [1, 2], [2, 1]]]],
  ['a default that is left out', { dnsPolicy: 'ClusterFirst', ...app({ imagePullPolicy: 'Always', volumeMounts: [] }) }, app(), []],
  ['a default that is added', {}, { terminationGracePeriodSeconds: 30 }, []],
  ['a value that is not the default', { dnsPolicy: 'None' }, {}, [['spec.dnsPolicy', 'None', null]]],
];
for (const [says, before, after, changes] of cases) test(`what differs: ${says}`, () => assert.equal(told(before, after), changes));

test('a status holds the first 64 changes, each with its reason', () => {
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`field${n}`, n]));
  assert.equal([changesBetween({}, many, 'w', 'spec').length, allChanges({}, many, 'w', 'spec').length], [64, 65]);
  assert.is(changesBetween({}, many, 'because', 'spec')[0]?.why, 'because');
});

test('defaults of the API server are kept, where a correction leaves them out', () => {
  const before = { dnsPolicy: 'ClusterFirst', hostNetwork: true, ...app({ imagePullPolicy: 'Always', tty: true }) };
  assert.equal(keepDefaults(before, app({ image: 'web:2' })), {
    dnsPolicy: 'ClusterFirst',
    ...app({ imagePullPolicy: 'Always', image: 'web:2' }),
  });
  assert.equal(keepDefaults(before, { dnsPolicy: 'None' }), { dnsPolicy: 'None' });
});

test.run();
