import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureReport } from '../../../src/contract/failure.ts';
import type { PodSpec } from '../../../src/crd/kubernetes.ts';
import { pseudonyms } from '../../../src/redact/pseudonyms.ts';
import { caseOfReport } from '../../../src/diagnosis/case.ts';
import { revisionsOf } from '../../../src/diagnosis/changes/revisions.ts';
import { promptOf } from '../../../src/models/policy/prompt.ts';
import { aCrash, aFailureReport } from '../../support/builders/report.ts';
import { aDeployment } from '../../support/builders/revisions.ts';

const rules = pseudonyms(Buffer.alloc(32, 7), { names: [], emails: true, addresses: true });
const promptFor = (over: Partial<FailureReport> = {}, model = ['anthropic', 'm']) =>
  promptOf(caseOfReport(aFailureReport(over)), rules, model);

/** A replica of one workload. Everything that can differ between replicas differs. */
function replica(n: number, log = 'cannot open /etc/app.conf'): Partial<FailureReport> {
  const name = `web-7d9c5b6f4-x${n}x${n}z`;
  const at = `2026-05-0${n}T10:0${n}:00.12${n}Z`;
  const volume = { name: `kube-api-access-ab${n}`, projected: {} };
  const spec = {
    nodeName: `node-${n}`,
    containers: [{ name: 'app', image: 'web:1', volumeMounts: [{ name: volume.name, mountPath: '/var/run' }] }],
    volumes: [volume],
  };
  return {
    pod_name: name,
    pod_uid: `uid-${n}`,
    node_name: `node-${n}`,
    failure_message: `back-off ${n}0s restarting failed container=app pod=${name}_shop(5f0b6c1e-0000-4000-8000-00000000000${n})`,
    container_statuses: [aCrash(n)],
    events: [{ type: 'Warning', reason: 'BackOff', message: `Back-off restarting failed container in pod ${name}`, count: n + 2 }],
    manifest: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }),
    logs: `==> app (previous) <==\n${at} ERROR [10.1.2.${n}:80] ${log} on ${name} request 0123456789abcde${n}\n`,
  };
}

test('replicas that fail alike have one fingerprint', () => {
  const prints = [1, 2, 3, 4].map((n) => promptFor(replica(n)).fingerprint);
  assert.is(new Set(prints).size, 1);
});

test('another cause, another model, another provider, another exit code: another fingerprint', () => {
  const prints = [
    promptFor(replica(1)),
    promptFor(replica(1, 'cannot open /etc/other.conf')),
    promptFor(replica(1), ['anthropic', 'n']),
    promptFor(replica(1), ['openai', 'm']),
    promptFor({
      ...replica(1),
      container_statuses: [{ ...aCrash(1), last_state: { state: 'terminated', reason: 'Error', exit_code: 2 } }],
    }),
    promptFor({ ...replica(1), failure_reason: 'OOMKilled' }),
  ].map(({ fingerprint }) => fingerprint);
  assert.is(new Set(prints).size, prints.length);
});

test('what is sent holds neither labels, annotations nor what servers add, and is bounded', () => {
  const annotated = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', labels: { team: 'label-seven' }, annotations: { note: 'annotation-seven' } },
    spec: JSON.parse(String(replica(1).manifest)).spec,
  });
  const { user } = promptFor({ manifest: annotated });
  for (const noise of ['label-seven', 'annotation-seven', 'kube-api-access', 'node-1']) assert.not.match(user, noise);
  const huge = promptFor({
    logs: 'x'.repeat(3_000_000),
    failure_message: 'y'.repeat(1_000_000),
    events: Array.from({ length: 1_000 }, (_, n) => ({ type: 'Warning', reason: 'Failed', message: `${n} ${'z'.repeat(5_000)}` })),
    manifest: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1' },
      spec: { containers: [{ name: 'app', image: 'a', args: ['w'.repeat(500_000)] }] },
    }),
  });
  assert.ok(huge.user.length < 100_000, String(huge.user.length));
});

test('the prompt has the rules’ corrections in the form in which the model answers', () => {
  const manifest = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1' },
    spec: { containers: [{ name: 'app', image: 'web:1', resources: { limits: { memory: '16Mi' } } }] },
  });
  const killed = { ...aCrash(1), last_state: { state: 'terminated', reason: 'OOMKilled', exit_code: 137 } };
  const { user } = promptFor({ failure_reason: 'OOMKilled', manifest, container_statuses: [killed] });
  assert.match(user, '"path": "containers[app].resources.limits.memory"');
});

/** A pod of revision 2. Revision 1 has another image and another password. */
function changedTo(spec: PodSpec, ready: number) {
  const { workload, history } = aDeployment([
    { number: 1, spec: { containers: [{ name: 'app', image: 'web:1', env: [{ name: 'DB_PASSWORD', value: 'hunter-old-7' }] }] }, ready },
    { number: 2, spec },
  ]);
  const report = aFailureReport({ manifest: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1' }, spec }) });
  const revisions = revisionsOf(workload, history);
  return promptOf(caseOfReport(report, revisions ? { revisions } : {}), rules, ['anthropic', 'm']);
}

test('the prompt has what changed since the previous revision, without secrets, and it counts for the fingerprint', () => {
  const spec = (image: string) => ({ containers: [{ name: 'app', image, env: [{ name: 'DB_PASSWORD', value: 'hunter-new-7' }] }] });
  const { user, fingerprint } = changedTo(spec('web:2'), 1);
  assert.match(user, /"changed": \[\n {2}"`image` of container `app`: `web:1` → `web:2`"/);
  assert.not.match(user, /hunter/);
  assert.not.match(promptFor().user, '"changed"');
  assert.is(changedTo(spec('web:2'), 3).fingerprint, fingerprint);
  assert.is.not(changedTo(spec('web:3'), 1).fingerprint, fingerprint);
});

test('the same question twice is the same to the letter', () => assert.equal(promptFor(replica(1)).user, promptFor(replica(1)).user));

test.run();
