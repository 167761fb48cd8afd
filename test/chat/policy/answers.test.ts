import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changedMessage,
  failingMessage,
  patchMessage,
  subjectOf,
  trialNews,
  whichMessage,
  whyMessage,
} from '../../../src/chat/policy/answers.ts';
import type { FailureDiagnosis } from '../../../src/contract/diagnosis.ts';
import type { IncidentView } from '../../../src/notifications/policy/view.ts';

const test = suite('answers in chats');

const incident = (over: Partial<IncidentView> = {}): IncidentView => ({
  ...{ id: 3, cluster: 'test', namespace: 'shop', owner: 'Deployment/web', container: 'app', family: 'crash', open: 2, active: 2 },
  ...{ occurrences: 5, recordId: 12, pod: 'web-1', node: null, labels: {}, reason: 'CrashLoopBackOff', message: '', solution: null },
  ...{ verdict: null, openedAt: new Date(0), alerts: [] },
  ...over,
});
const alert = (name: string) => ({ name, severity: null, summary: '' });
const best = { title: 'Use `web:1`', explanation: '**The** tag exists.', confidence: 'likely', diff: '-a\n+b', owner_patch: null };
const diagnosis = (over: object = {}, candidates: object[] = [best]): FailureDiagnosis =>
  ({
    ...{ summary: 'Image `web:9` is **not** there.', culprit: '`web:9`', advice: ['Look at `web`.', 'Then **wait**.'] },
    ...{ no_correction: null, preview: { candidates }, changed: null, ...over },
  }) as unknown as FailureDiagnosis;
const links = (record: number | null): string => `https://p/${record ?? ''}`;
const NONE = { why: 'The `node` is full.', where_to_look: '`kubectl get nodes`' };

test('why: the summary, what to do and the correction, without the marks of Markdown', () => {
  assert.equal(whyMessage(incident(), diagnosis(), links), {
    title: 'CrashLoopBackOff: Deployment/web in shop',
    lines: [
      'Image web:9 is not there. Culprit: web:9.',
      'What to do: Look at web. Then wait.',
      'Correction (likely): Use web:1. The tag exists.',
    ],
    link: 'https://p/12',
    subject: { incident: 3, record: 12 },
  });
});

test('why: what is not known is not said', () => {
  const { lines } = whyMessage(incident(), diagnosis({ culprit: null, advice: [] }, []), links);
  assert.equal(lines, ['Image web:9 is not there.']);
});

test('why: that nothing corrects it is only said where there is no correction', () => {
  const said = (candidates: object[]) => whyMessage(incident(), diagnosis({ no_correction: NONE }, candidates), links).lines.join('\n');
  assert.match(said([]), 'No change of the manifest corrects this: The node is full. Look at kubectl get nodes.');
  assert.not.match(said([best]), 'No change');
});

test('why: the verdict with its strength, and at most three alerts', () => {
  const verdict = { verdict: 'Fixed', strength: 'Strong', revisions: 0, message: '' };
  const alerts = ['a', 'b', 'c', 'd'].map(alert);
  const lines = whyMessage(incident({ verdict, alerts }), diagnosis(), links).lines.slice(-2);
  assert.is(lines[0], 'A mirror tried a correction: Fixed (strong evidence).');
  assert.match(lines[1] ?? '', /^Alertmanager says: a.*b.*c[^d]*$/);
  const weak = whyMessage(incident({ verdict: { ...verdict, strength: null } }), diagnosis(), links).lines.at(-1);
  assert.is(weak, 'A mirror tried a correction: Fixed.');
});

test('buttons are for an incident that still fails and has a record', () => {
  assert.equal(subjectOf(incident()), { subject: { incident: 3, record: 12 } });
  assert.equal([subjectOf(incident({ open: 0 })), subjectOf(incident({ recordId: null }))], [{}, {}]);
});

test('what changed: the lines, or that nothing is known', () => {
  const changed = { since: 'Since revision `4`', lines: ['image: `web:8` → `web:9`', 'env A'] };
  assert.equal(changedMessage(incident(), diagnosis({ changed }), links).lines, ['Since revision 4:', '• image: web:8 → web:9\n• env A']);
  assert.match(changedMessage(incident(), diagnosis(), links).lines.join(), 'No change of the manifest is known');
});

