import type { Confidence } from '../../../contract/mirror.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { appended } from '../change.ts';
import type { Correction } from '../correction.ts';

/** Names under which programs want to be told apart. */
const OWN_NAME = /^(?:SERVER|NODE|INSTANCE|MEMBER|BROKER|WORKER|REPLICA)_(?:NAME|ID)$/;

/** For a program that wants a name of its own: the name of the pod, which another variable has already. */
export function asPodName(place: ContainerPlace, name: string): Correction[] {
  const env = place.container?.env;
  const own = OWN_NAME.test(name) ? env?.find(({ valueFrom }) => valueFrom?.fieldRef?.fieldPath === 'metadata.name') : undefined;
  if (!own) return [];
  return [fromField(place, { name, field: 'metadata.name', why: `${code(own.name)} has it so too`, confidence: 'guess' })];
}

/** Variables for facts about the pod itself, with the field that supplies each. */
const FIELDS: readonly [name: RegExp, fieldPath: string][] = [
  [/^(?:MY_|K8S_|KUBERNETES_)?POD_NAME$/, 'metadata.name'],
  [/^(?:(?:MY_|K8S_)?POD_NAMESPACE|(?:MY_|K8S_|KUBERNETES_|SYSTEM_)NAMESPACE)$/, 'metadata.namespace'],
  [/^(?:MY_|K8S_)?POD_UID$/, 'metadata.uid'],
  [/^(?:MY_|K8S_)?POD_IP$/, 'status.podIP'],
  [/^(?:MY_|K8S_|KUBE_|KUBERNETES_)?NODE_NAME$/, 'spec.nodeName'],
  [/^(?:MY_|K8S_)?(?:NODE_IP|HOST_IP)$/, 'status.hostIP'],
  [/^(?:MY_|K8S_)?POD_SERVICE_ACCOUNT$/, 'spec.serviceAccountName'],
];

/** Supplies a variable from a field of the pod: its name, its namespace, its node. */
export function ofPod(place: ContainerPlace, name: string): Correction[] {
  const field = FIELDS.find(([known]) => known.test(name))?.[1];
  const env = place.container?.env;
  if (field === undefined || env?.some((one) => one.name === name)) return [];
  return [fromField(place, { name, field, why: `the pod has it in ${code(field)}`, confidence: 'likely' })];
}

/** A new variable with the value of a field of the pod. */
function fromField(
  place: ContainerPlace,
  { name, field, why, confidence }: { name: string; field: string; why: string; confidence: Confidence },
): Correction {
  const entry = { name, valueFrom: { fieldRef: { fieldPath: field } } };
  return {
    title: `Take ${code(name)} from the pod`,
    changes: [appended(place, fieldPath(place.path, 'env'), place.container?.env, entry, why)],
    confidence,
    explanation: `Nothing sets ${code(name)} for this container.`,
    mirrorable: true,
  };
}
