import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiServer, startApiServer } from './api-server.ts';

/** One request in an API server's audit log (`audit.k8s.io/v1`, level Metadata). */
export interface Audited {
  auditID: string;
  verb: string;
  requestURI: string;
  user: { username: string; extra?: Record<string, string[]> };
  objectRef?: { resource: string; namespace?: string; name?: string; apiGroup?: string; subresource?: string };
  responseStatus?: { code?: number };
}

const POLICY = fileURLToPath(new URL('./audit-policy.yaml', import.meta.url));
const READING = new Set(['get', 'list', 'watch']);

/** An API server that records the requests of Podmend's accounts in `log`. */
export async function startAuditedApiServer(): Promise<ApiServer & { log: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-audit-'));
  const log = join(folder, 'audit.log');
  const server = await startApiServer({ 'audit-policy-file': POLICY, 'audit-log-path': log });
  const close = async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...server, log, close };
}

/** All requests of a ServiceAccount, including refused ones. `log` is the file of `--audit-log-path`. */
export async function requestsOf(log: string, account: string): Promise<Audited[]> {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes(`:${account}"`));
  // The last line may still be written.
  const entries = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Audited);
  return entries.filter(({ user }) => user.username.endsWith(`:${account}`));
}

/** The requests among them that could change something. */
export async function writesOf(log: string, account: string): Promise<Audited[]> {
  return (await requestsOf(log, account)).filter(({ verb }) => !READING.has(verb));
}
