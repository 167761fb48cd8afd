import type { Message, Quote } from './message.ts';

/** A pod that kubelet evicted. `limit` is the pod's own limit that was exceeded; null when the node ran out of the resource. */
export interface EvictedFact {
  kind: 'evicted';
  resource: 'memory' | 'ephemeral-storage' | 'pids' | 'inodes' | 'other';
  /** Whose limit was exceeded: the pod's, a container's or an emptyDir volume's (with its name), or the node's. */
  scope: 'node' | 'pod' | 'container' | 'volume' | 'taint' | 'api';
  name: string | null;
  limit: string | null;
  usage: string | null;
  evidence: Quote;
}
/** A pod that kubelet refused: kubelet's reason, and the amounts if it names them (CPU in millicores). */
export interface RejectedFact {
  kind: 'rejected';
  word: string;
  resource: string | null;
  requested: number | null;
  used: number | null;
  capacity: number | null;
  evidence: Quote;
}
export interface PreemptedFact {
  kind: 'preempted';
  evidence: Quote;
}
export interface DeadlineFact {
  kind: 'deadline';
  evidence: Quote;
}
export interface NodeLostFact {
  kind: 'node-lost';
  evidence: Quote;
}
/** A kill for lack of memory, reported by kubelet or the kernel. */
export interface OutOfMemoryFact {
  kind: 'oom';
  /** The container that was killed; null if the message does not say. */
  container: string | null;
  evidence: Quote;
}
export type NodeFact = EvictedFact | RejectedFact | PreemptedFact | DeadlineFact | NodeLostFact | OutOfMemoryFact;

/** Facts in a message about actions of the node: evictions, refusals, preemption, deadlines, kills for memory. */
export function readNode(message: Message): NodeFact[] {
  const { text, reason } = message;
  const evidence = { from: message.from, text: text || reason };
  if (
    reason === 'OOMKilled' ||
    reason === 'OOMKilling' ||
    reason === 'SystemOOM' ||
    /\bOOMKilled\b|Memory cgroup out of memory|oom-kill/i.test(text)
  )
    return [{ kind: 'oom', container: message.container, evidence }];
  if (reason === 'Preempted' || reason === 'Preempting' || /^Preempted (?:by|in order)|preempt(?:ed|ing) to accommodate/i.test(text))
    return [{ kind: 'preempted', evidence }];
  if (/active on the node longer than the specified deadline|Job was active longer than specified deadline/.test(text))
    return [{ kind: 'deadline', evidence }];
  if (reason === 'NodeLost' || /Node (?:\S{1,253} )?which was running pod .{1,300} unresponsive|node is no longer|NodeNotReady/i.test(text))
    return [{ kind: 'node-lost', evidence }];
  return evicted(reason, text, evidence) ?? rejected(reason, text, evidence) ?? [];
}

function evicted(reason: string, text: string, evidence: Quote): EvictedFact[] | undefined {
  const fact = evictedByNode(text) ?? evictedAtLimit(text) ?? evictedOnRequest(reason, text);
  return fact && [{ kind: 'evicted', name: null, limit: null, usage: null, ...fact, evidence }];
}

/** The parts of an eviction message; absent fields become null in the fact. */
type Eviction = Pick<EvictedFact, 'resource' | 'scope'> & Partial<EvictedFact>;

function evictedByNode(text: string): Eviction | undefined {
  const low = /low on resource: ([a-zA-Z.:-]{1,60})/.exec(text);
  if (!low && !/node had condition: \[([A-Za-z]{1,40})/i.test(text)) return undefined;
  const using = /Container (\S{1,253}) was using (\S{1,40}), (?:which exceeds its )?request (?:is|of) (\S{1,40}?)[,.]?(?:\s|$)/.exec(text);
  return { resource: resourceOf(low?.[1] ?? text), scope: 'node', name: using?.[1] ?? null, usage: using?.[2] ?? null };
}

/** Limits for local storage. The groups are the volume or container and the limit. */
const STORAGE_LIMITS: readonly [EvictedFact['scope'], RegExp][] = [
  ['volume', /Usage of EmptyDir volume "(?<name>[^"]{1,253})" exceeds the limit "(?<limit>[^"]{1,40})"/],
  ['container', /Container (?<name>\S{1,253}) exceeded its local ephemeral storage limit "(?<limit>[^"]{1,40})"/],
  ['pod', /Pod ephemeral local storage usage exceeds the total limit of containers (?<limit>\S{1,40}?)\.?(?:\s|$)/],
];

function evictedAtLimit(text: string): Eviction | undefined {
  for (const [scope, pattern] of STORAGE_LIMITS) {
    const found = pattern.exec(text)?.groups;
    if (found) return { resource: 'ephemeral-storage', scope, name: found['name'] ?? null, limit: found['limit'] ?? null };
  }
  return undefined;
}

function evictedOnRequest(reason: string, text: string): Eviction | undefined {
  if (!text || !['Evicted', 'TaintManagerEviction', 'EvictionByEvictionAPI'].includes(reason)) return undefined;
  return { resource: resourceOf(text), scope: /taint/i.test(text) ? 'taint' : 'api' };
}

function resourceOf(text: string): EvictedFact['resource'] {
  if (/memory/i.test(text)) return 'memory';
  if (/inode/i.test(text)) return 'inodes';
  if (/ephemeral|disk|nodefs|imagefs/i.test(text)) return 'ephemeral-storage';
  return /pid/i.test(text) ? 'pids' : 'other';
}

const REFUSALS =
  /^(?:OutOf\S{1,60}|NodeAffinity|NodePorts|NodeName|NodeUnschedulable|TaintToleration|UnexpectedAdmissionError|AdmissionError|UnexpectedPredicateFailureType|TopologyAffinityError|AppArmor|Sysctl(?:Forbidden)?|PodOSNotSupported|PodOSSelectorNodeLabelDoesNotMatch|NodeShutdown|Terminated|InvalidNodeInfo|SupplementalGroupsPolicyNotSupported|HostPortConflict|PodLevelResources\S{0,60})$/;

function rejected(reason: string, text: string, evidence: Quote): RejectedFact[] | undefined {
  const numbers = /enough resource: (\S{1,253}), requested: (\d{1,18}), used: (\d{1,18}), capacity: (\d{1,18})/.exec(text);
  if (!numbers && !REFUSALS.test(reason) && !text.startsWith('Pod was rejected')) return undefined;
  const [, resource = null, requested, used, capacity] = numbers ?? [];
  const count = (digits: string | undefined) => (digits === undefined ? null : Number(digits));
  return [
    { kind: 'rejected', word: reason, resource, requested: count(requested), used: count(used), capacity: count(capacity), evidence },
  ];
}
