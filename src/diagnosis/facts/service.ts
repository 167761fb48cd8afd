import { selects } from '../../crd/selector.ts';
import type { ServiceAround } from '../case.ts';

/** Whether a Service selects pods with these labels. One without a selector selects none: it has other endpoints. */
export function selectsPods({ selector = {} }: Pick<ServiceAround, 'selector'>, labels: Record<string, string> = {}): boolean {
  return Object.keys(selector).length > 0 && selects({ matchLabels: selector }, labels);
}
