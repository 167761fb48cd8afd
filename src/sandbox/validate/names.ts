import type { FieldError } from '../api/errors.ts';
import { forbiddenField, invalidValue, required } from '../api/errors.ts';
import type { Loose, Stored } from '../store/object.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const KEY = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const KEY_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
/** Kinds whose names may hold what a path segment may (`system:node`). */
const PATH_NAMES = new Set(['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']);
const LABEL_NAMES = new Set(['Namespace', 'Service']);
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** A name of one word, as containers, volumes and namespaces have it. */
export function* labelErrors(field: string, name: string): Generator<FieldError> {
  if (name.includes('.') && field === 'metadata.name') yield invalidValue(field, name, 'must not contain dots');
  else if (!LABEL.test(name)) yield invalidValue(field, name, LABEL_TEXT);
  if (name.length > 63) yield invalidValue(field, name, 'must be no more than 63 bytes');
}

/** The key of a label, an annotation, a node selector: `domain/name`, the domain may be absent. */
export function* keyErrors(field: string, key: string): Generator<FieldError> {
  const parts = key.split('/');
  if (parts.length > 2)
    yield invalidValue(
      field,
      key,
      `a valid label key ${KEY_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    );
  else if (!KEY.test(parts.at(-1) as string)) yield invalidValue(field, key, `name part ${KEY_TEXT}`);
  else if (parts.length === 2 && !SUBDOMAIN.test(parts[0] as string)) yield invalidValue(field, key, `prefix part ${SUBDOMAIN_TEXT}`);
}

/** Label keys and values. */
export function* labelsErrors(field: string, labels: Record<string, string>): Generator<FieldError> {
  for (const [key, value] of Object.entries(labels)) {
    yield* keyErrors(field, key);
    if (value.length > 63) yield invalidValue(field, value, 'must be no more than 63 bytes');
    else if (!LABEL_VALUE.test(value)) yield invalidValue(field, value, LABEL_VALUE_TEXT);
  }
}

function* nameErrors(object: Stored): Generator<FieldError> {
  const { name, generateName } = object.metadata;
  const isPath = PATH_NAMES.has(object.kind);
  if (generateName && !isPath && !SUBDOMAIN.test(generateName.replace(/-$/, 'a')))
    yield invalidValue('metadata.generateName', generateName, SUBDOMAIN_TEXT);
  if (!name) yield required('metadata.name', 'name or generateName is required');
  else if (isPath) {
    if (/[/%]/.test(name)) yield invalidValue('metadata.name', name, "may not contain '/'");
  } else if (LABEL_NAMES.has(object.kind)) yield* labelErrors('metadata.name', name);
  else {
    if (name.length > 253) yield invalidValue('metadata.name', name, 'must be no more than 253 characters');
    if (!SUBDOMAIN.test(name)) yield invalidValue('metadata.name', name, SUBDOMAIN_TEXT);
  }
}

function* ownerErrors(owners: Loose[]): Generator<FieldError> {
  for (const owner of owners)
    for (const field of ['apiVersion', 'kind', 'name', 'uid'])
      if (!owner[field]) yield invalidValue(`metadata.ownerReferences.${field}`, '', 'must not be empty');
  const controllers = owners.filter((owner) => owner.controller);
  if (controllers.length > 1)
    yield invalidValue(
      'metadata.ownerReferences',
      owners.map(({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }) => ({
        apiVersion,
        kind,
        name,
        uid,
        controller,
        blockOwnerDeletion,
      })),
      `Only one reference can have Controller set to true. Found "true" in references for ${controllers.map((c) => `${c.kind}/${c.name}`).join(' and ')}`,
    );
}

/** What every object must be: a name, labels, annotations, owners, finalizers (none added to what is going). */
export function* metaErrors(object: Stored, old: Stored | undefined): Generator<FieldError> {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = object.metadata;
  if (!old) yield* nameErrors(object);
  yield* labelsErrors('metadata.labels', labels);
  for (const key of Object.keys(annotations)) yield* keyErrors('metadata.annotations', key);
  yield* ownerErrors(ownerReferences);
  for (const [i, finalizer] of finalizers.entries())
    if (!STANDARD_FINALIZERS.has(finalizer) && !finalizer.includes('/'))
      yield invalidValue(`metadata.finalizers[${i}]`, finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
  const added = finalizers.filter((finalizer) => !old?.metadata.finalizers?.includes(finalizer));
  if (!old?.metadata.deletionTimestamp || added.length === 0) return;
  const names = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const refused = forbiddenField(
    'metadata.finalizers',
    `no new finalizers can be added if the object is being deleted, found new finalizers []string{${names}}`,
  );
  // The real server finds it twice.
  yield refused;
  yield refused;
}
