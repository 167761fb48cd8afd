import type { Trouble } from './trouble.ts';
import { tellTroubles } from './troubles.ts';
import type { OutageWorld } from './world.ts';

// The API server answers, but it ends the watches.

const forward = ({ chaos }: OutageWorld) => chaos.forward();
const TROUBLES: Trouble[] = [
  { says: 'watches that are cut', begin: ({ chaos }) => chaos.cut(), end: forward, isAway: false },
  { says: '410 Gone on every watch', begin: ({ chaos }) => chaos.expire(), end: forward, isAway: false },
];

tellTroubles('watches that end', TROUBLES);