test('what fails: one line each, at most fifteen, and how many more', () => {
  const many = Array.from({ length: 20 }, (_, n) => incident({ recordId: n, open: n === 0 ? 1 : 2 }));
  const { title, lines, link } = failingMessage(null, many, { total: 40, links });
  const [list = ''] = lines;
  assert.is(title, '40 incidents in all namespaces');
  assert.is(list.split('\n')[0], '#0 CrashLoopBackOff: Deployment/web in shop, 1 pod');
  assert.equal(list.split('\n').slice(-2), ['#14 CrashLoopBackOff: Deployment/web in shop, 2 pods', 'and 25 more']);
  assert.is(link, 'https://p/');
  const one = failingMessage('shop', [incident({ recordId: null })], { total: 1, links });
  assert.equal([one.title, one.lines], ['1 incident in shop', ['#? CrashLoopBackOff: Deployment/web, 2 pods']]);
  assert.equal(failingMessage('shop', [], { total: 0, links }), { title: 'Nothing fails in shop, as far as Podmend sees.', lines: [] });
});

test('which one: each by its number', () => {
  const { title, lines } = whichMessage([incident(), incident({ recordId: null, namespace: 'bank' })], 'web');
  assert.match(title, 'by web');
  assert.equal(lines, ['#12 CrashLoopBackOff: Deployment/web in shop\n#? CrashLoopBackOff: Deployment/web in bank']);
});

const patch = (command: string, note = '') => ({ ...best, owner_patch: { command, note } });
test('the patch: a command that fits is given whole, a longer one not at all', () => {
  const lines = (candidate: object) => patchMessage(incident(), diagnosis({}, [candidate]), links).lines;
  const [what] = lines(best);
  assert.equal(lines(best), ['Use web:1 (likely). The tag exists.']);
  assert.equal(lines(patch('kubectl patch', 'It restarts.')), [what, 'To apply it: kubectl patch', 'It restarts.']);
  assert.is(lines(patch('x'.repeat(1500))).length, 2);
  assert.is(lines(patch('x'.repeat(1501))).length, 1);
  assert.match(
    patchMessage(incident(), diagnosis({ no_correction: NONE }, []), links).lines.join(),
    'There is no patch. The node is full.',
  );
  assert.match(patchMessage(incident(), diagnosis({}, []), links).lines.join(), 'No field of the manifest is known to be wrong.');
  const long = patchMessage(incident(), diagnosis({}, [{ ...best, diff: '+a\n'.repeat(2000) }]), links);
  assert.match(long.lines.at(-1) ?? '', /^\d+ more lines are in the dashboard\.$/);
});

const trial = (over: object = {}) =>
  ({ verdict: 'Fixed', strength: 'Strong', revisions: [], final: false, evidence: null, ...over }) as never;
const TOLD = { verdict: null, revisions: 0, final: false };
const REVISION = { from: 'Fixed', reason: 'Crashed', message: 'it ended' };
test('news of a trial: a verdict, a revision of a verdict that was told, or none', () => {
  assert.is(trialNews(trial({ verdict: null }), TOLD), null);
  assert.is(trialNews(trial(), { ...TOLD, verdict: 'Fixed' }), null);
  assert.equal(trialNews(trial(), TOLD), { title: 'Verdict of the mirror: Fixed (strong evidence)', lines: [] });
  const revised = trial({ verdict: 'StillFailing', revisions: [REVISION] });
  assert.equal(trialNews(revised, { ...TOLD, verdict: 'Fixed' }), {
    title: 'The verdict was revised: Fixed → StillFailing (strong evidence)',
    lines: ['Crashed: it ended'],
  });
  assert.is(trialNews(revised, { verdict: 'StillFailing', revisions: 1, final: false }), null);
  assert.match(trialNews(revised, TOLD)?.title ?? '', /^Verdict of the mirror: StillFailing/);
  const evidence = { window_seconds: 60, window_reason: 'two runs', restarts: 1, weaknesses: ['No traffic.'] };
  assert.equal(trialNews(trial({ evidence }), TOLD)?.lines, ['Observed for 60 s (two runs), 1 restarts.', 'It cannot know: No traffic.']);
});

test.run();
