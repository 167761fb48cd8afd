import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fullRepository, parseImage, registryOf } from '../../src/crd/image.ts';

const test = suite('names of images');

const PARTS: [image: string, repository: string, tag: string | null, digest: string | null][] = [
  ['web', 'web', null, null],
  ['web:1', 'web', '1', null],
  ['localhost:5000/web', 'localhost:5000/web', null, null],
  ['localhost:5000/web:1', 'localhost:5000/web', '1', null],
  ['ghcr.io/acme/web@sha256:00', 'ghcr.io/acme/web', null, 'sha256:00'],
  ['ghcr.io/acme/web:1@sha256:00', 'ghcr.io/acme/web', '1', 'sha256:00'],
  ['', '', null, null],
  [':1', '', '1', null],
  ['@sha256:00', '', null, 'sha256:00'],
];
for (const [image, repository, tag, digest] of PARTS)
  test(`${image || 'nothing'} has its parts`, () => assert.equal(parseImage(image), { repository, tag, digest }));

for (const [repository, full] of [
  ['web', 'docker.io/library/web'],
  ['acme/web', 'docker.io/acme/web'],
  ['localhost/web', 'localhost/web'],
  ['registry:5000/web', 'registry:5000/web'],
  ['quay.io/web', 'quay.io/web'],
] as const)
  test(`${repository} is ${full}`, () => assert.is(fullRepository(repository), full));

for (const [image, registry] of [
  ['web:1', 'docker.io'],
  ['acme/web:1', 'docker.io'],
  ['localhost:5000/web:1', 'localhost:5000'],
  ['quay.io/acme/web@sha256:00', 'quay.io'],
] as const)
  test(`${image} comes from ${registry}`, () => assert.is(registryOf(image), registry));

test.run();
