import { suite } from 'uvu';
import { certificateSignatures } from '../../../../src/diagnosis/rules/signatures/certificates.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about certificates');

const AUTHOR = 'x509: certificate signed by unknown authority';
/** What is to be done, by what each library says of the chain or of the time. */
const toDo = (log: string): string => {
  const ofChain = [
    'unknown authority',
    'self-signed',
    'self signed',
    'PKIX',
    'unable to get',
    'unable to verify',
    'not trusted',
    'UnknownIssuer',
  ];
  if (ofChain.some((words) => log.includes(words))) return 'Mount the certificate of the authority';
  return /expired|not yet valid/i.test(log) ? 'Renew the certificate' : 'Check the expiry';
};
const refused = (log: string, culprit = log, because = 'a certificate is not accepted', more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  because,
  { advice: toDo(log), where: 'the clock of the node', corrections: [], ...more },
];
const x509 = (log: string, what: string, more: LogRow[3] = {}): LogRow => refused(log, what, `is not accepted (\`${what}\`)`, more);
const unread = (log: string, more: LogRow[3] = {}): LogRow =>
  refused(
    log,
    '/tls/tls.crt',
    log.includes('o such file') ? 'the certificate `/tls/tls.crt` does not exist' : 'the certificate `/tls/tls.crt` cannot be loaded',
    more,
  );
const metrics = (container: object, corrections: LogRow[3] = {}): LogRow =>
  x509(`scrape node: Get "https://10.0.0.1:10250/metrics": ${AUTHOR}`, 'certificate signed by unknown authority', {
    container: { image: 'metrics-server:v0.7', ...container },
    ...corrections,
  });
const TRUST = '--kubelet-insecure-tls';
const CA = {
  container: { volumeMounts: [{ name: 'ca', mountPath: '/ca' }] },
  spec: { volumes: [{ name: 'ca', configMap: { name: 'ca' } }] },
  parts: { surroundings: { configMaps: [{ name: 'ca', keys: ['ca.crt'] }] } } as object,
};

