import { parentPort, threadId } from 'node:worker_threads';

// The thread that background-worker.test.ts uses.
parentPort?.on('message', (job: { double?: number; end?: true; fail?: true; hang?: true; size?: Uint8Array }) => {
  if (job.end) process.exit();
  if (job.fail) throw new Error('broken');
  if (!job.hang) parentPort?.postMessage({ answer: job.size?.byteLength ?? (job.double ?? 0) * 2, thread: threadId });
});
