import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDetail, Trial } from '../../../../src/contract/failure.ts';
import { type Case, caseOfReport, type Surroundings } from '../../../../src/diagnosis/case.ts';
import { diagnose } from '../../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest } from '../../../support/builders/cases.ts';

// The first two proposed limits after an OOM kill, and the reason. The cases were written before the code.

interface Kill {
  limit: string;
  /** How long the killed run lasted, in seconds. Null: its times are not known. */
  ranFor: number | null;
  container?: object;
  surroundings?: Surroundings;
  trials?: [verdict: string, reasonAfter: string, limit: string][];
}

const START = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

function killed({ limit, ranFor, container = {}, surroundings, trials }: Kill): Case {
  const manifest = aPodManifest({ resources: { limits: { memory: limit } }, ...container });
  const times = ranFor === null ? {} : { started_at: at(0), finished_at: at(ranFor) };
  const last = { state: 'terminated', reason: 'OOMKilled', exit_code: 137, ...times };
  const subject = aCase({
    failure_reason: 'OOMKilled',
    status: { state: 'waiting', reason: 'CrashLoopBackOff', last_state: last },
    manifest,
    ...(surroundings ? { surroundings } : {}),
  });
  if (!trials) return subject;
  const detail = { ...reportOf(subject), manifest: JSON.stringify(manifest), trials: trials.map(aTrial) };
  return caseOfReport(detail as unknown as FailureDetail, surroundings);
}

const reportOf = ({ manifest: _, statuses, reason, message, ...rest }: Case) => ({
  ...rest,
  failure_reason: reason,
  failure_message: message,
  container_statuses: statuses,
});

const aTrial = ([verdict, reason_after, to]: [string, string, string]): Pick<Trial, 'verdict' | 'reason_after' | 'changes'> => ({
  verdict,
  reason_after,
  changes: [{ path: 'spec.containers[0].resources.limits.memory', from: '32Mi', to, why: '' }],
});

const revisions = (before: string, serving: number): Surroundings => {
  const spec = (memory: string) => ({ containers: [{ name: 'app', image: 'web:1', resources: { limits: { memory } } }] });
  // The newest revision does not have the pod's limit, so that the diagnosis does not also propose to go back a revision.
  return {
    revisions: {
      kind: 'Deployment',
      name: 'web',
      before: 3,
      serving,
      worked: serving > 0,
      hash: '',
      current: spec('1Mi'),
      previous: spec(before),
    },
  };
};

const java = (options: string) => ({ container: { env: [{ name: 'JAVA_TOOL_OPTIONS', value: options }] } });
const measured = (memory: string): Surroundings => ({ memoryUse: [{ pod: 'web', container: 'app', memory }] });

