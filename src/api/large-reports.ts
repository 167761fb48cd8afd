import type { FastifySchemaValidationError } from 'fastify';
import { backgroundWorker } from '../async/background-worker.ts';
import type { FailureReport } from '../contract/failure.ts';
import type { ReadReport } from '../failures/policy/secrets-in.ts';

/**
 * The result of reading a body. `report` is checked, masked where it is cut, within bounds and without unknown fields; `read` holds what
 * intake needs to know about it. `errors` are violations of the schema. `isBroken` means that the body is not JSON.
 */
export type ReadBody = { report: FailureReport; read: ReadReport } | { errors: FastifySchemaValidationError[] } | { isBroken: true };

/** Reads and masks large reports in their own thread, because they would block all other requests. */
export interface LargeReports {
  /** `body` must be UTF-8. The caller must not use it afterwards. Rejects when the thread breaks. */
  read(body: Buffer): Promise<ReadBody>;
  stop(): Promise<void>;
}

export function largeReports(): LargeReports {
  const thread = backgroundWorker<Uint8Array, ReadBody>('./read-large-report', import.meta.url);
  return {
    stop: thread.stop,
    read: (body) => {
      // Memory that is shared with other buffers cannot be transferred, so it is copied.
      const own = body.byteLength === body.buffer.byteLength ? new Uint8Array(body.buffer) : Uint8Array.from(body);
      return thread.run(own, [own.buffer as ArrayBuffer]);
    },
  };
}
