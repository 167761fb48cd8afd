/** How long a stale finding stays what it was. One that is reported again within this time is not new; after it the finding is resolved. */
export const STALE_MINUTES = 10;
