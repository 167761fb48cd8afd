/** The path of the kubeconfig of a disposable cluster with a real kubelet; empty without one. */
export const nodeKubeconfig = process.env['TEST_KUBECONFIG'] ?? '';

/** Calls `tell` with that path to run suites on the node. Without a path, it reports that `name` is skipped. */
export function onNode(name: string, tell: (kubeconfig: string) => void | Promise<void>): void {
  if (nodeKubeconfig) void tell(nodeKubeconfig);
  else console.log(`SKIP ${name}: TEST_KUBECONFIG is not set`);
}
