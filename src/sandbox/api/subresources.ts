import type { ServerResponse } from 'node:http';
import type { Api, Named, WriteOptions } from './api.ts';
import { conflict, invalid, invalidValue, notFound, unknownPath } from './errors.ts';
import type { Kind } from '../kinds/kinds.ts';
import type { Loose, Stored } from '../store/object.ts';
import { timeText } from '../store/object.ts';
import { mergePatch } from '../patch/patch.ts';

/** The source of containers' logs. Throws `ApiError` with the messages of the kubelet and the API server. */
export interface PodLogs {
  send(pod: Stored, query: URLSearchParams, response: ServerResponse): void;
}

/** `GET …/status` returns the whole object. Throws 404 for a subresource that the kind does not have. */
export function subresourceGet(kind: Kind, object: Stored, subresource: string | undefined): Stored {
  if (subresource === undefined || (subresource === 'status' && kind.hasStatus)) return object;
  if (kind.isCustom) throw notFound(kind, object.metadata.name);
  throw unknownPath();
}

/** autoscaling/v1 Scale of a workload. */
export function readScale(kind: Kind, object: Stored): Loose {
  if (!kind.hasScale) throw unknownPath();
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = Object.entries((object.spec.selector?.matchLabels ?? {}) as Record<string, string>)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { ...(object.spec.replicas && { replicas: object.spec.replicas }) },
    status: { replicas: object.status?.replicas ?? 0, selector },
  };
}

/** Changes `spec.replicas` by a Scale, or a merge patch of one. */
export function writeScale(api: Api, { kind, namespace, name }: Named, body: Loose, options: WriteOptions & { isPatch: boolean }): Loose {
  const object = api.get(kind, namespace, name);
  const { subresource: _subresource, isPatch, ...rest } = options;
  const scale = isPatch ? mergePatch(readScale(kind, object), body) : body;
  const replicas = scale.spec?.replicas ?? 0;
  if (replicas < 0)
    throw invalid({ group: 'autoscaling', plural: '', kind: 'Scale' }, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  const { object: changed } = api.patch({ kind, namespace, name }, 'merge', { spec: { replicas } }, rest);
  return readScale(kind, changed);
}

/** `POST …/binding`: assigns a pod to a node, once. */
export function bindPod(api: Api, { kind, namespace, name }: Named, target: string): Loose {
  const pod = api.get(kind, namespace, name);
  if (pod.spec.nodeName)
    throw conflict(
      { ...kind, plural: 'pods/binding' },
      name,
      `pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`,
    );
  const condition = { lastProbeTime: null, lastTransitionTime: timeText(api.clock.now()), status: 'True', type: 'PodScheduled' };
  api.change(kind, pod, '', (copy) => {
    copy.spec.nodeName = target;
    copy.status.conditions = [...(copy.status.conditions ?? []).filter((c: Loose) => c.type !== 'PodScheduled'), condition];
  });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** `POST …/eviction`: a deletion that disruption budgets could refuse. The sandbox has no such budgets. */
export function evict(api: Api, kind: Kind, namespace: string | undefined, name: string, body: Loose): Loose {
  api.remove(kind, namespace, name, body?.deleteOptions ?? {});
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}
