import type { Applet, Call } from './applets/call.ts';
import { FILES } from './applets/files.ts';
import { NETWORK } from './applets/network.ts';
import { PROCESSES, script } from './applets/processes.ts';
import { TEXT } from './applets/text.ts';

const APPLETS: Record<string, Applet> = { ...TEXT, ...FILES, ...NETWORK, ...PROCESSES };

/** The programs of `busybox:1.35` that exist here, as files under /bin. */
export const APPLET_PATHS: string[] = [...Object.keys(APPLETS), 'busybox'].map((name) => `/bin/${name}`);

/** Runs a program by its name under /bin (`script PATH` runs that file) and returns its exit status. */
export async function applet(call: Call, name: string, args: string[]): Promise<number> {
  if (name.startsWith('script ')) return script(call, name.slice(7), args);
  const [own, rest] = name === 'busybox' ? [args[0] ?? '', args.slice(1)] : [name, args];
  const run = APPLETS[own];
  if (run) return run(call, rest);
  call.streams.err(`${own}: applet not found\n`);
  return 127;
}
