import { readFile } from 'node:fs/promises';

/** One request in an API server's audit log (`audit.k8s.io/v1`, level Metadata). */
export interface Audited {
  auditID: string;
  verb: string;
  requestURI: string;
  user: { username: string };
  objectRef?: { resource: string; namespace?: string; name?: string; apiGroup?: string; subresource?: string };
  responseStatus?: { code?: number };
}

const READING = new Set(['get', 'list', 'watch']);

/** The requests of a ServiceAccount that could change something, refused ones too; the log's lines are of `--audit-log-path`. */
export async function writesOf(log: string, account: string): Promise<Audited[]> {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes(`:${account}"`));
  // The last line may still be written.
  const entries = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Audited);
  return entries.filter(({ user, verb }) => user.username.endsWith(`:${account}`) && !READING.has(verb));
}
