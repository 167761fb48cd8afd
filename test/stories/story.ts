import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDetail, FailureRecord } from '../../src/contract/failure.ts';
import type { MirrorPreview, MirrorRecord } from '../../src/contract/mirror.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import type { ChatAction } from '../../src/contract/chat.ts';
import { mentionBody, pressBody, SECRET, signedBySlack } from '../support/chat/slack.ts';
import type { Client } from '../support/network/client.ts';
import { type FakeService, fakeService } from '../support/notifications/fake-service.ts';
import type { ClusterUser } from '../support/cluster/user.ts';
import { until } from '../support/runner/wait.ts';
import { type Expected, SHOP } from './shop.ts';

/** A cluster with the shop in it, watched by an operator and an agent. */
export interface World {
  client: Client;
  kubectl: ClusterUser;
  stop(): Promise<void>;
}

const of = (records: FailureRecord[], workload: string) =>
  records.find((record) => record.namespace.startsWith('shop') && record.workload?.name === workload);

const MIRROR = (name: string, source: string, spec: string, { ttlSeconds = 60, onExpiry = 'Delete' } = {}) => `
apiVersion: podmend.dev/v1alpha1
kind: MirrorPod
metadata: {name: ${name}, namespace: shop}
spec:
  source: {name: ${source}}
  ttlSeconds: ${ttlSeconds}
  onExpiry: ${onExpiry}
  template: {spec: ${spec}}
`;

