// The only imports from inside `@kubernetes/client-node`: its reader of kubeconfigs and credentials. The entry of the package loads two
// thousand generated modules besides. They take 40 MB for as long as the process lives, and Podmend calls none of them.
// client-loading.ts makes the rest of the process take this file for the package. test/kube/client-loading.test.ts holds it to the package.
export { KubeConfig } from '@kubernetes/client-node/dist/config.js';
export type { Cluster, User } from '@kubernetes/client-node/dist/config_types.js';
export { HttpMethod, RequestContext } from '@kubernetes/client-node/dist/gen/http/http.js';

/** The client's own reader of kubeconfigs imports these from the generated entry. */
export { createConfiguration } from '@kubernetes/client-node/dist/gen/configuration.js';
export { ServerConfiguration } from '@kubernetes/client-node/dist/gen/servers.js';

/** The base class of the operator makes one and never calls it. */
export class CoreV1Api {}
