import { writeFileSync } from 'node:fs';

// Preloaded by a process that is measured: on SIGUSR2 it writes the longest pause of its event loop since the last time, in milliseconds, to
// the file that PAUSE_FILE names. Counted is what the main thread itself computes from one turn to the next, so that a busy machine does not
// count.

const TURN_MS = 1;
const file = process.env['PAUSE_FILE'] ?? '';
const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let longest = 0;
let last = used();
setInterval(() => {
  const now = used();
  longest = Math.max(longest, now - last);
  last = now;
}, TURN_MS).unref();
process.on('SIGUSR2', () => {
  writeFileSync(file, longest.toFixed(1));
  longest = 0;
});
