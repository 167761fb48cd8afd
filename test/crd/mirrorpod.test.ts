import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ObjectMeta, OwnerReference, Pod } from '../../src/crd/kubernetes.ts';
import { isMirrorPod, mirrorHash, mirrorPodName, mirrorUidOf, ownerReferenceTo } from '../../src/crd/mirrorpod.ts';
import { aPod } from '../support/builders/pod.ts';

const uid = '5f0c1d52-0000-4000-8000-000000000001';
const hash = mirrorHash(uid);

test('the hash of a uid is 8 hex digits, and another uid has another', () => {
  assert.match(hash, /^[0-9a-f]{8}$/);
  assert.is(mirrorHash(uid), hash);
  assert.is.not(mirrorHash(`${uid}x`), hash);
});

test('the name of a mirror is the name of its source, cut to 63 characters', () => {
  const rows: [source: string, start: string][] = [
    ['web', 'web'],
    ['w'.repeat(47), 'w'.repeat(47)],
    ['w'.repeat(48), 'w'.repeat(47)],
    [`${'w'.repeat(46)}-x`, 'w'.repeat(46)],
    [`${'w'.repeat(44)}.-.x`, 'w'.repeat(44)],
  ];
  for (const [source, start] of rows) {
    const name = mirrorPodName(source, uid);
    assert.is(name, `${start}-mirror-${hash}`);
    assert.ok(name.length <= 63);
  }
});

test('a mirror is the controller of what it creates, without blocking its own deletion', () => {
  assert.equal(ownerReferenceTo({ metadata: { name: 'web-1', uid }, spec: { source: { name: 'web' } } }), {
    apiVersion: 'podmend.dev/v1alpha1',
    kind: 'MirrorPod',
    name: 'web-1',
    uid,
    controller: true,
    blockOwnerDeletion: false,
  });
});

const labels = { 'podmend.dev/mirror': 'true', 'podmend.dev/mirror-of': uid };
const name = mirrorPodName('web', uid);
const owner: OwnerReference = { apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod', name: 'web-1', uid, controller: true };

const PODS: [what: string, metadata: Partial<ObjectMeta>, uid: string | undefined, isMirror: boolean][] = [
  ['a mirror', { name, labels, ownerReferences: [owner] }, uid, true],
  ['a mirror of another version', { name, labels, ownerReferences: [{ ...owner, apiVersion: 'podmend.dev/v1' }] }, uid, true],
  ['a mirror without an owner', { name, labels }, uid, true],
  ['a mirror with a second owner', { name, labels, ownerReferences: [{ ...owner, uid: 'x', controller: false }, owner] }, uid, true],
  ['no labels', { name, ownerReferences: [owner] }, undefined, false],
  ['no uid in the labels', { name, labels: { 'podmend.dev/mirror': 'true' } }, undefined, false],
  ['another value of the label', { name, labels: { ...labels, 'podmend.dev/mirror': 'false' } }, undefined, false],
  ['the labels under another name', { name: 'web', labels }, undefined, false],
  ['the hash without the word before it', { name: `web-${hash}`, labels }, undefined, false],
  ['the uid of another mirror', { name, labels: { ...labels, 'podmend.dev/mirror-of': 'x' } }, undefined, false],
  ['an owner of another kind', { name, labels, ownerReferences: [{ ...owner, kind: 'ReplicaSet' }] }, uid, false],
  ['an owner of another group', { name, labels, ownerReferences: [{ ...owner, apiVersion: 'podmend.dev.example/v1' }] }, uid, false],
  ['another uid of the owner', { name, labels, ownerReferences: [{ ...owner, uid: 'x' }] }, uid, false],
  ['an owner that is no controller', { name, labels, ownerReferences: [{ ...owner, controller: false }] }, uid, false],
];
for (const [what, metadata, of, isMirror] of PODS)
  test(`${what} ${isMirror ? 'is' : 'is not'} recognised as a mirror`, () => {
    const { labels: _none, ...bare } = aPod().metadata;
    const pod: Pod = { ...aPod(), metadata: { ...bare, ...metadata } };
    assert.is(mirrorUidOf(pod), of);
    assert.is(isMirrorPod(pod), isMirror);
  });

test.run();
