import { randomBytes } from 'node:crypto';
import type { Loose } from '../object.ts';
import { timeText } from '../object.ts';
import { quantity } from '../quantity.ts';
import { BACK_OFF_MS, durationText, type Ending, MAX_BACK_OFF_MS, waitsBefore } from './backoff.ts';
import type { PodContext } from './context.ts';
import { ConfigFault, checkUser, environmentOf, expandReferences } from './environment.ts';
import { hookMessage } from './hooks.ts';
import type { Image } from './images.ts';
import type { Machine } from './machine.ts';
import type { ProbeResult } from './probe.ts';
import { ask, probeLoop } from './probe.ts';
import type { Process } from './process.ts';
import { startFault, startProcess } from './process.ts';
import { lastWords, makeRun, type Run } from './run.ts';

const RUNC =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ';
/** The kubelet looks again at what it could not do. */
const RESYNC_MS = 12_000;
/** After so long without a crash the next one counts as the first. */
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
    const { spec } = this;
    const image = this.#image;
    const hasRun = this.current !== undefined;
    const mounts = (spec.volumeMounts ?? []).map(({ name, mountPath, readOnly }: Loose) => ({
      mountPath,
      name,
      ...(readOnly && { readOnly, recursiveReadOnly: 'Disabled' }),
    }));
    const uid = this.#uid();
    return {
      ...(hasRun && { containerID: `containerd://${(this.current as Run).id}` }),
      image: hasRun && image ? image.name : spec.image,
      imageID: hasRun && image ? `${image.name.replace(/:[^/]*$/, '')}@${image.digest}` : '',
      lastState: this.lastState,
      name: spec.name,
      ready: this.isReady,
      ...(hasRun && { resources: spec.resources ?? {} }),
      restartCount: this.restartCount,
      started: this.isStarted,
      state: this.state,
      ...(hasRun && { user: { linux: { gid: 0, supplementalGroups: [0], uid } } }),
      ...(mounts.length && { volumeMounts: mounts }),
    };
  }

  /** Runs it until it will not be started again; answers its last exit code. */
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

  /** Its image in the spec was changed: it is started anew with that one. */
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

  /** Brings the image, trying again by the kubelet's rules; undefined when it was stopped before it came. */
  async #fetchImage(): Promise<Image | undefined> {
    let delay = BACK_OFF_MS;
    while (!this.#isStopping) {
      const result = await this.#context.images.get(this.#context.pod(), this.spec, (type, reason, message, isPodWide) =>
        this.#context.event(type, reason, message, isPodWide ? undefined : this.#fieldPath),
      );
      if ('image' in result) return (this.#image = result.image);
      if (result.reason !== 'ErrImagePull') {
        this.#event('Warning', 'Failed', `Error: ${result.reason}`);
        this.#waiting(result.reason, result.message);
        await this.#pause(RESYNC_MS);
        continue;
      }
      const { image } = this.spec;
      this.#event('Warning', 'Failed', `Error: ErrImagePull`);
      this.#waiting('ErrImagePull', result.message);
      await this.#pause(1200);
      if (this.spec.image !== image || this.#isStopping) continue;
      this.#event('Normal', 'BackOff', `Back-off pulling image "${image}"`);
      this.#event('Warning', 'Failed', 'Error: ImagePullBackOff');
      this.#waiting('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${result.message}`);
      await this.#pause(delay);
      delay = this.spec.image === image ? Math.min(delay * 2, MAX_BACK_OFF_MS) : BACK_OFF_MS;
    }
    return undefined;
  }

  /** Makes ready what the process will see, or says why it cannot and waits; undefined then. */
  async #prepare(image: Image): Promise<{ machine: Machine; argv: string[] } | undefined> {
    const pod = this.#context.pod();
    try {
      const environment = environmentOf(this.#context.api, pod, this.spec, image.environment);
      checkUser(pod, this.spec);
      const words = ((this.spec.command ?? image.entrypoint) as string[]).concat(
        this.spec.args ?? (this.spec.command ? [] : image.command),
      );
      const argv = words.map((word) => expandReferences(word, environment));
      if (argv.length === 0)
        return await this.#unconfigured(
          'CreateContainerError',
          `failed to generate container "${randomBytes(32).toString('hex')}" spec: failed to generate spec: no command specified`,
        );
      const { run, machine, end } = makeRun({
        context: this.#context,
        spec: this.spec,
        image,
        environment,
        uid: this.#uid(),
        isCurrent: (one) => this.machine === one,
        onOutOfMemory: () => (this.#isOutOfMemory = true),
      });
      this.previous = this.current;
      this.current = run;
      this.#endMachine = end;
      return { machine, argv };
    } catch (error) {
      if (!(error instanceof ConfigFault)) throw error;
      return this.#unconfigured('CreateContainerConfigError', error.message);
    }
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

  #startFailed(message: string): Ending {
    const finishedAt = timeText(this.#context.clock.now());
    const terminated = {
      containerID: `containerd://${this.current?.id}`,
      exitCode: 128,
      finishedAt,
      message,
      reason: 'StartError',
      startedAt: '1970-01-01T00:00:00Z',
    };
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
    if (this.isStarted) this.#tellStarted();
    this.#context.publish();
    if (startupProbe) this.#probe('Startup', startupProbe, machine);
    else this.#afterStartup(machine);
  }

  #tellStarted(): void {
    for (const done of this.#onStarted.splice(0)) done();
  }

  #afterStartup(machine: Machine): void {
    const { livenessProbe, readinessProbe } = this.spec;
    if (livenessProbe) this.#probe('Liveness', livenessProbe, machine);
    if (readinessProbe) this.#probe('Readiness', readinessProbe, machine);
  }

  #probe(name: 'Startup' | 'Liveness' | 'Readiness', probe: Loose, machine: Machine): void {
    let isDone = false;
    void probeLoop({
      target: this.#target(machine),
      probe,
      isWanted: () => !isDone && this.machine === machine && this.#killedBy === undefined,
      onFailure: (output) => this.#event('Warning', 'Unhealthy', `${name} probe failed: ${output}`),
      onVerdict: (isGood) => {
        if (name === 'Readiness') {
          if (this.isReady === isGood) return;
          this.isReady = isGood;
          this.#context.publish();
        } else if (!isGood) {
          isDone = true;
          void this.#kill(
            'probe',
            probe.terminationGracePeriodSeconds ?? this.#grace(),
            `Container ${this.spec.name} failed ${name.toLowerCase()} probe, will be restarted`,
          );
        } else if (name === 'Startup') {
          isDone = true;
          this.isStarted = true;
          this.isReady = !this.spec.readinessProbe;
          this.#tellStarted();
          this.#context.publish();
          this.#afterStartup(machine);
        }
      },
    });
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

  /** Runs the postStart hook; answers the message of its failure, after having the container killed for it. */
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
    const message = lastWords(this.spec, this.current, exitCode);
    const terminated = {
      containerID: `containerd://${this.current?.id}`,
      exitCode,
      finishedAt: timeText(this.#context.clock.now()),
      ...(message && { message }),
      reason,
      startedAt,
    };
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

  /** Waits as long as the kubelet does before it starts the container again, and shows it when the kubelet does. */
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

  /** Bytes written to its own file system against `limits.ephemeral-storage`; undefined while within. */
  storageExcess(): string | undefined {
    const limit = this.spec.resources?.limits?.['ephemeral-storage'];
    if (!limit || !this.machine || this.machine.files.usedBytes() <= quantity(limit)) return undefined;
    return String(limit);
  }
}

/** How often the kubelet measures what containers write. */
export const STORAGE_CHECK_MS = 10_000;
