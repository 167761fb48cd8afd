import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Case } from '../../../src/diagnosis/case.ts';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { factsOfCase, gatherFacts } from '../../../src/diagnosis/facts/facts.ts';
import { PULL_CAUSES } from '../../../src/diagnosis/facts/image.ts';
import { SCHEDULING_CAUSES } from '../../../src/diagnosis/facts/scheduling.ts';
import { failingCases } from '../../../src/failures/detect/recording.ts';
import { SIGNATURES } from '../../../src/diagnosis/rules/signatures/list.ts';
import { CURES } from '../../support/expected/documented/cures/list.ts';
import { recordingOf } from '../../support/expected/documented/documented.ts';
import { DOCUMENTED } from '../../support/expected/documented/list.ts';
import { PROGRAM_LOGS } from '../../support/expected/documented/logs.ts';
import { aCase, crashed } from '../../support/builders/cases.ts';
import { CAPTURED, recordingOf as capturedRecording } from '../../support/expected/captures.ts';
import { caseOfRow, WRITTEN } from '../../support/expected/cases.ts';
import { caseOfLog, LOGS } from '../../support/expected/logs.ts';
import { caseOfProgram, PROGRAM_ENDS } from '../../support/expected/programs.ts';

const shown = suite('every known cause occurs in a case');

function everyCase(): Case[] {
  return [
    ...CURES.flatMap(([, row]) => failingCases(recordingOf(row))),
    ...DOCUMENTED.flatMap(([, row]) => failingCases(recordingOf(row))),
    ...CAPTURED.flatMap(([folder, capture]) => failingCases(capturedRecording(capture, folder))),
    ...Object.values(WRITTEN).map(caseOfRow),
    ...LOGS.map(([says]) => caseOfLog(says)),
    ...PROGRAM_ENDS.map(caseOfProgram),
    ...Object.values(PROGRAM_LOGS).map(([log]) => caseOfLog(log)),
  ];
}

/** Every log signature, pull cause and scheduling cause that occurs in a case. */
const seen = new Set(
  everyCase()
    .flatMap(gatherFacts)
    .flatMap((fact) => {
      if (fact.kind === 'log') return [`log ${fact.signature.id}`];
      if (fact.kind === 'pull') return [`pull ${fact.cause}`];
      return fact.kind === 'unschedulable' ? fact.reasons.map(({ cause }) => `scheduling ${cause}`) : [];
    }),
);
const unseen = (what: string, names: readonly string[]) => names.filter((name) => !seen.has(`${what} ${name}`));

shown('every signature, and there are sixty of them', () => {
  assert.equal(
    unseen(
      'log',
      SIGNATURES.map(({ id }) => id),
    ),
    [],
  );
  assert.ok(SIGNATURES.length >= 60);
});

shown('every cause of a failed image pull', () => assert.equal(unseen('pull', PULL_CAUSES), []));
shown('every cause of a pod that cannot be scheduled', () => assert.equal(unseen('scheduling', SCHEDULING_CAUSES), []));

shown('every fact, when a rule asks for its kind', () => {
  for (const subject of everyCase()) {
    const all = gatherFacts(subject);
    const facts = factsOfCase(subject);
    for (const kind of new Set(all.map((fact) => fact.kind)))
      assert.equal(
        facts(kind),
        all.filter((fact) => fact.kind === kind),
        kind,
      );
  }
});

/** The meaning of an exit code when there is no other evidence. */
const EXITS: [exitCode: number, meaning: RegExp][] = [
  [0, /ends by itself with exit code 0/],
  [1, /general error/],
  [2, /used wrongly, or a Go program panicked/],
  [125, /could not be run/],
  [126, /is not executable/],
  [127, /did not find a command/],
  [128, /could not be started/],
  [129, /signal 1\b/],
  [132, /SIGILL/],
  [134, /SIGABRT/],
  [135, /SIGBUS/],
  [136, /SIGFPE/],
  [137, /SIGKILL.* from outside/],
  [139, /SIGSEGV/],
  [141, /signal 13\b/],
  [143, /SIGTERM/],
  [255, /out of range/],
  [42, /its own error code/],
];
for (const [exitCode, meaning] of EXITS)
  shown(`exit code ${exitCode} without a log`, () => {
    const diagnosis = diagnose(aCase({ status: crashed(exitCode), logs: null }));
    assert.match(diagnosis.summary, meaning);
    assert.is(diagnosis.culprit, `exit code ${exitCode}`);
  });

shown.run();
