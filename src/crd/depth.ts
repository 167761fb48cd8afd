/** Kubernetes' own objects have about twenty levels. Recursive functions may rely on this bound. */
export const MAX_DEPTH = 100;
