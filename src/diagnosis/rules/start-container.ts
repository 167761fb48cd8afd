import { fieldPath } from '../../crd/field-path.ts';
import type { StartFact } from '../facts/start.ts';
import { code, withoutWrappers } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { asArguments, byInterpreter, dropCommand, otherProgram, runnable, wrongFormat } from '../corrections/command/command.ts';
import { missingFile } from '../corrections/files/missing-file.ts';
import { memoryLimit, raiseMemory } from '../corrections/memory/memory.ts';
import { nearest } from '../corrections/similar-names.ts';
import { mountedAt } from '../corrections/files/other-folder.ts';
import { besideProgram } from '../corrections/files/mount-one-file.ts';
import { keysText, otherReferences } from '../corrections/references.ts';
import { missingIn, type MissingObject, referencesIn } from '../facts/references.ts';
import { describe } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { factsOf, type ContainerPlace, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule, type RuleAnswer } from './rule.ts';

/** The runtime cannot start the container's process. The message names the cause: program, rights, folder, format, user. */
export const start: DiagnosisRule = {
  id: 'start',
  reasons: ['StartError', 'RunContainerError', 'ContainerCannotRun', 'CrashLoopBackOff', 'Error', 'PreStartHookError'],
  answer(input) {
    const facts = factsOf(input, 'start').filter(
      ({ container }) => container === null || container === input.subject.container || input.subject.container === null,
    );
    const fact = facts.find(({ cause }) => cause !== 'other') ?? facts[0];
    if (!fact) return undefined;
    const place = input.place(fact.container ?? input.subject.container);
    const isUser = fact.cause === 'user';
    const subject = fact.subject ?? (isUser ? null : (place?.container?.command?.[0] ?? null));
    const start = { input, place, subject, name: code(subject ?? 'its program'), message: fact.evidence.text };
    return { ...answer(start, EXPLANATIONS[fact.cause](start)), evidence: [fact.evidence] };
  },
};

/** The process that cannot be started. `subject` is the program, folder, mount or user; `name` the same as code. */
interface FailedStart {
  input: RuleInput;
  place: ContainerPlace | undefined;
  subject: string | null;
  name: string;
  message: string;
}

interface ExplainedStart {
  /** Completes "X cannot start: …". */
  because: string;
  culprit?: string;
  advice: string;
  whereToLook: string;
  corrections: Correction[];
}

function answer(start: FailedStart, { because, culprit, advice, whereToLook, corrections }: ExplainedStart): Omit<RuleAnswer, 'evidence'> {
  return {
    summary: `${who(start.input)} cannot start: ${because}.`,
    culprit: culprit ?? start.subject ?? because,
    advice: [advice],
    commands: [describe(start.input.subject)],
    corrections,
    noCorrection: { why: 'No known change of the manifest would start the program.', whereToLook },
  };
}

/** Where a relative path begins, if the manifest says so. */
function workFolder(place: ContainerPlace | undefined): string {
  const folder = place?.container?.workingDir;
  return folder === undefined ? ', which is the one of the image' : ` ${code(folder)}`;
}

