import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ClaimAround, Surroundings, VolumeAround } from '../../../../src/diagnosis/case.ts';
import { otherClaim, waitingClaim } from '../../../../src/diagnosis/corrections/placement/claims.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { inWords } from '../../../support/builders/corrections.ts';

const test = suite('claims that wait');

const waits = (
  claim: Partial<ClaimAround>,
  around: Surroundings = {},
  volumes: object[] = [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }],
) =>
  waitingClaim(
    anInput(
      {},
      { volumes },
      {
        surroundings: {
          claims: [
            { name: 'other', phase: 'Pending', storageClass: 'z' },
            { name: 'data', phase: 'Pending', ...claim },
          ],
          ...around,
        },
      },
    ),
  );
const classes = (...names: string[]): Surroundings => ({
  storageClasses: names.map((name) => ({ name: name.replace('*', ''), isDefault: name.endsWith('*') })),
});
const volume = (name: string, more: Partial<VolumeAround> = {}): VolumeAround => ({
  name,
  storageClass: '',
  accessModes: ['ReadWriteOnce'],
  size: '1Gi',
  ...more,
});
const MANUAL: Partial<ClaimAround> = { storageClass: '', accessModes: ['ReadWriteOnce'], size: '1Gi' };

test('a claim without a class', () => {
  assert.equal(waits({}, classes('slow', 'fast')), {
    because: 'its claim `data` names no storage class, and none is the default',
    culprit: 'PersistentVolumeClaim data: no storage class',
    advice: 'Create a volume for it, or create the claim again with a storage class. The cluster has `slow`, `fast`.',
  });
  assert.is(waits({}, classes('slow', 'fast*')), undefined, 'with a default class');
  assert.equal(waits({ storageClass: '' }, classes('fast*')), {
    because: 'its claim `data` names no storage class, so it can only use a volume that somebody created',
    culprit: 'PersistentVolumeClaim data: no storage class',
    advice: 'Create a volume for it, or create the claim again with a storage class. The cluster has `fast`.',
  });
  assert.match(waits({}, classes())?.advice ?? '', /a storage class\. The cluster has no storage class\.$/);
  assert.match(waits({ problem: 'no room' }, classes())?.because ?? '', /none is the default: `no room`$/);
  assert.match(waits({ problem: 'it waits and no storage class is set' }, classes())?.because ?? '', /none is the default$/);
  assert.match(
    waits({}, classes(...Array.from({ length: 12 }, (_, at) => `c${at}`)))?.advice ?? '',
    /`c0`, .*`c9`\.$/,
    'ten classes are shown',
  );
});

test('a claim with a class', () => {
  assert.equal(waits({ storageClass: 'fast' }, classes('slow', 'fast')), {
    because: 'its claim `data` waits for a volume of storage class `fast`',
    culprit: 'PersistentVolumeClaim data: storage class fast',
    advice: "The class exists. Look at the claim's events and at the pods of the class's provisioner.",
  });
  assert.match(waits({ storageClass: 'fast', problem: 'no room' }, classes('fast'))?.because ?? '', /storage class `fast`: `no room`$/);
  assert.equal(waits({ storageClass: 'fsat' }, classes('zzz', 'fast')), {
    because: 'its claim `data` names the storage class `fsat`, which does not exist (a similar name: `fast`)',
    culprit: 'PersistentVolumeClaim data: storage class fsat',
    advice:
      'Create the claim again with a class that exists, perhaps `fast`: the class of a claim cannot be changed. The cluster has `zzz`, `fast`.',
  });
  assert.equal(waits({ storageClass: 'xyz' }, classes('fast')), {
    because: 'its claim `data` names the storage class `xyz`, which does not exist',
    culprit: 'PersistentVolumeClaim data: storage class xyz',
    advice: 'Create the claim again with a class that exists: the class of a claim cannot be changed. The cluster has `fast`.',
  });
});

test('a claim in a cluster whose classes nobody knows', () => {
  assert.equal(waits({ storageClass: 'fast', problem: 'storageclass "slow" not found' }), {
    because: 'its claim `data` names the storage class `slow`, which does not exist',
    culprit: 'PersistentVolumeClaim data: storage class slow',
    advice:
      'Create the claim again with a class that exists (`kubectl get storageclasses`), or create the class `slow`: the class of a claim cannot be changed.',
  });
  assert.equal(waits({ storageClass: 'fast', problem: 'no room' }), {
    because: 'its claim `data` gets no volume: `no room`',
    culprit: 'PersistentVolumeClaim data: storage class fast',
    advice: "Look at the claim's events and at the pods of the class's provisioner.",
  });
  assert.equal(waits({ storageClass: '', accessModes: ['A', 'B'] }), {
    because: 'its claim `data` has no storage class, and no existing volume fits it (access mode `A`, `B`)',
    culprit: 'PersistentVolumeClaim data',
    advice:
      'Compare the claim with the volumes (`kubectl get persistentvolumes`): size, access modes, `volumeName`, selector. Create a volume that fits, or create the claim again with a storage class.',
  });
  assert.match(waits({ problem: 'it waits and no storage class is set' })?.because ?? '', /no existing volume fits it$/);
  assert.match(waits({ problem: 'no room' })?.because ?? '', /gets no volume: `no room`$/);
  assert.is(waits({ storageClass: 'fast' }), undefined);
});

const fit = (claim: Partial<ClaimAround>, volumes: VolumeAround[], around = classes()) =>
  waits({ ...MANUAL, ...claim }, { ...around, volumes })
    ?.because.match(/: the volume `(.*)` does not fit, because (.*)$/)
    ?.slice(1);