/** The story of the README, on any world. Each step builds on the steps before it. */
export function tellStory(name: string, start: () => Promise<World>): void {
  const test = suite(name);
  let world: World;
  let slack: FakeService;
  let socket: { messages: SocketMessage[]; close(): void };
  const failed = () => world.client.get<FailureRecord[]>('/api/pods/failed');
  const find = async (workload: string) => {
    const record = of(await failed(), workload);
    assert.ok(record, `${workload} is listed`);
    return record;
  };
  const sawMessage = (type: SocketMessage['type'], timeoutMs = 10_000) =>
    until(() => socket.messages.find((message) => message.type === type), { timeoutMs, what: `a ${type} message` });

  test.before(async () => {
    world = await start();
    const signup = await world.client.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' });
    assert.is(signup.status, 200);
    socket = await world.client.listen();
    slack = await fakeService('slack');
  });
  test.after(async () => {
    socket?.close();
    await slack?.close();
    await world?.stop();
  });

  test('every failure of the shop is listed with its reason, and its solution names the culprit', async () => {
    const told = (record: FailureRecord | undefined, expected: Expected) =>
      record?.failure_reason === expected.reason && expected.culprit.test(record.solution ?? '');
    const missing = async () => {
      const records = await failed();
      return SHOP.filter((expected) => !told(of(records, expected.workload), expected)).map(
        ({ workload, reason }) => `${workload}: wanted ${reason}, found ${JSON.stringify(of(records, workload) ?? null)?.slice(0, 3000)}`,
      );
    };
    let left: string[] = [];
    await until(async () => (left = await missing()).length === 0, { timeoutMs: 60_000, everyMs: 200, what: () => left.join('\n') });
    const records = await failed();
    const extra = records.filter((record) => !SHOP.some((expected) => record.workload?.name === expected.workload));
    assert.equal(
      extra.map((record) => record.pod_name),
      [],
      'healthy pods are not reported',
    );
    assert.is(new Set(records.map((record) => record.pod_name)).size, records.length, 'one record a pod');
  });

  test('kubectl shows the shop and explains the kinds', async () => {
    assert.match(await world.kubectl('get', 'pods', '-A'), /storefront/);
    assert.match(await world.kubectl('explain', 'mirrorpod.spec'), /ttlSeconds/);
    await world.kubectl('get', 'podmend', '-A');
  });

  /** The rows of both mirrors in `kubectl get`, each from when it was judged. */
  let judged: Promise<string[]>;

  test('a right and a wrong correction by hand run on mirrors', async () => {
    const payments = (await find('payments')).pod_name;
    const right = `{containers: [{name: app, image: 'web:1', readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 1}}]}`;
    const wrong = `{containers: [{name: app, image: 'web:1', readinessProbe: {httpGet: {path: /, port: 9090}, periodSeconds: 1}}]}`;
    // A mirror that is never Ready is judged only at its end. `Retain` keeps it after that.
    const [deleted, kept] = [{ ttlSeconds: 100 }, { ttlSeconds: 100, onExpiry: 'Retain' }];
    await world.kubectl.apply(`${MIRROR('payments-right', payments, right, deleted)}---${MIRROR('payments-wrong', payments, wrong, kept)}`);
    const whenJudged = async (name: string): Promise<string> => {
      await world.kubectl('wait', '--for=condition=Ready', `mirrorpod/${name}`, '-n', 'shop', '--timeout=150s');
      return world.kubectl('get', 'mirrorpod', name, '-n', 'shop', '--no-headers');
    };
    // The other mirrors run meanwhile. A later test reads the verdicts.
    judged = Promise.all(['payments-right', 'payments-wrong'].map(whenJudged));
    judged.catch(() => undefined);
    const pods = () => world.kubectl('get', 'pods', '-n', 'shop', '-l', 'podmend.dev/mirror=true', '-o', 'name');
    await until(async () => (await pods()).trim().split('\n').length === 2, { everyMs: 250, what: 'the pods of both mirrors' });
  });

  test('a MirrorPod without a source is Stalled, one that asks for more power is Rejected with the paths', async () => {
    const payments = (await find('payments')).pod_name;
    const greedy = `{containers: [{name: app, image: 'web:1', securityContext: {privileged: true}}]}`;
    await world.kubectl.apply(MIRROR('nobody', 'no-such-pod', `{containers: [{name: app, image: 'web:1'}]}`));
    await world.kubectl.apply(MIRROR('greedy', payments, greedy));
    await world.kubectl('wait', '--for=condition=Stalled', 'mirrorpod/nobody', 'mirrorpod/greedy', '-n', 'shop', '--timeout=20s');
    assert.match(await world.kubectl('get', 'mirrorpod', 'greedy', '-n', 'shop', '-o', 'yaml'), /phase: Rejected/);
    assert.match(
      await world.kubectl('describe', 'mirrorpod', 'greedy', '-n', 'shop'),
      /spec\.containers\[0\]\.securityContext\.privileged/,
    );
  });

  test('a Suppression hides what it matches, and deleting it brings it back', async () => {
    await world.kubectl.apply(
      `
apiVersion: podmend.dev/v1alpha1
kind: Suppression
metadata: {name: tax, namespace: shop}
spec: {reason: renewal is on its way, match: {pods: ['tax-*']}}
`,
    );
    await until(async () => !of(await failed(), 'tax'), { everyMs: 100, what: 'tax to be hidden' });
    const suppressed = await world.client.get<FailureRecord[]>('/api/pods/suppressed');
    assert.ok(of(suppressed, 'tax')?.suppressed_by, 'the record says what hides it');
    await world.kubectl('delete', 'suppression', 'tax', '-n', 'shop');
    await until(async () => of(await failed(), 'tax'), { everyMs: 100, what: 'tax to be back' });
  });

  /** The messages in Slack, one text for each. */
  const said = () => slack.received.map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
  const heard = (pattern: RegExp, timeoutMs = 30_000) =>
    until(() => said().find((one) => pattern.test(one)), { timeoutMs, what: () => `${String(pattern)} in ${said().join('\n')}` });
  const fromSlack = async (path: string, body: string) => {
    const { headers } = signedBySlack(path, body);
    const answer = await fetch(world.client.url + path, { method: 'POST', headers, body });
    assert.is(answer.status, 200, await answer.text());
  };
  let button = '';
  const press = (action: ChatAction, user = 'U1') =>
    fromSlack('/api/chatops/team_chat_a/interact', pressBody({ action, value: button, user: { id: user, name: user }, ts: '1.1' }));

  test('a chat gets messages and gives commands: acknowledge, why, and a mirror', async () => {
    const config = {
      ...{ webhook_url: slack.address, token: 'xoxb-bot', signing_secret: SECRET, channel: '#on-call' },
      filter: { labelSelector: { matchLabels: { app: 'mailer' } } },
      chat: { defaultRole: 'read', users: [{ id: 'U1', user: 'admin' }] },
    };
    const made = await world.client.send('POST', '/api/admin/notifications', { provider: 'slack', enabled: true, config });
    assert.is(made.status, 200, JSON.stringify(made.body));
    // A new provider hears of an older incident only at its next change.
    const { id, incident_id } = await find('mailer');
    button = `${incident_id}/${id}`;
    await fromSlack('/api/chatops/team_chat_a/events', mentionBody({ text: 'why is mailer failing?' }));
    assert.match(await heard(/StartError: Deployment\/mailer/), /app\/start.*podmend\.try/);
    await press('acknowledge', 'U2');
    assert.match(await heard(/postEphemeral.*takes the write role/), /admin may do it/);
    await press('acknowledge');
    await heard(/chat\.update.*acknowledged Deployment\/mailer/);
    assert.is((await find('mailer')).status, 'investigating');
    await press('try');
    await heard(/chat\.update.*tries the correction/);
  });

  test('preview, deploy, verdict: the rules cure what a manifest can cure', async () => {
    const deployed: [string, MirrorRecord][] = [];
    for (const { workload } of SHOP.filter((expected) => expected.cured)) {
      const { id } = await find(workload);
      const preview = await world.client.send<MirrorPreview>('POST', `/api/mirror/preview/${id}`);
      assert.is(preview.status, 200, JSON.stringify(preview.body));
      assert.ok(preview.body.changes.length > 0, `${workload}: ${JSON.stringify(preview.body)}`);
      const mirror = await world.client.send<MirrorRecord>('POST', `/api/mirror/deploy/${id}`);
      assert.is(mirror.status, 200, `${workload}: ${JSON.stringify(mirror.body)}`);
      deployed.push([workload, mirror.body]);
      assert.ok((await world.client.get<MirrorRecord[]>('/api/mirror/active')).some((one) => one.mirror_id === mirror.body.mirror_id));
    }
    for (const [workload, { mirror_id: id, ttl_seconds: ttlSeconds }] of deployed) {
      let last: MirrorRecord | undefined;
      const verdict = async () => (last = await world.client.get<MirrorRecord>(`/api/mirror/status/${id}`)).verdict;
      // The window depends on how long the source ran, so on a busy machine it is longer. Each mirror has a verdict at its end.
      await until(verdict, {
        // The runner ends a file after ten minutes without a word of what it waited for.
        timeoutMs: Math.min(ttlSeconds + 60, 300) * 1000,
        everyMs: 200,
        what: () => `a verdict on ${workload}: ${JSON.stringify(last)}`,
      });
      assert.is(last?.verdict, 'Fixed', `${workload}: ${JSON.stringify(last)}`);
      assert.is((await world.client.send('DELETE', `/api/mirror/${id}`)).status, 204);
      assert.is((await world.client.send('GET', `/api/mirror/status/${id}`)).status, 404);
    }
  });

  test('the verdict of the mirror comes into the thread, and ignoring hides it', async () => {
    await heard(/chat\.postMessage .*"thread_ts":"1\.1".*Verdict of the mirror: Fixed/, 150_000);
    await press('patch');
    await heard(/Patch for Deployment\/mailer.*kubectl/);
    await press('ignore_1d');
    await heard(/ignores Deployment\/mailer/);
    await until(async () => !of(await failed(), 'mailer'), { everyMs: 100, what: 'mailer to be hidden' });
    await press('logs');
    await heard(/Logs of mailer/);
    assert.equal(slack.refused, []);
  });

  test('where no manifest cures it, the preview says so and changes nothing', async () => {
    const { id } = await find('tax');
    const preview = await world.client.send<MirrorPreview>('POST', `/api/mirror/preview/${id}`);
    assert.is(preview.status, 200);
    assert.equal(preview.body.changes, []);
    assert.match(preview.body.explanation, /no change to the manifest cures this/i);
  });

  test('a right correction by hand is Fixed, a wrong one StillFailing', async () => {
    const [right = '', wrong = ''] = await judged;
    assert.match(right, /payments-right .*Fixed/);
    assert.match(wrong, /payments-wrong .*StillFailing/);
    await sawMessage('mirror_status');
  });

  test('after its TTL a mirror is gone, or kept without its pod when it asks for that, and the failure record still shows the trial', async () => {
    const pods = () => world.kubectl('get', 'pods', '-n', 'shop', '-l', 'podmend.dev/mirror=true');
    const mirrors = () => world.kubectl('get', 'mirrorpods', '-n', 'shop');
    const isGone = async () => !/payments/.test(await pods()) && !/payments-right/.test(await mirrors());
    await until(isGone, { timeoutMs: 120_000, everyMs: 500, what: 'the mirrors to be gone' });
    assert.match(await mirrors(), /payments-wrong .*Expired +StillFailing/);
    const { id } = await find('payments');
    const { trials } = await world.client.get<FailureDetail>(`/api/pods/failed/${id}`);
    const verdicts = trials.map((trial) => trial.verdict);
    assert.ok(verdicts.includes('Fixed') && verdicts.includes('StillFailing'), JSON.stringify(trials));
  });

  test('a deleted workload leaves the list, and the socket tells', async () => {
    const { id } = await find('accounts');
    assert.is((await world.client.send('PUT', `/api/pods/${id}/status`, { status: 'investigating' })).status, 200);
    await sawMessage('pod_status_change');
    await world.kubectl('delete', 'deployment', 'accounts', '-n', 'shop');
    await until(async () => !of(await failed(), 'accounts'), { timeoutMs: 60_000, everyMs: 250, what: 'accounts to leave the list' });
    await sawMessage('pod_deleted');
    await sawMessage('pod_failure', 60_000);
  });

  test.run();
}
