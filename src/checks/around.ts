import type { KubeObject } from '../crd/kubernetes.ts';
import { enforcedLevelOf } from '../crd/pod-security-level.ts';
import type { LabelSelector } from '../crd/selector.ts';
import type { Around } from './check.ts';
import { mapping } from './places.ts';

/** What the checks ask of the objects around the workloads of a namespace. */
export interface Surroundings {
  /** Of all namespaces; undefined when nobody could say which there are. */
  policies: readonly KubeObject[] | undefined;
  accounts: readonly KubeObject[];
  trustedRegistries: readonly string[];
  /** For their labels of Pod Security. */
  namespaces: readonly KubeObject[];
}

/** The `Around` of each namespace. It is made once for each, so ask for many workloads with one function. */
export function aroundOf({ policies, accounts, trustedRegistries, namespaces }: Surroundings): (namespace: string) => Around {
  const selectors = byNamespace(policies ?? []);
  const quiet = byNamespace(
    accounts.filter((account) => (account as { automountServiceAccountToken?: boolean }).automountServiceAccountToken === false),
  );
  const levels = new Map(namespaces.map((one) => [one.metadata.name ?? '', enforcedLevelOf(one)]));
  const known = new Map<string, Around>();
  const make = (namespace: string): Around => {
    const enforced = levels.get(namespace);
    return {
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

function byNamespace(objects: readonly KubeObject[]): Map<string, KubeObject[]> {
  return Map.groupBy(objects, ({ metadata }) => metadata.namespace ?? '');
}

function selectorOf(policy: KubeObject): LabelSelector {
  return mapping<LabelSelector>(mapping<{ podSelector: unknown }>((policy as { spec?: unknown }).spec).podSelector);
}
