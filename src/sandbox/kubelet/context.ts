import type { Api } from '../api/api.ts';
import type { Clock } from '../clock.ts';
import type { Stored } from '../store/object.ts';
import type { Files } from './files.ts';
import type { ImageStore } from './imagestore.ts';
import type { Machine, Network } from './machine.ts';

/** What a container has of its pod. */
export interface PodContext {
  api: Api;
  clock: Clock;
  images: ImageStore;
  /** The pod as it is stored now. */
  pod(): Stored;
  podIP(): string;
  network: Network;
  machines(): Machine[];
  volumes: Map<string, Files>;
  event(type: 'Normal' | 'Warning', reason: string, message: string, fieldPath?: string): void;
  /** A status has changed and must be written. */
  publish(): void;
}
