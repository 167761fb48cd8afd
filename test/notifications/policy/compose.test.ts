import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Severity } from '../../../src/contract/finding.ts';
import { type Composed, composeNotification, sectionsOf } from '../../../src/notifications/policy/compose.ts';
import { findingPath } from '../../../src/notifications/policy/compose-finding.ts';
import type { IncidentView } from '../../../src/notifications/policy/view.ts';
import { T0 } from '../../support/notifications/teller.ts';
import { anIncident } from '../../support/notifications/view.ts';

const compose = (over: Partial<Composed> = {}) =>
  composeNotification({
    ...{ event: 'incident_opened', groupKey: 'incident:x', incidents: [anIncident()], cluster: 'test', baseUrl: 'https://p' },
    ...{ startedAt: T0, now: T0 },
    ...over,
  });
const factsOf = (over: Partial<Composed>) => Object.fromEntries(compose(over).facts.map(({ name, value }) => [name, value]));
const DB = anIncident({ id: 8, owner: 'StatefulSet/db', namespace: 'bank', reason: 'Error', active: 2, open: 2 });
const OVER = { open: 0, active: 0 };
const PLENTY = Array.from({ length: 17 }, (_, id) => anIncident({ id, owner: `Pod/p${id}` }));

test('a message about one incident has all that is known of it', () => {
  const { facts, sections: _1, ...said } = compose();
  assert.equal(said, {
    ...{ title: 'CrashLoopBackOff: Deployment/web in shop', text: 'back-off restarting failed container', news: '', namespace: 'shop' },
    ...{ workload: 'Deployment/web', reason: 'CrashLoopBackOff', cluster: 'test', event: 'incident_opened', link: 'https://p/failures/70' },
    ...{ subject: { incident: 7, record: 70 }, startedAt: T0.toISOString(), at: T0.toISOString() },
  });
  assert.equal(facts, [
    { name: 'Cluster', value: 'test' },
    { name: 'Namespace', value: 'shop' },
    { name: 'Workload', value: 'Deployment/web' },
    { name: 'Container', value: 'app' },
    { name: 'Reason', value: 'CrashLoopBackOff' },
    { name: 'Failing pods', value: '1' },
  ]);
});

test('a message about several names what they have in common, and counts the rest', () => {
  const both = compose({ incidents: [anIncident(), DB] });
  assert.equal(
    [both.title, both.namespace, both.workload, both.reason],
    ['2 incidents with 3 failing pods (incident x)', '2 namespaces', '2 incidents', '2 reasons'],
  );
  assert.is(both.text, 'CrashLoopBackOff: Deployment/web in shop, 1 pods\nError: StatefulSet/db in bank, 2 pods');
  assert.equal([both.link, both.subject, both.sections], ['https://p/', undefined, []]);
  assert.equal(factsOf({ incidents: [anIncident(), DB] }), { Cluster: 'test', 'Failing pods': '3' });
  const same = compose({ incidents: [anIncident(), anIncident({ id: 9, owner: 'Pod/a' })] });
  assert.equal([same.namespace, same.reason], ['shop', 'CrashLoopBackOff']);
});

test('a list has fifteen incidents, and says how many more there are', () => {
  const lines = compose({ incidents: PLENTY }).text.split('\n');
  assert.equal([lines.length, lines.at(-2), lines.at(-1)], [16, 'CrashLoopBackOff: Pod/p14 in shop, 1 pods', 'and 2 more']);
  assert.is(compose({ incidents: PLENTY.slice(0, 15) }).text.split('\n').length, 15);
});

const titles: [says: string, over: Partial<Composed>, title: string][] = [
  ['a cause of many', { groupKey: 'lost node:n1', incidents: [anIncident(), DB] }, 'Node n1 is lost: 3 failing pods in 2 incidents'],
  ['a storm, even of one', { groupKey: 'storm' }, '1 incidents with 1 failing pods (many at once)'],
  ['only those that fail', { incidents: [anIncident(OVER), DB, anIncident({ id: 9 })] }, '2 incidents with 3 failing pods (incident x)'],
  ['the end of one', { event: 'resolved', incidents: [anIncident(OVER)] }, 'Resolved: Deployment/web in shop (CrashLoopBackOff)'],
  ['the end of several', { event: 'resolved', incidents: [anIncident(OVER), anIncident(OVER)] }, 'Resolved: 2 incidents (incident x)'],
  [
    'the end of a cause',
    { event: 'resolved', groupKey: 'lost node:n', incidents: [anIncident(OVER), DB] },
    'Resolved: 2 incidents (Node n is lost)',
  ],
  ['the end of one that was deleted', { event: 'resolved', incidents: [] }, 'An incident is over'],
];
for (const [says, over, title] of titles) test(`the title of ${says}`, () => assert.is(compose(over).title, title));

