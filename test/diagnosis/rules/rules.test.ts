import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase } from '../../support/builders/cases.ts';
import { changesOf } from '../../support/expected/captures.ts';
import { caseOfRow, WRITTEN } from '../../support/expected/cases.ts';

const rules = suite('rules');

for (const [sentence, row] of Object.entries(WRITTEN))
  rules(sentence, () => {
    const { culprit, best, mirrorable = true } = row;
    const diagnosis = diagnose(caseOfRow(row));
    if (typeof culprit === 'string') assert.is(diagnosis.culprit, culprit);
    else assert.match(diagnosis.culprit ?? '', culprit);
    const [first] = diagnosis.corrections;
    assert.equal(changesOf(diagnosis), best ?? null);
    if (first) assert.is(first.mirrorable, mirrorable);
    assert.is(diagnosis.noCorrection === null, first !== undefined);
  });

rules('a vague reason does not hide what the events say', () => {
  const events = [
    {
      type: 'Warning',
      reason: 'Failed',
      message:
        'Failed to pull image "web:9": rpc error: code = NotFound desc = failed to resolve image: docker.io/library/web:9: not found',
    },
  ];
  assert.is(diagnose(aCase({ failure_reason: 'Pending', events, status: { image: 'web:9' } })).culprit, 'web:9');
});

for (const [line, culprit] of [
  ['waiting for db', ': db'],
  ['Waiting for the database to come up', ': database'],
  ['waiting for service "orders-db"...', ': orders-db'],
  ['still waiting on kafka:9092 - sleeping', ': kafka:9092'],
  ['waiting for 5 seconds', ''],
  ['waiting for a few seconds', ''],
  ['migrating table 4 of 9', ''],
] as const)
  rules(`an init container that says: ${line}`, () => {
    const subject = aCase({
      failure_reason: 'PodInitializing',
      container: 'wait',
      status: { name: 'wait', kind: 'init', state: 'running' },
      logs: `==> wait (current) <==\n${line}\n`,
    });
    assert.is(diagnose(subject).culprit, `init container wait${culprit}`);
  });

rules('an unknown failure is shown in its own words', () => {
  const diagnosis = diagnose(aCase({ failure_reason: 'SomethingNew', failure_message: 'the flux is not aligned' }));
  assert.match(diagnosis.summary, 'the flux is not aligned');
  assert.ok(diagnosis.noCorrection);
});

rules.run();
