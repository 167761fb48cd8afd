import type { Loose } from '../store/object.ts';
import { timeText } from '../store/object.ts';
import { quantity } from '../store/quantity.ts';
import { durationText, type Ending, waitsBefore } from './backoff.ts';
import { containerStatus } from './container-status.ts';
import type { PodContext } from './context.ts';
import { fetchImage, RESYNC_MS } from './fetch-image.ts';
import { hookMessage } from './hooks.ts';
import type { Image } from './images.ts';
import type { Machine } from './machine.ts';
import type { ProbeResult } from './probe.ts';
import { planRun } from './plan-run.ts';
import { ask } from './probe.ts';
import { startProbes } from './start-probes.ts';
import type { Process } from './process.ts';
import { startFault, startProcess } from './process.ts';
import { makeRun, type Run, terminationMessage } from './run.ts';

const RUNC =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ';
/** After this time without a crash, the next crash counts as the first one. */
const FORGIVEN_MS = 600_000;

/** One container of a pod through all its runs. `run()` ends when the kubelet will not start it again. */
export class ContainerRunner {
  readonly spec: Loose;
  restartCount = 0;
  state: Loose = { waiting: { reason: 'ContainerCreating' } };
  lastState: Loose = {};
  isReady = false;
  isStarted = false;
  current: Run | undefined;
  previous: Run | undefined;
  machine: Machine | undefined;
  #context: PodContext;
  #policy: string;
  #fieldPath: string;
  #image: Image | undefined;
  #process: Process | undefined;
  #killedBy: Ending['by'] | undefined;
  #isStopping = false;
  #wake: (() => void) | undefined;
  #onStarted: (() => void)[] = [];
  #crashes = 0;

  constructor(context: PodContext, spec: Loose, { policy, part }: { policy: string; part: 'containers' | 'initContainers' }) {
    this.#context = context;
    this.spec = spec;
    this.#policy = policy;
    this.#fieldPath = `spec.${part}{${spec.name}}`;
  }

