import type { Message, Quote } from './message.ts';

export const SCHEDULING_CAUSES = [
  'resource',
  'too-many-pods',
  'node-selection',
  'taint',
  'claim-missing',
  'claim-unbound',
  'claim-deleted',
  'claim-ephemeral',
  'claim-other',
  'host-port',
  'anti-affinity',
  'pod-affinity',
  'topology-spread',
  'volume-node',
  'volume-count',
  'cordoned',
  'node-name',
  'no-nodes',
  'device-claim',
  'scheduler',
  'other',
] as const;
export type SchedulingCause = (typeof SCHEDULING_CAUSES)[number];

/** One part of the scheduler's message. `nodes` is the number of nodes that it applies to, or 0 when it concerns the pod itself. */
export interface SchedulingReason {
  cause: SchedulingCause;
  nodes: number;
  /** The resource, the taint (`key=value`) or the claim. */
  subject: string | null;
  text: string;
}

/** A pod that fits no node. */
export interface UnschedulableFact {
  kind: 'unschedulable';
  total: number;
  reasons: SchedulingReason[];
  evidence: Quote;
}

/** The first match wins, and its first group is the subject. Covers kube-scheduler 1.20 to 1.36. */
const CAUSES: readonly [SchedulingCause, RegExp][] = [
  ['too-many-pods', /^too many pods|insufficient pods/i],
  ['resource', /insufficient (\S{1,253})/i],
  ['taint', /taint(?:\(s\))? \{([^}]{1,300})\}/],
  ['taint', /had (?:untolerated )?taint/],
  ['claim-missing', /persistentvolumeclaim "([^"]{1,253})" not found/i],
  [
    'claim-unbound',
    /unbound (?:immediate )?PersistentVolumeClaims|didn't find available persistent volumes|no available persistent volume|no matching volume/i,
  ],
  ['claim-deleted', /persistentvolumeclaim "([^"]{1,253})" is being deleted/],
  ['claim-ephemeral', /ephemeral volume controller to create the persistentvolumeclaim "([^"]{1,253})"/],
  ['claim-ephemeral', /PVC (?:[^\s/]{1,63}\/)?(\S{1,253}) was not created for pod/],
  ['claim-other', /persistentvolumeclaim "([^"]{1,253})"|storageclass|PersistentVolumeClaim|did not have enough free storage/i],
  ['node-selection', /node affinity\/selector|node selector|didn't match Pod's node affinity|NodeAffinity/i],
  ['volume-node', /volume node affinity conflict|PersistentVolume's node affinity|no available volume zone|volume zone/i],
  ['volume-count', /max volume count/i],
  ['host-port', /free (?:host )?ports/],
  ['anti-affinity', /anti-affinity/],
  ['pod-affinity', /pod affinity/],
  ['topology-spread', /topology spread/],
  ['cordoned', /were unschedulable|unschedulable/],
  ['node-selection', /plugin\(s\) \[NodeAffinity\]/],
  ['node-name', /didn't match the requested node name|requested hostname/],
  [
    'device-claim',
    /device class (\S{1,253}) does not exist|resourceclaim "?([a-z0-9][\w.-]{0,252})|resourceclaim|DRA|allocate all claims/i,
  ],
  // Podmend's own messages. The scheduler writes none about a pod whose claims are not made yet, and one that does not run writes none at all.
  ['device-claim', /waits for its resource claims "([^"]{1,253})"/],
  ['scheduler', /no scheduler named (\S{1,253}) has looked/],
];

/** Facts of one message of the scheduler. */
export function readScheduling({ text, from, reason }: Message): UnschedulableFact[] {
  const evidence = { from, text };
  if (/no nodes available to schedule pods/.test(text))
    return [{ kind: 'unschedulable', total: 0, reasons: [reasonOf('no nodes available', 'no-nodes')], evidence }];
  const head = /(\d{1,6})\/(\d{1,6}) nodes are available:? ?/.exec(text);
  if (!head) {
    const isScheduler = reason === 'FailedScheduling' || reason === 'Unschedulable';
    const part = isScheduler && text ? reasonIn(text) : undefined;
    return part && part.cause !== 'other' ? [{ kind: 'unschedulable', total: 0, reasons: [part], evidence }] : [];
  }
  const reasons = parts(text.slice(head.index + head[0].length)).map(reasonIn);
  return [{ kind: 'unschedulable', total: Number(head[2]), reasons, evidence }];
}

/** The parts between commas and full stops, without those about preemption. A taint's braces may contain commas. */
function parts(text: string): string[] {
  const cause = (text.split(/\.? ?(?:no new claims to deallocate, |still not schedulable, )?preemption: /, 1)[0] ?? '').slice(0, 2000);
  return cause
    .split(/, (?=\d{1,6} )|\. (?=\d{1,6} )/)
    .map((part) => part.replace(/\.(?: not found)?\s*$/, '').trim())
    .filter((part) => part !== '');
}

function reasonIn(part: string): SchedulingReason {
  const counted = /^(\d{1,6}) /.exec(part);
  const text = counted ? part.slice(counted[0].length) : part;
  for (const [cause, words] of CAUSES) {
    const found = words.exec(text);
    if (found)
      return reasonOf(
        part,
        cause,
        Number(counted?.[1] ?? 0),
        found
          .slice(1)
          .find((group) => group !== undefined)
          ?.replace(/[.,]$/, '') ?? null,
      );
  }
  return reasonOf(part, 'other', Number(counted?.[1] ?? 0));
}

function reasonOf(text: string, cause: SchedulingCause, nodes = 0, subject: string | null = null): SchedulingReason {
  return { cause, nodes, subject: cause === 'taint' && subject ? taintName(subject) : subject, text };
}

/** Rewrites `{key: value}` and `{key=value:effect}` as `key=value`; a taint without a value becomes its key. */
function taintName(braces: string): string {
  const [key = '', value = ''] = braces.split(/[:=] ?/, 2).map((side) => side.trim());
  return value ? `${key}=${value}` : key;
}
