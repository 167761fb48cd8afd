import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maskText } from '../../src/redact/text.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { applyChanges } from '../../src/crd/field-path.ts';
import { failingCases } from '../../src/failures/detect/recording.ts';
import { recordingOf } from '../support/expected/documented/documented.ts';
import { caseOfLog } from '../support/expected/logs.ts';
import { DOCUMENTED } from '../support/expected/documented/list.ts';
import { PROGRAM_LOGS } from '../support/expected/documented/logs.ts';
import { SECRETS } from '../support/expected/documented/secrets.ts';

const documented = suite('what the Kubernetes documentation describes');

for (const [sentence, row] of DOCUMENTED) {
  documented(`${sentence} (${row.page})`, () => {
    const cases = failingCases(recordingOf(row));
    const reasons = cases.map(({ reason }) => reason);
    if (row.is === 'healthy') return assert.equal(reasons, []);
    assert.equal(reasons, [row.is.reason]);
    const subject = cases[0]!;
    const diagnosis = diagnose(subject);
    assert.match(diagnosis.culprit ?? '', row.is.culprit);
    if (row.is.fix !== undefined) assert.equal(diagnosis.corrections[0]?.changes.map(({ path }) => path) ?? null, row.is.fix);
    for (const { changes } of diagnosis.corrections) applyChanges(subject.manifest(), changes);
  });
}

for (const [sentence, { page, text, secret }] of Object.entries(SECRETS)) {
  documented(`${sentence} stays here (${page})`, () => assert.not.ok(maskText(text).includes(secret), maskText(text)));
}

for (const [sentence, [log, culprit]] of Object.entries(PROGRAM_LOGS)) {
  documented(`${sentence}, in a log`, () => assert.match(diagnose(caseOfLog(log)).culprit ?? '', culprit));
}

documented('has as many cases as it must', () => {
  const healthy = DOCUMENTED.filter(([, { is }]) => is === 'healthy').length;
  assert.ok(DOCUMENTED.length - healthy >= 60 && healthy >= 30 && Object.keys(SECRETS).length >= 15);
});

documented.run();
