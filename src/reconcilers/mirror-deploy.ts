import { randomInt } from 'node:crypto';
import type { FailureDetail } from '../contract/failure.ts';
import type { Candidate, DeployMirror, MirrorPreview, MirrorRecord } from '../contract/mirror.ts';
import { managedElsewhere, Refusal } from '../contract/refusal.ts';
import { MANAGED_BY, MANAGED_BY_LABEL, managerOf } from '../crd/managed.ts';
import { loadManifest, ManifestError } from '../crd/manifest.ts';
import type { Pod, PodTemplate } from '../crd/kubernetes.ts';
import { API_VERSION, MIRROR_LABEL, mirrorPodName, PREVIEW_ANNOTATION, type MirrorPod } from '../crd/mirrorpod.ts';
import type { PreviewRepository } from '../db/previews.ts';
import type { SettingRepository } from '../db/settings.ts';
import type { FailureRepository } from '../db/failures.ts';
import { turns } from '../failures/turns.ts';
import type { KubeClient } from '../kube/connect.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { findSource, readNeighbours } from '../kube/source.ts';
import { baselineViolations } from '../mirrors/baseline.ts';
import { reachedLimit, type MirrorLimits } from '../mirrors/limits.ts';
import type { Source } from '../mirrors/source.ts';
import { readTemplate, templateIn } from '../mirrors/template.ts';
import { nextCandidate } from '../mirrors/tried.ts';
import { templateOfManifest } from './mirror-correction.ts';
import { admission, podOf } from './mirror-create.ts';
import { eventsAbout } from './mirror-evidence.ts';
import { countAhead, incidentOf, needsAcknowledgement, unfitness } from './mirror-prepare.ts';
import { mirrorRecord } from './mirror-record.ts';
import { defaultTtlSeconds, type Previewer } from './preview.ts';

export interface DeployDeps {
  client: KubeClient;
  failures: Pick<FailureRepository, 'detail' | 'openByPod'>;
  previews: Pick<PreviewRepository, 'latest'>;
  previewer: Pick<Previewer, 'make'>;
  settings: Pick<SettingRepository, 'get'>;
  /** `MIRRORS_ENABLED`. */
  enabled: boolean;
  /** Globs of namespaces where the API makes none. */
  deniedNamespaces: readonly string[];
  limits: MirrorLimits;
  /** Where a MirrorPod with that uid was last seen; undefined when it was not. */
  locate(uid: string): { namespace: string; name: string } | undefined;
  now(): Date;
}

export type Mirrors = ReturnType<typeof mirrors>;

/** What people do with mirrors through the API: each is a MirrorPod, read from the cluster whenever it is asked for. */
export function mirrors(deps: DeployDeps) {
  const { client, settings } = deps;
  const inTurn = turns();
  const find = async (mirrorId: string): Promise<MirrorPod | undefined> => {
    const place = deps.locate(mirrorId);
    const found = place && (await client.read(KINDS.mirrorPod, place.namespace, place.name));
    const isIt = ({ metadata }: MirrorPod): boolean => metadata.uid === mirrorId && !metadata.deletionTimestamp;
    // The cache only says where to look; what it has not seen yet is looked for everywhere.
    return found ? [found].find(isIt) : (await client.list(KINDS.mirrorPod)).find(isIt);
  };
  const show = async (mirror: MirrorPod, known?: Pod): Promise<MirrorRecord> => {
    const { namespace = '', uid = '' } = mirror.metadata;
    const name = mirrorPodName(mirror.spec.source.name, uid);
    const [pod, events, ttl] = await Promise.all([
      known ?? client.read(KINDS.pod, namespace, name),
      eventsAbout(client, namespace, name),
      defaultTtlSeconds(settings),
    ]);
    return mirrorRecord({ mirror, pod, events, defaultTtlSeconds: ttl });
  };
  return {
    /** Makes a MirrorPod for a failure record. Throws Refusal, and then nothing was made. */
    async deploy(detail: FailureDetail, wish: DeployMirror): Promise<MirrorRecord> {
      const { mirror, explanation } = await draftMirror(deps, detail, wish);
      // One after another: what is counted is still true when it is acted on.
      const created = await inTurn('deploy', async () => {
        const incident = incidentOf(detail, mirror);
        const ahead = await countAhead(deps, mirror, await client.list(KINDS.mirrorPod));
        const full = reachedLimit(ahead, { namespace: detail.namespace, incident }, deps.limits);
        if (full) throw new Refusal('conflict', full);
        return createNamed(client, mirror);
      });
      const record = await show(created);
      return { ...record, explanation: record.explanation || explanation };
    },

    /** undefined when there is none of that id. */
    async status(mirrorId: string): Promise<MirrorRecord | undefined> {
      const mirror = await find(mirrorId);
      return mirror && show(mirror);
    },

    /** Answers false when there is none. Throws Refusal for one that Git would put back. */
    async remove(mirrorId: string): Promise<boolean> {
      const mirror = await find(mirrorId);
      if (!mirror) return false;
      const manager = managerOf(mirror.metadata);
      if (manager) throw managedElsewhere(manager);
      try {
        return await client.remove(KINDS.mirrorPod, mirror.metadata.namespace, mirror.metadata.name ?? '', { uid: mirrorId });
      } catch (error) {
        // It went in the meantime, and another has its name.
        if (isKubeError(error, 409)) return false;
        throw error;
      }
    },

    /** Those whose time is not over, newest first. */
    async active(): Promise<MirrorRecord[]> {
      const [mirrorPods, pods] = await Promise.all([
        client.list(KINDS.mirrorPod),
        client.list(KINDS.pod, { labelSelector: `${MIRROR_LABEL}=true` }),
      ]);
      const all = mirrorPods.filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.phase !== 'Expired');
      const podOfMirror = ({ metadata }: MirrorPod): Pod | undefined =>
        pods.find(({ metadata: { ownerReferences = [] } }) => ownerReferences.some(({ uid }) => uid === metadata.uid));
      const born = ({ metadata }: MirrorPod): number => Date.parse(metadata.creationTimestamp ?? '');
      return Promise.all(all.sort((a, b) => born(b) - born(a)).map((mirror) => show(mirror, podOfMirror(mirror))));
    },
  };
}

