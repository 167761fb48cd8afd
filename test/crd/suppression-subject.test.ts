import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FindingSubject, subjectOfFinding } from '../../src/crd/suppression-subject.ts';

// What of a finding Suppressions match. Its details come from any scanner, so they may have any form.

const test = suite('a finding as Suppressions see it');

const subject = (over: Partial<FindingSubject> = {}) =>
  subjectOfFinding({
    ...{ resource_type: 'Deployment', resource_name: 'web', namespace: 'shop', check_name: 'privileged', severity: 'high', details: {} },
    ...over,
  });

test('its place, its check and its severity', () => {
  assert.equal(subject(), {
    ...{ namespace: 'shop', pod_name: null, check: 'privileged', severity: 'high', images: [], labels: {} },
  });
  assert.is(subject({ resource_type: 'Pod', resource_name: 'web-1' }).pod_name, 'web-1');
});

for (const [sentence, details, images, labels] of [
  ['texts', { images: ['a:1', 'b:2'], labels: { app: 'web', tier: 'front' } }, ['a:1', 'b:2'], { app: 'web', tier: 'front' }],
  ['other values among texts', { images: ['a:1', 2, null], labels: { app: 'web', size: 3, none: null } }, ['a:1'], { app: 'web' }],
  ['other forms', { images: 'a:1', labels: 'app=web' }, [], {}],
  ['nothing', { images: null, labels: null }, [], {}],
] as [string, Record<string, unknown>, string[], Record<string, string>][])
  test(`images and labels: ${sentence}`, () => {
    const found = subject({ details });
    assert.equal([found.images, found.labels], [images, labels]);
  });

test.run();
