import { detectControllerFailure, detectFailure } from '../../src/failures/detect/detect.ts';
import type { CoreEvent, KubeObject, Pod, Workload } from '../../src/crd/kubernetes.ts';
import { type Case, caseOfReport } from '../../src/diagnosis/case.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { failingCases, ofKind, type Recording } from '../../src/failures/detect/recording.ts';
import { CAPTURED, recordingOf as captured } from '../support/expected/captures.ts';
import { caseOfRow, WRITTEN } from '../support/expected/cases.ts';
import { caseOfLog } from '../support/expected/logs.ts';
import { PAST } from '../support/expected/kinds.ts';
import { recordingOf as documentedRecording } from '../support/expected/documented/documented.ts';
import { DOCUMENTED } from '../support/expected/documented/list.ts';
import { PROGRAM_LOGS } from '../support/expected/documented/logs.ts';
import { aCase, crashed } from '../support/builders/cases.ts';
import { type Bench, percentile, table } from './bench.ts';

export const name = 'rules';

const ROUNDS = 30;
const MEGABYTE = 1024 * 1024;

/** The cost of a report: to detect the failure, and to diagnose it from the text of the report. All in this process. */
export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  const recordings = [
    ...CAPTURED.map(([folder, capture]) => captured(capture, folder)),
    ...DOCUMENTED.map(([, row]) => documentedRecording(row)),
  ];
  const detections = recordings.flatMap(detectionsOf);
  const reports = [
    ...recordings.flatMap((recording) => failingCases(recording)).map(anew),
    ...Object.values(WRITTEN).map((row) => () => caseOfRow(row)),
    ...Object.values(PROGRAM_LOGS).map(
      ([log]) =>
        () =>
          caseOfLog(log),
    ),
  ];
  out(
    `Milliseconds, each object of the corpus ${ROUNDS} times, the first round left out (the compiler's). What else the machine does is in all columns but the last.\n`,
  );
  const rows = [
    ['to see whether it fails', detections.length, ...measure(detections)],
    ['to say why', reports.length, ...measure(reports.map((report) => () => diagnose(report())))],
    ['to say why, with ten nodes around', reports.length, ...measure(reports.map((report) => () => diagnose(amongNodes(report()))))],
    ...Object.entries(longLogs()).map(([what, subject]) => [what, 1, ...measure([() => diagnose(subject())])]),
  ];
  out(table(['', 'objects', 'median', 'p99', 'longest', 'longest by the processor'], rows));
}

function detectionsOf({ objects }: Recording): (() => unknown)[] {
  const events = ofKind<CoreEvent>(objects, 'Event');
  const now = new Date('2026-06-01T00:00:00Z');
  return objects.flatMap((object) => {
    if (object.kind === 'Pod') return [() => detectFailure({ pod: object as Pod, events, now, graces: PAST })];
    const isWorkload = ['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'].includes(object.kind ?? '');
    return isWorkload ? [() => detectControllerFailure({ object: object as Workload, events, now, graces: PAST })] : [];
  });
}

/** The case as it comes in a report: its manifest is text, which is parsed when a rule needs it. */
function anew(subject: Case): () => Case {
  const manifest: KubeObject | undefined = subject.manifest();
  const { pod_name, namespace, resource_kind, container, events, logs, surroundings } = subject;
  const report = {
    ...{ pod_name, namespace, resource_kind, container, events, logs },
    failure_reason: subject.reason,
    failure_message: subject.message,
    container_statuses: subject.statuses,
    manifest: JSON.stringify(manifest),
  };
  return () => caseOfReport(report, surroundings);
}

const TEN = Array.from({ length: 10 }, (_, index) => ({
  name: `node-${index}`,
  labels: { 'kubernetes.io/hostname': `node-${index}`, zone: `zone-${index % 3}` },
  allocatable: { cpu: '4', memory: '16Gi', pods: '110' },
  used: { cpu: 3, memory: 12 * 2 ** 30, pods: 40 },
  taints: index === 0 ? [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] : [],
}));

/** Adds ten nodes that are three quarters full. The diagnosis tries its corrections on them. */
function amongNodes(subject: Case): Case {
  return { ...subject, surroundings: { ...subject.surroundings, nodes: [...(subject.surroundings?.nodes ?? []), ...TEN] } };
}

/** Logs of one megabyte: without any known line, full of errors, a single line, and with the cause at the start. */
function longLogs(): Record<string, () => Case> {
  const filled = (line: string): string => line.repeat(Math.ceil(MEGABYTE / line.length)).slice(0, MEGABYTE);
  const logs = {
    'a megabyte that says nothing': filled('2026-01-01T00:00:00Z served GET /items in 3 ms\n'),
    'a megabyte of errors': filled('2026-01-01T00:00:00Z ERROR request failed: invalid token, cannot continue\n'),
    'a megabyte without a line end': filled('error cannot failed '),
    'a megabyte of lines that look like headings': filled('==> app (previous) <==\nx\n'),
    'the cause, and a megabyte behind it': `KeyError: 'DATABASE_URL'\n${filled('worker exited with code 1\n')}`,
  };
  return Object.fromEntries(
    Object.entries(logs).map(([what, text]) => [what, () => aCase({ status: crashed(), logs: `==> app (previous) <==\n${text}` })]),
  );
}

function measure(works: (() => unknown)[]): string[] {
  const taken: number[] = [];
  let busiest = 0;
  for (let round = 0; round < ROUNDS; round++)
    for (const work of works) {
      const [begun, processor] = [performance.now(), process.cpuUsage()];
      work();
      if (round === 0) continue;
      taken.push(performance.now() - begun);
      const { user, system } = process.cpuUsage(processor);
      busiest = Math.max(busiest, (user + system) / 1000);
    }
  return [percentile(taken, 0.5), percentile(taken, 0.99), Math.max(...taken), busiest].map((ms) => ms.toFixed(3));
}
