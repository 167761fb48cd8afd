import { fieldPath } from '../../crd/field-path.ts';
import type { MountCause, MountFact } from '../facts/volume.ts';
import { code, withoutWrappers } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { describe, kubectl } from './commands.ts';
import { change, factsOf, type DiagnosisRule, type RuleInput, who } from './rule.ts';

const MEANINGS: Record<MountCause, { because: string; advice: string; whereToLook: string }> = {
  'host-path': {
    because: 'the path does not exist on the node, or is not what its `type` says',
    advice: 'Create it on every node that may run the pod, let kubelet create it (`DirectoryOrCreate`), or use no files of the node.',
    whereToLook: 'the folder on the node',
  },
  'csi-driver': {
    because: 'its CSI driver is not on the node',
    advice: 'Install the driver, or wait for its pod on this node.',
    whereToLook: "the driver's DaemonSet and `kubectl get csidrivers,csinodes`",
  },
  'multi-attach': {
    because: 'it is attached to another node and can only be attached to one',
    advice: 'End the pod that uses it (an old replica, a node that is lost), or use a volume with access mode ReadWriteMany.',
    whereToLook: 'the pods with the same claim and `kubectl get volumeattachments`',
  },
  timeout: {
    because: 'it was not ready in time',
    advice: 'Look at the claim, the attachment and the driver. This message only says that one of them was not ready.',
    whereToLook: "the claim's events, `kubectl get volumeattachments`, the driver's log",
  },
  permission: {
    because: 'the node may not open it',
    advice: 'Check the rights on the server and the credentials of the mount.',
    whereToLook: "the storage server's export or share",
  },
  'file-system': {
    because: 'its file system cannot be mounted',
    advice: 'Check the file system type and the state of the disk.',
    whereToLook: "kubelet's log on the node, and the disk",
  },
  nfs: {
    because: 'the NFS server refuses it, or the node lacks the NFS client',
    advice: 'Install the NFS client on the nodes, and check the export.',
    whereToLook: 'the server, its export, and `mount.nfs` on the node',
  },
  attach: {
    because: 'it cannot be attached to the node',
    advice: "Look at the attachment and at the driver's controller.",
    whereToLook: "`kubectl get volumeattachments` and the driver's log",
  },
  other: {
    because: 'kubelet cannot mount it',
    advice: "Correct what kubelet's message names, and look at the volume with `kubectl describe`.",
    whereToLook: "kubelet's log on the node, and the volume",
  },
};

/** A volume of the pod cannot be mounted or attached. */
export const mount: DiagnosisRule = {
  id: 'mount',
  reasons: ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume', 'ContainerCreating'],
  answer(input) {
    const facts = factsOf(input, 'mount');
    const fact = facts.find(({ cause }) => cause !== 'timeout' && cause !== 'other') ?? facts[0];
    if (!fact) return undefined;
    const { because, advice, whereToLook } = MEANINGS[fact.cause];
    const name = fact.volume ? `Volume ${code(fact.volume)}` : 'A volume';
    const claim = input.place()?.spec.volumes?.find((volume) => volume.name === fact.volume)?.persistentVolumeClaim?.claimName;
    return {
      summary: `${who(input, null)} cannot start: ${name.replace(/^[AV]/, (letter) => letter.toLowerCase())} cannot be mounted, because ${because}${fact.subject ? ` (${code(fact.subject)})` : ''}.`,
      culprit:
        fact.subject ??
        [
          `volume ${fact.volume ?? ''}`.trim(),
          ...(fact.cause === 'other' ? [withoutWrappers(fact.evidence.text.replace(/^.{0,200}? : /, ''))] : []),
        ].join(': '),
      evidence: [fact.evidence],
      advice: [advice],
      commands: [describe(input.subject), ...(claim ? [kubectl(input.subject, 'describe', 'persistentvolumeclaim', claim)] : [])],
      corrections: fact.cause === 'host-path' ? hostPath(input, fact) : [],
      noCorrection: { why: `The manifest is not the cause: ${because}.`, whereToLook },
    };
  },
};

function hostPath(input: RuleInput, fact: MountFact): Correction[] {
  const place = input.place();
  const index =
    place?.spec.volumes?.findIndex(
      (volume) => volume.hostPath?.path === fact.subject && (fact.volume === null || volume.name === fact.volume),
    ) ?? -1;
  if (!place || index < 0) return [];
  const base = fieldPath(place.specPath, 'volumes', index);
  const to = fact.wanted === 'directory' ? 'DirectoryOrCreate' : fact.wanted === 'file' ? 'FileOrCreate' : undefined;
  const created: Correction[] = to
    ? [
        {
          title: 'Let kubelet create it',
          changes: [change(place, fieldPath(base, 'hostPath', 'type'), to, `${code(fact.subject ?? '')} does not exist on the node`)],
          confidence: 'likely',
          explanation: 'kubelet creates it, empty and as root. The pod did not have this right before.',
          mirrorable: false,
        },
      ]
    : [];
  const instead: Correction = {
    title: 'Use an empty volume',
    changes: [
      change(place, fieldPath(base, 'hostPath'), null, `${code(fact.subject ?? '')} does not exist on the node`),
      change(place, fieldPath(base, 'emptyDir'), {}, 'it lives as long as the pod'),
    ],
    confidence: 'guess',
    explanation: 'Do this only if the program needs no more than a folder to work in.',
    mirrorable: true,
  };
  return [...created, ...(fact.wanted === 'directory' ? [instead] : [])];
}
