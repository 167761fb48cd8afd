import type { Container, KubeObject, PodSpec } from '../../crd/kubernetes.ts';
import type { Case } from '../case.ts';
import { code } from '../rendering/quote.ts';
import type { Fact, FactOf, Facts } from './facts.ts';
import { podSpecIn } from './manifest.ts';

/** Where the failing container is in the manifest. `path` leads to the container, `specPath` to the pod's spec. */
export interface ContainerPlace {
  object: KubeObject;
  spec: PodSpec;
  specPath: string;
  container: Container | undefined;
  path: string;
}

/** The user id of the container, if the manifest sets it. */
export const userOf = ({ container, spec }: Pick<ContainerPlace, 'container' | 'spec'>): number | undefined =>
  container?.securityContext?.runAsUser ?? spec.securityContext?.runAsUser;

/** A case with its facts: what every rule gets. */
export interface RuleInput {
  subject: Case;
  facts: Facts;
  /** The named container, by default the failing one. Undefined without a readable manifest. The first call parses the manifest. */
  place(container?: string | null): ContainerPlace | undefined;
}

/** The input of a case. */
export function ruleInput(subject: Case, facts: Facts): RuleInput {
  return {
    subject,
    facts,
    place(name = subject.container) {
      const object = subject.manifest();
      const found = object && podSpecIn(object);
      if (!found) return undefined;
      return { object, spec: found.spec, specPath: found.path, ...findContainer(found.spec, found.path, name) };
    },
  };
}

/** The container of that name. If the case names none, the pod's only container. */
function findContainer(spec: PodSpec, path: string, name: string | null): { container: Container | undefined; path: string } {
  for (const list of ['initContainers', 'containers'] as const) {
    const index = (spec[list] ?? []).findIndex((container) => container.name === name);
    if (index >= 0) return { container: spec[list]?.[index], path: `${path}.${list}[${index}]` };
  }
  const only = name === null && spec.containers.length === 1 ? spec.containers[0] : undefined;
  return { container: only, path: `${path}.containers[0]` };
}

/** The most telling fact of a kind. */
export function factOf<K extends Fact['kind']>(input: RuleInput, kind: K): FactOf<K> | undefined {
  return input.facts(kind)[0];
}

/** All facts of a kind, the most telling first. */
export function factsOf<K extends Fact['kind']>(input: RuleInput, kind: K): FactOf<K>[] {
  return input.facts(kind);
}

/** "Container `app`", "Init container `migrate`", or "The pod `web`" when no container is named. */
export function who(input: RuleInput, name = input.subject.container): string {
  const { subject } = input;
  if (name === null) return `The ${subject.resource_kind === 'Pod' ? 'pod' : subject.resource_kind} ${code(subject.pod_name)}`;
  const kind = subject.statuses.find((status) => status.name === name)?.kind;
  return `${kind === 'init' ? 'Init container' : kind === 'sidecar' ? 'Sidecar' : 'Container'} ${code(name)}`;
}
