import type { Files } from './files.ts';

/** Other pods and Services, as seen from inside a container. */
export interface Network {
  /** The addresses of a name in the cluster (`web`, `web.shop`, `web.shop.svc.cluster.local`); undefined if it does not exist. */
  lookup(name: string): string | undefined;
  /** An HTTP GET. `refused`: nothing listens there; `timeout`: no host answers at that address. */
  get(address: string, port: number, path: string): { status: number; body: string } | 'refused' | 'timeout';
}

/** The environment of one container: what its processes see and do. It ends with `kill`. */
export interface Machine {
  files: Files;
  environment: Record<string, string>;
  workingDirectory: string;
  uid: number;
  hostname: string;
  network: Network;
  /** How many bytes the container may use before it is killed. */
  memoryLimit: number;
  now(): Date;
  /** Waits. Never resolves if the container is killed meanwhile. */
  sleep(ms: number): Promise<void>;
  /** Appends to the container's log. */
  log(text: string): void;
  /** Called when a process needs more memory than the container may use. */
  onOutOfMemory(): void;
  /** What the first process does on SIGTERM. Without a handler it ignores the signal, as the kernel does for process 1. */
  onTerminate: (() => void) | undefined;
  /** The ports on which this container listens, with their answers. */
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
