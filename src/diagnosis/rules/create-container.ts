import { fieldPath } from '../../crd/field-path.ts';
import { code, withoutWrappers } from '../rendering/quote.ts';
import type { CreateFact } from '../facts/config.ts';
import { describe } from '../rendering/commands.ts';
import { ofPod } from '../corrections/settings/variable-of-pod.ts';
import type { Correction } from '../corrections/correction.ts';
import { nearest } from '../corrections/similar-names.ts';
import { change } from '../corrections/change.ts';
import { factOf, type ContainerPlace, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

const MEANINGS: Record<CreateFact['cause'], { because: string; advice: string; whereToLook: string }> = {
  'no-command': {
    because: 'neither the image nor the pod names a command to run',
    advice: 'Set `command`, or build the image with an `ENTRYPOINT` or `CMD`.',
    whereToLook: "the image's Dockerfile; only its author knows which program it is for",
  },
  'name-in-use': {
    because: 'the runtime still has an earlier container with this name',
    advice: 'This usually ends by itself. If not, the runtime on the node hangs: delete the pod, or restart the runtime.',
    whereToLook: "the container runtime's log on the node, and its load",
  },
  'sub-path': {
    because: 'a `subPath` cannot be prepared in its volume',
    advice: 'Check that the folder or file of the `subPath` can be created in the volume, and that its variables are set.',
    whereToLook: 'the `volumeMounts` with `subPath` and the contents of that volume',
  },
  device: {
    because: 'a device does not exist on the node',
    advice: 'Check the device and its plugin on the node.',
    whereToLook: 'the device plugin of the node',
  },
  services: {
    because: 'kubelet has not yet read the Services',
    advice: 'This ends by itself. If not, kubelet cannot reach the API server.',
    whereToLook: "kubelet's log on the node",
  },
  field: {
    because: 'a variable refers to the resources of a container that the pod does not have',
    advice: 'Correct `resourceFieldRef.containerName`. Without it, the container itself is meant.',
    whereToLook: "the container's `env` with `resourceFieldRef`",
  },
  variable: {
    because: 'a `subPathExpr` names a variable that is not set',
    advice: 'Set the variable in the `env` of the container, or correct its name.',
    whereToLook: "the container's `env` and its `volumeMounts` with `subPathExpr`",
  },
  seccomp: {
    because: 'its seccomp profile is not on the node',
    advice: 'Install the profile on every node (in `/var/lib/kubelet/seccomp`), or use `RuntimeDefault`.',
    whereToLook: 'what installs the profiles on the nodes (a DaemonSet, the security-profiles-operator)',
  },
  mount: {
    because: 'a volume cannot be mounted in the container',
    advice: 'Compare the `mountPath` with what the image has there, and with what the volume contains.',
    whereToLook: "the container's `volumeMounts` and the image",
  },
  other: {
    because: 'the runtime refuses it',
    advice:
      'The message comes from the node. Correct what it names; if it names nothing of the pod, look at the container runtime of the node.',
    whereToLook: "the container runtime's log on the node",
  },
};

/** The runtime cannot create the container. */
export const create: DiagnosisRule = {
  id: 'create',
  reasons: ['CreateContainerError', 'CreateContainerConfigError', 'PreCreateHookError'],
  answer(input) {
    const fact = factOf(input, 'create');
    const started = factOf(input, 'start')?.cause;
    // The rule `start` explains both of these: a user that the image lacks, and a limit too low for any process.
    if (!fact || started === 'user' || started === 'memory') return undefined;
    const { because, advice, whereToLook } = MEANINGS[fact.cause];
    const image = fact.cause === 'no-command' ? imageOf(input) : null;
    const message = fact.cause === 'other' ? `: ${code(withoutWrappers(fact.evidence.text))}` : '';
    return {
      summary: `${who(input)} cannot be created: ${because}${image ? ` (image ${code(image)})` : ''}${message}.`,
      culprit:
        fact.cause === 'no-command'
          ? `no command${image ? ` in image ${image}` : ''}`
          : (fact.detail ?? withoutWrappers(fact.evidence.text)),
      evidence: [fact.evidence],
      advice: [advice],
      commands: [describe(input.subject)],
      corrections: correctionsFor(input, fact),
      noCorrection: {
        why:
          fact.cause === 'no-command'
            ? 'The manifest could name a command, but nothing shows which program the image contains.'
            : `No field of the manifest is known to be wrong: ${because}.`,
        whereToLook,
      },
    };
  },
};

function imageOf(input: RuleInput): string | null {
  const { container, statuses } = input.subject;
  return input.place()?.container?.image ?? statuses.find(({ name }) => name === container)?.image ?? null;
}

const CORRECTIONS: { [C in CreateFact['cause']]?: (place: ContainerPlace, detail: string | null) => Correction[] } = {
  field: ownResource,
  seccomp: defaultSeccomp,
  'sub-path': wholeVolume,
  variable: otherExpression,
};

function correctionsFor(input: RuleInput, { cause, detail }: CreateFact): Correction[] {
  const correct = CORRECTIONS[cause];
  const place = correct && input.place();
  return place ? correct(place, detail) : [];
}

/** If a `resourceFieldRef` names a container that does not exist, makes it name the container that it is in. */
function ownResource(place: ContainerPlace, container: string | null): Correction[] {
  const index =
    place.container?.env?.findIndex(({ valueFrom }) => container && valueFrom?.resourceFieldRef?.containerName === container) ?? -1;
  if (index < 0) return [];
  const path = fieldPath(place.path, 'env', index, 'valueFrom', 'resourceFieldRef', 'containerName');
  return [
    {
      title: "Use the container's own resource",
      changes: [change(place, path, null, `the pod has no container ${code(container ?? '')}`)],
      confidence: 'likely',
      explanation: 'Without a name the container itself is meant.',
      mirrorable: true,
    },
  ];
}

/** The variables with the name of the pod, which is its host name: `HOSTNAME` is known to the program only. */
const namesOfPod = (place: ContainerPlace, variable: string | null): string[] =>
  variable === 'HOSTNAME'
    ? (place.container?.env ?? []).flatMap(({ name, valueFrom }) => (valueFrom?.fieldRef?.fieldPath === 'metadata.name' ? [name] : []))
    : [];

/** Replaces a variable that the container lacks in `subPathExpr` with a similar one that it has. */
function otherExpression(place: ContainerPlace, variable: string | null): Correction[] {
  const names = (place.container?.env ?? []).map(({ name }) => name);
  const [near] = [...nearest(variable ?? '', names), ...namesOfPod(place, variable)];
  if (variable === null) return [];
  if (near === undefined) return ofPod(place, variable);
  const changes = (place.container?.volumeMounts ?? []).flatMap(({ subPathExpr }, index) =>
    subPathExpr?.includes(`$(${variable})`)
      ? [
          change(
            place,
            fieldPath(place.path, 'volumeMounts', index, 'subPathExpr'),
            subPathExpr.replaceAll(`$(${variable})`, `$(${near})`),
            `the container sets ${code(near)} and not ${code(variable)}`,
          ),
        ]
      : [],
  );
  if (changes.length === 0) return [];
  const explanation = `${code(variable)} looks like a typo of ${code(near)}.`;
  return [{ title: `Use the variable ${code(near)}`, changes, confidence: 'likely', explanation, mirrorable: true }];
}

function wholeVolume(place: ContainerPlace, volume: string | null): Correction[] {
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex(({ name, subPath }) => subPath && (volume === null || name === volume));
  if (index < 0) return [];
  const path = fieldPath(place.path, 'volumeMounts', index, 'subPath');
  return [
    {
      title: 'Mount the whole volume',
      changes: [change(place, path, null, 'this part of the volume cannot be prepared')],
      confidence: 'guess',
      explanation: 'The container starts. The files are then in the folder that the `subPath` named.',
      mirrorable: true,
    },
  ];
}

/** Replaces a missing profile with the runtime's default one. Another profile may allow more, so a mirror may not be allowed to run it. */
function defaultSeccomp(place: ContainerPlace): Correction[] {
  const paths = [
    ...(place.container?.securityContext?.seccompProfile?.type === 'Localhost' ? [place.path] : []),
    ...(place.spec.securityContext?.seccompProfile?.type === 'Localhost' ? [place.specPath] : []),
  ];
  return paths.slice(0, 1).map((path) => ({
    title: "Use the runtime's default seccomp profile",
    changes: [
      change(place, fieldPath(path, 'securityContext', 'seccompProfile'), { type: 'RuntimeDefault' }, 'the profile is not on the node'),
    ],
    confidence: 'guess',
    explanation: 'It forbids less, or other things, than the author wanted. Decide first whether that is acceptable.',
    mirrorable: false,
  }));
}
