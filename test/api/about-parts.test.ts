import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { aboutParts, type Installation } from '../../src/api/about-parts.ts';

const test = suite('about');

const agent = (node: string, over = {}) => ({ node, live: true, dropped: 0, spooled: 0, ...over });
const WELL: Installation = {
  hasDatabase: true,
  hasCluster: true,
  mirrorsEnabled: true,
  agents: [agent('node-1')],
  model: { configured: true, provider: 'anthropic', model: 'm', problem: null, heldBack: null },
  hasScanner: true,
  unreadable: [],
  providers: 1,
};

test('where nothing is missing, nothing is to be mended', () => {
  const parts = aboutParts(WELL);
  assert.equal(
    parts.map(({ id, state, mend }) => `${id} ${state} ${mend}`),
    ['database', 'cluster', 'agents', 'mirrors', 'model', 'advice', 'scanner', 'notifications'].map((id) => `${id} ok null`),
  );
});

const none = { configured: false, provider: null, model: null, problem: null, heldBack: null };
for (const [sentence, over, id, state, says] of [
  ['a database that is away', { hasDatabase: false }, 'database', 'down', /does not answer/],
  ['a cluster that is away', { hasCluster: false }, 'cluster', 'down', /does not answer/],
  ['no agent at all', { agents: [] }, 'agents', 'down', /No agent/],
  ['a silent agent', { agents: [agent('a'), agent('b', { live: false })] }, 'agents', 'degraded', /1 of 2 are silent: b\./],
  [
    'many silent agents are counted',
    { agents: ['a', 'b', 'c', 'd', 'e'].map((node) => agent(node, { live: false })) },
    'agents',
    'degraded',
    /5 of 5 are silent: a, b, c and 2 more/,
  ],
  ['an agent that lost reports', { agents: [agent('a', { dropped: 3 })] }, 'agents', 'degraded', /lost.*: a\./],
  ['mirrors switched off', { mirrorsEnabled: false }, 'mirrors', 'off', /switched off/],
  ['no model', { model: none }, 'model', 'off', /rules explain/],
  ['a model that cannot be used', { model: { ...none, problem: 'The key cannot be read.' } }, 'model', 'down', /The key cannot be read/],
  ['a model that is held back', { model: { ...WELL.model!, heldBack: 'breaker' } }, 'model', 'degraded', /m of anthropic .*breaker/],
  ['kinds that may not be read', { unreadable: ['ResourceQuota'] }, 'advice', 'degraded', /ResourceQuota/],
  ['no scanner', { hasScanner: false }, 'scanner', 'off', /None was heard/],
  ['no provider', { providers: 0 }, 'notifications', 'off', /Nobody is told/],
  ['what cannot be known', { agents: undefined }, 'agents', 'degraded', /cannot be known/],
] as [string, Partial<Installation>, string, string, RegExp][]) {
  test(`${sentence}: ${id} is ${state}, with what to do`, () => {
    const parts = aboutParts({ ...WELL, ...over });
    const found = parts.find((part) => part.id === id);
    assert.is(found?.state, state);
    assert.match(found?.says ?? '', says);
    assert.ok(found?.mend, 'says how to mend it');
    assert.is(parts.filter((part) => part.state !== 'ok').length, 1, 'and nothing else is touched');
  });
}

const TEXTS: [over: Partial<Installation>, id: string, says: string][] = [
  [{}, 'database', 'It answers.'],
  [{}, 'cluster', 'It answers.'],
  [{}, 'agents', 'The agent of one node reports.'],
  [{ agents: [agent('a'), agent('b')] }, 'agents', 'The agents of 2 nodes report.'],
  [
    { agents: ['a', 'b', 'c', 'd'].map((node) => agent(node, { live: node === 'a' })) },
    'agents',
    '3 of 4 are silent: b, c, d. The operator watches these nodes itself.',
  ],
  [{ agents: [agent('a', { spooled: 5 })] }, 'agents', 'The agent of one node reports.'],
  [{}, 'mirrors', 'They are allowed.'],
  [{}, 'model', 'm of anthropic is asked.'],
  [{ model: undefined }, 'model', 'This cannot be known now.'],
  [{}, 'advice', 'The detectors read all that they need.'],
  [{ unreadable: ['A', 'B'] }, 'advice', 'Some detectors are off, because these may not be read somewhere: A, B.'],
  [{ unreadable: undefined }, 'advice', 'This cannot be known now.'],
  [{}, 'scanner', 'It was heard within the last 90 seconds.'],
  [{ hasScanner: undefined }, 'scanner', 'This cannot be known now.'],
  [{}, 'notifications', 'One provider is set up.'],
  [{ providers: 3 }, 'notifications', '3 providers are set up.'],
  [{ providers: undefined }, 'notifications', 'This cannot be known now.'],
];
for (const [over, id, says] of TEXTS)
  test(`${id}: ${says}`, () => assert.is(aboutParts({ ...WELL, ...over }).find((part) => part.id === id)?.says, says));

test('each part has its name', () => {
  assert.equal(
    aboutParts(WELL).map(({ name }) => name),
    ['Database', 'Kubernetes API', 'Agents', 'Mirrors', 'Language model', 'Advice', 'Security scanner', 'Notifications'],
  );
});

test.run();
