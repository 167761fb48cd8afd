import { isDeepStrictEqual } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Change } from '../../src/contract/failure.ts';
import { applyChanges } from '../../src/crd/field-path.ts';
import type { Case } from '../../src/diagnosis/case.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { failingCases } from '../../src/failures/detect/recording.ts';
import { recordingOf } from '../support/expected/documented/documented.ts';
import { type CureRow, isBest, wordsOf } from '../support/expected/documented/cures/cure.ts';
import { CURES } from '../support/expected/documented/cures/list.ts';

const cures = suite('corrections that cure');

for (const [sentence, row] of CURES) cures(sentence, () => checkRow(row));

function checkRow(row: CureRow): void {
  const cases = failingCases(recordingOf(row));
  const reasons = cases.map(({ reason }) => reason);
  if (row.is === 'healthy') return assert.equal(reasons, []);
  assert.equal(reasons, [row.is.reason]);
  const subject = cases[0]!;
  const diagnosis = diagnose(subject);
  const [first] = diagnosis.corrections;
  assert.match(diagnosis.culprit ?? '', row.is.culprit);
  assert.ok(isBest(diagnosis, row.is.best), JSON.stringify(first?.changes ?? null));
  if (first && row.is.confidence) assert.ok(row.is.confidence.includes(first.confidence), first.confidence);
  if (row.is.says) assert.match(wordsOf(diagnosis), row.is.says);
  for (const { changes } of diagnosis.corrections) applyChanges(subject.manifest(), changes);
  if (first) checkCorrected(subject, first.changes);
}

/** The evidence outlives the correction: a manifest that has it already gets no correction that changes nothing. */
function checkCorrected(subject: Case, corrected: readonly Change[]): void {
  const manifest = applyChanges(subject.manifest(), corrected);
  for (const { changes } of diagnose({ ...subject, manifest: () => manifest }).corrections)
    assert.ok(
      changes.some(({ from, to }) => !isDeepStrictEqual(from, to)),
      JSON.stringify(changes),
    );
}

cures.run();