const verdict = { verdict: 'Fixed', strength: 'Strong', revisions: 1, message: 'It restarted.' };
const alerts = [{ name: 'A', severity: null, summary: '' }];
const minutes = (count: number) => ({ event: 'resolved' as const, now: new Date(T0.getTime() + count * 60_000) });
const news: [over: Partial<Composed>, news: string][] = [
  [{ event: 'verdict', incidents: [anIncident({ verdict })] }, 'A mirror ran the correction. Its verdict: Fixed (strong evidence).'],
  [
    { event: 'verdict', incidents: [anIncident({ verdict: { ...verdict, strength: null } })] },
    'A mirror ran the correction. Its verdict: Fixed.',
  ],
  [{ event: 'verdict' }, 'A mirror has a verdict.'],
  [{ event: 'verdict_revised', incidents: [anIncident({ verdict })] }, 'The verdict was revised: Fixed. It restarted.'],
  [{ event: 'verdict_revised' }, 'A verdict was revised.'],
  [{ event: 'correction' }, 'There is a new explanation or correction.'],
  [{ event: 'alert', incidents: [anIncident({ alerts })] }, 'Alertmanager reports this too: A'],
  [{ event: 'alert' }, 'Alertmanager reports this too.'],
  [{ event: 'incident_updated' }, 'This incident has changed.'],
  [{ event: 'incident_updated', incidents: [anIncident(OVER), DB] }, 'Update: 1 of 2 incidents are over.'],
  [minutes(0), 'Everything has recovered or been deleted, after less than a minute.'],
  [minutes(1), 'Everything has recovered or been deleted, after 1 min.'],
  [minutes(119), 'Everything has recovered or been deleted, after 119 min.'],
  [minutes(120), 'Everything has recovered or been deleted, after 2 h.'],
];
for (const [over, said] of news) test(`news of ${over.event}: ${said}`, () => assert.is(compose(over).news, said));

test('the end has neither text nor sections nor buttons, but a link', () => {
  const { text, sections, subject, link } = compose({ event: 'resolved', incidents: [anIncident(OVER)] });
  assert.equal([text, sections, subject, link], ['', [], undefined, 'https://p/failures/70']);
});

test('without a record, the link is that of the dashboard; without an address, there is none', () => {
  const none = compose({ incidents: [anIncident({ recordId: null })] });
  assert.equal([none.link, none.subject], ['https://p/', undefined]);
  assert.is(compose({ baseUrl: null }).link, null);
});

test('facts name the alerts of all incidents, and the verdict of a single one', () => {
  const one = anIncident({ alerts, verdict: { ...verdict, strength: null } });
  assert.equal([factsOf({ incidents: [one] })['Alerts'], factsOf({ incidents: [one] })['Verdict of the mirror']], ['A', 'Fixed']);
  const group = factsOf({ incidents: [one, { ...DB, alerts: [{ ...alerts[0]!, name: 'B' }] }] });
  assert.equal([group['Alerts'], group['Verdict of the mirror']], ['A, B', undefined]);
});

test('the sections that matter are shown, without Markdown; else the first four', () => {
  const part = (title: string) => `## ${title}\n\nUse **\`x\`**.\n\n\`\`\`yaml\na: b\n\`\`\`\n`;
  const titled = (...given: string[]) => sectionsOf(given.map(part).join('\n')).map(({ title }) => title);
  assert.equal(titled('Evidence', 'What changed', 'What happened', 'What to do', 'Correction', 'Other'), [
    ...['What changed', 'What happened', 'What to do', 'Correction'],
  ]);
  for (const verb of ['corrects', 'is known to correct'])
    assert.equal(titled(`No change to the manifest ${verb} this`, 'A'), [`No change to the manifest ${verb} this`]);
  assert.equal(titled('A', 'B', 'C', 'D', 'E'), ['A', 'B', 'C', 'D']);
  assert.equal(sectionsOf(`Intro\n${part('What to do')}`), [{ title: 'What to do', text: 'Use x.\n\na: b' }]);
  assert.equal([sectionsOf(null), sectionsOf('')], [[], []]);
});

