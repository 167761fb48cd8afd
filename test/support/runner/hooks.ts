import { registerHooks } from 'node:module';

// The runner loads this before the test files. uvu hides errors of `before` hooks: the suite then shows only "0 / 9". So this changes the
// line of uvu that runs these hooks, and the new line prints the error. If a version of uvu does not have that line, nothing changes.

const SILENT = 'for (hook of before) await hook(state);';
const WITH_REASON = `for (hook of before) try { await hook(state); } catch (error) { console.error('\\n   FAIL  before', name, error); throw error; }`;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/uvu/dist/index.mjs') || !(loaded.source instanceof Uint8Array)) return loaded;
    return { ...loaded, source: new TextDecoder().decode(loaded.source).replace(SILENT, WITH_REASON) };
  },
});
