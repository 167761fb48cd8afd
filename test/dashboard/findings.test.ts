import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/contract/finding.ts';
import { SEVERITIES, SEVERITY_NAMES, TONES } from '../../src/dashboard/components/severity.ts';
import { factsOf, isIn, valueText } from '../../src/dashboard/security/facts.ts';
import { type Filters, filtersOf, isFiltered, matches, toggled } from '../../src/dashboard/security/filters.ts';
import { type Entry, type GroupOptions, type Line, linesOf, rowWith } from '../../src/dashboard/security/group.ts';
import { reachesOf } from '../../src/dashboard/security/suppress.ts';
import { seeing, storedVisit, visitAt } from '../../src/dashboard/security/visit.ts';

// The logic of the screen Security, tested without a browser.

const aFinding = (changes: Partial<Finding> = {}): Finding => ({
  id: 1,
  cluster: 'default',
  resource_type: 'Deployment',
  resource_name: 'web',
  namespace: 'shop',
  check_name: 'privileged',
  source: 'podmend',
  severity: 'high',
  message: 'Container app is privileged.',
  remediation: 'Remove it.',
  details: { title: 'Privileged container', container: 'app' },
  status: 'open',
  first_seen: '2026-05-01T10:00:00.000Z',
  last_seen: '2026-05-01T10:00:00.000Z',
  timestamp: '2026-05-01T10:00:00.000Z',
  resolved_at: null,
  suppressed_by: null,
  ...changes,
});

const filters = suite('filters of findings');
const usual: Filters = {
  status: '',
  severities: ['critical', 'high', 'medium', 'low'],
  check: '',
  framework: '',
  q: '',
  isNew: false,
  by: 'workload',
  hasKube: false,
};
for (const [sentence, search, expected] of [
  ['an empty address shows all open findings except info', {}, {}],
  ['nonsense counts as absent', { status: 'toString', severity: 'grave', framework: '__proto__', by: 'x', new: '1', kube: 'maybe' }, {}],
  ['severities are sorted, without duplicates', { severity: 'info,critical,info' }, { severities: ['critical', 'info'] }],
  [
    'everything is read',
    { status: 'dismissed', check: 'privileged', framework: 'cis', q: ' web ', new: 'yes', by: 'check', kube: 'yes' },
    {
      status: 'dismissed',
      check: 'privileged',
      framework: 'cis',
      q: 'web',
      isNew: true,
      by: 'check',
      hasKube: true,
    },
  ],
] as [string, Record<string, string>, Partial<Filters>][])
  filters(sentence, () => assert.equal(filtersOf(search), { ...usual, ...expected }));

for (const [sentence, severities, one, expected] of [
  ['info is added to the usual ones', usual.severities, 'info', 'critical,high,medium,low,info'],
  ['one of the usual ones is taken away', usual.severities, 'low', 'critical,high,medium'],
  ['the usual ones are no part of the address', ['critical', 'high', 'medium'], 'low', undefined],
  ['without any, the usual ones are shown', ['critical'], 'critical', undefined],
] as [string, Filters['severities'], 'low', string | undefined][])
  filters(sentence, () => assert.is(toggled(severities, one), expected));

for (const [sentence, finding, wish, since, expected] of [
  ['a finding passes without filters', {}, {}, null, true],
  ['info does not pass', { severity: 'info' }, {}, null, false],
  ['another check does not', {}, { check: 'host-path' }, null, false],
  ['words of resource and message pass, in any order and case', {}, { q: 'PRIVILEGED web' }, null, true],
  ['each word must be there', {}, { q: 'web bank' }, null, false],
  ['the title is searched', { message: '' }, { q: 'container' }, null, true],
  ['findings since the last visit are new', { id: 8 }, { isNew: true }, 7, true],
  ['older ones are not', { id: 7 }, { isNew: true }, 7, false],
  ['on the first visit all is new', { id: 7 }, { isNew: true }, null, true],
] as [string, Partial<Finding>, Partial<Filters>, number | null, boolean][])
  filters(sentence, () => assert.is(matches(aFinding(finding), { ...usual, ...wish }, since), expected));