/** Every check of the API in its order, but for the limits; the answer is ready to be created. */
async function draftMirror(
  deps: DeployDeps,
  detail: FailureDetail,
  wish: DeployMirror,
): Promise<{ mirror: MirrorPod; explanation: string }> {
  const { client, now } = deps;
  const { namespace, pod_name: name } = detail;
  if (!deps.enabled) throw new Refusal('denied', 'Mirrors are switched off in this installation');
  if (deps.deniedNamespaces.some((glob) => matches(glob, namespace)))
    throw new Refusal('denied', `Mirrors are not allowed in namespace ${namespace}`);
  const source = await findSource(client, { namespace, name, workload: detail.workload });
  if (!source) throw new Refusal('conflict', 'The pod and its workload are gone, so there is nothing to mirror');
  const unfit = unfitness(source);
  if (unfit) throw new Refusal('denied', unfit.message);
  const unsafe = baselineViolations(source.template);
  if (unsafe.length > 0) throw new Refusal('denied', `The source fails Pod Security baseline: ${unsafe.join(', ')}`);
  const given = await correctionFor(deps, detail, wish);
  const read = readTemplate(given.template, source);
  if ('refusal' in read) throw new Refusal('invalid', read.refusal.message);
  if (needsAcknowledgement(source, read.template) && !wish.acknowledge_side_effects)
    throw new Refusal('invalid', 'The source does its work once, and a mirror would do it again: send acknowledge_side_effects true');
  const ttlSeconds = wish.ttl_seconds ?? (await defaultTtlSeconds(deps.settings));
  const mirror = mirrorOf(detail, {
    template: given.template,
    ttlSeconds,
    preview: given.preview,
    acknowledged: wish.acknowledge_side_effects,
  });
  await dryRun(deps, mirror, { source, template: read.template, now: now() });
  return { mirror, explanation: given.explanation };
}

/** What is to be tried: the given manifest, the chosen candidate of the latest preview, or the first that a mirror may run and none refuted. */
async function correctionFor(
  { previews, previewer }: DeployDeps,
  detail: FailureDetail,
  { manifest, candidate: wanted }: DeployMirror,
): Promise<{ template: PodTemplate; explanation: string; preview: number | undefined }> {
  const latest = await previews.latest(detail.id);
  if (manifest !== undefined) {
    const template = parsed(manifest);
    const same = latest?.candidates.find(({ fixed_manifest }) => fixed_manifest.trim() === manifest.trim());
    return { template, explanation: same?.explanation ?? '', preview: same && latest?.id };
  }
  const preview = latest ?? (await previewer.make(detail));
  const candidate = candidateOf(preview, wanted, detail);
  const template = templateOfManifest(candidate.fixed_manifest);
  if (!template) throw new Refusal('invalid', 'The preview holds no pod template');
  return { template, explanation: candidate.explanation, preview: preview.id };
}

