// Podmend uses only the kubeconfig and credential reader of `@kubernetes/client-node`. The entry of the package would also load two
// thousand generated modules, which take 40 MB as long as the process lives and are never called. client-loading.ts replaces the package
// with this file. test/kube/client-loading.test.ts checks that the file still matches the package.
export { KubeConfig } from '@kubernetes/client-node/dist/config.js';
export type { Cluster, User } from '@kubernetes/client-node/dist/config_types.js';
export { HttpMethod, RequestContext } from '@kubernetes/client-node/dist/gen/http/http.js';

/** The package's kubeconfig reader imports the following two from its generated code. */
export { createConfiguration } from '@kubernetes/client-node/dist/gen/configuration.js';
export { ServerConfiguration } from '@kubernetes/client-node/dist/gen/servers.js';

/** The base class of the operator creates an instance, but never calls it. */
export class CoreV1Api {}
