import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kubectl } from '../../support/cluster/kubectl.ts';
import { until } from '../../support/runner/wait.ts';

/** A webhook server. It stands for an intruder's server at any address that the API server can reach. */
export interface Listener {
  /** The `clientConfig` of a webhook configuration: by Service, or by address. The server answers every path. */
  byService(path: string): object;
  byAddress(path: string): object;
  /** The objects that the API server has sent to this path so far. */
  heard(path: string): Promise<Heard[]>;
}

interface Heard {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
}

const PORT = 8443;
/** The server's program: it logs every object that it receives, and allows every request. */
const SCRIPT = `
  const answer = async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (request.method === 'GET') return response.end();
    const { request: { uid, object, oldObject } } = JSON.parse(body);
    console.log(JSON.stringify({ path: request.url.split('?')[0], object: object ?? oldObject }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } }));
  };
  require('node:https').createServer({ key: process.env.KEY, cert: process.env.CERTIFICATE }, answer).listen(${PORT});
`;

/** Starts the server in a new namespace. `image` must have Node. Its key is written to `folder`. */
export async function listener(
  kubectl: Kubectl,
  namespace: string,
  { image, folder }: { image: string; folder: string },
): Promise<Listener> {
  const say = async (args: string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await kubectl([...args, '-n', namespace], input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  const create = (object: object): Promise<string> => say(['create', '-f', '-'], JSON.stringify(object));
  const labels = { app: 'listener' };
  const metadata = { name: 'listener', namespace, labels };
  await kubectl(['create', 'namespace', namespace]);
  await create({ apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port: 443, targetPort: PORT }] } });
  const address = await say(['get', 'service', 'listener', '-o', 'jsonpath={.spec.clusterIP}']);
  const [key, certificate] = certificateFor(`DNS:listener.${namespace}.svc,IP:${address}`, folder);
  const container = {
    name: 'app',
    image,
    command: ['/nodejs/bin/node', '-e', SCRIPT],
    env: [
      { name: 'KEY', value: key },
      { name: 'CERTIFICATE', value: certificate },
    ],
    readinessProbe: { httpGet: { port: PORT, scheme: 'HTTPS' }, periodSeconds: 1 },
  };
  const spec = { automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, containers: [container] };
  await create({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
  await say(['wait', '--for=condition=Ready', 'pod/listener', '--timeout=90s']);
  await until(async () => (await say(['get', 'endpointslices', '-o', 'jsonpath={.items[*].endpoints[*].conditions.ready}'])) === 'true', {
    everyMs: 300,
    what: 'the Service of the listener to have its pod',
  });
  const caBundle = Buffer.from(certificate).toString('base64');
  return {
    byService: (path) => ({ service: { namespace, name: 'listener', path }, caBundle }),
    byAddress: (path) => ({ url: `https://${address}${path}`, caBundle }),
    async heard(path) {
      const lines = (await say(['logs', 'listener'])).split('\n').filter(Boolean);
      const all = lines.map((line) => JSON.parse(line) as { path: string; object: Heard });
      return all.filter((one) => one.path === path).map(({ object }) => object);
    },
  };
}

function certificateFor(names: string, folder: string): [key: string, certificate: string] {
  const [key, certificate] = [join(folder, 'listener.key'), join(folder, 'listener.crt')];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=listener',
    '-addext',
    `subjectAltName=${names}`,
  ];
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return [readFileSync(key, 'utf8'), readFileSync(certificate, 'utf8')];
}
