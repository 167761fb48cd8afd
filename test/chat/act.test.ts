import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { acting, type ActDeps, type Actor, type Deed, noteDeed } from '../../src/chat/act.ts';
import type { ChatAction } from '../../src/contract/chat.ts';
import { Refusal } from '../../src/contract/refusal.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { anIncident } from '../support/notifications/view.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const DAY_MS = 86_400_000;
const ANN: Actor = {
  person: { id: 'U1', name: 'Ann', isForeign: false },
  standing: { user: { id: 3, username: 'ann', role: 'admin' }, role: 'admin' },
  ...{ chat: 'slack', provider: 'team', address: '10.0.0.1' },
};
const GUEST: Actor = { ...ANN, standing: { user: null, role: 'write' } };
const DETAIL = { id: 70, namespace: 'shop', logs: 'reported', trials: [{ started_at: '2026-05-31T23:00:00Z' }] };
const MIRROR = {
  mirror_id: 'm',
  namespace: 'shop',
  name: 'try',
  ttl_seconds: 60,
  explanation: 'It sets the image.',
  risks: ['It is slow.'],
};
const DIAGNOSIS = { preview: { candidates: [] }, no_correction: null };

function world(over: { [part in keyof ActDeps]?: unknown } = {}) {
  const audit: Record<string, unknown>[] = [];
  const asked: unknown[] = [];
  const sent: unknown[] = [];
  const deps = {
    failures: {
      detail: async () => DETAIL,
      setStatus: async (...given: unknown[]) => (asked.push(given), { changed: [{ id: given[0] }] }),
    },
    targets: { openRecords: async () => [{ id: 70, status: 'new', failure_reason: 'Error' }] },
    mirrors: { requested: async () => undefined, deploy: async (...given: unknown[]) => (asked.push(given.slice(1)), MIRROR) },
    suppressions: {
      list: () => [],
      add: async (...given: unknown[]) => (
        asked.push(given),
        { name: 'api-x', reason: 'r', expires_at: '2026-06-02T00:00:00Z', match: {} }
      ),
    },
    logs: { read: async (...given: unknown[]) => (asked.push(given), { logs: 'live\n' }) },
    explain: async () => DIAGNOSIS,
    audit: { insert: async (row: Record<string, unknown>) => void audit.push(row) },
    hub: { publish: (message: unknown) => void sent.push(message) },
    links: (record: number | null) => `https://p/${record}`,
    now: () => NOW,
    ...over,
  } as unknown as ActDeps;
  const act = (action: ChatAction, more: Partial<Deed> = {}) =>
    acting(deps)({ action, incident: anIncident(), actor: ANN, request: 5, ...more });
  return { act, audit, asked, sent, deps };
}

test('the audit log has both names, or the chat’s id of somebody without a Podmend user', async () => {
  const { deps, audit } = world();
  await noteDeed(deps, ANN, { action: 'a', target: 't', details: { more: 1 } });
  await noteDeed(deps, GUEST, { action: 'a', target: 't' });
  const names = { chat: 'slack', provider: 'team', chat_user_id: 'U1', chat_user: 'Ann' };
  const same = { address: '10.0.0.1', action: 'a', target: 't' };
  assert.equal(audit, [
    { userId: 3, username: 'ann', ...same, details: { ...names, podmend_user: 'ann', more: 1 } },
    { userId: null, username: 'slack:U1', ...same, details: { ...names, podmend_user: null } },
  ]);
});

test('nothing is done about an incident that is over', async () => {
  const { act, audit, asked } = world();
  for (const over of [{ open: 0 }, { recordId: null }])
    assert.equal(await act('resolve', { incident: anIncident(over) }), {
      message: { title: 'It is over: Deployment/web in shop fails no more.', lines: [] },
      done: false,
    });
  assert.equal([audit, asked], [[], []]);
});

const refusals: [says: string, error: Error, line: string][] = [
  ['a rule', new Refusal('denied', 'Not here.'), 'Not here.'],
  ['a cluster that is away', new ClusterUnavailable('away'), 'the cluster does not answer. Try again later.'],
  ['the API server', new KubeError(500, 'InternalError', 'etcd'), 'the cluster does not answer. Try again later.'],
];
for (const [says, error, line] of refusals)
  test(`refused by ${says}: the answer says so`, async () => {
    const { act } = world({ mirrors: { requested: () => Promise.reject(error) } });
    const { message, done } = await act('try');
    assert.equal([message.lines, done], [[line], false]);
    assert.match(message.title, /^Not done: .+, Deployment\/web in shop$/);
  });
