import { randomBytes } from 'node:crypto';
import type { Loose } from '../store/object.ts';
import { quantity } from '../store/quantity.ts';
import type { PodContext } from './context.ts';
import { Files } from './files.ts';
import type { Image } from './images.ts';
import type { Machine } from './machine.ts';

const NODE_MEMORY = 8 * 2 ** 30;
const MAX_LOG = 1 << 20;

/** A run of a container: its log and its size. */
export interface Run {
  id: string;
  log: { at: Date; text: string }[];
  size: number;
}

/** What a run is made of. */
export interface RunPlan {
  context: Pick<PodContext, 'clock' | 'network' | 'volumes'>;
  spec: Loose;
  image: Image;
  environment: Record<string, string>;
  uid: number;
  /** Whether the processes of this machine are still running. */
  isCurrent(machine: Machine): boolean;
  onOutOfMemory(): void;
}

/** A new machine with its log. `end` cancels everything that its processes wait for. */
export function makeRun({ context, spec, image, environment, uid, isCurrent, onOutOfMemory }: RunPlan): {
  run: Run;
  machine: Machine;
  end(): void;
} {
  const { clock, network, volumes } = context;
  const files = new Files(image.executables, spec.securityContext?.readOnlyRootFilesystem === true);
  for (const mount of (spec.volumeMounts ?? []) as Loose[]) {
    const volume = volumes.get(mount.name);
    if (volume) files.mount(Files.resolve(mount.mountPath), volume);
  }
  const run: Run = { id: randomBytes(32).toString('hex'), log: [], size: 0 };
  const timers = new Set<() => void>();
  const machine: Machine = {
    files,
    environment,
    workingDirectory: spec.workingDir ?? '/',
    uid,
    hostname: environment['HOSTNAME'] ?? 'sandbox',
    network,
    memoryLimit: quantity(spec.resources?.limits?.memory) || NODE_MEMORY,
    now: () => clock.now(),
    sleep: (ms) =>
      new Promise((done) => {
        if (!isCurrent(machine) || !Number.isFinite(ms)) return;
        const cancel = clock.after(ms, () => {
          timers.delete(cancel);
          if (isCurrent(machine)) done();
        });
        timers.add(cancel);
      }),
    log: (text) => {
      if (run.size > MAX_LOG || !isCurrent(machine)) return;
      run.size += text.length;
      run.log.push({ at: clock.now(), text });
    },
    onOutOfMemory,
    onTerminate: undefined,
    listeners: new Map(),
  };
  const end = (): void => {
    for (const cancel of timers) cancel();
    timers.clear();
  };
  return { run, machine, end };
}

/** The termination message of a run. */
export function terminationMessage(spec: Loose, run: Run | undefined, exitCode: number): string {
  if (spec.terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0) return '';
  const text = (run?.log ?? []).map((entry) => entry.text).join('');
  return text
    .split(/(?<=\n)/)
    .slice(-80)
    .join('')
    .slice(-2048);
}
