import { randomUUID } from 'node:crypto';
import { admitService } from './addresses.ts';
import type { AdmissionDeps } from './admission.ts';
import { admitNamespace, admitPod } from './admission.ts';
import { appliedNew, applyPatch, trackUpdate } from './apply.ts';
import { decode, shape } from './body.ts';
import type { CelRules } from './cel.ts';
import { validate } from './check.ts';
import { acceptDefinition, serveDefinition } from './crd.ts';
import { fillDefaults, randomSuffix } from './defaults.ts';
import { removeObject } from './delete.ts';
import { alreadyExists, badRequest, conflict, notFound } from './errors.ts';
import type { Kind } from './kinds.ts';
import { apiVersionOf } from './kinds.ts';
import { isGraceful, keepServerFields, merged } from './merge.ts';
import type { Loose, Stored } from './object.ts';
import { isSame, keyOf, timeText } from './object.ts';
import { eventFromCore } from './events.ts';
import { jsonPatch, mergePatch, strategicMerge } from './patch.ts';
import type { Schema } from './schema.ts';
import { applyDefaults, resolve } from './schema.ts';

/** How a write is meant; `warnings` collects what the client is told in headers. */
export interface WriteOptions {
  dryRun?: boolean;
  manager?: string;
  subresource?: string;
  validation?: 'Strict' | 'Warn' | 'Ignore';
  force?: boolean;
  warnings?: string[];
  /** Who writes from inside the server leaves no managed fields. */
  isInternal?: boolean;
}

/** metav1.DeleteOptions, as far as they are heard. */
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

/** The API without HTTP: what requests, kubelet, scheduler and controllers all go through. Every method throws `ApiError`. */
export interface Api extends AdmissionDeps {
  create(kind: Kind, namespace: string | undefined, body: Loose, options?: WriteOptions): Stored;
  get(kind: Kind, namespace: string | undefined, name: string): Stored;
  update(kind: Kind, namespace: string | undefined, name: string, body: Loose, options?: WriteOptions): Stored;
  patch(object: Named, type: PatchType, body: Loose, options?: WriteOptions): { object: Stored; isNew: boolean };
  remove(kind: Kind, namespace: string | undefined, name: string, options?: DeleteOptions): Loose;
  /** Reads, lets `mutate` work on a copy, writes if that changed anything. undefined: there is no such object (any more). */
  change(
    kind: Kind,
    object: { metadata: { namespace?: string; name: string } },
    subresource: 'status' | '',
    mutate: (copy: Stored) => void,
  ): Stored | undefined;
}

const keyFor = (namespace: string | undefined, name: string) => (namespace === undefined ? name : `${namespace}/${name}`);

export function apiServer(deps: AdmissionDeps & { cel: CelRules }): Api {
  const { store, registry, clock, cel } = deps;

  function complete(kind: Kind, object: Stored): void {
    if (kind.isCustom) applyDefaults(resolve(kind.schema as Schema), object);
    else fillDefaults(object);
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
      if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
      for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'managedFields', 'resourceVersion', 'selfLink'] as const)
        delete (metadata as Loose)[field];
      metadata.uid = randomUUID();
      metadata.creationTimestamp = timeText(clock.now());
      if (kind.hasGeneration) metadata.generation = 1;
      else delete metadata.generation;
      if (kind.hasStatus && kind.plural !== 'nodes') delete object.status;
      complete(kind, object);
      admitNamespace(deps, kind, object);
      if (kind.plural === 'pods' && object.spec) validatePodFirst(kind, object);
      if (kind.plural === 'services') admitService(deps, object);
      if (kind.plural === 'customresourcedefinitions') acceptDefinition(object, clock);
      validate(cel, kind, object, undefined);
      if (store.get(kind.storage, keyOf(object))) throw alreadyExists(kind, metadata.name);
      if (!options.isInternal) trackUpdate({ kind, options, now: clock.now() }, undefined, object);
      return commit(kind, object, options);
    },

    update(kind, namespace, name, body, options = {}) {
      const object = decode({ kind, namespace }, body, options);
      if (object.metadata.name !== name)
        throw badRequest(`the name of the object (${object.metadata.name ?? ''}) does not match the name on the URL (${name})`);
      return replace(kind, api.get(kind, namespace, name), object, options);
    },

    patch({ kind, namespace, name }, type, body, options = {}) {
      const old = store.get(kind.storage, keyFor(namespace, name));
      if (!old && type === 'apply' && !options.subresource) {
        const fresh = { ...body, metadata: { ...body.metadata, name } };
        shape(kind, structuredClone(fresh), options, false);
        return { object: createApplied(kind, namespace, fresh, options), isNew: true };
      }
      if (!old) throw notFound(kind, name);
      // A patch is written for the form in which its group shows the object.
      const shown = kind.storage === 'events' && kind.group ? eventFromCore(old) : old;
      const patched = { ...patchedObject(kind, shown, type, body, options), apiVersion: apiVersionOf(kind), kind: kind.kind };
      const object = decode({ kind, namespace }, patched, options, true);
      if (object.metadata.name !== name) throw badRequest('the name of the object does not match the name on the URL');
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

  /** Mistakes of the spec are told before admission looks at a pod, or it would stumble over them. */
  function validatePodFirst(kind: Kind, object: Stored): void {
    validate(cel, kind, object, undefined);
    admitPod(deps, kind, object);
  }

  function createApplied(kind: Kind, namespace: string | undefined, body: Loose, options: WriteOptions): Stored {
    const object = api.create(kind, namespace, body, { ...options, dryRun: true, isInternal: true });
    return commit(kind, appliedNew({ kind, options, now: clock.now() }, object, body), options);
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
        shape(kind, structuredClone(body), options, false);
        return applyPatch({ kind, options, now: clock.now() }, old, body);
    }
  }

  /** The rules of every update: identity, resource version, what a subresource may touch, generation, deletion at last. */
  function replace(kind: Kind, old: Stored, object: Stored, options: WriteOptions): Stored {
    const name = old.metadata.name;
    if (object.metadata.uid && object.metadata.uid !== old.metadata.uid)
      throw conflict(
        kind,
        name,
        `Precondition failed: UID in precondition: ${object.metadata.uid}, UID in object meta: ${old.metadata.uid}`,
      );
    if (object.metadata.resourceVersion && object.metadata.resourceVersion !== old.metadata.resourceVersion) throw conflict(kind, name);
    const next = merged(kind, old, object, options.subresource);
    keepServerFields(old, next);
    complete(kind, next);
    validate(cel, kind, next, old);
    const changedSpec = Object.keys({ ...old, ...next }).some(
      (key) => !['metadata', 'status'].includes(key) && !isSame(old[key], next[key]),
    );
    if (kind.hasGeneration && changedSpec) next.metadata.generation = (old.metadata.generation ?? 0) + 1;
    if (next.metadata.deletionTimestamp && !next.metadata.finalizers?.length && !isGraceful(next))
      return options.dryRun ? next : (store.remove(kind.storage, keyOf(old)) ?? next);
    if (!next.metadata.managedFields?.length && old.metadata.managedFields) next.metadata.managedFields = old.metadata.managedFields;
    if (isSame(next, old)) return old;
    if (!options.isInternal) trackUpdate({ kind, options, now: clock.now() }, old, next);
    return commit(kind, next, options);
  }

  return api;
}
