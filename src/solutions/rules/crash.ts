import type { RunFact } from '../facts/status.ts';
import { fieldPath } from '../fix/apply.ts';
import { code, oneLine } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { logs } from './commands.ts';
import { dropOption } from './cures/argument.ts';
import { dropCommand } from './cures/command.ts';
import { emptySharedMemory } from './cures/shared-memory.ts';
import { type Answer, change, factOf, factsOf, type Place, type Rule, type Scene, who } from './rule.ts';

/** Options by which servers put themselves into the background. */
const BACKGROUND = /^--?(?:daemoni[sz]e|daemon|detach|background|fork)(?:=(?:yes|true|on|1))?$/i;

/** What an exit code says when the log says nothing. */
const EXIT_CODES: Record<number, { meaning: string; advice: string }> = {
  0: {
    meaning: 'it ended by itself, without an error',
    advice: 'A container of a Deployment must not end: start the program in the foreground, or run it as a Job.',
  },
  1: {
    meaning: 'the program ended with a general error',
    advice: 'Its log of the last run says why; the first error there is usually the cause.',
  },
  2: {
    meaning: 'wrong usage of a shell command, or a Go program that panicked',
    advice: 'Check the arguments, and the first lines of the trace in the log.',
  },
  125: { meaning: 'the container could not be run', advice: 'Check the command and its options.' },
  126: {
    meaning: 'the command was found and may not be executed',
    advice: 'Give the file the right to be executed, or run it with its interpreter.',
  },
  127: { meaning: 'the shell did not find a command', advice: 'Correct the name, or use an image that has it.' },
  128: { meaning: 'the process could not be started, or ended with a senseless code', advice: 'Read the message of the runtime.' },
  132: {
    meaning: 'it was killed by SIGILL: an instruction that this processor does not have',
    advice: 'Use a build for the processors of the nodes.',
  },
  134: { meaning: 'it aborted itself (SIGABRT)', advice: 'An assertion or the runtime gave up: the lines before it in the log say why.' },
  135: {
    meaning: 'it was killed by SIGBUS, often because `/dev/shm` (64 MiB) is full',
    advice: 'Give it more shared memory: an `emptyDir` of medium `Memory` at `/dev/shm`.',
  },
  136: { meaning: 'it was killed by SIGFPE, a division by zero', advice: 'The program itself fails: look at the trace.' },
  137: {
    meaning: 'it was killed (SIGKILL) from outside: out of memory, a failed probe, or the end of its grace period',
    advice: 'Look for `OOMKilled`, `Unhealthy` or `Killing` among the events, and at the memory of the node.',
  },
  139: {
    meaning: 'it was killed by SIGSEGV, an access to memory that is not its own',
    advice: 'A fault of the program or of a library; often a build for another base image.',
  },
  143: {
    meaning: 'it was asked to end (SIGTERM)',
    advice: 'Something stopped it: a probe, a deletion, a node that drains. Look at the events around that instant.',
  },
  255: {
    meaning: 'it ended with a code out of range, as `exit(-1)` or a broken entrypoint does',
    advice: 'Its log says why; `ssh` and many scripts end so on any error.',
  },
};

/** A process that ended: the cause is what the log says first, else what the exit code means. */
export const crash: Rule = {
  id: 'crash',
  reasons: ['CrashLoopBackOff', 'Error', 'OOMKilled', 'ContainerStatusUnknown', 'BackoffLimitExceeded'],
  answer(scene) {
    const runs = factsOf(scene, 'run').filter(({ container }) => scene.subject.container === null || container === scene.subject.container);
    const run = runs.find(({ exitCode }) => exitCode !== 0) ?? runs[0];
    const log = factOf(scene, 'log');
    if (!run && !log && !isCrash(scene.subject.reason)) return undefined;
    if (run?.exitCode === 0) return ended(scene, run);
    return log ? told(scene, run) : silent(scene, run);
  },
};

function isCrash(reason: string): boolean {
  return reason === 'CrashLoopBackOff' || reason === 'Error';
}

function told(scene: Scene, run: RunFact | undefined): Answer {
  const log = factOf(scene, 'log');
  if (!log) return silent(scene, run);
  const meaning = log.signature.explain(log.groups, scene, log.line);
  return {
    summary: `${who(scene)} ${ends(scene, run)}, because ${meaning.because}.`,
    culprit: culpritOf(meaning.culprit, log.line),
    evidence: [log.evidence, ...(run ? [run.evidence] : [])],
    advice: meaning.advice,
    commands: [...logs(scene.subject), ...(meaning.commands ?? [])],
    corrections: meaning.corrections ?? [],
    noCure: { why: `No value in the manifest that would cure it is known: ${meaning.because}.`, whereToLook: meaning.whereToLook },
  };
}

