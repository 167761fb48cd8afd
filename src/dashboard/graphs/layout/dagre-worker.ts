import { dagrePlaces } from './dagre.ts';
import type { Shape } from './places.ts';

// A thread of its own: takes a shape, answers places.

addEventListener('message', ({ data }: MessageEvent<Shape>) => postMessage(dagrePlaces(data)));
