import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence } from '../../src/contract/failure.ts';
import type { Container, CoreEvent, KubeObject } from '../../src/crd/kubernetes.ts';
import { podSpecIn } from '../../src/diagnosis/facts/manifest.ts';
import type { Case, Surroundings } from '../../src/diagnosis/case.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { failingCases, type Recording } from '../../src/failures/detect/recording.ts';
import { CURES } from '../support/expected/documented/cures/list.ts';
import { recordingOf } from '../support/expected/documented/documented.ts';

// What has nothing to do with a failure must not change its diagnosis: objects of other names, and a container that runs well.

const test = suite('what has nothing to do with a failure');

const NAME = 'qqq';
const IMAGE = 'qqq.example/qqq:7';

/** Objects of another name, before and after those that are there. What nobody may read stays unknown. */
function beside({ configMaps, secrets, services, claims, quotas, hostPorts, images, ...rest }: Surroundings): Surroundings {
  const between = <T>(all: T[] | undefined, one: T): T[] | undefined => all && [one, ...all, one];
  const all = {
    configMaps: between(configMaps, { name: NAME, keys: [NAME] }),
    secrets: between(secrets, { name: NAME, keys: [NAME] }),
    services: between(services, { name: NAME, ports: [1] }),
    claims: between(claims, { name: NAME, phase: 'Bound' }),
    quotas: between(quotas, { name: NAME, scopes: [], hard: { 'count/qqq': '9' }, used: { 'count/qqq': '1' } }),
    hostPorts: between(hostPorts, { pod: 'qqq/qqq', node: NAME, port: 1 }),
    images: between(images, IMAGE),
  };
  return { ...rest, ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) };
}

const STATUS: ContainerEvidence = { name: NAME, kind: 'app', image: IMAGE, ready: true, state: 'running', restart_count: 0 };

/** The case with a container that runs well, before the others. Where there are volumes, it has one of its own. */
function withSidecar(subject: Case): Case {
  const manifest = structuredClone(subject.manifest()) as KubeObject;
  const { volumes, containers } = podSpecIn(manifest)?.spec ?? { containers: [] };
  const sidecar: Container = { name: NAME, image: IMAGE, env: [{ name: 'QQQ', value: NAME }], ports: [{ containerPort: 7 }] };
  containers.unshift(volumes ? { ...sidecar, volumeMounts: [{ name: NAME, mountPath: '/qqq' }] } : sidecar);
  volumes?.unshift({ name: NAME, emptyDir: {} });
  return { ...subject, manifest: () => manifest, statuses: [STATUS, ...subject.statuses] };
}

/** The case with an init container that ended well, before those that are there. */
function withInit(subject: Case): Case {
  const manifest = structuredClone(subject.manifest()) as KubeObject;
  const spec = podSpecIn(manifest)?.spec;
  if (!spec?.initContainers || subject.statuses.length === 0) return subject;
  spec.initContainers.unshift({ name: NAME, image: IMAGE, command: [NAME] });
  const status: ContainerEvidence = { ...STATUS, kind: 'init', state: 'terminated', reason: 'Completed', exit_code: 0 };
  return { ...subject, manifest: () => manifest, statuses: [status, ...subject.statuses] };
}

/** The case with one more variable and one more mount in each container that has several or some already, before its own. */
function withSettings(subject: Case): Case {
  const manifest = structuredClone(subject.manifest()) as KubeObject;
  const spec = podSpecIn(manifest)?.spec;
  const isMounted = (spec?.volumes ?? []).length > 0;
  for (const container of [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]) {
    if ((container.env ?? []).length > 1) container.env?.unshift({ name: 'QQQ', value: NAME });
    if (isMounted && container.volumeMounts?.length) container.volumeMounts.unshift({ name: NAME, mountPath: '/qqq', readOnly: true });
  }
  if (isMounted) spec?.volumes?.unshift({ name: NAME, downwardAPI: { items: [] } });
  return { ...subject, manifest: () => manifest };
}

const LIST = /\.(?:c|initC)ontainers(?:\[\d+\])?$/;

