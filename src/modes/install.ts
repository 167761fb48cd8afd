import { readdir, readFile } from 'node:fs/promises';
import type { KubeObject } from '../crd/kubernetes.ts';
import { loadManifests } from '../crd/manifest.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS } from '../kube/kinds.ts';

const CRDS = new URL('../../crds/', import.meta.url);

/** Applies the custom resource definitions of `crds/` with server-side apply; a second run changes nothing. */
export async function installKinds(client: KubeClient): Promise<void> {
  const files = (await readdir(CRDS)).filter((file) => file.endsWith('.yaml'));
  for (const file of files) await applyManifests(client, await readFile(new URL(file, CRDS), 'utf8'));
}

/** Applies the documents of a YAML text in order. Throws for a kind that Podmend does not know. */
export async function applyManifests(client: KubeClient, text: string): Promise<void> {
  for (const document of loadManifests(text)) {
    const object = document as KubeObject;
    const kind = Object.values(KINDS).find(({ apiVersion, kind: name }) => apiVersion === object.apiVersion && name === object.kind);
    if (!kind) throw new Error(`no such kind: ${object.apiVersion}/${object.kind}`);
    await client.patch(kind, object.metadata.namespace, object.metadata.name ?? '', object, { type: 'apply' });
  }
}