test('a database that is away is not an answer', async () => {
  const { act } = world({ failures: { detail: () => Promise.reject(new Error('away')) } });
  await act('try').then(
    () => assert.unreachable(),
    ({ message }: Error) => assert.is(message, 'away'),
  );
});

const record = (id: number, status: string) => ({ id, status, failure_reason: 'Error' });
const RECORDS = [record(1, 'new'), record(2, 'ignored'), record(3, 'investigating'), record(4, 'resolved')];
test('acknowledging changes the records that are new or ignored, resolving all that are not resolved', async () => {
  for (const [action, status, ids, title, lines] of [
    ['acknowledge', 'investigating', [1, 2], 'Ann (ann) acknowledged Deployment/web in shop.', []],
    ['resolve', 'resolved', [1, 2, 3], 'Ann (ann) resolved Deployment/web in shop.', ['If it fails again, it is told again.']],
  ] as const) {
    const { act, asked, sent, audit } = world({ targets: { openRecords: async () => RECORDS } });
    assert.equal(await act(action), { message: { title, lines: [...lines] }, done: true });
    assert.equal(
      asked,
      ids.map((id) => [id, status, NOW]),
    );
    assert.equal(
      sent,
      ids.map((id) => ({ type: 'pod_status_change', data: { id }, namespace: 'shop' })),
    );
    assert.equal(
      audit.map(({ action: what, target, details }) => [what, target, (details as { status: string }).status]),
      [['failure.status', 'shop/web-1', status]],
    );
    const again = world({ targets: { openRecords: async () => [record(3, status)] } });
    const word = action === 'resolve' ? 'resolved' : 'acknowledged';
    assert.equal(await again.act(action), { message: { title: `Deployment/web in shop is ${word} already.`, lines: [] }, done: false });
    assert.equal(again.audit, []);
  }
});

test('ignoring adds a Suppression of the person for one day or seven', async () => {
  for (const [action, seconds] of [
    ['ignore_1d', 86_400],
    ['ignore_7d', 604_800],
  ] as const) {
    const { act, asked, audit } = world();
    const { message, done } = await act(action, { actor: { ...GUEST, person: { ...GUEST.person, name: 'Ann B' } } });
    const [[body, owner]] = asked as [[{ ttl_seconds: number; match: { failure_reasons: string[]; pods: string[] } }, string]];
    assert.equal([body.ttl_seconds, body.match.failure_reasons, owner, done], [seconds, ['CrashLoopBackOff', 'Error'], 'Ann B', true]);
    assert.is(message.title, 'Ann B ignores Deployment/web in shop until 2026-06-02T00:00:00Z.');
    assert.equal(message.lines, [`Suppression api-x: pods ${body.match.pods.join(', ')} with CrashLoopBackOff, Error`]);
    assert.equal(
      audit.map(({ action: what, target }) => [what, target]),
      [['suppression.add', 'api-x']],
    );
  }
});

test('it is ignored already if the same Suppression lasts about as long', async () => {
  const held = async (expires_at: string | null, more: object = {}) => {
    const first = world();
    await first.act('ignore_1d');
    const [[{ match }]] = first.asked as [[{ match: object }]];
    const { nameOf } = await import('../../src/suppressions/policy/exclusion-entries.ts');
    const { matchOf } = await import('../../src/suppressions/policy/suppression-record.ts');
    const one = { name: nameOf(matchOf(match as never)), active: true, expires_at, reason: 'why', ...more };
    const second = world({ suppressions: { list: () => [one], add: async () => ({ name: 'new', expires_at: 'then' }) } });
    const { message, done } = await second.act('ignore_1d');
    return done ? 'added' : `${message.title} ${message.lines.join()}`;
  };
  const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString();
  const [just, short] = [at(DAY_MS - 10 * 60_000), at(DAY_MS - 10 * 60_000 - 1)];
  assert.is(await held(null), 'Deployment/web in shop is ignored already, until it is removed. why');
  assert.is(await held(just), `Deployment/web in shop is ignored already, until ${just}. why`);
  assert.is(await held(short), 'added');
  assert.is(await held(null, { active: false }), 'added');
  assert.is(await held(null, { name: 'another' }), 'added');
});

