import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type AskDeps, asking } from '../../src/chat/which-incident.ts';
import type { IncidentView } from '../../src/notifications/policy/view.ts';
import { anIncident } from '../support/notifications/view.ts';

const SLACK = { provider: 'team', place: { chat: 'slack' as const, channel: 'C', thread: 'T' }, isAction: false };
const TEAMS = { ...SLACK, place: { chat: 'teams' as const } as never };
const DIAGNOSIS = { summary: 'It crashes.', culprit: null, advice: [], no_correction: null, preview: { candidates: [] }, changed: null };

/** Questions about these incidents; `ids` are what a lookup of each kind finds. */
function world(views: IncidentView[], ids: Partial<Record<'named' | 'thread' | 'last' | 'record', number[]>> = {}) {
  const asked: unknown[][] = [];
  const targets = {
    isShown: async (id: number) => id !== 13,
    ofRecord: async (...given: unknown[]) => (asked.push(['record', ...given]), ids.record?.[0]),
    named: async (...given: unknown[]) => (asked.push(['named', ...given]), ids.named ?? []),
    ofThread: async (...given: unknown[]) => (asked.push(['thread', ...given]), ids.thread ?? []),
    lastIn: async (...given: unknown[]) => (asked.push(['last', ...given]), ids.last?.[0]),
    failing: async (...given: unknown[]) => (asked.push(['failing', ...given]), { ids: [2, 9, 1], total: 40 }),
  };
  const deps = {
    failures: { detail: async (...given: unknown[]) => (asked.push(['detail', ...given]), {}) },
    targets,
    incidents: async (some: number[]) => views.filter(({ id }) => some.includes(id)),
    explain: async () => DIAGNOSIS,
    links: (record: number | null) => (record === null ? 'https://p/' : `https://p/${record}`),
  } as unknown as AskDeps;
  return { ask: asking(deps), asked };
}
const found = async (...[target, where, ...given]: [...Parameters<ReturnType<typeof asking>['find']>, ...Parameters<typeof world>]) => {
  const { ask, asked } = world(...given);
  const answer = await ask.find(target, where);
  return {
    said: 'incident' in answer ? answer.incident.id : answer.message.title,
    lines: 'message' in answer ? answer.message.lines : [],
    asked,
  };
};
const [ONE, TWO, OVER] = [anIncident({ id: 1 }), anIncident({ id: 2, recordId: 71, owner: 'Pod/db' }), anIncident({ id: 3, open: 0 })];
const name = (more = {}) => ({ kind: 'name' as const, name: 'web', ...more });

test('a name is looked up in its namespace, exactly for an action', async () => {
  const question = await found(name(), SLACK, [ONE], { named: [1] });
  assert.equal([question.said, question.asked], [1, [['named', 'web', null, false]]]);
  const action = await found(name({ namespace: 'shop' }), { ...SLACK, isAction: true }, [ONE], { named: [1] });
  assert.equal(action.asked, [['named', 'web', 'shop', true]]);
});

test('of several that fail, one must be named; those that are over do not count while one fails', async () => {
  const several = await found(name(), SLACK, [ONE, TWO, OVER], { named: [1, 2, 3] });
  assert.is(several.said, 'Several incidents could be meant by web. Name one by its number.');
  assert.equal(several.lines, ['#70 CrashLoopBackOff: Deployment/web in shop\n#71 CrashLoopBackOff: Pod/db in shop']);
  assert.is((await found(name(), SLACK, [OVER, TWO], { named: [3, 2] })).said, 2);
  const ended = [OVER, anIncident({ id: 4, open: 0 })];
  assert.is((await found(name(), SLACK, ended, { named: [3, 4] })).said, 3, 'the newest of those that are over');
  assert.is(
    (await found({ kind: 'thread' }, SLACK, [ONE, TWO], { thread: [1, 2] })).said,
    'Several incidents could be meant by this. Name one by its number.',
  );
});

test('a button names its incident, if that is shown; a number a record', async () => {
  assert.is((await found({ kind: 'incident', incident: 1, record: 70 }, SLACK, [ONE])).said, 1);
  assert.is(
    (await found({ kind: 'incident', incident: 13, record: 70 }, SLACK, [anIncident({ id: 13 })])).said,
    'There is no such failure any more.',
  );
  const byNumber = await found({ kind: 'record', id: 70 }, SLACK, [ONE], { record: [1] });
  assert.equal([byNumber.said, byNumber.asked], [1, [['record', 70]]]);
  assert.is((await found({ kind: 'record', id: 99 }, SLACK, [ONE])).said, 'There is no such failure any more.');
});

test('in a thread, what it is about, or else what was asked last; Teams has no threads', async () => {
  const told = await found({ kind: 'thread' }, SLACK, [ONE, TWO], { thread: [1], last: [2] });
  assert.equal([told.said, told.asked], [1, [['thread', 'team', 'T']]]);
  const last = await found({ kind: 'thread' }, SLACK, [ONE, TWO], { last: [2] });
  assert.equal([last.said, last.asked.at(-1)], [2, ['last', 'team', 'T']]);
  const none = 'Which one? Name a workload, a pod, or the number of a failure.';
  assert.is((await found({ kind: 'thread' }, SLACK, [ONE])).said, none);
  const teams = await found({ kind: 'thread' }, TEAMS, [ONE], { thread: [1] });
  assert.equal([teams.said, teams.asked], [none, []]);
});

test('a name that nothing has is told, with its namespace', async () => {
  assert.is((await found(name(), SLACK, [])).said, 'Nothing called web fails, as far as Podmend sees.');
  assert.is((await found(name({ namespace: 'shop' }), SLACK, [])).said, 'Nothing called web in shop fails, as far as Podmend sees.');
});

test('why and what changed are answered from the record; an incident that is over says so', async () => {
  const { ask, asked } = world([]);
  assert.is((await ask.why(ONE)).title, 'CrashLoopBackOff: Deployment/web in shop');
  assert.is((await ask.why(OVER)).title, 'Over: CrashLoopBackOff: Deployment/web in shop');
  assert.is((await ask.changed(ONE)).title, 'What changed: Deployment/web in shop');
  assert.equal(asked, [
    ['detail', 70],
    ['detail', 70],
    ['detail', 70],
  ]);
});

test('without a record nothing is known any more', async () => {
  const nothing = { title: 'Nothing is known of Deployment/web any more.', lines: [] };
  const { ask } = world([]);
  const gone = asking({ failures: { detail: async () => undefined } } as unknown as AskDeps);
  const none = anIncident({ recordId: null });
  for (const answer of [gone.why(ONE), gone.changed(ONE), ask.why(none), ask.changed(none)]) assert.equal(await answer, nothing);
});

test('what fails is listed in the order of the lookup, at most fifteen, with the number of all', async () => {
  const { ask, asked } = world([ONE, TWO]);
  const { title, lines } = await ask.failing('shop');
  assert.is(title, '40 incidents in shop');
  assert.match(lines.join(), /^#71 .*\n#70 .*\nand 38 more$/);
  assert.equal(asked, [['failing', 'shop', 15]]);
});

test.run();
