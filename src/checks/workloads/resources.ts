import { mapping, type Place } from '../containers.ts';

/** A container's request or limit for a resource; undefined if it has none. */
export function resourceOf({ container }: Place, field: 'requests' | 'limits', name: string): unknown {
  const amounts = mapping<Record<string, Record<string, unknown>>>(container.resources)[field];
  return mapping<Record<string, unknown>>(amounts)[name];
}