/** The culprit and the corrections, with the places that containers and volumes have without the sidecar. */
function told(subject: Case, moved?: RegExp): unknown {
  const { culprit, corrections } = diagnose(subject);
  const placed = (path: string) => (moved ? path.replaceAll(moved, (_, list: string, at: string) => `${list}[${Number(at) - 1}]`) : path);
  return [
    culprit?.replace(/^container \S+, /, ''),
    // A correction that moves a container sets the whole list, or adds to it.
    corrections.map(({ title, confidence, changes }) => [
      title,
      confidence,
      changes.map(({ path, to }) => (LIST.test(path) ? [path.replace(/\[\d+\]$/, '')] : [placed(path), to])),
    ]),
  ];
}

/** A policy speaks of all containers, and a pod whose template was corrected must not differ from it otherwise. */
const isAboutAll = (sentence: string, { resource_kind }: Case): boolean => resource_kind !== 'Pod' || sentence.includes('corrected since');

const CASES = CURES.flatMap(([sentence, row]) => (row.is === 'healthy' ? [] : [[sentence, failingCases(recordingOf(row))[0]!] as const]));

/** Empty objects of the same names in another namespace, before and after those that are there. Their pods and logs are not those of the case. */
function withNamespace({ objects, logs, ...rest }: Recording): Recording {
  const elsewhere = (index: number) => ({ namespace: 'elsewhere', uid: `uid-elsewhere-${index}` });
  const own = objects.find(({ kind }) => kind === 'Pod')?.metadata.namespace ?? 'default';
  const placed = objects.filter(({ kind, metadata }) => metadata.namespace === own && kind !== 'Pod' && kind !== 'Event');
  const copies = placed.map(({ apiVersion, kind, metadata: { name } }, index) => ({
    ...(apiVersion && { apiVersion }),
    ...{ kind: kind ?? '', metadata: { ...(name && { name }), ...elsewhere(index) } },
  }));
  const events = objects
    .filter(({ kind }) => kind === 'Event')
    .map((event, index) => ({
      ...event,
      metadata: { name: `elsewhere-${index}`, ...elsewhere(index) },
      ...{ involvedObject: { ...(event as CoreEvent).involvedObject, ...elsewhere(index) }, message: NAME },
    }));
  const told = logs.map((log) => ({ ...log, namespace: 'elsewhere', text: NAME }));
  return { ...rest, objects: [...copies, ...events, ...objects, ...copies, ...events], logs: [...told, ...logs, ...told] };
}

test('objects of the same names in another namespace change no diagnosis', () => {
  for (const [sentence, row] of CURES) {
    if (row.is === 'healthy') continue;
    const [one, ...more] = failingCases(withNamespace(recordingOf(row)), ({ metadata }) => metadata.namespace !== 'elsewhere');
    assert.is(more.length, 0, sentence);
    assert.equal(one && told(one), told(failingCases(recordingOf(row))[0]!), sentence);
  }
});

test('objects of other names change no diagnosis', () => {
  for (const [sentence, subject] of CASES)
    assert.equal(told({ ...subject, surroundings: beside(subject.surroundings ?? {}) }), told(subject), sentence);
});

test('a container that runs well changes no diagnosis', () => {
  for (const [sentence, subject] of CASES) {
    // A program that calls its own pod may mean any container of it.
    const callsItself = /\b127\.0\.0\.1|\blocalhost/.test(diagnose(subject).culprit ?? '');
    if (!isAboutAll(sentence, subject) && !callsItself)
      assert.equal(told(withSidecar(subject), /\b(containers|volumes)\[(\d+)\]/g), told(subject), sentence);
  }
});

test('one more variable and one more volume change no diagnosis', () => {
  for (const [sentence, subject] of CASES) {
    if (isAboutAll(sentence, subject)) continue;
    const { env = [] } = podSpecIn(subject.manifest() ?? {})?.spec.containers[0] ?? {};
    const moved = env.length > 1 ? /\b(env|volumeMounts|volumes)\[(\d+)\]/g : /\b(volumeMounts|volumes)\[(\d+)\]/g;
    assert.equal(told(withSettings(subject), moved), told(subject), sentence);
  }
});

test('an init container that ended well changes no diagnosis', () => {
  for (const [sentence, subject] of CASES)
    if (!isAboutAll(sentence, subject)) {
      const other = withInit(subject);
      assert.equal(told(other, other === subject ? undefined : /\b(initContainers)\[(\d+)\]/g), told(subject), sentence);
    }
});

test.run();
