import { volumeAt } from '../../corrections/files/mounted-files.ts';
import { lowPortGiven } from '../../corrections/network/low-port.ts';
import { declaredPort } from '../../corrections/network/other-port.ts';
import { unprivilegedPorts } from '../../corrections/admission/sysctl.ts';
import { asGuess } from '../../corrections/combine.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { appended } from '../../corrections/change.ts';
import { withoutPidFile } from '../../corrections/files/stale-pid-file.ts';
import { inWritableFolder } from '../../corrections/files/work-in-volume.ts';
import { writableCopy } from '../../corrections/files/writable-copy.ts';
import { fileAbove, fileBehind, fileIn } from './file-in-line.ts';
import { escalation, onlyOwnerWrites, ownerOnly } from '../../corrections/files/file-mode.ts';
import { hostDevice } from '../../corrections/files/host-device.ts';
import { lackingCapability } from '../../corrections/admission/capability.ts';
import { folderInVolume } from '../../corrections/files/folder-in-volume.ts';
import { ownerOfFilled } from '../../corrections/files/filled-volume.ts';
import { foundInLogs, logBefore } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { asOrdinaryUser, asRoot } from '../../corrections/files/other-user.ts';
import { inUnusedMount, unmountedFolder } from '../../corrections/files/unused-mount.ts';
import { dropCommand, runnable } from '../../corrections/command/command.ts';
import { writableHome } from '../../corrections/files/home.ts';
import { mountOf } from '../../corrections/files/mounted-files.ts';
import { readOnlyVolume, whereToWrite, writableFolder } from '../../corrections/files/writable-folder.ts';
import type { Correction } from '../../corrections/correction.ts';
import { type ContainerPlace, type RuleInput, userOf } from '../../facts/input.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';

/** The mode that the volume of the file gives it, if it has one. */
function modeOf(input: RuleInput, file: string): string {
  const place = input.place();
  const { volume } = (place && volumeAt(place, file)) ?? {};
  const mode = volume?.secret?.defaultMode ?? volume?.configMap?.defaultMode;
  return mode === undefined ? '' : ` (defaultMode 0${mode.toString(8)})`;
}

/** What SQL Server logs if it may not write to its volume (Microsoft, "Configure SQL Server container images on Linux"): its home is that folder. */
const SERVER_HOME = /sqlservr: Error: The system directory \[\/\.system\] could not be created/;

