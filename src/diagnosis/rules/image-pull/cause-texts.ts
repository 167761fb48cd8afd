import type { PullCause } from '../../facts/image.ts';

/** What each cause means. `because` completes "the image cannot be pulled, because …"; `whereToLook` is for a correct manifest. */
export const PULL_CAUSE_MEANINGS: Record<PullCause, { because: string; advice: string; whereToLook: string }> = {
  'not-found': {
    because: 'the registry has no such tag or digest',
    advice: 'Correct the tag or the repository, or push the image.',
    whereToLook: 'the tags of the repository in its registry',
  },
  denied: {
    because: 'the repository does not exist, or the pod has no right to read it',
    advice: 'Check the spelling of the repository. If it is private, name a pull secret with credentials for this registry.',
    whereToLook: 'whether the repository exists in the registry, and the pull secrets of the pod and of its service account',
  },
  unauthorized: {
    because: 'the pod has no credentials that the registry accepts',
    advice: 'Create a pull secret for this registry and name it in `imagePullSecrets`.',
    whereToLook: 'the pull secrets of the pod and of its service account, and when their credentials expire',
  },
  signature: {
    because: 'the node accepts only signed images, and the signature of this one is not valid',
    advice: 'Sign the image with a key that the policy of the nodes trusts, or have the policy changed.',
    whereToLook: "the signatures of the image in its registry, and the node's policy (`/etc/containers/policy.json`)",
  },
  'rate-limited': {
    because: 'the registry limits the number of pulls',
    advice:
      'Pull with credentials or through a mirror of the registry, or wait. With `imagePullPolicy: IfNotPresent` the node pulls less often.',
    whereToLook: "the registry's limits for anonymous pulls from the address of this node",
  },
  'unknown-host': {
    because: "no DNS server knows the registry's host name",
    advice: "Correct the registry's name in the image reference, or the DNS settings of the node.",
    whereToLook: 'the registry in the image reference, and the DNS settings of the node',
  },
  tls: {
    because: "the registry's certificate is not accepted",
    advice: "Install the registry's certificate authority on the nodes, or renew its certificate.",
    whereToLook: "the certificate of the registry and the container runtime's list of authorities on the node",
  },
  'http-registry': {
    because: 'the registry speaks HTTP where the node expects HTTPS',
    advice: 'Give the registry a certificate, or list it as insecure in the container runtime of every node.',
    whereToLook: "the registry's configuration and the container runtime's (`/etc/containerd/certs.d`)",
  },
  unreachable: {
    because: 'the node cannot reach the registry',
    advice: 'Check firewall, proxy and routes from the node to the registry. Kubernetes tries the pull again by itself.',
    whereToLook: 'the network between the node and the registry',
  },
  'disk-full': {
    because: 'the disk of the node is full',
    advice: 'Free space on the node (unused images, logs), or give it a larger disk.',
    whereToLook: "the node's disk: `df -h`, `crictl images`, its condition `DiskPressure`",
  },
  platform: {
    because: "the image has no variant for the node's processor",
    advice: 'Build the image for this platform, or place the pod on nodes of another architecture.',
    whereToLook: "the image's platforms and `kubectl get nodes -L kubernetes.io/arch`",
  },
  proxy: {
    because: 'the proxy of the node does not let the pull through',
    advice: "Correct the container runtime's proxy settings on the node.",
    whereToLook: "`HTTPS_PROXY` and `NO_PROXY` of the container runtime's service",
  },
  corrupt: {
    because: 'its layers or its manifest cannot be read',
    advice: 'Push the image again. Check that the node has free space and that nothing between it and the registry changes the response.',
    whereToLook: 'the image in the registry, and the disk of the node',
  },
  'server-error': {
    because: 'the registry answers with an internal error',
    advice: 'Wait, or ask those who run the registry. Kubernetes tries the pull again by itself.',
    whereToLook: "the registry's status and logs",
  },
  unknown: {
    because: 'the runtime does not say why',
    advice: 'Read the whole event of the first failed pull.',
    whereToLook: 'the events of the pod and the log of the container runtime on the node',
  },
};
