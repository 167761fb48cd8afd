import { hash, randomInt } from 'node:crypto';
import type { FailureDetail } from '../contract/failure.ts';
import type { PreviewCorrection, DeployMirror, MirrorCheck, MirrorPreview, MirrorRecord, MirrorUse } from '../contract/mirror.ts';
import { managedElsewhere, Refusal } from '../contract/refusal.ts';
import { globMatches } from '../crd/glob.ts';
import { MANAGED_BY, MANAGED_BY_LABEL, managerOf } from '../crd/managed.ts';
import { loadManifest, ManifestError } from '../crd/manifest.ts';
import type { Pod, PodTemplate } from '../crd/kubernetes.ts';
import { API_VERSION, MIRROR_LABEL, mirrorPodName, PREVIEW_ANNOTATION, REQUEST_ANNOTATION, type MirrorPod } from '../crd/mirrorpod.ts';
import type { PreviewRepository } from '../db/previews.ts';
import type { SettingRepository } from '../db/settings.ts';
import type { FailureRepository } from '../db/failures.ts';
import { keyedMutex } from '../async/keyed-mutex.ts';
import type { KubeClient } from '../kube/client.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { firstObjection, once, REQUEST_CHECKS } from './approval.ts';
import { eventsAbout, readNeighbours } from './evidence.ts';
import { findSource } from './find-source.ts';
import type { LastLogs } from './last-log.ts';
import { nextCorrection, templateOfManifest } from './policy/correction.ts';
import { liveByNamespace, type MirrorLimits } from './policy/limits.ts';
import type { Source } from './policy/source.ts';
import { readTemplate, templateIn } from './policy/read-template.ts';
import { admission, limitReachedBy, podOf, type Prepared } from './run.ts';
import { mirrorRecord } from './policy/mirror-record.ts';
import { suggestedTtlSeconds } from './policy/suggested-ttl.ts';
import { defaultTtlSeconds, historyFor, type Previewer } from './preview.ts';

export interface DeployDeps {
  client: KubeClient;
  failures: Pick<FailureRepository, 'detail' | 'openByPod' | 'hasPod'>;
  previews: Pick<PreviewRepository, 'latest'>;
  previewer: Pick<Previewer, 'make'>;
  settings: Pick<SettingRepository, 'get'>;
  /** `MIRRORS_ENABLED`. */
  enabled: boolean;
  /** Globs of the namespaces where the API makes no mirrors. */
  deniedNamespaces: readonly string[];
  limits: MirrorLimits;
  lastLogs: LastLogs;
  /** The place where a MirrorPod with that uid was last seen; undefined if it was never seen. */
  locate(uid: string): { namespace: string; name: string } | undefined;
  now(): Date;
}

export type Mirrors = ReturnType<typeof mirrors>;