test('a correction is tried once for a request, and its mirror is named', async () => {
  const { act, asked, audit } = world();
  assert.equal(await act('try'), {
    message: {
      title: 'Ann (ann) tries the correction for Deployment/web in shop on a mirror.',
      lines: ['It sets the image.', 'Mirror try. Its verdict comes into this thread.', 'It is slow.'],
    },
    ...{ done: true, mirrorId: 'm' },
  });
  assert.equal(asked, [[{}, 'chat-5']]);
  const { action, target, details } = audit[0] as { action: string; target: string; details: Record<string, unknown> };
  assert.equal([action, target, details['id'], details['incident'], details['ttl_seconds']], ['mirror.deploy', 'shop/try', 70, 7, 60]);
  const known = world({ mirrors: { requested: async () => ({ ...MIRROR, explanation: '', risks: undefined }) } });
  const { message, mirrorId } = await known.act('try');
  assert.equal([message.lines, mirrorId], [['Mirror try. Its verdict comes into this thread.'], 'm']);
});

test('after a restart, a mirror that has run since is not run again', async () => {
  const tried = async (since: string) => (await world().act('try', { since: new Date(since) })).message.lines[0];
  const RAN = 'Podmend was restarted meanwhile, and a mirror has run since. Ask again if you want another one.';
  assert.is(await tried('2026-05-31T22:59:59Z'), RAN);
  assert.is(await tried('2026-05-31T23:00:00Z'), RAN);
  assert.is(await tried('2026-05-31T23:00:01Z'), 'It sets the image.');
});

for (const action of ['try', 'patch'] as const)
  test(`${action}: a record that is gone is told`, async () => {
    const { act, audit } = world({ failures: { detail: async () => undefined } });
    const { message, done } = await act(action);
    assert.equal([message.lines, done, audit], [['its record is gone.'], false, []]);
  });

test('the patch is shown, and that somebody saw it is noted', async () => {
  const { act, audit } = world();
  const { message, done } = await act('patch');
  assert.equal([message.title, message.link, done], ['Patch for Deployment/web in shop', 'https://p/70', true]);
  assert.equal([audit[0]?.['action'], audit[0]?.['target']], ['mirror.preview', 'shop/web-1']);
});

test('the log of the previous run comes first, then that of the present one, then the reported one', async () => {
  const away = new ClusterUnavailable('away');
  const logsOf = (previous: string | Error, current: string | Error, detail: object | undefined = DETAIL) =>
    world({
      failures: { detail: async () => detail },
      logs: {
        read: async (_wish: object, isPrevious: boolean) => {
          const log = isPrevious ? previous : current;
          if (log instanceof Error) throw log;
          return { logs: log };
        },
      },
    }).act('logs');
  const text = async (...given: Parameters<typeof logsOf>) => (await logsOf(...given)).message.code?.text;
  assert.is(await text('before\n', 'now'), 'before');
  assert.is(await text(' \n', 'now'), 'now');
  assert.is(await text(new Refusal('missing', 'none'), 'password=hunter2'), 'password=***');
  assert.is(await text(away, new KubeError(404, 'NotFound', 'gone')), 'reported');
  const { message, done } = await logsOf(away, away, {});
  assert.equal(
    [message, done],
    [{ title: 'Logs of web-1 in shop, container app', lines: ['There are no logs.'], link: 'https://p/70' }, true],
  );
  await logsOf(new Error('a fault'), '').then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'a fault'),
  );
});

test('the log is of the incident’s container, its last 60 lines, and a cut is told', async () => {
  const { act, asked, audit } = world();
  assert.equal((await act('logs')).message.lines, []);
  assert.equal(asked, [[{ namespace: 'shop', pod_name: 'web-1', container: 'app', tailLines: 60 }, true]]);
  assert.equal([audit[0]?.['action'], audit[0]?.['target']], ['logs.read', 'shop/web-1']);
  const whole = await act('logs', { incident: anIncident({ container: '' }) });
  assert.is(whole.message.title, 'Logs of web-1 in shop');
  assert.is((asked[1] as [{ container: unknown }])[0].container, undefined);
  const long = Array.from({ length: 50 }, (_, n) => `${n} ${'x'.repeat(90)}`).join('\n');
  const { message } = await world({ logs: { read: async () => ({ logs: long }) } }).act('logs');
  assert.match(message.lines.join(), /^The last lines; \d+ before them are cut\.$/);
  assert.ok(message.code?.text.startsWith(`${/\d+/.exec(message.lines.join())?.[0]} `), 'the cut ones are those before the first');
});

test('somebody whose names are the same is named once', async () => {
  const actor = { ...ANN, person: { ...ANN.person, name: 'ann' } };
  assert.is((await world().act('resolve', { actor })).message.title, 'ann resolved Deployment/web in shop.');
});

test.run();
