import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PreviewCorrection } from '../../../src/contract/mirror.ts';
import type { KubeObject, PodSpec, PodTemplate, Workload } from '../../../src/crd/kubernetes.ts';
import { loadManifest } from '../../../src/crd/manifest.ts';
import { patchFormats } from '../../../src/mirrors/policy/patch-formats.ts';
import { buildPreview } from '../../../src/mirrors/policy/preview.ts';
import { manifestOf } from '../../../src/mirrors/policy/read-template.ts';
import type { Source } from '../../../src/mirrors/policy/source.ts';
import { writtenManifest } from '../../../src/mirrors/policy/written-correction.ts';
import { jsonPatch } from '../../../src/sandbox/patch/patch.ts';
import { aSource } from '../../support/builders/mirror.ts';

/** The spec as the API server stores it, with its defaults. */
const SPEC: PodSpec = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  containers: [
    {
      name: 'app',
      image: 'web:1',
      command: ['sh', '-c', 'exit 3'],
      env: [
        { name: 'MODE', value: 'fast' },
        { name: 'DB_PASSWORD', value: 'hunter2-hunter2' },
      ],
      terminationMessagePath: '/dev/termination-log',
      imagePullPolicy: 'IfNotPresent',
    },
    { name: 'sidecar', image: 'web:1' },
  ],
};
const [APP, SIDECAR] = SPEC.containers as [PodSpec['containers'][number], PodSpec['containers'][number]];
const withApp = (over: object): PodSpec => ({ ...SPEC, containers: [{ ...APP, ...over }, SIDECAR] });
const aTemplate = (spec: PodSpec): PodTemplate => ({ metadata: { labels: { app: 'web' } }, spec });

/** The spec that a user writes, and what the pods of the owner must be after its patch. */
const WRITTEN: [what: string, given: PodSpec, after: PodSpec][] = [
  ['another command', withApp({ command: ['sh', '-c', 'sleep 9'] }), withApp({ command: ['sh', '-c', 'sleep 9'] })],
  [
    'a variable before the others',
    withApp({ env: [{ name: 'FIRST', value: '1' }, ...(APP.env ?? [])] }),
    withApp({ env: [{ name: 'FIRST', value: '1' }, ...(APP.env ?? [])] }),
  ],
  ['a variable less', withApp({ env: APP.env?.slice(1) }), withApp({ env: APP.env?.slice(1) })],
  ['a container less', { ...SPEC, containers: [APP] }, { ...SPEC, containers: [APP] }],
  [
    'a manifest in short, without what the API server adds',
    { containers: [{ name: 'app', image: 'web:2', command: APP.command ?? [], env: APP.env ?? [] }, SIDECAR] },
    withApp({ image: 'web:2' }),
  ],
];

const aWorkload = (kind: string, spec: object = {}): Workload =>
  ({
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-owner' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: aTemplate(SPEC), ...spec },
  }) as unknown as Workload;
const POD = { metadata: { name: 'web-1', namespace: 'shop', uid: 'uid-pod', labels: { app: 'web' } }, spec: SPEC };
const ofWorkload = (owner: Workload): Source => aSource(aTemplate(SPEC), { name: 'web-1', owner, pod: POD as never });

interface World {
  source: Source;
  resourceKind?: string;
  cronJob?: KubeObject;
}

/** The corrections that the preview offers after a user wrote `given`. `now` is the workload at that moment. */
function offered({ source, resourceKind = 'Pod', cronJob }: World, given: PodSpec, now: Source = source): PreviewCorrection[] {
  const written = writtenManifest(source, aTemplate(given));
  assert.not.match(JSON.stringify(written), /hunter2/);
  return buildPreview({
    manifest: manifestOf(now, resourceKind),
    diagnosis: { summary: 'It fails.', corrections: [] } as never,
    source: now,
    cronJob,
    neighbours: undefined,
    defaultTtlSeconds: 180,
    history: { containers: [{ name: 'app', hasRun: true }], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 },
    trials: [],
    written: [{ mirror_id: 'mirror-1', ...written }],
    strippedCause: undefined,
  }).candidates;
}

function onlyOne(all: readonly PreviewCorrection[]): PreviewCorrection {
  assert.is(all.length, 1);
  return all[0] as PreviewCorrection;
}

const test = suite('a manifest that somebody wrote');

/** The pod's spec in the owner after the patch. */
function patched({ owner_patch: patch }: PreviewCorrection, owner: KubeObject, path: string[]): unknown {
  assert.ok(patch);
  const operations = JSON.parse(patch.body) as never;
  const fixed = jsonPatch(structuredClone(owner) as never, operations) as unknown;
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], fixed);
}

