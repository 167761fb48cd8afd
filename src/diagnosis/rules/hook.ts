import { fieldPath } from '../../crd/field-path.ts';
import type { Handler } from '../../crd/kubernetes.ts';
import { code } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import type { Correction } from '../corrections/correction.ts';
import { change } from '../corrections/change.ts';
import { factsOf, type ContainerPlace, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule, type RuleAnswer } from './rule.ts';

/** A postStart hook fails, so the kubelet kills the container. */
export const hook: DiagnosisRule = {
  id: 'hook',
  reasons: ['PostStartHookError'],
  answer(input) {
    const hooks = factsOf(input, 'hook').filter(({ hook: name }) => name === 'postStart');
    const fact = hooks.find(({ output }) => output) ?? hooks[0];
    const place = input.place();
    const handler = place?.container?.lifecycle?.postStart;
    const command = handler ? commandOf(handler) : '';
    if (!fact) return input.subject.message.endsWith('hook has not ended') ? hanging(input, place, command) : undefined;
    const exit = fact.exitCode === null ? '' : ` with exit code ${fact.exitCode}`;
    const output = fact.output ? `: ${code(fact.output)}` : '';
    return {
      summary: `${who(input)} is killed because its postStart hook${command ? ` ${code(command, 120)}` : ''} fails${exit}${output}.`,
      culprit: ['postStart hook', fact.output || command].filter(Boolean).join(': ').slice(0, 300),
      evidence: [fact.evidence],
      advice: [
        'Correct what the hook does. If its work may be done later, let it end with 0: the hook runs beside the program, which may not be up yet.',
      ],
      commands: [describe(input.subject)],
      corrections: place && handler ? [...otherPort(input, place), withoutHook(place)] : [],
      noCorrection: { why: 'The hook itself must be corrected.', whereToLook: 'what the hook runs, and what it needs' },
    };
  },
};

/** A hook that neither completes nor fails. The kubelet reports nothing about it, and runs no probe until the hook has completed. */
function hanging(input: RuleInput, place: ContainerPlace | undefined, command: string): RuleAnswer {
  return {
    summary: `${who(input)} was started, but its postStart hook${command ? ` ${code(command, 120)}` : ''} has not ended, so it does not count as running.`,
    culprit: ['postStart hook', command].filter(Boolean).join(': ').slice(0, 300),
    evidence: [{ from: 'status and events', text: input.subject.message }],
    advice: ['Find out what the hook waits for. Kubernetes sets no time limit for a hook: let it give up, or do its work in the program.'],
    commands: [describe(input.subject)],
    corrections: place?.container?.lifecycle?.postStart
      ? [withoutHook(place, 'until the hook has ended, the container is not running')]
      : [],
    noCorrection: { why: 'The hook itself must be corrected.', whereToLook: 'what the hook runs, and what it waits for' },
  };
}

function commandOf({ exec, httpGet }: Handler): string {
  return exec?.command?.join(' ') ?? (httpGet ? `GET ${httpGet.path ?? '/'} :${httpGet.port}` : '');
}

function withoutHook(place: ContainerPlace, why = 'kubelet kills a container whose hook fails'): Correction {
  return {
    title: 'Remove the postStart hook',
    changes: [change(place, fieldPath(place.path, 'lifecycle', 'postStart'), null, why)],
    confidence: 'guess',
    explanation: 'This shows whether the program itself works. What the hook does is then missing.',
    mirrorable: true,
  };
}

/** For a hook that calls a port on which nothing listens: a port on which the program listens, according to its log. */
function otherPort(input: RuleInput, place: ContainerPlace): Correction[] {
  const port = place.container?.lifecycle?.postStart?.httpGet?.port;
  const heard = factsOf(input, 'listening').filter(({ local }) => !local);
  const [first] = heard;
  if (typeof port !== 'number' || !first || heard.some((fact) => fact.port === port)) return [];
  const path = fieldPath(place.path, 'lifecycle', 'postStart', 'httpGet', 'port');
  return [
    {
      title: `Use port ${code(first.port)} for the hook`,
      changes: [change(place, path, first.port, 'the log says that the program listens there')],
      confidence: 'likely',
      explanation: "Nobody listens on the hook's port.",
      mirrorable: true,
    },
  ];
}
