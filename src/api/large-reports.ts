import type { FastifySchemaValidationError } from 'fastify';
import { backgroundWorker } from '../async/background-worker.ts';
import type { FailureReport } from '../contract/failure.ts';
import type { ReadReport } from '../failures/policy/secrets-in.ts';

/**
 * What a body holds: a report, checked, masked where it is cut, and within bounds, without what nobody knows, and what intake needs to know of
 * it; or what the body breaks of the schema; or no JSON.
 */
export type ReadBody = { report: FailureReport; read: ReadReport } | { errors: FastifySchemaValidationError[] } | { isBroken: true };

/** Reads and masks reports in a thread of their own: such large ones would stop everything else here. */
export interface LargeReports {
  /** `body` is UTF-8, and taken over. Rejects when the thread breaks. */
  read(body: Buffer): Promise<ReadBody>;
  stop(): Promise<void>;
}

export function largeReports(): LargeReports {
  const thread = backgroundWorker<Uint8Array, ReadBody>('./read-large-report', import.meta.url);
  return {
    stop: thread.stop,
    read: (body) => {
      // Memory that others have parts of cannot be given away.
      const own = body.byteLength === body.buffer.byteLength ? new Uint8Array(body.buffer) : Uint8Array.from(body);
      return thread.run(own, [own.buffer as ArrayBuffer]);
    },
  };
}
