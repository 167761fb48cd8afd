import type { Container } from '../../../../../src/crd/kubernetes.ts';
import type { CureRow } from './cure.ts';
import { app, crash, likely, service } from './rows.ts';

const NGINX = (directive: string, place: string): string =>
  `/docker-entrypoint.sh: Configuration complete; ready for start up\nnginx: [emerg] "${directive}" directive is not allowed here in ${place}\n`;
const volumes = { volumes: [{ name: 'site', configMap: { name: 'site' } }] };
/** One key of the ConfigMap, mounted as this file. */
const asFile = (mountPath: string): Partial<Container> => ({ volumeMounts: [{ name: 'site', mountPath, subPath: 'default.conf' }] });
const mountAt = (path: string) => ({ [`${app}.volumeMounts[0].mountPath`]: path });

/** Files of nginx that are mounted where another kind of file belongs. */
const CONTEXTS: Record<string, CureRow> = {
  'one server of nginx as the main configuration': crash(
    NGINX('server', '/etc/nginx/nginx.conf:1'),
    asFile('/etc/nginx/nginx.conf'),
    { culprit: /"server" directive|nginx\.conf/, best: mountAt('/etc/nginx/conf.d/default.conf'), ...likely },
    [],
    volumes,
  ),
  'a group of servers as the main configuration': crash(
    NGINX('upstream', '/etc/nginx/nginx.conf:2'),
    asFile('/etc/nginx/nginx.conf'),
    { culprit: /nginx\.conf/, best: mountAt('/etc/nginx/conf.d/default.conf'), ...likely },
    [],
    volumes,
  ),
  'a whole configuration among those of the servers': crash(
    NGINX('worker_processes', '/etc/nginx/conf.d/default.conf:1'),
    asFile('/etc/nginx/conf.d/default.conf'),
    { culprit: /default\.conf/, best: mountAt('/etc/nginx/nginx.conf'), ...likely },
    [],
    volumes,
  ),
  'a server that stands outside of its block, far down in the file': crash(
    NGINX('server', '/etc/nginx/nginx.conf:48'),
    asFile('/etc/nginx/nginx.conf'),
    { culprit: /nginx\.conf/, best: null },
    [],
    volumes,
  ),
  'a directive of a location in a server': crash(
    NGINX('proxy_pass', '/etc/nginx/conf.d/default.conf:3'),
    asFile('/etc/nginx/conf.d/default.conf'),
    { culprit: /default\.conf/, best: null },
    [],
    volumes,
  ),
  'a file of the image itself': crash(NGINX('server', '/etc/nginx/nginx.conf:1'), {}, { culprit: /nginx\.conf/, best: null }),
};

const silent = /name server[^]*53/;

/** Lookups that the name server does not answer. No other name helps. */
const LOOKUPS: Record<string, CureRow> = {
  'a look-up of Go without an answer': crash(
    'dial tcp: lookup tickets-db on 10.96.0.10:53: read udp 10.244.0.9:41820->10.96.0.10:53: i/o timeout\n',
    { env: [{ name: 'DB_HOST', value: 'tickets-db' }] },
    { culprit: /10\.96\.0\.10:53.*tickets-db/, best: null, says: silent },
    [service('tickets-pg', 5432)],
  ),
  'a look-up that is refused': crash(
    'lookup cache on 10.96.0.10:53: read udp 10.244.0.9:41820->10.96.0.10:53: read: connection refused\n',
    {},
    { culprit: /10\.96\.0\.10:53/, best: null, says: silent },
  ),
  'a tool that reaches no name server': crash(
    ';; connection timed out; no servers could be reached\n',
    {},
    { culprit: /name server/, best: null, says: /name server/ },
  ),
  'a name that the name server does not know': crash(
    'dial tcp: lookup tickets-bd on 10.96.0.10:53: no such host\n',
    { env: [{ name: 'DB_HOST', value: 'tickets-bd' }] },
    { culprit: /^tickets-bd \(DB_HOST\)$/, best: { [`${app}.env[0].value`]: 'tickets-db' }, ...likely },
    [service('tickets-db', 5432)],
  ),
  'a database that does not answer': crash('dial tcp 10.0.0.9:5432: i/o timeout\n', {}, { culprit: /^10\.0\.0\.9:5432$/, best: null }),
};

/** Files in the wrong place, and name servers that do not answer. */
export const SERVERS_AND_CONTEXTS: Record<string, CureRow> = { ...CONTEXTS, ...LOOKUPS };
