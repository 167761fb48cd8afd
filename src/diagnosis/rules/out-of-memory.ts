import { code } from '../rendering/quote.ts';
import { memoryLimit, raiseMemory } from '../corrections/memory/memory.ts';
import { kubectl, logs } from '../rendering/commands.ts';
import { type ContainerPlace, factOf, factsOf, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** The container was killed because it ran out of memory. */
export const outOfMemory: DiagnosisRule = {
  id: 'out-of-memory',
  reasons: ['OOMKilled', 'CrashLoopBackOff', 'Error'],
  answer(input) {
    const run = factsOf(input, 'run').find(
      ({ reason, container }) => reason === 'OOMKilled' && (input.subject.container ?? container) === container,
    );
    const fact = factsOf(input, 'oom').find(({ container }) => container === null || (input.subject.container ?? container) === container);
    if (!run && !fact && input.subject.reason !== 'OOMKilled') return undefined;
    const place = input.place(run?.container ?? input.subject.container);
    const limit = memoryLimit(place);
    const said = factOf(input, 'last-line');
    return {
      summary: limit
        ? `${who(input)} was killed because it used more memory than ${limit.isOfPod ? 'the limit of the whole pod,' : 'its limit of'} ${code(limit.written)}.`
        : `${who(input)} was killed because memory ran out${place ? '; it has no memory limit of its own, so the pod or the node ran out' : ''}.`,
      culprit: limit ? `memory limit ${limit.isOfPod ? `of the pod ${limit.written}` : `${limit.written}${ofContainer(place)}`}` : 'memory',
      evidence: [
        ...(run ? [run.evidence] : []),
        ...(fact ? [fact.evidence] : []),
        ...(limit ? [{ from: 'manifest', text: `resources.limits.memory: ${limit.written}` }] : []),
        ...(said ? [said.evidence] : []),
      ],
      advice: [
        'Measure how much it needs at its peak and set the limit above that. If its use grows without end, it leaks, and a higher limit only delays the kill.',
        'Set the heap of runtimes that have one (JVM, Node) below the limit: `-XX:MaxRAMPercentage`, `--max-old-space-size`.',
      ],
      commands: [kubectl(input.subject, 'top', 'pod', input.subject.pod_name, '--containers'), ...logs(input.subject)],
      corrections: raiseMemory(input, 'it was killed at this limit'),
      noCorrection: {
        why: limit ? 'No node has more memory than the limit.' : 'The container has no limit that could be raised.',
        whereToLook: 'the memory of the node, the limits of the pod and the namespace, and the memory that the program uses',
      },
    };
  },
};

/** Which of several containers of the pod it is. */
function ofContainer(place: ContainerPlace | undefined): string {
  const { containers = [], initContainers = [] } = place?.spec ?? {};
  return place?.container && containers.length + initContainers.length > 1 ? ` of ${place.container.name}` : '';
}
