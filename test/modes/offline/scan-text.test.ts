import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import packageJson from '../../../package.json' with { type: 'json' };
import type { CheckTexts } from '../../../src/checks/check.ts';
import { CHECKS } from '../../../src/checks/list.ts';
import { SEVERITIES, type Severity } from '../../../src/contract/finding.ts';
import { asJson, keyOf, type PlacedFinding, summaryOf } from '../../../src/modes/offline/judge-manifests.ts';
import { asPolicies } from '../../../src/modes/offline/policies-text.ts';
import { asSarif } from '../../../src/modes/offline/sarif.ts';
import { asJunit, asTable } from '../../../src/modes/offline/scan-text.ts';

const test = suite('findings of a scan as text');

type Over = Partial<Omit<PlacedFinding, 'details'>> & { details?: Partial<PlacedFinding['details']> };
const aFinding = ({ details, ...over }: Over = {}): PlacedFinding => ({
  resource_type: 'Deployment',
  resource_name: 'web',
  namespace: 'shop',
  check_name: 'privileged',
  severity: 'critical',
  message: 'Container app is privileged',
  remediation: 'Set privileged to false.',
  file: './charts/a b.yaml',
  line: 7,
  ...over,
  details: {
    title: 'Privileged',
    rationale: 'It may do everything.',
    container: 'app',
    field_paths: ['spec.template.spec.containers[0].securityContext.privileged', 'spec'],
    frameworks: {},
    references: [],
    ...details,
  },
});
const fix = (path: string, to: unknown) => ({ path, from: null, to, why: '' });
const FINDINGS: PlacedFinding[] = [
  aFinding({ details: { fix: [fix('spec.a', false), fix('spec.b', null), fix('spec.c', ['x'])] } }),
  aFinding({ check_name: 'host-path', severity: 'high', message: 'Volume data\nis a folder', details: { container: undefined as never } }),
  aFinding({ resource_name: 'api', check_name: 'image-digest', severity: 'low', line: 9 }),
];

test('the table: a block for each object, a line for each finding with its place, its cures, and the sums', () => {
  assert.is(
    asTable(FINDINGS),
    `# Deployment shop/web
  critical  privileged    Container app is privileged (./charts/a b.yaml:7)
            → spec.a: false
            → spec.b: remove it
            → spec.c: ["x"]
  high      host-path     Volume data is a folder (./charts/a b.yaml:7)
            → Set privileged to false.

# Deployment shop/api
  low       image-digest  Container app is privileged (./charts/a b.yaml:9)
            → Set privileged to false.

1 critical, 1 high, 1 low
`,
  );
  assert.is(asTable([]), 'Nothing found.\n');
});

test('the table: findings of one object stand together; names cannot forge lines; a long cure is cut', () => {
  const text = asTable([FINDINGS[0], FINDINGS[2], FINDINGS[1]].map((one) => one as PlacedFinding));
  assert.equal(text.match(/^# .*$/gm), ['# Deployment shop/web', '# Deployment shop/api']);
  const odd = asTable([aFinding({ resource_name: 'a\n# b', file: 'c\nd', remediation: 'x'.repeat(1_000) })]).split('\n');
  assert.is(odd.length, 6);
  assert.ok((odd[2]?.length ?? 0) < 320, odd[2]);
});

test('JUnit: a test case for each finding, named for the object, the check and the container', () => {
  assert.is(
    asJunit([aFinding({ message: `a < b & "c" 'd' > e\u0007` }), FINDINGS[1] as PlacedFinding]),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="2" failures="2">
  <testsuite name="podmend scan" tests="2" failures="2">
    <testcase classname="Deployment/shop/web" name="privileged (app)" file="./charts/a b.yaml" line="7">
      <failure type="critical" message="a &lt; b &amp; &quot;c&quot; &apos;d&apos; &gt; e">Set privileged to false.</failure>
    </testcase>
    <testcase classname="Deployment/shop/web" name="host-path" file="./charts/a b.yaml" line="7">
      <failure type="high" message="Volume data
is a folder">Set privileged to false.</failure>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
  assert.match(asJunit([]), '<testsuites tests="0" failures="0">');
  assert.match(asJunit([aFinding({ message: 'a\ud800b\tc' })]), 'message="a\ufffdb\tc"');
});

test('JSON: the version, the findings, and how many of each severity', () => {
  const { version, findings, summary } = JSON.parse(asJson(FINDINGS));
  assert.equal([version, findings], [packageJson.version, JSON.parse(JSON.stringify(FINDINGS))]);
  assert.equal(summary, { critical: 1, high: 1, medium: 0, low: 1, info: 0 });
  assert.equal(Object.keys(summaryOf([])), [...SEVERITIES]);
  assert.ok(asJson([]).endsWith('}\n'));
});

test('a finding stays the same if its file or line changes, and is another one for another object, check or container', () => {
  const key = keyOf(aFinding());
  assert.is(keyOf(aFinding({ file: 'b.yaml', line: 1, severity: 'low', message: 'x' })), key);
  const others = [
    { resource_type: 'Job' },
    { namespace: 'b' },
    { resource_name: 'b' },
    { check_name: 'b' },
    { details: { container: 'b' } },
  ].map((over) => keyOf(aFinding(over)));
  assert.is(new Set([key, ...others]).size, 6);
});

const sarif = (findings: PlacedFinding[]) => JSON.parse(asSarif(findings)).runs[0];

test('SARIF: each result names its rule, its place and what it is about', () => {
  const { version, $schema } = JSON.parse(asSarif([]));
  assert.equal([version, $schema], ['2.1.0', 'https://json.schemastore.org/sarif-2.1.0.json']);
  const { tool, columnKind, results } = sarif([...FINDINGS, aFinding({ namespace: 'bank' })]);
  const { rules, ...driver } = tool.driver;
  assert.equal(driver, { name: 'podmend', version: packageJson.version, semanticVersion: packageJson.version });
  assert.is(columnKind, 'utf16CodeUnits');
  assert.equal(
    rules.map(({ id, name }: { id: string; name: string }) => [id, name]),
    [
      ['host-path', 'HostPath'],
      ['image-digest', 'ImageDigest'],
      ['privileged', 'Privileged'],
    ],
  );
  assert.equal(
    results.map(({ ruleId, ruleIndex }: { ruleId: string; ruleIndex: number }) => `${ruleId} ${ruleIndex}`),
    ['privileged 2', 'host-path 0', 'image-digest 1', 'privileged 2'],
  );
  const [{ partialFingerprints, ...first }] = results;
  assert.equal(first, {
    ruleId: 'privileged',
    ruleIndex: 2,
    level: 'error',
    message: { text: 'Deployment shop/web: Container app is privileged' },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: 'charts/a%20b.yaml' }, region: { startLine: 7 } },
        logicalLocations: [{ fullyQualifiedName: 'spec.template.spec.containers[0].securityContext.privileged', kind: 'resource' }],
      },
    ],
  });
  const print = (finding: PlacedFinding) => sarif([finding]).results[0].partialFingerprints['podmendFinding/v1'];
  assert.is(print(aFinding({ line: 80 })), partialFingerprints['podmendFinding/v1'], 'it moved in its file');
  assert.is.not(print(aFinding({ file: 'other.yaml' })), print(aFinding()));
  assert.is.not(results[3].partialFingerprints['podmendFinding/v1'], print(aFinding()), 'another namespace');
});

