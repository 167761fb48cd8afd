import { registerHooks } from 'node:module';
import { extname } from 'node:path';

/** Types are stripped here or were when this was built. */
const PARTS = new URL(`./client-parts${extname(import.meta.url)}`, import.meta.url).href;

/**
 * From now on whoever asks for `@kubernetes/client-node` as a whole gets client-parts.ts: the operator's base, and inside the package its
 * reader of kubeconfigs, which wants two functions of the generated part. What was loaded before stays whole and works as well.
 */
export function loadClientInParts(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const isWhole = specifier === '@kubernetes/client-node';
      const isGenerated = specifier === './gen/index.js' && context.parentURL?.endsWith('/@kubernetes/client-node/dist/config.js');
      return isWhole || isGenerated ? { url: PARTS, format: 'module', shortCircuit: true } : next(specifier, context);
    },
  });
}
