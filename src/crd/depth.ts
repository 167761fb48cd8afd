/** Kubernetes' own objects nest some twenty levels. Whatever walks a value by recursion may rely on this bound. */
export const MAX_DEPTH = 100;
