import { suite } from 'uvu';
import { networkSignatures } from '../../../../src/diagnosis/rules/signatures/network.ts';
import { guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about ports');

const used = (log: string, port: string, more: LogRow[3] = {}): LogRow => [
  log,
  port ? `port ${port}` : 'port in use',
  port ? `port \`${port}\` is already in use` : 'its port is already in use',
  { advice: 'All containers of a pod share its ports', corrections: [], ...more },
];
const SYSCTL: [string, Record<string, unknown>] = [
  'likely',
  { 'spec.securityContext.sysctls': [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] },
];
const low = (log: string, port: string, more: LogRow[3] = {}): LogRow => [
  log,
  port ? `port ${port}` : 'privileged port',
  `its user is not allowed to open port ${port ? `\`${port}\`` : 'numbers below 1024'}`,
  { advice: 'a port above 1023', where: 'NET_BIND_SERVICE', corrections: [SYSCTL], ...more },
];

const ofPorts = networkSignatures.filter(({ id }) => id.includes('port'));
logRows(test, ofPorts, {
  'address-without-port': [
    [
      'listen tcp: address 8080: missing port in address',
      'address 8080',
      'it wants an address, and `8080` is only a port',
      {
        advice: 'with a colon',
        container: { args: ['--listen=8080'] },
        corrections: likely({ 'args[0]': '--listen=:8080' }),
      },
    ],
  ],
  'port-in-use': [
    used('Error: listen EADDRINUSE: address already in use :::3000', '3000'),
    used('EADDRINUSE: port 3000', '3000'),
    used('listen tcp :8080: bind: address already in use', '8080'),
    used('nginx: [emerg] bind() to 0.0.0.0:8080 failed (98: Address already in use)', '8080'),
    used('Only one usage of each socket address is normally permitted: port 0.0.0.0:8080 in use', '8080'),
    used('Port 8080 is already in use', '8080'),
    used('Web server failed to start. Port 8080 was already in use.', '8080'),
    used('port 8080 already in use', '8080'),
    used('OSError: [Errno 98] Address already in use', ''),
    used('cannot bind: address in use', ''),
    used('Error: EADDRINUSE', ''),
    used('java.net.BindException', ''),
    [
      'listen tcp :8080: bind: address already in use',
      'port 8080',
      'port `8080` of the node is already in use',
      { spec: { hostNetwork: true }, corrections: guess({ 'spec.hostNetwork': null }) },
    ],
    [
      'BindException',
      'port in use',
      'its port of the node is already in use',
      { spec: { hostNetwork: true }, corrections: guess({ 'spec.hostNetwork': null }) },
    ],
    used('listen tcp :8080: bind: address already in use', '8080', {
      spec: {
        containers: [
          { name: 'app', args: ['--listen=:8080'] },
          { name: 'b', ports: [{ containerPort: 8080 }] },
        ],
      },
      corrections: likely({ 'args[0]': '--listen=:8081' }),
    }),
    used('listen metrics :8080: bind: address already in use', '8080', {
      container: { args: ['--metrics=:8080', '--web=:8080'], ports: [{ containerPort: 8080 }, { containerPort: 9090 }] },
      corrections: likely({ 'args[0]': '--metrics=:9090' }),
    }),
  ],
  'port-privileged': [
    low('nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)', '80'),
    low('listen tcp :443: bind: permission denied', '443'),
    low('Error: listen EACCES: permission denied 0.0.0.0:80', '80'),
    low('Error: bind EACCES *:80', '80'),
    low('permission denied: cannot bind to localhost:80', '80'),
    low('Permission denied, listen [::]:80', '80'),
    low("PermissionError: connection to ('0.0.0.0', 80) failed: [Errno 13]", '80'),
    low('cannot bind port=80: permission denied', '80'),
    low('cannot bind: permission denied', ''),
    low('app.conf:12 bind permission denied', ''),
    low('System.Net.Sockets.SocketException (13): Permission denied', ''),
    low('java.net.SocketException: Permission denied', ''),
    low('Failed to bind to address http://[::]:80\nSystem.Net.Sockets.SocketException (13): Permission denied', '80'),
    low('starting web server on 0.0.0.0:81\njava.net.SocketException: Permission denied', '81'),
    low('listen tcp :80: bind: permission denied', '80', {
      container: { args: ['--listen=:80'], ports: [{ containerPort: 8080 }] },
      corrections: [['likely', { 'args[0]': '--listen=:8080' }], SYSCTL],
    }),
  ],
});
otherLogs(test, { 'port-privileged': ["connection to ('0.0.0.0', 18080) failed: [Errno 13]", 'read file: permission denied'] });

test.run();
