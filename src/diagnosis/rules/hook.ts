import { fieldPath } from '../../crd/field-path.ts';
import type { Handler } from '../../crd/kubernetes.ts';
import { code } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import type { Correction } from '../corrections/correction.ts';
import { change } from '../corrections/change.ts';
import { mountedFiles, mountOf, sameName } from '../corrections/files/mounted-files.ts';
import { nearest } from '../corrections/similar-names.ts';
import { factsOf, type ContainerPlace, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule, type RuleAnswer } from './rule.ts';

/** How the detection of failures ends its message about a hook that neither completes nor fails. */
const HANGS = /hook has not ended$/;

/** A postStart hook fails, so the kubelet kills the container. */
export const hook: DiagnosisRule = {
  id: 'hook',
  reasons: ['PostStartHookError'],
  answer(input) {
    const hooks = factsOf(input, 'hook').filter(({ hook: name, evidence }) => name === 'postStart' && !HANGS.test(evidence.text));
    const fact = hooks.find(({ output }) => output) ?? hooks[0];
    const place = input.place();
    const handler = place?.container?.lifecycle?.postStart;
    const command = handler ? commandOf(handler) : '';
    if (!fact) return HANGS.test(input.subject.message) ? hanging(input, place, command) : undefined;
    const exit = fact.exitCode === null ? '' : ` with exit code ${fact.exitCode}`;
    const output = fact.output ? `: ${code(fact.output)}` : '';
    return {
      summary: `${who(input)} is killed because its postStart hook${command ? ` ${code(command, 120)}` : ''} fails${exit}${output}.`,
      culprit: ['postStart hook', fact.output || command].filter(Boolean).join(': ').slice(0, 300),
      evidence: [fact.evidence],
      advice: [
        'Let the hook try again until it succeeds: it starts together with the program, which may not answer yet. If the pod does without its work, let it end with 0.',
      ],
      commands: [describe(input.subject)],
      corrections:
        place && handler
          ? [...otherPort(input, place), ...(otherFile(input, place, fact.output) ?? otherFolder(place, fact.output)), withoutHook(place)]
          : [],
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

/** What shells say of a folder that there is not. */
const NO_FOLDER = /nonexistent directory|[Nn]o such file or directory|[Dd]irectory nonexistent|does not exist/;

/** For a file of the hook that no volume brings: the only mounted file of the same name. */
function otherFile(input: RuleInput, place: ContainerPlace, output: string | null): Correction[] | undefined {
  if (output !== null && output !== '' && !NO_FOLDER.test(output) && !/can't open|cannot open/.test(output)) return undefined;
  const files = mountedFiles(input, place);
  const found = (place.container?.lifecycle?.postStart?.exec?.command ?? []).flatMap((word, index) => {
    const [path = ''] = /(?<![\w/])(?:\/[\w.-]{1,80}){2,8}/.exec(word) ?? [];
    const same = sameName(files, path);
    return same.length === 1 && same[0] !== path && !mountOf(place, path) ? [{ index, word, path, to: same[0] ?? '' }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return undefined;
  const at = fieldPath(place.path, 'lifecycle', 'postStart', 'exec', 'command', only.index);
  return [
    {
      title: `Use ${code(only.to)} in the hook`,
      changes: [
        change(
          place,
          at,
          only.word.replace(only.path, () => only.to),
          'a volume brings the file there',
        ),
      ],
      confidence: 'likely',
      explanation: `Nothing is mounted at ${code(only.path)}.`,
      mirrorable: true,
    },
  ];
}

/** For a path of the hook that does not exist: the folder with a near name in which a volume is mounted. */
function otherFolder(place: ContainerPlace, output: string | null): Correction[] {
  const command = place.container?.lifecycle?.postStart?.exec?.command ?? [];
  const mounts = (place.container?.volumeMounts ?? []).map(({ mountPath }) => mountPath.replace(/\/$/, ''));
  if (output !== null && output !== '' && !NO_FOLDER.test(output)) return [];
  const found = command.flatMap((word, index) =>
    [...word.matchAll(/(?<![\w/])(?:\/[\w.-]{1,80}){2,8}/g)].flatMap(([path]) => {
      const folders = path
        .split('/')
        .map((_, end, parts) => parts.slice(0, end + 1).join('/'))
        .slice(2);
      return mounts.some((mount) => folders.includes(mount))
        ? []
        : folders.flatMap((folder) =>
            nearest(folder, mounts)
              .slice(0, 1)
              .map((mount) => ({ index, word, path, folder, mount })),
          );
    }),
  );
  const [only, ...more] = found.filter(({ folder, mount }) => folder.split('/').length === mount.split('/').length);
  if (!only || more.some(({ mount }) => mount !== only.mount)) return [];
  const to = only.word.replaceAll(only.folder, () => only.mount);
  return [
    {
      title: `Use ${code(only.path.replace(only.folder, () => only.mount))} in the hook`,
      changes: [
        change(
          place,
          fieldPath(place.path, 'lifecycle', 'postStart', 'exec', 'command', only.index),
          to,
          `a volume is mounted at ${code(only.mount)}`,
        ),
      ],
      confidence: 'likely',
      explanation: `${code(only.folder)} looks like another spelling of ${code(only.mount)}.`,
      mirrorable: true,
    },
  ];
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
