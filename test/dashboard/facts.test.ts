import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SuppressionRecord } from '../../src/contract/suppression.ts';
import { newPassword } from '../../src/dashboard/admin/new-password.ts';
import { evidenceFacts } from '../../src/dashboard/components/evidence.ts';
import { HIDE_FOR, suppressionOf, USUAL_HIDE_FOR } from '../../src/dashboard/components/suppress.ts';
import { withSigns } from '../../src/dashboard/components/unseen-characters.ts';
import { valueOf } from '../../src/dashboard/components/trial-text.ts';
import { effectOf, lengthOf } from '../../src/dashboard/mirrors/changes.ts';
import { bodyOf, EMPTY, entryKindOf, extended, matchFacts, shownOf } from '../../src/dashboard/suppressions/match.ts';

// How the screens interpret the API's answers, tested without a browser.

const test = suite('facts on the screen');
const NOW = new Date('2026-05-01T10:00:00Z');

const one = (over: Partial<SuppressionRecord> = {}): SuppressionRecord => ({
  name: 'api-suppression-1',
  namespace: 'podmend',
  reason: 'known',
  owner: 'ada',
  ticket: null,
  expires_at: null,
  suspend: false,
  active: true,
  active_reason: 'InEffect',
  matched_failures: 0,
  matched_findings: 0,
  last_matched_at: null,
  match: { pods: ['web-*'] },
  source: 'api',
  created_at: '2026-04-01T10:00:00Z',
  ...over,
});

test('inputs become a body: entries without duplicates, separated by spaces and commas, nothing empty', () => {
  assert.equal(bodyOf({ ...EMPTY, reason: ' why ', days: '', pods: ' a*, b*  a*,\n' }), { reason: 'why', match: { pods: ['a*', 'b*'] } });
  assert.equal(bodyOf({ ...EMPTY, reason: 'why', ticket: ' T-1 ', days: '7', namespaces: 'shop', checks: 'x' }), {
    reason: 'why',
    ticket: 'T-1',
    ttl_seconds: 604_800,
    match: { namespaces: ['shop'], checks: ['x'] },
  });
  assert.equal(bodyOf(EMPTY).match, {});
});

for (const [sentence, record, days, expected] of [
  ['without an end it counts from now', one(), 1, '2026-05-02T10:00:00.000Z'],
  ['from its end if that is in the future', one({ expires_at: '2026-05-03T10:00:00Z' }), 7, '2026-05-10T10:00:00.000Z'],
  ['from now when it has ended', one({ expires_at: '2026-04-03T10:00:00Z' }), 1, '2026-05-02T10:00:00.000Z'],
  ['without days it has no end', one({ expires_at: '2026-05-03T10:00:00Z' }), null, undefined],
] as const)
  test(`an extended Suppression: ${sentence}; all else stays`, () => {
    const { expires_at: until, ...rest } = extended(record, days, NOW);
    assert.is(until, expected);
    assert.equal(rest, { reason: 'known', owner: 'ada', match: { pods: ['web-*'] } });
  });

test('a Suppression of a failure matches only the pods of its workload in its namespace with its reason', () => {
  const failing = {
    namespace: 'shop',
    workload: { kind: 'Deployment', name: 'web' },
    pod_name: 'web-1',
    labels: { app: 'web', 'pod-template-hash': '7d9f8' },
    failure_reason: 'OOMKilled',
  };
  // The label distinguishes its pods from those of `web-api`, and stays the same in the next revision.
  assert.equal(suppressionOf(failing, { why: ' known ', ticket: ' ', seconds: '86400' }, NOW), {
    reason: 'known',
    ttl_seconds: 86_400,
    match: {
      namespaces: ['shop'],
      pods: ['web', 'web-*'],
      label_selector: { match_labels: { app: 'web' } },
      failure_reasons: ['OOMKilled'],
    },
  });
  const alone = (workload: typeof failing.workload | null) =>
    suppressionOf({ ...failing, workload, labels: {} }, { why: 'known', ticket: ' T-1 ', seconds: '1' }, NOW);
  for (const workload of [null, { kind: 'Pod', name: 'web-1' }]) assert.equal(alone(workload).match.pods, ['web-1']);
  assert.equal(alone({ kind: 'Deployment', name: 'web' }).match.pods, ['web', 'web-1'], 'where no label is known, not web-*');
  assert.is(alone(null).ticket, 'T-1');
  assert.ok(HIDE_FOR.some(({ value }) => value === USUAL_HIDE_FOR));
});

