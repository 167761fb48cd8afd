import type { PodSpec, PodTemplate, Volume } from '../../crd/kubernetes.ts';
import { hostPortsOf } from '../../checks/baseline.ts';
import { selectsEveryPod } from './network.ts';
import { heldSecrets } from '../../checks/power/volumes.ts';
import { shortages } from '../../crd/quota.ts';
import { isJobLike, type Neighbours, type Source } from './source.ts';
import { allContainers, listOf } from '../../crd/pod-template.ts';
import { unshareable } from './volumes.ts';

/** The risks and the limits of a mirror of this template, one sentence each, for the person who decides whether to run it. */
export function risksOf(
  source: Source,
  template: PodTemplate,
  neighbours: Pick<Neighbours, 'policies' | 'unsharedClaims' | 'quotas' | 'openBudgets'>,
): string[] {
  const { spec } = template;
  const ports = hostPortsOf(source.template);
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
    ...volumeRisks(spec, neighbours.unsharedClaims),
    ...outsideRisks(spec),
    ...sentence(
      listOf(spec['schedulingGates'] as object[] | undefined).length > 0,
      'Scheduling gates hold it as they hold the source: nobody would open them for a mirror.',
    ),
    ...neighbours.quotas.flatMap((quota) => {
      const short = shortages(spec, quota);
      return sentence(
        short.length > 0,
        `The quota ${quota.metadata.name} has no room for a second copy (${short.join('; ')}): the mirror waits until there is, or its time is over.`,
      );
    }),
    ...sentence(
      open.length > 0,
      `NetworkPolicies that select every pod hold for it too, and may open what its own closes: ${names(open)}.`,
    ),
    ...sentence(
      neighbours.openBudgets.length > 0,
      `PodDisruptionBudgets that select every pod count it too, so while it lives they may allow or refuse other evictions: ${names(neighbours.openBudgets)}.`,
    ),
  ];
}

/** The name of a volume for use in a sentence. */
function nameOf(volume: Volume): string {
  const { persistentVolumeClaim: claim, hostPath, name } = volume;
  if (claim) return `claim ${claim.claimName}`;
  return hostPath ? `${hostPath.path} of the node` : `volume ${name}`;
}

const NETWORK_VOLUMES = ['nfs', 'cephfs', 'glusterfs', 'azureFile', 'quobyte', 'flocker', 'flexVolume'];

function volumeRisks(spec: PodSpec, unsharedClaims: readonly string[]): string[] {
  const unshared = unshareable(spec, unsharedClaims);
  return listOf(spec.volumes).flatMap((volume) => {
    const name = nameOf(volume);
    if (unshared.has(volume.name))
      return [`The ${name} cannot be shared: an empty volume takes its place, and the verdict is Inconclusive.`];
    if (volume.hostPath) return [`It reads ${name} on which it runs, which may be another node than the source's.`];
    if (volume['ephemeral']) return [`A new claim is made for its ${name}, and removed with it.`];
    const isShared = volume.persistentVolumeClaim || NETWORK_VOLUMES.some((kind) => volume[kind]);
    return isShared ? [`It uses the same data as its source, and may write to it: ${name}.`] : [];
  });
}

const ADDRESS = /(?:_|^)(?:URLS?|URI|DSN|HOST|HOSTS|ADDR|ADDRESS|ENDPOINT|SERVERS?|BROKERS?|DATABASE)$/i;

/** Risks for the services in the configuration: a copy of the program writes to them just like the source. */
function outsideRisks(spec: PodSpec): string[] {
  const containers = allContainers(spec);
  const variables = containers.flatMap(({ env }) =>
    listOf(env).filter(({ name, value }) => ADDRESS.test(name) || /\w:\/\//.test(value ?? '')),
  );
  const secrets = [...heldSecrets(spec)].map((name) => `Secret ${name}`);
  const found = [...new Set([...variables.map(({ name }) => name), ...secrets])];
  return sentence(
    found.length > 0,
    `It reaches the same services as its source, and what it writes there is written for real: see ${names(found)}.`,
  );
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
