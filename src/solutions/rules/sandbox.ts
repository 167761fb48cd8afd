import { fieldPath } from '../fix/apply.ts';
import type { SandboxFact } from '../facts/volume.ts';
import { code, heartOf } from '../quote.ts';
import { describe } from './commands.ts';
import { memoryLimit, raiseMemory } from './cures/memory.ts';
import { change, factOf, type Rule, who } from './rule.ts';

const MEANINGS: Record<SandboxFact['cause'], { because: string; advice: string; whereToLook: string }> = {
  memory: {
    because: 'the memory limit of its containers is too low to start any process',
    advice: 'Raise the memory limit; `Ki` is a thousandth of `Mi`, and `m` a thousandth of a byte.',
    whereToLook: 'the memory limits of the containers',
  },
  runtime: {
    because: 'the node does not have the runtime that its runtime class names',
    advice: 'Install the runtime on the nodes, or use a runtime class that they have.',
    whereToLook: "`kubectl get runtimeclasses` and the container runtime's configuration on the node",
  },
  addresses: {
    because: 'the node has no address left for it',
    advice: 'Give the network more addresses, or run fewer pods on the node.',
    whereToLook: "the network plugin's address pool",
  },
  network: {
    because: 'the network plugin cannot connect it',
    advice: 'Look at the pods of the network plugin on this node.',
    whereToLook: 'the pods of the network plugin (`kube-system`) and `/etc/cni/net.d` on the node',
  },
  image: {
    because: 'the image of the sandbox cannot be had',
    advice: "Check the pause image in the container runtime's configuration.",
    whereToLook: "the container runtime's configuration on the node",
  },
  name: {
    because: 'the runtime still holds an earlier sandbox of that name',
    advice: 'Usually it passes; else restart the runtime on the node.',
    whereToLook: "the container runtime's log on the node",
  },
  resources: {
    because: 'the node has run out of something (disk, files, processes)',
    advice: 'Look at the node.',
    whereToLook: "the node's conditions and its log",
  },
  other: {
    because: 'the container runtime cannot make its sandbox',
    advice: "Read the message: it is the runtime's own.",
    whereToLook: "the container runtime's log on the node",
  },
};

/** A pod whose sandbox cannot be made. */
export const sandbox: Rule = {
  id: 'sandbox',
  reasons: ['FailedCreatePodSandBox', 'NetworkNotReady', 'ContainerCreating'],
  answer(scene) {
    const fact = factOf(scene, 'sandbox');
    if (!fact) return undefined;
    const { because, advice, whereToLook } = MEANINGS[fact.cause];
    const place = scene.place();
    const runtimeClass = place?.spec.runtimeClassName;
    return {
      summary: `${who(scene, null)} cannot start: ${because}${fact.subject ? ` (${code(fact.subject)}${runtimeClass ? `, runtime class ${code(runtimeClass)}` : ''})` : ''}.`,
      culprit:
        fact.cause === 'runtime'
          ? `runtime ${fact.subject ?? runtimeClass ?? ''}`.trim()
          : fact.cause === 'memory'
            ? `memory limit ${memoryLimit(place)?.written ?? ''}`.trim()
            : (fact.subject ?? `${fact.cause === 'network' ? 'network: ' : ''}${heartOf(fact.evidence.text)}`),
      evidence: [fact.evidence],
      advice: [advice],
      commands: [
        describe(scene.subject),
        ...(fact.cause === 'runtime' ? ['kubectl get runtimeclasses'] : ['kubectl get pods -n kube-system -o wide']),
      ],
      corrections:
        fact.cause === 'runtime' && place && runtimeClass
          ? [
              {
                title: "Use the node's own runtime",
                changes: [
                  change(place, fieldPath(place.specPath, 'runtimeClassName'), null, `no node has the runtime of ${code(runtimeClass)}`),
                ],
                confidence: 'guess',
                explanation: 'The pod then runs with less isolation than its author wanted: decide that first.',
                mirrorable: false,
              },
            ]
          : fact.cause === 'memory'
            ? raiseMemory(scene, 'the pod needs some mebibytes to start')
            : [],
      noCure: { why: `The manifest is not what is wrong: ${because}.`, whereToLook },
    };
  },
};
