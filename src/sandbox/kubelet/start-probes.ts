import type { Loose } from '../store/object.ts';
import { probeLoop, type ProbeTarget } from './probe.ts';

/** A running container with its probes, and the effects of their results. */
export interface ProbedContainer {
  spec: Loose;
  target: ProbeTarget;
  /** False once this run has ended or is being stopped. */
  isRunning(): boolean;
  onFailure(message: string): void;
  /** The startup probe has passed. */
  onStarted(): void;
  onReady(isReady: boolean): void;
  /** Called when a startup or liveness probe has finally failed. */
  onDead(message: string, graceSeconds: number | undefined): void;
}

/** Runs the startup probe, then (or at once, without one) the liveness and the readiness probe, until the run ends. */
export function startProbes(container: ProbedContainer): void {
  const { startupProbe, livenessProbe, readinessProbe } = container.spec;
  const afterStartup = (): void => {
    if (livenessProbe) repeat(container, 'Liveness', livenessProbe, () => undefined);
    if (readinessProbe) repeat(container, 'Readiness', readinessProbe, container.onReady);
  };
  if (!startupProbe) return afterStartup();
  repeat(container, 'Startup', startupProbe, (_isGood, stop) => {
    stop();
    container.onStarted();
    afterStartup();
  });
}

/** Runs one probe. `onResult` gets a result that reached its threshold; liveness and startup probes that failed end the container instead. */
function repeat(
  container: ProbedContainer,
  name: 'Startup' | 'Liveness' | 'Readiness',
  probe: Loose,
  onResult: (isGood: boolean, stop: () => void) => void,
): void {
  let isDone = false;
  const stop = (): void => void (isDone = true);
  void probeLoop({
    target: container.target,
    probe,
    isWanted: () => !isDone && container.isRunning(),
    onFailure: (output) => container.onFailure(`${name} probe failed: ${output}`),
    onVerdict: (isGood) => {
      if (isGood || name === 'Readiness') return onResult(isGood, stop);
      stop();
      container.onDead(
        `Container ${container.spec.name} failed ${name.toLowerCase()} probe, will be restarted`,
        probe.terminationGracePeriodSeconds,
      );
    },
  });
}
