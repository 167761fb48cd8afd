import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SESSION_CHECK_MS } from '../../src/api/caller.ts';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { podLogs } from '../../src/kube/pod-logs.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';
import { until } from '../support/runner/wait.ts';

let it: TestApp;
let sandbox: Sandbox;
let client: KubeClient;
let url = '';
const logs = suite('logs');

const aPod = (name: string, containers: Pod['spec']['containers'], over = {}): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: { containers, ...over },
});
const shell = (name: string, script: string) => ({ name, image: 'busybox:1.35', command: ['sh', '-c', script] });

logs.before(async () => {
  sandbox = await startSandbox();
  client = connect({ kubeconfigText: sandbox.kubeconfig });
  it = await testApp(() => ({ logs: podLogs(client) }));
  url = await it.app.listen({ host: '127.0.0.1', port: 0 });
  const talker = 'echo one; echo API_TOKEN=hunter2secret; echo three; sleep 3600';
  await client.create(KINDS.pod, aPod('two', [shell('calm', 'sleep 3600'), shell('sick', 'echo why it died; exit 3')]));
  await client.create(KINDS.pod, aPod('talker', [shell('app', talker)]));
  await client.create(KINDS.pod, aPod('brief', [shell('app', 'echo done; sleep 1')], { restartPolicy: 'Never' }));
  await client.create(KINDS.pod, aPod('stuck', [{ name: 'app', image: 'no-such-image:1' }]));
  const text = async (pod: string) => (await read(`default/${pod}/logs`)).json().logs;
  const isThere = async () => /three/.test(await text('talker')) && /died/.test(await text('two'));
  await until(isThere, { everyMs: 100, what: 'the pods to have spoken' });
});
logs.after(async () => {
  await it.close();
  client.close();
  await sandbox.close();
});

const read = (path: string) => it.send('read', { url: `/api/pods/${path}` });

logs('the lines of the first failing container, secrets masked', async () => {
  let sick: { logs: string } = { logs: '' };
  // The container restarts again and again. Right after a start its log is empty.
  const hasSpoken = async () => (sick = (await read('default/two/logs')).json()).logs !== '';
  await until(hasSpoken, { everyMs: 100, what: 'a run that has spoken' });
  assert.equal(sick, { pod_name: 'two', namespace: 'default', container: 'sick', containers: ['calm', 'sick'], logs: 'why it died\n' });
  const talker = (await read('default/talker/logs')).json();
  assert.equal([talker.container, talker.logs], ['app', 'one\nAPI_TOKEN=***\nthree\n']);
  assert.is((await read('default/talker/logs?tail_lines=1')).json().logs, 'three\n');
  assert.is((await read('default/two/logs?container=calm')).json().logs, '');
});

logs('the previous run, if there was one', async () => {
  const previous = () => read('default/two/logs?previous=true&container=sick');
  await until(async () => (await previous()).statusCode === 200, { everyMs: 100, what: 'a restart' });
  assert.is((await previous()).json().logs, 'why it died\n');
  const never = await read('default/talker/logs?previous=true');
  assert.equal([never.statusCode, never.json()], [404, { detail: 'Container app had no run before this one' }]);
});

logs('a container that has not started has no lines', async () => {
  assert.is((await read('default/stuck/logs')).json().logs, '');
});

const BAD: [string, number, string][] = [
  ['default/nobody/logs', 404, 'Pod not found'],
  ['no-such-namespace/two/logs', 404, 'Pod not found'],
  ['hidden/two/logs', 404, 'Pod not found'],
  ['default/two/logs?container=x', 400, 'container must be one of calm, sick'],
  ['default/two/logs?tail_lines=0', 400, 'tail_lines must be >= 1'],
  ['default/two/logs?tail_lines=5001', 400, 'tail_lines must be <= 5000'],
  ['default/two/logs?previous=maybe', 400, 'previous must be boolean'],
  ['default/..%2Ftwo/logs', 404, 'Pod not found'],
];
for (const [path, status, detail] of BAD) {
  logs(`${path} answers ${status}: ${detail}`, async () => {
    const answer = await read(path);
    assert.equal([answer.statusCode, answer.json()], [status, { detail }]);
  });
}

interface Listening {
  text(): string;
  ended: Promise<void>;
  close(): void;
}

async function listen(
  path: string,
  headers: Record<string, string> = { cookie: it.cookie('read') },
): Promise<Listening & { status: number }> {
  const closing = new AbortController();
  const answer = await fetch(`${url}/api/pods/${path}`, { headers, signal: closing.signal });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  return { status: answer.status, text: () => text, ended, close: () => closing.abort() };
}
const dataOf = (text: string): string[] => [...text.matchAll(/^data: (.+)$/gm)].map(([, line = '']) => line);

logs('a stream begins with the last lines, each with its instant, and a later one goes on after them', async () => {
  const first = await listen('default/talker/logs/stream?tail_lines=3');
  await until(() => dataOf(first.text()).length === 3, { what: () => first.text() });
  assert.equal(dataOf(first.text()), ['one', 'API_TOKEN=***', 'three']);
  const ids = [...first.text().matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id);
  assert.ok(ids.length === 3 && ids.every((id) => /^\d{4}-\d\d-\d\dT[\d:]+\.\d{9}Z$/.test(id)), first.text());
  first.close();
  const next = await listen('default/talker/logs/stream', { cookie: it.cookie('read'), 'last-event-id': ids[0] ?? '' });
  await until(() => next.text().includes('connected'), { what: 'the stream to begin' });
  await until(() => dataOf(next.text()).includes('three') || ids[0] === ids[2], { what: () => next.text() });
  assert.not.ok(dataOf(next.text()).includes('one'));
  next.close();
});

logs('a stream ends with its container, and says so', async () => {
  const stream = await listen(`default/brief/logs/stream?token=${SERVICE_TOKEN}`, {});
  await stream.ended;
  assert.match(stream.text(), /data: done\n\nevent: end\ndata:\n\n$/);
});

logs('a stream needs a session or the service token', async () => {
  assert.is((await listen('default/talker/logs/stream', {})).status, 401);
  assert.is((await listen('default/talker/logs/stream?token=wrong', {})).status, 401);
});

logs('the sixth stream of a user is refused; one that closes gives its place back', async () => {
  const open = await Promise.all(Array.from({ length: 5 }, () => listen('default/talker/logs/stream')));
  assert.equal(
    open.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.is((await listen('default/talker/logs/stream')).status, 429);
  open[0]?.close();
  let more: (Listening & { status: number }) | undefined;
  await until(async () => (more = await listen('default/talker/logs/stream')).status === 200, {
    everyMs: 50,
    what: 'a place',
  });
  for (const stream of [...open, more]) stream?.close();
});

logs('the streams of a session end within 2 s after it', async () => {
  const { token, id } = await it.deps.sessions.begin(2, '127.0.0.1', it.deps.now());
  const stream = await listen('default/talker/logs/stream', { cookie: `monitor_session=${it.app.signCookie(token)}` });
  assert.is(stream.status, 200);
  await it.deps.sessions.end(id);
  await stream.ended;
  assert.ok(SESSION_CHECK_MS < 2_000, 'the next check comes within 2 s');
});

logs.run();
