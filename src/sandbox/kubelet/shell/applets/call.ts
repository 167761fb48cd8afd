import { FileFault, Files } from '../../files.ts';
import type { Machine } from '../../machine.ts';
import type { Shell, Streams } from '../interpret.ts';

/** The input of a program of the image. */
export interface Call {
  machine: Machine;
  directory: string;
  environment: Record<string, string>;
  streams: Streams;
  shell: Shell;
}

/** A program: returns its exit status. */
export type Applet = (call: Call, args: string[]) => number | Promise<number>;

/** An absolute path, resolved from the program's working directory. */
export const inPlace = ({ directory }: Call, path: string) => Files.resolve(path, directory);
/** Separates letters after a dash from everything else. */
export const splitFlags = (args: string[]) => ({
  flags: args.filter((a) => /^-[^-\d]/.test(a)).join(''),
  rest: args.filter((a) => !/^-[^-\d]/.test(a)),
});

/** Applies a function to each path, and reports the paths that fail. */
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