function candidateOf(
  { candidates, mirrorable, explanation }: MirrorPreview,
  wanted: number | undefined,
  { trials }: Pick<FailureDetail, 'trials'>,
): Candidate {
  const candidate = wanted === undefined ? nextCandidate(candidates, trials) : candidates[wanted];
  if (candidate?.mirrorable) return candidate;
  if (wanted !== undefined && !candidate) throw new Refusal('invalid', `candidate must be below ${candidates.length}`);
  if (wanted === undefined && candidates.some((one) => one.mirrorable))
    throw new Refusal('invalid', 'Every correction that a mirror may try was tried and still fails: name a candidate to try it again');
  const why = candidates.length === 0 || mirrorable ? explanation : 'no candidate can be proved by a mirror, or may be run by one';
  throw new Refusal('invalid', `There is no correction to mirror: ${why.replaceAll(/\s+/g, ' ')}`);
}

function parsed(manifest: string): PodTemplate {
  try {
    const template = templateIn(loadManifest(manifest));
    if (!template) throw new ManifestError('the manifest must be that of a pod, or of a workload with a pod template');
    return template;
  } catch (error) {
    if (error instanceof ManifestError) throw new Refusal('invalid', `manifest: ${error.message}`);
    throw error;
  }
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

interface Wanted {
  template: PodTemplate;
  ttlSeconds: number;
  preview: number | undefined;
  acknowledged: boolean | undefined;
}

/** `<source>-<5 random>`. */
function freshName(source: string): string {
  const ending = Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${source.slice(0, 57).replace(/[^a-z0-9]+$/, '')}-${ending}`;
}

const MAX_NAMES = 5;

/** One write; a name that somebody has already is exchanged for another. */
async function createNamed(client: Pick<KubeClient, 'create'>, mirror: MirrorPod, options: { dryRun?: boolean } = {}): Promise<MirrorPod> {
  for (let left = MAX_NAMES; ; left -= 1) {
    try {
      return await client.create(KINDS.mirrorPod, mirror, options);
    } catch (error) {
      if (!isKubeError(error, 409) || left <= 1) throw error;
      mirror.metadata.name = freshName(mirror.spec.source.name);
    }
  }
}

function mirrorOf({ id, namespace, pod_name }: FailureDetail, { template, ttlSeconds, preview, acknowledged }: Wanted): MirrorPod {
  const { labels, annotations } = template.metadata ?? {};
  return {
    apiVersion: API_VERSION,
    kind: 'MirrorPod',
    metadata: {
      name: freshName(pod_name),
      namespace,
      labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
      ...(preview === undefined ? {} : { annotations: { [PREVIEW_ANNOTATION]: String(preview) } }),
    },
    spec: {
      source: { kind: 'Pod', name: pod_name },
      failureId: id,
      template: { metadata: { ...(labels && { labels }), ...(annotations && { annotations }) }, spec: template.spec },
      ttlSeconds,
      ...(acknowledged ? { acknowledgeSideEffects: true } : {}),
    },
  };
}

/** What the API server says to the pod and to the MirrorPod, while nothing is made yet. */
async function dryRun(
  { client, ...deps }: DeployDeps,
  mirror: MirrorPod,
  { source, template, now }: { source: Source; template: PodTemplate; now: Date },
) {
  const neighbours = await readNeighbours(client, source.namespace);
  const record = await deps.failures.detail(mirror.spec.failureId ?? 0);
  const stand = {
    ...mirror,
    metadata: { ...mirror.metadata, uid: '00000000-0000-0000-0000-000000000000', creationTimestamp: now.toISOString() },
  };
  const pod = podOf(stand, { source, template, neighbours, record, correction: { origin: 'Given' } }, mirror.spec.ttlSeconds ?? 180);
  const answer =
    (await admission(() => client.create(KINDS.pod, pod, { dryRun: true }))) ??
    (await admission(() => createNamed(client, mirror, { dryRun: true })));
  if (!answer || answer.kind === 'unknown') return;
  throw new Refusal(answer.kind === 'waiting' ? 'conflict' : 'invalid', answer.message);
}

/** `*` stands for any run of characters. */
function matches(glob: string, text: string): boolean {
  const pattern = glob.split('*').map((part) => part.replaceAll(/[.\\+?^${}()|[\]]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(text);
}
