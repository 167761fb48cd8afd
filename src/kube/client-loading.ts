import { registerHooks } from 'node:module';
import { extname } from 'node:path';

/** The address of client-parts: a .ts file in the repository, a .js file in the built package. */
const PARTS = new URL(`./client-parts${extname(import.meta.url)}`, import.meta.url).href;

/**
 * After this call an import of `@kubernetes/client-node` loads client-parts.ts instead. This affects the base class of the operator, and
 * the package's own kubeconfig reader, which needs two functions of the generated code. Modules that are already loaded do not change.
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
