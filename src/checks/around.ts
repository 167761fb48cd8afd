import type { KubeObject } from '../crd/kubernetes.ts';
import type { LabelSelector } from '../crd/selector.ts';
import type { Around } from './check.ts';
import { mapping } from './places.ts';

/** What the checks ask of the objects around the workloads of a namespace. */
export interface Surroundings {
  /** Of all namespaces; undefined when nobody could say which there are. */
  policies: readonly KubeObject[] | undefined;
  accounts: readonly KubeObject[];
  trustedRegistries: readonly string[];
}

/** The `Around` of each namespace. It is made once for each, so ask for many workloads with one function. */
export function aroundOf({ policies, accounts, trustedRegistries }: Surroundings): (namespace: string) => Around {
  const selectors = byNamespace(policies ?? []);
  const quiet = byNamespace(
    accounts.filter((account) => (account as { automountServiceAccountToken?: boolean }).automountServiceAccountToken === false),
  );
  const known = new Map<string, Around>();
  const make = (namespace: string): Around => ({
    trustedRegistries,
    ...(policies && { policySelectors: (selectors.get(namespace) ?? []).map(selectorOf) }),
    quietAccounts: new Set((quiet.get(namespace) ?? []).map(({ metadata }) => metadata.name ?? '')),
  });
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
