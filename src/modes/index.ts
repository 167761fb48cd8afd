import type { Mode } from './mode.ts';

/** Every mode by its name on the command line (DESIGN section 2, "Run modes"). */
export const MODES: Record<string, Mode> = {};
