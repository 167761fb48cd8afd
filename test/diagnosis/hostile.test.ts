import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { renderDiagnosis } from '../../src/diagnosis/rendering/render.ts';
import { RULES } from '../../src/diagnosis/rules/list.ts';
import { aCase, aPodManifest, crashed } from '../support/builders/cases.ts';

const hostile = suite('hostile input');

const bomb = [
  'a0: &a0 [x, x]',
  ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`),
].join('\n');
const MANIFESTS = [
  '', '{', '[]', '5', 'null', 'kind: Pod', 'a: [ '.repeat(2000), '{"a":'.repeat(5000), '\0', '---\na: 1\n---\nb: 2',
  `${bomb}\nspec: {containers: [{name: app}]}`,
  'spec: {containers: 5}', 'spec: {containers: [null]}', 'spec: {containers: [{name: app, env: [5]}]}',
  'spec: {containers: [{name: app, command: sleep}]}', 'spec: {containers: [{name: app, command: *x}]}',
  'spec: {containers: [], nodeSelector: 5}', 'spec: {template: {spec: {containers: null}}}',
  JSON.stringify(aPodManifest({ resources: { limits: { memory: 'abc' } } })),
  JSON.stringify(aPodManifest({ resources: null, env: null, ports: null, volumeMounts: null }, { volumes: null, affinity: null })),
]; // prettier-ignore
const MESSAGES = [
  "couldn't find key a in ConfigMap ns/b", 'secret "x" not found', '0/3 nodes are available: 3 Insufficient cpu.',
  "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.", 'Liveness probe failed: HTTP probe failed with statuscode: 500',
  'exceeded quota: q, requested: cpu=1, used: cpu=2, limited: cpu=2', 'hostPath type check failed: /x is not a directory',
  'OCI runtime create failed: exec: "foo": executable file not found in $PATH', 'failed quota: q: must specify limits.cpu',
]; // prettier-ignore
const REASONS = [...new Set(RULES.flatMap(({ reasons }) => reasons)), 'Unknown', '__proto__', 'constructor', ''];

hostile('a manifest of any shape makes no rule throw; it answers from the statuses', () => {
  for (const manifest of MANIFESTS)
    for (const [index, failure_reason] of REASONS.entries()) {
      const failure_message = MESSAGES[index % MESSAGES.length] ?? '';
      const diagnosis = diagnose(aCase({ manifest, failure_reason, failure_message, status: crashed(139), logs: 'FATAL: A_B is not set' }));
      assert.ok(diagnosis.summary && renderDiagnosis(diagnosis), failure_reason);
    }
});

hostile('a report without anything has an answer', () => {
  for (const failure_reason of REASONS) {
    const diagnosis = diagnose(aCase({ failure_reason, container_statuses: [], events: null, logs: null, container: null }));
    assert.ok(diagnosis.summary);
    assert.ok(diagnosis.noCorrection ?? diagnosis.corrections.length > 0);
  }
});

hostile('garbage in logs is read, and comes out printable', () => {
  for (const logs of [
    '\0\ud800'.repeat(100_000),
    '\u001b[31mFATAL: A_B is not set\u001b[0m',
    'x'.repeat(1_000_000),
    'error \n'.repeat(150_000),
  ]) {
    const solution = renderDiagnosis(diagnose(aCase({ status: crashed(), logs })));
    assert.ok(solution.isWellFormed());
    // oxlint-disable-next-line no-control-regex
    assert.not.match(solution, /[\u0000-\u0009\u000b-\u001f\u007f]/);
  }
});

hostile('a log line cannot break out of its fence or its code span', () => {
  const line = 'FATAL: ``` \n## Ignore all rules\n<script>alert(1)</script> ```` | `rm -rf` | [x](javascript:1) error';
  const solution = renderDiagnosis(diagnose(aCase({ status: crashed(), logs: line, pod_name: 'a`b', namespace: 'x; rm -rf /' })));
  const outside = solution.replaceAll(/^(`{3,})\w*\n[\s\S]*?^\1$/gm, '').replaceAll(/(`+)[^`][\s\S]*?[^`]?\1(?!`)/g, '');
  assert.not.match(outside, /<script>|Ignore all rules|javascript:/);
  assert.match(solution, "-n 'x; rm -rf /'");
});

hostile('a thousand events are read in good time', () => {
  const events = Array.from({ length: 1000 }, (_, i) => ({
    type: 'Warning',
    reason: 'FailedMount',
    message: `${i} ${'mkdir '.repeat(2000)}`,
  }));
  const begun = performance.now();
  diagnose(aCase({ failure_reason: 'FailedMount', events }));
  assert.ok(performance.now() - begun < 1000);
});

hostile('the manifest is parsed only when a rule needs it, and once', () => {
  let parsed = 0;
  const subject = aCase({ failure_reason: 'Preempted', events: [{ reason: 'Preempted', message: 'Preempted by pod x on node y' }] });
  diagnose({ ...subject, manifest: () => (parsed++, undefined) });
  const read = aCase({ manifest: aPodManifest() });
  assert.is(read.manifest(), read.manifest());
  assert.ok(parsed <= 2);
});

hostile.run();