filters('an empty address filters nothing, a word does', () => {
  assert.is(isFiltered(filtersOf({ status: 'dismissed' })), false);
  assert.is(isFiltered(filtersOf({ q: 'web' })), true);
  assert.is(isFiltered(filtersOf({ severity: 'high' })), true);
});

for (const [framework, details, expected] of [
  ['baseline', { frameworks: { pod_security: 'baseline' } }, true],
  ['baseline', { frameworks: { pod_security: 'restricted' } }, false],
  ['restricted', { frameworks: { pod_security: 'baseline' } }, true],
  ['cis', { frameworks: { cis: ['5.2.2'] } }, true],
  ['cis', { frameworks: { cis: [] } }, false],
  ['mitre', { frameworks: 'T1611' }, false],
  ['nsa', {}, false],
] as const)
  filters(`${JSON.stringify(details)} is ${expected ? '' : 'not '}in ${framework}`, () =>
    assert.is(isIn(framework, { details }), expected),
  );
filters.run();

const severities = suite('severities');
severities('the most severe comes first, and each has its name and its tone', () => {
  assert.equal(
    SEVERITIES.map((one) => `${one} ${SEVERITY_NAMES[one]} ${TONES[one]}`),
    ['critical Critical bad', 'high High bad', 'medium Medium unsure', 'low Low plain', 'info Info plain'],
  );
});
severities.run();

const facts = suite('facts of a finding');
const noFacts = {
  title: 'privileged',
  container: undefined,
  fields: [],
  rationale: '',
  references: [],
  frameworks: [],
  enforcedBy: [],
  mayBeRefusedBy: [],
  changes: [],
  others: [],
};
for (const [sentence, details, expected] of [
  ['details of another scanner may be empty', {}, {}],
  [
    'garbage is left out',
    {
      title: 7,
      container: null,
      field_paths: [1, 'a'],
      frameworks: [],
      references: ['javascript:alert(1)', 'https://k8s.io'],
      fix: [null, { path: 3 }],
    },
    { fields: ['a'], references: ['https://k8s.io'] },
  ],
  [
    'an unknown value is shown as it is',
    { cvss_score: 9.8, installedVersion: '1.2' },
    {
      others: [
        ['cvss score', ['9.8']],
        ['installed version', ['1.2']],
      ],
    },
  ],
  [
    'one or several policies may enforce it',
    { enforced_by: 'Pod Security', may_be_refused_by: ['a', 'b'] },
    { enforcedBy: ['Pod Security'], mayBeRefusedBy: ['a', 'b'] },
  ],
  [
    'frameworks are named',
    { frameworks: { pod_security: 'baseline', cis: ['5.2.2', '5.2.3'], nsa: [] } },
    { frameworks: ['Pod Security baseline', 'CIS Benchmark 5.2.2, 5.2.3'] },
  ],
  ['a change without an old value adds', { fix: [{ path: 'spec.a', to: true }] }, { changes: [{ path: 'spec.a', from: null, to: true }] }],
] as [string, Record<string, unknown>, object][])
  facts(sentence, () => assert.equal(factsOf({ check_name: 'privileged', details }), { ...noFacts, ...expected }));
for (const [frameworks, expected] of [
  [{ pod_security: 'baseline' }, ['baseline', 'restricted']],
  [{ pod_security: 'restricted' }, ['restricted']],
  [{ pod_security: 'privileged', cis: [] }, []],
  [{ nsa: ['a'], cis: ['5'], mitre: ['T1'] }, ['nsa', 'cis', 'mitre']],
  ['baseline', []],
] as const)
  facts(`${JSON.stringify(frameworks)} belongs to ${expected.join(', ') || 'no framework'}`, () =>
    assert.equal(
      (['baseline', 'restricted', 'nsa', 'cis', 'mitre'] as const).filter((one) => isIn(one, { details: { frameworks } })),
      [...expected],
    ),
  );
