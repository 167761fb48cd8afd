// What is used of `@kubernetes/client-node`: its reader of kubeconfigs and credentials. The package's own entry loads two thousand
// generated modules besides, 40 MB for as long as the process lives, of which nothing here is called. See client-loading.ts.
export { KubeConfig } from '@kubernetes/client-node/dist/config.js';
export type { Cluster } from '@kubernetes/client-node/dist/config_types.js';
export { HttpMethod, RequestContext } from '@kubernetes/client-node/dist/gen/http/http.js';

/** Wanted by the client's own reader, which would take them from the generated part's entry. */
export { createConfiguration } from '@kubernetes/client-node/dist/gen/configuration.js';
export { ServerConfiguration } from '@kubernetes/client-node/dist/gen/servers.js';

/** The operator's base makes one and calls nothing of it. */
export class CoreV1Api {}