/** Words of ours ("Redis login") are followed by those of the program; what the line itself names ("port 80") stands alone. */
function culpritOf(culprit: string | null, line: string): string {
  const said = oneLine(line, 200);
  if (culprit === null) return said;
  const words = culprit.toLowerCase().split(' ');
  const name = words.findLast((word) => /[\d/_.]/.test(word));
  const isSaid = (word: string) => line.toLowerCase().includes(word.split(':', 1)[0] ?? word);
  return (name ? isSaid(name) : words.every(isSaid)) ? culprit : `${culprit}: ${said}`;
}

function silent(scene: Scene, run: RunFact | undefined): Answer {
  const last = factOf(scene, 'last-line');
  const exit = run && exitMeaning(run.exitCode);
  return {
    summary: `${who(scene)} ${ends(scene, run)}${exit ? `: ${exit.meaning}` : ''}${last ? `; the last it said is ${code(last.line)}` : ''}.`,
    culprit: last?.line.slice(0, 200) ?? (run ? `exit code ${run.exitCode}` : null),
    evidence: [...(last ? [last.evidence] : []), ...(run ? [run.evidence] : [])],
    advice: [
      exit?.advice ?? 'Read the log of the last run.',
      ...(last
        ? []
        : [
            'No line of its log is known here; if there is none, run it by hand (`kubectl debug`, or `command: [sleep, "3600"]`) and see what it does.',
          ]),
    ],
    commands: logs(scene.subject),
    corrections: [
      ...(run?.exitCode === 135 ? emptySharedMemory(scene.place()) : []),
      ...(run?.exitCode === 126 || run?.exitCode === 127 ? dropCommand(scene.place(), exit?.meaning ?? '') : []),
    ],
    noCure: {
      why: 'Nothing that is known of it points at a field of the manifest; the program itself ends.',
      whereToLook: 'the log around its end, and what changed in the image or its configuration since it last worked',
    },
  };
}

/** It ended with 0 and should not have. */
function ended(scene: Scene, run: RunFact): Answer {
  const last = factOf(scene, 'last-line') ?? factOf(scene, 'log');
  const place = scene.place();
  const words = [...(place?.container?.command ?? []), ...(place?.container?.args ?? [])];
  const alone = words.length === 1 && /^(?:.*\/)?(?:ba|da|a|z)?sh$/.test(words[0] ?? '');
  const daemon = words.find((word) => BACKGROUND.test(word));
  const why = alone
    ? ': a shell without a terminal has nothing to do'
    : daemon
      ? `: ${code(daemon)} sends it into the background, and with its first process the container ends`
      : '';
  return {
    summary: `${who(scene)} ends by itself with exit code 0 and is started again and again${why}.`,
    culprit: alone ? `command ${words[0]}` : daemon ? `option ${daemon}` : 'exit code 0',
    evidence: [run.evidence, ...(last ? [last.evidence] : [])],
    advice: [
      EXIT_CODES[0]?.advice ?? '',
      'A server that puts itself into the background ends for Kubernetes: give it its foreground option (`nginx -g "daemon off;"`, `--nodaemon`).',
    ],
    commands: logs(scene.subject),
    corrections: [
      ...(daemon
        ? dropOption(place, daemon, { why: 'in the foreground it keeps the container alive', explanation: 'The program then stays.' })
        : restartOnFailure(scene, place)),
      ...dropCommand(place, 'the program that it starts ends at once'),
    ],
    noCure: {
      why: 'The program ends as it is meant to; what should run instead, only its author knows.',
      whereToLook: "the image's entrypoint, and whether this work should be a Job",
    },
  };
}

/** A bare pod whose work is done: it need not start again. Controllers of servers allow `Always` only. */
function restartOnFailure(scene: Scene, place: Place | undefined): RuleCorrection[] {
  if (place?.object.kind !== 'Pod' || scene.subject.workload) return [];
  const path = fieldPath(place.specPath, 'restartPolicy');
  return [
    {
      title: 'Restart it only when it fails',
      changes: [change(place, path, 'OnFailure', 'a process that ends with 0 is done; `Always` starts it again')],
      confidence: 'likely',
      explanation: 'The pod then completes.',
      mirrorable: true,
    },
  ];
}

function ends(scene: Scene, run: RunFact | undefined): string {
  const again = (run?.restarts ?? 0) > 0 || scene.subject.reason === 'CrashLoopBackOff';
  return `${again ? 'keeps ending' : 'ended'}${run ? ` with exit code ${run.exitCode}` : ''}`;
}

function exitMeaning(exitCode: number): { meaning: string; advice: string } {
  const known = EXIT_CODES[exitCode];
  if (known) return known;
  if (exitCode > 128 && exitCode < 160)
    return { meaning: `it was ended by signal ${exitCode - 128}`, advice: 'Look at the events around that instant for who sent it.' };
  return {
    meaning: 'the program ended with an error code of its own',
    advice: 'Its documentation and its log of the last run say what it means.',
  };
}
