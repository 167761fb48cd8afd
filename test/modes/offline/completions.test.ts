import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runCompletion } from '../../../src/modes/completion.ts';
import { MODES } from '../../../src/modes/index.ts';
import { kindOfWord, matching, type Offer, offerFor } from '../../../src/modes/offline/completions.ts';

const ROWS: [what: string, typed: string, offer: Offer | ((offer: Offer) => boolean)][] = [
  ['the modes first', '', (offer) => 'words' in offer && offer.words.includes('why') && !offer.words.includes('--help')],
  ['nothing for an unknown mode', 'wy ', { words: [] }],
  ['names of anything for why', 'why pay', { names: { prefix: '' } }],
  ['names of a kind behind its word', 'why deploy/pay', { names: { kind: 'Deployment', prefix: 'deploy/' } }],
  ['names of a kind as a word of its own', 'why sts pay', { names: { kind: 'StatefulSet', prefix: '' } }],
  ['names without a kind after an unknown kind', 'why thing/pay', { names: { prefix: '' } }],
  ['namespaces behind -n', 'why x -n sh', { namespaces: true }],
  ['contexts', 'why x --context ', { contexts: true }],
  ['files', 'diagnose -f ', { files: true }],
  ['files for a kubeconfig', 'why --kubeconfig ', { files: true }],
  ['files for a baseline', 'scan --baseline ', { files: true }],
  ['namespaces behind --namespace', 'why --namespace ', { namespaces: true }],
  ['namespaces for Suppressions', 'scan --operator-namespace ', { namespaces: true }],
  [
    'the modes and the options of all',
    '-',
    (offer) => 'words' in offer && ['why', '--help', '--version'].every((one) => offer.words.includes(one)),
  ],
  ['nothing for the name of an object’s property', 'constructor ', { words: [] }],
  ['names behind a name with a slash', 'why deploy/a/b', { names: { kind: 'Deployment', prefix: 'deploy/' } }],
  ['the first words without options', 'user ', { words: ['add', 'password'] }],
  ['the values of an option by its short name', 'why x -o ', { words: ['text', 'json', 'yaml', 'patch'] }],
  [
    'the values of an option by its long name',
    'scan --output ',
    (offer) => 'words' in offer && ['table', 'json', 'sarif'].every((one) => offer.words.includes(one)),
  ],
  [
    'the options of the mode',
    'why --',
    (offer) => 'words' in offer && ['--all', '--namespace', '-n', '--help'].every((one) => offer.words.includes(one)),
  ],
  ['the first words of a mode', 'access ', { words: ['who-can', 'rights', 'paths'] }],
  ['the shells', 'completion ', { words: ['bash', 'zsh', 'fish', 'words'] }],
  ['nothing after words that take no more', 'user add ann ', { words: [] }],
];

for (const [what, typed, offer] of ROWS)
  test(`${JSON.stringify(typed)} offers ${what}`, () => {
    const found = offerFor(typed.split(' '), MODES);
    if (typeof offer === 'function') assert.ok(offer(found), JSON.stringify(found));
    else assert.equal(found, offer);
  });

test('the contexts of all files that KUBECONFIG names are offered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'podmend-contexts-'));
  const files = ['shop', 'bank'].map((name) => {
    const file = join(folder, name);
    writeFileSync(file, `{contexts: [{name: ${name}}, {name: ${name}-test}]}`);
    return file;
  });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = { KUBECONFIG: [join(folder, 'gone'), ...files].join(delimiter) };
  const code = await runCompletion(['words', '--', 'why', 'x', '--context', ''], { stdin: new PassThrough(), stdout, stderr, env });
  rmSync(folder, { recursive: true });
  assert.equal([code, String(stdout.read())], [0, 'shop\nshop-test\nbank\nbank-test\n:4\n']);
});

const KINDS: [kind: string, words: string[]][] = [
  ['Pod', ['pod', 'pods', 'po', 'PO']],
  ['Deployment', ['deployment', 'deployments', 'deploy', 'Deployment']],
  ['ReplicaSet', ['replicaset', 'replicasets', 'rs']],
  ['StatefulSet', ['statefulset', 'statefulsets', 'sts']],
  ['DaemonSet', ['daemonset', 'daemonsets', 'ds']],
  ['Job', ['job', 'jobs']],
];
for (const [kind, words] of KINDS) test(`words for ${kind}`, () => words.forEach((word) => assert.is(kindOfWord(word), kind, word)));
test('other words are no kinds', () => ['svc', 'podx', '', 'constructor'].forEach((word) => assert.is(kindOfWord(word), undefined, word)));

test('at most five similar names are offered, and a name that comes twice once', () => {
  assert.equal(matching('web', ['web', 'web', 'web-1']), ['web', 'web-1']);
  assert.ok(matching('paymet', ['payment', 'payments', 'paymeta', 'paymetb', 'paymetc', 'payme', 'paymt']).length <= 5);
});

test('similar names are offered when none begins with what is typed', () => {
  assert.equal(matching('pay', ['payments', 'pay-later', 'web']), ['payments', 'pay-later']);
  assert.equal(matching('paymets', ['payments', 'web']), ['payments']);
  assert.equal(matching('zzz', ['payments', 'web']), []);
});

test.run();
