import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../../src/crd/kubernetes.ts';
import { factsOfCase } from '../../../../src/diagnosis/facts/facts.ts';
import { ruleInput } from '../../../../src/diagnosis/facts/input.ts';
import { emptyVariable } from '../../../../src/diagnosis/corrections/settings/missing-field.ts';
import { aCase, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, guess, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('variables from labels and annotations that a pod lacks');
const rows = correctionRows(test);

const from = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const TEAM = from('TEAM', "metadata.labels['team']");
interface Parts extends CaseParts {
  variables?: object[];
  metadata?: object;
  image?: string;
  owner?: object;
}
function empty({ variables = [{ name: 'X', value: '' }, TEAM], metadata = {}, image = 'web:1.2', owner, ...parts }: Parts) {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: { containers: [{ name: 'app', image, env: variables }] },
  };
  const subject = { ...aCase({ manifest, ...parts }), ...(owner ? { owner: { metadata: { name: 'web', ...owner } } as KubeObject } : {}) };
  return emptyVariable(ruleInput(subject, factsOfCase(subject)));
}
const of = (fieldPath: string, parts: Parts = {}) => empty({ variables: [from('V', fieldPath)], ...parts });
const LABEL = 'env[1].valueFrom.fieldRef.fieldPath';
rows('the only such variable', {
  'gets a label with its workload’s name': [
    empty({ workload: { kind: 'Deployment', name: 'shop' } }),
    guess({ 'metadata.labels.team': 'shop' }),
  ],
  'gets a label with its container’s name': [empty({}), guess({ 'metadata.labels.team': 'app' })],
  'gets the label of the workload': [empty({ owner: { labels: { team: 'red' } } }), likely({ 'metadata.labels.team': 'red' })],
  'gets the annotation of the workload': [
    of("metadata.annotations['team']", { owner: { annotations: { team: 'red' }, labels: { team: 'no' } } }),
    likely({ 'metadata.annotations.team': 'red' }),
  ],
  'gets no other label of the workload': [empty({ owner: { labels: { other: 'red' } } }), guess({ 'metadata.labels.team': 'app' })],
  'takes a label with a prefix': [
    empty({ metadata: { labels: { 'x.io/team': 'red', taem: 'blue' } } }),
    likely({ [LABEL]: "metadata.labels['x.io/team']" }),
  ],
  'takes a label with a slip': [
    empty({ metadata: { labels: { far: 'x', taem: 'blue' } } }),
    likely({ [LABEL]: "metadata.labels['taem']" }),
  ],
  'takes no label of the workload before its own': [
    empty({ metadata: { labels: { taem: 'blue' } }, owner: { labels: { team: 'red' } } }),
    likely({ [LABEL]: "metadata.labels['taem']" }),
  ],
  'takes no annotation for a label': [empty({ metadata: { annotations: { team: 'x' } } }), guess({ 'metadata.labels.team': 'app' })],
  'of a version gets that of the image': [of("metadata.labels['version']"), guess({ 'metadata.labels.version': '1.2' })],
  'of a release gets the tag of the image': [of("metadata.labels['Release']"), guess({ 'metadata.labels.Release': '1.2' })],
  'of a tag gets the tag of the image': [of("metadata.labels['img-tag']"), guess({ 'metadata.labels.img-tag': '1.2' })],
  'of a version, with an image without a tag': [
    of("metadata.labels['version']", { image: 'web' }),
    guess({ 'metadata.labels.version': 'app' }),
  ],
  'of a version, with a registry with a port': [
    of("metadata.labels['version']", { image: 'r:5000/web' }),
    guess({ 'metadata.labels.version': 'app' }),
  ],
  'with a label that the pod has': [empty({ metadata: { labels: { team: '' } } }), []],
  'from another field': [of('metadata.name'), []],
  'from all labels': [of('metadata.labels'), []],
  'of two': [empty({ variables: [TEAM, from('V', "metadata.labels['version']")] }), []],
  'without a manifest': [empty({ manifest: 'x' }), []],
});
test('such a variable, in words', () => {
  const found = empty({ metadata: { labels: { taem: 'blue' } } });
  assert.equal([found?.name, found?.key], ['TEAM', 'team']);
  assert.equal(inWords(found?.corrections[0]), [
    'Take `TEAM` from the label `taem`',
    '`team` looks like another name of `taem`.',
    'the pod has no label `team`',
  ]);
  assert.equal(inWords(of("metadata.annotations['team']")?.corrections[0]), [
    'Give the pod the annotation `team`',
    'Only those who wrote the program know which value is right.',
    '`V` takes its value from it',
  ]);
  assert.equal(inWords(empty({ owner: { labels: { team: 'red' } } })?.corrections[0]), [
    'Give the pod the label `team`',
    'The workload has it, and not the template of its pods.',
    '`TEAM` takes its value from it',
  ]);
});

test.run();
