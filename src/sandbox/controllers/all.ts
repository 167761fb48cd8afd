import type { Api } from '../api.ts';
import { startCollector } from './collector.ts';
import { startNamespaces } from './namespaces.ts';

/** Starts every controller; the returned function ends them. */
export function startControllers(api: Api): () => void {
  const stops = [startNamespaces, startCollector].map((start) => start(api));
  return () => {
    for (const stop of stops) stop();
  };
}
