import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideThread, toldOf } from '../../../src/notifications/policy/decide.ts';
import { planProvider } from '../../../src/notifications/policy/plan.ts';
import type { IncidentView, Thread } from '../../../src/notifications/policy/view.ts';
import { T0 } from '../../support/notifications/teller.ts';
import { anIncident } from '../../support/notifications/view.ts';

const alert = (name: string) => ({ name, severity: null, summary: '' });
const verdict = (word: string, revisions = 0) => ({ verdict: word, strength: null, revisions, message: '' });

test('what was told is the same in any order of the incidents', () => {
  const one = anIncident({ id: 10, active: 2, reason: 'B', solution: 's1', alerts: [alert('y'), alert('x')] });
  const two = anIncident({ id: 9, active: 3, reason: 'A', solution: 's2', alerts: [alert('x')] });
  const told = toldOf([one, two]);
  assert.equal(
    { ...told, solution: '' },
    { incidents: [9, 10], pods: 5, reasons: ['A', 'B'], solution: '', verdict: '', revisions: 0, alerts: ['x', 'y'] },
  );
  assert.equal(toldOf([two, one]), told);
  assert.match(told.solution, /^[0-9a-f]{16}$/);
  assert.is(toldOf([anIncident({ solution: null }), anIncident({ solution: '' })]).solution, '');
});

test('it has the verdicts with their revisions, and the worst severity of findings', () => {
  const { verdict: words, revisions } = toldOf([
    anIncident({ verdict: verdict('Fixed', 1) }),
    anIncident({ verdict: verdict('StillFailing', 2) }),
  ]);
  assert.equal([words, revisions], ['Fixed,StillFailing', 3]);
  const finding = (severity: 'low' | 'high') => anIncident({ finding: { severity, remediation: '' } });
  assert.is(toldOf([finding('low'), finding('high')]).severity, 'high');
});

const OPEN: Thread = {
  status: 'open',
  createdAt: T0,
  notBefore: null,
  openedAt: T0,
  lastSentAt: T0,
  resolvedAt: null,
  told: null,
  samples: [],
};
const sent = (
  before: IncidentView[],
  now: IncidentView[],
  over: { seconds?: number; canUpdate?: boolean; grouping?: object; events?: string[] } = {},
) => {
  const { seconds = 60, canUpdate = true, grouping, events } = over;
  const spec = { ...(grouping && { grouping }), ...(events && { filter: { events } }) } as never;
  const thread = { ...OPEN, told: toldOf(before) };
  const decision = decideThread({ spec, thread, incidents: now, canUpdate, isStorm: false, now: new Date(T0.getTime() + seconds * 1000) });
  return decision.send ?? (decision.dueAt ? `due in ${(decision.dueAt.getTime() - T0.getTime()) / 1000}` : 'silence');
};
const A = anIncident();

const news: [says: string, given: string, expected: string][] = [
  ['the same', sent([A], [A]), 'silence'],
  ['more pods', sent([A], [{ ...A, active: 2 }]), 'incident_updated'],
  ['a further incident', sent([A], [A, { ...A, id: 8 }]), 'incident_updated'],
  ['another reason', sent([A], [{ ...A, reason: 'Error' }]), 'incident_updated'],
  ['another solution', sent([A], [{ ...A, solution: 'new' }]), 'correction'],
  ['a solution that is gone', sent([A], [{ ...A, solution: null }]), 'silence'],
  ['a verdict', sent([A], [{ ...A, verdict: verdict('Fixed') }]), 'verdict'],
  ['a verdict that is more important than pods', sent([A], [{ ...A, active: 2, verdict: verdict('Fixed') }]), 'verdict'],
  ['a verdict that nobody wants', sent([A], [{ ...A, verdict: verdict('Fixed') }], { events: ['incident_opened'] }), 'silence'],
  ['a revised verdict', sent([{ ...A, verdict: verdict('Fixed') }], [{ ...A, verdict: verdict('StillFailing', 1) }]), 'verdict_revised'],
  ['a new alert', sent([A], [{ ...A, alerts: [alert('x')] }]), 'alert'],
  ['an alert that ends', sent([{ ...A, alerts: [alert('x')] }], [A]), 'silence'],
  ['within half a minute', sent([A], [{ ...A, active: 2 }], { seconds: 29 }), 'due in 30'],
  ['at half a minute', sent([A], [{ ...A, active: 2 }], { seconds: 30 }), 'incident_updated'],
  ['within an interval of its own', sent([A], [{ ...A, active: 2 }], { grouping: { intervalSeconds: 300 } }), 'due in 300'],
  ['a service that cannot update', sent([A], [{ ...A, active: 2 }], { canUpdate: false }), 'silence'],
  ['a reminder that is not due', sent([A], [A], { grouping: { repeatSeconds: 3_600 } }), 'due in 3600'],
  ['a reminder', sent([A], [A], { seconds: 3_600, canUpdate: false, grouping: { repeatSeconds: 3_600 } }), 'incident_updated'],
  ['the end', sent([A], [{ ...A, open: 0, active: 0 }], { seconds: 1, canUpdate: false }), 'resolved'],
  ['the end that nobody wants', sent([A], [{ ...A, open: 0, active: 0 }], { events: ['incident_opened'] }), 'silence'],
];
for (const [says, given, expected] of news) test(`an open thread, ${says}: ${expected}`, () => assert.is(given, expected));

test('of many openings at once, those of a common cause come before the summary', () => {
  const single = Array.from({ length: 20 }, (_, id) => anIncident({ id: id + 1, owner: `Pod/p${id}` }));
  const lost = anIncident({ id: 99, reason: 'NodeLost' });
  const changed = [...single, lost];
  const planned = planProvider({
    ...{ spec: {}, canUpdate: true, held: [], openings: [], endedAt: new Map(), now: T0, changed: changed.map(({ id }) => id) },
    incidents: new Map(changed.map((one) => [one.id, one])),
  });
  const opened = planned.filter(({ send }) => send).map(({ groupKey }) => groupKey);
  assert.equal([opened[0], opened.at(-1), opened.length], ['lost node:node-1', 'storm', 21]);
  assert.equal(planned.at(-1)?.incidents, [20], 'the last one is in the summary');
});

test.run();