test('SARIF: severities are levels and scores', () => {
  const levels = SEVERITIES.map((severity) => sarif([aFinding({ severity })]).results[0].level);
  assert.equal(levels, ['error', 'error', 'warning', 'note', 'note']);
  const scores: Record<Severity, [string, string]> = {
    critical: ['error', '9.5'],
    high: ['error', '8.0'],
    medium: ['warning', '5.5'],
    low: ['note', '3.0'],
    info: ['note', '0.5'],
  };
  const { rules } = sarif(CHECKS.map(({ id }) => aFinding({ check_name: id }))).tool.driver;
  for (const rule of rules) {
    const check = CHECKS.find(({ id }) => id === rule.id) as CheckTexts;
    const { pod_security: level, nsa = [], cis = [], mitre = [] } = check.frameworks;
    assert.equal([rule.defaultConfiguration.level, rule.properties['security-severity']], scores[check.severity], check.id);
    assert.equal(
      [rule.shortDescription.text, rule.fullDescription.text, rule.help.text, rule.helpUri, rule.properties.precision],
      [check.title, check.rationale, [check.remediation, '', ...check.references].join('\n'), check.references[0], 'high'],
    );
    const tags = [...(level ? [`pod-security/${level}`] : []), ...nsa.map((one) => `nsa/${one}`), ...cis.map((one) => `cis/${one}`)];
    assert.equal(rule.properties.tags, ['security', ...tags, ...mitre.map((one) => `mitre/${one}`)]);
  }
});

const FILES: [file: string, uri: string][] = [
  ['a.yaml', 'a.yaml'],
  ['./a.yaml', 'a.yaml'],
  ['charts\\web\\a.yaml', 'charts/web/a.yaml'],
  ['a#b?c/d.yaml', 'a%23b%3Fc/d.yaml'],
  ['/srv/a b.yaml', 'file:///srv/a%20b.yaml'],
];
for (const [file, uri] of FILES)
  test(`SARIF: the file ${file}`, () =>
    assert.is(sarif([aFinding({ file })]).results[0].locations[0].physicalLocation.artifactLocation.uri, uri));

test('policies: comments first, then a policy and its binding for each check', () => {
  const chosen = CHECKS.filter(({ id }) => ['privileged', 'host-path', 'network-policy'].includes(id));
  const text = asPolicies(chosen, { minor: Infinity, trustedRegistries: [] });
  assert.match(text, /^# No policy for network-policy: .*\.\napiVersion: /);
  assert.equal(
    text.match(/^kind: .*$/gm),
    ['Policy', 'PolicyBinding', 'Policy', 'PolicyBinding'].map((kind) => `kind: ValidatingAdmission${kind}`),
  );
  assert.is(text.split('\n---\n').length, 4);
  assert.throws(() => asPolicies([], { minor: Infinity, trustedRegistries: [] }), /^no policy can be printed \(no check is chosen\)$/);
});

test.run();