logRows(test, certificateSignatures, {
  'certificate-and-key': [
    [
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
      'certificate and key',
      'it finds a key where it wants the certificate',
      { advice: 'the certificate as certificate', where: 'what is in them', corrections: [] },
    ],
    ['PEM inputs may have been switched', 'certificate and key', 'it finds a key'],
    [
      'but did find a private key',
      'TLS_CERT and TLS_KEY',
      'it finds a key',
      {
        container: env({ TLS_CERT: '/t/tls.key', TLS_KEY: '/t/tls.crt' }),
        corrections: likely({ 'env[0].value': '/t/tls.crt', 'env[1].value': '/t/tls.key' }),
      },
    ],
  ],
  certificate: [
    x509('x509: unhandled critical extension', 'unhandled critical extension'),
    x509('x509: certificate is valid for a, not b', 'certificate is valid for a, not b'),
    refused(
      `Get "https://api.shop.svc:8443/v1": ${AUTHOR}`,
      'certificate signed by unknown authority',
      'the certificate of `api.shop.svc:8443` is not accepted (`certificate signed by unknown authority`)',
    ),
    refused('https://api: certificate has expired', undefined, 'the certificate of `api` is not accepted'),
    refused('certificate verify failed'),
    refused('certificate is not yet valid'),
    refused('certificate is not trusted'),
    refused('certificate signed by unknown issuer'),
    refused('self-signed certificate in chain'),
    refused('DEPTH_ZERO: self signed certificate'),
    refused('PKIX path building failed'),
    refused('javax.net.ssl.SSLHandshakeException: no', 'SSLHandshakeException: no'),
    refused('unable to get local issuer certificate'),
    refused('unable to verify the first certificate'),
    refused('SSL_ERROR_SYSCALL'),
    refused('ssl: CERT_HAS_EXPIRED'),
    refused('remote: tls: bad certificate'),
    refused('remote error: tls: handshake failure'),
    refused('unable to load client cert: certificate'),
    [
      'Error: Unable to load server certificate "/tls/tls.crt". Check certfile.\nOpenSSL Error[0]: error:8000000D:system library::Permission denied',
      '/tls/tls.crt (permission denied)',
      'user `1883` is not allowed to access `/tls/tls.crt`',
      {
        container: { volumeMounts: [{ name: 't', mountPath: '/tls' }] },
        spec: { securityContext: { runAsUser: 1883 }, volumes: [{ name: 't', secret: { secretName: 's', defaultMode: 256 } }] },
        corrections: likely({ 'spec.securityContext.fsGroup': 1883 }),
        where: '`fsGroup`',
      },
    ],
    [
      'Error: Unable to load server key file "/tls/tls.key". Check keyfile.\nOpenSSL Error[0]: error:80000002:system library::No such file or directory',
      '/tls/tls.key',
      'the certificate `/tls/tls.key` does not exist',
    ],
    refused(
      'Unable to load server certificate "/tls/tls.crt"\nOpenSSL Error[0]: error:0480006C:PEM routines::no start line',
      'Unable to load server certificate "/tls/tls.crt"',
    ),
    refused('unable to load server cert of certificate'),
    refused('unable to load certificate'),
    unread('cannot load certificate "/tls/tls.crt": BIO_new_file() failed'),
    unread("cannot load certificate '/tls/tls.crt': No such file or directory", {
      container: { volumeMounts: [{ name: 'tls', mountPath: '/other' }] },
      spec: { volumes: [{ name: 'tls', secret: { secretName: 'tls' } }] },
    }),
    unread('cannot load certificate /tls/tls.crt: No such file'),
    unread('cannot load certificate /tls/tls.crt: No such file', {
      container: { volumeMounts: [{ name: 'ca', mountPath: '/certs' }] },
      spec: CA.spec,
      parts: { surroundings: { configMaps: [{ name: 'ca', keys: ['tls.crt'] }] } } as object,
      corrections: likely({ 'volumeMounts[0].mountPath': '/tls' }),
    }),
    [
      AUTHOR,
      'SSL_CERT_FILE=/ca/ca.crt: certificate signed by unknown authority',
      'a certificate is not accepted',
      { ...CA, advice: 'Let the program trust', corrections: likely({ env: [{ name: 'SSL_CERT_FILE', value: '/ca/ca.crt' }] }) },
    ],
    [
      'certificate verify failed: unable',
      'SSL_CERT_FILE=/ca/ca.crt: certificate verify failed: unable',
      'a certificate is not accepted',
      CA,
    ],
    [
      AUTHOR,
      'SSL_CERT_FILE=/ca/root.crt: certificate signed by unknown authority',
      'a certificate is not accepted',
      {
        ...CA,
        container: { ...CA.container, ...env({ SSL_CERT_FILE: '/ca/root.crt' }) },
        advice: 'No volume brings the file',
        corrections: likely({ 'env[0].value': '/ca/ca.crt' }),
      },
    ],
    metrics({}, { corrections: guess({ args: [TRUST] }), mirrorable: true, why: 'not signed by an authority' }),
    metrics({ args: ['--secure-port=4443'] }, { corrections: guess({ 'args[1]': TRUST }) }),
    metrics({ command: ['/metrics-server', '--v=2'] }, { corrections: guess({ 'command[2]': TRUST }) }),
    metrics({ command: ['/metrics-server'] }, { corrections: guess({ args: [TRUST] }) }),
    metrics({ command: ['/metrics-server', '--v=2'], args: ['--x'] }, { corrections: guess({ 'args[1]': TRUST }) }),
    metrics({ args: [TRUST] }),
    metrics({ args: [`${TRUST}=false`] }),
    metrics({ image: 'web:1' }),
    metrics({ image: 'web:1', command: ['/metrics-server'] }, { corrections: guess({ args: [TRUST] }) }),
    metrics({ image: 'web:1', args: ['--metrics-server'] }, { corrections: guess({ 'args[1]': TRUST }) }),
    x509(AUTHOR, 'certificate signed by unknown authority', { container: { image: 'metrics-server:1' } }),
    x509(`scrape: ${AUTHOR}`, 'certificate signed by unknown authority', {
      container: { image: 'metrics-server:1' },
      corrections: guess({ args: [TRUST] }),
    }),
    x509(`https://10.0.0.1:10250: ${AUTHOR}`, 'certificate signed by unknown authority', {
      container: { image: 'metrics-server:1' },
      corrections: guess({ args: [TRUST] }),
    }),
  ],
});
otherLogs(test, {
  certificate: [
    'Creating self-signed certificate, then an error',
    'tls: open /tls/tls.crt: no such file or directory',
    'tls: open /tls/tls.crt: permission denied',
    'ListenAndServeTLS: failed',
    'cannot load certificate "/tls/tls.crt": BIO_new_file() failed: Permission denied',
    'the certificate is there, error',
  ],
});

test.run();
