import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { passOn } from './pass-on.ts';

/** One request that went through. `path` is decoded and has its query. */
export interface Counted {
  method: string;
  path: string;
  at: number;
}

/** A proxy in front of an API server that passes everything on and records the requests. */
export interface CountingProxy {
  url: string;
  requests: Counted[];
  close(): Promise<void>;
}

/** The code to answer a request with instead of passing it on. `path` is decoded and includes the query. */
export type Refuse = (path: string) => number | undefined;

/** `kubeconfig` is the path of one (JSON or YAML with one cluster) that names the API server and its authority. */
export async function countingProxy(kubeconfig: string, refuse: Refuse = () => undefined): Promise<CountingProxy> {
  const text = await readFile(kubeconfig, 'utf8');
  const field = (name: string): string => new RegExp(`"?${name}"?: *"?([^"\\s,}]+)`).exec(text)?.[1] ?? '';
  const target = new URL(field('server'));
  const agent = new Agent({ ca: Buffer.from(field('certificate-authority-data'), 'base64'), keepAlive: true });
  const requests: Counted[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const path = decodeURIComponent(url);
    requests.push({ method, path, at: Date.now() });
    const code = refuse(path);
    if (code) {
      outgoing.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ kind: 'Status', code, message: 'refused' }));
      return;
    }
    const options = { method, agent, headers: { ...headers, host: target.host } };
    passOn(incoming, outgoing, (answered) => request(new URL(url, target), options, answered));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, 'close');
    },
  };
}