const memory = suite('memory limits');
const CASES: [sentence: string, kill: Kill, limits: string[], why: RegExp][] = [
  // Cases about the length of the run.
  ['killed at once', { limit: '100Mi', ranFor: 0 }, ['400Mi', '1600Mi'], /killed within 2 s of its start.*four times/],
  ['killed at once, with a tiny limit', { limit: '16Mi', ranFor: 1 }, ['256Mi', '1Gi'], /within 2 s.*most programs start with 256Mi/],
  ['killed at once, where four times the limit is what programs start with', { limit: '64Mi', ranFor: 1 }, ['256Mi', '1Gi'], /four times/],
  ['killed after 10 s', { limit: '32Mi', ranFor: 10 }, ['96Mi', '384Mi'], /after 10 s.*three times/],
  ['killed after 40 s', { limit: '100Mi', ranFor: 40 }, ['300Mi', '1200Mi'], /after 40 s.*three times/],
  ['killed after half an hour', { limit: '256Mi', ranFor: 1800 }, ['512Mi', '2Gi'], /after 30 min.*twice/],
  ['killed after two hours', { limit: '1Gi', ranFor: 7200 }, ['1536Mi', '6Gi'], /after 2 h.*half as much again/],
  ['nobody knows how long it ran', { limit: '256Mi', ranFor: null }, ['512Mi', '2Gi'], /it was killed at this limit/],
  ['a limit below what any runtime needs', { limit: '8Mi', ranFor: 1800 }, ['64Mi', '256Mi'], /64Mi is little/],
  // Cases about heap settings.
  ['a heap above the limit', { limit: '256Mi', ranFor: 1, ...java('-Xmx512m') }, ['768Mi', '3Gi'], /`-Xmx512m`.*256Mi/],
  ['a large heap', { limit: '2Gi', ranFor: 900, ...java('-Xms1g -Xmx2g') }, ['3Gi', '12Gi'], /`-Xmx2g`.*a third/],
  ['the last of two heaps counts', { limit: '256Mi', ranFor: 1, ...java('-Xmx2g -Xmx512m') }, ['768Mi', '3Gi'], /`-Xmx512m`/],
  ['a heap in long form', { limit: '256Mi', ranFor: 1, ...java('-XX:MaxHeapSize=512m') }, ['768Mi', '3Gi'], /`-XX:MaxHeapSize=512m`/],
  ['a heap that fits is not the cause', { limit: '512Mi', ranFor: 7200, ...java('-Xmx64m') }, ['768Mi', '3Gi'], /after 2 h/],
  [
    'a heap of Node',
    { limit: '300Mi', ranFor: 60, container: { args: ['node', '--max-old-space-size=400', 'app.js'] } },
    ['544Mi', '2176Mi'],
    /`--max-old-space-size=400`/,
  ],
  [
    'a soft limit of Go',
    { limit: '256Mi', ranFor: 60, container: { env: [{ name: 'GOMEMLIMIT', value: '400MiB' }] } },
    ['512Mi', '2Gi'],
    /`GOMEMLIMIT=400MiB`/,
  ],
  [
    'a soft limit of Go in another variable is none',
    { limit: '256Mi', ranFor: null, container: { env: [{ name: 'NOTE', value: 'GOMEMLIMIT=4GiB' }] } },
    ['512Mi', '2Gi'],
    /killed at this limit/,
  ],
  // Cases about earlier limits.
  [
    'the previous revision works with more',
    { limit: '64Mi', ranFor: 1800, surroundings: revisions('300Mi', 2) },
    ['300Mi', '1200Mi'],
    /revision 3 has `300Mi` and works/,
  ],
  [
    'the previous revision had more',
    { limit: '64Mi', ranFor: 1800, surroundings: revisions('300Mi', 0) },
    ['300Mi', '1200Mi'],
    /revision 3 had `300Mi`/,
  ],
  [
    'the limit was already raised',
    { limit: '128Mi', ranFor: 1800, surroundings: revisions('64Mi', 0) },
    ['384Mi', '1536Mi'],
    /already raised from `64Mi`/,
  ],
  [
    'a mirror with more was killed too',
    { limit: '32Mi', ranFor: 10, trials: [['StillFailing', 'OOMKilled', '96Mi']] },
    ['384Mi', '1536Mi'],
    /a mirror with `96Mi` was killed too/,
  ],
  [
    'two mirrors with more were killed too',
    {
      limit: '32Mi',
      ranFor: 10,
      trials: [
        ['StillFailing', 'OOMKilled', '384Mi'],
        ['StillFailing', 'OOMKilled', '96Mi'],
      ],
    },
    ['1536Mi', '6Gi'],
    /`384Mi` was killed too/,
  ],
  [
    'a mirror that failed for another reason says nothing',
    { limit: '32Mi', ranFor: 10, trials: [['StillFailing', 'CrashLoopBackOff', '96Mi']] },
    ['96Mi', '384Mi'],
    /after 10 s/,
  ],
  ['a mirror that was fixed says nothing', { limit: '32Mi', ranFor: 10, trials: [['Fixed', '', '96Mi']] }, ['96Mi', '384Mi'], /after 10 s/],
  // Cases about memory use from the metrics API.
  [
    'it uses so much now that twice the limit is too little',
    { limit: '256Mi', ranFor: 1800, surroundings: measured('500Mi') },
    ['768Mi', '3Gi'],
    /uses `500Mi` now/,
  ],
  ['it uses little now', { limit: '256Mi', ranFor: 1800, surroundings: measured('20Mi') }, ['512Mi', '2Gi'], /after 30 min/],
];

for (const [sentence, kill, limits, why] of CASES)
  memory(sentence, () => {
    const raised = diagnose(killed(kill)).corrections.filter(({ title }) => title.startsWith('Raise the memory limit'));
    assert.equal(
      raised.map(({ changes }) => changes[0]?.to),
      limits,
    );
    assert.match(raised[0]?.changes[0]?.why ?? '', why);
    assert.equal(
      raised.map(({ confidence }) => confidence),
      ['likely', 'guess'],
    );
  });

const NODE_CASES: [sentence: string, allocatable: string, limits: string[]][] = [
  ['a limit that no node has becomes what the largest node has', '400Mi', ['400Mi']],
  ['no higher limit where the largest node has hardly more', '300Mi', []],
  ['the second limit is left out where no node has it', '2Gi', ['1Gi']],
];
for (const [sentence, allocatable, limits] of NODE_CASES)
  memory(sentence, () => {
    const nodes = [{ name: 'n', labels: {}, allocatable: { memory: allocatable }, taints: [] }];
    const { corrections } = diagnose(killed({ limit: '256Mi', ranFor: 1, surroundings: { nodes } }));
    assert.equal(
      corrections.map(({ changes }) => changes[0]?.to),
      limits,
    );
  });
memory.run();
