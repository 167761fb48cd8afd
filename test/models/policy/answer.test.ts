import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { caseOfReport } from '../../../src/diagnosis/case.ts';
import type { Correction } from '../../../src/diagnosis/corrections/correction.ts';
import type { Diagnosis } from '../../../src/diagnosis/diagnosis.ts';
import { ANSWER_SCHEMA, type ModelAnswer, readAnswer, withModel } from '../../../src/models/policy/answer.ts';
import { modelChangesOf } from '../../../src/models/policy/answer-schema.ts';
import { aFailureReport } from '../../support/builders/report.ts';

const answer = (over: Partial<ModelAnswer> = {}): ModelAnswer => ({
  explanation: 'It crashes.',
  evidence: [],
  changes: [],
  confidence: 'guess',
  ...over,
});
const change = (over: object = {}) => ({ path: 'containers[app].image', to: 'web:2', why: 'It is there.', ...over });

const forms: [says: string, given: unknown, isTaken: boolean][] = [
  ['a whole answer', answer({ evidence: [0, 3], changes: [change()], confidence: 'likely' }), true],
  ['a number, a switch and nothing as values', answer({ changes: [change({ to: 1 }), change({ to: true }), change({ to: null })] }), true],
  ['a list as a value', answer({ changes: [change({ to: ['a'] })] }), false],
  ['no confidence', { explanation: 'x', evidence: [], changes: [] }, false],
  ['another confidence', { ...answer(), confidence: 'sure' }, false],
  ['one field more', { ...answer(), more: 1 }, false],
  ['one field more in a change', answer({ changes: [change({ more: 1 })] }), false],
  ['an explanation of blanks', answer({ explanation: ' \n' }), false],
  ['an explanation of 8,000 characters', answer({ explanation: 'x'.repeat(8_000) }), true],
  ['a longer explanation', answer({ explanation: 'x'.repeat(8_001) }), false],
  ['a line before the first', answer({ evidence: [-1] }), false],
  ['half a line', answer({ evidence: [0.5] }), false],
  ['a hundred lines', answer({ evidence: Array.from({ length: 100 }, (_, n) => n) }), true],
  ['more than a hundred lines', answer({ evidence: Array.from({ length: 101 }, (_, n) => n) }), false],
  ['16 changes', answer({ changes: Array.from({ length: 16 }, () => change()) }), true],
  ['17 changes', answer({ changes: Array.from({ length: 17 }, () => change()) }), false],
  ['no path', answer({ changes: [change({ path: '' })] }), false],
  ['a path of 501 characters', answer({ changes: [change({ path: 'x'.repeat(501) })] }), false],
  ['a value of 1,001 characters', answer({ changes: [change({ to: 'x'.repeat(1_001) })] }), false],
  ['a reason of 2,001 characters', answer({ changes: [change({ why: 'x'.repeat(2_001) })] }), false],
  ['no object', 'text', false],
];
for (const [says, given, isTaken] of forms)
  test(`${says}: ${isTaken ? 'taken' : 'refused'}`, () => assert.is('answer' in readAnswer(given), isTaken));

test('the mistake is named by its place, and the answer is not quoted', () => {
  assert.match(Object.values(readAnswer(answer({ evidence: ['secret' as never] })))[0] as string, /^\/evidence\/0 /);
  assert.match(Object.values(readAnswer('secret'))[0] as string, /^the answer /);
  assert.not.match(JSON.stringify(readAnswer({ ...answer(), 'a secret': 1 })), 'a secret');
});

test('the schema for providers has the same fields', () => {
  const { required, properties } = ANSWER_SCHEMA;
  assert.equal([required, Object.keys(properties)], [Object.keys(answer()), Object.keys(answer())]);
  assert.equal(properties.confidence.enum, ['likely', 'guess']);
  assert.equal(properties.changes.items.required, ['path', 'to', 'why']);
});

test('changes get their real names back; their reasons are one plain line', () => {
  const restore = (text: string) => text.replaceAll('name_0', 'web');
  const changes = [
    change({ path: 'a[name_0]', to: 'name_0', why: 'For **name_0**\nand [more](https://evil.example).' }),
    change({ to: 5 }),
  ];
  assert.equal(modelChangesOf(changes as ModelAnswer['changes'], restore), [
    { path: 'a[web]', to: 'web', why: 'For **web** and more.' },
    { path: 'containers[app].image', to: 5, why: 'It is there.' },
  ]);
});

const manifest = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-1' },
  spec: { containers: [{ name: 'app', image: 'web:1' }] },
});
const correction = (to: string): Correction =>
  ({
    title: 'By the rules',
    changes: [{ path: 'spec.containers[0].image', from: 'web:1', to, why: 'w' }],
    confidence: 'certain',
    explanation: 'e',
    mirrorable: true,
  }) as never;
const NONE = { why: 'The node is full.', where_to_look: 'nodes' };
const merged = (given: Partial<ModelAnswer>, rules: Partial<Diagnosis> = {}) =>
  withModel(answer(given), {
    subject: caseOfReport(aFailureReport({ manifest }), undefined),
    rules: {
      summary: 'The rules.',
      culprit: 'app',
      evidence: ['r'],
      advice: ['Look.'],
      corrections: [],
      noCorrection: NONE,
      ...rules,
    } as unknown as Diagnosis,
    lines: ['zero', 'one', 'two', 'r'],
    restore: (text) => text.replaceAll('name_0', 'web'),
  });

test('the explanation becomes the summary, if anything of it may be shown', () => {
  assert.is(merged({ explanation: '# **name_0** crashes.' }).summary, '**web** crashes.');
  assert.is(merged({ explanation: '<b></b>' }).summary, 'The rules.');
});

test('the lines that it cites come first, each once, at most eight', () => {
  assert.equal(merged({ evidence: [2, 0, 2, 9] }).evidence, ['two', 'zero', 'r']);
  assert.equal(merged({ evidence: [3] }).evidence, ['r']);
  const { evidence } = withModel(answer({ evidence: Array.from({ length: 12 }, (_, n) => n) }), {
    ...{ subject: caseOfReport(aFailureReport({ manifest }), undefined), restore: (text: string) => text },
    ...{ rules: { evidence: [], advice: [], corrections: [] } as never, lines: Array.from({ length: 12 }, (_, n) => `line ${n}`) },
  });
  assert.is(evidence.length, 8);
});

test('allowed changes are the first correction, and that of the rules with the same effect goes', () => {
  const both = merged({ changes: [change()], confidence: 'likely' }, { corrections: [correction('web:2'), correction('web:3')] });
  assert.equal(
    both.corrections.map(({ title, confidence, byModel, mirrorable }) => [title, confidence, byModel, mirrorable]),
    [
      ["The model's correction", 'likely', true, true],
      ['By the rules', 'certain', undefined, true],
    ],
  );
  assert.is(both.corrections[1]?.changes[0]?.to, 'web:3');
  assert.equal(both.corrections[0]?.changes, [{ path: 'spec.containers[0].image', from: 'web:1', to: 'web:2', why: 'It is there.' }]);
  assert.equal([both.noCorrection, both.advice], [null, ['Look.']]);
});

test('changes that are not allowed are left out, and the advice says so', () => {
  const { corrections, advice, noCorrection } = merged(
    { changes: [change({ path: 'serviceAccountName', to: 'admin' })] },
    { corrections: [correction('web:3')] },
  );
  assert.equal([corrections.length, noCorrection], [1, NONE]);
  assert.equal(advice, ['Look.', 'The model also proposed changes that it may not make; they are left out.']);
  assert.equal(merged({}).advice, ['Look.']);
});

test.run();
