import { randomUUID } from 'node:crypto';
import { admitService } from '../admission/addresses.ts';
import type { AdmissionDeps } from '../admission/admission.ts';
import { admitNamespace, admitPod, admitTolerations } from '../admission/admission.ts';
import { appliedNew, applyPatch, checkApplied, trackUpdate } from '../patch/apply.ts';
import { decode } from './body.ts';
import type { CelRules } from '../kinds/cel.ts';
import { validate } from '../validate/all.ts';
import { acceptDefinition, serveDefinition } from '../kinds/crd.ts';
import { fillDefaults, labelJob, randomSuffix } from '../admission/field-defaults.ts';
import { removeObject } from './delete.ts';
import { alreadyExists, ApiError, badRequest, conflict, differentObject, invalid, invalidValue, notFound } from './errors.ts';
import type { Kind } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import { isGraceful, keepServerFields, merged } from '../patch/merge.ts';
import type { Loose, Stored } from '../store/object.ts';
import { isSame, keyOf, timeText } from '../store/object.ts';
import { jsonPatch, mergePatch, strategicMerge } from '../patch/patch.ts';
import type { Schema } from '../kinds/schema.ts';
import { applyDefaults, resolve } from '../kinds/schema.ts';
import { shownAs } from '../table/served-version.ts';

/** How to perform a write. `warnings` collects the warnings that the client gets in headers. */
export interface WriteOptions {
  dryRun?: boolean;
  manager?: string;
  subresource?: string;
  validation?: 'Strict' | 'Warn' | 'Ignore';
  force?: boolean;
  warnings?: string[];
  /** Writes from inside the server are not recorded in managed fields. */
  isInternal?: boolean;
}

/** The fields of metav1.DeleteOptions that the sandbox supports. */
export interface DeleteOptions {
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  dryRun?: boolean;
}

