import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { quotedLine } from '../../facts/phrase.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Meaning } from '../meaning.ts';

/** The label with the number of a StatefulSet's pod (Kubernetes, "StatefulSets": Pod index label). */
const POD_INDEX = 'apps.kubernetes.io/pod-index';

/** The name of the pod where a program wants a number: the only variable that takes the name, if the pod has its number as a label. */
export function nameForOrdinal({ subject }: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  const isMeant =
    line.includes(subject.pod_name) &&
    /not an? (?:valid )?(?:number|integer)|NumberFormat|[Ii]nvalid (?:value|digit|literal|integer|number)|ParseInt|Atoi/i.test(line);
  const index = place.container?.env?.findIndex(({ valueFrom }) => valueFrom?.fieldRef?.fieldPath === 'metadata.name') ?? -1;
  const name = place.container?.env?.[index]?.name;
  if (!isMeant || name === undefined || subject.labels?.[POD_INDEX] === undefined) return undefined;
  return {
    because: `the program wants a number as ${code(name)}, and gets the name of the pod: ${quotedLine(line)}`,
    culprit: `${name}=${subject.pod_name} (fieldPath metadata.name)`,
    advice: ['Give the program the number of the pod, which is a label of every pod of a StatefulSet.'],
    corrections: [
      {
        title: `Take ${code(name)} from the number of the pod`,
        changes: [
          change(
            place,
            fieldPath(place.path, 'env', index, 'valueFrom', 'fieldRef', 'fieldPath'),
            `metadata.labels['${POD_INDEX}']`,
            'the label holds the number in the name of the pod',
          ),
        ],
        confidence: 'likely',
        explanation: `It is ${code(subject.labels[POD_INDEX] ?? '')} for this pod.`,
        mirrorable: false,
      },
    ],
    whereToLook: `where ${code(name)} is set`,
  };
}
