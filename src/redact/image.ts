import { maskUserinfo } from './shapes.ts';
import { maskText } from './text.ts';

/**
 * An image reference without what somebody wrote into it to get in: a password before the registry, parameters of an address. A reference
 * that Kubernetes accepts stays unchanged, whatever its names sound like.
 */
export function maskImage(image: string): string {
  return image.includes('?') ? maskText(image) : maskUserinfo(image);
}
