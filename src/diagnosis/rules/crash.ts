import { commandWords, isShell } from '../corrections/container-texts.ts';
import { withSetting } from './setting-behind/setting-behind.ts';
import { causeIn, type LastLineFact, type LogFact } from '../facts/log.ts';
import { listedBeside } from '../facts/listed-beside.ts';
import { generalSignatures } from './signatures/general.ts';
import type { Quote } from '../facts/message.ts';
import type { RunFact } from '../facts/status.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { phraseIn } from '../facts/phrase.ts';
import { DO_AS_ASKED, type Meaning } from '../corrections/meaning.ts';
import { foundInLogs } from '../facts/log-sections.ts';
import { code } from '../rendering/quote.ts';
import { joined } from '../corrections/combine.ts';
import type { Correction } from '../corrections/correction.ts';
import { logs } from '../rendering/commands.ts';
import { dropOption } from '../corrections/settings/argument.ts';
import { proposedOption, proposedValue } from '../corrections/settings/proposed-option.ts';
import { valueMeaning } from '../corrections/settings/values.ts';
import { askedToEnd, SIGTERM } from './asked-to-end.ts';
import { dropCommand } from '../corrections/command/command.ts';
import { asInitContainer } from '../corrections/command/container-order.ts';
import { staysEnded } from './stays-ended.ts';
import { emptySharedMemory } from '../corrections/memory/shared-memory.ts';
import { type RuleAnswer, type DiagnosisRule } from './rule.ts';
import { change } from '../corrections/change.ts';
import { factOf, factsOf, type ContainerPlace, type RuleInput, who } from '../facts/input.ts';

/** Options that make a server run in the background. */
const BACKGROUND = /^--?(?:daemoni[sz]e|daemon|detach|background|fork)(?:=(?:yes|true|on|1))?$/i;

/** What an exit code means when the log says nothing. */
const EXIT_CODES: Record<number, { meaning: string; advice: string }> = {
  0: {
    meaning: 'it ended by itself without an error',
    advice: 'A container of a Deployment must not end. Start the program in the foreground, or run it as a Job.',
  },
  1: {
    meaning: 'the program ended with a general error',
    advice: 'The log of its last run says why. The first error there is usually the cause.',
  },
  2: {
    meaning: 'a shell command was used wrongly, or a Go program panicked',
    advice: 'Check the arguments, and the first lines of the trace in the log.',
  },
  125: { meaning: 'the container could not be run', advice: 'Check the command and its options.' },
  126: {
    meaning: 'the command exists but is not executable',
    advice: 'Make the file executable, or run it with its interpreter.',
  },
  127: { meaning: 'the shell did not find a command', advice: 'Correct the name, or use an image that has it.' },
  128: { meaning: 'the process could not be started, or it ended with an invalid code', advice: "Read the runtime's message." },
  132: {
    meaning: 'it was killed by SIGILL: an instruction that this processor does not have',
    advice: 'Use a build for the processors of the nodes.',
  },
  134: { meaning: 'it aborted itself (SIGABRT)', advice: 'An assertion failed or the runtime gave up. The log lines before it say why.' },
  135: {
    meaning: 'it was killed by SIGBUS, often because `/dev/shm` (64 MiB) is full',
    advice: 'Give it more shared memory: an `emptyDir` of medium `Memory` at `/dev/shm`.',
  },
  136: { meaning: 'it was killed by SIGFPE, a division by zero', advice: 'The program itself fails. Look at the trace.' },
  137: {
    meaning: 'it was killed (SIGKILL), most often from outside: out of memory, a failed probe, or the end of its grace period',
    advice:
      'Look for `OOMKilled`, `Unhealthy` or `Killing` among the events, and at the memory of the node. Without any of them the program may kill itself: read its last log lines.',
  },
  139: {
    meaning: 'it was killed by SIGSEGV, an access to memory that it does not own',
    advice: 'The program or a library has a bug, or it was built for another base image.',
  },
  143: {
    meaning: 'it was asked to end (SIGTERM)',
    advice: 'Something stopped it: a probe, a deletion, a node that is drained. Look at the events of that time.',
  },
  255: {
    meaning: 'it ended with a code out of range, as after `exit(-1)` or with a broken entrypoint',
    advice: 'Its log says why. `ssh` and many scripts end with this code after any error.',
  },
};

