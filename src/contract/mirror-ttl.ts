/** How long a mirror may live, in seconds, and how long it lives unless somebody says otherwise. */
export const MIRROR_TTL = { min: 30, max: 3600, default: 180 } as const;
