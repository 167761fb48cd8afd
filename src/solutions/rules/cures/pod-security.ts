import type { Change } from '../../../contract/failure.ts';
import type { Container } from '../../../crd/kubernetes.ts';
import { fieldPath } from '../../fix/apply.ts';
import { change, type Place } from '../rule.ts';

interface Whole {
  place: Place;
  each(make: (container: Container, path: string) => Change[]): Change[];
}

/** What each violation of Pod Security wants, by the words that its message begins with. */
const CURES: readonly [RegExp, (whole: Whole) => Change[]][] = [
  [
    /^allowPrivilegeEscalation/,
    ({ place, each }) =>
      each((_, path) => [set(place, path, ['securityContext', 'allowPrivilegeEscalation'], false, 'the level forbids to gain privileges')]),
  ],
  [
    /^unrestricted capabilities|^non-default capabilities/,
    ({ place, each }) =>
      each((container, path) => [
        set(place, path, ['securityContext', 'capabilities', 'drop'], ['ALL'], 'the level wants all capabilities dropped'),
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
        "the level wants the runtime's seccomp profile",
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

/** The changes that meet the violations, and whether every violation has its cure. Only ever takes power away. */
export function podSecurityChanges(place: Place, violations: string[]): { changes: Change[]; complete: boolean } {
  const whole: Whole = {
    place,
    each: (make) =>
      (['initContainers', 'containers'] as const).flatMap((list) =>
        (place.spec[list] ?? []).flatMap((container, index) => make(container, fieldPath(place.specPath, list, index))),
      ),
  };
  const cures = violations.map((violation) => CURES.find(([words]) => words.test(violation))?.[1](whole) ?? []);
  return { changes: cures.flat(), complete: cures.every((changes) => changes.length > 0) };
}

function set(place: Place, base: string, steps: (string | number)[], to: unknown, why: string): Change {
  return change(place, fieldPath(base, ...steps), to, why);
}