/** The process exited. The log gives the reason; if it does not, the exit code does. */
export const crash: DiagnosisRule = {
  id: 'crash',
  reasons: ['CrashLoopBackOff', 'Error', 'OOMKilled', 'ContainerStatusUnknown', 'BackoffLimitExceeded'],
  answer(input) {
    const runs = factsOf(input, 'run').filter(({ container }) => input.subject.container === null || container === input.subject.container);
    const run = runs.find(({ exitCode }) => exitCode !== 0) ?? runs[0];
    const log = factOf(input, 'log');
    if (!run && !log && !isCrash(input.subject.reason)) return undefined;
    const kept = run && staysEnded(input, run);
    if (kept) return kept;
    if (run?.exitCode === 0) return log && isItsEnd(input, log) ? explainedByLog(input, run, log) : endedWithoutError(input, run);
    return log ? explainedByLog(input, run, log) : withoutLog(input, run);
  },
};

/** Whether a program that exited with 0 says in its log why it gave up. A program that moves to the background exits with 0 on purpose. */
function isItsEnd(input: RuleInput, { mild, signature, line }: LogFact): boolean {
  const { command, args } = input.place()?.container ?? {};
  if (mild || [...(command ?? []), ...(args ?? [])].some((word) => BACKGROUND.test(word))) return false;
  return !signature.general || /\b(?:FATAL|ERROR|CRITICAL|PANIC)\b|\bpanic:|^(?:fatal|error|critical)\b/i.test(line.slice(0, 120));
}

function isCrash(reason: string): boolean {
  return reason === 'CrashLoopBackOff' || reason === 'Error';
}

function explainedByLog(input: RuleInput, run: RunFact | undefined, log: LogFact): RuleAnswer {
  const meaning = withFaultsBeside(input, log, meaningOf(input, log));
  return explained(input, run, { line: log.line, evidence: log.evidence, meaning });
}

function meaningOf(input: RuleInput, log: LogFact): Meaning {
  const told = log.signature.explain(log.groups, input, log.line);
  const meaning = valueMeaning(input, log.line, log.signature.general === true || told.inCode === true) ?? told;
  return withSetting({ input, log, meaning, inCode: told.inCode === true });
}

/**
 * The meaning with a first correction that answers all faults of the list that the line belongs to. If one of them has no sure correction, the
 * first one is a guess: the program then fails on that.
 */
function withFaultsBeside(input: RuleInput, log: LogFact, meaning: Meaning): Meaning {
  const [first, ...rest] = meaning.corrections ?? [];
  if (!first) return meaning;
  const others = listedBeside(input.subject, log.evidence.text).flatMap((line) => {
    const fault = causeIn(line, log);
    return fault ? [{ line, first: meaningOf(input, fault).corrections?.[0] }] : [];
  });
  const made = new Set(first.changes.map(({ path, to }) => JSON.stringify([path, to])));
  const open = others.filter((one) => !one.first?.changes.every(({ path, to }) => made.has(JSON.stringify([path, to]))));
  if (open.length === 0) return meaning;
  const sure = open.flatMap((one) => (one.first && one.first.confidence !== 'guess' ? [one.first] : []));
  const unanswered = open.filter((one) => !one.first || one.first.confidence === 'guess').map(({ line }) => code(line, 120));
  const all = joined(first, ...sure);
  const partial = { ...all, confidence: 'guess', explanation: `${all.explanation} The log also says: ${unanswered.join(', ')}.` } as const;
  return { ...meaning, corrections: [unanswered.length > 0 ? partial : all, ...rest] };
}

/** A line of the log, and what it means. */
interface ExplainedLine {
  line: string;
  evidence: Quote;
  meaning: Meaning;
}

function explained(input: RuleInput, run: RunFact | undefined, { line, evidence, meaning }: ExplainedLine): RuleAnswer {
  return {
    summary: `${who(input)} ${ends(input, run)}, because ${meaning.because}.`,
    culprit: withIndex(input, culpritOf(meaning.culprit, line)),
    evidence: [evidence, ...(run ? [run.evidence] : [])],
    advice: meaning.advice,
    commands: [...logs(input.subject), ...(meaning.commands ?? [])],
    corrections: meaning.corrections ?? [],
    noCorrection: meaning.elsewhere
      ? { why: meaning.elsewhere, whereToLook: meaning.whereToLook }
      : { why: `The cause lies outside of what the manifest shows: ${meaning.because}.`, whereToLook: meaning.whereToLook, isOpen: true },
  };
}

