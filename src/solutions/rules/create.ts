import { fieldPath } from '../fix/apply.ts';
import { code, heartOf } from '../quote.ts';
import type { CreateFact } from '../facts/config.ts';
import { describe } from './commands.ts';
import type { RuleCorrection } from './answer.ts';
import { change, factOf, type Place, type Rule, type Scene, who } from './rule.ts';

const MEANINGS: Record<CreateFact['cause'], { because: string; advice: string; whereToLook: string }> = {
  'no-command': {
    because: 'neither the image nor the pod names a command to run',
    advice: 'Set `command`, or build the image with an `ENTRYPOINT` or `CMD`.',
    whereToLook: "the image's Dockerfile: which program it is for, only its author knows",
  },
  'name-in-use': {
    because: 'the runtime still holds an earlier container of that name',
    advice: 'Usually it passes; else the runtime on the node hangs: delete the pod, or restart the runtime.',
    whereToLook: "the container runtime's log on the node, and its load",
  },
  'sub-path': {
    because: 'a `subPath` cannot be prepared in its volume',
    advice: 'Check that the folder or file of the `subPath` can be made in the volume and that its variables are set.',
    whereToLook: 'the `volumeMounts` with `subPath` and the contents of that volume',
  },
  device: {
    because: 'a device is not there',
    advice: 'Check the device and its plugin on the node.',
    whereToLook: 'the device plugin of the node',
  },
  services: {
    because: 'kubelet has not yet read the Services',
    advice: 'It passes by itself; when it does not, kubelet has no connection to the API server.',
    whereToLook: "kubelet's log on the node",
  },
  field: {
    because: 'a variable asks for a resource of a container that the pod does not have',
    advice: 'Correct `resourceFieldRef.containerName`; without it the container itself is meant.',
    whereToLook: "the container's `env` with `resourceFieldRef`",
  },
  variable: {
    because: 'a `subPathExpr` names a variable that is not set',
    advice: 'Set the variable in the `env` of the container, or correct its name.',
    whereToLook: "the container's `env` and its `volumeMounts` with `subPathExpr`",
  },
  seccomp: {
    because: 'its seccomp profile is not on the node',
    advice: 'Bring the profile to every node (below `/var/lib/kubelet/seccomp`), or use `RuntimeDefault`.',
    whereToLook: 'what brings the profiles to the nodes (a DaemonSet, the security-profiles-operator)',
  },
  mount: {
    because: 'a mount cannot be made in the container',
    advice: 'Check the `mountPath` against what the image has there, and what the volume holds.',
    whereToLook: "the container's `volumeMounts` and the image",
  },
  other: {
    because: 'the runtime refuses it',
    advice: "Read the message: it is the container runtime's own.",
    whereToLook: "the container runtime's log on the node",
  },
};

/** A container that the runtime cannot make. */
export const create: Rule = {
  id: 'create',
  reasons: ['CreateContainerError', 'CreateContainerConfigError', 'PreCreateHookError'],
  answer(scene) {
    const fact = factOf(scene, 'create');
    const started = factOf(scene, 'start')?.cause;
    // A user that the image lacks, a limit too low for any process: the rule about starts tells of both.
    if (!fact || started === 'user' || started === 'memory') return undefined;
    const { because, advice, whereToLook } = MEANINGS[fact.cause];
    const image = fact.cause === 'no-command' ? imageOf(scene) : null;
    return {
      summary: `${who(scene)} cannot be made: ${because}${image ? ` (image ${code(image)})` : ''}.`,
      culprit:
        fact.cause === 'no-command' ? `no command${image ? ` in image ${image}` : ''}` : (fact.detail ?? heartOf(fact.evidence.text)),
      evidence: [fact.evidence],
      advice: [advice],
      commands: [describe(scene.subject)],
      corrections: cures(scene, fact),
      noCure: {
        why:
          fact.cause === 'no-command'
            ? 'The manifest could name a command, but nothing tells which program the image holds.'
            : `No field of the manifest is known to be wrong: ${because}.`,
        whereToLook,
      },
    };
  },
};

function imageOf(scene: Scene): string | null {
  const { container, statuses } = scene.subject;
  return scene.place()?.container?.image ?? statuses.find(({ name }) => name === container)?.image ?? null;
}

const CURES: { [C in CreateFact['cause']]?: (place: Place, detail: string | null) => RuleCorrection[] } = {
  field: ownResource,
  seccomp: defaultSeccomp,
  'sub-path': wholeVolume,
};

function cures(scene: Scene, { cause, detail }: CreateFact): RuleCorrection[] {
  const cure = CURES[cause];
  const place = cure && scene.place();
  return place ? cure(place, detail) : [];
}

/** A resource of the container itself, where another one's is asked that is not there. */
function ownResource(place: Place, container: string | null): RuleCorrection[] {
  const index =
    place.container?.env?.findIndex(({ valueFrom }) => container && valueFrom?.resourceFieldRef?.containerName === container) ?? -1;
  if (index < 0) return [];
  const path = fieldPath(place.path, 'env', index, 'valueFrom', 'resourceFieldRef', 'containerName');
  return [
    {
      title: "Ask for the container's own resource",
      changes: [change(place, path, null, `the pod has no container ${code(container ?? '')}`)],
      confidence: 'likely',
      explanation: 'Without a name the container itself is meant.',
      mirrorable: true,
    },
  ];
}

function wholeVolume(place: Place, volume: string | null): RuleCorrection[] {
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex(({ name, subPath }) => subPath && (volume === null || name === volume));
  if (index < 0) return [];
  const path = fieldPath(place.path, 'volumeMounts', index, 'subPath');
  return [
    {
      title: 'Mount the whole volume',
      changes: [change(place, path, null, 'this part of the volume cannot be prepared')],
      confidence: 'guess',
      explanation: 'The container starts; the files are then in the folder that the `subPath` named.',
      mirrorable: true,
    },
  ];
}

/** The runtime's own profile in the place of one that is not there. Another profile is another power: a mirror may not have it. */
function defaultSeccomp(place: Place): RuleCorrection[] {
  const paths = [
    ...(place.container?.securityContext?.seccompProfile?.type === 'Localhost' ? [place.path] : []),
    ...(place.spec.securityContext?.seccompProfile?.type === 'Localhost' ? [place.specPath] : []),
  ];
  return paths.slice(0, 1).map((path) => ({
    title: "Use the runtime's own seccomp profile",
    changes: [
      change(place, fieldPath(path, 'securityContext', 'seccompProfile'), { type: 'RuntimeDefault' }, 'the profile is not on the node'),
    ],
    confidence: 'guess',
    explanation: 'It forbids less, or other things, than its author wanted: decide that first.',
    mirrorable: false,
  }));
}
