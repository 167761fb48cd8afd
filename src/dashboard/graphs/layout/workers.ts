import ELK from 'elkjs/lib/elk-api.js';
// Loaded as a separate file, because bundling it would double the build time.
import elkWorker from 'elkjs/lib/elk-worker.min.js?url';
import { elkGraph, placesOf, type Places, type Shape } from './positions.ts';
import type { Job, Layouts } from './race.ts';

/** Computes layouts in workers, so that the page stays responsive. */
export const WORKERS: Layouts = { elk, dagre, wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };

/** An idle ELK worker: loading one takes longer than most layouts. */
let idle: Worker | undefined;

function elk(shape: Shape): Job {
  const worker = idle ?? new Worker(elkWorker);
  idle = undefined;
  let isDone = false;
  const api = new ELK({ workerFactory: () => worker });
  const places = orFailed(
    worker,
    api.layout(elkGraph(shape)).then((root) => placesOf(root, shape)),
  ).then((found) => {
    isDone = true;
    return found;
  });
  return { places, stop: () => (isDone && !idle ? (idle = worker) : worker.terminate()) };
}

function dagre(shape: Shape): Job {
  const worker = new Worker(new URL('./dagre-worker.ts', import.meta.url), { type: 'module' });
  const places = new Promise<Places>((resolve) => worker.addEventListener('message', ({ data }) => resolve(data as Places)));
  worker.postMessage(shape);
  return { places: orFailed(worker, places), stop: () => worker.terminate() };
}

/** Rejects when the worker cannot be loaded or throws. */
async function orFailed(worker: Worker, places: Promise<Places>): Promise<Places> {
  const failed = new Promise<never>((_, reject) =>
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'The layout could not be made'))),
  );
  return Promise.race([places, failed]);
}
