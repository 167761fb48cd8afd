import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { applyChanges } from '../../src/crd/field-path.ts';
import { failingCases } from '../../src/failures/detect/recording.ts';
import { captureNames } from '../support/expected/recordings.ts';
import { CAPTURED, changesOf, EXPECTED, OWN, recordingOf } from '../support/expected/captures.ts';

const captures = suite('every recording of a real node');

captures('has its expectation here', () => {
  assert.equal(captureNames().toSorted(), Object.keys(EXPECTED).toSorted());
  assert.equal(captureNames('captures-own').toSorted(), Object.keys(OWN).toSorted());
});

for (const [folder, name, expected] of CAPTURED) {
  captures(`${name}: ${expected === 'healthy' ? 'does not fail' : String(expected.culprit)}`, () => {
    const cases = failingCases(recordingOf(name, folder));
    if (expected === 'healthy')
      return assert.equal(
        cases.map(({ reason }) => reason),
        [],
      );
    assert.equal(
      cases.map(({ reason }) => reason),
      [expected.reason].flat(),
    );
    for (const subject of cases) {
      const diagnosis = diagnose(subject);
      assert.match(diagnosis.culprit ?? '', expected.culprit);
      assert.equal(changesOf(diagnosis), expected.best);
      assert.is(diagnosis.noCorrection === null, expected.best !== null, 'either a correction or the plain word that there is none');
      if (expected.best) assert.is(diagnosis.corrections[0]?.mirrorable, expected.mirrorable ?? true);
      assert.ok(diagnosis.evidence.length > 0, 'evidence is quoted');
      assert.ok(
        diagnosis.commands.every((line) => line.includes('kubectl') || line.startsWith('skopeo')),
        diagnosis.commands.join('\n'),
      );
      for (const { changes } of diagnosis.corrections) applyChanges(subject.manifest(), changes);
    }
  });
}

captures.run();
