import { fieldPath } from '../fix/apply.ts';
import type { StartFact } from '../facts/start.ts';
import { code, heartOf } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { dropCommand, otherProgram, runnable } from './cures/command.ts';
import { memoryLimit, raiseMemory } from './cures/memory.ts';
import { describe } from './commands.ts';
import { change, factsOf, type Place, type Rule, type Scene, who } from './rule.ts';

/** A container whose process cannot be started: program, rights, folder, format, user. */
export const start: Rule = {
  id: 'start',
  reasons: ['StartError', 'RunContainerError', 'ContainerCannotRun', 'CrashLoopBackOff', 'Error', 'PreStartHookError'],
  answer(scene) {
    const facts = factsOf(scene, 'start').filter(
      ({ container }) => container === null || container === scene.subject.container || scene.subject.container === null,
    );
    const fact = facts.find(({ cause }) => cause !== 'other') ?? facts[0];
    if (!fact) return undefined;
    const place = scene.place(fact.container ?? scene.subject.container);
    const isUser = fact.cause === 'user';
    const subject = fact.subject ?? (isUser ? null : (place?.container?.command?.[0] ?? null));
    return { ...meaning(fact, subject, scene, place), evidence: [fact.evidence], commands: [describe(scene.subject)] };
  },
};

type Told = Omit<ReturnType<Rule['answer']> & object, 'evidence' | 'commands'>;

function meaning({ cause, evidence }: StartFact, subject: string | null, scene: Scene, place: Place | undefined): Told {
  const name = code(subject ?? 'its program');
  const image = place?.container?.image ?? '';
  const says = (
    because: string,
    advice: string,
    whereToLook: string,
    corrections: RuleCorrection[],
    culprit = subject ?? because,
  ): Told => ({
    summary: `${who(scene)} cannot start: ${because}.`,
    culprit,
    advice: [advice],
    corrections,
    noCure: { why: 'Nothing in the manifest is known that would start another program.', whereToLook },
  });
  const tellers: Record<StartFact['cause'], () => Told> = {
    'not-found': () => {
      const field = place?.container?.command?.length ? '`command`' : place?.container?.args?.length ? '`args`' : "the image's entrypoint";
      return says(
        `${name} is not in the image`,
        `Correct ${field}, or use an image that has ${name}.`,
        "the image's contents and its entrypoint",
        [...otherProgram(place, subject ?? ''), ...dropCommand(place, `${name} is not in the image`)],
      );
    },
    'not-executable': () =>
      says(
        `${name} may not be executed`,
        'Give the file the right to be executed (`chmod +x` in the image), or run it with its interpreter.',
        "the file's mode in the image or volume",
        [...runnable(place, subject ?? ''), ...dropCommand(place, `${name} cannot be executed`)],
      ),
    'exec-format': () =>
      says(
        `${name} is built for another processor than the node's, or is a script without its first line \`#!\``,
        'Build the image for the platform of the nodes, or begin the script with `#!/bin/sh`.',
        "the image's platforms and `kubectl get nodes -L kubernetes.io/arch`",
        runnable(place, subject ?? ''),
        subject ?? 'exec format error',
      ),
    'working-dir': () =>
      says(
        `its working directory ${name} is not there or closed to its user`,
        'Correct `workingDir`, or make the folder in the image.',
        'the folders of the image',
        withoutWorkingDir(place),
      ),
    'mount-type': () =>
      says(
        `a volume is mounted ${subject ? `at ${name} ` : ''}where the image has a file (or the other way round)`,
        'Mount one file of a volume with `subPath`, or mount the volume at a folder.',
        "the container's `volumeMounts` and what the image has there",
        subPathOfFile(place, subject),
      ),
    memory: () =>
      says(
        `its memory limit ${code(memoryLimit(place)?.written ?? '')} is too low to start any process`,
        'Raise the memory limit; `m` is a thousandth, `Mi` was probably meant.',
        'the memory limit',
        raiseMemory(scene, 'a container needs some mebibytes to start'),
        `memory limit ${memoryLimit(place)?.written ?? ''}`.trim(),
      ),
    user: () =>
      says(
        subject ? `the image has no user ${name}` : `the image ${code(image)} names a user that it does not have`,
        'Give the user by number (`runAsUser`), or make it in the image.',
        "the image's `USER` and `/etc/passwd`",
        withUserNumber(place),
        subject ? `user ${subject}` : `user of image ${image}`,
      ),
    other: () =>
      says(
        `the container runtime cannot start its process: ${code(heartOf(evidence.text))}`,
        "Read the runtime's message: it names what is wrong.",
        "the container runtime's log on the node",
        dropCommand(place, 'the process it names cannot be started'),
        heartOf(evidence.text) || 'container start',
      ),
  };
  return tellers[cause]();
}

function withoutWorkingDir(place: Place | undefined): RuleCorrection[] {
  if (!place?.container?.workingDir) return [];
  return [
    {
      title: "Start in the image's own folder",
      changes: [change(place, fieldPath(place.path, 'workingDir'), null, 'the image has no such folder, or its user may not enter it')],
      confidence: 'likely',
      explanation: "Without `workingDir` the image's own is used.",
      mirrorable: true,
    },
  ];
}

function subPathOfFile(place: Place | undefined, target: string | null): RuleCorrection[] {
  const mounts = place?.container?.volumeMounts ?? [];
  const index = mounts.findIndex(
    ({ mountPath, subPath }) =>
      !subPath && (target === null ? /\.[a-z]{1,5}$/.test(mountPath) : mountPath === target || target.endsWith(mountPath)),
  );
  const mount = mounts[index];
  if (!place || !mount) return [];
  const file = mount.mountPath.slice(mount.mountPath.lastIndexOf('/') + 1);
  return [
    {
      title: `Mount only the file ${code(file)}`,
      changes: [
        change(place, fieldPath(place.path, 'volumeMounts', index, 'subPath'), file, 'a volume is a folder and cannot stand in for a file'),
      ],
      confidence: 'likely',
      explanation: `It needs a key ${code(file)} in volume ${code(mount.name)}.`,
      mirrorable: true,
    },
  ];
}

function withUserNumber(place: Place | undefined): RuleCorrection[] {
  if (!place?.container) return [];
  return [
    {
      title: 'Run as user 1000',
      changes: [
        change(
          place,
          fieldPath(place.path, 'securityContext', 'runAsUser'),
          1000,
          'the image has no such user; a number needs no entry in it',
        ),
      ],
      confidence: 'guess',
      explanation: 'Whether its files allow this user, a mirror shows.',
      mirrorable: true,
    },
  ];
}
