import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, secret } from './rows.ts';

/** Mistakes in the settings of programs that teams run as they come; then near misses. */
export const PLATFORM_SLIPS: Record<string, CureRow> = {
  'an option that is gone, which an earlier line names': crash(
    'ERR Static TLS is no longer supported in v4, remove the option entrypoint tls static\nerror: incompatible static configuration found\n',
    { args: ['--entrypoint.web=:8000', '--entrypoint.tls.static=true'] },
    { culprit: /--entrypoint\.tls\.static/, best: { [`${app}.args`]: ['--entrypoint.web=:8000'] }, ...likely },
  ),
  'two options with one address': crash(
    'FATAL Unable to start the server: --console-address cannot be same as --address\n',
    { args: ['server', '/data', '--console-address', ':9000'], ports: [{ containerPort: 9000 }, { containerPort: 9001 }] },
    { culprit: /--console-address/, best: { [`${app}.args[3]`]: ':9001' }, ...likely },
  ),
  'the only key that is supported': crash(
    'F0530 10:12:04.330297       1 aws.go:430] Failed to create manager: unsupported parameter key "tags" is specified for discoverer "asg". The only supported key is "tag"\n',
    { args: ['--auto-discovery=asg:tags=enabled,prod'] },
    { culprit: /tags/, best: { [`${app}.args[0]`]: '--auto-discovery=asg:tag=enabled,prod' }, ...likely },
  ),
  'a list of members without the own name': crash(
    `{"level":"fatal","msg":"discovery failed","error":"couldn't find local name \\"kv\\" in the initial cluster configuration"}\n`,
    { args: ['--name=kv', '--initial-cluster=default=http://kv:2380'] },
    { culprit: /kv/, best: { [`${app}.args[1]`]: '--initial-cluster=kv=http://kv:2380' }, ...likely },
  ),
  'a section with one underscore too few': crash(
    'airflow.exceptions.AirflowConfigException: error: cannot use SQLite with the CeleryExecutor\n',
    env({ SHOP__CORE__EXECUTOR: 'Celery', SHOP__CORE__EXAMPLES: 'no', SHOP__DATABASE_SQL_CONN: 'postgresql://db/shop' }),
    { culprit: /SHOP__DATABASE_SQL_CONN/, best: { [`${app}.env[2].name`]: 'SHOP__DATABASE__SQL_CONN' }, ...likely },
  ),
  'root, where the files are given to another user': crash(
    'Code: 430. DB::Exception: Effective user of the process (root) does not match the owner of the data (clickhouse).\n',
    { securityContext: { runAsUser: 0 } },
    { culprit: /root/, best: { [`${app}.securityContext.runAsUser`]: 101 }, ...likely },
    [],
    { initContainers: [{ name: 'own', image: 'busybox', command: ['sh', '-c', 'chown -R 101:101 /data'] }] },
  ),
  'a socket whose folder is mounted elsewhere': crash(
    'I0622 06:08:32.129845       1 connection.go:253] "Still connecting" address="unix:///csi/csi.sock"\nE0622 06:08:42.129988       1 main.go:176] "Error connecting to CSI driver" err="context deadline exceeded"\n',
    { args: ['--csi-address=/csi/csi.sock'], volumeMounts: [{ name: 'socket-dir', mountPath: '/var/run/csi' }] },
    { culprit: /--csi-address/, best: { [`${app}.args[0]`]: '--csi-address=/var/run/csi/csi.sock' }, ...likely },
    [],
    { volumes: [{ name: 'socket-dir', hostPath: { path: '/var/lib/kubelet/plugins/x' } }] },
  ),
  'a key that nothing brings into the container': crash(
    'Refusing to start due to insecure SECRET_KEY\n',
    env({ PORT: '8088' }),
    {
      culprit: /SHOP_SECRET_KEY/,
      best: {
        [`${app}.env[1]`]: { name: 'SHOP_SECRET_KEY', valueFrom: { secretKeyRef: { name: 'shop', key: 'SHOP_SECRET_KEY' } } },
      },
      ...guess,
    },
    [secret('shop', 'SHOP_SECRET_KEY')],
  ),
  'a database that nobody has prepared': crash(
    'ERROR: You need to initialize the database. Please run `airflow db migrate` first.\n',
    { image: 'apache/airflow:2.9.1' },
    {
      culprit: /airflow db migrate/,
      best: { 'spec.initContainers': [{ name: 'prepare-database', image: 'apache/airflow:2.9.1', command: ['airflow', 'db', 'migrate'] }] },
      ...guess,
    },
  ),
  'a folder below a read-only mount': crash(
    '[2024/07/01 05:44:16] [error] [storage] [chunkio] cannot initialize root path /var/log/flb-storage/\n',
    { volumeMounts: [{ name: 'logs', mountPath: '/var/log', readOnly: true }] },
    { culprit: /\/var\/log\/flb-storage\/ \(volume logs is read-only\)/, best: { [`${app}.volumeMounts[0].readOnly`]: null }, ...guess },
    [],
    { volumes: [{ name: 'logs', hostPath: { path: '/var/log' } }] },
  ),
  'a socket on a read-only root, named in the next line': crash(
    "[ERROR] Can't start server : Bind on unix socket: Read-only file system\n[ERROR] Do you already have another server running on socket: /run/mysqld/mysqld.sock ?\n",
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/run\/mysqld\/mysqld\.sock/,
      best: {
        'spec.volumes': [{ name: 'writable-run-mysqld', emptyDir: {} }],
        [`${app}.volumeMounts`]: [{ name: 'writable-run-mysqld', mountPath: '/run/mysqld' }],
      },
    },
  ),
  'components that the image of the core lacks': crash(
    `* error decoding 'processors': unknown type: "k8sattributes" for id: "k8sattributes"\n`,
    { image: 'otel/opentelemetry-collector:0.102.1' },
    { culprit: /k8sattributes/, best: { [`${app}.image`]: 'otel/opentelemetry-collector-contrib:0.102.1' }, ...likely },
  ),
  'no address of its own for its peers': crash(
    'level=error msg="unable to initialize gossip mesh" err="create memberlist: Failed to get final advertise address: No private IP address found, and explicit IP not provided"\n',
    { image: 'prom/alertmanager:v0.27.0', args: ['--config.file=/etc/alertmanager.yml'] },
    {
      culprit: /advertise address/,
      best: {
        [`${app}.env`]: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
        [`${app}.args[1]`]: '--cluster.advertise-address=$(POD_IP):9094',
      },
      ...likely,
    },
  ),
  'a feature that the cluster cannot have': crash(
    'E0618 08:02:15.177812       1 main.go:41] "error executing command" err="the CRDs do not seem to be present, but GatewaySupport is set to true. (the server could not find the requested resource)"\n',
    { args: ['--v=2', '--feature-gates=Other=true,GatewaySupport=true'] },
    { culprit: /GatewaySupport/, best: { [`${app}.args[1]`]: '--feature-gates=Other=true' }, ...guess },
  ),
  'a variable of a configuration under another name': crash(
    "nats-server: variable reference for 'NATS_TOKEN' on line 9 can not be found\n",
    env({ NATS_AUTH_TOKEN: 'x' }),
    { culprit: /NATS_TOKEN/, best: { [`${app}.env[0].name`]: 'NATS_TOKEN' }, ...guess },
  ),
  'one of two variables that go together': crash(
    'please set or unset MAX_HEAP_SIZE and HEAP_NEWSIZE in pairs (see cassandra-env.sh)\n',
    env({ CLUSTER: 'events', MAX_HEAP_SIZE: '4G' }),
    { culprit: /HEAP_NEWSIZE/, best: { [`${app}.env[1]`]: null }, ...guess },
  ),

  // Near misses.
  'a member that was removed, whose name is like an option': crash(
    'node web has been removed from the ring\nerror: lost quorum\n',
    { args: ['--node.web=1', '--ring=2'] },
    { culprit: /quorum/, best: null },
  ),
  'two options of which one may be gone': crash(
    'the options cache.size and cache.mode have been removed in version 3\nerror: invalid configuration found\n',
    { args: ['--cache.size=1', '--cache.mode=2'] },
    { culprit: /./, best: null },
  ),
  'one address for two options, and two ports that are free': crash(
    'FATAL Unable to start the server: --console-address cannot be same as --address\n',
    {
      args: ['server', '--console-address', ':9000'],
      ports: [{ containerPort: 9000 }, { containerPort: 9001 }, { containerPort: 9002 }],
    },
    { culprit: /--console-address/, best: null },
  ),
  'a list of several members without the own name': crash(
    `{"level":"fatal","msg":"discovery failed","error":"couldn't find local name \\"kv\\" in the initial cluster configuration"}\n`,
    { args: ['--name=kv', '--initial-cluster=a=http://a:2380,b=http://b:2380'] },
    { culprit: /kv/, best: null },
  ),
  'a key of two Secrets': crash(
    'Refusing to start due to insecure SECRET_KEY\n',
    env({ PORT: '8088' }),
    { culprit: /SECRET_KEY/, best: null },
    [secret('shop', 'SHOP_SECRET_KEY'), secret('blog', 'BLOG_SECRET_KEY')],
  ),
  'a socket that a volume brings': crash(
    'E0622 06:08:42.129988       1 main.go:176] "Error connecting to CSI driver" err="context deadline exceeded"\n',
    { args: ['--csi-address=/csi/csi.sock'], volumeMounts: [{ name: 'socket-dir', mountPath: '/csi' }] },
    { culprit: /CSI driver/, best: null },
    [],
    { volumes: [{ name: 'socket-dir', hostPath: { path: '/var/lib/kubelet/plugins/x' } }] },
  ),
  'a place in the source of a program is no address': crash(
    'E0622 06:08:42.129988       1 main.go:176] "Error connecting to driver" err="context deadline exceeded"\n',
    {},
    { culprit: /^(?!.*main\.go).*driver/, best: null },
  ),
};
