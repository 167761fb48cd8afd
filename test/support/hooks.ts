import { registerHooks } from 'node:module';

// Loaded before each test file by the runner. uvu swallows what a `before` hook throws: the suite then just shows "0 / 9". So the one
// line that runs these hooks learns to say why. Without that line (another uvu) nothing changes.

const QUIET = 'for (hook of before) await hook(state);';
const TOLD = `for (hook of before) try { await hook(state); } catch (error) { console.error('\\n   FAIL  before', name, error); throw error; }`;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/uvu/dist/index.mjs') || !(loaded.source instanceof Uint8Array)) return loaded;
    return { ...loaded, source: new TextDecoder().decode(loaded.source).replace(QUIET, TOLD) };
  },
});
