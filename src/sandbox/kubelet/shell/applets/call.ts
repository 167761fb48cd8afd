import { FileFault, Files } from '../../files.ts';
import type { Machine } from '../../machine.ts';
import type { Shell, Streams } from '../interpret.ts';

/** What a program of the image is started with. */
export interface Call {
  machine: Machine;
  directory: string;
  environment: Record<string, string>;
  streams: Streams;
  shell: Shell;
}

/** A program: returns its exit status. */
export type Applet = (call: Call, args: string[]) => number | Promise<number>;

/** A path as the program's working directory has it. */
export const inPlace = ({ directory }: Call, path: string) => Files.resolve(path, directory);
/** Letters behind a dash, and everything else. */
export const splitFlags = (args: string[]) => ({
  flags: args.filter((a) => /^-[^-\d]/.test(a)).join(''),
  rest: args.filter((a) => !/^-[^-\d]/.test(a)),
});

/** Does something to each path, and complains of those that fault. */
export function each(
  call: Call,
  paths: string[],
  act: (path: string, name: string) => void,
  complaint: (name: string, fault: string) => string,
): number {
  let status = 0;
  for (const name of paths)
    try {
      act(inPlace(call, name), name);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      call.streams.err(`${complaint(name, error.message)}\n`);
      status = 1;
    }
  return status;
}