/** The culprit, with the index of a pod of an Indexed Job: the others may work. */
function withIndex({ subject }: RuleInput, culprit: string): string {
  const index = subject.labels?.['batch.kubernetes.io/job-completion-index'];
  return index === undefined ? culprit : `${culprit} (index ${index} of the Job)`;
}

/** Appends the program's words to a name that Podmend made up ("Redis login"). A name taken from the line ("port 80") stands alone. */
function culpritOf(culprit: string | null, line: string): string {
  const phrase = phraseIn(line);
  if (culprit === null || culprit.includes(phrase)) return culprit ?? phrase;
  // The head of a list says nothing itself.
  if (/[[{]$/.test(line)) return culprit;
  const words = culprit.split(/[\s=]/);
  const name = words.findLast((word) => /[\d/_.]/.test(word)) ?? (culprit.includes('=') ? words.at(-1) : undefined);
  const folded = line.toLowerCase();
  const isSaid = (word: string) =>
    (/[A-Z]_/.test(word) ? line : folded).includes((/[A-Z]_/.test(word) ? word : word.toLowerCase()).split(':', 1)[0] ?? '');
  if (name ? isSaid(name) : words.every(isSaid)) return culprit;
  // After a colon, masking would treat the first word as the value of `POSTGRES_PASSWORD`.
  return /^[A-Z][A-Z\d_]*$/.test(culprit) ? `${culprit} (${phrase})` : `${culprit}: ${phrase}`;
}

const SILENT =
  'No line of its log is known. If it logs nothing, run it by hand (`kubectl debug`, or `command: [sleep, "3600"]`) and see what it does.';

/** What a line means of which only the proposal in it is understood. */
function proposalAlone(input: RuleInput, line: string): Meaning | undefined {
  const variable = proposedValue(input, line);
  if (variable)
    return {
      because: `the program does not take ${code(variable.value)} as ${code(variable.name)}, and proposes ${code(phraseIn(line), 120)}`,
      culprit: `${variable.name}=${variable.value}`,
      advice: [DO_AS_ASKED],
      corrections: variable.corrections,
      whereToLook: "the container's `env`",
    };
  const corrections = proposedOption(input, line);
  if (corrections.length === 0) return undefined;
  const because = `the program ends with ${code(phraseIn(line), 200)}`;
  return {
    because,
    culprit: null,
    advice: [DO_AS_ASKED],
    corrections,
    whereToLook: "the container's `args`",
  };
}

function byExitCode(input: RuleInput, exitCode: number | undefined): Correction[] {
  if (exitCode === 135) return emptySharedMemory(input.place());
  return exitCode === 126 || exitCode === 127 ? dropCommand(input.place(), exitMeaning(exitCode).meaning) : [];
}

/** What the settings show where the last line of the log is not known; undefined if they show nothing. */
function settingsBehind(input: RuleInput, { line, container, evidence }: LastLineFact): Meaning | undefined {
  const [signature] = generalSignatures.slice(-1);
  if (!signature) return undefined;
  const log: LogFact = { kind: 'log', signature, groups: {}, mild: false, line, container, evidence };
  const meaning = withSetting({ input, log, meaning: signature.explain({}, input, line), inCode: false });
  return meaning.corrections?.length ? meaning : undefined;
}

/** What the last line means by the values in it, by what it proposes, or by the settings behind it. */
function meaningOfLast(input: RuleInput, last: LastLineFact): Meaning | undefined {
  return valueMeaning(input, last.line, true) ?? proposalAlone(input, last.line) ?? settingsBehind(input, last);
}

function withoutLog(input: RuleInput, run: RunFact | undefined): RuleAnswer {
  const asked = run?.exitCode === SIGTERM ? askedToEnd(input, run) : undefined;
  if (asked) return asked;
  const last = factOf(input, 'last-line');
  const exit = run && exitMeaning(run.exitCode);
  const meaning = last && (cutScript(input) ?? meaningOfLast(input, last));
  if (last && meaning) return explained(input, run, { line: last.line, evidence: last.evidence, meaning });
  return {
    summary: `${who(input)} ${ends(input, run)}${exit ? `: ${exit.meaning}` : ''}${last ? `; its last log line is ${code(last.line)}` : ''}.`,
    culprit: (last && phraseIn(last.line)) ?? (run ? `exit code ${run.exitCode}` : null),
    evidence: [...(last ? [last.evidence] : []), ...(run ? [run.evidence] : [])],
    advice: [exit?.advice ?? 'Read the log of the last run.', ...(last ? [] : [SILENT])],
    commands: logs(input.subject),
    corrections: byExitCode(input, run?.exitCode),
    noCorrection: {
      why: 'The program itself ends, and nothing points at a field of the manifest.',
      whereToLook: 'the log around its end, and what changed in the image or its configuration since it last worked',
      isOpen: true,
    },
  };
}

/** The container exited with 0 although it should keep running. */
function endedWithoutError(input: RuleInput, run: RunFact): RuleAnswer {
  const asked = askedToEnd(input, run);
  if (asked) return asked;
  const last = factOf(input, 'last-line') ?? factOf(input, 'log');
  const place = input.place();
  const words = commandWords(place?.container);
  const image = place?.container?.image ?? '';
  const daemon = words.find((word) => BACKGROUND.test(word));
  const cut = place && !daemon ? wholeScript(place) : undefined;
  const { culprit, why } = cut
    ? {
        culprit: `command ${words.slice(0, 3).join(' ')}`,
        why: `: ${code('-c')} takes only ${code(words[2] ?? '', 60)} as its script, and not the words behind it`,
      }
    : whyItEnds(image, words, daemon);
  return {
    summary: `${who(input)} ends by itself with exit code 0 and is started again and again${why}.`,
    culprit,
    evidence: [run.evidence, ...(last ? [last.evidence] : [])],
    advice: [
      EXIT_CODES[0]?.advice ?? '',
      'For Kubernetes a server that goes into the background has ended. Use its foreground option (`nginx -g "daemon off;"`, `--nodaemon`).',
    ],
    commands: logs(input.subject),
    corrections: [
      ...(daemon
        ? dropOption(place, daemon, {
            why: 'in the foreground it keeps the container running',
            explanation: 'The program then keeps running.',
          })
        : startsShell(image, words)
          ? keptWaiting(place)
          : onlyOnce(input, place)),
      ...dropCommand(place, 'the program that it starts ends at once'),
    ],
    noCorrection: {
      why: 'The program ends as it is meant to. Only its author knows what should run instead.',
      whereToLook: "the image's entrypoint, and whether this work should be a Job",
      isOpen: true,
    },
  };
}

/** Images of systems and languages: what they start without a command is a shell or an interpreter (their Dockerfiles, `CMD`). */
const STARTS_SHELL =
  /^(?:docker\.io\/)?(?:library\/)?(?:alpine|amazoncorretto|amazonlinux|archlinux|bash|busybox|buildpack-deps|centos|debian|eclipse-temurin|fedora|gcc|golang|maven|node|openjdk|opensuse|oraclelinux|perl|php|python|rockylinux|ruby|rust|ubuntu)(?::(?!.*(?:apache|fpm))|@|$)/;

const isImageOfShell = (image: string, words: string[]): boolean => words.length === 0 && STARTS_SHELL.test(image);

/** Whether nothing but a shell or an interpreter is started, by the image or by the pod. */
const startsShell = (image: string, words: string[]): boolean =>
  isImageOfShell(image, words) || (words.length === 1 && isShell(words[0] ?? ''));

/** What shall run in such an image only its author knows. */
function keptWaiting(place: ContainerPlace | undefined): Correction[] {
  if (!place) return [];
  return [
    {
      title: 'Let it wait',
      changes: [change(place, fieldPath(place.path, 'command'), ['sleep', 'infinity'], 'a shell without work ends at once')],
      confidence: 'guess',
      explanation: 'The container then runs, for `kubectl exec`. A command with work to do belongs in its place.',
      mirrorable: true,
    },
  ];
}

function whyItEnds(image: string, words: string[], daemon: string | undefined): { culprit: string; why: string } {
  if (isImageOfShell(image, words))
    return {
      culprit: `exit code 0: image ${image} without a command`,
      why: `: the image ${code(image)} starts a shell or an interpreter, which ends at once without a terminal, and the pod gives it no command`,
    };
  if (startsShell(image, words)) return { culprit: `command ${words[0]}`, why: ': a shell without a terminal ends at once' };
  if (!daemon) return { culprit: 'exit code 0', why: '' };
  return { culprit: `option ${daemon}`, why: `: ${code(daemon)} runs it in the background, and the container ends with its first process` };
}

/** A bare pod that has done its work need not be restarted. Controllers of servers accept only `Always`. */
function restartOnFailure(input: RuleInput, place: ContainerPlace): Correction[] {
  if (place.object.kind !== 'Pod' || input.subject.workload) return [];
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

/** Corrections for a container that finishes its work and exits: do not restart it, or run it as an init container before the servers. */
function onlyOnce(input: RuleInput, place: ContainerPlace | undefined): Correction[] {
  if (!place?.container) return [];
  const isSidecar = place.container.restartPolicy === 'Always' && place.path.startsWith(fieldPath(place.specPath, 'initContainers'));
  const joinedScript = wholeScript(place);
  if (joinedScript) return [joinedScript];
  return [
    ...restartOnFailure(input, place),
    ...(isSidecar ? [endsOnce(place)] : []),
    ...(hasOtherServers(input) ? asInitContainer(place, place.container.name) : []),
  ];
}

/** For a program that says how it is used, because the shell did not give it its arguments. */
function cutScript(input: RuleInput): Meaning | undefined {
  const place = input.place();
  const joinedScript = place && foundInLogs(input.subject, /^(usage): /im) !== '' ? wholeScript(place) : undefined;
  const words = commandWords(place?.container);
  if (!joinedScript) return undefined;
  return {
    because: `the shell runs only ${code(words[2] ?? '', 60)}: ${code('-c')} takes one word as its script, and not the words behind it`,
    culprit: `args of ${words.slice(0, 2).join(' ')}: ${words.slice(2).join(' ')}`,
    advice: ['Write the whole script as one word behind `-c`, or start the program without a shell.'],
    corrections: [joinedScript],
    whereToLook: "the container's `command` and `args`",
  };
}

/** Joins the words after `-c`. A shell takes only the first of them as its script and the others as the script's arguments. */
function wholeScript(place: ContainerPlace): Correction | undefined {
  const { command = [], args = [] } = place.container ?? {};
  const words = [...command, ...args];
  const [shell = '', option = '', script = '', ...more] = words;
  const isCut = isShell(shell) && /^-\w*c$/.test(option) && more.length > 0 && !/[\s$;&|]/.test(script);
  if (!isCut) return undefined;
  const [whole, why] = [[script, ...more].join(' '), '`-c` takes one word as its script'];
  return {
    title: 'Give the shell its whole script as one word',
    changes:
      command.length === 2
        ? [change(place, fieldPath(place.path, 'args'), [whole], why)]
        : [
            change(place, fieldPath(place.path, 'command'), [shell, option, whole], why),
            ...(args.length > 0 ? [change(place, fieldPath(place.path, 'args'), null, 'they are now in the script')] : []),
          ],
    confidence: 'likely',
    explanation: `The shell runs only ${code(script)}.`,
    mirrorable: true,
  };
}

/** Turns a sidecar that does its work and exits into an ordinary init container. */
function endsOnce(place: ContainerPlace): Correction {
  return {
    title: 'Let it run once, before the others',
    changes: [change(place, fieldPath(place.path, 'restartPolicy'), null, 'it does its work and ends; only a sidecar has `Always`')],
    confidence: 'likely',
    explanation: 'Its `restartPolicy` is `Always`, so kubelet starts it again whenever it ends, also after success.',
    mirrorable: true,
  };
}

/** Whether another container of the pod keeps running while this one exits with 0. */
function hasOtherServers({ subject }: RuleInput): boolean {
  return subject.statuses.some(({ name, kind, state }) => name !== subject.container && kind === 'app' && state === 'running');
}

function ends(input: RuleInput, run: RunFact | undefined): string {
  const again = (run?.restarts ?? 0) > 0 || input.subject.reason === 'CrashLoopBackOff';
  return `${again ? 'keeps ending' : 'ended'}${run ? ` with exit code ${run.exitCode}` : ''}`;
}

function exitMeaning(exitCode: number): { meaning: string; advice: string } {
  const known = EXIT_CODES[exitCode];
  if (known) return known;
  if (exitCode > 128 && exitCode < 160)
    return { meaning: `it was ended by signal ${exitCode - 128}`, advice: 'The events of that time may show who sent it.' };
  return {
    meaning: 'the program ended with its own error code',
    advice: 'Its documentation and the log of its last run say what the code means.',
  };
}
