import type { FieldError } from '../api/errors.ts';
import { invalidValue, notSupported, required } from '../api/errors.ts';
import type { Loose, Stored } from '../store/object.ts';
import { isMap } from '../store/object.ts';

/** A version as Go prints its internal type. */
const shown = ({ name, served, storage, deprecated = false, deprecationWarning = null }: Loose) => ({
  Name: name,
  Served: served,
  Storage: storage,
  Deprecated: deprecated,
  DeprecationWarning: deprecationWarning,
  Schema: null,
  Subresources: null,
  AdditionalPrinterColumns: null,
  SelectableFields: null,
});

/** A structural schema says of every field what type it has. */
function* structureErrors(schema: Loose, path: string): Generator<FieldError> {
  for (const [name, child] of Object.entries((schema.properties ?? {}) as Record<string, Loose>)) {
    const at = `${path}.properties[${name}]`;
    const isOpen = child['x-kubernetes-preserve-unknown-fields'] || child['x-kubernetes-int-or-string'];
    if (!child.type && !isOpen) yield required(`${at}.type`, 'must not be empty for specified object fields');
    yield* structureErrors(child, at);
  }
  if (isMap(schema.items)) yield* structureErrors(schema.items, `${path}.items`);
}

function* versionErrors(version: Loose, i: number, isOnly: boolean): Generator<FieldError> {
  const schema = version.schema?.openAPIV3Schema;
  if (!schema) return yield required(`spec.versions[${i}].schema.openAPIV3Schema`);
  const path = isOnly ? 'spec.validation.openAPIV3Schema' : `spec.versions[${i}].schema.openAPIV3Schema`;
  if (schema.type !== 'object') yield invalidValue(`${path}.type`, schema.type ?? '', 'must be object at the root');
  yield* structureErrors(schema, path);
}

/** The mistakes of a CustomResourceDefinition that would make it useless. */
export function* definitionErrors({ spec, metadata }: Stored): Generator<FieldError> {
  const wanted = `${spec?.names?.plural}.${spec?.group}`;
  if (metadata.name !== wanted) yield invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group');
  if (!['Cluster', 'Namespaced'].includes(spec?.scope)) yield notSupported('spec.scope', spec?.scope, ['Cluster', 'Namespaced']);
  const versions = (spec?.versions ?? []) as Loose[];
  const isStored = versions.filter((version) => version.storage).length === 1;
  if (!isStored) yield invalidValue('spec.versions', versions.map(shown), 'must have exactly one version marked as storage version');
  for (const [i, version] of versions.entries()) yield* versionErrors(version, i, versions.length === 1);
  for (const field of ['plural', 'singular', 'kind', 'listKind']) if (!spec?.names?.[field]) yield required(`spec.names.${field}`);
  if (!isStored) yield invalidValue('status.storedVersions', null, 'must have at least one stored version');
}
