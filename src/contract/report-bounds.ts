const KIB = 1024;

/**
 * How much of a report is kept. Text lengths are bytes of UTF-8. Longer texts are cut with a mark, because partial evidence is better than
 * none.
 */
export const REPORT_BOUNDS = {
  failureMessageBytes: 32 * KIB,
  /** The limit for one container's message. All messages together share `statusMessagesBytes`. */
  statusMessageBytes: 32 * KIB,
  statusMessagesBytes: 512 * KIB,
  /** The newest ones. */
  events: 100,
  /** Of one event, with all its fields. */
  eventBytes: 4 * KIB,
  /** The failing container is always among them. */
  statuses: 50,
  labels: 100,
  images: 100,
  /** The beginning, and a larger part from the end. */
  logsBytes: 1024 * KIB,
  manifestBytes: 512 * KIB,
} as const;

/** How much of a record lists and messages show, at most 16 KiB in all. The single record has the rest. Text lengths are bytes of UTF-8. */
export const SHOWN_BOUNDS = {
  /** The newest ones. */
  events: 5,
  /** Events and container statuses together, as JSON. */
  evidenceBytes: 8 * KIB,
  messageBytes: 2 * KIB,
  solutionBytes: 5 * KIB,
} as const;