const EXPLANATIONS: Record<StartFact['cause'], (start: FailedStart) => ExplainedStart> = {
  'not-found'({ input, place, subject, name }) {
    if (subject === '')
      return {
        because: 'the name of its program is empty',
        culprit: 'command ""',
        advice: `Correct ${fieldOfProgram(place)}: its first word is the program.`,
        whereToLook: "the container's `command` and `args`",
        corrections: dropCommand(place, 'its first word is empty'),
      };
    const hidden = besideProgram(input, subject ?? '');
    const words = asArguments(place);
    const others = [
      ...words,
      ...missingFile(input, subject ?? ''),
      ...otherProgram(place, subject ?? ''),
      ...dropCommand(place, `${name} is not in the image`),
    ];
    if (hidden)
      return {
        because: `${name} is not there: volume ${code(hidden.volume)} is mounted at ${code(hidden.folder)} and hides what the image has in that folder`,
        culprit: `volume ${hidden.volume} at ${hidden.folder}`,
        advice: 'Mount the volume at another folder, or only its files with `subPath`.',
        whereToLook: "the container's `volumeMounts` and the folders of the image",
        corrections: [...hidden.corrections, ...others],
      };
    if (words.length > 0)
      return {
        because: `\`command\` is ${name}, which replaces the program of the image and is none`,
        culprit: `command ${subject ?? ''}`,
        advice: 'Give the words as `args`: the program of the image then gets them.',
        whereToLook: "the container's `command` and `args`",
        corrections: others,
      };
    const isLine = /\S\s+\S/.test(subject ?? '');
    return {
      because: /^\.{1,2}\//.test(subject ?? '')
        ? `${name} is not in its working folder${workFolder(place)}`
        : isLine
          ? `${name} is taken for the name of one program`
          : `${name} is not in the image`,
      ...(isLine ? { culprit: `command ${subject ?? ''}` } : {}),
      advice: `Correct ${fieldOfProgram(place)}, or use an image that has ${name}.`,
      whereToLook: "the image's contents and its entrypoint",
      corrections: others,
    };
  },
  'not-executable': ({ place, subject, name }) => ({
    because: `${name} is not executable`,
    advice: 'Make the file executable (`chmod +x` in the image), or run it with its interpreter.',
    whereToLook: "the file's mode in the image or volume",
    corrections: [...runnable(place, subject ?? ''), ...dropCommand(place, `${name} cannot be executed`)],
  }),
  'exec-format': ({ place, subject }) => ({
    because: wrongFormat(subject ?? undefined),
    culprit: subject ?? 'exec format error',
    advice: 'Build the image for the platform of the nodes, or begin the script with `#!/bin/sh`.',
    whereToLook: "the image's platforms and `kubectl get nodes -L kubernetes.io/arch`",
    corrections: byInterpreter(place, subject ?? '', 'Only an interpreter can run this file.'),
  }),
  'working-dir': ({ place, name }) => ({
    because: `its working directory ${name} does not exist, or its user cannot enter it`,
    advice: 'Correct `workingDir`, or create the folder in the image.',
    whereToLook: 'the folders of the image',
    corrections: withoutWorkingDir(place),
  }),
  'mount-type'({ input, place, subject, name, message }) {
    const told = place?.container?.terminationMessagePath;
    if (place && told && told !== '/dev/termination-log' && subject?.endsWith(told))
      return {
        because: `its termination message goes to ${code(told)}, which is a folder of the image`,
        culprit: `terminationMessagePath ${told}`,
        advice: 'Use the path of a file that the image does not have as a folder, or none: the default is `/dev/termination-log`.',
        whereToLook: "the container's `terminationMessagePath`",
        corrections: [
          {
            title: 'Use the usual path for the termination message',
            changes: [
              change(place, fieldPath(place.path, 'terminationMessagePath'), null, 'kubelet puts a file there, and the image has a folder'),
            ],
            confidence: 'likely',
            explanation: 'Without it the message goes to `/dev/termination-log`.',
            mirrorable: true,
          },
        ],
      };
    const file = place && oneFileAtFolder(place, subject, message);
    if (file) return file;
    const missing = place ? missingPart(input, place, subject) : undefined;
    const key = code(missing?.key ?? '');
    if (missing)
      return {
        because: `${missing.what} ${code(missing.name)} has no key ${key}, which is mounted at ${name}`,
        culprit: `key ${missing.key} in ${missing.what} ${missing.name}`,
        advice: [`Correct the \`subPath\`, or add the key ${key}.`, keysText(input, missing) ?? ''].join(' ').trim(),
        whereToLook: `the keys of ${missing.what} ${code(missing.name)}`,
        corrections: otherReferences(input, missing),
      };
    return {
      because: `a volume is mounted ${subject ? `at ${name} ` : ''}where the image has a file (or the other way round)`,
      advice: 'Mount one file of a volume with `subPath`, or mount the volume at a folder.',
      whereToLook: "the container's `volumeMounts` and what the image has there",
      corrections: subPathOfFile(place, subject),
    };
  },
  memory({ input, place }) {
    const limit = memoryLimit(place)?.written ?? '';
    const filled = place?.spec.volumes?.find(({ emptyDir }) => emptyDir?.medium === 'Memory');
    return {
      because: filled
        ? `its memory limit ${code(limit)} is used up before it starts; the files in volume ${code(filled.name)}, which is in memory, count too`
        : `its memory limit ${code(limit)} is too low to start any process`,
      culprit: `memory limit ${limit}`.trim(),
      advice: /^\d+m$/.test(limit)
        ? 'Raise the memory limit. `m` means a thousandth; `Mi` was probably meant.'
        : 'Raise the memory limit above what volumes in memory hold and the program needs.',
      whereToLook: 'the memory limit',
      corrections: raiseMemory(input, filled ? `the files in ${code(filled.name)} use it up` : 'a container needs some mebibytes to start'),
    };
  },
  user({ place, subject, name }) {
    const image = place?.container?.image ?? '';
    return {
      because: subject ? `the image has no user ${name}` : `the image ${code(image)} names a user that it does not have`,
      culprit: subject ? `user ${subject}` : `user of image ${image}`,
      advice: 'Give the user as a number (`runAsUser`), or create it in the image.',
      whereToLook: "the image's `USER` and `/etc/passwd`",
      corrections: withUserNumber(place),
    };
  },
  capability: ({ place, subject, name }) => ({
    because: `there is no capability ${name}`,
    culprit: `capability ${subject ?? ''}`,
    advice: 'Correct the name in `securityContext.capabilities`; it stands there without `CAP_`.',
    whereToLook: "the container's `securityContext.capabilities`",
    corrections: knownCapability(place, subject ?? ''),
  }),
  other({ place, message }) {
    const text = withoutWrappers(message);
    return {
      because: `the container runtime cannot start its process: ${code(text)}`,
      culprit: text || 'container start',
      advice: 'Correct what the message names, or run another command in the container and look at its files.',
      whereToLook: "the container runtime's log on the node",
      corrections: dropCommand(place, 'the process it names cannot be started'),
    };
  },
};

