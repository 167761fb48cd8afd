import type { Message, Quote } from './message.ts';

/** A pod that kubelet evicted. `limit` null: the node ran out; else the pod's own limit that it passed. */
export interface EvictedFact {
  kind: 'evicted';
  resource: 'memory' | 'ephemeral-storage' | 'pids' | 'inodes' | 'other';
  /** What it passed: the pod, a container or an emptyDir volume (by name), or the node. */
  scope: 'node' | 'pod' | 'container' | 'volume' | 'taint' | 'api';
  name: string | null;
  limit: string | null;
  usage: string | null;
  evidence: Quote;
}
/** A pod that the node refused: kubelet's word, and the numbers where it gives them (cpu in thousandths). */
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
/** A kill for memory, by kubelet's word or the kernel's. */
export interface OutOfMemoryFact {
  kind: 'oom';
  evidence: Quote;
}
export type NodeFact = EvictedFact | RejectedFact | PreemptedFact | DeadlineFact | NodeLostFact | OutOfMemoryFact;

/** Facts of one message about the node's doing: evictions, refusals, preemption, deadlines, kills for memory. */
export function readNode(message: Message): NodeFact[] {
  const { text, reason } = message;
  const evidence = { from: message.from, text: text || reason };
  if (
    reason === 'OOMKilled' ||
    reason === 'OOMKilling' ||
    reason === 'SystemOOM' ||
    /\bOOMKilled\b|Memory cgroup out of memory|oom-kill/i.test(text)
  )
    return [{ kind: 'oom', evidence }];
  if (reason === 'Preempted' || reason === 'Preempting' || /^Preempted (?:by|in order)|preempt(?:ed|ing) to accommodate/i.test(text))
    return [{ kind: 'preempted', evidence }];
  if (/active on the node longer than the specified deadline|Job was active longer than specified deadline/.test(text))
    return [{ kind: 'deadline', evidence }];
  if (reason === 'NodeLost' || /Node (?:\S{1,253} )?which was running pod .{1,300} unresponsive|node is no longer|NodeNotReady/i.test(text))
    return [{ kind: 'node-lost', evidence }];
  return evicted(reason, text, evidence) ?? rejected(reason, text, evidence) ?? [];
}

function evicted(reason: string, text: string, evidence: Quote): EvictedFact[] | undefined {
  const low = /low on resource: ([a-zA-Z.:-]{1,60})/.exec(text);
  if (low || /node had condition: \[([A-Za-z]{1,40})/i.test(text)) {
    const resource = resourceOf(low?.[1] ?? text);
    const using = /Container (\S{1,253}) was using (\S{1,40}), (?:which exceeds its )?request (?:is|of) (\S{1,40}?)[,.]?(?:\s|$)/.exec(
      text,
    );
    return [{ kind: 'evicted', resource, scope: 'node', name: using?.[1] ?? null, limit: null, usage: using?.[2] ?? null, evidence }];
  }
  const volume = /Usage of EmptyDir volume "([^"]{1,253})" exceeds the limit "([^"]{1,40})"/.exec(text);
  if (volume)
    return [
      {
        kind: 'evicted',
        resource: 'ephemeral-storage',
        scope: 'volume',
        name: volume[1] as string,
        limit: volume[2] as string,
        usage: null,
        evidence,
      },
    ];
  const container = /Container (\S{1,253}) exceeded its local ephemeral storage limit "([^"]{1,40})"/.exec(text);
  if (container)
    return [
      {
        kind: 'evicted',
        resource: 'ephemeral-storage',
        scope: 'container',
        name: container[1] as string,
        limit: container[2] as string,
        usage: null,
        evidence,
      },
    ];
  const pod = /Pod ephemeral local storage usage exceeds the total limit of containers (\S{1,40}?)\.?(?:\s|$)/.exec(text);
  if (pod)
    return [{ kind: 'evicted', resource: 'ephemeral-storage', scope: 'pod', name: null, limit: pod[1] as string, usage: null, evidence }];
  if (reason !== 'Evicted' && reason !== 'TaintManagerEviction' && reason !== 'EvictionByEvictionAPI') return undefined;
  return text
    ? [
        {
          kind: 'evicted',
          resource: resourceOf(text),
          scope: /taint/i.test(text) ? 'taint' : 'api',
          name: null,
          limit: null,
          usage: null,
          evidence,
        },
      ]
    : undefined;
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
