import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { PodSpec } from '../../../crd/kubernetes.ts';
import { requestsOf } from '../../../crd/requests.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { appended, change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { isSelected, isSystemTaint, type NodeAround, nodesWithout, type Refusal, refusalsOf } from './node-fit.ts';
import { tolerationOf } from './toleration.ts';

/** What only some nodes have, and why they refuse the pod that needs it. */
export interface OnlyNodes {
  /** Completes "cannot be scheduled: …". */
  because: string;
  culprit: string;
  corrections: Correction[];
}

/** What the pod cannot do without. */
interface Need {
  what: string;
  has(node: NodeAround): boolean;
}

/**
 * Where a device or a volume is on some nodes only, and these refuse the pod: the change with which the first of them takes it. Undefined when one of
 * them would take the pod, when none has it, and when they refuse it for want of room or because of a problem of their own.
 */
export function onlyNodes(input: RuleInput): OnlyNodes | undefined {
  const place = input.place(null);
  const nodes = nodesWithout(input);
  const need = place && needOf(input, place);
  const having = need ? nodes.filter((node) => need.has(node)) : [];
  if (!place || !need || having.length === 0 || having.length === nodes.length) return undefined;
  const refused = having.map((node) => ({ node, refusals: refusalsOf(place.spec, node) }));
  const byPod = refused.filter((one): one is Refused => one.refusals.every(isOfPod));
  const [first] = byPod.toSorted((a, b) => a.refusals.length - b.refusals.length);
  if (!first || refused.some(({ refusals }) => refusals.length === 0)) return undefined;
  const { node, refusals } = first;
  const isTolerationMeant = (key: string) => place.spec.tolerations?.some((own) => own.key === key) === true;
  const have = having.length === 1 ? `node ${code(node.name)} has` : `${having.length} nodes have`;
  const names = refusals.map((one) => (one.kind === 'taint' ? `the taint ${code(textOf(one))}` : `its node selector ${code(textOf(one))}`));
  return {
    because: `only ${have} ${need.what}, and ${having.length === 1 ? 'it refuses' : 'they refuse'} the pod because of ${names.join(', ')}`,
    culprit: refusals.map((one) => (one.kind === 'taint' ? `taint ${textOf(one)}` : textOf(one))).join(', '),
    corrections: [
      {
        title: `Let the pod run where ${need.what} is`,
        changes: refusals.map((refusal) => answerTo(place, refusal, node)),
        confidence: refusals.every(({ kind, key }) => kind === 'label' || isTolerationMeant(key)) ? 'likely' : 'guess',
        explanation: `The pod needs ${need.what}, which no other node has.`,
        // A mirror may not tolerate more than its source.
        mirrorable: refusals.every(({ kind }) => kind !== 'taint'),
      },
    ],
  };
}

/** The device that the pod asks for, or else the place of its volume, or the labels of its selector. */
function needOf({ subject }: RuleInput, { spec }: ContainerPlace): Need | undefined {
  const [device] = [...requestsOf(spec).keys()].filter((resource) => resource.includes('/'));
  if (device !== undefined) return { what: code(device), has: ({ allocatable }) => Number(allocatable[device] ?? 0) > 0 };
  const claims = new Set((spec.volumes ?? []).map(({ persistentVolumeClaim: claim }) => claim?.claimName));
  const found = (subject.surroundings?.claims ?? []).find(({ name, nodes }) => claims.has(name) && nodes !== undefined);
  if (!found?.nodes) return ofSelector(spec);
  const labels = found.nodes.split(', ').map((label) => {
    const [key = '', values = ''] = label.split('=', 2);
    return [key, values.split('|')] as const;
  });
  return {
    what: `the volume of the claim ${code(found.name)}`,
    has: (node) => labels.every(([key, values]) => values.includes(node.labels[key] ?? '')),
  };
}

/** The nodes that the pod asks for by their labels. */
function ofSelector(spec: PodSpec): Need | undefined {
  const labels = Object.entries(spec.nodeSelector ?? {}).map((pair) => pair.join('='));
  return labels.length > 0 ? { what: `the label ${code(labels.join(', '))}`, has: (node) => isSelected(spec, node) } : undefined;
}

type OfPod = Extract<Refusal, { kind: 'label' | 'taint' }>;
type Refused = { node: NodeAround; refusals: OfPod[] };

/** Whether the pod's own labels and tolerations decide. */
function isOfPod(refusal: Refusal): refusal is OfPod {
  return refusal.kind === 'label' || (refusal.kind === 'taint' && !isSystemTaint(refusal.key));
}

const textOf = ({ key, value }: OfPod): string => (value ? `${key}=${value}` : key);

/** The change with which the node takes the pod in spite of this refusal. */
function answerTo(place: ContainerPlace, refusal: OfPod, node: NodeAround): Change {
  const { key, value } = refusal;
  if (refusal.kind === 'label') {
    const own = node.labels[key];
    const why = `node ${code(node.name)} has ${own === undefined ? 'no such label' : code(`${key}=${own}`)}`;
    return change(place, fieldPath(place.specPath, 'nodeSelector', key), own ?? null, why);
  }
  const why = `node ${code(node.name)} has the taint ${code(textOf(refusal))}`;
  const path = fieldPath(place.specPath, 'tolerations');
  const index = place.spec.tolerations?.findIndex((one) => one.key === key) ?? -1;
  const own = place.spec.tolerations?.[index];
  if (own && value && own.operator !== 'Exists' && own.value !== value) return change(place, fieldPath(path, index, 'value'), value, why);
  const wanted = tolerationOf(key, value, node.taints.find((taint) => taint.key === key)?.effect);
  return own ? change(place, fieldPath(path, index), wanted, why) : appended(place, path, place.spec.tolerations, wanted, why);
}
