import type { Quote } from '../facts/message.ts';
import type { ContainerPlace } from '../facts/input.ts';

/** Who ended the pod, by its condition `DisruptionTarget`; undefined when the manifest has no status. The status may have any shape. */
export function disruptions(place: ContainerPlace | undefined, fact: { evidence: Quote } | undefined): Quote[] {
  const { conditions } = ((place?.object as { status?: { conditions?: unknown } | null } | undefined)?.status ?? {}) as {
    conditions?: unknown;
  };
  const said = (Array.isArray(conditions) ? conditions : []).flatMap((condition: Partial<Record<string, unknown>> | null): Quote[] => {
    if (condition?.['type'] !== 'DisruptionTarget' || condition['status'] !== 'True') return [];
    const words = [condition['reason'], condition['message']].filter((word) => typeof word === 'string' && word !== '');
    return words.length > 0 ? [{ from: 'condition DisruptionTarget', text: words.join(': ').slice(0, 1000) }] : [];
  });
  return [...(fact ? [fact.evidence] : []), ...said];
}
