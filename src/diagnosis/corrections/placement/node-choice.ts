import { asGuess } from '../combine.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { NodeSelectorRequirement } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { isRequirementMet, type NodeAround } from './node-fit.ts';
import { nearest, nearestName } from '../similar-names.ts';

type Labels = Record<string, string>;
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const ONLY_IF_UNNEEDED = 'The pod may then run on any node. Do this only when it needs nothing that the label stands for.';

/** The node labels that the pod requires, as one text, and the corrections: a label that nodes have, or else no requirement. */
export function choiceOfNodes(input: RuleInput): { wanted: string; corrections: Correction[] } {
  const place = input.place(null);
  if (!place) return { wanted: '', corrections: [] };
  const nodes = input.subject.surroundings?.nodes ?? [];
  const labels = nodes.map((node) => node.labels);
  const selector = Object.entries(place.spec.nodeSelector ?? {});
  const unmet = selector.filter(([key, value]) => labels.length === 0 || !labels.some((own) => own[key] === value));
  const expressions = unmetIn(place, nodes);
  const wanted = [...unmet.map(([key, value]) => `${key}=${value}`), ...expressions.map(textOf)];
  // With several selectors and unknown nodes, only the combination is certain to be the cause.
  const isJointly = labels.length === 0 && selector.length > 1;
  const bySelector = isJointly ? [withoutSelector(place)] : unmet.flatMap(([key, value]) => selectorCorrections(place, labels, key, value));
  return { wanted: wanted.join(', ').slice(0, 200), corrections: [...bySelector, ...affinityCorrections(place, nodes)] };
}

function termsOf(place: ContainerPlace) {
  return place.spec.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
}

function textOf({ key, operator, values }: NodeSelectorRequirement): string {
  return `${key} ${operator}${values?.length ? ` ${values.join(',')}` : ''}`;
}

function selectorCorrections(place: ContainerPlace, labels: Labels[], key: string, value: string): Correction[] {
  const others = [...otherValue(place, labels, key, value), ...otherKey(place, labels, key, value)];
  return [
    ...others,
    {
      title: `Remove ${code(`${key}=${value}`)} from the node selector`,
      changes: [change(place, fieldPath(place.specPath, 'nodeSelector', key), null, 'no node has this label')],
      confidence: others.length > 0 ? 'guess' : 'likely',
      explanation: ONLY_IF_UNNEEDED,
      mirrorable: true,
    },
  ];
}

/** What people call processors and systems that the labels of nodes call otherwise (Kubernetes, "Well-Known Labels"). */
const NODE_WORDS: readonly (readonly string[])[] = [
  ['amd64', 'x86_64', 'x86-64', 'x64', 'intel'],
  ['arm64', 'aarch64', 'armv8', 'arm64v8', 'graviton'],
];

/** The values of a label that may be meant: a slip of it, other words for it, or its name with more before or after it. */
function nearValues(value: string, there: readonly string[]): string[] {
  const [name, ...others] = NODE_WORDS.find((words) => words.includes(value.toLowerCase())) ?? [];
  if (name !== undefined && name !== value && others.length > 0 && there.includes(name)) return [name];
  const near = nearest(value, there);
  return near.length > 0 ? near : nearestName(value, there);
}

/** A similar value that nodes have under the same key. */
function otherValue(place: ContainerPlace, labels: Labels[], key: string, value: string): Correction[] {
  const values = nearValues(
    value,
    labels.flatMap((own) => own[key] ?? []),
  );
  return values.slice(0, 1).map((other) => ({
    title: `Select ${code(`${key}=${other}`)}`,
    changes: [change(place, fieldPath(place.specPath, 'nodeSelector', key), other, `nodes have ${code(`${key}=${other}`)}`)],
    confidence: 'likely',
    explanation: `${code(value)} looks like a typo of ${code(other)}.`,
    mirrorable: true,
  }));
}

/** Labels of nodes that Kubernetes has under another name now ("Well-Known Labels, Annotations and Taints"). */
const RENAMED: Record<string, string> = {
  'node-role.kubernetes.io/master': 'node-role.kubernetes.io/control-plane',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
};

/** The key under which nodes have what is asked for: its name of today, or a similar one. */
function nearKeys(key: string, there: string[]): string[] {
  const now = RENAMED[key];
  return now !== undefined && there.includes(now) ? [now] : nearestName(key, there);
}

/** Why the other key is meant. */
const notThere = (key: string, other: string): string =>
  RENAMED[key] === other ? `${code(key)} is called ${code(other)} today.` : `${code(key)} looks like a typo of ${code(other)}.`;

/** A similar key under which nodes have the same value. */
function otherKey(place: ContainerPlace, labels: Labels[], key: string, value: string): Correction[] {
  const keys = nearKeys(
    key,
    labels.flatMap((own) => Object.keys(own).filter((other) => own[other] === value)),
  );
  return keys.slice(0, 1).map((other) => ({
    title: `Select ${code(`${other}=${value}`)}`,
    changes: [
      change(place, fieldPath(place.specPath, 'nodeSelector', key), null, `no node has the label ${code(key)}`),
      change(place, fieldPath(place.specPath, 'nodeSelector', other), value, `nodes have ${code(`${other}=${value}`)}`),
    ],
    confidence: 'likely',
    explanation: notThere(key, other),
    mirrorable: true,
  }));
}

function withoutSelector(place: ContainerPlace): Correction {
  return {
    title: 'Remove the node selector',
    changes: [change(place, fieldPath(place.specPath, 'nodeSelector'), null, 'no node has all of these labels')],
    confidence: 'guess',
    explanation: 'The pod may then run on any node.',
    mirrorable: true,
  };
}

