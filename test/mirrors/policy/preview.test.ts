import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Correction } from '../../../src/diagnosis/corrections/correction.ts';
import { buildPreview } from '../../../src/mirrors/policy/preview.ts';
import { manifestOf } from '../../../src/mirrors/policy/read-template.ts';
import { aSource } from '../../support/builders/mirror.ts';

const test = suite('preview');

const source = aSource();
const correction = (title: string, to: unknown, path = 'spec.containers[0].image'): Correction => ({
  title,
  changes: [{ path, from: null, to, why: 'because' }],
  confidence: 'likely',
  explanation: 'Perhaps.',
  mirrorable: true,
});

const titlesOf = (...corrections: Correction[]): string[] =>
  buildPreview({
    manifest: manifestOf(source, 'Pod'),
    diagnosis: { summary: 'It fails.', corrections } as never,
    source,
    neighbours: undefined,
    defaultTtlSeconds: 180,
    history: { containers: [{ name: 'app', hasRun: true }], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 },
    trials: [],
    written: [],
    strippedCause: undefined,
  }).candidates.map(({ title }) => title);

const POLICY = 'spec.containers[0].imagePullPolicy';
const long = `registry.example/${'a'.repeat(80)}:1`;
const TITLES: [what: string, corrections: Correction[], titles: string[]][] = [
  ['titles that differ stay', [correction('A', 'web:2'), correction('B', 'web:3')], ['A', 'B']],
  [
    'equal titles name what they change',
    [correction('Use another tag', 'web:2'), correction('Use another tag', 'web:3')],
    ['Use another tag (spec.containers[0].image: web:2)', 'Use another tag (spec.containers[0].image: web:3)'],
  ],
  [
    'a correction that changes the same is shown once',
    [correction('A', 'web:2'), correction('A', 'web:2'), correction('B', 'web:2')],
    ['A'],
  ],
  [
    'the change that tells them apart is named, not the one that they share',
    [
      { ...correction('A', 'web:2'), changes: [...correction('A', 'web:2').changes, ...correction('A', 'Always', POLICY).changes] },
      correction('A', 'web:2'),
    ],
    [`A (${POLICY}: Always)`, 'A (spec.containers[0].image: web:2)'],
  ],
  [
    'long values are cut, and a number tells apart what is left the same',
    [correction('A', long), correction('A', `${long}2`)],
    [`A (spec.containers[0].image: ${long.slice(0, 59)}…)`, `A (spec.containers[0].image: ${long.slice(0, 59)}…) (2)`],
  ],
];
for (const [what, corrections, titles] of TITLES) test(what, () => assert.equal(titlesOf(...corrections), titles));

test.run();
