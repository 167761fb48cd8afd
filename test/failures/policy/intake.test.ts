import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decideReport, messagesOf, type ReportDecision, type StoredView } from '../../../src/failures/policy/intake.ts';
import { reasonRank } from '../../../src/failures/policy/label.ts';
import type { FailureRecord, KnownFailure } from '../../../src/contract/failure.ts';

const NOW = new Date('2026-05-01T10:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);
const KNOWN: KnownFailure = {
  id: 7,
  pod_uid: 'uid-web-1',
  pod_name: 'web-1',
  resource_kind: 'Pod',
  incident_id: 3,
  family: 'crash',
  container: 'app',
  status: 'new',
  failure_reason: 'CrashLoopBackOff',
  has_solution: true,
  has_occurrence: true,
  announced_at: ago(60),
};

/** The decision about a crash of `app`, with these changes to the situation. */
function decide(
  given: {
    known?: Partial<KnownFailure>;
    reason?: string;
    family?: string;
    container?: string | null;
    quiet?: string;
    isJoining?: boolean;
  } = {},
) {
  const { known, reason = 'CrashLoopBackOff', family = 'crash', container = 'app', quiet, isJoining = false } = given;
  return decideReport({
    reported: { family, container, failure_reason: reason, reason_rank: reasonRank(reason) },
    known: known && { ...KNOWN, ...known },
    isJoining,
    suppressionFor: (label) => (label === quiet ? 'quiet' : null),
    now: NOW,
  });
}

const decisions = suite('what a report means for its record');
const cases: [says: string, given: Parameters<typeof decide>[0], expected: Partial<ReportDecision>][] = [
  ['a new failure', {}, { kept_incident: null, repeats: null, needsSolution: true, announced_at: NOW.toISOString(), suppressed_by: null }],
  ['a repeat', { known: {} }, { kept_incident: 3, repeats: 7, needsSolution: false, announced_at: NOW.toISOString() }],
  ['a repeat within ten seconds', { known: { announced_at: ago(9.999) } }, { repeats: 7, announced_at: null }],
  ['a repeat after ten seconds', { known: { announced_at: ago(10) } }, { repeats: 7, announced_at: NOW.toISOString() }],
  [
    "a Job's failure for the record of its pod, a second after it",
    { known: { announced_at: ago(1) }, isJoining: true },
    { kept_incident: 3, repeats: null, needsSolution: true, announced_at: NOW.toISOString() },
  ],
  ['a repeat that was never announced', { known: { announced_at: null } }, { announced_at: NOW.toISOString() }],
  ['another occurrence', { known: { has_occurrence: false } }, { kept_incident: 3, repeats: null, needsSolution: false }],
  ['a record without a solution', { known: { has_solution: false } }, { kept_incident: 3, repeats: null, needsSolution: true }],
  ['another label of the family', { known: {}, reason: 'OOMKilled' }, { kept_incident: 3, repeats: null }],
  ['another family', { known: {}, family: 'image' }, { kept_incident: null, repeats: null, needsSolution: true }],
  ['another container', { known: {}, container: 'side' }, { kept_incident: null, repeats: null, needsSolution: true }],
  ['no container', { known: {}, container: null }, { kept_incident: 3, repeats: 7 }],
  ['a container where none was known', { known: { container: null } }, { kept_incident: 3, repeats: null }],
  ['a suppressed one', { quiet: 'CrashLoopBackOff' }, { suppressed_by: 'quiet', needsSolution: false, announced_at: null }],
  [
    'a less specific label of a record whose own is suppressed',
    { known: { failure_reason: 'OOMKilled' }, quiet: 'OOMKilled' },
    { suppressed_by: 'quiet' },
  ],
  [
    'a more specific label, while the record’s old one is suppressed',
    { known: {}, reason: 'OOMKilled', quiet: 'CrashLoopBackOff' },
    { suppressed_by: null },
  ],
  [
    'a less specific label of another family',
    { known: { failure_reason: 'OOMKilled', family: 'node' }, quiet: 'OOMKilled' },
    { suppressed_by: null },
  ],
];
for (const [says, given, expected] of cases)
  decisions(says, () => {
    const decision = decide(given);
    assert.equal({ ...decision, ...expected }, decision);
  });
decisions.run();

const messages = suite('what sockets hear of it');
const record = { id: 7, status: 'new', namespace: 'shop', failure_reason: 'OOMKilled' } as FailureRecord;
const said = (over: Partial<StoredView>) =>
  messagesOf({ record, isNew: false, known: KNOWN, announced_at: null, newSolution: null, ...over }).map(({ type }) => type);
const heard: [says: string, over: Partial<StoredView>, expected: string[]][] = [
  ['a new record', { isNew: true, known: undefined }, ['pod_failure']],
  ['one that is due again', { announced_at: NOW.toISOString(), newSolution: 'new' }, ['pod_failure']],
  ['one that is not due', {}, []],
  ['one that another replica made meanwhile', { known: undefined, announced_at: NOW.toISOString() }, []],
  ['one that fails again', { known: { ...KNOWN, status: 'resolved' } }, ['pod_status_change']],
  [
    'one that moved to another incident',
    { known: { ...KNOWN, status: 'investigating' }, newSolution: 'new' },
    ['pod_status_change', 'solution_updated'],
  ],
];
for (const [says, over, expected] of heard)
  messages(`${says}: ${expected.join() || 'nothing'}`, () => {
    assert.equal(said(over), expected);
  });
messages.run();