/** A single file of a volume is mounted where the image has a folder. */
function oneFileAtFolder(place: ContainerPlace, subject: string | null, message: string): ExplainedStart | undefined {
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex(({ subPath, mountPath }) => subPath && (subject?.endsWith(mountPath.replace(/\/$/, '')) ?? false));
  const { subPath = '', mountPath = '' } = mounts[index] ?? {};
  const key = subPath.slice(subPath.lastIndexOf('/') + 1);
  const folder = mountPath.replace(/\/$/, '');
  if (!message.includes('volume-subpaths') || key === '' || folder.endsWith(`/${key}`) || /\.\w{1,5}$/.test(folder)) return undefined;
  return {
    because: `the file ${code(subPath)} of a volume is mounted at ${code(folder)}, which is a folder of the image`,
    culprit: folder,
    advice: 'With `subPath` the `mountPath` is the path of the file, not of its folder.',
    whereToLook: "the container's `volumeMounts`",
    corrections: [
      mountedAt(
        place,
        { index, to: `${folder}/${key}`, what: 'file' },
        {
          why: 'a file cannot replace a folder',
          explanation: `The container then finds it in ${code(folder)}, beside what the image has there.`,
        },
      ),
    ],
  };
}

const CAPABILITIES = [
  'AUDIT_WRITE', 'BPF', 'CHOWN', 'DAC_OVERRIDE', 'DAC_READ_SEARCH', 'FOWNER', 'FSETID', 'IPC_LOCK', 'IPC_OWNER', 'KILL', 'LEASE', 'MKNOD', 'NET_ADMIN',
  'NET_BIND_SERVICE', 'NET_BROADCAST', 'NET_RAW', 'PERFMON', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_ADMIN', 'SYS_BOOT', 'SYS_CHROOT', 'SYS_MODULE',
  'SYS_NICE', 'SYS_PACCT', 'SYS_PTRACE', 'SYS_RAWIO', 'SYS_RESOURCE', 'SYS_TIME', 'SYS_TTY_CONFIG', 'SYSLOG', 'WAKE_ALARM', 'ALL',
]; // prettier-ignore

