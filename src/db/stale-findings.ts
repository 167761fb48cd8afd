/** A stale finding keeps its status for this time. If it is reported again by then, it is not new. Afterwards it is resolved. */
export const STALE_MINUTES = 10;
