import type { PodTemplate } from '../crd/kubernetes.ts';
import { hostPortsOf } from './baseline.ts';
import { selectsEveryPod } from './network.ts';
import { isJobLike, type Neighbours, type Source } from './source.ts';
import { allContainers, listOf } from './strip.ts';

/** What a mirror of this template may do or cannot show: one sentence each, for people who decide whether to run it. */
export function risksOf(source: Source, template: PodTemplate, neighbours: Pick<Neighbours, 'policies' | 'unsharedClaims'>): string[] {
  const { spec } = template;
  const ports = hostPortsOf(source.template);
  const claims = listOf(spec.volumes).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
  const open = neighbours.policies.filter(selectsEveryPod).map((policy) => policy.metadata.name ?? '');
  const inits = listOf(spec.initContainers).filter((container) => container.restartPolicy !== 'Always');
  return [
    ...sentence(isJobLike(source, template), 'It runs the job once more: what that sends, changes or bills happens again.'),
    ...sentence(inits.length > 0, `Its init containers run again: ${names(inits.map(({ name }) => name))}.`),
    ...sentence(ports.length > 0, `Host ports are left out (${ports.join(', ')}): a clash of ports on the node is not tried.`),
    ...sentence(
      Boolean(spec.hostNetwork),
      "It shares the node's network: no NetworkPolicy holds it, and its ports may clash with the source's.",
    ),
    ...sentence(
      listOf(source.template.spec.readinessGates).length > 0,
      'Readiness gates are left out: nobody would open them for a mirror.',
    ),
    ...sentence(
      hasRulesAboutPods(template),
      "Rules about other pods (affinity, topology spread) count the source's pods, but not the labels that a mirror does not have.",
    ),
    ...sentence(readsOwnLabels(template), 'It reads its own labels, and a mirror does not have those of its source.'),
    ...sentence(
      source.owner?.kind === 'DaemonSet',
      'It runs on one node of the scheduler\u2019s choice, not on the node of the failing pod.',
    ),
    ...claims.map((claim) =>
      neighbours.unsharedClaims.includes(claim)
        ? `The claim ${claim} cannot be shared: an empty volume takes its place, and the verdict is Inconclusive.`
        : `It uses the same data as its source: claim ${claim}.`,
    ),
    ...sentence(
      open.length > 0,
      `NetworkPolicies that select every pod hold for it too, and may open what its own closes: ${names(open)}.`,
    ),
  ];
}

const sentence = (holds: boolean, text: string): string[] => (holds ? [text] : []);

const names = (list: string[]): string => list.join(', ');

function hasRulesAboutPods({ spec }: PodTemplate): boolean {
  return Boolean(spec.affinity?.podAffinity || spec.affinity?.podAntiAffinity || listOf(spec.topologySpreadConstraints).length > 0);
}

function readsOwnLabels({ spec }: PodTemplate): boolean {
  const variables = allContainers(spec).flatMap((container) => listOf(container.env));
  return variables.some((variable) => variable.valueFrom?.fieldRef?.fieldPath.startsWith('metadata.labels'));
}
