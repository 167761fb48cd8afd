import type { RbacSubject } from '../objects.ts';
import type { EscalationPath } from './paths.ts';
import { EVERYWHERE, type Power, type RoleName, type Way } from './powers.ts';
import type { Reached } from './search.ts';

/** `ServiceAccount shop/web`, `User ann`. */
export function nameOfSubject({ kind, name, namespace }: RbacSubject): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

/** The actor of a step, and what it does, as the rest of a sentence: `requests a token of ServiceAccount shop/web`. */
export function tellStep(step: Reached, { subject }: Pick<EscalationPath, 'subject'>): { as: string; does: string } {
  const { actor } = step;
  // Subjects with the same bindings share their paths, so the path names the first identity.
  const isFirst = !actor || actor.steps.length === 0 || actor.power.kind !== 'acts-as';
  return { as: nameOfSubject(isFirst ? subject : (actor.power as Power & { kind: 'acts-as' }).subject), does: doing(step) };
}

type Words = (gained: string, at: { pod: string; by: string; binding: string }) => string;

const DOING: Record<Way, Words> = {
  bind: (gained, { binding }) => `binds ${gained} to itself${binding}`,
  escalate: (gained) => `writes any rule into ${gained}`,
  aggregate: (gained) => `creates a ClusterRole with any rule, which ${gained} collects`,
  impersonate: (gained) => `impersonates ${gained}`,
  token: (gained) => `requests a token of ${gained}`,
  'token-secret': (gained) => `creates a Secret for a token of ${gained}, and reads it`,
  'token-read': (gained, { by }) => `reads a token of ${gained}${by}`,
  bootstrap: (gained) => `creates a bootstrap token in ${gained}`,
  csr: (gained) => `signs itself a client certificate of ${gained}`,
  exec: (gained, { pod }) => `runs a command in pod ${pod}: ${gained}`,
  ephemeral: (gained, { pod }) => `adds a container to pod ${pod}: ${gained}`,
  image: (gained, { pod }) => `changes the image of pod ${pod}: ${gained}`,
  kubelet: (gained, { pod }) => `runs a command in pod ${pod} by way of its node's kubelet: ${gained}`,
  'new-account': (gained) => `creates the missing ${gained}, and runs a pod as it`,
  'new-token': (gained) => `creates the missing ${gained}, and takes a token of it`,
  'pod-account': (gained, { by }) => `runs a pod as ${gained}${by}`,
  'pod-secrets': (gained, { by }) => `runs a pod that mounts ${gained}${by}`,
  'pod-node': (gained, { by }) => `runs a privileged pod${by}: ${gained}`,
  'pod-volume': (gained, { by }) => `runs a pod with a volume of the node's folders${by}: ${gained}`,
  'node-pods': (gained) => `takes the token of ${gained} from a pod on the node`,
  label: (gained) => `takes the Pod Security label off ${gained}`,
  quota: (gained) => `makes room in the quota of ${gained}`,
  webhook: (_, { by }) => `registers a webhook${by}, to which the API server sends every Secret that is written`,
  holds: (gained) => `holds ${gained}`,
  rewritten: (gained) => `holds ${gained}`,
  'pod-change': (gained) => `changes ${gained}`,
  namespace: () => 'creates a namespace',
  pod: (gained) => `runs pods in ${gained}`,
  workload: (gained) => `runs pods in ${gained}`,
  account: (gained) => `creates accounts in ${gained}`,
  volume: (gained) => `creates volumes in ${gained}`,
  secret: (gained) => `creates Secrets in ${gained}`,
};

function doing({ way, power, through }: Reached): string {
  const place = [through?.namespace, through?.name].filter(Boolean).join('/');
  const other = through && through.kind !== 'Pod' ? `${through.kind} ${place}` : '';
  return DOING[way](gainOf(power), { pod: place, by: other && ` through ${other}`, binding: other && ` in ${other}` });
}

function gainOf(power: Power): string {
  switch (power.kind) {
    case 'acts-as':
      return nameOfSubject(power.subject);
    case 'granted':
      return `${nameOfRole(power.role)} ${power.namespace === undefined ? 'in the whole cluster' : `in namespace ${power.namespace}`}`;
    case 'rewrites':
      return nameOfRole(power.role);
    case 'node':
      return power.name === undefined ? 'a node' : `node ${power.name}`;
    case 'secrets':
      return `the Secrets of ${placeName(power.namespace)}`;
    case 'makes-namespaces':
      return 'a new namespace';
    case 'takes-token':
      return `ServiceAccount ${power.namespace}/${power.name}`;
    case 'changes-pod':
      return `pod ${power.namespace}/${power.name}`;
    case 'all':
      return 'Group system:masters';
    default:
      return placeName(power.namespace);
  }
}

function placeName(namespace: string): string {
  return namespace === EVERYWHERE ? 'all namespaces' : `namespace ${namespace}`;
}

function nameOfRole({ kind, namespace, name }: RoleName): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}
