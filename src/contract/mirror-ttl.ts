/** The bounds and the default of a mirror's life, in seconds. */
export const MIRROR_TTL = { min: 30, max: 3600, default: 180 } as const;