test('the list is narrowed to what is in effect, unused, about to end, or without effect', () => {
  const all = [
    one({ name: 'unused' }),
    one({ name: 'used', matched_failures: 2 }),
    one({ name: 'was-used', last_matched_at: '2026-04-30T10:00:00Z' }),
    one({ name: 'soon', expires_at: '2026-05-02T10:00:00Z', matched_findings: 1 }),
    one({ name: 'over', active: false, active_reason: 'Expired', expires_at: '2026-04-02T10:00:00Z' }),
  ];
  const names = (shown: Parameters<typeof shownOf>[1]) =>
    shownOf(all, shown, NOW)
      .map(({ name }) => name)
      .join();
  assert.equal(
    [names('all').split(',').length, names('active'), names('unused'), names('expiring'), names('ended')],
    [5, 'unused,used,was-used,soon', 'unused', 'soon', 'over'],
  );
});

test('a match is shown in words, and an entry of a list is recognised', () => {
  const selector = { match_labels: { app: 'web' }, match_expressions: [{ key: 'tier', operator: 'Exists' as const }] };
  assert.equal(matchFacts({ namespaces: ['a', 'b'], failure_reasons: ['OOMKilled'], label_selector: selector }), [
    'namespaces a, b',
    'reasons OOMKilled',
    'labels app=web, tier Exists',
  ]);
  assert.equal(
    [
      { namespaces: ['a'] },
      { pods: ['a'] },
      { images: ['r/*'], checks: ['untrusted-registry'] },
      { images: ['r/*'] },
      { pods: ['a'], images: ['b'] },
    ].map(entryKindOf),
    ['namespace', 'pod', 'registry', undefined, undefined],
  );
});

test('evidence of any form is shown in words', () => {
  const evidence = {
    readyReplicas: 1,
    has_budget: false,
    containers: ['app', 'db'],
    none: [],
    at: null,
    ports: [
      { name: 'web', port: 80 },
      { name: 'x', port: [1, 2] },
    ],
  };
  assert.equal(evidenceFacts(evidence), [
    ['ready replicas', ['1']],
    ['has budget', ['no']],
    ['containers', ['app, db']],
    ['none', ['none']],
    ['at', ['none']],
    ['ports', ['name web, port 80', 'name x, port 1, 2']],
  ]);
});

test('changes are equal if their effect is, and values and lengths are shortened', () => {
  const change = { path: 'spec.a', from: null, to: 1, why: 'x' };
  assert.is(effectOf([change]), effectOf([{ ...change, why: 'y', from: undefined }]));
  assert.is.not(effectOf([change]), effectOf([{ ...change, to: 2 }]));
  assert.equal([null, undefined, 'a', 1, { b: 2 }].map(valueOf), ['nothing', 'nothing', 'a', '1', '{"b":2}']);
  assert.equal([-5, 0, 59.4, 60, 3_725].map(lengthOf), ['0 s', '0 s', '59 s', '1 min', '62 min 5 s']);
});

test('a new password is long, readable and another each time', () => {
  const all = Array.from({ length: 50 }, newPassword);
  assert.is(new Set(all).size, 50);
  for (const password of all) assert.match(password, /^[a-km-zA-HJ-NP-Z2-9]{5}(-[a-km-zA-HJ-NP-Z2-9]{5}){3}$/);
});

test('all letters of a password are equally likely: bytes beyond the last whole multiple of the alphabet are not used', () => {
  const { getRandomValues } = crypto;
  const bytes = [224, 255, 0, 55, 56, 223, ...Array.from({ length: 20 }, () => 1)];
  crypto.getRandomValues = (into) => ((into as unknown as Uint8Array).set([bytes.shift() ?? 0]), into);
  try {
    assert.is(newPassword(), 'a9a9b-bbbbb-bbbbb-bbbbb');
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
});

test('invisible and direction-changing characters are made visible, and nothing else is changed', () => {
  assert.is(withSigns('image: \u202eevil\u202c # \u2066x\u2069'), 'image: ‹U+202E›evil‹U+202C› # ‹U+2066›x‹U+2069›');
  assert.is(withSigns('web\u200b:1 \ufeff\u00ad\u{e0041}'), 'web‹U+200B›:1 ‹U+FEFF›‹U+00AD›‹U+E0041›');
  assert.is(withSigns('a\u200db \u200c'), 'a‹U+200D›b ‹U+200C›', 'a joiner beside ASCII');
  for (const line of ['', 'می\u200cخواهم', '👩\u200d💻', 'نص عربي', 'שלום', 'e\u0301 — ‹U+202E›', '\t- name: web'])
    assert.is(withSigns(line), line);
});

test.run();
