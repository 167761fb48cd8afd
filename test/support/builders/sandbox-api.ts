import { apiServer, type Api } from '../../../src/sandbox/api/api.ts';
import { ApiError } from '../../../src/sandbox/api/errors.ts';
import { celRules } from '../../../src/sandbox/kinds/cel.ts';
import { Registry } from '../../../src/sandbox/kinds/kinds.ts';
import { steppedClock, type SteppedClock } from '../../../src/sandbox/sandbox.ts';
import type { Loose, Stored } from '../../../src/sandbox/store/object.ts';
import { Store } from '../../../src/sandbox/store/store.ts';

/** The sandbox's API without HTTP, controllers or a node. */
export interface BareApi {
  api: Api;
  clock: SteppedClock;
  /** Creates an object of a built-in kind, named by its plural. */
  make(plural: string, body: Loose): Stored;
  /** The object as it is stored; `namespace/name`, or `name`. */
  read(plural: string, key: string): Stored | undefined;
  list(plural: string, namespace?: string): Stored[];
  /** Overwrites the status of an object. */
  say(plural: string, key: string, status: Loose): void;
}

/** An API server with namespaces `default` and `shop`, whose clock stands still at 2030-01-01T00:00:00Z. */
export function bareApi(): BareApi {
  const clock = steppedClock(new Date('2030-01-01T00:00:00Z'));
  const api = apiServer({ store: new Store(), registry: new Registry(), clock, cel: celRules() });
  const kind = (plural: string) => api.registry.builtin(plural);
  const made: BareApi = {
    api,
    clock,
    make: (plural, body) => api.create(kind(plural), body.metadata?.namespace, body),
    read: (plural, key) => api.store.get(kind(plural).storage, key),
    list: (plural, namespace) => api.store.list(kind(plural).storage, namespace),
    say: (plural, key, status) => {
      const [name = '', namespace] = key.split('/').reverse();
      api.change(kind(plural), { metadata: { name, ...(namespace && { namespace }) } }, 'status', (copy) => (copy.status = status));
    },
  };
  for (const name of ['default', 'shop']) {
    made.make('namespaces', { metadata: { name } });
    made.make('serviceaccounts', { metadata: { name: 'default', namespace: name } });
  }
  return made;
}

/** A pod of one container in namespace `shop`. */
export const aPodBody = (name: string, spec: Loose = {}, container: Loose = {}, metadata: Loose = {}): Loose => ({
  metadata: { name, namespace: 'shop', ...metadata },
  spec: { containers: [{ name: 'app', image: 'web:1', ...container }], ...spec },
});

/** The message with which the API refuses something; undefined if it does not. */
export function refusalOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