/** The requirements that no node meets. All of them, if some node meets each or if no nodes are known. */
function unmetIn(place: ContainerPlace, nodes: NodeAround[]): NodeSelectorRequirement[] {
  const all = termsOf(place).flatMap((term) => [
    ...(term.matchExpressions ?? []).map((requirement) => ({ requirement, isField: false })),
    ...(term.matchFields ?? []).map((requirement) => ({ requirement, isField: true })),
  ]);
  const unmet = all.filter(({ requirement, isField }) => !nodes.some((node) => isRequirementMet(requirement, node, isField)));
  return (nodes.length > 0 && unmet.length > 0 ? unmet : all).map(({ requirement }) => requirement);
}

/** Removes the expressions that no node meets, if the affinity has one term and some node meets the others. */
function withoutUnmet(place: ContainerPlace, nodes: NodeAround[], path: string): Correction[] {
  const [term, ...more] = termsOf(place);
  const all = term?.matchExpressions ?? [];
  const kept = all.filter((one) => nodes.some((node) => isRequirementMet(one, node, false)));
  const gone = all.filter((one) => !kept.includes(one));
  const isMet = nodes.some((node) => kept.every((one) => isRequirementMet(one, node, false)));
  if (more.length > 0 || term?.matchFields?.length || kept.length === 0 || gone.length === 0 || !isMet) return [];
  const at = fieldPath(path, 'nodeSelectorTerms', 0, 'matchExpressions');
  const [only] = gone;
  const made =
    gone.length === 1 && only
      ? change(place, fieldPath(at, all.indexOf(only)), null, 'no node meets it')
      : change(place, at, kept, 'no node meets the others');
  return [
    {
      title: `Remove ${gone.map((one) => code(textOf(one))).join(' and ')} from the required node affinity`,
      changes: [made],
      confidence: 'likely',
      explanation: 'The pod may then run on any node that meets the rest. Do this only when it needs nothing that the label stands for.',
      mirrorable: true,
    },
  ];
}

function affinityCorrections(place: ContainerPlace, around: NodeAround[]): Correction[] {
  const labels = around.map((node) => node.labels);
  const terms = termsOf(place);
  if (terms.length === 0) return [];
  const path = fieldPath(place.specPath, 'affinity', 'nodeAffinity', REQUIRED);
  const names = around.map(({ name }): Labels => ({ 'metadata.name': name }));
  const typos = terms.flatMap((term, at) => [
    ...(term.matchFields ?? []).flatMap((field, index) =>
      otherRequirement(place, names, field, fieldPath(path, 'nodeSelectorTerms', at, 'matchFields', index, 'values')),
    ),
    ...(term.matchExpressions ?? []).flatMap((expression, index) =>
      otherRequirement(place, labels, expression, fieldPath(path, 'nodeSelectorTerms', at, 'matchExpressions', index, 'values')),
    ),
    ...(term.matchExpressions ?? []).flatMap((expression, index) =>
      otherExpressionKey(place, labels, expression, fieldPath(path, 'nodeSelectorTerms', at, 'matchExpressions', index, 'key')),
    ),
  ]);
  const some = withoutUnmet(place, around, path).map((one) => (typos.length > 0 ? asGuess(one) : one));
  return [
    ...typos,
    ...some,
    {
      title: 'Remove the required node affinity',
      changes: [change(place, path, null, 'no node meets it')],
      confidence: typos.length + some.length > 0 ? 'guess' : 'likely',
      explanation: ONLY_IF_UNNEEDED,
      mirrorable: true,
    },
  ];
}

/** Replaces a required key that no node has with one under which nodes have what is asked for. */
function otherExpressionKey(
  place: ContainerPlace,
  labels: Labels[],
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: string,
): Correction[] {
  const isIn = operator === 'In';
  if ((!isIn && operator !== 'Exists') || labels.some((own) => Object.hasOwn(own, key))) return [];
  const there = labels.flatMap((own) => Object.keys(own).filter((other) => !isIn || values.includes(own[other] ?? '')));
  return nearKeys(key, [...new Set(there)])
    .slice(0, 1)
    .map((other) => ({
      title: `Require the label ${code(other)}`,
      changes: [change(place, path, other, `nodes have ${code(other)}, and none has ${code(key)}`)],
      confidence: 'likely',
      explanation: notThere(key, other),
      mirrorable: true,
    }));
}

/** Replaces the required values with similar ones that nodes have. */
function otherRequirement(
  place: ContainerPlace,
  labels: Labels[],
  { key, operator, values }: NodeSelectorRequirement,
  path: string,
): Correction[] {
  const [value] = values ?? [];
  const there = [...new Set(labels.flatMap((own) => own[key] ?? []))];
  if (operator !== 'In' || value === undefined || values?.some((one) => there.includes(one))) return [];
  const others = [...new Set((values ?? []).flatMap((one) => nearValues(one, there).slice(0, 1)))];
  const [only] = others;
  if (only === undefined) return [];
  const shown = others.map((other) => code(`${key}=${other}`)).join(' or ');
  // One value is replaced where it is.
  const [to, at] = values?.length === 1 ? [only, fieldPath(path, 0)] : [others, path];
  return [
    {
      title: `Require ${shown}`,
      changes: [change(place, at, to, `nodes have ${shown}`)],
      confidence: 'likely',
      explanation: `${(values ?? []).map((one) => code(one)).join(' and ')} ${values?.length === 1 ? 'looks like a typo' : 'are values that no node has'}.`,
      mirrorable: true,
    },
  ];
}
