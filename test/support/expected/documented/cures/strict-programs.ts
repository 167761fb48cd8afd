import type { CureRow } from './cure.ts';
import { container, loops, other, pod } from '../documented.ts';
import { app, crash, env, guess, likely, secret, service, settings } from './rows.ts';

const FORBIDDEN = (namespace: string) =>
  `panic: secrets "console-csrf" is forbidden: User "system:serviceaccount:default:console" cannot get resource "secrets" in API group "" in the namespace "${namespace}"\n`;

/** Programs that end at a value which others would take, and say how they want it. */
export const STRICT_PROGRAMS: Record<string, CureRow> = {
  'a setting that the line names with a list that lacks its value': crash(
    'Error: Config validation error: "LOG_LEVEL" must be one of [error, warn, info, debug]\n',
    env({ PORT: '3000', LOG_LEVEL: 'verbose' }),
    { culprit: /LOG_LEVEL=verbose/, best: { [`${app}.env[1].value`]: 'debug' }, ...likely },
  ),
  'a setting of a list whose value is in it': crash(
    'Error: Config validation error: "LOG_LEVEL" must be one of [error, warn, info, debug]\n',
    env({ PORT: '3000', LOG_LEVEL: 'debug' }),
    { culprit: /LOG_LEVEL/, best: null },
  ),
  'a port of its own in a connection string of SQL Server': crash(
    "System.ArgumentException: Keyword not supported: 'port'.\n   at Microsoft.Data.SqlClient.SqlConnectionString..ctor(String connectionString)\n",
    env({ ConnectionStrings__Main: 'Data Source=mssql; Port=1433; Database=Shop; User Id=shop' }),
    { culprit: /port/i, best: { [`${app}.env[0].value`]: 'Data Source=mssql,1433; Database=Shop; User Id=shop' }, ...likely },
  ),
  'a name where the program wants an IP': crash(
    "thread 'main' panicked at src/main.rs:38:10:\nBIND_ADDR must be a socket address: AddrParseError(Socket)\n",
    env({ BIND_ADDR: 'localhost:8080', REDIS_ADDR: 'redis:6379' }),
    { culprit: /BIND_ADDR=localhost:8080/, best: { [`${app}.env[0].value`]: '0.0.0.0:8080' }, ...likely },
  ),
  'an Erlang node with the IP of its pod': crash(
    'format: "Can\'t set short node name!\\nPlease check your configuration\\n"\n',
    env({ RELEASE_NODE: 'chat@10.0.0.7', PHX_SERVER: 'true' }),
    {
      culprit: /RELEASE_DISTRIBUTION/,
      best: { [`${app}.env[2]`]: { name: 'RELEASE_DISTRIBUTION', value: 'name' } },
      ...likely,
    },
  ),
  'an Erlang node with a host without dots': crash(
    'format: "Can\'t set long node name!\\nPlease check your configuration\\n"\n',
    env({ RELEASE_NODE: 'chat@chat-0', RELEASE_DISTRIBUTION: 'name' }),
    { culprit: /RELEASE_DISTRIBUTION/, best: { [`${app}.env[1].value`]: 'sname' }, ...likely },
  ),
  'a port of the node that is taken': crash(
    'EADDRINUSE: Failed to start server. Is port 3000 in use?\n syscall: "listen",\n',
    { image: 'hub', ports: [{ containerPort: 3000 }] },
    { culprit: /3000/, best: { 'spec.hostNetwork': null } },
    [],
    { hostNetwork: true },
  ),
  'a relative folder beside which the volume is mounted': crash(
    "Failed to read upload/thumbs/.check: Error: ENOENT: no such file or directory, open 'upload/thumbs/.check'\n",
    { image: 'photos', volumeMounts: [{ name: 'library', mountPath: '/usr/src/app/uploads' }] },
    { culprit: /upload\/thumbs/, best: { [`${app}.volumeMounts[0].mountPath`]: '/usr/src/app/upload' }, ...likely },
    [],
    { volumes: [{ name: 'library', persistentVolumeClaim: { claimName: 'library' } }] },
  ),
  'a relative folder in a volume that is called like it': crash(
    "Failed to read upload/thumbs/.check: Error: ENOENT: no such file or directory, open 'upload/thumbs/.check'\n",
    { image: 'photos', volumeMounts: [{ name: 'library', mountPath: '/usr/src/app/upload' }] },
    { culprit: /upload\/thumbs/, best: null },
    [],
    { volumes: [{ name: 'library', persistentVolumeClaim: { claimName: 'library' } }] },
  ),
  'a key that items put at another name': crash(
    "[ALERT]    (1) : config : parsing [/usr/local/etc/haproxy/haproxy.cfg:18] : 'bind *:8443' in section 'frontend' : unable to stat SSL certificate from file '/etc/certs/site.pem' : No such file or directory.\n",
    { image: 'haproxy:2.8.10', volumeMounts: [{ name: 'certs', mountPath: '/etc/certs' }] },
    { culprit: /\/etc\/certs\/site\.pem/, best: { 'spec.volumes[0].secret.items[0].path': 'site.pem' }, ...likely },
    [secret('portal', 'tls.crt', 'tls.key', 'tls.pem')],
    { volumes: [{ name: 'certs', secret: { secretName: 'portal', items: [{ key: 'tls.pem', path: 'tls.pem' }] } }] },
  ),
  'a misspelt part of an option of Traefik': crash(
    '{"level":"error","error":"command traefik error: failed to decode configuration from flags: field not found, node: certresolvers","message":"Command error"}\n',
    { image: 'traefik:v3.0.4', args: ['--entrypoints.web.address=:8000', '--entrypoints.web.http.tls.certresolvers=le'] },
    { culprit: /certresolvers/, best: { [`${app}.args[1]`]: '--entrypoints.web.http.tls.certresolver=le' }, ...likely },
  ),
  'a port of Jenkins that another Service has': crash(
    'WARNING: connect timed out\nSEVERE: http://jenkins:8080/ provided port:50000 is not reachable on host jenkins\n',
    env({ JENKINS_URL: 'http://jenkins:8080/' }),
    { culprit: /50000/, best: { [`${app}.env[1]`]: { name: 'JENKINS_TUNNEL', value: 'jenkins-agent:50000' } }, ...likely },
    [service('jenkins', 8080), service('jenkins-agent', 50_000)],
  ),
  'a port of Jenkins that no Service has': crash(
    'SEVERE: http://jenkins:8080/ provided port:50000 is not reachable on host jenkins\n',
    env({ JENKINS_URL: 'http://jenkins:8080/' }),
    { culprit: /50000/, best: null },
    [service('jenkins', 8080)],
  ),
  'two data sources of Grafana that are the default': crash(
    'Error: ✗ *provisioning.ProvisioningServiceImpl run error: Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default\n',
    { image: 'grafana/grafana:11.1.0' },
    { culprit: /isDefault/, best: null },
  ),
  'an option with the namespace of another installation': crash(
    FORBIDDEN('console'),
    { image: 'console', args: ['--namespace=console'] },
    { culprit: /namespace console/, best: { [`${app}.args[0]`]: '--namespace=default' }, ...guess },
  ),
  'a right that is missing in the own namespace': crash(
    FORBIDDEN('default'),
    { image: 'console', args: ['--namespace=default'] },
    { culprit: /cannot get resource secrets$/, best: null },
  ),
  'three variables that are wanted together, one under a shorter name': crash(
    'Exception in thread "main" InvalidConfigurationException: The APP_ELECTION_LEASE_NAME, APP_ELECTION_LEASE_NAMESPACE and APP_ELECTION_IDENTITY options are required and have to be set when leader election is enabled.\n',
    env({ APP_ELECTION_LEASE_NAME: 'app', APP_ELECTION_LEASE_NAMESPACE: 'shop', APP_ELECTION_ID: 'app-0' }),
    { culprit: /APP_ELECTION_IDENTITY/, best: { [`${app}.env[2].name`]: 'APP_ELECTION_IDENTITY' }, ...likely },
  ),
  'data that is two major versions behind': crash(
    "Can't start Nextcloud because upgrading from 27.1.11.3 to 29.0.8.1 is not supported.\nIt is only possible to upgrade one major version at a time.\n",
    { image: 'nextcloud:29.0.8-apache' },
    { culprit: /27\.1\.11\.3/, best: { [`${app}.image`]: 'nextcloud:28-apache' }, ...guess },
  ),
  'a member of etcd that calls itself otherwise than its host': {
    object: pod(
      'etcd-0',
      {
        hostname: 'etcd-0',
        subdomain: 'etcd',
        containers: [{ name: 'app', image: 'etcd', args: ['--name=etcd-main', '--initial-cluster=etcd-0=http://etcd-0.etcd:2380'] }],
      },
      [container('app', loops(1))],
    ),
    log: '{"level":"fatal","msg":"discovery failed","error":"couldn\'t find local name \\"etcd-main\\" in the initial cluster configuration"}\n',
    is: { reason: 'CrashLoopBackOff', culprit: /etcd-main/, best: { [`${app}.args[0]`]: '--name=etcd-0' }, ...likely },
  },
  'a licence that a program wants to be accepted in a variable': crash(
    'In order to use the Enterprise Edition you must accept the license agreement.\n\nTo accept the commercial license agreement set the environment variable\nAPP_ACCEPT_LICENSE_AGREEMENT=yes\n\nTo do this you can use the following docker argument:\n\n        --env=APP_ACCEPT_LICENSE_AGREEMENT=<yes|eval>\n',
    env({ APP_AUTH: 'none' }),
    {
      culprit: /APP_ACCEPT_LICENSE_AGREEMENT/,
      best: { [`${app}.env[1]`]: { name: 'APP_ACCEPT_LICENSE_AGREEMENT', value: 'yes' } },
      ...guess,
    },
  ),
  'a locale that the image does not have': crash(
    'initdb: error: invalid locale name "de_DE.UTF-8"\ninitdb: hint: If the locale name is specific to ICU, use --icu-locale.\n',
    env({ POSTGRES_INITDB_ARGS: '--locale=de_DE.UTF-8 --data-checksums' }),
    {
      culprit: /de_DE\.UTF-8/,
      best: { [`${app}.env[0].value`]: '--locale=C.UTF-8 --data-checksums' },
      ...guess,
    },
  ),
  'a list of folders that a start script only prints': crash(
    "find: '/etc/app/ssl': No such file or directory\n[INFO] Upgrading schema ...\n[FATAL] failed to migrate the database, error: Dirty database version 140. Fix and force version.\n",
    { image: 'core' },
    { culprit: /dirty database version 140/, best: null },
  ),
  'a file of which the same script cannot do without': crash(
    'cat: /etc/app/ssl/ca.crt: No such file or directory\n',
    { image: 'core', volumeMounts: [{ name: 'ssl', mountPath: '/etc/app/tls' }] },
    { culprit: /\/etc\/app\/ssl\/ca\.crt/, best: { [`${app}.volumeMounts[0].mountPath`]: '/etc/app/ssl' } },
    [secret('ca', 'ca.crt'), settings('other', { a: 'b' }), other('ServiceAccount', 'core')],
    { volumes: [{ name: 'ssl', secret: { secretName: 'ca' } }] },
  ),
};
