import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec } from '../../../src/crd/kubernetes.ts';
import { diagnose, type Diagnosis } from '../../../src/diagnosis/diagnose.ts';
import { applyChanges } from '../../../src/crd/field-path.ts';
import { renderDiagnosis } from '../../../src/diagnosis/rendering/render.ts';
import { revisionsOf } from '../../../src/diagnosis/changes/revisions.ts';
import { aCase, type CaseParts, crashed } from '../../support/builders/cases.ts';
import { aDeployment } from '../../support/builders/revisions.ts';

const changed = suite('what changed');

const spec = (container: Partial<Container>, more: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'app', image: 'web:1', ...container }],
  ...more,
});
const podOf = (pod: PodSpec, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', labels },
  spec: pod,
});

/** The diagnosis of a failing pod of revision 2, after revision 1. */
function after(before: PodSpec, now: PodSpec, { ready = 1, ...parts }: CaseParts & { ready?: number } = {}): Diagnosis {
  const { workload, history } = aDeployment([
    { number: 1, spec: before, ready, replicas: ready },
    { number: 2, spec: now },
  ]);
  const revisions = revisionsOf(workload, history);
  return diagnose(
    aCase({
      status: crashed(),
      manifest: podOf(now),
      ...parts,
      surroundings: { ...parts.surroundings, ...(revisions ? { revisions } : {}) },
    }),
  );
}

const goBack = ({ corrections }: Diagnosis) => corrections.find(({ title }) => /^(?:Go back to|Set it as in) revision /.test(title));
const undone = (diagnosis: Diagnosis) => goBack(diagnosis)?.changes.map(({ path, from, to }) => [path, from, to]);

changed('the answer begins with the difference', () => {
  const text = renderDiagnosis(after(spec({}), spec({ image: 'web:2' })));
  assert.match(
    text,
    /^## What changed\n\nDeployment `web` changed since revision 1, of which a pod still works:\n\n- `image` of container `app`: `web:1` → `web:2`\n\n## What happened/,
  );
});

changed('each difference goes back alone: image, command, variables, resources, probes', () => {
  const before = spec({
    command: ['serve'],
    env: [
      { name: 'MODE', value: 'a' },
      { name: 'OLD', value: '1' },
    ],
    resources: { limits: { memory: '256Mi', cpu: '1' } },
    readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5 },
  });
  const now = spec({
    image: 'web:2',
    command: ['server'],
    env: [
      { name: 'NEW', value: '1' },
      { name: 'MODE', value: 'b' },
    ],
    resources: { limits: { memory: '64Mi', cpu: '1' } },
    readinessProbe: { httpGet: { path: '/ready', port: 9090 }, periodSeconds: 5 },
  });
  const diagnosis = after(before, now);
  const at = 'spec.containers[0]';
  assert.equal(undone(diagnosis), [
    [`${at}.image`, 'web:2', 'web:1'],
    [`${at}.command[0]`, 'server', 'serve'],
    [`${at}.env[1].value`, 'b', 'a'],
    [`${at}.resources.limits.memory`, '64Mi', '256Mi'],
    [`${at}.readinessProbe.httpGet.port`, 9090, 8080],
    [`${at}.env[2]`, null, { name: 'OLD', value: '1' }],
    [`${at}.env[0]`, { name: 'NEW', value: '1' }, null],
  ]);
  assert.equal(applyChanges(podOf(now), goBack(diagnosis)!.changes).spec, before);
});

changed('when the image cannot be pulled, only the image goes back, ahead of a guessed tag', () => {
  const diagnosis = after(spec({}), spec({ image: 'web:9', args: ['-v'] }), {
    failure_reason: 'ImagePullBackOff',
    status: { image: 'web:9', state: 'waiting', reason: 'ImagePullBackOff' },
    events: [{ reason: 'Failed', message: 'Failed to pull image "web:9": docker.io/library/web:9: not found' }],
  });
  assert.equal(undone(diagnosis), [['spec.containers[0].image', 'web:9', 'web:1']]);
  assert.equal(
    diagnosis.corrections.map(({ title }) => title),
    ['Set it as in revision 1', 'Use the image `web:latest`'],
  );
  assert.is(diagnosis.changed?.lines.length, 2);
});

changed('a change that a rule also proposes appears once, as the way back', () => {
  const { corrections } = after(spec({}), spec({ image: 'web:9' }), {
    ready: 0,
    failure_reason: 'ImagePullBackOff',
    status: { image: 'web:9', state: 'waiting', reason: 'ImagePullBackOff' },
    events: [{ reason: 'Failed', message: 'Failed to pull image "web:9": docker.io/library/web:9: not found' }],
    surroundings: { images: ['web:1'] },
  });
  assert.equal(
    corrections.map(({ title, confidence }) => [title, confidence]),
    [['Go back to revision 1', 'likely']],
  );
});

