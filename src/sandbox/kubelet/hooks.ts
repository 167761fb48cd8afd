import type { Loose } from '../store/object.ts';
import type { ProbeResult } from './probe.ts';

/** The kubelet's message for a failed hook. */
export function hookMessage(handler: Loose, { output }: ProbeResult, where: string): string {
  if (!handler.exec) return `Http lifecycle hook (${handler.httpGet?.path ?? ''}) for ${where} failed - error: ${output}, message: ""`;
  const command = (handler.exec.command ?? []).join(' ');
  return `Exec lifecycle hook ([${command}]) for ${where} failed - error: command '${command}' exited with 1: ${output}, message: ${JSON.stringify(output)}`;
}
