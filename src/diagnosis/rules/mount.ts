import { oldPodsFirst } from '../changes/old-pods-first.ts';
import { fieldPath } from '../../crd/field-path.ts';
import type { MountCause, MountFact } from '../facts/volume.ts';
import { code, withoutWrappers } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { nearest } from '../corrections/similar-names.ts';
import { appended, change } from '../corrections/change.ts';
import { describe, kubectl } from '../rendering/commands.ts';
import { DELETED_CLAIM } from './unschedulable/reasons.ts';
import { type ContainerPlace, factsOf, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

const MEANINGS: Record<MountCause, { because: string; advice: string; whereToLook: string }> = {
  'host-path': {
    because: 'the path does not exist on the node, or is not what its `type` says',
    advice:
      'Correct `hostPath.path`, or see why the nodes lack it: a socket is made by the program that listens on it, a folder can be made by kubelet (`DirectoryOrCreate`).',
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
    because: 'the node has no right to open it',
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
    advice:
      'Where the message speaks of a helper program or a bad option, install the NFS client on the node. Otherwise look on the server whether the path is exported to this node.',
    whereToLook: 'the server, its export, and `mount.nfs` on the node',
  },
  'huge-pages': {
    because: 'it is made of huge pages, and no container asks for any',
    advice: 'Use an ordinary `emptyDir`, or give a container a limit for huge pages on nodes that have them.',
    whereToLook: '`emptyDir.medium`, and `hugepages-…` in what the nodes offer',
  },
  'volume-mode': {
    because: 'the pod and the claim do not agree on whether it has a file system or is a device',
    advice: 'A claim of `volumeMode: Filesystem` is mounted with `volumeMounts`, one of `Block` is given with `volumeDevices`.',
    whereToLook: "the claim's `volumeMode`",
  },
  'no-path': {
    because: 'its folder does not exist on the node',
    advice: 'Create the folder on the node that the volume names, or correct the path of the PersistentVolume.',
    whereToLook: "the PersistentVolume's `local.path` or `hostPath.path`, and the folder on the node",
  },
  claim: {
    because: 'its claim is being deleted, or has no volume yet',
    advice: `Look at the claim. ${DELETED_CLAIM}`,
    whereToLook: "the claim's `deletionTimestamp`, status and events",
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
      culprit: culpritOf(input, fact),
      evidence: [fact.evidence],
      advice: [advice],
      commands: [describe(input.subject), ...(claim ? [kubectl(input.subject, 'describe', 'persistentvolumeclaim', claim)] : [])],
      corrections: CORRECTIONS[fact.cause]?.(input, fact) ?? [],
      noCorrection: { why: `The manifest is not the cause: ${because}.`, whereToLook },
    };
  },
};

function culpritOf(input: RuleInput, fact: MountFact): string {
  const { cause, evidence, subject, volume } = fact;
  const name = `volume ${volume ?? ''}`.trim();
  if (cause === 'huge-pages') return `${name}: emptyDir.medium HugePages`;
  if (cause === 'volume-mode') return withoutWrappers(/volume \S{1,253} has volumeMode.{0,200}/.exec(evidence.text)?.[0] ?? '');
  if (subject !== null) return subject;
  if (cause === 'multi-attach') return `${name}${usersOf(input, fact)}`;
  return cause === 'other' ? `${name}: ${withoutWrappers(evidence.text.replace(/^.{0,200}? : /, ''))}` : name;
}

/** The claim of a volume that another node has, and the pods that use it there. */
function usersOf(input: RuleInput, { evidence }: MountFact): string {
  const claims = (input.place()?.spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);
  const pods = /used by pod\(s\) (.{1,400})/.exec(evidence.text)?.[1];
  return `${claims.length === 1 ? ` of claim ${claims[0]}` : ''}${pods ? `, used by ${pods}` : ''}`;
}

const CORRECTIONS: { [C in MountCause]?: (input: RuleInput, fact: MountFact) => Correction[] } = {
  'host-path': hostPath,
  'huge-pages': ordinaryFolder,
  'volume-mode': otherMode,
  'multi-attach': oldPodsFirst,
};

function ordinaryFolder(input: RuleInput, { volume }: MountFact): Correction[] {
  const place = input.place(null);
  const index = place?.spec.volumes?.findIndex(({ name, emptyDir }) => name === volume && emptyDir?.medium?.startsWith('HugePages')) ?? -1;
  if (!place || index < 0) return [];
  return [
    {
      title: 'Use an ordinary empty volume',
      changes: [change(place, fieldPath(place.specPath, 'volumes', index, 'emptyDir', 'medium'), null, 'no container asks for huge pages')],
      confidence: 'likely',
      explanation: 'What is written there lies on the disk of the node.',
      mirrorable: true,
    },
  ];
}

/** A volume with a file system belongs in `volumeMounts`, a block device in `volumeDevices`. */
function otherMode(input: RuleInput, { volume: named, evidence, subject }: MountFact): Correction[] {
  const place = input.place(null);
  const volume = /volume (\S{1,253}) has volumeMode/.exec(evidence.text)?.[1] ?? named;
  const [from, to] = subject === 'Filesystem' ? (['volumeDevices', 'volumeMounts'] as const) : (['volumeMounts', 'volumeDevices'] as const);
  const changes = (place?.spec.containers ?? []).flatMap((container, at) => {
    const own = (container[from] ?? []) as { name: string }[];
    if (!place || !own.some(({ name }) => name === volume)) return [];
    const kept = own.filter(({ name }) => name !== volume);
    const path = fieldPath(place.specPath, 'containers', at);
    const entry = to === 'volumeMounts' ? { name: volume, mountPath: `/${volume}` } : { name: volume, devicePath: `/dev/${volume}` };
    const why = `the claim has the mode ${code(subject ?? '')}`;
    return [
      change(place, fieldPath(path, from), kept.length > 0 ? kept : null, why),
      appended(place, fieldPath(path, to), container[to], entry, why),
    ];
  });
  if (changes.length === 0) return [];
  return [
    {
      title: to === 'volumeMounts' ? `Mount ${code(volume ?? '')} as a folder` : `Give ${code(volume ?? '')} as a device`,
      changes,
      confidence: 'guess',
      explanation: 'The program must find it at the path. Only its author knows which one is right.',
      mirrorable: true,
    },
  ];
}