for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'])
  for (const resourceKind of ['Pod', kind])
    for (const [what, given, after] of WRITTEN)
      test(`${what}: the patch of a ${kind} whose ${resourceKind} fails makes just that`, () => {
        const owner = aWorkload(kind);
        const one = onlyOne(offered({ source: ofWorkload(owner), resourceKind }, given));
        assert.equal(patched(one, owner, ['spec', 'template', 'spec']), after);
        assert.is(one.written_for, 'mirror-1');
        assert.is(one.mirrorable, true);
        assert.match(one.title, /^Written by hand: spec\./);
        const forms = patchFormats({
          correction: one,
          manifest: '',
          failure: { failure_reason: 'Error', namespace: 'shop', pod_name: 'web-1', workload: { kind, name: 'web' } },
          summary: 'It fails.',
          trial: { verdict: 'Fixed' } as never,
        });
        assert.equal(
          forms.map(({ name }) => name).filter((name) => name !== 'Git diff'),
          ['kubectl patch', 'YAML', 'Pull request'],
        );
        assert.not.match(JSON.stringify(forms), /hunter2/);
      });

for (const [what, given, after] of WRITTEN) {
  test(`${what}: the patch of a CronJob makes just that`, () => {
    const owner = aWorkload('Job');
    const cronJob = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: aTemplate(SPEC) } } },
    };
    const one = onlyOne(offered({ source: ofWorkload(owner), cronJob }, given));
    assert.equal(patched(one, cronJob, ['spec', 'jobTemplate', 'spec', 'template', 'spec']), after);
  });

  test(`${what}: a pod of its own and a Job are made again from the whole manifest`, () => {
    const bare = aSource(aTemplate(SPEC), { name: 'web-1', pod: POD as never });
    for (const [source, path] of [
      [bare, ['spec']],
      [ofWorkload(aWorkload('Job')), ['spec', 'template', 'spec']],
    ] as const) {
      const patch = onlyOne(offered({ source }, given)).owner_patch;
      assert.is(patch?.type, 'replace');
      const made = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], loadManifest(patch?.body ?? ''));
      assert.equal(made, JSON.parse(JSON.stringify(after).replaceAll('hunter2-hunter2', '***')));
      assert.match(patch?.note ?? '', after.containers[0]?.env?.some(({ name }) => name === 'DB_PASSWORD') ? /stands for a secret/ : '');
    }
  });
}

test('what others changed since stays', () => {
  const owner = aWorkload('Deployment');
  const later = aWorkload('Deployment', { template: aTemplate(withApp({ image: 'web:2' })) });
  const given = withApp({ command: ['sleep', '9'] });
  const now = aSource(aTemplate(withApp({ image: 'web:2' })), { name: 'web-2', owner: later });
  const one = onlyOne(offered({ source: ofWorkload(owner) }, given, now));
  assert.equal(patched(one, later, ['spec', 'template', 'spec']), withApp({ image: 'web:2', command: ['sleep', '9'] }));
});

test('a workload that already has the change is not changed again', () => {
  const given = withApp({ command: ['sleep', '9'] });
  const before = ofWorkload(aWorkload('Deployment'));
  const owner = aWorkload('Deployment', { template: aTemplate(given) });
  assert.equal(offered({ source: before }, given, aSource(aTemplate(given), { name: 'web-2', owner })), []);
  // The failing pod is older than the change of its workload.
  assert.is(onlyOne(offered({ source: before }, given, ofWorkload(owner))).owner_patch, null);
});

test('if somebody else changed the same words, no patch mixes both changes', () => {
  const owner = aWorkload('Deployment', { template: aTemplate(withApp({ command: ['sh', '-c', 'exit 4'] })) });
  const given = withApp({ command: ['sleep', '9'] });
  assert.is(onlyOne(offered({ source: ofWorkload(aWorkload('Deployment')) }, given, ofWorkload(owner))).owner_patch, null);
});

test('a changed secret is named, and its value is never shown', () => {
  const env = [APP.env?.[0], { name: 'DB_PASSWORD', value: 'hunter2-another1' }];
  const given = withApp({ command: ['sleep', '9'], env });
  const one = onlyOne(offered({ source: ofWorkload(aWorkload('Deployment')) }, given));
  for (const text of [one.explanation, one.owner_patch?.note ?? '']) assert.match(text, /containers\[0\]\.env\[1\]\.value/);
  assert.not.match(JSON.stringify(one), /hunter2/);
  assert.is(one.mirrorable, false, 'a mirror would run without it');
});

test.run();
