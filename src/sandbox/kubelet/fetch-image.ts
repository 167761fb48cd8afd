import type { Loose } from '../store/object.ts';
import { BACK_OFF_MS, MAX_BACK_OFF_MS } from './backoff.ts';
import type { Image } from './images.ts';
import type { ImageStore } from './imagestore.ts';

/** How long the kubelet waits before it retries. */
export const RESYNC_MS = 12_000;

/** The container that an image is for. */
export interface ImageUser {
  /** `spec.image` may change meanwhile. */
  spec: Loose;
  get(): ReturnType<ImageStore['get']>;
  isStopping(): boolean;
  event(type: 'Normal' | 'Warning', reason: string, message: string): void;
  waiting(reason: string, message: string | undefined): void;
  pause(ms: number): Promise<void>;
}

/** Pulls the image, and retries with the kubelet's backoff; undefined if the container was stopped before the pull ended. */
export async function fetchImage({ spec, get, isStopping, event, waiting, pause }: ImageUser): Promise<Image | undefined> {
  let delay = BACK_OFF_MS;
  while (!isStopping()) {
    const result = await get();
    if ('image' in result) return result.image;
    if (result.reason !== 'ErrImagePull') {
      event('Warning', 'Failed', `Error: ${result.reason}`);
      waiting(result.reason, result.message);
      await pause(RESYNC_MS);
      continue;
    }
    const { image } = spec;
    event('Warning', 'Failed', `Error: ErrImagePull`);
    waiting('ErrImagePull', result.message);
    await pause(1200);
    if (spec.image !== image || isStopping()) continue;
    event('Normal', 'BackOff', `Back-off pulling image "${image}"`);
    event('Warning', 'Failed', 'Error: ImagePullBackOff');
    waiting('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${result.message}`);
    await pause(delay);
    delay = spec.image === image ? Math.min(delay * 2, MAX_BACK_OFF_MS) : BACK_OFF_MS;
  }
  return undefined;
}
