import { dumpManifest, loadManifests } from '../../../src/crd/manifest.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { until } from '../runner/wait.ts';
import type { ClusterUser } from './user.ts';

/**
 * The same user, who applies namespaces first and waits until the cluster has put into them what every pod mounts: the account `default` and the
 * ConfigMap `kube-root-ca.crt`. On a busy machine that takes seconds, in which pods fail to mount it.
 */
export function inCompleteNamespaces(kubectl: ClusterUser): ClusterUser {
  const isComplete = (name: string) => kubectl('get', 'configmap/kube-root-ca.crt', 'serviceaccount/default', '-n', name).then(() => true);
  return Object.assign((...args: string[]) => kubectl(...args), {
    ...kubectl,
    apply: async (yaml: string): Promise<string> => {
      const namespaces = loadManifests(yaml)
        .flatMap((one) => ((one as { items?: KubeObject[] }).items ?? [one]) as KubeObject[])
        .filter(({ kind }) => kind === 'Namespace');
      if (namespaces.length > 0) await kubectl.apply(namespaces.map(dumpManifest).join('---\n'));
      for (const { metadata } of namespaces)
        await until(() => isComplete(metadata.name ?? ''), { timeoutMs: 60_000, what: `the namespace ${metadata.name} to be complete` });
      return kubectl.apply(yaml);
    },
  });
}
