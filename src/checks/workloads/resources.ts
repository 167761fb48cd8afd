import { mapping, type Place } from '../places.ts';

/** What a container requests, or its limit, of a resource; undefined when nothing is said. */
export function resourceOf({ container }: Place, field: 'requests' | 'limits', name: string): unknown {
  const amounts = mapping<Record<string, Record<string, unknown>>>(container.resources)[field];
  return mapping<Record<string, unknown>>(amounts)[name];
}