test('a volume that does not fit', () => {
  assert.equal(waits({ ...MANUAL, size: '2Gi' }, { ...classes(), volumes: [volume('pv')] }), {
    because: 'its claim `data` gets no volume: the volume `pv` does not fit, because it has `1Gi` and the claim asks for `2Gi`',
    culprit: 'PersistentVolumeClaim data: it has 1Gi and the claim asks for 2Gi',
    advice:
      'Create the claim again so that it fits the volume `pv`, or a volume that fits the claim: what a claim asks for cannot be changed.',
  });
  const small = { size: '2Gi' };
  assert.equal(fit(small, [volume('a', { claim: 'shop/x' }), volume('b')])?.[0], 'b', 'of somebody else');
  assert.is(fit(small, [volume('a', { claim: 'shop/x' })]), undefined, 'none but of somebody else');
  assert.is(fit(small, [volume('a', { claim: 'shop/data' }), volume('b', { accessModes: [] })])?.[0], 'a', 'kept for the claim');
  assert.is(fit({ ...small, volume: 'b' }, [volume('a'), volume('b')])?.[0], 'b', 'that the claim names');
  assert.is(fit(small, [volume('a', { accessModes: [] }), volume('b')])?.[0], 'b', 'the one with the fewest misses');
  assert.is(
    fit({ storageClass: 'fast', ...small }, [volume('a', { storageClass: 'fast' })], classes('fast')),
    undefined,
    'where volumes are made',
  );
  assert.is(
    fit({ storageClass: 'fast', ...small }, [volume('a', { storageClass: 'fast' })], classes('slow'))?.[0],
    'a',
    'of a class that makes none',
  );
  assert.is(
    fit({ storageClass: 'fast', ...small }, [volume('a', { storageClass: 'fast', claim: 'shop/data' })], classes('fast'))?.[0],
    'a',
    'where volumes are made, and one is kept for it',
  );
  assert.is(
    fit({ storageClass: 'fast', ...small, volume: 'a' }, [volume('a', { storageClass: 'fast' })], classes('fast'))?.[0],
    'a',
    'where volumes are made, and it names one',
  );
  assert.equal(
    fit({ volume: 'pv', ...small, storageClass: 'x', accessModes: ['M', 'ReadWriteOnce', 'N'] }, [volume('pv', { claim: 'shop/b' })]),
    [
      'pv',
      'it has no storage class and the claim the storage class `x`, and it has `1Gi` and the claim asks for `2Gi`, and it has not the access mode `M`, and it has not the access mode `N`, and it is kept for the claim `shop/b`',
    ],
  );
  assert.is(fit({}, [volume('pv', { size: '1000Mi' })])?.[1], 'it has `1000Mi` and the claim asks for `1Gi`');
  assert.is(fit({}, [volume('pv', { size: '2Gi' })]), undefined, 'a larger one fits');
});

test('a volume that another claim has', () => {
  const bound = (volumes: VolumeAround[] = []) =>
    waits({ ...MANUAL, problem: 'volume "pv" already bound to a different claim.' }, { volumes });
  assert.equal(bound(), {
    because: 'its claim `data` names the volume `pv`, which is bound to another claim',
    culprit: 'PersistentVolumeClaim data: volume pv',
    advice:
      'See whose it is with `kubectl get persistentvolume pv`. If that claim is there, name another volume, or none. Only if it was deleted, free the volume, which keeps its data: remove its `claimRef`.',
  });
  assert.equal(bound([volume('other', { claim: 'shop/data' }), volume('pv', { claim: 'shop/cache' })]), {
    because: 'its claim `data` names the volume `pv`, which belongs to the claim `shop/cache`',
    culprit: 'PersistentVolumeClaim data: volume pv',
    advice: 'Name another volume in the claim, or none: `pv` serves `shop/cache`.',
  });
  assert.equal(bound([volume('pv', { claim: 'shop/data' })]), {
    because: 'its claim `data` names the volume `pv`, which still belongs to a claim that was deleted',
    culprit: 'PersistentVolumeClaim data: volume pv',
    advice: `Free the volume, which keeps its data: \`kubectl patch persistentvolume pv -p '{"spec":{"claimRef":null}}'\`. The claim then takes it.`,
  });
  assert.match(bound([volume('pv', { claim: 'else/data' })])?.because ?? '', /belongs to the claim `else\/data`$/);
});

test('which claim waits', () => {
  assert.is(waits({ phase: 'Bound', storageClass: '' }), undefined, 'not one that is bound');
  assert.is(waits({ storageClass: '' }, {}, [{ name: 'd', emptyDir: {} }]), undefined, 'not one that the pod does not name');
  assert.is(waits({ phase: 'Lost', storageClass: '' })?.culprit, 'PersistentVolumeClaim data', 'one that lost its volume');
  assert.is(
    waits({ storageClass: '' }, {}, [
      { name: 'a', persistentVolumeClaim: { claimName: 'none' } },
      { name: 'd', persistentVolumeClaim: { claimName: 'data' } },
    ])?.culprit,
    'PersistentVolumeClaim data',
    'the one of the second volume',
  );
});

test('claims with a similar name', () => {
  const of = (...names: string[]) =>
    otherClaim(
      anInput(
        {},
        { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'datta' } }] },
        { surroundings: { claims: names.map((name) => ({ name, phase: 'Bound' })) } },
      ),
      'datta',
    );
  assert.equal(of('data').map(inWords), [
    ['Use the claim `data`', 'The namespace has the claim `data`.', '`datta` looks like a typo of `data`, which exists'],
  ]);
  assert.equal(
    of('datas', 'dattas', 'data').map(({ title, confidence, mirrorable }) => [title, confidence, mirrorable]),
    [
      ['Use the claim `dattas`', 'likely', false],
      ['Use the claim `data`', 'likely', false],
    ],
    'at most two, the nearest first',
  );
});

test.run();
