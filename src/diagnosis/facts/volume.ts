import type { Message, Quote } from './message.ts';

export type MountCause =
  | 'host-path'
  | 'csi-driver'
  | 'multi-attach'
  | 'timeout'
  | 'permission'
  | 'file-system'
  | 'nfs'
  | 'huge-pages'
  | 'volume-mode'
  | 'no-path'
  | 'claim'
  | 'attach'
  | 'other';

/** A volume that could not be mounted or attached. `subject` is a path or driver. Missing ConfigMaps and Secrets are `missing` facts. */
export interface MountFact {
  kind: 'mount';
  volume: string | null;
  cause: MountCause;
  subject: string | null;
  /** The required type of a host path, such as `directory`; null for other causes. */
  wanted: string | null;
  evidence: Quote;
}
/** A pod whose sandbox (network, runtime) could not be created. */
export interface SandboxFact {
  kind: 'sandbox';
  cause:
    | 'memory'
    | 'runtime'
    | 'sysctl'
    | 'network-definition'
    | 'host-name'
    | 'user-namespace'
    | 'network'
    | 'addresses'
    | 'image'
    | 'name'
    | 'resources'
    | 'other';
  subject: string | null;
  evidence: Quote;
}

const MOUNT_CAUSES: readonly [MountCause, RegExp][] = [
  ['host-path', /hostPath type check failed: (\S{1,500}) is not an? (.{1,40})$/m],
  ['huge-pages', /(?:medium HugePages|hugePages storage requested).{0,200}/i],
  ['volume-mode', /volume \S{1,253} has volumeMode (Filesystem|Block), but is specified in (volumeDevices|volumeMounts)/],
  ['no-path', /path "([^"]{1,500})" does not exist/],
  ['claim', /error processing PVC [\w.-]{1,253}\/([\w.-]{1,253}): PVC is (?:being deleted|not bound)/],
  ['csi-driver', /driver name (\S{1,253}) not found in the list of registered CSI drivers/],
  ['csi-driver', /attachable CSI volume plugin|no volume plugin matched|CSINode \S{1,253} does not contain driver (\S{1,253})/],
  ['multi-attach', /Multi-Attach error|already (?:exclusively )?attached to (?:one|another) node|volume is already used by pod/i],
  ['nfs', /Mounting arguments: .{0,500}?-t nfs4? (?:-o \S{1,300} )?(\S{1,253}:\/\S{0,500})/],
  ['nfs', /mount\.nfs|bad option; for several filesystems|access denied by server while mounting (\S{1,500})/],
  ['permission', /permission denied|operation not permitted/i],
  ['file-system', /wrong fs type|unknown filesystem type|fsck|can't read superblock|mount failed: exit status/i],
  [
    'timeout',
    /timed out waiting for the condition|Unable to attach or mount volumes|context deadline exceeded|unmounted volumes=\[([^\]]{1,300})\]/,
  ],
];

const SANDBOX_CAUSES: readonly [SandboxFact['cause'], RegExp][] = [
  ['memory', /container init was OOM-killed|memory limit (?:\d{1,18} )?too low|minimum memory limit|cannot set memory limit/i],
  [
    'runtime',
    /no runtime for "([^"]{1,100})" is configured|RuntimeHandler "([^"]{1,100})" not supported|failed to find runtime handler (\S{1,100})|unknown runtime handler "?([^"\s]{1,100})"?|runtime class .{0,20}"([^"]{1,253})" not found|RuntimeClass "([^"]{1,253})" not found|runtimeclass\S{0,20} "([^"]{1,253})" not found/i,
  ],
  ['sysctl', /sysctl key ([\w./-]{3,120})|open \/proc\/sys\/([\w./-]{3,120}): (?:no such file|permission denied|read-only)/],
  [
    'network-definition',
    /network-attachment-definitions?\S{0,40} "([^"]{1,253})" not found|network-attachment-definition \(([^)]{1,253})\)/,
  ],
  ['host-name', /FQDN (\S{1,300}) is too long|failed to construct FQDN|sethostname/],
  ['user-namespace', /user namespaces?|userns|id-?mapped|uid_map|RuntimeHandler.{0,100}does not support/i],
  [
    'addresses',
    /no IP addresses available|failed to allocate for range|no available IP|failed to assign an IP address|out of IPs|IP pool exhausted/i,
  ],
  ['network', /cni|network plugin|networkPlugin|NetworkNotReady|failed to setup network|network: /i],
  ['name', /is reserved for/],
  ['image', /sandbox image|pause/],
  ['resources', /no space left|too many open files|resource temporarily unavailable|cannot allocate memory|cgroup/i],
];

/** Facts in a message about volumes or the pod's sandbox. */
export function readVolume({ text, from, reason }: Message): (MountFact | SandboxFact)[] {
  const evidence = { from, text };
  if (
    reason === 'FailedCreatePodSandBox' ||
    reason === 'FailedPodSandBoxStatus' ||
    reason === 'NetworkNotReady' ||
    text.includes('create pod sandbox')
  )
    return [sandbox(text, evidence)];
  const isVolume =
    reason === 'FailedMount' ||
    reason === 'FailedAttachVolume' ||
    reason === 'FailedMapVolume' ||
    /Mount(?:Volume|Device)|AttachVolume|mount volumes/.test(text);
  return isVolume && text ? [mount(text, reason, evidence)] : [];
}

function mount(text: string, reason: string, evidence: Quote): MountFact {
  const volume = /for volume "([^"]{1,253})"|unmounted volumes=\[([^\]\s,]{1,253})/.exec(text);
  const base = { kind: 'mount' as const, volume: volume?.[1] ?? volume?.[2] ?? null, evidence };
  for (const [cause, words] of MOUNT_CAUSES) {
    const found = words.exec(text);
    if (found) return { ...base, cause, subject: found[1] ?? null, wanted: found[2] ?? null };
  }
  return { ...base, cause: reason === 'FailedAttachVolume' ? 'attach' : 'other', subject: null, wanted: null };
}

function sandbox(text: string, evidence: Quote): SandboxFact {
  for (const [cause, words] of SANDBOX_CAUSES) {
    const found = words.exec(text);
    if (found) return { kind: 'sandbox', cause, subject: found.slice(1).find((group) => group !== undefined) ?? null, evidence };
  }
  return { kind: 'sandbox', cause: 'other', subject: null, evidence };
}
