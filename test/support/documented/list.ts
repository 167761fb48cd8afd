import { CONTAINERS } from './containers.ts';
import type { Documented } from './documented.ts';
import { HEALTHY } from './healthy.ts';
import { IMAGES } from './images.ts';
import { MESSAGES } from './messages.ts';
import { CONTROLLERS, NODES } from './nodes.ts';
import { PROBES } from './probes.ts';
import { SCHEDULING } from './scheduling.ts';

/** Every documented case by its sentence. */
export const DOCUMENTED: [sentence: string, row: Documented][] = [
  CONTAINERS,
  IMAGES,
  PROBES,
  SCHEDULING,
  NODES,
  CONTROLLERS,
  MESSAGES,
  HEALTHY,
].flatMap((rows) => Object.entries(rows));
