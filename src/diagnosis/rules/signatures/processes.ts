import { longerWorkers } from '../../corrections/settings/worker-timeout.ts';
import type { Correction } from '../../corrections/correction.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change } from '../../corrections/change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { sharedProcesses } from '../../corrections/command/processes.ts';
import { raiseMemory } from '../../corrections/memory/memory.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';

/** When containers share processes, process 1 belongs to the pod, not to the container. */
function ownProcesses(input: RuleInput): Correction[] {
  const place = input.place(null);
  const fields = (['shareProcessNamespace', 'hostPID'] as const).filter((field) => place?.spec[field] === true);
  if (!place || fields.length === 0) return [];
  return [
    {
      title: 'Give each container its own processes',
      changes: fields.map((field) =>
        change(place, fieldPath(place.specPath, field), null, 'the first process is then that of the container'),
      ),
      confidence: 'likely',
      explanation: 'Containers that look at the processes of the others can then no longer do so.',
      mirrorable: true,
    },
  ];
}

/** Processes of a container: workers, child processes and signals. */
export const processSignatures: readonly Signature[] = [
  {
    // Gunicorn killed the worker itself, but then asks in its log whether memory ran out.
    id: 'worker-timeout',
    hints: ['worker timeout', 'harakiri', ', killing'],
    pattern:
      /\bWORKER TIMEOUT \(pid:\d{1,9}\)|worker=\d{1,5} PID:\d{1,9} timeout \(\d{1,6}s > \d{1,6}s\), killing|HARAKIRI !!! worker \d{1,5}/,
    explain: (_, input, line) => ({
      because: `its worker takes too long and is killed by its own master: ${code(phraseIn(line), 120)}`,
      culprit: phraseIn(line),
      advice: [
        'Let the worker take longer, or load what is slow before it starts (`--preload` of Gunicorn). Memory is not the matter, whatever the next line asks.',
      ],
      corrections: line.includes('WORKER TIMEOUT') ? longerWorkers(input) : [],
      whereToLook: 'what the worker does while it says nothing: a model that it loads, a server that does not answer',
    }),
  },
  {
    // The kernel kills the largest process of a container. Its parent lives on and logs it.
    id: 'child-killed',
    hints: [
      'sigkill',
      'killed',
      'signal 9',
      'exit code 137',
      'exit status 137',
      'out of memory',
      'bad_alloc',
      'memoryerror',
      'cannot allocate memory',
      'enomem',
      'memory allocation of',
    ],
    pattern:
      /\bSIGKILL\b.{0,60}out of memory|(?:sent|signal|received|killed by|with|by) \(?SIGKILL\b|\bsignal: killed|: +\d{1,7} Killed\b|^Killed$|\bsignal 9\b|exit (?:code|status) 137\b|[Oo]ut of memory: [Kk]ill|runtime: out of memory|std::bad_alloc|^MemoryError\b|(?<!lock memory: )[Cc]annot allocate memory|\bENOMEM\b|memory allocation of \d{1,18} bytes failed/,
    explain: (_, input, line) => ({
      because: `memory ran out: ${quotedLine(line)}`,
      culprit: phraseIn(line),
      advice: [
        'When only one process in the container is killed, the container may end with another exit code and without the reason `OOMKilled`.',
        'Raise the memory limit, or let it run fewer workers at once.',
      ],
      corrections: raiseMemory(input, 'a process in it was killed for lack of memory'),
      whereToLook: 'the memory limit, the number of workers, and the log of the kernel on the node (`Memory cgroup out of memory`)',
    }),
  },
  {
    id: 'process-unseen',
    hints: ['process'],
    pattern:
      /(?:no process(?:es)?(?: (?:is |was )?(?:named|called|with (?:the )?name|matching|for))?|(?:can(?:not|'t)|could not|couldn't|unable to|did not|failed to) find (?:a |the |any )?(?:running )?process(?: (?:named|called|of|for))?|(?:pidof|pgrep|pkill|killall): no process(?:es)? found:) ['"`]?(?<a>(?!found|killed|is |was )[\w.-]{2,60})|\bprocess ['"`]?(?<b>[\w.-]{2,60})['"`]? (?:is )?(?:not (?:found|running|there)|does not exist|doesn't exist)(?! yet)|\b(?<c>[\w.-]{2,60}): no process(?:es)? (?:found|killed)(?:: ['"`]?(?<d>[\w.-]{2,60}))?/i,
    explain: ({ a, b, c, d }, input, line) => {
      const process = a ?? b ?? d ?? c ?? '';
      const found = sharedProcesses(input, process);
      return {
        because: found
          ? `it does not see the process ${code(process)}, which container ${code(found.of)} runs`
          : `it does not find the process ${code(process)}: ${quotedLine(line)}`,
        culprit: process,
        advice: [
          found
            ? 'A container sees the processes of the others only where the pod shares them.'
            : 'Compare the name with that of the program as `ps` shows it, and whether it runs in this container.',
        ],
        corrections: found?.corrections ?? [],
        whereToLook: 'the programs of the containers, and `shareProcessNamespace` of the pod',
      };
    },
  },
  {
    id: 'first-process',
    hints: ['pid 1', 'pid1', 'process 1', 'pid=1', 'init process'],
    pattern:
      /(?:can only|must|has to|needs? to|should|only) (?:be )?(?:run(?:ning)?|started?|executed)? ?as (?:the )?(?:pid|process|init process)(?: ?(?:id)? ?=?1\b|\b)|not (?:running as )?(?:pid|process) ?=?1\b|(?:is|be) (?:not )?pid ?=?1\b/i,
    explain: (_, input, line) => ({
      because: input.place()?.spec.shareProcessNamespace
        ? 'it must be the first process of its container, and the pod shares its processes'
        : `it must be the first process of its container: ${quotedLine(line)}`,
      culprit: phraseIn(line),
      advice: [
        input.place()?.spec.shareProcessNamespace || input.place()?.container?.command
          ? 'Start the program itself, without a shell or wrapper around it (`exec` in a script), and without `shareProcessNamespace`.'
          : 'The manifest sets neither `command` nor `shareProcessNamespace`: something in the image starts the program. See its entry point for a wrapper or a script without `exec`.',
      ],
      corrections: ownProcesses(input),
      whereToLook: "`shareProcessNamespace`, `hostPID`, and the container's `command`",
    }),
  },
];
