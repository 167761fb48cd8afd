import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, secret, service } from './rows.ts';

/** Programs that check all of their settings and list every fault in one log. */
export const LISTED_FAULTS: Record<string, CureRow> = {
  'two options of oauth2-proxy that are missing, and a Secret that has both': crash(
    '[2026/11/27 18:40:20] [main.go:54] invalid configuration:\n  missing setting: client-id\n  missing setting: client-secret\n',
    { image: 'quay.io/oauth2-proxy/oauth2-proxy:v7.6.0', env: [{ name: 'OAUTH2_PROXY_PROVIDER', value: 'google' }] },
    {
      culprit: /client-id/,
      best: {
        [`${app}.env[1]`]: fromSecret('OAUTH2_PROXY_CLIENT_ID', 'oauth', 'client-id'),
        [`${app}.env[2]`]: fromSecret('OAUTH2_PROXY_CLIENT_SECRET', 'oauth', 'client-secret'),
      },
      ...likely,
    },
    [secret('oauth', 'client-id', 'client-secret')],
  ),
  'a list of missing options whose head is gone': crash(
    '  missing setting: client-secret\n',
    { image: 'quay.io/oauth2-proxy/oauth2-proxy:v7.6.0', args: ['--provider=oidc'] },
    {
      culprit: /client-secret/,
      best: { [`${app}.env`]: [fromSecret('OAUTH2_PROXY_CLIENT_SECRET', 'oauth', 'client-secret')] },
      ...likely,
    },
    [secret('oauth', 'client-secret')],
  ),
  'two hosts in one list of errors': crash(
    'Error: 2 errors occurred:\n\t* dial tcp: lookup postgres-main on 10.96.0.10:53: no such host\n\t* dial tcp: lookup redis-cache on 10.96.0.10:53: no such host\n\n',
    env({ DB_HOST: 'postgres-main', DB_NAME: 'shop', CACHE_HOST: 'redis-cache' }),
    { culprit: /postgres-main/, best: { [`${app}.env[0].value`]: 'postgres', [`${app}.env[2].value`]: 'redis' }, ...likely },
    [service('postgres', 5432), service('redis', 6379)],
  ),
  'two hosts in one list, of which nothing in the namespace answers one': crash(
    'Error: 2 errors occurred:\n\t* dial tcp: lookup postgres-main on 10.96.0.10:53: no such host\n\t* dial tcp: lookup search-eu on 10.96.0.10:53: no such host\n\n',
    env({ DB_HOST: 'postgres-main', DB_NAME: 'shop', SEARCH_HOST: 'search-eu' }),
    { culprit: /postgres-main/, best: { [`${app}.env[0].value`]: 'postgres' }, ...guess, says: /search-eu/ },
    [service('postgres', 5432)],
  ),
  'lines that lie deeper than the item, which only explain it': crash(
    'Error: 1 error occurred:\n\t* dial tcp: lookup postgres-main on 10.96.0.10:53: no such host\n\t\t* dial tcp: lookup search-eu on 10.96.0.10:53: no such host\n\n',
    env({ DB_HOST: 'postgres-main', DB_NAME: 'shop', SEARCH_HOST: 'search-eu' }),
    { culprit: /postgres-main/, best: { [`${app}.env[0].value`]: 'postgres' }, ...likely },
    [service('postgres', 5432)],
  ),
  'the same host twice in one list': crash(
    'Error: 2 errors occurred:\n\t* dial tcp: lookup postgres-main on 10.96.0.10:53: no such host\n\t* dial tcp: lookup postgres-main on 10.96.0.11:53: no such host\n\n',
    env({ DB_HOST: 'postgres-main', DB_NAME: 'shop' }),
    { culprit: /postgres-main/, best: { [`${app}.env[0].value`]: 'postgres' }, ...likely },
    [service('postgres', 5432)],
  ),
};