  /** Its entry in the pod's status. */
  status(): Loose {
    return containerStatus(this, { image: this.#image, uid: this.#uid() });
  }

  /** Runs the container until it will not be started again. Returns its last exit code. */
  async run(): Promise<number> {
    for (;;) {
      const image = await this.#fetchImage();
      if (!image) return this.#lastExit();
      const prepared = await this.#prepare(image);
      if (this.#isStopping) return this.#lastExit();
      if (!prepared) continue;
      const startedAt = this.#context.clock.now().getTime();
      const ending = await this.#once(prepared);
      if (this.#isStopping || !this.#isRestarted(ending.exitCode)) return ending.exitCode;
      if (this.#context.clock.now().getTime() - startedAt > FORGIVEN_MS) this.#crashes = 0;
      await this.#backOff(ending.by);
      if (this.#isStopping) return ending.exitCode;
      this.restartCount += 1;
    }
  }

  /** Resolves when it has started (and its startup probe, if any, has passed). */
  started(): Promise<void> {
    return this.isStarted ? Promise.resolve() : new Promise((done) => this.#onStarted.push(done));
  }

  /** Ends it for good: preStop hook, SIGTERM, and SIGKILL after the grace period. */
  async stop(graceSeconds: number, reason = `Stopping container ${this.spec.name}`): Promise<void> {
    this.#isStopping = true;
    this.#wake?.();
    if (!this.#process) return;
    await this.#kill('stop', graceSeconds, reason);
  }

  /** Its image in the spec was changed, so it is restarted with the new one. */
  changeImage(image: string): void {
    if (this.spec.image === image) return;
    this.spec.image = image;
    this.#crashes = 0;
    if (this.#process) void this.#kill('hook', this.#grace(), `Container ${this.spec.name} definition changed, will be restarted`);
    else this.#wake?.();
  }

  #lastExit(): number {
    return this.state.terminated?.exitCode ?? this.lastState.terminated?.exitCode ?? 137;
  }

  #isRestarted(exitCode: number): boolean {
    return this.#policy === 'Always' || (this.#policy === 'OnFailure' && exitCode !== 0);
  }

  #grace(): number {
    return this.#context.pod().spec.terminationGracePeriodSeconds ?? 30;
  }

  #uid(): number {
    const { securityContext } = this.#context.pod().spec;
    return this.spec.securityContext?.runAsUser ?? securityContext?.runAsUser ?? 0;
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.event(type, reason, message, this.#fieldPath);
  }

  #waiting(reason: string, message?: string): void {
    this.state = { waiting: { ...(message !== undefined && { message }), reason } };
    this.isReady = false;
    this.isStarted = false;
    this.#context.publish();
  }

  /** Waits, unless it is stopped or changed meanwhile. */
  async #pause(ms: number): Promise<void> {
    if (this.#isStopping) return;
    await new Promise<void>((done) => {
      const cancel = this.#context.clock.after(ms, done);
      this.#wake = () => {
        cancel();
        done();
      };
    });
    this.#wake = undefined;
  }

  /** Pulls the image; undefined if it was stopped before the pull ended. */
  async #fetchImage(): Promise<Image | undefined> {
    const pull = {
      spec: this.spec,
      get: () =>
        this.#context.images.get(this.#context.pod(), this.spec, (type, reason, message, isPodWide) =>
          this.#context.event(type, reason, message, isPodWide ? undefined : this.#fieldPath),
        ),
      isStopping: () => this.#isStopping,
      event: this.#event.bind(this),
      waiting: this.#waiting.bind(this),
      pause: this.#pause.bind(this),
    };
    const image = await fetchImage(pull);
    if (image) this.#image = image;
    return image;
  }

  /** Prepares everything for the process. If that is not possible, reports why, waits, and returns undefined. */
  async #prepare(image: Image): Promise<{ machine: Machine; argv: string[] } | undefined> {
    const plan = planRun(this.#context, this.spec, image);
    if ('reason' in plan) return this.#unconfigured(plan.reason, plan.message);
    const { run, machine, end } = makeRun({
      context: this.#context,
      spec: this.spec,
      image,
      environment: plan.environment,
      uid: this.#uid(),
      isCurrent: (one) => this.machine === one,
      onOutOfMemory: () => (this.#isOutOfMemory = true),
    });
    this.previous = this.current;
    this.current = run;
    this.#endMachine = end;
    return { machine, argv: plan.argv };
  }

  async #unconfigured(reason: string, message: string): Promise<undefined> {
    this.#event('Warning', 'Failed', `Error: ${message}`);
    this.#waiting(reason, message);
    await this.#pause(RESYNC_MS);
  }

  #isOutOfMemory = false;
  #endMachine: (() => void) | undefined;

  /** One run, from creation to its end. */
  async #once({ machine, argv }: { machine: Machine; argv: string[] }): Promise<Ending> {
    const { clock } = this.#context;
    this.#isOutOfMemory = false;
    this.#killedBy = undefined;
    this.#event('Normal', 'Created', 'Container created');
    await this.#pause(100);
    const fault = startFault(machine.files, argv, machine.environment['PATH'] ?? '');
    if (fault) return this.#startFailed(RUNC + fault);
    const startedAt = timeText(clock.now());
    this.machine = machine;
    this.#process = startProcess(machine, argv);
    this.#event('Normal', 'Started', 'Container started');
    const hook = this.spec.lifecycle?.postStart ? await this.#postStart(machine) : undefined;
    if (!hook) this.#running(machine, startedAt);
    const exitCode = await this.#process.done;
    this.#process = undefined;
    this.machine = undefined;
    this.#endMachine?.();
    return this.#ended(exitCode, startedAt, hook);
  }

  #terminated({ exitCode, message, reason, startedAt }: { exitCode: number; message: string; reason: string; startedAt: string }): Loose {
    const finishedAt = timeText(this.#context.clock.now());
    return { containerID: `containerd://${this.current?.id}`, exitCode, finishedAt, ...(message && { message }), reason, startedAt };
  }

  #startFailed(message: string): Ending {
    const terminated = this.#terminated({ exitCode: 128, message, reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' });
    this.#event('Warning', 'Failed', `Error: ${message}`);
    if (this.#isRestarted(128)) {
      this.lastState = { terminated };
      this.#waiting('RunContainerError', message);
    } else {
      this.state = { terminated };
      this.#context.publish();
    }
    return { exitCode: 128, by: 'start' };
  }

