import { fieldPath } from '../fix/apply.ts';
import { code } from '../quote.ts';
import { describe } from './commands.ts';
import type { RuleCorrection } from './answer.ts';
import { change, factsOf, type Place, type Rule, type Scene, who } from './rule.ts';

/** A postStart hook that fails: kubelet kills the container for it. */
export const hook: Rule = {
  id: 'hook',
  reasons: ['PostStartHookError'],
  answer(scene) {
    const hooks = factsOf(scene, 'hook').filter(({ hook: name }) => name === 'postStart');
    const fact = hooks.find(({ output }) => output) ?? hooks[0];
    if (!fact) return undefined;
    const place = scene.place();
    const handler = place?.container?.lifecycle?.postStart;
    const command =
      handler?.exec?.command?.join(' ') ?? (handler?.httpGet ? `GET ${handler.httpGet.path ?? '/'} :${handler.httpGet.port}` : '');
    return {
      summary: `${who(scene)} is killed because its postStart hook${command ? ` ${code(command, 120)}` : ''} fails${fact.exitCode === null ? '' : ` with exit code ${fact.exitCode}`}${fact.output ? `: ${code(fact.output)}` : ''}.`,
      culprit: `postStart hook${fact.output ? `: ${fact.output}` : command ? `: ${command}` : ''}`.slice(0, 300),
      evidence: [fact.evidence],
      advice: [
        'Correct what the hook does, or let it end with 0 when its work may be done later: the hook runs beside the program, which may not be up yet.',
      ],
      commands: [describe(scene.subject)],
      corrections: place && handler ? [...otherPort(scene, place), withoutHook(place)] : [],
      noCure: { why: 'The hook itself must be corrected.', whereToLook: 'what the hook runs, and what it needs to be there' },
    };
  },
};

function withoutHook(place: Place): RuleCorrection {
  return {
    title: 'Start without the postStart hook',
    changes: [change(place, fieldPath(place.path, 'lifecycle', 'postStart'), null, 'kubelet kills a container whose hook fails')],
    confidence: 'guess',
    explanation: 'Shows whether the program itself is well; what the hook does is then not done.',
    mirrorable: true,
  };
}

/** A hook that asks a port where nobody listens, when the log says of another one that the program listens there. */
function otherPort(scene: Scene, place: Place): RuleCorrection[] {
  const port = place.container?.lifecycle?.postStart?.httpGet?.port;
  const heard = factsOf(scene, 'listening').filter(({ local }) => !local);
  const [first] = heard;
  if (typeof port !== 'number' || !first || heard.some((fact) => fact.port === port)) return [];
  const path = fieldPath(place.path, 'lifecycle', 'postStart', 'httpGet', 'port');
  return [
    {
      title: `Ask at port ${code(first.port)}`,
      changes: [change(place, path, first.port, 'the log says that the program listens there')],
      confidence: 'likely',
      explanation: 'The hook asks a port where nobody listens.',
      mirrorable: true,
    },
  ];
}
