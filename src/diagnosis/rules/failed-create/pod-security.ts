import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { podSecurityChanges, securitySureness, takesRights } from '../../corrections/admission/pod-security.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../../corrections/change.ts';
import { type ContainerPlace, factOf, type RuleInput } from '../../facts/input.ts';
import { type RuleAnswer } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** How admission starts the violations that the checks know. A later version of admission may report others. */
const KNOWN =
  /^(?:allowPrivilegeEscalation|unrestricted capabilities|non-default capabilities|runAsNonRoot|runAsUser|seccompProfile|privileged|host(?:Port|Process|Path| namespaces)|restricted volume types|forbidden (?:sysctls|AppArmor)|forbidden AppArmor|seLinuxOptions|procMount|probe or lifecycle host|sysctls)/;

/**
 * Replaces `hostPath` volumes with empty ones, because only the level `privileged` allows `hostPath`. Whether empty volumes are enough,
 * only the author knows.
 */
function withoutFolders(place: ContainerPlace, { changes, complete }: { changes: Change[]; complete: boolean }) {
  const folders = (place.spec.volumes ?? []).flatMap(({ hostPath }, index) =>
    hostPath ? [fieldPath(place.specPath, 'volumes', index)] : [],
  );
  const instead = folders.flatMap((path) => [
    change(place, fieldPath(path, 'hostPath'), null, 'the level forbids folders of the node'),
    change(place, fieldPath(path, 'emptyDir'), {}, 'it lives as long as the pod'),
  ]);
  return { changes: [...changes, ...instead], complete };
}

/**
 * A violation with the names that it forbids: `hostPort (8080 of app)`. For something that a container must set, the field's name is
 * enough.
 */
function forbiddenIn(violation: string): string {
  const [, field = violation, detail = ''] = /^([^(]{1,200}?)(?: \((.{1,2000})\))?$/s.exec(violation) ?? [];
  if (field === 'host namespaces' || field === 'forbidden sysctls') return violation;
  const named = [
    ...detail.matchAll(
      /(?:container "(?<of>[^"]{1,63})" )?(?:must not include (?<what>"[^"]{1,60}"(?:, "[^"]{1,60}"){0,40})|uses hostPorts? (?<ports>[\d, ]{1,200}))|(?<!\w)volumes? (?<volumes>"[^"]{1,63}"(?:, "[^"]{1,63}"){0,40})/g,
    ),
  ].map(({ groups = {} }) => {
    const what = (groups['what'] ?? groups['ports'] ?? groups['volumes'] ?? '').replaceAll('"', '');
    return groups['of'] ? `${what} of ${groups['of']}` : what;
  });
  return named.length > 0 ? `${field} (${named.join(', ')})` : field;
}

/** The namespace enforces a Pod Security level that the pods do not meet. */
export function podSecurityViolation(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'pod-security');
  if (!fact) return undefined;
  const place = input.place();
  const { changes, complete } = place
    ? withoutFolders(place, podSecurityChanges(place, fact.level === 'restricted' ? 'restricted' : 'baseline'))
    : { changes: [], complete: false };
  const fields = fact.violations.map(forbiddenIn);
  const isKnown = complete && fact.violations.every((violation) => KNOWN.test(violation));
  const confidence = place && isKnown ? securitySureness(place, changes) : 'guess';
  const isTaken = place !== undefined && takesRights(place, changes);
  const forbidden = fields.map((field) => code(field)).join(', ');
  return cannotCreate(input, `the namespace enforces Pod Security level ${code(fact.level)}, and the pods do not meet it: ${forbidden}`, {
    culprit: `Pod Security ${fact.level}: ${fields.join(', ')}`,
    evidence: [fact.evidence],
    advice: [
      isTaken
        ? 'If the program needs these rights, run it in a namespace with another level.'
        : 'Set the fields that the message names, or move the workload to a namespace with another level.',
      ...(fact.violations.some((violation) => violation.startsWith('runAsNonRoot'))
        ? ['With `runAsNonRoot` the image needs a user other than root.']
        : []),
    ],
    commands: [`kubectl get namespace ${input.subject.namespace.replaceAll(/[^\w.-]/g, '')} --show-labels`],
    corrections: [
      {
        title: `Meet Pod Security level ${code(fact.level)}`,
        changes,
        confidence,
        explanation: 'The API server then accepts the pods. Whether the program runs with fewer rights shows only when it runs.',
        mirrorable: false,
      },
    ],
    noCorrection: {
      why: 'The workload needs what the level forbids.',
      whereToLook: "the namespace's label `pod-security.kubernetes.io/enforce`",
    },
  });
}
