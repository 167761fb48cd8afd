import { remember } from '../async/remember.ts';
import type { NotificationProvider } from '../crd/notificationprovider.ts';
import type { Cache } from '../kube/watch.ts';
import { ClusterUnavailable } from '../kube/errors.ts';
import type { Readiness } from '../notifications/target.ts';
import type { Target } from '../notifications/types/service.ts';
import { secretsIn, type Signer } from './policy/signature.ts';

export type ChatType = 'slack' | 'teams';

/** A provider that people can act from. */
export interface ChatProvider {
  name: string;
  type: ChatType;
  provider: NotificationProvider;
  target: Target;
}

/** A Secret is read at most so often: forged requests must cost the API server nothing. */
const SECRET_MS = 5_000;

export interface ChatProvidersDeps {
  cache: Pick<Cache<NotificationProvider>, 'get' | 'list' | 'synced'>;
  operatorNamespace: string;
  readiness(provider: NotificationProvider): Promise<Readiness>;
  now(): Date;
}

export type ChatProviders = ReturnType<typeof chatProviders>;

/** The providers of the types slack and teams whose Secret has the key `signingSecret`; for Slack it needs the token of the bot too. */
export function chatProviders({ cache, operatorNamespace, readiness, now }: ChatProvidersDeps) {
  const targetOf = remember(
    async (key: string): Promise<Target | undefined> => {
      const provider = cache.get(operatorNamespace, key.split(' ', 1)[0] ?? '');
      const ready = provider && (await readiness(provider));
      return ready && 'target' in ready ? ready.target : undefined;
    },
    { ttlMs: SECRET_MS, most: 256, now },
  );
  const read = async (provider: NotificationProvider): Promise<ChatProvider | undefined> => {
    const { metadata, spec } = provider;
    const { name = '', generation = 0 } = metadata;
    if (spec.suspend || (spec.type !== 'slack' && spec.type !== 'teams')) return undefined;
    const target = await targetOf(`${name} ${generation}`);
    const isComplete = target && secretsIn(target.secret['signingSecret']).length > 0 && (spec.type === 'teams' || target.secret['token']);
    return isComplete ? { name, type: spec.type, provider, target } : undefined;
  };
  return {
    /** Whether any provider could have a chat. It reads nothing. */
    mayExist: (): boolean => cache.list().some(({ spec }) => !spec.suspend && (spec.type === 'slack' || spec.type === 'teams')),

    /** Undefined for one that is gone, suspended or incomplete. */
    async byName(name: string): Promise<ChatProvider | undefined> {
      if (!cache.synced) throw new ClusterUnavailable('the providers are not known yet');
      const provider = cache.get(operatorNamespace, name);
      return provider && read(provider);
    },

    /** Whose signatures are known. Throws ClusterUnavailable while the providers are not. */
    async signers(type: ChatType): Promise<Signer[]> {
      if (!cache.synced) throw new ClusterUnavailable('the providers are not known yet');
      const found = await Promise.all(cache.list().map(read));
      return found.flatMap((one) =>
        one?.type === type ? [{ provider: one.name, secrets: secretsIn(one.target.secret['signingSecret']) }] : [],
      );
    },
  };
}