/** Replaces a capability that does not exist, wherever the container names it, with the one that was probably meant. */
function knownCapability(place: ContainerPlace | undefined, wrong: string): Correction[] {
  const [near] = nearest(wrong, CAPABILITIES);
  const { add = [], drop = [] } = (place?.container?.securityContext?.capabilities ?? {}) as { add?: string[]; drop?: string[] };
  const bare = (name: string) => name.replace(/^CAP_/, '').toUpperCase();
  if (!place || near === undefined) return [];
  const changes = Object.entries({ add, drop }).flatMap(([list, names]) =>
    names.flatMap((name, index) =>
      bare(name) === bare(wrong)
        ? [
            change(
              place,
              fieldPath(place.path, 'securityContext', 'capabilities', list, index),
              near,
              `there is no capability ${code(name)}`,
            ),
          ]
        : [],
    ),
  );
  if (changes.length === 0) return [];
  const explanation = `${code(wrong)} looks like a typo of ${code(near)}. It is a right that the pod asked for under a wrong name.`;
  return [{ title: `Name the capability ${code(near)}`, changes, confidence: 'likely', explanation, mirrorable: false }];
}

/** The key that a `subPath` mounted at this path names, but that its ConfigMap or Secret lacks. */
function missingPart(
  { subject }: RuleInput,
  { spec, specPath, container }: ContainerPlace,
  target: string | null,
): MissingObject | undefined {
  const mounts = (container?.volumeMounts ?? []).filter(
    ({ subPath, mountPath }) => subPath && (target === null || target.endsWith(mountPath)),
  );
  const own = referencesIn(spec, specPath).filter(({ volume, key }) =>
    mounts.some(({ name, subPath }) => name === volume && subPath === key),
  );
  return missingIn(own, subject.surroundings).find(({ key }) => key !== null);
}

function fieldOfProgram(place: ContainerPlace | undefined): string {
  if (place?.container?.command?.length) return '`command`';
  return place?.container?.args?.length ? '`args`' : "the image's entrypoint";
}

function withoutWorkingDir(place: ContainerPlace | undefined): Correction[] {
  if (!place?.container?.workingDir) return [];
  return [
    {
      title: "Start in the image's own working directory",
      changes: [
        change(place, fieldPath(place.path, 'workingDir'), null, 'the image does not have this folder, or its user cannot enter it'),
      ],
      confidence: 'likely',
      explanation: "Without `workingDir` the container starts in the image's own.",
      mirrorable: true,
    },
  ];
}

function subPathOfFile(place: ContainerPlace | undefined, target: string | null): Correction[] {
  const mounts = place?.container?.volumeMounts ?? [];
  const index = mounts.findIndex(
    ({ name, mountPath, subPath }) =>
      !subPath &&
      hasKeys(place, name) &&
      (target === null ? /\.[a-z]{1,5}$/.test(mountPath) : mountPath === target || target.endsWith(mountPath)),
  );
  const mount = mounts[index];
  if (!place || !mount) return [];
  const file = mount.mountPath.slice(mount.mountPath.lastIndexOf('/') + 1);
  return [
    {
      title: `Mount only the file ${code(file)}`,
      changes: [
        change(place, fieldPath(place.path, 'volumeMounts', index, 'subPath'), file, 'a volume is a folder and cannot replace a file'),
      ],
      confidence: 'likely',
      explanation: `It needs a key ${code(file)} in volume ${code(mount.name)}.`,
      mirrorable: true,
    },
  ];
}

/** Whether a volume can have a file of a name that the manifest knows: only keys are files. */
function hasKeys(place: ContainerPlace | undefined, name: string): boolean {
  const volume = place?.spec.volumes?.find((one) => one.name === name);
  return !volume?.emptyDir;
}

function withUserNumber(place: ContainerPlace | undefined): Correction[] {
  if (!place?.container) return [];
  return [
    {
      title: 'Run as user 1000',
      changes: [
        change(
          place,
          fieldPath(place.path, 'securityContext', 'runAsUser'),
          1000,
          'the image has no such user; a number needs no entry in `/etc/passwd`',
        ),
      ],
      confidence: 'guess',
      explanation: 'A mirror shows whether its files allow this user.',
      mirrorable: true,
    },
  ];
}