for (const [value, expected] of [
  [null, 'not set'],
  [false, 'false'],
  ['ALL', 'ALL'],
  [{ drop: ['ALL'] }, '{"drop":["ALL"]}'],
] as const)
  facts(`${JSON.stringify(value)} is shown as ${expected}`, () => assert.is(valueText(value), expected));
facts.run();

const groups = suite('groups of findings');
const options: GroupOptions = { by: 'workload', foldsKube: true, hasKube: false, opened: new Map(), usual: () => true };
const entry = (changes: Partial<Finding>, state: Entry['state'] = 'here'): Entry => ({ finding: aFinding(changes), state });
/** The lines as texts. */
const seen = (lines: readonly Line[]): string[] =>
  lines.map((line) => {
    if (line.kind === 'kube') return `kube-* ${line.size}`;
    if (line.kind === 'row') return `- ${line.severity} ${line.entries.map(({ finding: { id } }) => id).join('+')}`;
    const counts = Object.entries(line.counts).filter(([, count]) => count > 0);
    return `${line.isOpen ? 'v' : '>'} ${line.name} (${line.where}) ${counts.map(([name, count]) => `${count} ${name}`).join(', ')}`;
  });

groups('workloads are sorted by their worst finding, with a row for each check', () => {
  const entries = [
    entry({ id: 1, resource_name: 'mild', severity: 'low' }),
    entry({ id: 2 }),
    entry({ id: 3, check_name: 'host-path', severity: 'critical' }),
    entry({ id: 4, details: { container: 'sidecar' } }),
    entry({ id: 5, namespace: 'bank' }),
  ];
  assert.equal(seen(linesOf(entries, options)), [
    'v web (shop) 1 critical, 2 high',
    '- critical 3',
    '- high 2+4',
    'v web (bank) 1 high',
    '- high 5',
    'v mild (shop) 1 low',
    '- low 1',
  ]);
});

groups('grouped by check, there is a row for each workload', () => {
  const entries = [
    entry({ id: 1 }),
    entry({ id: 2, resource_name: 'api' }),
    entry({ id: 3, check_name: 'host-path', severity: 'low', details: {} }),
  ];
  assert.equal(seen(linesOf(entries, { ...options, by: 'check' })), [
    'v Privileged container (privileged) 2 high',
    '- high 2',
    '- high 1',
    'v host-path (host-path) 1 low',
    '- low 3',
  ]);
});

groups('findings in kube-* are folded into their own line', () => {
  const entries = [entry({ id: 1, namespace: 'kube-system' }), entry({ id: 2, namespace: 'kube-public' }), entry({ id: 3 })];
  assert.equal(seen(linesOf(entries, options)), ['v web (shop) 1 high', '- high 3', 'kube-* 2']);
  assert.is(linesOf(entries, { ...options, hasKube: true }).length, 7);
  assert.is(linesOf(entries, { ...options, foldsKube: false }).filter(({ kind }) => kind === 'group').length, 3);
});

groups('a check above and below the line of kube-* is opened apart', () => {
  const entries = [entry({ id: 1 }), entry({ id: 2, namespace: 'kube-system' })];
  const keys = linesOf(entries, { ...options, by: 'check', hasKube: true }).map(({ key }) => key);
  assert.is(new Set(keys).size, keys.length, keys.join());
  assert.is(keys.length, 5);
});

