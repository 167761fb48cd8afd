import { aggregated, groupDocument, groupList, resourceList } from './discovery.ts';
import type { Registry } from '../kinds/kinds.ts';
import type { Loose } from '../store/object.ts';
import { openapiDocument, openapiIndex } from './openapi.ts';

/** The API server's documents about itself, at paths that are no resources: its version, its groups, its schemas. Otherwise undefined. */
export function plainDocument(registry: Registry, version: string, path: string, accept: string): Loose | undefined {
  const isAggregated = accept.includes('as=APIGroupDiscoveryList');
  if (path === '/version') return versionOf(version);
  if (path === '/api')
    return isAggregated ? aggregated(registry, true) : { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
  if (path === '/apis') return isAggregated ? aggregated(registry, false) : groupList(registry);
  return path.startsWith('/openapi/v3') ? schemasAt(registry, path) : resourcesAt(registry, path);
}

function schemasAt(registry: Registry, path: string): Loose | undefined {
  if (path === '/openapi/v3') return openapiIndex(registry);
  const document = /^\/openapi\/v3\/(api\/v1|apis\/([^/]+)\/([^/]+))$/.exec(path);
  return document ? openapiDocument(registry, document[2] ?? '', document[3] ?? 'v1') : undefined;
}

function resourcesAt(registry: Registry, path: string): Loose | undefined {
  const [, root, group, groupVersion, more] = path.split('/');
  if (root === 'api' && group === 'v1' && !groupVersion) return resourceList(registry, '', 'v1');
  if (root !== 'apis' || !group || more) return undefined;
  return groupVersion ? resourceList(registry, group, groupVersion) : groupDocument(registry, group);
}

function versionOf(version: string): Loose {
  return {
    major: '1',
    minor: version.split('.')[1],
    gitVersion: version,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: 'sandbox',
  };
}
