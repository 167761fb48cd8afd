import type { KubeObject } from '../crd/kubernetes.ts';
import type { LabelSelector } from '../crd/selector.ts';
import type { Around, Level } from './check.ts';
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
  const levels = new Map(namespaces.map((one) => [one.metadata.name ?? '', enforcedBy(one)]));
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

/** The level that the label of a namespace enforces. Without a version it is the newest. */
function enforcedBy({ metadata }: KubeObject): { level: Level; minor: number } | undefined {
  const labels = mapping<Record<string, string>>(metadata.labels);
  const level = labels['pod-security.kubernetes.io/enforce'];
  if (level !== 'baseline' && level !== 'restricted') return undefined;
  const minor = /^v1\.(\d{1,3})$/.exec(labels['pod-security.kubernetes.io/enforce-version'] ?? '')?.[1];
  return { level, minor: minor === undefined ? Infinity : Number(minor) };
}

function byNamespace(objects: readonly KubeObject[]): Map<string, KubeObject[]> {
  return Map.groupBy(objects, ({ metadata }) => metadata.namespace ?? '');
}

function selectorOf(policy: KubeObject): LabelSelector {
  return mapping<LabelSelector>(mapping<{ podSelector: unknown }>((policy as { spec?: unknown }).spec).podSelector);
}