/** One object of a kind. */
export interface Named {
  kind: Kind;
  namespace: string | undefined;
  name: string;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** The API without HTTP, which requests, kubelet, scheduler and controllers all use. Every method throws `ApiError`. */
export interface Api extends AdmissionDeps {
  create(kind: Kind, namespace: string | undefined, body: Loose, options?: WriteOptions): Stored;
  get(kind: Kind, namespace: string | undefined, name: string): Stored;
  update(kind: Kind, namespace: string | undefined, name: string, body: Loose, options?: WriteOptions): Stored;
  patch(object: Named, type: PatchType, body: Loose, options?: WriteOptions): { object: Stored; isNew: boolean };
  remove(kind: Kind, namespace: string | undefined, name: string, options?: DeleteOptions): Loose;
  /** Reads the object, lets `mutate` change a copy, and writes the copy if it changed. undefined: the object does not exist (any more). */
  change(
    kind: Kind,
    object: { metadata: { namespace?: string; name: string } },
    subresource: 'status' | '',
    mutate: (copy: Stored) => void,
  ): Stored | undefined;
}

function checkName(given: string | undefined, name: string): void {
  if (given !== name) throw badRequest(`the name of the object (${given ?? ''}) does not match the name on the URL (${name})`);
}

/** The error for a patch that would change the kind of an object. */
const convertedPatch = ({ version, kind }: Kind, body: Loose): ApiError =>
  invalid({ group: '', plural: '', kind: '' }, undefined, [
    invalidValue('patch', JSON.stringify(body), `converting (${version}.${body.kind}) to (core.${kind}): unknown conversion`),
  ]);

/** Checks everything about a patch that does not depend on its result. */
function checkPatch({ kind, name }: Named, type: PatchType, body: Loose): void {
  if (type === 'json') return;
  const decoding = type === 'merge' ? 'error decoding patch: ' : '';
  if (Array.isArray(body)) throw badRequest(`${decoding}json: cannot unmarshal array into Go value of type map[string]interface {}`);
  checkName(body?.metadata?.name ?? name, name);
  if (type !== 'apply' && body.kind !== undefined && body.kind !== kind.kind) throw convertedPatch(kind, body);
}

/** Kinds whose update must name the resource version. */
const isConditional = (kind: Kind): boolean =>
  kind.isCustom === true || ['coordination.k8s.io', 'apiextensions.k8s.io', 'admissionregistration.k8s.io'].includes(kind.group);

const keyFor = (namespace: string | undefined, name: string) => (namespace === undefined ? name : `${namespace}/${name}`);

export function apiServer(deps: AdmissionDeps & { cel: CelRules }): Api {
  const { store, registry, clock, cel } = deps;

  function complete(kind: Kind, object: Stored): void {
    if (kind.isCustom) applyDefaults(resolve(kind.schema as Schema), object);
    else fillDefaults(object, kind.schema as string);
  }

  function commit(kind: Kind, object: Stored, options: WriteOptions): Stored {
    if (options.dryRun) return object;
    const stored = store.put(kind.storage, object);
    if (kind.plural === 'customresourcedefinitions') serveDefinition(registry, stored);
    return stored;
  }

  const api: Api = {
    ...deps,

    get(kind, namespace, name) {
      const found = store.get(kind.storage, keyFor(namespace, name));
      if (!found) throw notFound(kind, name);
      return found;
    },

    create(kind, namespace, body, options = {}) {
      const object = decode({ kind, namespace }, body, options);
      const { metadata } = object;
      if (!metadata.name && metadata.generateName) metadata.name = metadata.generateName.slice(0, 58) + randomSuffix();
      if (metadata.resourceVersion) throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created');
      for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'resourceVersion', 'selfLink'] as const)
        delete (metadata as Loose)[field];
      metadata.uid = randomUUID();
      metadata.creationTimestamp = timeText(clock.now());
      if (kind.hasGeneration) metadata.generation = 1;
      if (kind.hasStatus && kind.plural !== 'nodes') delete object.status;
      complete(kind, object);
      if (!options.isInternal) trackUpdate({ kind, options, now: clock.now() }, undefined, object);
      admitNamespace(deps, kind, object);
      if (kind.plural === 'pods' && object.spec) validatePodFirst(kind, object, options.warnings);
      if (kind.plural === 'jobs') labelJob(object);
      if (kind.plural === 'persistentvolumeclaims') metadata.finalizers ??= ['kubernetes.io/pvc-protection'];
      if (kind.plural === 'namespaces') {
        object.spec = { finalizers: ['kubernetes'], ...object.spec };
        object.status = { phase: 'Active' };
      }
      if (kind.plural === 'services') admitService(deps, object);
      if (kind.plural === 'customresourcedefinitions') acceptDefinition(object, clock);
      validate(cel, kind, object, undefined);
      if (store.get(kind.storage, keyOf(object))) throw alreadyExists(kind, metadata.name);
      return commit(kind, object, options);
    },

    update(kind, namespace, name, body, options = {}) {
      const object = decode({ kind, namespace }, body, options);
      checkName(object.metadata.name, name);
      const old = api.get(kind, namespace, name);
      if (object.metadata.uid && object.metadata.uid !== old.metadata.uid) throw differentObject(kind, old, object.metadata.uid);
      if (!object.metadata.resourceVersion && isConditional(kind))
        throw invalid({ ...kind, kind: kind.plural }, name, [
          invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
        ]);
      return replace(kind, old, object, options);
    },

    patch({ kind, namespace, name }, type, body, options = {}) {
      const old = store.get(kind.storage, keyFor(namespace, name));
      if (!old && type === 'apply' && !options.subresource)
        return { object: createApplied({ kind, namespace, name }, body, options), isNew: true };
      if (!old) throw notFound(kind, name);
      checkPatch({ kind, namespace, name }, type, body);
      // A patch is written for the form in which its API group shows the object.
      const patched = { ...patchedObject(kind, shownAs(kind, old), type, body, options), apiVersion: apiVersionOf(kind), kind: kind.kind };
      const object = decode({ kind, namespace }, patched, options, true);
      checkName(object.metadata.name, name);
      if (object.metadata.uid !== old.metadata.uid) {
        const fixed = invalidValue('metadata.uid', object.metadata.uid, 'field is immutable');
        throw invalid(kind, name, [fixed, fixed]);
      }
      return { object: replace(kind, old, object, { ...options, ...(type === 'apply' && { isInternal: true }) }), isNew: false };
    },

