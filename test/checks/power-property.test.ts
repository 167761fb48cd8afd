import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod, PodTemplate } from '../../src/crd/kubernetes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { isolate } from '../../src/mirrors/policy/isolated-pod.ts';
import { readTemplate } from '../../src/mirrors/policy/read-template.ts';
import { hashTemplate } from '../../src/mirrors/policy/mirror-notes.ts';
import { type ApiServer, apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { longOr } from '../support/runner/long.ts';
import { aMirrorPod, aSource } from '../support/builders/mirror.ts';
import { type Proposal, proposal } from '../support/builders/pod-generator.ts';

/**
 * A mirror that the power check accepts gains no power. It has no Secrets, claims, folders of the node, devices or identities that
 * the source does not have. ConfigMaps are not included: a template may name another ConfigMap of its namespace. Most corrections
 * cure a mistyped name, and ConfigMaps hold nothing secret. A test below checks that.
 */

/** The mirror pod of a proposal. Undefined: the power check refuses it. */
function mirrorOf({ source, template }: Proposal, namespace: string): Pod | undefined {
  const from = aSource(source, { namespace });
  const read = readTemplate(template, from);
  if ('refusal' in read) return undefined;
  return isolate({
    mirror: aMirrorPod({}, undefined, { namespace, uid: '00000000-0000-0000-0000-000000000001' }),
    source: from,
    template: read.template,
    neighbours: { unsharedClaims: [], hasPriorityClass: false },
    secondsLeft: 100,
    notes: { templateHash: hashTemplate(template), history: { containers: [], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 } },
  });
}

const told = ({ seed, mutations, source, template }: Proposal): string =>
  `seed ${seed}, ${mutations.join(', ')}\nsource ${JSON.stringify(source)}\ntemplate ${JSON.stringify(template)}`;

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

/** Every object in a value, with the name of its field. */
function* objectsIn(value: Loose, field = ''): Generator<[field: string, object: Loose]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [field, value];
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, Array.isArray(value) ? field : key);
}

/** Joins `path` to `base` and resolves `..`. */
const join = (base: string, path = ''): string => new URL(`file://${base}/${path}`).pathname.replace(/\/+$/, '');

/** Everything that a pod uses and others own, as texts. It walks the JSON of the pod, independently of the check. */
function reads({ spec }: PodTemplate): Set<string> {
  const found = new Set<string>();
  for (const [field, object] of objectsIn(spec)) {
    if (/secret/i.test(field) && typeof object.name === 'string') found.add(`Secret ${object.name}`);
    if (typeof object.secretName === 'string') found.add(`Secret ${object.secretName}`);
    if (typeof object.claimName === 'string') found.add(`claim ${object.claimName}`);
    if (field === 'dataSource' || field === 'dataSourceRef') found.add(`claim ${object.name}`);
    if (field === 'serviceAccountToken') found.add(`token for ${object.audience}`);
    if (field === 'resourceClaims') found.add(`resource claim ${object.resourceClaimName}`);
    if (field === 'nfs') found.add(`folder ${object.server}`);
  }
  for (const volume of spec.volumes ?? [])
    for (const container of [...(spec.initContainers ?? []), ...spec.containers])
      for (const { name, subPath } of container.volumeMounts ?? [])
        if (volume.hostPath && name === volume.name) found.add(`path ${join(volume.hostPath.path, subPath)}`);
  found.add(`account ${spec.serviceAccountName ?? 'default'}`);
  return found;
}

/** The entries of `wants` that are not in `had`, and not below a folder in `had`. */
const beyond = (wants: Set<string>, had: Set<string>): string[] =>
  [...wants].filter((one) => !had.has(one) && ![...had].some((other) => other.startsWith('path ') && one.startsWith(`${other}/`)));

const pure = suite('power property');

pure('an accepted mirror reads no Secret, claim, token, device or folder of the node that its source does not read', () => {
  const count = longOr(40_000, 2_000);
  const seen = { accepted: 0, refused: 0, otherMaps: 0 };
  for (let seed = 1; seed <= count; seed++) {
    const one = proposal(seed);
    const pod = mirrorOf(one, 'shop');
    seen[pod ? 'accepted' : 'refused'] += 1;
    if (!pod) continue;
    assert.equal(beyond(reads(pod), reads(one.source)), [], told(one));
    if (mapsOf(pod).some((name) => !mapsOf(one.source).includes(name))) seen.otherMaps += 1;
  }
  assert.ok(seen.accepted > count / 4 && seen.refused > count / 4, `neither side is rare: ${JSON.stringify(seen)}`);
  assert.ok(seen.otherMaps > count / 100, 'another ConfigMap is accepted, as it is meant to be');
});

const mapsOf = ({ spec }: PodTemplate): string[] =>
  [...objectsIn(spec)].filter(([field]) => /^configMap(KeyRef|Ref)?$/.test(field)).map(([, { name }]) => name as string);

pure.run();

if (!apiServerAssets()) {
  console.log('SKIP power property on a real API server: KUBEBUILDER_ASSETS is not set');
} else {
  const real = suite('power property on a real API server');
  const LEVELS = ['restricted', 'baseline', 'privileged'] as const;
  let server: ApiServer;
  let client: KubeClient;

  real.before(async () => {
    server = await startApiServer();
    client = connect({ kubeconfigText: server.kubeconfigText });
    for (const level of LEVELS)
      await client.create(KINDS.namespace, { metadata: { name: level, labels: { 'pod-security.kubernetes.io/enforce': level } } });
  });
  real.after(async () => {
    client?.close();
    await server?.close();
  });

  /** `admitted`, `refused` (by Pod Security), or `invalid` with the reason. */
  const answer = async (pod: Pod): Promise<string> => {
    try {
      await client.create(KINDS.pod, pod, { dryRun: true });
      return 'admitted';
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      return /violates PodSecurity/.test(error.message) ? `refused: ${error.message}` : `invalid: ${error.message}`;
    }
  };
  const sourceIn = ({ metadata, spec }: PodTemplate, namespace: string): Pod => ({
    metadata: { ...metadata, name: 'web', namespace },
    spec,
  });

  real('a Pod Security level that admits the source admits the mirror', async () => {
    const wanted = longOr(6_000, 300);
    const seen: Record<string, number> = { invalid: 0 };
    let seed = 0;
    let accepted = 0;
    const work = async (): Promise<void> => {
      while (accepted < wanted && seed < wanted * 10) {
        const one = proposal((seed += 1));
        if (!mirrorOf(one, 'shop')) continue;
        let strictest: string | undefined;
        for (const level of LEVELS) if (!strictest && (await answer(sourceIn(one.source, level))) === 'admitted') strictest = level;
        // No level admits the source, so it cannot exist.
        if (!strictest) continue;
        const judged = await answer(mirrorOf(one, strictest) as Pod);
        if (judged.startsWith('invalid')) {
          // The mirror's dry run refuses an invalid template, whatever its power.
          seen['invalid'] = (seen['invalid'] ?? 0) + 1;
          continue;
        }
        assert.is(judged, 'admitted', `${strictest}: ${judged}\n${told(one)}`);
        accepted += 1;
        seen[strictest] = (seen[strictest] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    assert.ok(accepted >= wanted, `only ${accepted} of ${seed} were accepted: ${JSON.stringify(seen)}`);
    for (const level of LEVELS) assert.ok((seen[level] ?? 0) > wanted / 12, `sources of every level: ${JSON.stringify(seen)}`);
    assert.ok((seen['invalid'] ?? 0) < wanted / 4, JSON.stringify(seen));
  });

  real.run();
}
