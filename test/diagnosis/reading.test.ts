import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Case } from '../../src/diagnosis/case.ts';
import { diagnose, type Diagnosis } from '../../src/diagnosis/diagnose.ts';
import { failingCases } from '../../src/failures/detect/recording.ts';
import { caseOfRow, WRITTEN } from '../support/expected/cases.ts';
import { CURES } from '../support/expected/documented/cures/list.ts';
import { recordingOf } from '../support/expected/documented/documented.ts';
import { DOCUMENTED } from '../support/expected/documented/list.ts';
import { OFFERED_CURES, OFFERED_DOCUMENTED, OFFERED_PROGRAMS, OFFERED_WRITTEN } from '../support/expected/offered.ts';
import { caseOfProgram, PROGRAM_ENDS } from '../support/expected/programs.ts';
import { TOLD_CURES, TOLD_DOCUMENTED, TOLD_PROGRAMS, TOLD_WRITTEN } from '../support/expected/told.ts';

const offered = suite('what a person reads');

/** The first case that fails in the recording of each row. */
const failing = (rows: readonly [string, Parameters<typeof recordingOf>[0]][]): [string, () => Case | undefined][] =>
  rows.map(([sentence, row]) => [sentence, () => failingCases(recordingOf(row))[0]]);

const SETS = [
  ['cure', failing(CURES), OFFERED_CURES, TOLD_CURES],
  ['documented', failing(DOCUMENTED), OFFERED_DOCUMENTED, TOLD_DOCUMENTED],
  ['written', Object.entries(WRITTEN).map(([sentence, row]) => [sentence, () => caseOfRow(row)] as const), OFFERED_WRITTEN, TOLD_WRITTEN],
  ['program', PROGRAM_ENDS.map((end) => [end.program, () => caseOfProgram(end)] as const), OFFERED_PROGRAMS, TOLD_PROGRAMS],
] as const;

for (const [set, rows, expected, told] of SETS) {
  offered(`${set}: each expectation belongs to a case`, () => {
    const sentences = rows.map(([sentence]) => sentence);
    assert.equal(
      [...Object.keys(expected), ...Object.keys(told)].filter((sentence) => !sentences.includes(sentence)),
      [],
    );
  });
  for (const [sentence, subject] of rows)
    offered(`${set}: ${sentence}`, () => {
      const one = subject();
      if (!one) return;
      const diagnosis = diagnose(one);
      checkWhole(diagnosis);
      const titles = diagnosis.corrections.map(
        ({ confidence, mirrorable, title }) => `${confidence}${mirrorable ? '' : ', no mirror'}: ${title}`,
      );
      if (expected[sentence]) assert.equal(titles, expected[sentence]);
      if (told[sentence]) assert.equal(toldIn(diagnosis), told[sentence]);
    });
}

/** Everything before the corrections. Of the evidence, the cases have the lines. */
const toldIn = ({ culprit, summary, evidence, advice, commands, noCorrection }: Diagnosis) => ({
  ...{ culprit, summary, evidence: evidence.map((line) => line.split(':', 1)[0]) },
  ...{ advice, commands, look: noCorrection?.whereToLook ?? null },
});

/** What a missing value leaves in a text. */
const HOLES = /`(?:undefined|NaN|null)`|\bundefined\b|\bNaN\b|\[object |``/;
const withoutQuotes = (text: string): string => text.replaceAll(/``.+?``|`(?!undefined`|NaN`|null`)[^`]+`/g, 'x');

/** Whatever the failure is, a person reads whole sentences, each with something in it. */
function checkWhole({ summary, advice, evidence, commands, corrections, noCorrection }: Diagnosis): void {
  const sentences = [summary, ...advice, ...corrections.map(({ explanation }) => explanation)];
  const others = [
    ...corrections.flatMap(({ title, changes }) => [title, ...changes.map(({ why }) => why)]),
    ...(noCorrection ? [noCorrection.why, noCorrection.whereToLook] : []),
  ];
  for (const text of [...sentences, ...others, ...evidence, ...commands])
    assert.ok(typeof text === 'string' && text.trim() !== '' && !/\n/.test(text), `${text}`);
  for (const text of [...sentences, ...others]) assert.not.match(withoutQuotes(text), HOLES);
  for (const text of sentences) assert.match(text, /[.?!](?:`|\))?$/);
  for (const { title, confidence, changes, mirrorable } of corrections) {
    assert.not.match(title, /\.$/);
    assert.ok(['certain', 'likely', 'guess'].includes(confidence) && typeof mirrorable === 'boolean' && changes.length > 0);
    for (const { why } of changes) assert.not.match(why, /\.$/);
  }
}

offered.run();
