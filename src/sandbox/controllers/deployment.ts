import type { Api } from '../api/api.ts';
import type { Loose, Stored } from '../store/object.ts';
import { timeText } from '../store/object.ts';
import { recorder } from './recorder.ts';
import { controllerLoop } from './loop.ts';
import { controllerOf, ownerKeys, withCondition } from './pods.ts';
import { currentSet, sizeAnnotations } from './revision.ts';
import { margins, rolloutSteps, type Step } from './rollout.ts';

/**
 * Rolls out a Deployment: scales the new ReplicaSet up, and the old ones down while the new one becomes ready. Sets the same conditions as
 * the real controller.
 */
export function startDeployments(api: Api): () => void {
  const kind = api.registry.builtin('deployments');
  const sets = api.registry.builtin('replicasets');
  const record = recorder(api, 'deployment-controller');

  const setsOf = (deployment: Stored) =>
    api.store.list(sets.storage, deployment.metadata.namespace).filter((set) => controllerOf(set) === deployment.metadata.uid);

  function scaleSet(deployment: Stored, { set, replicas }: Step): void {
    const before = set.spec.replicas;
    api.change(sets, set, '', (copy) => {
      copy.spec.replicas = replicas;
      Object.assign((copy.metadata.annotations ??= {}), sizeAnnotations(deployment));
    });
    if (before === replicas) return;
    record({
      object: deployment,
      reason: 'ScalingReplicaSet',
      message: `Scaled ${replicas > before ? 'up' : 'down'} replica set ${set.metadata.name} from ${before} to ${replicas}`,
    });
  }

  function roll(deployment: Stored): { current: Stored; all: Stored[] } {
    const existing = setsOf(deployment);
    const { set: current, isNew } = currentSet(api, deployment, existing);
    if (isNew && current.spec.replicas > 0)
      record({
        object: deployment,
        reason: 'ScalingReplicaSet',
        message: `Scaled up replica set ${current.metadata.name} from 0 to ${current.spec.replicas}`,
      });
    const old = existing.filter((set) => set.metadata.uid !== current.metadata.uid);
    for (const step of rolloutSteps(deployment, current, old)) scaleSet(deployment, step);
    const all = setsOf(deployment);
    return { current: all.find((set) => set.metadata.uid === current.metadata.uid) ?? current, all };
  }

  function conditionsOf(deployment: Stored, current: Stored, counts: Loose): Loose[] {
    const now = timeText(api.clock.now());
    const set = (conditions: Loose[] | undefined, condition: Loose) =>
      withCondition(conditions, { lastUpdateTime: now, ...condition }, now);
    const wanted = deployment.spec.replicas;
    const isAvailable = counts.ready >= wanted - margins(deployment).unavailable;
    const isComplete = counts.ready === wanted && counts.updated === wanted && counts.total === wanted;
    const before = deployment.status?.conditions as Loose[] | undefined;
    const progressing = before?.find((c) => c.type === 'Progressing');
    let conditions = set(
      before,
      isAvailable
        ? { message: 'Deployment has minimum availability.', reason: 'MinimumReplicasAvailable', status: 'True', type: 'Available' }
        : {
            message: 'Deployment does not have minimum availability.',
            reason: 'MinimumReplicasUnavailable',
            status: 'False',
            type: 'Available',
          },
    );
    const name = `"${current.metadata.name}"`;
    const isLate =
      !isComplete &&
      api.clock.now().getTime() - Date.parse(current.metadata.creationTimestamp) >= deployment.spec.progressDeadlineSeconds * 1000;
    if (isComplete)
      conditions = set(conditions, {
        message: `ReplicaSet ${name} has successfully progressed.`,
        reason: 'NewReplicaSetAvailable',
        status: 'True',
        type: 'Progressing',
      });
    else if (progressing?.reason === 'NewReplicaSetAvailable' && counts.updated === wanted) conditions = [...conditions];
    else if (isLate)
      conditions = set(conditions, {
        message: `ReplicaSet ${name} has timed out progressing.`,
        reason: 'ProgressDeadlineExceeded',
        status: 'False',
        type: 'Progressing',
      });
    else
      conditions = set(
        conditions,
        progressing && counts.updated
          ? { message: `ReplicaSet ${name} is progressing.`, reason: 'ReplicaSetUpdated', status: 'True', type: 'Progressing' }
          : { message: `Created new replica set ${name}`, reason: 'NewReplicaSetCreated', status: 'True', type: 'Progressing' },
      );
    const failure = current.status?.conditions?.find((c: Loose) => c.type === 'ReplicaFailure');
    if (failure) return set(conditions, { message: failure.message, reason: failure.reason, status: 'True', type: 'ReplicaFailure' });
    return conditions.filter((c) => c.type !== 'ReplicaFailure');
  }

  const loop = controllerLoop(api, ownerKeys(api, kind.storage, 'Deployment'), (key) => {
    const deployment = api.store.get(kind.storage, key);
    if (!deployment || deployment.metadata.deletionTimestamp || deployment.spec.paused) return;
    const { current, all } = roll(deployment);
    const sum = (field: string) => all.reduce((total, set) => total + (set.status?.[field] ?? 0), 0);
    const counts = { ready: sum('readyReplicas'), total: sum('replicas'), updated: current.status?.replicas ?? 0 };
    const unavailable = Math.max(0, deployment.spec.replicas - counts.ready);
    api.change(kind, deployment, 'status', (copy) => {
      copy.status = {
        conditions: conditionsOf(copy, current, counts),
        observedGeneration: deployment.metadata.generation,
        ...(counts.total && { replicas: counts.total }),
        terminatingReplicas: sum('terminatingReplicas'),
        ...(counts.updated && { updatedReplicas: counts.updated }),
        ...(counts.ready && { readyReplicas: counts.ready, availableReplicas: counts.ready }),
        ...(unavailable && { unavailableReplicas: unavailable }),
      };
    });
    const deadline =
      Date.parse(current.metadata.creationTimestamp) + deployment.spec.progressDeadlineSeconds * 1000 + 1000 - api.clock.now().getTime();
    if (unavailable && deadline > 0) loop.enqueue(key, deadline);
  });
  return () => loop.stop();
}
