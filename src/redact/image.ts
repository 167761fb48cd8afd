import { maskUserinfo } from './shapes.ts';
import { maskText } from './text.ts';

/**
 * Removes credentials from an image reference: a password before the registry, and secrets in the parameters of an address. A reference that
 * Kubernetes accepts stays unchanged, whatever its names look like.
 */
export function maskImage(image: string): string {
  return image.includes('?') ? maskText(image) : maskUserinfo(image);
}
