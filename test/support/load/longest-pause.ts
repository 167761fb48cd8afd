import { writeFileSync } from 'node:fs';

// A measured process preloads this. On SIGUSR2, it writes the longest pause of the event loop since the last signal, in milliseconds, to
// the file in PAUSE_FILE. A pause is the CPU time of the main thread from one turn to the next. So other work of a busy machine does not
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
