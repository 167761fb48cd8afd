import type { SuppressionBody, SuppressionPreview, SuppressionRecord } from '../contract/suppression.ts';
import { API_VERSION } from '../crd/mirrorpod.ts';
import type { Suppression } from '../crd/suppression.ts';
import type { HidingRepository, OpenSubject } from '../db/hiding.ts';
import type { KubeClient } from '../kube/connect.ts';
import { ClusterUnavailable, isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { Cache } from '../kube/watch.ts';
import { findSuppression, type TenantRules } from './suppress.ts';
import { draftSpec } from './suppression-draft.ts';
import { nameOf } from './suppression-entries.ts';
import { shownRecord, suppressionRecord } from './suppression-record.ts';
import { refusalOf, SuppressionRefusal, type SuppressionWrites } from './suppression-writes.ts';

export interface SuppressionsDeps {
  client: Pick<KubeClient, 'create'>;
  writes: SuppressionWrites;
  cache: Pick<Cache<Suppression>, 'get' | 'list' | 'synced'>;
  hiding: Pick<HidingRepository, 'openIds' | 'subjects'>;
  rules(): TenantRules;
  hiddenNamespaces: readonly string[];
  now(): Date;
}

/** Suppressions as the API reads and writes them. Every method throws ClusterUnavailable while they are not known. */
export interface SuppressionList {
  /** Every one that may be shown: the operator's first, then by namespace and name. */
  list(): SuppressionRecord[];
  /** Makes one in the operator's namespace, or changes the one with the same match; no write when it says this already. */
  add(body: SuppressionBody, owner: string): Promise<SuppressionRecord>;
  /** false when there is none of that name in the operator's namespace. */
  remove(name: string): Promise<boolean>;
  /** What `add` would hide, with `add`'s own refusals; nothing is made. */
  preview(body: SuppressionBody, owner: string): Promise<SuppressionPreview>;
}

/** Records that are looked at in one go, and those that a preview shows. */
const PART = 500;
const SHOWN = 100;

/** Throws SuppressionRefusal for what is not done. */
export function suppressionList(deps: SuppressionsDeps): SuppressionList {
  const { cache, writes, rules, hiddenNamespaces, now } = deps;
  const known = () => {
    if (!cache.synced) throw new ClusterUnavailable('the Suppressions have not been listed yet');
    return rules();
  };
  const draft = (body: SuppressionBody, owner: string): Suppression => {
    const { operatorNamespace } = known();
    const spec = draftSpec(body, owner, { operatorNamespace, hiddenNamespaces, now: now() });
    return { apiVersion: API_VERSION, kind: 'Suppression', metadata: { name: nameOf(spec.match), namespace: operatorNamespace }, spec };
  };
  const list = (): SuppressionRecord[] => {
    const { operatorNamespace } = known();
    const records = cache.list().map((one) => suppressionRecord(one, now(), operatorNamespace));
    const shown = records.flatMap((record) => shownRecord(record, { operatorNamespace, hiddenNamespaces }) ?? []);
    const rank = ({ namespace, name }: SuppressionRecord) => `${namespace === operatorNamespace ? 0 : 1} ${namespace} ${name}`;
    return shown.sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  };

  return {
    list,
    async add(body, owner) {
      const { metadata, spec } = draft(body, owner);
      return suppressionRecord(await writes.put(metadata.name ?? '', spec), now(), rules().operatorNamespace);
    },
    async remove(name) {
      const held = cache.get(known().operatorNamespace, name);
      if (held) await writes.change(held, () => undefined);
      const elsewhere = held ? undefined : list().find((one) => one.name === name);
      if (elsewhere) throw new SuppressionRefusal('conflict', `Kept in namespace ${elsewhere.namespace}: change it there`);
      return held !== undefined;
    },
    async preview(body, owner) {
      const wanted = draft(body, owner);
      await dryRun(deps.client, wanted);
      const matched: OpenSubject[] = [];
      for await (const subject of newestFirst(deps.hiding))
        if (!hiddenNamespaces.includes(subject.namespace) && findSuppression(subject, [wanted], now(), rules())) matched.push(subject);
      return {
        name: wanted.metadata.name ?? '',
        matched_failures: matched.length,
        newly_hidden: matched.filter(({ suppressed_by }) => suppressed_by === null).length,
        failures: matched.slice(0, SHOWN).map(({ id, namespace, pod_name, failure_reason, suppressed_by }) => ({
          id,
          namespace,
          pod_name,
          failure_reason,
          suppressed_by,
        })),
      };
    },
  };
}

async function* newestFirst(hiding: SuppressionsDeps['hiding']): AsyncGenerator<OpenSubject> {
  const ids = (await hiding.openIds()).reverse();
  for (let from = 0; from < ids.length; from += PART) {
    const part = await hiding.subjects(ids.slice(from, from + PART));
    yield* part.sort((one, other) => other.id - one.id);
  }
}

/** What the API server and its policies say to such an object. Under a name of its own: one with the right name may be there. */
async function dryRun(client: SuppressionsDeps['client'], { metadata: { namespace }, ...wanted }: Suppression): Promise<void> {
  const metadata = { generateName: 'api-preview-', ...(namespace ? { namespace } : {}) };
  try {
    await client.create(KINDS.suppression, { ...wanted, metadata }, { dryRun: true });
  } catch (error) {
    // A webhook that knows no dry run leaves it to the real write.
    if (isKubeError(error, 400) && /does not support dry[ -]?run/i.test(error.message)) return;
    throw refusalOf(error);
  }
}
