import type { Api } from '../api/api.ts';
import type { Clock } from '../clock.ts';
import type { Loose, Stored } from '../store/object.ts';
import { isSame, keyOf } from '../store/object.ts';
import { randomBytes } from 'node:crypto';
import type { PodContext } from './context.ts';
import { ContainerRunner, STORAGE_CHECK_MS } from './container.ts';
import type { Files } from './files.ts';
import type { ImageStore } from './imagestore.ts';
import type { Machine } from './machine.ts';
import type { MachinesAt } from './network.ts';
import { clusterNetwork } from './network.ts';
import { podStatus } from './status.ts';
import { MountFault, volumeFiles } from './volumes.ts';

/** What every pod of the node is run with. */
export interface PodDeps {
  api: Api;
  /** The simulated cluster's clock, which `speed` accelerates. */
  clock: Clock;
  /** The clock for `activeDeadlineSeconds`, which is a promise in real time. */
  deadlineClock: Clock;
  images: ImageStore;
  machinesAt: MachinesAt;
  allocateAddress(): string;
  event(pod: Stored, type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void;
}

const SANDBOX_MS = 300;
const TEARDOWN_MS = 1000;

/** One pod on the node, from its binding to its end. Invariant: `publish` is the only writer of its status. */
export class PodRunner {
  readonly key: string;
  readonly uid: string;
  #deps: PodDeps;
  #pod: Stored;
  #init: ContainerRunner[];
  #containers: ContainerRunner[];
  #volumes = new Map<string, Files>();
  #address: string | undefined;
  #isSandboxReady = false;
  #startedAt: Date;
  #ended: { reason: string; message: string } | undefined;
  #isOver = false;
  #isTerminating = false;
  #deadline: { seconds: number; cancel: () => void } | undefined;
  #cancelCheck: (() => void) | undefined;

  constructor(deps: PodDeps, pod: Stored) {
    this.#deps = deps;
    this.#pod = pod;
    this.key = keyOf(pod);
    this.uid = pod.metadata.uid;
    this.#startedAt = deps.clock.now();
    const context = this.#context();
    const policy = pod.spec.restartPolicy as string;
    const initPolicy = (spec: Loose) => (spec.restartPolicy === 'Always' ? 'Always' : policy === 'Never' ? 'Never' : 'OnFailure');
    const copies = structuredClone(pod.spec);
    this.#init = (copies.initContainers ?? []).map(
      (spec: Loose) => new ContainerRunner(context, spec, { policy: initPolicy(spec), part: 'initContainers' }),
    );
    this.#containers = copies.containers.map((spec: Loose) => new ContainerRunner(context, spec, { policy, part: 'containers' }));
    if (this.#init.length) for (const runner of this.#all()) runner.state = { waiting: { reason: 'PodInitializing' } };
  }

  get address(): string | undefined {
    return this.#address;
  }

  runner(name: string): ContainerRunner | undefined {
    return this.#all().find((runner) => runner.spec.name === name);
  }

  machines(): Machine[] {
    return this.#all().flatMap((runner) => runner.machine ?? []);
  }

