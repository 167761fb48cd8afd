import type { Api } from '../api/api.ts';
import type { Clock } from '../clock.ts';
import type { Loose, Stored } from '../store/object.ts';
import { keyOf, timeText } from '../store/object.ts';
import { unitsOf } from '../store/quantity.ts';
import { recorder } from '../controllers/recorder.ts';
import { type ImageRegistry, imageStore } from './imagestore.ts';
import type { ContainerRunner } from './container.ts';
import { PodRunner } from './pod.ts';

/** The simulated node, which runs the pods that are bound to it. */
export interface Node {
  start(): () => void;
  /** The container of a running pod, for its logs. */
  runner(pod: Stored, container: string): ContainerRunner | undefined;
}

/** A resource of which the node has too little for one more pod, in the words of the kubelet's admission. */
function shortage(pod: Stored, others: Stored[], allocatable: Record<string, string>): { reason: string; message: string } | undefined {
  const requested = (p: Stored, name: string) =>
    (p.spec.containers as Loose[]).reduce((sum, c) => sum + unitsOf(name, c.resources?.requests?.[name]), 0);
  for (const name of ['cpu', 'memory']) {
    const [asked, capacity] = [requested(pod, name), unitsOf(name, allocatable[name])];
    const used = others.reduce((sum, other) => sum + requested(other, name), 0);
    if (asked > 0 && asked + used > capacity)
      return {
        reason: `OutOf${name}`,
        message: `Node didn't have enough resource: ${name}, requested: ${asked}, used: ${used}, capacity: ${capacity}`,
      };
  }
  return undefined;
}

/** The dependencies of a kubelet. Without `registry` it uses the simulated one. */
export interface KubeletDeps {
  api: Api;
  clock: Clock;
  deadlineClock: Clock;
  nodeName: string;
  registry?: ImageRegistry;
}

/** The kubelet of one node. `deadlineClock` measures `activeDeadlineSeconds` in real time. */
export function kubelet({ api, clock, deadlineClock, nodeName, registry }: KubeletDeps): Node {
  const pods = api.registry.builtin('pods');
  const runners = new Map<string, PodRunner>();
  const record = recorder(api, 'kubelet', { host: nodeName });
  let address = 1;

  const deps = {
    api,
    clock,
    deadlineClock,
    images: imageStore(api, clock, registry),
    machinesAt: (ip: string) => [...runners.values()].find((runner) => runner.address === ip)?.machines(),
    allocateAddress: () => `10.244.${(++address >> 8) & 255}.${address & 255}`,
    event: (object: Stored, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string) =>
      record({ object, type, reason, message, ...(fieldPath && { fieldPath }) }),
  };

  function admit(pod: Stored): void {
    const node = api.store.get(api.registry.builtin('nodes').storage, nodeName);
    const others = [...runners.values()]
      .flatMap((r) => api.store.get(pods.storage, r.key) ?? [])
      .filter((p) => !['Succeeded', 'Failed'].includes(p.status?.phase));
    const lacking = shortage(pod, others, node?.status?.allocatable ?? {});
    if (lacking) {
      record({ object: pod, type: 'Warning', ...lacking });
      const status = {
        phase: 'Failed',
        reason: lacking.reason,
        message: `Pod was rejected: ${lacking.message}`,
        startTime: timeText(clock.now()),
      };
      api.change(pods, pod, 'status', (copy) => (copy.status = { ...copy.status, ...status, observedGeneration: pod.metadata.generation }));
      return;
    }
    const runner = new PodRunner(deps, pod);
    runners.set(pod.metadata.uid, runner);
    runner
      .run()
      .catch((error: unknown) =>
        record({ object: pod, type: 'Warning', reason: 'FailedSync', message: `error syncing pod: ${(error as Error).message}` }),
      );
  }

  function see(pod: Stored): void {
    const runner = runners.get(pod.metadata.uid);
    if (runner) runner.update(pod);
    else if (pod.metadata.deletionTimestamp) api.remove(pods, pod.metadata.namespace, pod.metadata.name, { gracePeriodSeconds: 0 });
    else if (!['Succeeded', 'Failed'].includes(pod.status?.phase)) admit(pod);
  }

  return {
    start() {
      const forget = api.store.onChange(({ type, storage, object }) => {
        if (storage !== pods.storage || object.spec?.nodeName !== nodeName) return;
        if (type === 'DELETED') {
          runners.get(object.metadata.uid)?.abandon();
          runners.delete(object.metadata.uid);
        } else
          clock.after(0, () => {
            const now = api.store.get(pods.storage, keyOf(object));
            if (now?.metadata.uid === object.metadata.uid) see(now);
          });
      });
      return () => {
        forget();
        for (const runner of runners.values()) runner.abandon();
        runners.clear();
      };
    },
    runner: (pod, container) => runners.get(pod.metadata.uid)?.runner(container),
  };
}