groups('a group is open if somebody opened it, by default, or if it contains the open finding', () => {
  const entries = [entry({ id: 1 }), entry({ id: 2, resource_name: 'mild', severity: 'low' })];
  const some: GroupOptions = { ...options, usual: (worst) => worst === 'high' };
  const open = (changes: Partial<GroupOptions>) => seen(linesOf(entries, { ...some, ...changes })).filter((line) => line.startsWith('v'));
  const [web, mild] = ['v web (shop) 1 high', 'v mild (shop) 1 low'];
  assert.equal(open({}), [web]);
  assert.equal(open({ shown: 2 }), [web, mild]);
  assert.equal(open({ shown: 2, opened: new Map([['workload:Deployment/shop/mild', false]]) }), [web]);
  assert.equal(open({ opened: new Map([['workload:Deployment/shop/web', false]]) }), []);
});

groups('dismissing findings moves nothing else', () => {
  const entries = [
    entry({ id: 1, severity: 'critical' }, 'done'),
    entry({ id: 2, severity: 'low', check_name: 'host-path' }),
    entry({ id: 3, resource_name: 'api' }),
  ];
  assert.equal(seen(linesOf(entries, options)), ['v web (shop) 1 low', '- low 2', 'v api (shop) 1 high', '- high 3']);
});

groups('a finding that left the list keeps its place and is not counted', () => {
  assert.equal(seen(linesOf([entry({ id: 1 }, 'gone')], options)), ['v web (shop) ', '- high 1']);
});

groups('a group without open findings is gone', () => assert.equal(linesOf([entry({}, 'done')], options), []));

groups('the row of a finding is found by each of its containers', () => {
  const lines = linesOf([entry({ id: 1 }), entry({ id: 2 })], options);
  assert.is(rowWith(lines, 2), rowWith(lines, 1));
  assert.is(rowWith(lines, 9), undefined);
});
groups.run();

const visits = suite('visits');
const MINUTE = 60_000;
visits('the first visit has no earlier one, and the next visit knows what it saw', () => {
  const first = seeing(visitAt(undefined, 0), [3, 9, 4], MINUTE);
  assert.equal(first, { since: null, seen: 9, at: MINUTE });
  assert.equal(visitAt(first, 20 * MINUTE), { since: null, seen: 9, at: 20 * MINUTE });
  assert.equal(visitAt(first, 40 * MINUTE), { since: 9, seen: 9, at: 40 * MINUTE });
});
visits('a clock that was set back begins another visit', () => assert.is(visitAt({ since: 1, seen: 5, at: 100 }, 50).since, 5));
visits('what is seen never shrinks', () => assert.is(seeing({ since: null, seen: 9, at: 0 }, [], 1).seen, 9));
for (const text of [null, '', 'x', '[]', 'null', '{"since":1}', '{"since":"1","seen":2,"at":3}'])
  visits(`${String(text)} is no visit`, () => assert.is(storedVisit(text), undefined));
visits('a visit is read as it was stored', () =>
  assert.equal(storedVisit(JSON.stringify({ since: null, seen: 2, at: 3 })), { since: null, seen: 2, at: 3 }),
);
visits.run();

const reaches = suite('how far a Suppression of a finding reaches');
for (const [sentence, finding, expected] of [
  ['a pod is named', { resource_type: 'Pod', resource_name: 'web-1' }, { pods: ['web-1'] }],
  [
    'a workload is known by the labels of its pods that its next version has too',
    { details: { labels: { app: 'web', n: 3, 'helm.sh/chart': 'web-1.0', version: '7' } } },
    { label_selector: { match_labels: { app: 'web' } } },
  ],
] as [string, Partial<Finding>, object][])
  reaches(sentence, () =>
    assert.equal(reachesOf(aFinding(finding))[0]?.match, { namespaces: ['shop'], checks: ['privileged'], ...expected }),
  );
for (const labels of [[], {}, { version: '7' }])
  reaches(`without a name, and with labels ${JSON.stringify(labels)}, it matches the namespace, and then everything`, () =>
    assert.equal(
      reachesOf(aFinding({ details: { labels } })).map(({ match }) => match),
      [{ namespaces: ['shop'], checks: ['privileged'] }, { checks: ['privileged'] }],
    ),
  );
reaches.run();
