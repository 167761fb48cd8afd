/** The path of the kubeconfig of a disposable cluster with a real kubelet; empty without one. */
export const nodeKubeconfig = process.env['TEST_KUBECONFIG'] ?? '';

/** Hands that path to `tell`, which runs suites on the node; without one it says that `name` is skipped. */
export function onNode(name: string, tell: (kubeconfig: string) => void | Promise<void>): void {
  if (nodeKubeconfig) void tell(nodeKubeconfig);
  else console.log(`SKIP ${name}: TEST_KUBECONFIG is not set`);
}
