import { maskUserinfo } from './shapes.ts';
import { maskText } from './text.ts';

/**
 * An image reference without credentials: no password before the registry, no parameters of an address. A reference that Kubernetes accepts
 * stays unchanged, whatever its names look like.
 */
export function maskImage(image: string): string {
  return image.includes('?') ? maskText(image) : maskUserinfo(image);
}