    remove: (kind, namespace, name, options = {}) => removeObject(api, kind, namespace, name, options),

    change(kind, ref, subresource, mutate) {
      const old = store.get(kind.storage, keyOf(ref));
      if (!old) return undefined;
      const copy = structuredClone(old);
      mutate(copy);
      if (isSame(copy, old)) return old;
      if (subresource === '' && kind.hasGeneration && !isSame(copy.spec, old.spec))
        copy.metadata.generation = (old.metadata.generation ?? 0) + 1;
      if (copy.metadata.deletionTimestamp && !copy.metadata.finalizers?.length && !isGraceful(copy))
        return store.remove(kind.storage, keyOf(copy));
      return store.put(kind.storage, copy);
    },
  };

  /** Errors in the spec are reported before admission runs, because admission would fail on an invalid pod. */
  function validatePodFirst(kind: Kind, object: Stored, warnings: string[] = []): void {
    validate(cel, kind, object, undefined);
    admitPod(deps, kind, object, warnings);
  }

  function createApplied({ kind, namespace, name }: Named, body: Loose, options: WriteOptions): Stored {
    const write = { kind, options, now: clock.now() };
    checkApplied(write, body, `${body?.metadata?.namespace ?? ''}/${name}`);
    const { uid, resourceVersion: _resourceVersion, ...metadata } = body.metadata ?? {};
    checkName(metadata.name ?? name, name);
    if (uid) throw conflict(kind, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`);
    const fresh = { ...body, metadata: { ...metadata, name } };
    const object = api.create(kind, namespace, fresh, { ...options, dryRun: true, isInternal: true });
    return commit(kind, appliedNew(write, object, fresh), options);
  }

  function patchedObject(kind: Kind, old: Stored, type: PatchType, body: Loose, options: WriteOptions): Loose {
    switch (type) {
      case 'json':
        return jsonPatch(old, body);
      case 'merge':
        return mergePatch(old, body);
      case 'strategic':
        return strategicMerge(resolve(kind.schema as string), old, body);
      case 'apply':
        checkApplied({ kind, options, now: clock.now() }, body, `${body?.metadata?.namespace ?? ''}/${old.metadata.name}`);
        return applyPatch({ kind, options, now: clock.now() }, old, body);
    }
  }

  /**
   * The rules of every update: identity, resource version, the fields that a subresource may change, generation, and the final deletion.
   */
  function replace(kind: Kind, old: Stored, object: Stored, options: WriteOptions): Stored {
    const name = old.metadata.name;
    if (object.metadata.resourceVersion && object.metadata.resourceVersion !== old.metadata.resourceVersion) throw conflict(kind, name);
    const next = merged(kind, old, object, options.subresource);
    keepServerFields(old, next);
    complete(kind, next);
    if (kind.plural === 'pods') admitTolerations(next.spec);
    if (next.metadata.managedFields === undefined && old.metadata.managedFields) next.metadata.managedFields = old.metadata.managedFields;
    const before = structuredClone(next);
    if (!options.isInternal) trackUpdate({ kind, options, now: clock.now() }, old, next);
    validate(cel, kind, next, old);
    const changedSpec = Object.keys({ ...old, ...next }).some(
      (key) => !['metadata', 'status'].includes(key) && !isSame(old[key], next[key]),
    );
    if (kind.hasGeneration && changedSpec) next.metadata.generation = (old.metadata.generation ?? 0) + 1;
    if (next.metadata.deletionTimestamp && !next.metadata.finalizers?.length && !isGraceful(next)) {
      if (!options.dryRun) store.remove(kind.storage, keyOf(old));
      return next;
    }
    if (isSame(before, old)) return old;
    return commit(kind, next, options);
  }

  return api;
}
