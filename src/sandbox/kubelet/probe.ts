import type { Loose, Stored } from '../store/object.ts';
import type { Machine } from './machine.ts';
import { askPod, portNumber } from './network.ts';
import { runCommand } from './process.ts';

/** The outcome of a probe or hook; `output` is what the kubelet quotes. */
export interface ProbeResult {
  isGood: boolean;
  output: string;
}

/** The container that is asked. */
export interface ProbeTarget {
  machine: Machine;
  /** All containers of the pod, because they share its address. */
  machines: Machine[];
  pod: Stored;
  podIP: string;
}

async function execProbe({ machine }: ProbeTarget, command: string[], timeoutSeconds: number): Promise<ProbeResult> {
  const late = machine.sleep(timeoutSeconds * 1000).then(() => undefined);
  const result = await Promise.race([runCommand(machine, command), late]);
  if (!result) return { isGood: false, output: `command timed out: "${command.join(' ')}" timed out after ${timeoutSeconds}s` };
  return { isGood: result.exitCode === 0, output: result.output };
}

function httpProbe({ machines, pod, podIP }: ProbeTarget, { port, path = '/', host, scheme = 'HTTP' }: Loose): ProbeResult {
  const number = portNumber(pod, port);
  const address = host ?? podIP;
  const url = `${String(scheme).toLowerCase()}://${address}:${number}${String(path).startsWith('/') ? path : `/${path}`}`;
  const answer = askPod(address === podIP || /^(127\.|localhost)/.test(address) ? machines : undefined, number, path);
  if (answer === 'refused')
    return { isGood: false, output: `Get ${JSON.stringify(url)}: dial tcp ${address}:${number}: connect: connection refused` };
  if (answer === 'timeout')
    return {
      isGood: false,
      output: `Get ${JSON.stringify(url)}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    };
  const isGood = answer.status >= 200 && answer.status < 400;
  return { isGood, output: isGood ? '' : `HTTP probe failed with statuscode: ${answer.status}` };
}

function tcpProbe({ machines, pod, podIP }: ProbeTarget, { port }: Loose): ProbeResult {
  const number = portNumber(pod, port);
  if (machines.some((machine) => machine.listeners.has(number))) return { isGood: true, output: '' };
  return { isGood: false, output: `dial tcp ${podIP}:${number}: connect: connection refused` };
}

/** Probes once, as the handler of a probe or hook says. */
export async function ask(target: ProbeTarget, handler: Loose): Promise<ProbeResult> {
  if (handler.exec) return execProbe(target, handler.exec.command ?? [], handler.timeoutSeconds ?? 1);
  if (handler.httpGet) return httpProbe(target, handler.httpGet);
  if (handler.tcpSocket) return tcpProbe(target, handler.tcpSocket);
  if (handler.grpc)
    return {
      isGood: false,
      output: `timeout: failed to connect service "${target.podIP}:${handler.grpc.port}" within 1s: connection refused`,
    };
  await target.machine.sleep((handler.sleep?.seconds ?? 0) * 1000);
  return { isGood: true, output: '' };
}

/** A probe that repeats until the container ends. */
export interface ProbeLoop {
  target: ProbeTarget;
  probe: Loose;
  /** Called for each failure, for the event `Unhealthy`. */
  onFailure(output: string): void;
  /** Called when a threshold is reached. */
  onVerdict(isGood: boolean): void;
  isWanted(): boolean;
}

/** Runs a probe with its periods and thresholds. It ends with the container, or when `isWanted` returns false. */
export async function probeLoop({ target, probe, onFailure, onVerdict, isWanted }: ProbeLoop): Promise<void> {
  const { machine } = target;
  if (probe.initialDelaySeconds) await machine.sleep(probe.initialDelaySeconds * 1000);
  let good = 0;
  let bad = 0;
  while (isWanted()) {
    const { isGood, output } = await ask(target, probe);
    if (!isWanted()) return;
    good = isGood ? good + 1 : 0;
    bad = isGood ? 0 : bad + 1;
    if (!isGood) onFailure(output);
    if (isGood && good >= (probe.successThreshold ?? 1)) onVerdict(true);
    if (!isGood && bad >= (probe.failureThreshold ?? 3)) onVerdict(false);
    await machine.sleep((probe.periodSeconds ?? 10) * 1000);
  }
}