/** Node folders that people commonly mount. */
const OF_NODES = [
  '/var/log',
  '/var/log/pods',
  '/var/log/containers',
  '/var/log/journal',
  '/var/lib/docker',
  '/var/lib/docker/containers',
  '/var/lib/containerd',
  '/var/lib/kubelet',
  '/var/lib/kubelet/pods',
  '/run/containerd',
  '/run/systemd',
  '/run/udev',
  '/etc/kubernetes',
  '/etc/cni/net.d',
  '/etc/ssl/certs',
  '/opt/cni/bin',
  '/lib/modules',
  '/sys/fs/cgroup',
  '/sys/fs/bpf',
  '/usr/share/zoneinfo',
  '/usr/share/ca-certificates',
];

/** Whether a folder's name shows that it belongs to the workload. Then it starts out empty anyway. */
function isOwnFolder({ subject }: RuleInput, path: string): boolean {
  const segments = path.split('/');
  const names = [subject.workload?.name, subject.container, subject.namespace].filter((name) => typeof name === 'string');
  return names.some((name) => segments.includes(name));
}

/** What every node has that is no folder, with its type (Kubernetes, "Volumes": hostPath volume types). */
const NO_FOLDERS: Record<string, string> = {
  '/etc/machine-id': 'File',
  '/etc/localtime': 'File',
  '/etc/timezone': 'File',
  '/etc/hosts': 'File',
  '/etc/hostname': 'File',
  '/etc/resolv.conf': 'File',
  '/etc/os-release': 'File',
  '/var/run/docker.sock': 'Socket',
  '/run/containerd/containerd.sock': 'Socket',
  '/dev/kmsg': 'CharDevice',
  '/dev/kvm': 'CharDevice',
  '/dev/net/tun': 'CharDevice',
  '/dev/fuse': 'CharDevice',
};

/** Something that every node has, where the volume wants a folder. */
function asItIs(place: ContainerPlace, base: string, path: string, type: string): Correction {
  return {
    title: `Mount it as the type ${code(type)}`,
    changes: [change(place, fieldPath(base, 'hostPath', 'type'), type, `${code(path)} is no folder on nodes`)],
    confidence: 'likely',
    explanation: 'The type `Directory` wants a folder there.',
    mirrorable: false,
  };
}

/** A folder that every node has, where the volume wants a file. */
function asFolder(place: ContainerPlace, base: string, path: string): Correction {
  return {
    title: 'Mount it as a folder',
    changes: [change(place, fieldPath(base, 'hostPath', 'type'), 'Directory', `${code(path)} is a folder on nodes`)],
    confidence: 'likely',
    explanation: 'The type `File` wants a file there.',
    mirrorable: false,
  };
}

/** Corrects the type of a volume for a path that every node has. */
function ofNode(
  place: ContainerPlace,
  base: string,
  { path, isFile, isFolder }: { path: string; isFile: boolean; isFolder: boolean },
): Correction[] {
  const type = isFolder ? NO_FOLDERS[path] : undefined;
  if (type !== undefined) return [asItIs(place, base, path, type)];
  return isFile && OF_NODES.includes(path) ? [asFolder(place, base, path)] : [];
}

function hostPath(input: RuleInput, fact: MountFact): Correction[] {
  const place = input.place();
  const index =
    place?.spec.volumes?.findIndex(
      (volume) => volume.hostPath?.path === fact.subject && (fact.volume === null || volume.name === fact.volume),
    ) ?? -1;
  if (!place || index < 0) return [];
  const base = fieldPath(place.specPath, 'volumes', index);
  const wanted = (fact.subject ?? '').replace(/\/$/, '');
  const known = ofNode(place, base, { path: wanted, isFile: fact.wanted === 'file', isFolder: fact.wanted === 'directory' });
  if (known.length > 0) return known;
  const to = fact.wanted === 'directory' ? 'DirectoryOrCreate' : fact.wanted === 'file' ? 'FileOrCreate' : undefined;
  const meant = fact.wanted === 'directory' ? nearest(wanted, OF_NODES).slice(0, 1) : [];
  const near = meant.map((path): Correction => ({
    title: `Mount ${code(path)}`,
    changes: [change(place, fieldPath(base, 'hostPath', 'path'), path, `${code(fact.subject ?? '')} looks like a typo of it`)],
    confidence: 'likely',
    explanation: `Nodes usually have ${code(path)}.`,
    mirrorable: false,
  }));
  const created: Correction[] = to
    ? [
        {
          title: 'Let kubelet create it',
          changes: [change(place, fieldPath(base, 'hostPath', 'type'), to, `${code(fact.subject ?? '')} does not exist on the node`)],
          // The author expected the folder to exist and may have misspelled it. An empty folder has nothing for the program to read.
          confidence: isOwnFolder(input, fact.subject ?? '') ? 'likely' : 'guess',
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
  return [...near, ...created, ...(fact.wanted === 'directory' ? [instead] : [])];
}
