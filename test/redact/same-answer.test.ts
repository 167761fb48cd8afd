import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collector, type CollectDeps } from '../../src/agent/collect-evidence.ts';
import type { CoreEvent, Pod } from '../../src/crd/kubernetes.ts';
import { type Case, caseOfReport } from '../../src/diagnosis/case.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import type { Failure } from '../../src/failures/detect/detect.ts';
import { failingCases, ofKind, type Recording } from '../../src/failures/detect/recording.ts';
import { renderDiagnosis } from '../../src/diagnosis/rendering/render.ts';
import { sourceMask } from '../../src/redact/source-mask.ts';
import { createLog } from '../../src/log.ts';
import { maskedCase } from '../../src/models/policy/masked-case.ts';
import { caseOfRow, WRITTEN } from '../support/expected/cases.ts';
import { CAPTURED, recordingOf } from '../support/expected/captures.ts';
import { recordingOf as documentedRecording } from '../support/expected/documented/documented.ts';
import { SETS } from '../support/expected/documented/list.ts';
import { PROGRAM_LOGS } from '../support/expected/documented/logs.ts';
import { caseOfLog, LOGS } from '../support/expected/logs.ts';

// If the mask hides the name of a Secret or an important log line, the diagnosis is lost. So the diagnosis of what the agent sends must
// equal the diagnosis of what the node wrote.

const same = suite('the diagnosis before and after the mask');

const answers = (subject: Case): unknown => {
  const { culprit, corrections } = diagnose(subject);
  return { culprit, corrections: corrections.map(({ title, confidence, changes }) => ({ title, confidence, changes })) };
};

const SOURCES: Record<string, () => [string, Case][]> = {
  'every recording': () =>
    CAPTURED.flatMap(([folder, name]) => failingCases(recordingOf(name, folder)).map((subject): [string, Case] => [name, subject])),
  'every documented case': () =>
    Object.values(SETS)
      .flat()
      .flatMap(([sentence, row]) => failingCases(documentedRecording(row)).map((subject): [string, Case] => [sentence, subject])),
  'every written case': () => Object.entries(WRITTEN).map(([sentence, row]) => [sentence, caseOfRow(row)]),
  'every line of a log': () => LOGS.map(([says]) => [says, caseOfLog(says)]),
  'every log of many lines': () => Object.entries(PROGRAM_LOGS).map(([sentence, [log]]) => [sentence, caseOfLog(log)]),
};

for (const [what, cases] of Object.entries(SOURCES))
  same(`${what}: the same`, () => {
    const all = cases();
    assert.ok(all.length > 0);
    const differ = all.flatMap(([sentence, subject]) => {
      const [before, after] = [answers(subject), answers(maskedCase(subject))];
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ sentence, before, after }];
    });
    assert.equal(differ, []);
  });

/** The case that the operator reads from the agent's report about a recorded pod. */
async function sent(subject: Case, { objects, logs }: Recording): Promise<Case> {
  const pod = ofKind<Pod>(objects, 'Pod').find(({ metadata }) => metadata.name === subject.pod_name);
  if (!pod) return subject;
  const client: CollectDeps['client'] = {
    read: (async () => pod) as CollectDeps['client']['read'],
    list: async () => [],
    logs: async (_namespace, name, { container, previous = false }) =>
      logs.find((log) => log.pod === name && log.container === container && log.previous === previous)?.text ?? '',
  };
  const about = ofKind<CoreEvent>(objects, 'Event').filter(({ involvedObject }) => involvedObject?.name === subject.pod_name);
  const { reason, message, container } = subject;
  const failure: Failure = { reason, message, family: 'crash', ...(container === null ? {} : { container }) };
  const { pod: collect } = collector({ client, cluster: 'test', log: createLog({ level: 'silent' }) });
  const { report } = await collect(pod, failure, { events: about, isLastTry: true });
  return { ...caseOfReport(report, subject.surroundings), ...(subject.workload ? { workload: subject.workload } : {}) };
}

same('every recording: the same of what the agent sends', async () => {
  const differ: unknown[] = [];
  let compared = 0;
  for (const [folder, name] of CAPTURED) {
    const recording = recordingOf(name, folder);
    for (const subject of failingCases(recording)) {
      if (subject.resource_kind !== 'Pod') continue;
      const [before, after] = [answers(subject), answers(await sent(subject, recording))];
      compared++;
      if (JSON.stringify(before) !== JSON.stringify(after)) differ.push({ name, before, after });
    }
  }
  assert.ok(compared > 50, `${compared} compared`);
  assert.equal(differ, []);
});

for (const [what, cases] of Object.entries(SOURCES))
  same(`${what}: written as it was said`, () => {
    const differ = cases().flatMap(([sentence, subject]) => {
      const said = renderDiagnosis(diagnose(subject));
      const objects = [subject.statuses, subject.manifest()];
      const written = sourceMask({
        texts: [subject.message, subject.logs, ...subject.events.map(({ message }) => message ?? '')],
        objects,
      })(said);
      const at = said.split('\n').findIndex((line, index) => written.split('\n')[index] !== line);
      return said === written ? [] : [{ sentence, said: said.split('\n')[at], written: written.split('\n')[at] }];
    });
    assert.equal(differ, []);
  });

same.run();
