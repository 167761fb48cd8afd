import type { LightweightClient } from '../kube/lightweight.ts';

/** The minor version of the API server; `before`, the last known one, if the server does not answer. */
export async function minorVersion(client: Pick<LightweightClient, 'raw'>, before: number): Promise<number> {
  const version = (await client.raw('/version').catch(() => ({}))) as { minor?: string };
  const minor = Number.parseInt(version.minor ?? '', 10);
  return Number.isNaN(minor) ? before : minor;
}
