import type { Container, KubeObject, PodSpec } from '../../crd/kubernetes.ts';
import { allContainers } from '../../crd/pod-template.ts';
import { listOf } from '../rules.ts';

/** Where the Secrets of bootstrap tokens are. */
export const BOOTSTRAP_NAMESPACE = 'kube-system';
const GROUP = /^system:bootstrappers(:[a-z0-9:-]{0,255}[a-z0-9])?$/;
const SECRET = /^bootstrap-token-[a-z0-9]{6}$/;
const FLAG = '--enable-bootstrap-token-auth';

/** Whether the creator of a bootstrap token can choose this group for it (Kubernetes, "Authenticating with Bootstrap Tokens"). */
export function isBootstrapGroup(name: string): boolean {
  return GROUP.test(name);
}

/** Whether a Secret of this name can be a bootstrap token. */
export function canBeToken(name: string): boolean {
  return SECRET.test(name);
}

/** The words of a container's command that show whether it is an API server that takes bootstrap tokens. */
export function apiServerWords({ command, args }: Pick<Container, 'command' | 'args'>): string[] {
  return [...listOf(command), ...listOf(args)].filter((word) => isApiServer(word) || word.startsWith(FLAG));
}

/**
 * Whether a pod is an API server that takes bootstrap tokens. Undecidable, so false, for a cluster whose API server does not run in a pod.
 */
export function takesBootstrapTokens({ metadata, ...pod }: KubeObject): boolean {
  const { containers } = (pod as { spec?: PodSpec }).spec ?? {};
  if (metadata.namespace !== BOOTSTRAP_NAMESPACE || !containers) return false;
  return allContainers({ containers }).some((container) => {
    const words = apiServerWords(container);
    const flag = words.findLast((word) => word.startsWith(FLAG))?.slice(FLAG.length);
    return words.some(isApiServer) && (flag === '' || /^=(true|t|1)$/i.test(flag ?? ''));
  });
}

function isApiServer(word: string): boolean {
  return word.split('/').at(-1) === 'kube-apiserver';
}
