import { dagrePlaces } from './dagre.ts';
import type { Shape } from './positions.ts';

// A worker that receives a shape and answers with places.

addEventListener('message', ({ data }: MessageEvent<Shape>) => postMessage(dagrePlaces(data)));
