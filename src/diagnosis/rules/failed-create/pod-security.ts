import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { Confidence } from '../../../contract/mirror.ts';
import { podSecurityChanges } from '../../corrections/pod-security.ts';
import { code } from '../../rendering/quote.ts';
import { change, type ContainerPlace, factOf, type RuleAnswer, type RuleInput } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** How the admission begins what the checks know: it may learn more than they do. */
const KNOWN =
  /^(?:allowPrivilegeEscalation|unrestricted capabilities|non-default capabilities|runAsNonRoot|runAsUser|seccompProfile|privileged|host(?:Port|Process|Path| namespaces)|restricted volume types|forbidden (?:sysctls|AppArmor)|forbidden AppArmor|seLinuxOptions|procMount|probe or lifecycle host|sysctls)/;

/** The API server takes what meets the level. Whether the program runs as another user, or without a folder of the node, is not known. */
function sureness(changes: Change[], isComplete: boolean): Confidence {
  if (!isComplete) return 'guess';
  return changes.some(({ path }) => /\.runAsUser$|\.volumes\b/.test(path)) ? 'likely' : 'certain';
}

/** Empty volumes in place of folders of the node, which no level but `privileged` allows. Only the author knows whether they do. */
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

/** The namespace enforces a Pod Security level that the pods do not meet. */
export function podSecurityViolation(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'pod-security');
  if (!fact) return undefined;
  const place = input.place();
  const { changes, complete } = place
    ? withoutFolders(place, podSecurityChanges(place, fact.level === 'restricted' ? 'restricted' : 'baseline'))
    : { changes: [], complete: false };
  // "host namespaces" are three fields: only what stands behind it names the one.
  const fields = fact.violations.map((violation) =>
    violation.startsWith('host namespaces') ? violation : violation.replace(/ \(.*$/s, ''),
  );
  const forbidden = fields.map((field) => code(field)).join(', ');
  return cannotCreate(input, `the namespace enforces Pod Security level ${code(fact.level)}, which forbids ${forbidden}`, {
    culprit: `Pod Security ${fact.level}: ${fields.join(', ')}`,
    evidence: [fact.evidence],
    advice: [
      'Set the fields that the message names, or move the workload to a namespace with another level.',
      ...(fact.violations.some((violation) => violation.startsWith('runAsNonRoot'))
        ? ['With `runAsNonRoot` the image needs a user other than root.']
        : []),
    ],
    commands: [`kubectl get namespace ${input.subject.namespace.replaceAll(/[^\w.-]/g, '')} --show-labels`],
    corrections: [
      {
        title: `Meet Pod Security level ${code(fact.level)}`,
        changes,
        confidence: sureness(changes, complete && fact.violations.every((violation) => KNOWN.test(violation))),
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