/** The actions of the API on mirrors. Each mirror is a MirrorPod, which is read from the cluster for every request. */
export function mirrors(deps: DeployDeps) {
  const { client, settings } = deps;
  const exclusively = keyedMutex();
  const find = async (mirrorId: string): Promise<MirrorPod | undefined> => {
    const place = deps.locate(mirrorId);
    const found = place && (await client.read(KINDS.mirrorPod, place.namespace, place.name));
    const isIt = ({ metadata }: MirrorPod): boolean => metadata.uid === mirrorId && !metadata.deletionTimestamp;
    // The cache says where to look. If it has not seen the mirror yet, all namespaces are searched.
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
    /**
     * Creates a MirrorPod for a failure record. If it throws Refusal, nothing was created. Repeating a `request` creates no second MirrorPod
     * while the first one exists.
     */
    async deploy(detail: FailureDetail, wanted: DeployMirror, request?: string): Promise<MirrorRecord> {
      const { mirror: drafted, explanation, risks } = await draftMirror(deps, detail, wanted);
      const mirror = request === undefined ? drafted : forRequest(drafted, request);
      // Deployments run one at a time, so that the count is still right when the object is created.
      const created = await exclusively('deploy', async () => {
        const full = await limitReachedBy(deps, mirror, { record: detail, all: await client.list(KINDS.mirrorPod) });
        if (full) throw new Refusal('conflict', full);
        return request === undefined ? createNamed(client, mirror) : createOnce(client, mirror, request);
      });
      const record = await show(created);
      return { ...record, explanation: record.explanation || explanation, ...(risks.length > 0 ? { risks } : {}) };
    },

    /** Runs the checks of `deploy`, except the limits, without creating anything. Throws the same Refusal. */
    async check(detail: FailureDetail, wanted: DeployMirror): Promise<MirrorCheck> {
      const { risks } = await draftMirror(deps, detail, wanted);
      return { risks };
    },

    /** The mirror that this request created. Undefined if it created none, or if the mirror has been deleted or is being deleted. */
    async requested(namespace: string, request: string): Promise<MirrorRecord | undefined> {
      const all = await client.list(KINDS.mirrorPod, { namespace });
      const mirror = all.find((one) => isOfRequest(one, request) && !one.metadata.deletionTimestamp);
      return mirror && show(mirror);
    },

    /** Undefined when no mirror has this id. */
    async status(mirrorId: string): Promise<MirrorRecord | undefined> {
      const mirror = await find(mirrorId);
      return mirror && show(mirror);
    },

    /** Returns false when there is none. Throws Refusal for a mirror that a GitOps tool would create again. */
    async remove(mirrorId: string): Promise<boolean> {
      const mirror = await find(mirrorId);
      if (!mirror) return false;
      const manager = managerOf(mirror.metadata);
      if (manager) throw managedElsewhere(manager);
      const { namespace = '' } = mirror.metadata;
      await deps.lastLogs.keep(mirrorId, { namespace, name: mirrorPodName(mirror.spec.source.name, mirrorId) });
      try {
        return await client.remove(KINDS.mirrorPod, namespace, mirror.metadata.name ?? '', { uid: mirrorId });
      } catch (error) {
        // The mirror is gone, and another object has its name.
        if (isKubeError(error, 409)) return false;
        throw error;
      }
    },

    /** The numbers of live mirrors in total and in each namespace, and their limits. */
    async use(): Promise<MirrorUse> {
      const live = liveByNamespace(await client.list(KINDS.mirrorPod), deps.now());
      const { total, perNamespace, perIncident } = deps.limits;
      return {
        enabled: deps.enabled,
        live: [...live.values()].reduce((sum, count) => sum + count, 0),
        limit: total,
        limit_per_namespace: perNamespace,
        limit_per_incident: perIncident,
        namespaces: [...live].map(([namespace, count]) => ({ namespace, live: count })),
      };
    },

    /** The mirrors that have not expired, newest first. */
    async active(): Promise<MirrorRecord[]> {
      const [mirrorPods, pods] = await Promise.all([
        client.list(KINDS.mirrorPod),
        client.list(KINDS.pod, { labelSelector: `${MIRROR_LABEL}=true` }),
      ]);
      const all = mirrorPods.filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.phase !== 'Expired');
      const podOfMirror = ({ metadata }: MirrorPod): Pod | undefined =>
        pods.find(({ metadata: { ownerReferences = [] } }) => ownerReferences.some(({ uid }) => uid === metadata.uid));
      const createdAt = ({ metadata }: MirrorPod): number => Date.parse(metadata.creationTimestamp ?? '');
      return Promise.all(all.sort((a, b) => createdAt(b) - createdAt(a)).map((mirror) => show(mirror, podOfMirror(mirror))));
    },
  };
}

/** Runs every check of the API except the limits, and builds the MirrorPod. */
async function draftMirror(
  deps: DeployDeps,
  detail: FailureDetail,
  wanted: DeployMirror,
): Promise<{ mirror: MirrorPod; explanation: string; risks: string[] }> {
  const { namespace, pod_name: name, workload } = detail;
  const source = once(() => findSource(deps.client, { namespace, name, workload }));
  const draft = once(() => draftTemplate(deps, detail, wanted));
  const correction = once(async () => {
    const read = readTemplate((await draft()).template, (await source()) as Source);
    return 'refusal' in read ? read : { template: read.template, correction: { origin: 'Given' as const } };
  });
  const objection = await firstObjection(
    {
      enabled: deps.enabled,
      namespace,
      isDenied: deps.deniedNamespaces.some((glob) => globMatches(glob, namespace)),
      isFromApi: true,
      hasAcknowledged: wanted.acknowledge_side_effects === true,
      record: async () => ({ record: detail }),
      source,
      correction,
      limit: async () => undefined,
    },
    REQUEST_CHECKS,
  );
  if (objection) throw new Refusal(objection.answer.kind, objection.answer.message);
  const [given, found, chosen] = await Promise.all([draft(), source(), correction()]);
  if (!found || 'refusal' in chosen) throw new Error('the checks passed a mirror without a source or a correction');
  const suggested = suggestedTtlSeconds({
    spec: chosen.template.spec,
    history: historyFor(detail, found),
    ...(found.pod && { pod: found.pod }),
  });
  const ttlSeconds = wanted.ttl_seconds ?? Math.max(suggested, await defaultTtlSeconds(deps.settings));
  const mirror = mirrorOf(detail, given, { ttlSeconds, hasAcknowledged: wanted.acknowledge_side_effects === true });
  await dryRun(deps, mirror, { ...chosen, source: found, record: detail, ttlSeconds });
  const risks = ttlSeconds < suggested ? [tooShort(ttlSeconds, suggested)] : [];
  return { mirror, explanation: given.explanation, risks };
}

const tooShort = (ttlSeconds: number, suggested: number): string =>
  `Its ${ttlSeconds} s may be too short for a verdict: start, observation window and a margin take ${suggested} s.`;

