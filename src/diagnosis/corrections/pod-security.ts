import type { Change } from '../../contract/failure.ts';
import type { Container } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { change, type ContainerPlace } from '../rules/rule.ts';

interface PodToChange {
  place: ContainerPlace;
  each(make: (container: Container, path: string) => Change[]): Change[];
}

/** The changes that each violation of Pod Security needs, by the first words of its message. */
const CHANGES_BY_VIOLATION: readonly [RegExp, (pod: PodToChange) => Change[]][] = [
  [
    /^allowPrivilegeEscalation/,
    ({ place, each }) =>
      each((_, path) => [set(place, path, ['securityContext', 'allowPrivilegeEscalation'], false, 'the level forbids gaining privileges')]),
  ],
  [
    /^unrestricted capabilities|^non-default capabilities/,
    ({ place, each }) =>
      each((container, path) => [
        set(place, path, ['securityContext', 'capabilities', 'drop'], ['ALL'], 'the level requires that all capabilities are dropped'),
        ...(container.securityContext?.capabilities?.add
          ? [set(place, path, ['securityContext', 'capabilities', 'add'], null, 'the level forbids added capabilities')]
          : []),
      ]),
  ],
  [
    /^runAsNonRoot/,
    ({ place, each }) => [
      set(place, place.specPath, ['securityContext', 'runAsNonRoot'], true, 'the level forbids root'),
      ...each((container, path) =>
        container.securityContext?.runAsNonRoot === false
          ? [set(place, path, ['securityContext', 'runAsNonRoot'], true, 'the level forbids root')]
          : [],
      ),
    ],
  ],
  [
    /^runAsUser=0/,
    ({ place, each }) => [
      ...(place.spec.securityContext?.runAsUser === 0
        ? [set(place, place.specPath, ['securityContext', 'runAsUser'], 1000, 'the level forbids root')]
        : []),
      ...each((container, path) =>
        container.securityContext?.runAsUser === 0
          ? [set(place, path, ['securityContext', 'runAsUser'], 1000, 'the level forbids root')]
          : [],
      ),
    ],
  ],
  [
    /^seccompProfile/,
    ({ place }) => [
      set(
        place,
        place.specPath,
        ['securityContext', 'seccompProfile'],
        { type: 'RuntimeDefault' },
        "the level requires the runtime's seccomp profile",
      ),
    ],
  ],
  [
    /^privileged/,
    ({ place, each }) =>
      each((container, path) =>
        container.securityContext?.privileged
          ? [set(place, path, ['securityContext', 'privileged'], false, 'the level forbids privileged containers')]
          : [],
      ),
  ],
  [
    /^host namespaces/,
    ({ place }) =>
      (['hostNetwork', 'hostPID', 'hostIPC'] as const).flatMap((field) =>
        place.spec[field] ? [set(place, place.specPath, [field], null, "the level forbids the node's namespaces")] : [],
      ),
  ],
  [
    /^hostPort/,
    ({ place, each }) =>
      each((container, path) =>
        (container.ports ?? []).flatMap((port, index) =>
          port.hostPort ? [set(place, path, ['ports', index, 'hostPort'], null, 'the level forbids host ports')] : [],
        ),
      ),
  ],
];

/** The changes that end the violations; `complete` when every violation has some. They never add rights. */
export function podSecurityChanges(place: ContainerPlace, violations: string[]): { changes: Change[]; complete: boolean } {
  const pod: PodToChange = {
    place,
    each: (make) =>
      (['initContainers', 'containers'] as const).flatMap((list) =>
        (place.spec[list] ?? []).flatMap((container, index) => make(container, fieldPath(place.specPath, list, index))),
      ),
  };
  const perViolation = violations.map((violation) => CHANGES_BY_VIOLATION.find(([words]) => words.test(violation))?.[1](pod) ?? []);
  return { changes: perViolation.flat(), complete: perViolation.every((changes) => changes.length > 0) };
}

function set(place: ContainerPlace, base: string, steps: (string | number)[], to: unknown, why: string): Change {
  return change(place, fieldPath(base, ...steps), to, why);
}
