import type { FailureDetail, FailureRecord } from '../../../src/contract/failure.ts';
import * as assert from 'uvu/assert';
import { type Installed, installPodmend } from './installed.ts';
import { until } from '../runner/wait.ts';

/** Podmend on a real node, with its own namespace and access to its records. */
export interface NodeWorld extends Installed {
  namespace: string;
  /** All records of the namespace, open and closed, oldest first. */
  records(): Promise<FailureRecord[]>;
  /** The only record of a pod. Throws if there is no record, or more than one. */
  single(pod: string): Promise<FailureRecord>;
  /** The only record of a pod, once it exists. */
  recordOf(pod: string, timeoutMs?: number): Promise<FailureRecord>;
  /** The only record of a pod, once it is resolved. */
  closed(pod: string, timeoutMs?: number): Promise<FailureRecord>;
  detail(id: number): Promise<FailureDetail>;
  /** Applies pods with these specs (YAML in one line), by name. */
  run(pods: Record<string, string>): Promise<void>;
  /** Deletes a pod and waits until it is gone. */
  remove(...args: string[]): Promise<void>;
  signUp(): Promise<void>;
  end(): Promise<void>;
}

/** `admin` is the path of a disposable cluster's kubeconfig. The namespace's name begins with `stem`. Nothing is started yet. */
export async function nodeWorld(admin: string, stem: string): Promise<NodeWorld> {
  // The namespace of an earlier run may still exist.
  const namespace = `${stem}-${Date.now().toString(36)}`;
  const installed = await installPodmend(admin);
  const { client, kubectl } = installed;
  await kubectl.apply(`{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`);
  const records = async () => {
    const lists = await Promise.all(['failed', 'history'].map((list) => client.get<FailureRecord[]>(`/api/pods/${list}`)));
    const own = lists.flat().filter((record) => record.namespace === namespace);
    return own.sort((a, b) => a.id - b.id);
  };
  const single = async (pod: string) => {
    const found = (await records()).filter(({ pod_name }) => pod_name === pod);
    const [record] = found;
    if (!record || found.length > 1) throw new Error(`${found.length} records of ${pod}: ${JSON.stringify(found).slice(0, 3000)}`);
    return record;
  };
  const soon = { everyMs: 200 };
  return {
    ...installed,
    namespace,
    records,
    single,
    recordOf: (pod, timeoutMs = 60_000) => until(() => single(pod), { ...soon, timeoutMs, what: `the record of ${pod}` }),
    closed: (pod, timeoutMs = 60_000) =>
      until(async () => ((await single(pod)).resolved_at ? single(pod) : undefined), {
        ...soon,
        timeoutMs,
        what: `the end of the record of ${pod}`,
      }),
    detail: (id) => client.get<FailureDetail>(`/api/pods/failed/${id}`),
    async run(pods) {
      const manifest = ([name, spec]: [string, string]) =>
        `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: ${spec}\n`;
      await kubectl.apply(Object.entries(pods).map(manifest).join('---\n'));
    },
    async remove(...args) {
      await kubectl('delete', 'pod', '-n', namespace, '--grace-period=1', '--wait=true', '--timeout=60s', ...args);
    },
    async signUp() {
      const { status } = await client.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' });
      if (status !== 200) throw new Error(`signup: ${status}`);
    },
    end: () => installed.stop([namespace]),
  };
}

/** Specs of pods, named after their state. */
export const PODS = {
  well: `{terminationGracePeriodSeconds: 1, containers: [{name: app, image: 'web:1'}]}`,
  unpulled: `{terminationGracePeriodSeconds: 1, containers: [{name: app, image: 'web:9'}]}`,
  unconfigured: (configMap: string) =>
    `{terminationGracePeriodSeconds: 1, containers: [{name: app, image: 'web:1', env: [{name: SIZE, valueFrom: {configMapKeyRef: {name: ${configMap}, key: size}}}]}]}`,
  /** It gets no container and no sandbox, so it costs the node little. */
  unmounted: `{terminationGracePeriodSeconds: 1, volumes: [{name: settings, configMap: {name: nowhere}}], containers: [{name: app, image: 'web:1', volumeMounts: [{name: settings, mountPath: /settings}]}]}`,
  /** It cannot be scheduled. */
  unplaced: `{nodeSelector: {is: nowhere}, terminationGracePeriodSeconds: 0, containers: [{name: app, image: 'web:1'}]}`,
  failing: `{restartPolicy: Never, terminationGracePeriodSeconds: 1, containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, 'echo last words; exit 3']}]}`,
  looping: `{terminationGracePeriodSeconds: 1, containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, 'echo last words; sleep 1; exit 3']}]}`,
  crashingOnce: `{terminationGracePeriodSeconds: 1, volumes: [{name: memory, emptyDir: {}}], containers: [{name: app, image: 'busybox:1.35', volumeMounts: [{name: memory, mountPath: /m}], command: [sh, -c, 'if [ -e /m/again ]; then sleep 3600; fi; touch /m/again; echo first words; exit 3']}]}`,
} as const;

/** Kubernetes' times have whole seconds. */
const SECOND = 1_000;

/** Milliseconds since 1970; NaN if the text is not a time. */
export function millis(instant: string | null | undefined): number {
  return Date.parse(instant ?? '');
}

/**
 * Asserts that times are in order. Each may be up to a second before the one in front of it, because Kubernetes cuts its times to seconds.
 */
export function inOrder(what: string, ...instants: (number | string | null | undefined)[]): void {
  const numbers = instants.map((one) => (typeof one === 'number' ? one : millis(one)));
  const isOrdered = numbers.every((one, index) => one >= (numbers[index - 1] ?? one) - SECOND);
  assert.ok(isOrdered, `${what}: ${instants.join(' ')}`);
}