const finding = (severity: Severity, over: Partial<IncidentView> = {}): IncidentView =>
  anIncident({
    ...{ reason: 'privileged', owner: 'Pod/web-1', message: 'it may leave', finding: { severity, remediation: 'Do not.' } },
    ...over,
  });
const KEY = 'finding resource:shop/Pod/web-1 2026-03-02';
const found = (incidents: IncidentView[], over: Partial<Composed> = {}) => compose({ event: 'finding', groupKey: KEY, incidents, ...over });

test('a message about one finding says what it is and what to do', () => {
  const { facts, sections, ...said } = found([finding('high')]);
  assert.equal(
    [said.title, said.text, said.news, said.reason],
    ['Security: privileged (high): Pod/web-1 in shop', 'it may leave', 'This is new.', 'privileged'],
  );
  assert.equal([said.namespace, said.workload, said.link], ['shop', 'Pod/web-1', 'https://p/security?q=web-1']);
  assert.equal(
    facts.map(({ name, value }) => `${name}=${value}`),
    ['Cluster=test', 'Namespace=shop', 'Resource=Pod/web-1', 'Container=app', 'Severity=high'],
  );
  assert.equal(sections, [{ title: 'What to do', text: 'Do not.' }]);
  assert.equal(found([finding('high', { finding: { severity: 'high', remediation: '' } })]).sections, []);
  assert.is(found([finding('high')], { baseUrl: null }).link, null);
});

test('several findings of a resource are listed with their containers, the worst first', () => {
  const said = found([finding('low', { reason: 'b', container: '' }), finding('critical', { reason: 'a' })]);
  assert.is(said.title, 'Security: 2 findings (critical): Pod/web-1 in shop');
  assert.is(said.text, 'critical a (app): it may leave\nlow b: it may leave');
  assert.ok(said.facts.some(({ name, value }) => name === 'Highest severity' && value === 'critical'));
  assert.equal(said.sections, []);
});

test('findings of several resources are listed with these, at most fifteen', () => {
  const both = found([finding('low'), finding('low', { owner: 'Pod/db', namespace: 'bank', container: 'x' })]);
  assert.equal(
    [both.title, both.namespace, both.workload],
    ['Security: 2 findings (low): 2 resources', 'several namespaces', 'several resources'],
  );
  assert.is(both.text, 'low privileged: Pod/web-1 in shop\nlow privileged: Pod/db in bank');
  assert.is(both.link, 'https://p/security');
  assert.equal(
    both.facts.map(({ name }) => name),
    ['Cluster', 'Highest severity'],
  );
  const many = found(
    PLENTY.map((one) => ({ ...one, finding: { severity: 'low', remediation: '' } })),
    { groupKey: 'finding storm:2026-03-02' },
  );
  assert.match(many.title, /: many at once$/);
  assert.equal([many.text.split('\n').length, many.text.split('\n').at(-1)], [16, 'and 2 more']);
});

test('findings that are gone are counted in an update; the end names what it was about', () => {
  const gone = finding('high', { ...OVER, reason: 'gone' });
  const update = found([finding('low'), gone], { event: 'incident_updated' });
  assert.equal(
    [update.news, update.title],
    ['Update: 1 of 2 findings are no longer found.', 'Security: privileged (low): Pod/web-1 in shop'],
  );
  const end = found([gone], { event: 'resolved' });
  assert.equal([end.title, end.text, end.sections], ['Resolved: gone: Pod/web-1 in shop', '', []]);
  assert.is(end.news, 'This is no longer found, or the resource has been deleted.');
  assert.is(found([], { event: 'resolved' }).title, 'Resolved: all findings: deleted resources');
});

test('texts about findings are masked', () => {
  const secret = 'password=hunter2hunter2';
  const one = finding('high', { message: secret, finding: { severity: 'high', remediation: secret }, container: secret });
  assert.not.match(JSON.stringify(found([one])), 'hunter2');
});

test('the path of a finding names its resource, in the form of a query', () => {
  assert.is(findingPath([finding('low', { owner: 'ClusterRole/system:a b/c' })]), '/security?q=system%3Aa%20b%2Fc');
  assert.is(findingPath([]), '/security');
});

test.run();