/** A template to try, and its origin. */
interface TemplateDraft {
  template: PodTemplate;
  explanation: string;
  /** The id of the preview that the template comes from. */
  preview: number | undefined;
}

/**
 * Chooses the template: the given manifest, or else the named correction of the latest preview, or else the first correction of the preview
 * that a mirror may run and that no mirror has refuted.
 */
async function draftTemplate(
  { previews, previewer }: DeployDeps,
  detail: FailureDetail,
  { manifest, candidate: wanted }: DeployMirror,
): Promise<TemplateDraft> {
  const latest = await previews.latest(detail.id);
  if (manifest !== undefined) {
    const template = parsed(manifest);
    const same = latest?.candidates.find(({ fixed_manifest }) => fixed_manifest.trim() === manifest.trim());
    return { template, explanation: same?.explanation ?? '', preview: same && latest?.id };
  }
  const preview = latest ?? (await previewer.make(detail));
  const correction = chosenFrom(preview, wanted, detail);
  const template = templateOfManifest(correction.fixed_manifest);
  if (!template) throw new Refusal('invalid', 'The preview holds no pod template');
  return { template, explanation: correction.explanation, preview: preview.id };
}

function chosenFrom(
  { candidates: corrections, mirrorable, explanation }: MirrorPreview,
  wanted: number | undefined,
  { trials }: Pick<FailureDetail, 'trials'>,
): PreviewCorrection {
  const correction = wanted === undefined ? nextCorrection(corrections, trials) : corrections[wanted];
  if (correction?.mirrorable) return correction;
  if (wanted !== undefined && !correction) throw new Refusal('invalid', `candidate must be below ${corrections.length}`);
  if (wanted === undefined && corrections.some((one) => one.mirrorable))
    throw new Refusal('invalid', 'Every correction that a mirror may try was tried and still fails: name a candidate to try it again');
  const why = corrections.length === 0 || mirrorable ? explanation : 'no candidate can be proved by a mirror, or may be run by one';
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

/** A new name: `<source>-<5 random characters>`. */
function freshName(source: string): string {
  const ending = Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${source.slice(0, 57).replace(/[^a-z0-9]+$/, '')}-${ending}`;
}

/** Derives the name from the request. If two processes handle the same request, only one of them can create the object. */
function forRequest(mirror: MirrorPod, request: string): MirrorPod {
  const digest = hash('sha256', request, 'buffer');
  const ending = Array.from(digest.subarray(0, 8), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const name = `${mirror.spec.source.name.slice(0, 54).replace(/[^a-z0-9]+$/, '')}-${ending}`;
  const annotations = { ...mirror.metadata.annotations, [REQUEST_ANNOTATION]: request };
  return { ...mirror, metadata: { ...mirror.metadata, name, annotations } };
}

const isOfRequest = ({ metadata }: MirrorPod, request: string): boolean => metadata.annotations?.[REQUEST_ANNOTATION] === request;

async function createOnce(client: Pick<KubeClient, 'create' | 'read'>, mirror: MirrorPod, request: string): Promise<MirrorPod> {
  try {
    return await client.create(KINDS.mirrorPod, mirror);
  } catch (error) {
    const held =
      isKubeError(error, 409) && (await client.read(KINDS.mirrorPod, mirror.metadata.namespace ?? '', mirror.metadata.name ?? ''));
    if (held && isOfRequest(held, request)) return held;
    throw error;
  }
}

const MAX_NAMES = 5;

/** Creates the object. When the name is taken, tries another random name. */
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

function mirrorOf(
  { id, namespace, pod_name }: FailureDetail,
  { template, preview }: TemplateDraft,
  { ttlSeconds, hasAcknowledged }: { ttlSeconds: number; hasAcknowledged: boolean },
): MirrorPod {
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
      ...(hasAcknowledged ? { acknowledgeSideEffects: true } : {}),
    },
  };
}

/** Asks the API server to check the pod and the MirrorPod (dry run) before anything is created. */
async function dryRun(
  { client, now }: DeployDeps,
  mirror: MirrorPod,
  { ttlSeconds, ...pod }: Omit<Prepared, 'kind' | 'neighbours'> & { ttlSeconds: number },
): Promise<void> {
  const neighbours = await readNeighbours(client, pod.source.namespace);
  const metadata = { ...mirror.metadata, uid: '00000000-0000-0000-0000-000000000000', creationTimestamp: now().toISOString() };
  const draft = podOf({ ...mirror, metadata }, { ...pod, neighbours }, ttlSeconds);
  const answer =
    (await admission(() => client.create(KINDS.pod, draft, { dryRun: true }))) ??
    (await admission(() => createNamed(client, mirror, { dryRun: true })));
  if (!answer || answer.kind === 'unknown') return;
  throw new Refusal(answer.kind === 'waiting' ? 'conflict' : 'invalid', answer.message);
}
