import { readFileSync } from 'node:fs';
import { loadManifest } from '../../../src/crd/manifest.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import type { KubeClient } from '../../../src/kube/client.ts';
import { type Kind, KINDS } from '../../../src/kube/kinds.ts';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { apiServerAssets, startApiServer } from './api-server.ts';
import { until } from '../runner/wait.ts';

export interface Cluster {
  kubeconfigText: string;
  close(): Promise<void>;
}

/** A kind of cluster that the same tests run against. */
export interface ClusterKind {
  name: 'sandbox' | 'API server';
  start(): Promise<Cluster>;
}

/**
 * Always the sandbox (with these options). Also a real API server if `KUBEBUILDER_ASSETS` names one; otherwise a line says that it is
 * missing.
 */
export function clusters(suite: string, options: SandboxOptions = {}): ClusterKind[] {
  const sandbox: ClusterKind = {
    name: 'sandbox',
    async start() {
      const { kubeconfig, close } = await startSandbox(options);
      return { kubeconfigText: kubeconfig, close };
    },
  };
  if (apiServerAssets()) return [sandbox, { name: 'API server', start: startApiServer }];
  console.log(`SKIP ${suite} on a real API server: KUBEBUILDER_ASSETS is not set`);
  return [sandbox];
}

/** Installs the three definitions and waits until the API server serves their kinds. */
export async function installDefinitions(client: KubeClient): Promise<void> {
  for (const plural of ['mirrorpods', 'suppressions', 'notificationproviders']) {
    const text = readFileSync(new URL(`../../../crds/${plural}.yaml`, import.meta.url), 'utf8');
    await client.create(KINDS.customResourceDefinition, loadManifest(text) as unknown as KubeObject);
  }
  const kinds: Kind[] = [KINDS.mirrorPod, KINDS.suppression, KINDS.notificationProvider];
  await until(() => Promise.all(kinds.map((kind) => client.list(kind))), { what: 'the kinds to be served' });
}

/** A new namespace. */
export async function aNamespace(client: KubeClient, name: string): Promise<string> {
  await client.create(KINDS.namespace, { metadata: { name } });
  return name;
}