changed('a typo that a rule knows is the way back', () => {
  const env = (key: string) => [{ name: 'SIZE', valueFrom: { configMapKeyRef: { name: 'settings', key } } }];
  const { corrections } = after(spec({ env: env('size') }), spec({ env: env('sise') }), {
    failure_reason: 'CreateContainerConfigError',
    status: { state: 'waiting', reason: 'CreateContainerConfigError', message: "couldn't find key sise in ConfigMap shop/settings" },
    surroundings: { configMaps: [{ name: 'settings', keys: ['size'] }] },
  });
  const [first] = corrections;
  assert.equal(
    [first?.title, first?.changes.map(({ path }) => path)],
    ['Go back to revision 1', ['spec.containers[0].env[0].valueFrom.configMapKeyRef.key']],
  );
});

changed('a way back is likely while its pods work, else a guess; and then there is a cure', () => {
  const logs = '==> app (previous) <==\npanic: plan LITE unsupported\n';
  for (const [ready, confidence] of [
    [1, 'likely'],
    [0, 'guess'],
  ] as const) {
    const diagnosis = after(spec({}), spec({ image: 'web:2' }), { ready, logs });
    assert.is(goBack(diagnosis)?.confidence, confidence);
    assert.is(diagnosis.noCorrection, null);
  }
});

changed('a change that would give power does not go back', () => {
  const secret = { name: 'KEY', valueFrom: { secretKeyRef: { name: 'vault', key: 'k' } } };
  const before = spec(
    { image: 'web:1', env: [secret], securityContext: { privileged: true } },
    { volumes: [{ name: 'host', hostPath: { path: '/' } }], serviceAccountName: 'boss' },
  );
  assert.equal(undone(after(before, spec({ image: 'web:2' }))), [['spec.containers[0].image', 'web:2', 'web:1']]);
});

changed('nor a masked value, nor a field in which the manifest differs from the newest revision', () => {
  const before = spec({ image: 'web:1', env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] });
  const diagnosis = after(before, spec({ image: 'web:2' }), { manifest: podOf(spec({ image: 'mirror.example/web:2' })) });
  assert.is(goBack(diagnosis), undefined);
  assert.not.match(renderDiagnosis(diagnosis), /hunter2/);
});

changed('a pod of the previous revision gets no changes of the newer one', () => {
  const { changed: told, corrections } = after(spec({}), spec({ image: 'web:2' }), { labels: { 'pod-template-hash': 'hash1' } });
  assert.equal([told, corrections], [undefined, []]);
});

for (const reason of ['NodeLost', 'Preempted'])
  changed(`${reason} is not the pod's doing`, () => {
    const { changed: told } = after(spec({}), spec({ image: 'web:2' }), { failure_reason: reason, container: null });
    assert.is(told, undefined);
  });

changed('a change in another container is not the cause', () => {
  const two = (image: string): PodSpec => ({
    containers: [
      { name: 'app', image: 'web:1' },
      { name: 'proxy', image },
    ],
  });
  assert.is(after(two('envoy:1'), two('envoy:2')).changed, undefined);
});

changed('hostile values stay in their code spans', () => {
  const text = renderDiagnosis(after(spec({}), spec({ image: 'web:2`\n# Ignore' })));
  assert.not.match(text, /^# Ignore/m);
});

for (const key of ['constructor', 'toString', 'hasOwnProperty'])
  changed(`a label called ${key} is an ordinary label`, () => {
    const before = spec({}, { nodeSelector: { zone: 'a' } });
    const now = spec({}, { nodeSelector: { zone: 'a', [key]: 'b' } });
    assert.equal(undone(after(before, now)), [[`spec.nodeSelector.${key}`, 'b', null]]);
    assert.equal(undone(after(now, before)), [[`spec.nodeSelector.${key}`, null, 'b']]);
  });

changed('fields that are no lists of named items, and unknown reasons, are no error', () => {
  const odd = (value: unknown): PodSpec => spec({ securityContext: { env: value } as object });
  for (const value of [[null], ['x'], [{ name: null }], { name: 'x' }]) after(odd([{ name: 'a' }]), odd(value));
  for (const failure_reason of ['constructor', '__proto__', 'toString'])
    assert.ok(after(spec({}), spec({ image: 'web:2' }), { failure_reason }).changed);
});

changed.run();
