import type { KubeObject, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import type { Cure, CureRow } from './cure.ts';
import { app, crash, guess, likely, map } from './rows.ts';

type Container = Partial<PodSpec['containers'][0]>;
const env = (pairs: Record<string, string>) => Object.entries(pairs).map(([name, value]) => ({ name, value }));

const TOOLS: Record<string, CureRow> = {
  'Longhorn, a tool that the node lacks': crash(
    'time="2026-11-24T03:12:03Z" level=fatal msg="Error starting manager: environment check failed: failed to execute: nsenter [--mount=/host/proc/1/ns/mnt --net=/host/proc/1/ns/net iscsiadm --version], output , stderr nsenter: failed to execute iscsiadm: No such file or directory\\\\n: exit status 127"\n',
    { securityContext: { privileged: true } },
    { culprit: /iscsiadm/, best: null, says: /node[^]*open-iscsi/ },
  ),
  'a driver for NFS that enters the namespaces of its node': crash(
    "nsenter: can't execute 'mount.nfs4': No such file or directory\n",
    {},
    { culprit: /mount\.nfs4/, best: null, says: /node[^]*nfs-common/ },
  ),
  'a program of the node behind chroot': crash(
    "chroot: failed to run command 'multipath': No such file or directory\n",
    { command: ['chroot', '/host', 'multipath', '-ll'] },
    { culprit: /multipath/, best: null, says: /node/ },
  ),
  'a file of the node that is not there': crash(
    'nsenter: cannot open /host/proc/1/ns/mnt: No such file or directory\n',
    {},
    { culprit: /\/host\/proc\/1\/ns\/mnt/, best: null },
  ),
};

const privileged = { [`${app}.securityContext.privileged`]: true };

const PRIVILEGED: Record<string, CureRow> = {
  'Docker in a container': crash(
    'mount: permission denied (are you root?)\nCould not mount /sys/kernel/security.\nAppArmor detection and --privileged mode might break.\nmount: permission denied (are you root?)\n',
    {},
    { culprit: /privileged|mount/, best: privileged, ...guess, says: /privileged/ },
  ),
  'a program that says so': crash(
    'ERROR: this image must be run in privileged mode\n',
    {},
    { culprit: /privileged mode/, best: privileged, ...guess },
  ),
  'another one': crash('fatal: k3s requires a privileged container\n', {}, { culprit: /privileged/, best: privileged, ...guess }),
  'one that is privileged already': crash(
    'mount: permission denied (are you root?)\n',
    { securityContext: { privileged: true } },
    { culprit: /mount/, best: null },
  ),
  'a program that does without': crash(
    'INFO running in unprivileged mode\nerror: open /etc/shop/keys.json: no such file or directory\n',
    {},
    { culprit: /keys\.json/, best: null },
  ),
};

const folder = (log: string, spec: Container, is: Omit<Cure, 'reason'>, others: KubeObject[]): CureRow =>
  crash(log, { volumeMounts: [{ name: 'ca', mountPath: '/etc/ssl/company' }], ...spec }, is, others, {
    volumes: [{ name: 'ca', configMap: { name: 'company-ca' } }],
  });
const EXTRA = (file: string) =>
  `(node:1) Warning: Ignoring extra certs from \`${file}\`, load failed: error:80000002:system library::No such file or directory\nError: self-signed certificate in certificate chain\n`;

const NEAR_FILES: Record<string, CureRow> = {
  'Node, a certificate with another ending': folder(
    EXTRA('/etc/ssl/company/ca.pem'),
    { env: env({ NODE_EXTRA_CA_CERTS: '/etc/ssl/company/ca.pem' }) },
    { culprit: /ca\.pem/, best: { [`${app}.env[0].value`]: '/etc/ssl/company/ca.crt' }, ...likely },
    [map('company-ca', 'ca.crt')],
  ),
  'curl, the other way round': folder(
    'error setting certificate verify locations: open /etc/ssl/company/root.crt: no such file or directory\n',
    { env: env({ CURL_CA_BUNDLE: '/etc/ssl/company/root.crt' }) },
    { culprit: /root\.crt/, best: { [`${app}.env[0].value`]: '/etc/ssl/company/root.pem' }, ...likely },
    [map('company-ca', 'root.pem', 'README')],
  ),
  'a key where a certificate is wanted': folder(
    'error: open /etc/ssl/company/tls.crt: no such file or directory\n',
    { env: env({ TLS_CERT: '/etc/ssl/company/tls.crt' }) },
    { culprit: /tls\.crt/, best: { [`${app}.volumeMounts[0].mountPath`]: /./, [`${app}.volumeMounts[0].subPath`]: 'tls.key' }, ...guess },
    [map('company-ca', 'tls.key')],
  ),
};

const HTTPS =
  'Unhandled exception. System.InvalidOperationException: Unable to configure HTTPS endpoint. No server certificate was specified, and the default developer certificate could not be found or is out of date.\n';

const DEFAULTS: Record<string, CureRow> = {
  '.NET, HTTPS beside HTTP': crash(
    HTTPS,
    { env: env({ ASPNETCORE_ENVIRONMENT: 'Production', ASPNETCORE_URLS: 'https://+:8443;http://+:8080' }) },
    { culprit: /certificate/, best: { [`${app}.env[1].value`]: 'http://+:8080' }, ...likely, says: /ASPNETCORE_URLS/ },
  ),
  '.NET, HTTPS beside HTTP in an argument': crash(
    HTTPS,
    { args: ['--urls=http://+:8080;https://+:8443'] },
    { culprit: /certificate/, best: { [`${app}.args[0]`]: '--urls=http://+:8080' }, ...likely },
  ),
  '.NET, HTTPS alone': crash(
    HTTPS,
    { env: env({ ASPNETCORE_URLS: 'https://+:443' }) },
    { culprit: /certificate/, best: { [`${app}.env[0].value`]: 'http://+:443' }, ...guess },
  ),
  '.NET, the variable for HTTPS alone': crash(
    HTTPS,
    { env: env({ ASPNETCORE_HTTP_PORTS: '8080', ASPNETCORE_HTTPS_PORTS: '8443' }) },
    { culprit: /certificate/, best: { [`${app}.env[1]`]: null }, ...likely },
  ),
  '.NET, addresses that nobody sees': crash(HTTPS, {}, { culprit: /certificate/, best: null }),
  'Keycloak, no host name': crash(
    'ERROR: Strict hostname resolution configured but no hostname setting provided\n',
    { env: env({ KC_DB: 'postgres' }), args: ['start'] },
    { culprit: /KC_HOSTNAME/, best: { [`${app}.env[1]`]: { name: 'KC_HOSTNAME_STRICT', value: 'false' } }, ...guess },
  ),
  'Keycloak, a host name under a slip': crash(
    'ERROR: Strict hostname resolution configured but no hostname setting provided\n',
    { env: env({ KC_HOSTNAM: 'sso.example.com' }), args: ['start'] },
    { culprit: /KC_HOSTNAME/, best: { [`${app}.env[0].name`]: 'KC_HOSTNAME' }, ...likely },
  ),
  'Keycloak, neither HTTPS nor HTTP': crash(
    'ERROR: Key material not provided to setup HTTPS. Please configure your keys/certificates or start the server in development mode.\n',
    { env: env({ KC_DB: 'postgres' }), args: ['start', '--optimized'] },
    { culprit: /KC_HTTP_ENABLED/, best: { [`${app}.env[1]`]: { name: 'KC_HTTP_ENABLED', value: 'true' } }, ...guess },
  ),
};

/** What the node must have or allow, files with another ending, and settings that a program can do without. */
export const HOSTS_AND_DEFAULTS: Record<string, CureRow> = { ...TOOLS, ...PRIVILEGED, ...NEAR_FILES, ...DEFAULTS };