  /** Runs the pod until it is over. */
  async run(): Promise<void> {
    this.#watchDeadline();
    this.#publish();
    await this.#mountAll();
    await this.#createSandbox();
    if (this.#isTerminating) return;
    this.#isSandboxReady = true;
    this.#address = this.#deps.allocateAddress();
    this.#publish();
    this.#checkStorage();
    const isInitialized = await this.#initialize();
    if (!this.#isTerminating && isInitialized) {
      if (this.#init.length) for (const runner of this.#containers) runner.state = { waiting: { reason: 'PodInitializing' } };
      await Promise.all(this.#containers.map((runner) => runner.run()));
    }
    if (!this.#isTerminating) await this.#finish();
  }

  /** The pod as it is stored now. It may be terminating, or have other images or another deadline. */
  update(pod: Stored): void {
    this.#pod = pod;
    if (pod.metadata.deletionTimestamp) {
      void this.#remove(pod.metadata.deletionGracePeriodSeconds ?? 0);
      return;
    }
    const specs = [...(pod.spec.initContainers ?? []), ...pod.spec.containers] as Loose[];
    for (const spec of specs) this.runner(spec.name)?.changeImage(spec.image);
    this.#watchDeadline();
  }

  /** Forgets everything: the pod is gone. */
  abandon(): void {
    this.#isTerminating = true;
    this.#deadline?.cancel();
    this.#cancelCheck?.();
    for (const runner of this.#all()) void runner.stop(0);
  }

  #all(): ContainerRunner[] {
    return [...this.#init, ...this.#containers];
  }

  #context(): PodContext {
    const { api, clock, images, machinesAt, event } = this.#deps;
    const machines = () => this.machines();
    return {
      api,
      clock,
      images,
      pod: () => this.#pod,
      podIP: () => this.#address ?? '',
      network: clusterNetwork(api, this.#pod.metadata.namespace ?? '', machines, machinesAt),
      machines,
      volumes: this.#volumes,
      event: (type, reason, message, fieldPath) => event(this.#pod, type, reason, message, fieldPath),
      publish: () => this.#publish(),
    };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => this.#deps.clock.after(ms, done));
  }

  #publish(): void {
    const { api, clock } = this.#deps;
    const kind = api.registry.builtin('pods');
    const stored = api.store.get(kind.storage, this.key);
    if (!stored || stored.metadata.uid !== this.uid) return;
    const view = {
      pod: stored,
      initStatuses: this.#init.map((runner) => runner.status()),
      statuses: this.#containers.map((runner) => runner.status()),
      isSandboxReady: this.#isSandboxReady,
      podIP: this.#address,
      startedAt: this.#startedAt,
      now: clock.now(),
      isOver: this.#isOver,
      ...(this.#ended && { ended: this.#ended }),
    };
    const status = podStatus(view);
    if (!isSame(status, stored.status))
      this.#pod = api.change(kind, stored, 'status', (pod) => (pod.status = structuredClone(status))) ?? this.#pod;
  }

  async #mountAll(): Promise<void> {
    const used = new Set(this.#all().flatMap((runner) => (runner.spec.volumeMounts ?? []).map((mount: Loose) => mount.name as string)));
    for (let wait = 500; !this.#isTerminating; wait = Math.min(wait * 2, 122_000)) {
      const faults = (this.#pod.spec.volumes ?? []).filter((volume: Loose) => used.has(volume.name) && !this.#mount(volume));
      if (faults.length === 0) return;
      await this.#pause(wait);
    }
  }

  #mount(volume: Loose): boolean {
    if (this.#volumes.has(volume.name)) return true;
    try {
      this.#volumes.set(volume.name, volumeFiles(this.#deps.api, this.#pod, volume));
      return true;
    } catch (error) {
      if (!(error instanceof MountFault)) throw error;
      this.#deps.event(this.#pod, 'Warning', 'FailedMount', `MountVolume.SetUp failed for volume "${volume.name}" : ${error.message}`);
      return false;
    }
  }

  async #createSandbox(): Promise<void> {
    const { api } = this.#deps;
    const name = this.#pod.spec.runtimeClassName;
    for (let wait = SANDBOX_MS; !this.#isTerminating; wait = 12_000) {
      await this.#pause(wait);
      const handler = name ? api.store.get(api.registry.builtin('runtimeclasses').storage, name)?.handler : 'runc';
      if (handler === 'runc' || this.#isTerminating) return;
      const id = randomBytes(32).toString('hex');
      this.#deps.event(
        this.#pod,
        'Warning',
        'FailedCreatePodSandBox',
        `Failed to create pod sandbox: rpc error: code = Unknown desc = unable to get OCI runtime for sandbox "${id}": no runtime for "${handler}" is configured`,
      );
    }
  }

  /** Runs the init containers one after the other; sidecars only have to start. Returns whether the app containers may start. */
  async #initialize(): Promise<boolean> {
    for (const runner of this.#init) {
      if (this.#isTerminating) return false;
      if (runner.spec.restartPolicy === 'Always') {
        void runner.run();
        await runner.started();
      } else if ((await runner.run()) !== 0) return false;
    }
    return true;
  }

  /** After the last container has ended: ends the sidecars, then the sandbox, then writes the phase. */
  async #finish(): Promise<void> {
    this.#isTerminating = true;
    this.#deadline?.cancel();
    this.#cancelCheck?.();
    const grace = this.#pod.spec.terminationGracePeriodSeconds ?? 30;
    await Promise.all(this.#init.filter((runner) => runner.machine).map((runner) => runner.stop(grace)));
    await this.#pause(TEARDOWN_MS);
    this.#over();
  }

  #over(): void {
    this.#isOver = true;
    this.#isSandboxReady = false;
    this.#publish();
  }

  /** Fails the pod for a reason outside its containers. */
  async #fail(reason: string, message: string, type: 'Normal' | 'Warning'): Promise<void> {
    if (this.#isTerminating) return;
    this.#isTerminating = true;
    this.#cancelCheck?.();
    this.#ended = { reason, message };
    this.#deps.event(this.#pod, type, reason, message);
    this.#publish();
    await this.#stopAll(this.#pod.spec.terminationGracePeriodSeconds ?? 30);
    await this.#pause(TEARDOWN_MS);
    this.#over();
  }

  async #stopAll(graceSeconds: number): Promise<void> {
    await Promise.all(this.#containers.map((runner) => runner.stop(graceSeconds)));
    await Promise.all(this.#init.map((runner) => runner.stop(graceSeconds)));
  }

  #isRemoving = false;

  async #remove(graceSeconds: number): Promise<void> {
    if (this.#isRemoving && graceSeconds > 0) return;
    this.#isRemoving = true;
    this.#isTerminating = true;
    this.#deadline?.cancel();
    this.#cancelCheck?.();
    await this.#stopAll(graceSeconds);
    if (!this.#isOver) this.#over();
    const { api } = this.#deps;
    const kind = api.registry.builtin('pods');
    const stored = api.store.get(kind.storage, this.key);
    if (stored?.metadata.uid === this.uid) api.remove(kind, stored.metadata.namespace, stored.metadata.name, { gracePeriodSeconds: 0 });
  }

  #watchDeadline(): void {
    const seconds = this.#pod.spec.activeDeadlineSeconds as number | undefined;
    if (seconds === undefined || seconds === this.#deadline?.seconds || this.#isTerminating) return;
    this.#deadline?.cancel();
    const { deadlineClock } = this.#deps;
    const left = this.#startedAt.getTime() + seconds * 1000 - deadlineClock.now().getTime();
    const cancel = deadlineClock.after(
      Math.max(left, 0),
      () => void this.#fail('DeadlineExceeded', 'Pod was active on the node longer than the specified deadline', 'Normal'),
    );
    this.#deadline = { seconds, cancel };
  }

  /** Checks at intervals whether a container wrote more than its limit. Only pods with such a limit are checked. */
  #checkStorage(): void {
    if (!this.#containers.some((runner) => runner.spec.resources?.limits?.['ephemeral-storage'])) return;
    this.#cancelCheck = this.#deps.clock.after(STORAGE_CHECK_MS, () => {
      const limit = this.#containers.map((runner) => runner.storageExcess()).find(Boolean);
      if (limit)
        void this.#fail('Evicted', `Pod ephemeral local storage usage exceeds the total limit of containers ${limit}. `, 'Warning');
      else this.#checkStorage();
    });
  }
}
