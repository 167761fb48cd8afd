import type { Api } from '../api.ts';
import type { Clock } from '../clock.ts';
export interface Node {
  start(): () => void;
}
export function kubelet(_deps: { api: Api; clock: Clock; nodeName: string }): Node {
  return { start: () => () => undefined };
}