/** The file that the line before names, where a program breaks its message into lines: `file_put_contents(/app/storage/x):`. */
function fileBefore({ subject }: RuleInput, line: string): string {
  const before = logBefore(subject, line).slice(-400).trimEnd();
  const last = before.slice(before.lastIndexOf('\n') + 1);
  return /[:(]\s*$/.test(last) || /^[a-z]/.test(line) ? fileIn(last) : '';
}

/** What a program says that it is about to open, in one of the lines above its error: `opening spool dir="/var/spool/x"`. */
function opened({ subject }: RuleInput, line: string): string {
  const above = logBefore(subject, line).trimEnd().split('\n').slice(-3).toReversed();
  return (
    above.flatMap(
      (one) => /\b(?:open|creat|prepar|initiali[sz]|writ)ing\b.{0,80}?["'=: ](\/[\w.-]{1,80}(?:\/[\w.-]{1,80}){0,8})/i.exec(one)?.[1] ?? [],
    )[0] ?? ''
  );
}

/** The file that the program may not use; empty where no line names it. npm writes each part of its error in a line of its own. */
function fileMeant(input: RuleInput, line: string): string {
  if (SERVER_HOME.test(line)) return '/var/opt/mssql';
  const ofNpm = (): string => (/^npm /.test(line) ? foundInLogs(input.subject, /^npm (?:ERR!|error) path (\/\S{1,300})/m) : '');
  return fileIn(line) || fileBefore(input, line) || ofNpm();
}

/** Programs whose files carry a capability, other than the usual one for ports below 1024. */
const CAPABILITIES: Readonly<Record<string, string>> = { vault: 'IPC_LOCK', ping: 'NET_RAW' };

/**
 * For a program whose file carries a capability that the container may not have: the kernel then does not start it (capabilities(7), "Capabilities and
 * execution of programs by root" and "Safety checking for capability-dumb binaries").
 */
function ofProgramFile(input: RuleInput, program: string): Correction[] {
  const place = input.place();
  const { drop = [], add } = place?.container?.securityContext?.capabilities ?? {};
  if (!place || !drop.some((one) => one.toUpperCase() === 'ALL')) return [];
  const name = CAPABILITIES[program.slice(program.lastIndexOf('/') + 1)] ?? 'NET_BIND_SERVICE';
  if (add?.includes(name)) return [];
  return [
    {
      title: `Add the capability ${code(name)}`,
      changes: [
        appended(
          place,
          fieldPath(place.path, 'securityContext', 'capabilities', 'add'),
          add,
          name,
          `the file ${code(program)} carries a capability`,
        ),
      ],
      confidence: 'guess',
      explanation: 'The kernel starts no program whose file has a capability that the container may not have.',
      mirrorable: false,
    },
  ];
}

/** The name of a file without its folder, in a line that says that it may not be used. */
const nameDenied = (line: string): string =>
  /(?:^|[\s'"`])([\w-][\w.-]{0,80}\.[A-Za-z]\w{0,10})['"`]?: [Pp]ermission denied/.exec(line)?.[1] ?? '';

/** Whether the line is about creating a folder, not a file in it. */
function isFolder(line: string): boolean {
  return /mkdir|director|folder|locations?\b|data path/i.test(line);
}

/**
 * A file without a folder is in the program's working directory. This assumes that the directory is the mount of the only writable claim.
 */
function onlyVolume(input: RuleInput): Correction[] {
  const place = input.place();
  const mounts = (place?.container?.volumeMounts ?? []).filter(({ name, readOnly }) => {
    const volume = place?.spec.volumes?.find((one) => one.name === name);
    return !readOnly && volume?.persistentVolumeClaim !== undefined;
  });
  const [only, ...more] = mounts;
  if (!only || more.length > 0) return [];
  return writableFolder(place, only.mountPath, true).map(asGuess);
}

/** The only file of a Secret that the container mounts. */
function secretFile(input: RuleInput): string | undefined {
  const place = input.place();
  const mounts = (place?.container?.volumeMounts ?? []).filter((mount) =>
    place?.spec.volumes?.some(({ name, secret }) => secret && name === mount.name),
  );
  return mounts.length === 1 ? mounts[0]?.mountPath : undefined;
}

/** The capability that lets root lock memory. For another user, it has no effect on its own. */
function lockingMemory(input: RuleInput): Correction[] {
  const place = input.place();
  const user = (place && userOf(place)) ?? 0;
  const made = lackingCapability(input, 'mlock: operation not permitted')?.corrections ?? [];
  return made.map((one) => ({ ...one, confidence: user === 0 ? 'likely' : 'guess' }));
}

/** The subject of "is read-only" for the file system of the image. */
function rootText(input: RuleInput): string {
  const isSet = input.place()?.container?.securityContext?.readOnlyRootFilesystem === true;
  return isSet ? 'with `readOnlyRootFilesystem` the file system of the image is ' : 'the file system is ';
}

/** Files that programs read, as a rule. */
const READ = /\.(?:ini|conf|cfg|ya?ml|json|toml|xml|properties|hcl|pem|crt|cer|key)$/;
/** What programs say that wanted to write a file. */
const WRITES = /\b(?:creat|writ|mkdir|touch|truncat|lock|renam|unlink|sav)|unable to modif|can not modif|cannot modif|can't modif/i;

/** A file that is there is to be changed. An empty volume would hide it. */
const EDITS = /^(?:sed|perl): |can ?not modify/;

/** Corrections with which the program may use the file; empty for one that no line names, unless there is only one volume. */
function accessTo(input: RuleInput, file: string, line: string): Correction[] {
  const place = input.place();
  const isWhole = isFolder(line) || /^npm /.test(line) || (line.includes('not writable') && !/\.\w{1,8}$/.test(file));
  const isRead = READ.test(file) && !WRITES.test(line) && mountOf(place, file) === undefined;
  const writable = file ? writableFolder(place, file, isWhole, input.subject.surroundings?.claims) : onlyVolume(input);
  return [
    ...hostDevice(place, file),
    ...writableHome(place, file),
    ...ownerOfFilled(place, file || nameDenied(line)),
    ...folderInVolume(input, file),
    // An empty volume would hide what the program wants to read.
    ...(isRead ? writable.map(asGuess) : writable),
  ];
}

/** For a line that names no file: the folder of the only data that is mounted read-only, if the file system of the image is not read-only. */
function onlyReadOnly(place: ContainerPlace | undefined): string {
  if (place?.container?.securityContext?.readOnlyRootFilesystem) return '';
  const isData = (name: string): boolean =>
    place?.spec.volumes?.some((one) => one.name === name && (one.emptyDir || one.persistentVolumeClaim || one.hostPath)) === true;
  const [only, ...more] = (place?.container?.volumeMounts ?? []).filter(({ name, readOnly }) => readOnly && isData(name));
  return only && more.length === 0 ? only.mountPath : '';
}

/** Explains a write to a file system that is read-only. */
const explainReadOnly: Signature['explain'] = (_, input, line) => {
  const above = opened(input, line);
  const file =
    fileIn(line) ||
    fileAbove(input.subject, line) ||
    fileBehind(input.subject, line) ||
    unmountedFolder(input.place()) ||
    above ||
    onlyReadOnly(input.place());
  const volume = readOnlyVolume(input.place(), file);
  return {
    because: `it cannot write${file ? ` ${code(file)}` : ''}: ${volume === undefined ? rootText(input) : `volume ${code(volume.name)} is ${volume.isSource ? '' : 'mounted '}`}read-only`,
    culprit:
      file === '' ? phraseIn(line) : `${file} (${volume?.isSource ? `volume ${volume.name} is read-only` : 'read-only file system'})`,
    advice: [
      volume === undefined
        ? 'Mount an `emptyDir` where the program writes. Keep `readOnlyRootFilesystem` on.'
        : 'Use the volume for writing, if this program may change its data.',
    ],
    corrections: [
      ...withoutPidFile(input, file),
      ...writableHome(input.place(), file),
      ...(file === '' ? [] : (inUnusedMount(input, file, true)?.corrections ?? [])),
      ...(EDITS.test(line)
        ? writableFolder(input.place(), file, false).map(asGuess)
        : writableFolder(input.place(), file, isFolder(line) || (file !== '' && file === above))),
      ...writableCopy(input.place(), file),
      ...(file === '' ? inWritableFolder(input.place(), line) : []),
    ],
    whereToLook: '`readOnlyRootFilesystem` and the `readOnly` of mounts and volumes',
  };
};

/** Files that a program may not read, write or run, and the user it runs as. */
export const fileRightsSignatures: readonly Signature[] = [
  {
    id: 'read-only-file-system',
    hints: ['read-only file system', 'erofs', 'readonlyfilesystem', 'read-only filesystem'],
    pattern: /^(?!chown: ).*?(?:Read-?only ?file ?system|EROFS)/i,
    explain: explainReadOnly,
  },
  {
    // Entrypoints of images try this at every start, and go on.
    id: 'read-only-chown',
    general: true,
    hints: ['chown: '],
    pattern: /^chown: .{0,300}Read-only file system/,
    explain: explainReadOnly,
  },
  {
    id: 'program-not-executable',
    hints: ['permission denied', 'cannot execute'],
    pattern:
      /\bexec (?<other>\/[\w./+-]{1,300}) failed: [Pp]ermission denied|(?:^|[\s/])(?:(?:ba|da|a|z)?sh|[\w.-]{1,80}\.sh|[\w-]{0,40}entrypoint[\w.-]{0,40}):? (?:(?:line )?\d{1,6}: )?(?:exec: )?(?<program>[\w./+-]{1,300}): (?:[Pp]ermission denied|cannot execute)/,
    explain: ({ other = '', program = other }, input) => ({
      because: `${code(program)} is not executable`,
      culprit: program,
      advice: ['Make the file executable in the image (`chmod +x`), or run it with its interpreter.'],
      corrections: [...runnable(input.place(), program), ...dropCommand(input.place(), `${code(program)} cannot be executed`)],
      whereToLook: "the file's mode in the image",
    }),
  },
  {
    // Beats refuse a configuration that others may write (Elastic, "Config file ownership and permissions").
    id: 'file-writable-by-others',
    hints: ['writable by the owner', 'world-writable', 'world writable', 'group-writable', 'group writable', 'writable by others'],
    pattern:
      /["'(](?<a>\/[^\s'"()]{1,300})["')]{1,2} (?:can only be writable by the owner|is (?:world|group)[- ]writable)|(?:can only be|must only be) writable by the owner|(?:(?<b>\/[^\s'":]{1,300}):? )?(?:is )?(?:world|group)[- ]writable|writable by others/i,
    explain: ({ a, b }, input, line) => {
      const file = a ?? b ?? fileIn(line);
      return {
        because: `others than its owner may write ${file ? code(file) : 'its configuration'}, and the program refuses that`,
        culprit: file ? `permissions of ${file}` : 'permissions of the configuration',
        advice: ['Give the files of the volume the mode 0644 or less (`defaultMode: 0644`).'],
        corrections: onlyOwnerWrites(input.place(), file),
        whereToLook: 'the `defaultMode` of the volume, or the mode of the file in the image',
      };
    },
  },
  {
    // Programs refuse a secret file that others may read.
    id: 'file-too-open',
    hints: [
      'too open',
      'unprotected private key',
      'bad permissions',
      'group or world access',
      'accessible by owner only',
      'insecure permissions',
      'too permissive',
      'has permissions',
    ],
    pattern:
      /UNPROTECTED PRIVATE KEY|[Pp]ermissions (?:\d{3,4} )?(?:for|on|of) ['"]?(?<a>\/[^\s'"]{1,300}?)['"]? are too (?:open|permissive)|bad permissions(?:: (?:ignore key: )?['"]?(?<b>\/[^\s'"]{1,300}))?|(?<c>\/[^\s'"]{1,300}?)"? has (?:group or world access|insecure permissions|too permissive)|(?<d>\/[^\s'"]{1,300}) must be accessible by owner only|(?<e>\/[^\s'"]{1,300}) has permissions [-rwx]{9,10}, exceeds|too (?:open|permissive)|insecure permissions/,
    explain: ({ a, b, c, d, e }, input) => {
      const file = a ?? b ?? c ?? d ?? e ?? secretFile(input);
      return {
        because: `not only its owner may read ${file ? code(file) : 'a file that must be secret'}, and the program refuses that`,
        culprit: file ? `permissions of ${file}${modeOf(input, file)}` : 'permissions of a secret file',
        advice: [
          'Give the files of the volume the mode 0400 (`defaultMode: 0400`). For a user other than root, copy the file in an init container.',
        ],
        corrections: ownerOnly(input.place(), file),
        whereToLook: "the `defaultMode` of the volume, and the container's user",
      };
    },
  },
  {
    id: 'no-new-privileges',
    hints: ['no new privileges', 'no_new_privs', 'nosuid', 'effective uid is not 0', 'setuid root', 'setuid bit', 'set-user-id'],
    pattern: /no[ _]new[ _]priv\w{0,10}|effective uid is not 0|must be (?:owned by uid 0 and have the )?set(?:uid|-user-id)\b|nosuid/i,
    explain: (_, input, line) => ({
      because: `it is not allowed to gain the rights of another user: ${quotedLine(line)}`,
      culprit: phraseIn(line),
      advice: [
        'Start the program as the user that it needs (`runAsUser`), without `sudo` or `su`. `allowPrivilegeEscalation: false` forbids to gain rights.',
      ],
      corrections: escalation(input.place()),
      whereToLook: '`allowPrivilegeEscalation`, `runAsUser`, and where the program calls `sudo`',
    }),
  },
  {
    id: 'not-as-root',
    hints: ['as root', 'as "root', "as 'root", 'root user', '"root" execution', 'as the root', 'process (root)', 'superuser privileges'],
    pattern:
      /(?:(?:can ?not|can't|must not|may not|refus\w{1,4}(?: to)?|not (?:be )?(?:allowed|permitted|supported|possible|supposed|intended|meant)(?: to)?|never) (?:be )?(?:run|start|execut)\w{0,5}|how to run) (?:\w{1,40} ){0,2}as (?:the )?['"]?root\b(?!.{0,40}filesystem)|"root" execution of|root user is not (?:allowed|permitted|supported)|user of the process \(root\) does not match|[Rr]unning \w{1,20} \w{1,20} with superuser privileges/i,
    explain: (_, input, line) => ({
      because: `it refuses to run as root: ${quotedLine(line)}`,
      culprit: phraseIn(line),
      advice: ['Give the container an ordinary user (`runAsUser`), and the volumes that it writes to a group (`fsGroup`).'],
      corrections: asOrdinaryUser(input.place()),
      whereToLook: '`runAsUser` of the pod and its containers, and the user of the image',
    }),
  },
  {
    id: 'memory-lock',
    hints: ['lock memory', 'locking memory', 'mlock'],
    pattern:
      /(?:lock(?:ing)? memory|\bmlock\w{0,5}\b).{0,80}(?:cannot allocate|not permitted|denied|fail|unable|not available|not locked)|(?:fail|unable|cannot|could not).{0,40}(?:lock memory|\bmlock\w{0,5}\b)/i,
    explain: (_, input, line) => ({
      because: `it is not allowed to lock its memory: ${quotedLine(line)}`,
      culprit: 'locked memory (capability IPC_LOCK)',
      advice: ['Switch locking off in the program (nodes usually have no swap), or add the capability `IPC_LOCK`.'],
      corrections: lockingMemory(input),
      whereToLook: "the setting of the program that locks memory, and the container's `securityContext.capabilities`",
    }),
  },
  {
    id: 'program-file-capability',
    hints: ['operation not permitted'],
    pattern: /\bexec:? ["']?(?<program>\/[\w./-]{1,200})["']?: operation not permitted/i,
    explain: ({ program = '' }, input) => ({
      because: `the kernel does not start ${code(program)}: its file carries a capability that the container may not have`,
      culprit: `capabilities of ${program}`,
      advice: ['Add the capability that the file carries (`getcap`), or use an image whose program has none.'],
      corrections: ofProgramFile(input, program),
      whereToLook: "the container's `securityContext.capabilities`, and the file in the image",
    }),
  },
  {
    id: 'permission-denied',
    hints: [
      'permission denied',
      'eacces',
      'permissionerror',
      'accessdenied',
      'operation not permitted',
      'eperm',
      'unauthorizedaccess',
      'not writable',
      'access to the path',
      'read-only directory',
      'must be root',
      'present and writable',
      "couldn't be created",
    ],
    // Without CAP_SETFCAP, Vault only says that it cannot mark its program, and goes on.
    pattern:
      /^(?!.{0,80}CAP_SETFCAP).*?(?:[Pp]ermission denied|\b(?:EACCES|eacces)\b|PermissionError|AccessDeniedException|[Oo]peration not permitted|\b(?:EPERM|eperm)\b|UnauthorizedAccess|not writable|[Aa]ccess to the path '[^']{1,300}' is denied|read-only directory|you must be root|must be present and writable|doesn't exist and couldn't be created)/,
    explain: (_, input, line) => {
      const file = fileMeant(input, line);
      const user = input.place()?.container?.securityContext?.runAsUser ?? input.place()?.spec.securityContext?.runAsUser;
      const root = /must be root/i.test(line) ? asRoot(input.place()) : [];
      const lacking = root.length > 0 ? undefined : lackingCapability(input, line);
      if (lacking)
        return {
          because: `it lacks the capability ${lacking.names.map((name) => code(name)).join(' and ')}${lacking.isMisspelled ? ', which must be written without `CAP_`' : ''}: ${quotedLine(line)}`,
          culprit: [`capability ${lacking.names.join(', ')}`, fileIn(line)].filter(Boolean).join(' for '),
          advice: ['Add the capability that the program needs, and no other, or run it so that it does not need it.'],
          corrections: lacking.corrections,
          whereToLook: "the container's `securityContext.capabilities`",
        };
      const low = file === '' && root.length === 0 ? lowPortGiven(input) : undefined;
      if (low)
        return {
          because: `its user may hardly open port ${code(low.port)}, and the line names no file: ${quotedLine(line)}`,
          culprit: `port ${low.port} (${low.name})`,
          advice: ["Let the program listen on a port above 1023 and point `containerPort`, probes and the Service's `targetPort` there."],
          corrections: [...declaredPort(input), ...unprivilegedPorts(input)],
          whereToLook: `where ${code(low.name)} is set, and what the program opens when it starts`,
        };
      const isOwner = /\bchown\b|changing ownership/.test(line);
      const act = isOwner ? 'change the owner of' : /\bchmod\b|change permissions/.test(line) ? 'change the mode of' : 'access';
      return {
        because: `${user === undefined ? 'its user' : `user ${code(user)}`} is not allowed to ${act} ${file ? code(file) : 'a file it needs'}`,
        culprit: file ? (isOwner ? `chown of ${file}` : `${file} (permission denied)`) : phraseIn(line),
        advice: [whereToWrite(input.place(), file)],
        corrections: [...root, ...accessTo(input, file, line)],
        whereToLook: 'the owner and mode of the file in the image or volume, and `runAsUser`, `fsGroup`',
      };
    },
  },
];
