import { containersOf } from '../../crd/containers.ts';
import { isEmptySelector, selects } from '../../crd/selector.ts';
import type { KubeObject, Pod } from '../../crd/kubernetes.ts';

/** The end of a log that is searched for names. */
const LAST_CHARS = 8000;

/**
 * Whether an init container waits for a Service that is about to work: the Service exists, some of its pods are not Ready yet, and none
 * fails. `log` is the container's log; `isFailing` answers for another pod. Pure.
 */
export function awaitsStarting(
  { pod, container, log }: { pod: Pod; container: string | undefined; log: string },
  objects: KubeObject[],
  isFailing: (other: Pod) => boolean,
): boolean {
  const spec = containersOf(pod).find((one) => one.spec.name === container)?.spec;
  const text = [log.slice(-LAST_CHARS), ...(spec?.command ?? []), ...(spec?.args ?? [])].join('\n');
  const isHere = (object: KubeObject) => object.metadata.namespace === pod.metadata.namespace;
  const named = objects.filter((object) => object.kind === 'Service' && isHere(object) && isNamed(object.metadata.name ?? '', text));
  return named.some((service) => {
    const { selector = {} } = (service as { spec?: { selector?: Record<string, string> } }).spec ?? {};
    if (isEmptySelector({ matchLabels: selector })) return false;
    const behind = objects.filter(
      (object): object is Pod =>
        object.kind === 'Pod' && isHere(object) && object !== pod && selects({ matchLabels: selector }, object.metadata.labels ?? {}),
    );
    return behind.some((other) => !isReady(other)) && !behind.some(isFailing);
  });
}

/** Whether the text contains the name as a whole word, or as the first label of a host name. */
function isNamed(name: string, text: string): boolean {
  for (let at = text.indexOf(name); name !== '' && at >= 0; at = text.indexOf(name, at + name.length))
    if (!/[\w.-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + name.length] ?? ' ')) return true;
  return false;
}

/** Whether a pod is ready. */
export function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
}
