import type { Kind, Registry } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import type { Loose } from '../store/object.ts';
import { isMap } from '../store/object.ts';
import type { Schema } from '../kinds/schema.ts';
import { definitions } from '../kinds/schema.ts';

const REF = '#/components/schemas/';
const PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
}));

/** `/openapi/v3`: the index of documents. Its hash changes with the kinds, for clients that cache. */
export function openapiIndex(registry: Registry): Loose {
  const versions = [...new Set(registry.all().map(apiVersionOf))];
  const path = (apiVersion: string) => (apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`);
  const hash = registry.all().length;
  return { paths: Object.fromEntries(versions.map((v) => [path(v), { serverRelativeURL: `/openapi/v3/${path(v)}?hash=${hash}` }])) };
}

/** Converts `$ref` with siblings into the form of OpenAPI 3.0, and collects the definitions that are used. */
function published(schema: Schema, used: Set<string>): Schema {
  const result: Schema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref') {
      used.add(value);
      result.allOf = [{ $ref: REF + value }];
    } else if (key === 'properties')
      result.properties = Object.fromEntries(
        Object.entries(value as Record<string, Schema>).map(([name, child]) => [name, published(child, used)]),
      );
    else if ((key === 'items' || key === 'additionalProperties') && isMap(value)) result[key] = published(value, used);
    else result[key] = value;
  }
  const only = result.allOf && Object.keys(result).length === 1 ? result.allOf[0] : undefined;
  return only ?? result;
}

const schemaName = (kind: Kind): string =>
  typeof kind.schema === 'string' ? kind.schema : `${kind.group.split('.').reverse().join('.')}.${kind.version}.${kind.kind}`;

function pathsOf(kind: Kind): Loose {
  const base = kind.group ? `/apis/${apiVersionOf(kind)}` : `/api/${kind.version}`;
  const collection = `${base}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`;
  const gvk = { group: kind.group, version: kind.version, kind: kind.kind };
  const content = { 'application/json': { schema: { $ref: REF + schemaName(kind) } } };
  const operation = (action: string) => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
    parameters: action === 'get' || action === 'list' ? [] : PARAMETERS,
    responses: { 200: { description: 'OK', content } },
  });
  return {
    [collection]: { get: operation('list'), post: operation('post') },
    [`${collection}/{name}`]: { get: operation('get'), put: operation('put'), patch: operation('patch'), delete: operation('delete') },
  };
}

/** One document of `/openapi/v3`, generated from the schemas on request; undefined if the version is not served. */
export function openapiDocument(registry: Registry, group: string, version: string): Loose | undefined {
  const kinds = registry.all().filter((kind) => kind.group === group && kind.version === version);
  if (kinds.length === 0) return undefined;
  const schemas: Record<string, Schema> = {};
  const used = new Set<string>();
  for (const kind of kinds) {
    const schema = typeof kind.schema === 'string' ? definitions()[kind.schema] : kind.schema;
    if (!schema) continue;
    const gvk = [{ group: kind.group, version: kind.version, kind: kind.kind }];
    schemas[schemaName(kind)] = { ...published(schema, used), 'x-kubernetes-group-version-kind': gvk };
  }
  for (const name of used) schemas[name] ??= published(definitions()[name] ?? {}, used);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.assign({}, ...kinds.map(pathsOf)),
    components: { schemas },
  };
}
