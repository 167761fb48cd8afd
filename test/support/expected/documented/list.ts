import { CONTAINERS } from './containers.ts';
import type { Documented } from './documented.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { HEALTHY } from './healthy.ts';
import { IMAGES } from './images.ts';
import { MESSAGES } from './messages.ts';
import { CONTROLLERS, NODES } from './nodes.ts';
import { NOISY } from './noisy.ts';
import { PROBES } from './probes.ts';
import { SCHEDULING } from './scheduling.ts';
import { SELDOM } from './seldom.ts';
import { SOFTWARE } from './software.ts';

type Rows = [sentence: string, row: Documented][];
const listed = (...tables: Record<string, Documented>[]): Rows => tables.flatMap((rows) => Object.entries(rows));

/** Cases by origin and time of writing. Within a set, no two cases have the same sentence. */
export const SETS = {
  /** Written from the documentation alone, before anybody ran a rule. */
  pages: listed(CONTAINERS, IMAGES, PROBES, SCHEDULING, NODES, CONTROLLERS, HEALTHY),
  /** Messages of kubelets, runtimes and drivers, written by somebody who knew the rules. */
  messages: listed(MESSAGES, SELDOM),
  /** Other clusters and well-known software, written by somebody who had not read the rules. */
  elsewhere: listed(SOFTWARE, ELSEWHERE, NOISY),
} satisfies Record<string, Rows>;

/** Every documented case by its sentence. */
export const DOCUMENTED: Rows = Object.values(SETS).flat();
