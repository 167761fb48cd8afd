import type { KubeObject } from '../crd/kubernetes.ts';
import { enforcedLevelOf } from '../crd/pod-security-level.ts';
import type { LabelSelector } from '../crd/selector.ts';
import type { Around } from './check.ts';
import { mapping } from './containers.ts';
import { type AdmissionObjects, reviewer } from './policies/admission.ts';
import { accountFinder, type Bound, roleFinder } from './roles/dangling.ts';

/** The other objects in the namespace of a workload, as far as the checks read them. */
export interface Surroundings {
  /** The policies of all namespaces; undefined when Podmend could not list them. */
  policies: readonly KubeObject[] | undefined;
  accounts: readonly KubeObject[];
  trustedRegistries: readonly string[];
  /** The namespaces. Only their labels are read. */
  namespaces: readonly KubeObject[];
  /** Undefined if not all of them are known. */
  rbac?: Bound | undefined;
  /** The namespaces whose accounts are all known. */
  accountsKnownIn?: ((namespace: string) => boolean) | undefined;
  admission?: AdmissionObjects | undefined;
  usage?: Around['usage'];
}

/** The `Around` of each namespace. It is computed once for each namespace, so share one function among many workloads. */
export function aroundOf(surroundings: Surroundings): (namespace: string) => Around {
  const { policies, accounts, trustedRegistries, namespaces } = surroundings;
  const selectors = byNamespace(policies ?? []);
  const quiet = byNamespace(
    accounts.filter((account) => (account as { automountServiceAccountToken?: boolean }).automountServiceAccountToken === false),
  );
  const levels = new Map(namespaces.map((one) => [one.metadata.name ?? '', enforcedLevelOf(one)]));
  const everywhere = aroundAll(surroundings);
  const known = new Map<string, Around>();
  const make = (namespace: string): Around => {
    const enforced = levels.get(namespace);
    return {
      ...everywhere,
      trustedRegistries,
      ...(policies && { policySelectors: (selectors.get(namespace) ?? []).map(selectorOf) }),
      ...(enforced && { enforced }),
      quietAccounts: new Set((quiet.get(namespace) ?? []).map(({ metadata }) => metadata.name ?? '')),
    };
  };
  return (namespace) => {
    const around = known.get(namespace) ?? make(namespace);
    known.set(namespace, around);
    return around;
  };
}

/** The facts that are the same in every namespace. */
function aroundAll({ accounts, accountsKnownIn, rbac, admission, usage, namespaces, trustedRegistries }: Surroundings): Around {
  const labels = new Map(namespaces.map(({ metadata }) => [metadata.name ?? '', metadata.labels ?? {}]));
  return {
    ...(accountsKnownIn && { hasAccount: accountFinder(accounts, accountsKnownIn) }),
    ...(usage && { usage }),
    ...(rbac && { isBound: roleFinder(rbac) }),
    ...(admission && { reviewed: reviewedBy(admission, { labels, trustedRegistries }) }),
  };
}

type Labels = Record<string, string>;

/** Keeps the reviewer of the last requested version, because there is nearly always only one version. */
function reviewedBy(
  admission: AdmissionObjects,
  { labels, trustedRegistries }: { labels: ReadonlyMap<string, Labels>; trustedRegistries: readonly string[] },
): NonNullable<Around['reviewed']> {
  let last: { minor: number; review: ReturnType<typeof reviewer> } | undefined;
  return (object, minor) => {
    if (last?.minor !== minor) last = { minor, review: reviewer(admission, { minor, trustedRegistries }) };
    const { name = '', namespace = '', labels: own } = mapping<KubeObject['metadata']>(object.metadata);
    return last.review({
      apiVersion: String(object.apiVersion ?? ''),
      kind: String(object.kind ?? ''),
      name,
      namespace,
      labels: mapping(own) as Labels,
      labelsOfNamespace: labels.get(namespace),
    });
  };
}

function byNamespace(objects: readonly KubeObject[]): Map<string, KubeObject[]> {
  return Map.groupBy(objects, ({ metadata }) => metadata.namespace ?? '');
}

function selectorOf(policy: KubeObject): LabelSelector {
  return mapping<LabelSelector>(mapping<{ podSelector: unknown }>((policy as { spec?: unknown }).spec).podSelector);
}
