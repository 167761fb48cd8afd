import type { Surroundings } from '../diagnosis/case.ts';
import type { KubeClient, Page } from './client.ts';
import { isKubeError, KubeError } from './errors.ts';
import { type DataObject, KINDS } from './kinds.ts';

type Secrets = NonNullable<Surroundings['secrets']>;

export interface SecretNamesDeps {
  client: Pick<KubeClient, 'page'>;
  log: { warn(fields: object, message: string): void };
}

/**
 * Reads names, types and key names of the Secrets of a namespace, for `READ_SECRET_NAMES`. Undefined when the API server refuses, which is
 * logged once. Each page is dropped after its names are read, so no value stays in memory. Throws `ClusterUnavailable`.
 */
export function secretNamesOf({ client, log }: SecretNamesDeps): (namespace: string) => Promise<Secrets | undefined> {
  let isTold = false;
  return async (namespace) => {
    try {
      return await listed(client, namespace);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      if (isKubeError(error, 403) && !isTold) {
        isTold = true;
        log.warn({ namespace }, 'READ_SECRET_NAMES is set, and the operator may not list Secrets here: what is known of them is left out');
      }
      return undefined;
    }
  };
}

async function listed(client: Pick<KubeClient, 'page'>, namespace: string): Promise<Secrets> {
  const secrets: Secrets = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const page: Page<DataObject> = await client.page(KINDS.secret, { namespace }, { limit: 100, continue: token || undefined });
    secrets.push(
      ...page.items.map(({ metadata, data, type }) => ({
        name: metadata.name ?? '',
        keys: Object.keys(data ?? {}),
        ...(type ? { type } : {}),
      })),
    );
    token = page.continueToken;
  }
  return secrets;
}
