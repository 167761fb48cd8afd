import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ignoreBody } from '../../../src/chat/policy/suppression-body.ts';
import type { IncidentView } from '../../../src/notifications/policy/view.ts';
import { findSuppression } from '../../../src/suppressions/policy/match.ts';
import { matchOf } from '../../../src/suppressions/policy/suppression-record.ts';
import { aSuppression } from '../../support/builders/suppression.ts';
import { anIncident } from '../../support/notifications/view.ts';

const ignore = suite('ignoring from a chat');
// In January 2027 the number in the Job names of CronJobs goes from 29,999,999 to 30,000,000.
const NOW = new Date('2027-01-12T10:00:00Z');
const SHARED = { 'app.kubernetes.io/part-of': 'shop', 'helm.sh/chart': 'shop-1.0' };

type Pod = [pod_name: string, labels: Record<string, string>];
const ROWS: [says: string, incident: Partial<IncidentView>, hidden: Pod[], shown: Pod[]][] = [
  [
    'a Deployment: pods of its next version too, those of a sibling not, whatever labels they share',
    { owner: 'Deployment/web', pod: 'web-7d9f8-abcde', labels: { ...SHARED, name: 'web', version: '1', 'pod-template-hash': '7d9f8' } },
    [
      ['web-7d9f8-abcde', { ...SHARED, name: 'web', version: '1', 'pod-template-hash': '7d9f8' }],
      ['web-66666-zzzzz', { ...SHARED, name: 'web', version: '2', 'pod-template-hash': '66666' }],
    ],
    [
      ['web-api-7d9f8-abcde', { ...SHARED, name: 'web-api', 'pod-template-hash': '7d9f8' }],
      ['web-api-7d9f8-abcde', { ...SHARED, app: 'web-api' }],
      ['api-7d9f8-abcde', { ...SHARED, name: 'web' }],
    ],
  ],
  [
    'a StatefulSet',
    {
      owner: 'StatefulSet/db',
      pod: 'db-0',
      labels: { set: 'db', 'statefulset.kubernetes.io/pod-name': 'db-0', 'apps.kubernetes.io/pod-index': '0' },
    },
    [['db-2', { set: 'db', 'statefulset.kubernetes.io/pod-name': 'db-2', 'apps.kubernetes.io/pod-index': '2' }]],
    [['db-backup-0', { set: 'db-backup' }]],
  ],
  [
    'a Job by its name in the label',
    { owner: 'Job/load', pod: 'load-x7x7x', labels: { 'batch.kubernetes.io/job-name': 'load', 'job-name': 'load', 'controller-uid': 'u' } },
    [['load-zzzzz', { 'batch.kubernetes.io/job-name': 'load', 'job-name': 'load', 'controller-uid': 'u' }]],
    [['load-more-x7x7x', { 'batch.kubernetes.io/job-name': 'load-more', 'job-name': 'load-more' }]],
  ],
  [
    'a CronJob: the jobs of the coming days',
    { owner: 'CronJob/web', pod: 'web-29995800-abcde', labels: { 'batch.kubernetes.io/job-name': 'web-29995800' } },
    [
      ['web-29995800-abcde', { 'batch.kubernetes.io/job-name': 'web-29995800' }],
      ['web-29999999-zzzzz', { 'batch.kubernetes.io/job-name': 'web-29999999' }],
      ['web-30000060-zzzzz', { 'batch.kubernetes.io/job-name': 'web-30000060' }],
    ],
    [
      ['web-api-29995800-abcde', { 'batch.kubernetes.io/job-name': 'web-api-29995800' }],
      ['web-api', {}],
    ],
  ],
  [
    'a Deployment whose labels nobody sent: the pods of the same ReplicaSet',
    { owner: 'Deployment/web', pod: 'web-7d9f8-abcde', labels: {} },
    [
      ['web-7d9f8-abcde', {}],
      ['web-7d9f8-zzzzz', {}],
    ],
    [['web-api-7d9f8-abcde', {}]],
  ],
  [
    'a bare pod',
    { owner: 'Pod/web', pod: 'web', labels: {} },
    [['web', {}]],
    [
      ['web-api', {}],
      ['web-1', {}],
    ],
  ],
];
ignore('a name in a chat brings no characters that a Suppression refuses', () => {
  const person = { id: 'U1', name: `an\u202ena\n\0${'😀'.repeat(600)}`, isForeign: false };
  const { reason, owner = '' } = ignoreBody(anIncident(), { days: 7, person, chat: 'slack', reasons: [], now: NOW });
  assert.match(reason, /^Ignored for 7 d from slack by anna😀/);
  assert.match(owner, /^anna😀/);
  for (const text of [reason, owner]) assert.not.match(text, /[\p{Cc}\p{Cs}\u202e]/u);
});

for (const [says, over, hidden, shown] of ROWS) {
  ignore(says, () => {
    const body = ignoreBody(anIncident(over), {
      days: 7,
      person: { id: 'U1', name: 'anna', isForeign: false },
      chat: 'slack',
      reasons: ['Error'],
      now: NOW,
    });
    const suppression = aSuppression(matchOf(body.match), { metadata: { name: 'one', namespace: 'podmend' } });
    const isHidden = ([pod_name, labels]: Pod, more: { namespace?: string; failure_reason?: string } = {}): boolean =>
      findSuppression({ namespace: 'shop', failure_reason: 'CrashLoopBackOff', pod_name, labels, ...more }, [suppression], NOW, {
        operatorNamespace: 'podmend',
        tenantsHideHigh: false,
      }) !== undefined;
    assert.equal(
      hidden.map((pod) => isHidden(pod)),
      hidden.map(() => true),
    );
    assert.equal(
      shown.map((pod) => isHidden(pod)),
      shown.map(() => false),
    );
    assert.equal(
      hidden.map((pod) => isHidden(pod, { namespace: 'other' })),
      hidden.map(() => false),
    );
    assert.equal(
      hidden.map((pod) => isHidden(pod, { failure_reason: 'OOMKilled' })),
      hidden.map(() => false),
    );
  });
}

ignore('it names at most 64 reasons, the incident’s among them, each once and in order', () => {
  const body = (reasons: string[]) =>
    ignoreBody(anIncident({ reason: 'A' }), {
      days: 1,
      person: { id: 'U', name: 'Ann', isForeign: false },
      chat: 'slack',
      reasons,
      now: NOW,
    });
  assert.equal(body(['C', 'B', 'C', 'A']).match.failure_reasons, ['A', 'B', 'C']);
  const many = body(Array.from({ length: 70 }, (_, n) => `R${n + 10}`)).match.failure_reasons ?? [];
  assert.equal([many.length, many[0], many.at(-1)], [64, 'A', 'R72']);
});

ignore('its reason and owner are cut to what a Suppression takes', () => {
  const person = { id: 'U', name: 'x'.repeat(2_000), isForeign: false };
  const { reason, owner } = ignoreBody(anIncident(), { days: 1, person, chat: 'slack', reasons: [], now: NOW });
  assert.equal([reason.length, owner?.length], [1_024, 253]);
});

ignore.run();
