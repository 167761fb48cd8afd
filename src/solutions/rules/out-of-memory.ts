import { code } from '../quote.ts';
import { memoryLimit, raiseMemory } from './cures/memory.ts';
import { kubectl, logs } from './commands.ts';
import { factOf, factsOf, type Rule, who } from './rule.ts';

/** A container that was killed because it used more memory than it may. */
export const outOfMemory: Rule = {
  id: 'out-of-memory',
  reasons: ['OOMKilled', 'CrashLoopBackOff', 'Error'],
  answer(scene) {
    const run = factsOf(scene, 'run').find(
      ({ reason, container }) => reason === 'OOMKilled' && (scene.subject.container ?? container) === container,
    );
    const fact = factOf(scene, 'oom');
    if (!run && !fact && scene.subject.reason !== 'OOMKilled') return undefined;
    const place = scene.place(run?.container ?? scene.subject.container);
    const limit = memoryLimit(place);
    const said = factOf(scene, 'last-line');
    return {
      summary: limit
        ? `${who(scene)} was killed because it used more memory than its limit of ${code(limit.written)}.`
        : `${who(scene)} was killed because memory ran out${place ? '; it has no memory limit of its own, so the pod or the node ran out' : ''}.`,
      culprit: limit ? `memory limit ${limit.written}` : 'memory',
      evidence: [
        ...(run ? [run.evidence] : []),
        ...(fact ? [fact.evidence] : []),
        ...(limit ? [{ from: 'manifest', text: `resources.limits.memory: ${limit.written}` }] : []),
        ...(said ? [said.evidence] : []),
      ],
      advice: [
        'Measure what it needs at its peak and set the limit above that; when its use grows without end, it leaks, and a higher limit only delays the end.',
        'Runtimes with a heap (JVM, Node) must be told to stay below the limit: `-XX:MaxRAMPercentage`, `--max-old-space-size`.',
      ],
      commands: [kubectl(scene.subject, 'top', 'pod', scene.subject.pod_name, '--containers'), ...logs(scene.subject)],
      corrections: raiseMemory(scene, 'it was killed at this limit'),
      noCure: {
        why: limit ? 'A higher limit would be more than any node has.' : 'There is no limit of the container to raise.',
        whereToLook: 'the memory of the node, the limits of the pod and the namespace, and the memory that the program uses',
      },
    };
  },
};