  #running(machine: Machine, startedAt: string): void {
    const { startupProbe, readinessProbe } = this.spec;
    this.state = { running: { startedAt } };
    this.isStarted = !startupProbe;
    this.isReady = !startupProbe && !readinessProbe;
    if (this.isStarted) this.#reportStarted();
    this.#context.publish();
    startProbes({
      spec: this.spec,
      target: this.#target(machine),
      isRunning: () => this.machine === machine && this.#killedBy === undefined,
      onFailure: (message) => this.#event('Warning', 'Unhealthy', message),
      onStarted: () => {
        this.isStarted = true;
        this.isReady = !readinessProbe;
        this.#reportStarted();
        this.#context.publish();
      },
      onReady: (isReady) => {
        if (this.isReady === isReady) return;
        this.isReady = isReady;
        this.#context.publish();
      },
      onDead: (message, graceSeconds) => void this.#kill('probe', graceSeconds ?? this.#grace(), message),
    });
  }

  #reportStarted(): void {
    for (const done of this.#onStarted.splice(0)) done();
  }

  #target(machine: Machine) {
    const { pod, podIP, machines } = this.#context;
    return {
      machine,
      get machines() {
        return machines();
      },
      get pod() {
        return pod();
      },
      podIP: podIP(),
    };
  }

  /** Runs the postStart hook. If the hook fails, the container is killed, and the message is returned. */
  async #postStart(machine: Machine): Promise<string | undefined> {
    const handler = this.spec.lifecycle.postStart;
    const result = await ask(this.#target(machine), { ...handler, timeoutSeconds: Number.MAX_SAFE_INTEGER });
    if (result.isGood) return undefined;
    const { name, namespace, uid } = this.#context.pod().metadata;
    this.#event('Warning', 'FailedPostStartHook', 'PostStartHook failed');
    const message = hookMessage(handler, result, `Container "${this.spec.name}" in Pod "${name}_${namespace}(${uid})"`);
    await this.#kill('hook', this.#grace(), 'FailedPostStartHook');
    return message;
  }

  async #kill(by: Ending['by'], graceSeconds: number, reason: string): Promise<void> {
    const process = this.#process;
    const machine = this.machine;
    if (!process || !machine || this.#killedBy === 'stop') return;
    this.#killedBy = by;
    this.#event('Normal', 'Killing', reason);
    const preStop = this.spec.lifecycle?.preStop;
    if (preStop && by !== 'hook') {
      const late = machine.sleep(graceSeconds * 1000).then(() => ({ isGood: false, output: '' }) satisfies ProbeResult);
      const result = await Promise.race([
        ask(this.#target(machine), { ...preStop, timeoutSeconds: graceSeconds }),
        late,
        process.done.then(() => ({ isGood: true, output: '' })),
      ]);
      if (!result.isGood) this.#event('Warning', 'FailedPreStopHook', 'PreStopHook failed');
    }
    process.signal('TERM');
    const cancel = this.#context.clock.after(graceSeconds * 1000, () => process.signal('KILL'));
    await process.done;
    cancel();
  }

  #ended(exitCode: number, startedAt: string, hookMessage: string | undefined): Ending {
    const by = this.#killedBy ?? 'itself';
    const reason = this.#isOutOfMemory ? 'OOMKilled' : exitCode === 0 ? 'Completed' : 'Error';
    const message = terminationMessage(this.spec, this.current, exitCode);
    const terminated = this.#terminated({ exitCode, message, reason, startedAt });
    this.isReady = false;
    this.isStarted = false;
    if (this.#isStopping || !this.#isRestarted(exitCode) || by === 'itself') {
      this.#lastTerminated = this.state.terminated ?? this.#lastTerminated;
      this.state = { terminated };
      this.#context.publish();
    } else this.lastState = { terminated };
    if (hookMessage !== undefined && !this.#isStopping) this.#waiting('PostStartHookError', hookMessage);
    return { exitCode, by };
  }

  #lastTerminated: Loose;

  /** Waits as long as the kubelet does before it restarts the container, and shows the wait when the kubelet does. */
  async #backOff(by: Ending['by']): Promise<void> {
    this.#crashes += 1;
    const last = this.state.terminated ?? this.lastState.terminated;
    const { isFree, beforeMs, delayMs } = waitsBefore(this.#crashes, by);
    if (isFree) {
      await this.#pause(delayMs);
      this.lastState = { terminated: last };
      return;
    }
    const { name, namespace, uid } = this.#context.pod().metadata;
    const pod = `${name}_${namespace}(${uid})`;
    const tell = () => this.#event('Warning', 'BackOff', `Back-off restarting failed container ${this.spec.name} in pod ${pod}`);
    if (beforeMs > 0) {
      tell();
      await this.#pause(beforeMs);
    }
    if (this.#isStopping) return;
    tell();
    this.lastState = { terminated: last };
    this.#waiting('CrashLoopBackOff', `back-off ${durationText(delayMs)} restarting failed container=${this.spec.name} pod=${pod}`);
    await this.#pause(delayMs - beforeMs);
  }

  /** The bytes written to its own file system, if they exceed `limits.ephemeral-storage`; otherwise undefined. */
  storageExcess(): string | undefined {
    const limit = this.spec.resources?.limits?.['ephemeral-storage'];
    if (!limit || !this.machine || this.machine.files.usedBytes() <= quantity(limit)) return undefined;
    return String(limit);
  }
}

/** How often the kubelet measures what containers write. */
export const STORAGE_CHECK_MS = 10_000;
