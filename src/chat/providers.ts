import { remember } from '../async/cache.ts';
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

/** The shortest time between two reads of a Secret, so that forged requests do not load the API server. */
const SECRET_MS = 5_000;

export interface ChatProvidersDeps {
  cache: Pick<Cache<NotificationProvider>, 'get' | 'list' | 'synced'>;
  operatorNamespace: string;
  readiness(provider: NotificationProvider): Promise<Readiness>;
  now(): Date;
}

export type ChatProviders = ReturnType<typeof chatProviders>;

/** The providers of type slack or teams whose Secret has the key `signingSecret`. A Slack provider also needs the bot's token. */
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
    /** Whether any provider could have a chat, judged by the cache alone. */
    mayExist: (): boolean => cache.list().some(({ spec }) => !spec.suspend && (spec.type === 'slack' || spec.type === 'teams')),

    /** Undefined for a provider that was deleted, is suspended or is incomplete. */
    async byName(name: string): Promise<ChatProvider | undefined> {
      if (!cache.synced) throw new ClusterUnavailable('the providers are not known yet');
      const provider = cache.get(operatorNamespace, name);
      return provider && read(provider);
    },

    /** The providers whose signatures are accepted. Throws ClusterUnavailable while providers cannot be read. */
    async signers(type: ChatType): Promise<Signer[]> {
      if (!cache.synced) throw new ClusterUnavailable('the providers are not known yet');
      const found = await Promise.all(cache.list().map(read));
      return found.flatMap((one) =>
        one?.type === type ? [{ provider: one.name, secrets: secretsIn(one.target.secret['signingSecret']) }] : [],
      );
    },
  };
}
