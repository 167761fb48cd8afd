import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ChatAction, CHAT_ACTIONS } from '../../src/contract/chat.ts';
import { engines } from '../support/database/store.ts';
import { mentionBody, pressBody, signedBySlack } from '../support/chat/slack.ts';
import { ClusterUnavailable } from '../../src/kube/errors.ts';
import { hmacOf, type TeamsMessage, teamsRequest } from '../support/chat/teams.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { until } from '../support/runner/wait.ts';
import { type ChatWorld, chatWorld } from '../support/worlds/chat.ts';

const EVENTS = '/api/chatops/team_chat_a/events';
const INTERACT = '/api/chatops/team_chat_a/interact';

for (const engine of engines('chat')) {
  const test = suite(`chat on ${engine.name}`);
  let it: ChatWorld;
  let pods = 0;
  /** Creates a new failing workload. */
  const fail = () => {
    const name = `web-${++pods}`;
    return it.fail({
      identity: name,
      pod_uid: name,
      pod_name: `${name}-abc`,
      owner: `Deployment/${name}`,
      workload: { kind: 'Deployment', name },
    });
  };
  const mention = (text: string, over: Partial<Parameters<typeof mentionBody>[0]> = {}) =>
    it.post(signedBySlack(EVENTS, mentionBody({ text, ...over }), { at: it.deps.now().getTime() }));
  const teams = async (message: TeamsMessage) => {
    const { headers, body } = teamsRequest({ timestamp: it.deps.now().toISOString(), ...message });
    return it.app.inject({ method: 'POST', url: '/api/chatops/team_chat_b/interact', headers, payload: body });
  };
  const requests = () => it.store.db.selectFrom('chat_requests').selectAll().orderBy('id').execute();
  const settled = () =>
    until(async () => (await requests()).every(({ state }) => state === 'done' || state === 'undone'), { what: 'all requests to be over' });
  const statusOf = async (id: number) => (await it.deps.failures.record(id))?.status;

  test.before(async () => {
    it = await chatWorld(engine.open);
  });
  test.after(() => it.close());
  test.before.each(async () => {
    for (const table of ['chat_requests', 'audit', 'failures', 'incidents'] as const) await it.store.db.deleteFrom(table).execute();
    it.deployed.length = 0;
    it.suppressed.length = 0;
    it.forget();
  });

  test('the challenge is answered, signed', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c0ffee' });
    const answer = await it.post(signedBySlack(EVENTS, body, { at: it.deps.now().getTime() }));
    assert.equal([answer.status, answer.body], [200, '{"challenge":"c0ffee"}']);
    assert.is((await it.post({ path: EVENTS, headers: { 'content-type': 'application/json' }, body })).status, 401);
  });

  test('without a secret, only the challenge is answered', async () => {
    const kept = it.providers.splice(0, 2);
    try {
      const post = (path: string, body: string) => it.post({ path, headers: { 'content-type': 'application/json' }, body });
      const challenged = await post(EVENTS, '{"type":"url_verification","challenge":"c0ffee"}');
      assert.equal([challenged.status, challenged.body], [200, '{"challenge":"c0ffee"}']);
      for (const [path, body] of [
        [EVENTS, mentionBody({ text: 'help' })],
        [EVENTS, '{'],
        [EVENTS, ''],
        [EVENTS, JSON.stringify({ type: 'url_verification', challenge: 'x'.repeat(5_000) })],
        [INTERACT, pressBody({ action: 'resolve', value: '1/1' })],
        ['/api/chatops/teams/interact', teamsRequest({ text: 'help' }).body],
      ] as const)
        assert.is((await post(path, body)).status, 401, body.slice(0, 60));
      const signed = await it.post(signedBySlack(EVENTS, mentionBody({ text: 'help' }), { at: it.deps.now().getTime() }));
      assert.is(signed.status, 401);
    } finally {
      it.providers.push(...kept);
    }
  });

  test('unsigned, old, changed and replayed requests are refused, and do nothing', async () => {
    const { id, value } = await fail();
    const at = it.deps.now().getTime();
    const body = pressBody({ action: 'resolve', value });
    const good = signedBySlack(INTERACT, body, { at });
    const bad = [
      { ...good, headers: { 'content-type': good.headers['content-type'] ?? '' } },
      signedBySlack(INTERACT, body, { at: at - 301_000 }),
      signedBySlack(INTERACT, body, { at: at + 3_600_000 }),
      signedBySlack(INTERACT, body, { at, secret: 'another-secret' }),
      { ...good, body: `${body}&x=1` },
      { ...good, body: body.replace('U1', 'U2') },
      // A Teams signature is not valid here.
      { ...good, headers: { 'content-type': 'application/json', authorization: hmacOf(body) } },
    ];
    for (const [index, request] of bad.entries()) assert.is((await it.post(request)).status, 401, String(index));
    assert.equal([await requests(), await statusOf(id)], [[], 'new']);
    assert.is((await it.post(good)).status, 200);
    await settled();
    await it.deps.failures.setStatus(id, 'new', it.deps.now());
    const again = await it.post(good);
    assert.equal([again.status, again.body], [401, '{"detail":"The request was sent before"}']);
    assert.equal([(await requests()).length, await statusOf(id)], [1, 'new']);
  });

  test('a body of a megabyte is refused before it is read', async () => {
    const body = 'x'.repeat(1024 * 1024);
    const answer = await it.post(signedBySlack(EVENTS, body, { at: it.deps.now().getTime() }));
    assert.equal([answer.status, answer.body], [413, '{"detail":"The body is too large"}']);
  });

  test('signed garbage is accepted and does nothing', async () => {
    for (const [path, body] of [
      [EVENTS, 'null'],
      [EVENTS, '[]'],
      [EVENTS, '{"type":"event_callback","event":null}'],
      [EVENTS, mentionBody({ text: 'help', more: { bot_id: 'B1' } })],
      [EVENTS, mentionBody({ text: 'help', more: { type: 'reaction_added' } })],
      [INTERACT, 'payload=%7B'],
      [INTERACT, 'no form at all'],
      [INTERACT, pressBody({ action: 'resolve', value: '1/0' })],
      [INTERACT, pressBody({ action: 'drop' as ChatAction, value: '1/1' })],
    ] as const)
      assert.is((await it.post(signedBySlack(path, body, { at: it.deps.now().getTime() }))).status, 200, body);
    assert.equal(await requests(), []);
  });

  test('real presses are answered during a flood of forged ones', async () => {
    const { id, value } = await fail();
    const forged = Array.from({ length: 300 }, (_, n) =>
      it.post(
        signedBySlack(INTERACT, pressBody({ action: 'resolve', value, trigger: `f${n}` }), {
          at: it.deps.now().getTime(),
          secret: 'guess',
        }),
      ),
    );
    assert.is(await it.press({ action: 'acknowledge', value }), 200);
    assert.equal(new Set((await Promise.all(forged)).map(({ status }) => status)), new Set([401]));
    await settled();
    assert.equal([(await requests()).length, await statusOf(id)], [1, 'investigating']);
  });

  test('acknowledge and resolve: accepted, done, confirmed, and in the audit log with both names', async () => {
    const { id, value } = await fail();
    assert.is(await it.press({ action: 'acknowledge', value }), 200);
    await it.heard(/chat\.postMessage .*"thread_ts":"1\.1".*anna: Acknowledge …/);
    await it.heard(/chat\.update .*anna \(the-write\) acknowledged Deployment/);
    assert.is(await statusOf(id), 'investigating');
    await it.press({ action: 'acknowledge', value });
    await it.heard(/is acknowledged already/);
    await it.press({ action: 'resolve', value });
    await it.heard(/anna \(the-write\) resolved Deployment/);
    assert.is(await statusOf(id), 'resolved');
    const [first, ...others] = await it.audited();
    assert.equal([first?.username, first?.action, others.length], ['the-write', 'failure.status', 1]);
    const { chat, provider, chat_user, chat_user_id, podmend_user, status } = first?.details ?? {};
    assert.equal(
      [chat, provider, chat_user, chat_user_id, podmend_user, status],
      ['slack', 'slack', 'anna', 'U1', 'the-write', 'investigating'],
    );
  });

  test('ignoring makes a Suppression with reason, end and owner; a second press makes no other one', async () => {
    const { value } = await fail();
    await it.press({ action: 'ignore_7d', value });
    await it.heard(/ignores Deployment/);
    const [made] = it.suppressed;
    assert.is(made?.owner, 'anna (slack U1)');
    assert.match(made?.reason ?? '', /^Ignored for 7 d from slack by anna: CrashLoopBackOff of Deployment\/web-/);
    assert.equal(made?.match, {
      namespaces: ['shop'],
      pods: [`web-${pods}`, `web-${pods}-*`],
      failure_reasons: ['CrashLoopBackOff'],
      label_selector: { match_labels: { app: 'web' } },
    });
    const days = (Date.parse(made?.expires_at ?? '') - it.deps.now().getTime()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7, String(days));
    await settled();
    await it.press({ action: 'ignore_7d', value });
    await it.heard(/is ignored already/);
    await settled();
    await it.press({ action: 'ignore_1d', value });
    await settled();
    assert.equal([it.suppressed.length, it.suppressed[0]?.expires_at], [1, made?.expires_at], 'a shorter one does not shorten it');
  });

  test('logs are masked and cut, the patch is a diff', async () => {
    const { value } = await fail();
    await it.press({ action: 'logs', value });
    const logs = await it.heard(/Logs of web/);
    assert.match(logs, /the last line/);
    assert.not(/hunter2|line 0 of/.test(logs), logs);
    assert.match(logs, /\d+ before them are cut/);
    await it.press({ action: 'patch', value });
    assert.match(await it.heard(/Patch for Deployment/), /\+ {2}env: \[\{name: DATABASE_URL\}\]/);
    assert.equal(it.slack.refused, []);
  });

  test('try: one mirror for many presses; its verdict and revisions come into the thread', async () => {
    const { id, value } = await fail();
    const open = Promise.withResolvers<void>();
    it.gate.open = open.promise;
    await Promise.all([
      it.press({ action: 'try', value }),
      it.press({ action: 'try', value, user: { id: 'U2', name: 'ben' } }),
      it.press({ action: 'try', value }),
    ]);
    await it.heard(/postEphemeral .*already: it is under way/);
    open.resolve();
    await it.heard(/tries the correction for Deployment/);
    assert.is(it.deployed.length, 1);
    const [request] = it.deployed;
    const trials = trialRepository(it.store.db);
    const trial = { mirror_id: `m-${request}`, failure_id: id, verdict: null, reason_before: 'x', reason_after: null, shown_before: null };
    await trials.insert({ ...trial, shown_after: null, origin: 'Rules', changes: [], started_at: it.deps.now() });
    await trials.update(`m-${request}`, { verdict: 'Fixed', reason_after: null, strength: 'Weak' });
    const follower = it.another();
    follower.work.start();
    await it.heard(/postMessage .*"thread_ts":"1\.1".*Verdict of the mirror: Fixed \(weak evidence\)/);
    await it.press({ action: 'try', value });
    await until(() => it.said().filter((one) => /already: it is under way/.test(one)).length === 3, { what: 'the third press to be told' });
    const revisions = [{ time: 'now', from: 'Fixed', verdict: 'StillFailing', reason: 'Regressed', message: 'It ended again.' }];
    await trials.update(`m-${request}`, { verdict: 'StillFailing', reason_after: 'x', strength: 'Strong', revisions, final: true });
    assert.match(await it.heard(/The verdict was revised: Fixed → StillFailing/), /Regressed: It ended again/);
    await settled();
    await follower.work.stop();
    assert.is(it.deployed.length, 1);
    // The verdict is final, so the same press is now a new request.
    await it.press({ action: 'try', value });
    await until(() => it.deployed.length === 2, { what: 'another mirror' });
    await it.store.db.updateTable('chat_requests').set({ state: 'done' }).where('state', '=', 'following').execute();
  });

  /** The roles that may do each action, written from the specification's roles. */
  const MAY: Record<ChatAction | 'question', ('read' | 'write' | 'admin')[]> = {
    acknowledge: ['write', 'admin'],
    resolve: ['write', 'admin'],
    ignore_1d: ['write', 'admin'],
    ignore_7d: ['write', 'admin'],
    try: ['write', 'admin'],
    logs: ['read', 'write', 'admin'],
    patch: ['read', 'write', 'admin'],
    question: ['read', 'write', 'admin'],
  };
  const PEOPLE: [who: string, user: { id: string; team_id?: string }, role: 'read' | 'write' | 'admin' | 'none'][] = [
    ['mapped to write', { id: 'U1' }, 'write'],
    ['mapped to admin', { id: 'U2' }, 'admin'],
    ['mapped to read', { id: 'U3' }, 'read'],
    ['mapped to a user who is gone', { id: 'U4' }, 'none'],
    ['anybody else', { id: 'U99' }, 'read'],
    ['anybody of another organisation', { id: 'U99', team_id: 'T2' }, 'none'],
  ];
  if (engine.name === 'PGlite')
    for (const [who, user, role] of PEOPLE)
      test(`${who}: what the role ${role} may`, async () => {
        for (const action of [...(Object.keys(CHAT_ACTIONS) as ChatAction[]), 'question'] as const) {
          await it.store.db.deleteFrom('chat_requests').execute();
          await it.store.db.deleteFrom('audit').execute();
          it.forget();
          const { value } = await fail();
          if (action === 'question') await mention('what fails in shop?', { user: user.id, more: { user_team: user.team_id ?? 'T1' } });
          else await it.press({ action, value, user });
          const [row] = await until(async () => ((await it.audited()).length > 0 ? it.audited() : undefined), {
            what: `${action} in the audit log`,
          });
          const isAllowed = role !== 'none' && MAY[action].includes(role);
          assert.is(row?.action !== 'chat.refused', isAllowed, `${who} ${action}: ${row?.action}`);
          if (!isAllowed) {
            const said = await it.heard(/chat\.postEphemeral/);
            assert.match(said, /Sorry, .* takes the (read|write) role/);
            assert.match(said, /the-write/, 'it names who may');
            assert.match(said, new RegExp(user.id));
          }
        }
      });

  test('a question is answered by the rules', async () => {
    const { value } = await fail();
    const name = `web-${pods}`;
    await mention(`why is ${name} failing?`, { thread: '7.7' });
    const why = await it.heard(/exits with 1/);
    assert.match(why, /Correction \(likely\): Set DATABASE_URL/);
    assert.match(why, new RegExp(`podmend\\.try.*"${value}"`));
    await mention('who changed it?', { thread: '7.7' });
    assert.match(await it.heard(/What changed/), /removed by kubectl-edit/);
    await mention('what fails in shop?');
    assert.match(await it.heard(/1 incident in shop/), new RegExp(`CrashLoopBackOff: Deployment/${name}, 1 pod`));
    await mention('why is nothing-like-this failing?');
    await it.heard(/Nothing called nothing-like-this fails/);
    await mention('sing a song');
    await it.heard(/Podmend understands these/);
    await mention(`acknowledge ${name}`, { user: 'U1' });
    await it.heard(/acknowledged Deployment/);
    assert.equal(it.slack.refused, []);
  });

  test('a part of a name is enough for a question, but not for an action', async () => {
    const { id } = await fail();
    await mention(`resolve web`, { user: 'U1' });
    await it.heard(/Nothing called web fails/);
    assert.is(await statusOf(id), 'new');
  });

  test('an event that Slack sends again is taken once', async () => {
    const { value } = await fail();
    for (const seconds of [0, 1, 2]) {
      const body = mentionBody({ text: 'what fails?', event: 'Ev1', ts: '5.5' });
      assert.is((await it.post(signedBySlack(EVENTS, body, { at: it.deps.now().getTime() + seconds * 1000 }))).status, 200);
    }
    await settled();
    assert.equal([(await requests()).length, it.said().length], [1, 1], value);
  });

  test('an old button acts on the incident as it is, or says that it is over', async () => {
    const { id, value } = await fail();
    await it.deps.failures.close([id], it.deps.now());
    for (const action of ['acknowledge', 'ignore_1d', 'try'] as const) await it.press({ action, value });
    await until(() => it.said().filter((one) => /It is over: Deployment/.test(one)).length === 3, { what: 'three answers' });
    await it.press({ action: 'resolve', value: '999999/999999' });
    await it.heard(/There is no such failure any more/);
    assert.equal([it.deployed, it.suppressed], [[], []]);
  });

  test('hidden incidents and those of another cluster accept no action', async () => {
    const hidden = await it.fail({ namespace: 'hidden', identity: 'h', pod_uid: 'h', pod_name: 'h' });
    const other = await it.fail({ cluster: 'other', identity: 'o', pod_uid: 'o', pod_name: 'o' });
    for (const { value } of [hidden, other]) await it.press({ action: 'resolve', value });
    await mention(`why is #${hidden.id} failing?`);
    await settled();
    assert.equal([await statusOf(hidden.id), await statusOf(other.id)], ['new', 'new']);
    assert.not(it.said().some((one) => /hidden/.test(one)));
  });

  test('a process dies between answer and action: another one acts, once', async () => {
    const { id, value } = await fail();
    // The first process stores the request and dies before it acts.
    const dead = it.another();
    await dead.work.stop();
    const request = signedBySlack(INTERACT, pressBody({ action: 'acknowledge', value }), { at: it.deps.now().getTime() });
    const headers = { timestamp: request.headers['x-slack-request-timestamp'], signature: request.headers['x-slack-signature'] };
    assert.equal(await dead.chat.slackPress(headers, { body: Buffer.from(request.body), address: '127.0.0.1' }), { taken: true });
    assert.equal([await statusOf(id), (await requests())[0]?.state], ['new', 'accepted']);
    const [one, other] = [it.another(), it.another()];
    one.work.start();
    other.work.start();
    await settled();
    assert.is(await statusOf(id), 'investigating');
    assert.is((await it.audited()).length, 1, 'once');
    await one.work.stop();
    await other.work.stop();
  });

  test('a process dies while it tries a correction: another one takes over its mirror', async () => {
    const { value } = await fail();
    it.gate.open = Promise.resolve();
    await it.press({ action: 'try', value });
    await until(async () => (await requests())[0]?.state === 'following', { what: 'the mirror to be followed' });
    // The row looks as if the process died after it created the mirror and before it stored that.
    const dead = { state: 'running' as const, holder: 'dead', mirror_id: null, told: null, due_at: new Date(it.deps.now().getTime() - 1) };
    await it.store.db.updateTable('chat_requests').set(dead).execute();
    const next = it.another();
    next.work.start();
    await until(async () => (await requests())[0]?.mirror_id === `m-${it.deployed[0]}`, { what: 'the mirror to be taken over' });
    assert.is(it.deployed.length, 1);
    await next.work.stop();
    await it.store.db.updateTable('chat_requests').set({ state: 'done' }).execute();
  });

  test('a request that nobody started for a long time is reported as not done', async () => {
    const { id, value } = await fail();
    const dead = it.another();
    await dead.work.stop();
    const request = signedBySlack(INTERACT, pressBody({ action: 'resolve', value }), { at: it.deps.now().getTime() });
    const headers = { timestamp: request.headers['x-slack-request-timestamp'], signature: request.headers['x-slack-signature'] };
    await dead.chat.slackPress(headers, { body: Buffer.from(request.body), address: '127.0.0.1' });
    const long = new Date(it.deps.now().getTime() - 11 * 60_000);
    await it.store.db.updateTable('chat_requests').set({ created_at: long }).execute();
    const next = it.another();
    next.work.start();
    await it.heard(/Not done: Resolve/);
    await settled();
    assert.is(await statusOf(id), 'new');
    await next.work.stop();
  });

  test('an action that fails every time is given up and reported, and can be requested again', async () => {
    const { value } = await fail();
    const failing = Promise.reject(new TypeError('nobody thought of it'));
    failing.catch(() => undefined);
    it.gate.open = failing;
    await it.press({ action: 'try', value });
    await until(async () => (await requests())[0]?.attempts === 1, { what: 'the first try' });
    const due = { attempts: 12, due_at: new Date(it.deps.now().getTime() - 1) };
    await it.store.db.updateTable('chat_requests').set(due).execute();
    const next = it.another();
    next.work.start();
    await it.heard(/Not done: Try the correction/);
    await settled();
    await next.work.stop();
    it.gate.open = Promise.resolve();
    it.forget();
    await it.press({ action: 'try', value });
    await it.heard(/tries the correction for/);
    assert.is(it.deployed.length, 1);
    await it.store.db.updateTable('chat_requests').set({ state: 'done' }).execute();
  });

  test('a refused press blocks nobody, even while the chat does not accept the refusal', async () => {
    const { id, value } = await fail();
    it.slack.next({ status: 200, body: '{"ok":false,"error":"internal_error"}' });
    await it.press({ action: 'acknowledge', value, user: { id: 'U3', name: 'cleo' } });
    await it.heard(/postEphemeral .*takes the write role/);
    await it.press({ action: 'acknowledge', value });
    await it.heard(/anna \(the-write\) acknowledged Deployment/);
    assert.is(await statusOf(id), 'investigating');
    await it.store.db.updateTable('chat_requests').set({ state: 'undone' }).where('state', '=', 'running').execute();
  });

  test('a failed action can be requested again before the chat accepts the answer', async () => {
    const { value } = await fail();
    it.gate.open = Promise.reject(new ClusterUnavailable('it is away'));
    it.gate.open.catch(() => undefined);
    it.slack.next({ status: 200, body: '{"ok":true,"ts":"1.1"}' }, { status: 200, body: '{"ok":false,"error":"internal_error"}' });
    await it.press({ action: 'try', value });
    await it.heard(/Not done: Try the correction/);
    it.gate.open = Promise.resolve();
    await it.press({ action: 'try', value });
    await it.heard(/tries the correction for/);
    assert.is(it.deployed.length, 1);
    await it.store.db.updateTable('chat_requests').set({ state: 'done' }).execute();
  });

  test('a message that the chat did not accept is sent again, and the action runs once', async () => {
    const { id, value } = await fail();
    it.slack.next({ status: 200, body: '{"ok":false,"error":"internal_error"}' }, { status: 500, body: 'oops' });
    const next = it.another();
    next.work.start();
    await it.press({ action: 'acknowledge', value });
    await it.heard(/postMessage .*acknowledged Deployment/);
    await settled();
    assert.equal([await statusOf(id), (await it.audited()).length], ['investigating', 1]);
    await next.work.stop();
  });

  test('a message that the chat refuses waits as long as the chat asks', async () => {
    const { value } = await fail();
    it.slack.next({ status: 200, body: '{"ok":true,"ts":"1.1"}' }, { status: 429, headers: { 'retry-after': '600' } });
    await it.press({ action: 'acknowledge', value });
    // While a process works on the request, it is due when the lease of a minute ends.
    const waits = async () => (await requests()).some(({ due_at }) => due_at.getTime() - it.deps.now().getTime() > 300_000);
    await until(waits, { what: 'the request to wait' });
    await it.store.db.updateTable('chat_requests').set({ state: 'undone' }).execute();
  });

  test('Teams: a command is answered at once, and refused to whoever may not', async () => {
    const { id } = await fail();
    const done = await teams({ text: `acknowledge #${id}` });
    assert.is(done.statusCode, 200, done.payload);
    assert.match(done.payload, /Anna \(the-write\) acknowledged Deployment/);
    assert.is(await statusOf(id), 'investigating');
    const refused = await teams({ text: `resolve #${id}`, from: { aadObjectId: 'aad-9', name: 'Zoe' } });
    assert.match(refused.payload, /Sorry, Zoe: “Resolve” takes the write role/);
    const asked = await teams({ text: `why is #${id} failing?` });
    assert.match(asked.payload, /exits with 1/);
    assert.match(asked.payload, /"type":"Action\.OpenUrl".*https:\/\/podmend\.example\/failures\//);
  });

  test('Teams: old, replayed, changed and unsigned messages are refused', async () => {
    const { id } = await fail();
    const old = new Date(it.deps.now().getTime() - 301_000).toISOString();
    assert.is((await teams({ text: `resolve #${id}`, timestamp: old })).statusCode, 401);
    const { headers, body } = teamsRequest({ text: 'help', timestamp: it.deps.now().toISOString() });
    const send = (payload: string, given: Record<string, string>) =>
      it.app.inject({ method: 'POST', url: '/api/chatops/teams/interact', headers: given, payload });
    assert.is((await send(body, headers)).statusCode, 200);
    assert.is((await send(body, headers)).statusCode, 401, 'replayed');
    assert.is((await send(`${body} `, headers)).statusCode, 401, 'changed');
    assert.is((await send(body, { 'content-type': 'application/json' })).statusCode, 401, 'unsigned');
    assert.is(await statusOf(id), 'new');
  });

  test('Teams: the result of a long action comes into the channel', async () => {
    const { id } = await fail();
    const open = Promise.withResolvers<void>();
    it.gate.open = open.promise;
    const answer = await teams({ text: `try #${id}` });
    assert.match(answer.payload, /the answer comes into this channel/);
    open.resolve();
    const heard = () => it.teams.received.find(({ body }) => /tries the correction/.test(JSON.stringify(body)));
    await until(heard, { what: 'the answer in the channel' });
    assert.is(it.teams.refused.length, 0, it.teams.refused[0]);
    await it.store.db.updateTable('chat_requests').set({ state: 'done' }).execute();
  });

  test.run();
}
