import type { Observed } from '../detectors/observed.ts';
import type { Objects, View } from '../detectors/view.ts';
import { configMemory } from './configs.ts';
import { pullMemory } from './pulls.ts';
import { usageMemory } from './usage.ts';

/**
 * What detectors need to know about earlier passes, in the memory of this process and within bounds. After a restart, or in another leader,
 * it begins again: advice that needs a day comes a day later.
 */
export function observer() {
  const [usage, pulls, configs] = [usageMemory(), pullMemory(), configMemory()];
  /** A kind that could not be read leaves its memory unchanged. */
  return (view: View, objects: { [K in keyof Objects]?: Objects[K][] }, now: Date): Observed => {
    const { PodMetrics: metrics, Event: events, ConfigMap: configMaps, Secret: secrets = [] } = objects;
    return {
      usage: metrics ? usage(view, metrics, now) : [],
      pulls: events ? pulls(view, events, now) : [],
      staleConfigs: configMaps ? configs(view, [...configMaps, ...secrets], now) : [],
    };
  };
}
