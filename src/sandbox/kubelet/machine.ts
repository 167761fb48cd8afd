import type { Files } from './files.ts';

/** What other pods and Services look like from inside a container. */
export interface Network {
  /** Addresses of a name of the cluster (`web`, `web.shop`, `web.shop.svc.cluster.local`); undefined when it does not exist. */
  lookup(name: string): string | undefined;
  /** An HTTP GET. `refused`: nobody listens there; `timeout`: nobody answers at that address. */
  get(address: string, port: number, path: string): { status: number; body: string } | 'refused' | 'timeout';
}

/** The world of one container: what its processes see and do. Ends with `kill`. */
export interface Machine {
  files: Files;
  environment: Record<string, string>;
  workingDirectory: string;
  uid: number;
  hostname: string;
  network: Network;
  /** Bytes the container may use; what goes beyond is killed. */
  memoryLimit: number;
  now(): Date;
  /** Waits; never ends when the container is killed meanwhile. */
  sleep(ms: number): Promise<void>;
  /** Appends to the container's log. */
  log(text: string): void;
  /** A process needed more memory than the container may use. */
  onOutOfMemory(): void;
  /** What the first process does with SIGTERM; without a handler it ignores it, as the kernel has it for process 1. */
  onTerminate: (() => void) | undefined;
  /** Ports this container listens on, with what they answer. */
  listeners: Map<number, (path: string) => { status: number; body: string }>;
}

/** A process ended early, by a signal or by `exit`. */
export class ProcessEnd extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}
