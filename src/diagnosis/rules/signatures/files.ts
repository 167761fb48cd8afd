import { escalation, onlyOwnerWrites, ownerOnly } from '../../corrections/files/file-mode.ts';
import { lackingCapability } from '../../corrections/admission/capability.ts';
import { ownerOfFilled } from '../../corrections/files/filled-volume.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { asOrdinaryUser, asRoot } from '../../corrections/files/other-user.ts';
import { dropCommand, runnable, otherProgram, scriptAsFile } from '../../corrections/command/command.ts';
import { writableHome } from '../../corrections/files/home.ts';
import { readOnlyVolume, whereToWrite, writableFolder } from '../../corrections/files/writable-folder.ts';
import { missingFile, variableWith } from '../../corrections/files/missing-file.ts';
import { largerVolume } from '../../corrections/memory/larger-volume.ts';
import { oneAtATime } from '../../changes/one-at-a-time.ts';
import { oneFile } from '../../corrections/files/mount-one-file.ts';
import { otherReferences } from '../../corrections/references.ts';
import type { MissingObject } from '../../facts/references.ts';
import type { Correction } from '../../corrections/correction.ts';
import type { RuleInput } from '../../facts/input.ts';
import { phraseIn } from './phrase.ts';
import type { Meaning, Signature } from './signature.ts';

const PATH = String.raw`(?:\/[\w.@+%~-]{1,120}){1,16}\/?`;

/** A path directly before the error's words, or directly after the operation that failed. */
const BESIDE: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\w/])(${PATH})['"\`)\]]{0,2}\s?[:,]?\s?(?:\(?\d{0,3}[:)]? ?)?(?:is |was )?(?:[Nn]o such file|[Pp]ermission denied|[Rr]ead-only file|[Ii]s a directory|does not exist|doesn't exist|not found|not writable)`,
  ),
];

/** The file in a line about a denied or missing file; empty if the line names none. */
function fileIn(line: string): string {
  for (const pattern of BESIDE) {
    const found = pattern.exec(line)?.[1];
    if (found) return found;
  }
  return new RegExp(String.raw`(?<![\w/])${PATH}`).exec(line.replace(/^.{0,60}?\bFile "[^"]{1,300}", line \d{1,6}.{0,80}/, ''))?.[0] ?? '';
}

/** Whether the line is about creating a folder, not a file in it. */
function isFolder(line: string): boolean {
  return /mkdir|director|folder|locations?\b|data path/i.test(line);
}

/** A file mode that is already right corrects nothing. */
const isChange = ({ changes }: Correction) => changes.some(({ from, to }) => from !== to);

/** The `subPath` of a ConfigMap or Secret that is mounted at the file. Without a file name, the only such mount. */
function partOfVolume(input: RuleInput, file: string): { key: string; volume: string; missing: MissingObject } | undefined {
  const place = input.place();
  const parts = (place?.container?.volumeMounts ?? []).flatMap(({ name, mountPath, subPath }) => {
    const volume = place?.spec.volumes?.find((one) => one.name === name);
    const map = volume?.configMap?.name;
    const secret = volume?.secret?.secretName;
    const source = map ? `ConfigMap ${map}` : secret ? `Secret ${secret}` : undefined;
    const missing: MissingObject = { what: map ? 'ConfigMap' : 'Secret', name: map ?? secret ?? '', key: subPath ?? '' };
    return subPath && source ? [{ key: subPath, volume: source, mountPath, missing }] : [];
  });
  const named = parts.filter(({ mountPath }) => (file ? mountPath === file : true));
  return named.length === 1 ? named[0] : undefined;
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
  return writableFolder(place, only.mountPath, true).map((one): Correction => ({ ...one, confidence: 'guess' }));
}

const scriptOf = (input: RuleInput) => input.place()?.container;

/** A kernel parameter and its current value. */
const KERNEL_SETTING = /\b((?:vm|fs|net|kernel)\.[a-z][\w.]{2,80})\b(?: (?:is |=)?\[?(\d{1,12})\]?)?/;

/** The only file of a Secret that the container mounts. */
function secretFile(input: RuleInput): string | undefined {
  const place = input.place();
  const mounts = (place?.container?.volumeMounts ?? []).filter((mount) =>
    place?.spec.volumes?.some(({ name, secret }) => secret && name === mount.name),
  );
  return mounts.length === 1 ? mounts[0]?.mountPath : undefined;
}

const isSharedMemory = (line: string) => /shared memory|\/dev\/shm|shm_open|shmget/i.test(line);

/** A memory-backed volume at `/dev/shm`: a larger one, or a new one. */
function sharedMemory(input: RuleInput): Correction[] {
  const larger = largerVolume(input, '/dev/shm');
  return larger.map((one) => ({ ...one, confidence: 'likely' as const }));
}

/** The capability that lets root lock memory. For another user, it has no effect on its own. */
function lockingMemory(input: RuleInput): Correction[] {
  const place = input.place();
  const user = place?.container?.securityContext?.runAsUser ?? place?.spec.securityContext?.runAsUser ?? 0;
  const made = lackingCapability(input, 'mlock: operation not permitted')?.corrections ?? [];
  return made.map((one) => ({ ...one, confidence: user === 0 ? 'likely' : 'guess' }));
}

/** How configuration files end. */
const ENDINGS = ['yaml', 'yml', 'json', 'toml'];

/** Variables with the path of a program. */
const RUNS = /(?:^|_)(?:BIN|BINARY|CMD|COMMAND|EXEC|EXECUTABLE|PROGRAM|ENTRYPOINT|SHELL|INTERPRETER|SCRIPT)$/;
/** Whether a path is one of a secret or of settings, which nobody runs. */
const isData = (path: string): boolean =>
  /^\/(?:var\/)?run\/secrets\/./.test(path) || /^\/.*\.(?:ya?ml|json|toml|ini|conf|cnf|properties|pem|crt|key|env|txt)$/.test(path);

/** What it means that a file which a script reads is not there. */
function missingIn(input: RuleInput, file: string, variable?: string): Meaning {
  return {
    because: `${code(file)} does not exist${variable === undefined ? '' : `, which ${code(variable)} names`}`,
    culprit: file,
    advice: [`Mount the file there, or correct ${variable === undefined ? 'its path' : `the path in ${code(variable)}`}.`],
    corrections: missingFile(input, file),
    whereToLook: 'the mounts of the container, and the keys of the mounted ConfigMaps and Secrets',
  };
}

/** Files and folders that are missing, not accessible or full. */
const NO_INTERPRETER = 'What its first line names as the interpreter is not in the image.';

export const fileSignatures: readonly Signature[] = [
  {
    id: 'read-only-file-system',
    hints: ['read-only file system', 'erofs', 'readonlyfilesystem', 'read-only filesystem'],
    pattern: /Read-only file ?system|EROFS/i,
    explain: (_, input, line) => {
      const file = fileIn(line);
      const volume = readOnlyVolume(input.place(), file);
      return {
        because: `it may not write${file ? ` ${code(file)}` : ''}: ${volume === undefined ? 'the file system' : `volume ${code(volume)}`} is read-only`,
        culprit: volume === undefined ? file || 'read-only file system' : `${file} (volume ${volume} is read-only)`,
        advice: [
          volume === undefined
            ? 'Mount an `emptyDir` where the program writes. Keep `readOnlyRootFilesystem` on.'
            : 'Use the volume for writing, if this program may change its data.',
        ],
        corrections: [...writableHome(input.place(), file), ...writableFolder(input.place(), file, isFolder(line))],
        whereToLook: '`readOnlyRootFilesystem` and the `readOnly` of mounts and volumes',
      };
    },
  },
  {
    id: 'program-not-executable',
    hints: ['permission denied', 'cannot execute'],
    pattern:
      /(?:^|[\s/])(?:(?:ba|da|a|z)?sh|[\w.-]{1,80}\.sh|[\w-]{0,40}entrypoint[\w.-]{0,40}):? (?:(?:line )?\d{1,6}: )?(?:exec: )?(?<program>(?:\.{0,2}\/)?[\w./+-]{1,300}): (?:[Pp]ermission denied|cannot execute)/,
    explain: ({ program = '' }, input) => ({
      because: `${code(program)} may not be executed`,
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
      'not accessible by others',
    ],
    pattern:
      /UNPROTECTED PRIVATE KEY|[Pp]ermissions (?:\d{3,4} )?(?:for|on|of) ['"]?(?<a>\/[^\s'"]{1,300}?)['"]? are too (?:open|permissive)|bad permissions(?:: (?:ignore key: )?['"]?(?<b>\/[^\s'"]{1,300}))?|(?:file )?"?(?<c>\/[^\s'"]{1,300}?)"? has (?:group or world access|insecure permissions|too permissive)|(?<d>\/[^\s'"]{1,300}) must be accessible by owner only|too (?:open|permissive)|insecure permissions/,
    explain: ({ a, b, c, d }, input) => {
      const file = a ?? b ?? c ?? d ?? secretFile(input);
      return {
        because: `others than its user may read ${file ? code(file) : 'a file that must be secret'}, and the program refuses that`,
        culprit: file ? `permissions of ${file}` : 'permissions of a secret file',
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
    hints: ['no new privileges', 'no_new_privs', 'nosuid', 'effective uid is not 0', 'setuid root', 'set-user-id'],
    pattern:
      /no[ _]new[ _]priv\w{0,10}|effective uid is not 0|must be (?:owned by uid 0 and have the )?set(?:uid|-user-id)\b|must be setuid root|nosuid/i,
    explain: (_, input, line) => ({
      because: `it may not gain the rights of another user: ${code(line, 160)}`,
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
    hints: ['as root', 'root user', '"root" execution', 'as the root'],
    pattern:
      /(?:(?:can ?not|can't|must not|may not|refus\w{1,4}(?: to)?|not (?:be )?(?:allowed|permitted|supported|possible)(?: to)?|never) (?:be )?(?:run|start|execut)\w{0,5}|how to run) (?:\w{1,40} ){0,2}as (?:the )?['"]?root\b(?!.{0,40}filesystem)|"root" execution of|root user is not (?:allowed|permitted|supported)/i,
    explain: (_, input, line) => ({
      because: `it refuses to run as root: ${code(line, 160)}`,
      culprit: phraseIn(line),
      advice: ['Give the container an ordinary user (`runAsUser`), and the volumes that it writes to a group (`fsGroup`).'],
      corrections: asOrdinaryUser(input.place()),
      whereToLook: '`runAsUser` of the pod and its containers, and the user of the image',
    }),
  },
  {
    id: 'memory-lock',
    hints: ['lock memory', 'mlock'],
    pattern:
      /(?:lock(?:ing)? memory|\bmlock\w{0,5}\b).{0,80}(?:cannot allocate|not permitted|denied|fail|unable|not available|not locked)|(?:fail|unable|cannot|could not).{0,40}(?:lock memory|\bmlock\w{0,5}\b)/i,
    explain: (_, input, line) => ({
      because: `it may not keep its memory out of the swap: ${code(line, 160)}`,
      culprit: 'locked memory (capability IPC_LOCK)',
      advice: ['Switch locking off in the program (nodes usually have no swap), or add the capability `IPC_LOCK`.'],
      corrections: lockingMemory(input),
      whereToLook: "the setting of the program that locks memory, and the container's `securityContext.capabilities`",
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
      'access denied to',
      'unauthorizedaccess',
      'not writable',
      'access to the path',
      'read-only directory',
      'must be root',
    ],
    pattern:
      /(?:[Pp]ermission denied|\b(?:EACCES|eacces)\b|PermissionError|AccessDeniedException|[Oo]peration not permitted|\b(?:EPERM|eperm)\b|UnauthorizedAccess|(?:is )?not writable|[Aa]ccess to the path '[^']{1,300}' is denied|read-only directory|you must be root)/,
    explain: (_, input, line) => {
      // npm writes each part of its error in a line of its own.
      const file = fileIn(line) || (/^npm /.test(line) ? foundInLogs(input.subject, /^npm (?:ERR!|error) path (\/\S{1,300})/m) : '');
      const user = scriptOf(input)?.securityContext?.runAsUser ?? input.place()?.spec.securityContext?.runAsUser;
      const root = /must be root/i.test(line) ? asRoot(input.place()) : [];
      const lacking = root.length > 0 ? undefined : lackingCapability(input, line);
      if (lacking)
        return {
          because: `it lacks the capability ${lacking.names.map((name) => code(name)).join(' and ')}${lacking.isMisspelled ? ', which must be written without `CAP_`' : ''}: ${code(line, 160)}`,
          culprit: [`capability ${lacking.names.join(', ')}`, fileIn(line)].filter(Boolean).join(' for '),
          advice: ['Add the capability that the program needs, and no other, or run it so that it does not need it.'],
          corrections: lacking.corrections,
          whereToLook: "the container's `securityContext.capabilities`",
        };
      return {
        because: `${user === undefined ? 'its user' : `user ${code(user)}`} may not access ${file ? code(file) : 'a file it needs'}`,
        culprit: file || phraseIn(line),
        advice: [whereToWrite(input.place(), file)],
        corrections: [
          ...root,
          ...writableHome(input.place(), file),
          ...ownerOfFilled(input.place(), file),
          ...(file
            ? writableFolder(input.place(), file, isFolder(line) || /^npm /.test(line), input.subject.surroundings?.claims)
            : onlyVolume(input)),
        ],
        whereToLook: 'the owner and mode of the file in the image or volume, and `runAsUser`, `fsGroup`',
      };
    },
  },
  {
    id: 'folder-missing',
    hints: ['nonexistent'],
    pattern: /can(?:'t|not) create (?<file>\/\S{1,300}): (?:nonexistent directory|Directory nonexistent)/,
    explain: ({ file = '' }, input) => ({
      because: `the folder of ${code(file)} is not in the image`,
      culprit: file,
      advice: ['Create the folder in the image, or mount a volume where the program writes.'],
      corrections: writableFolder(input.place(), file, false),
      whereToLook: "the image's folders and the mounts of the container",
    }),
  },
  {
    // The runtime has already checked that the file exists. So the kernel cannot find another file: the interpreter or the loader.
    id: 'interpreter-missing',
    hints: ['no such file or directory'],
    pattern: /^exec (?<file>\/\S{1,300}): no such file or directory$|exec user process caused:? "?no such file or directory/,
    explain: ({ file }, input) => {
      const program = file ?? scriptOf(input)?.command?.[0] ?? 'its program';
      return {
        because: `${code(program)} exists, but not what runs it: the interpreter in its first line \`#!\`, or the loader that it was linked for`,
        culprit: `interpreter of ${program}`,
        advice: ['Use an image that has the interpreter, or write one that the image has into the first line of the script.'],
        corrections: program.endsWith('.sh')
          ? runnable(input.place(), program, NO_INTERPRETER)
              .filter(isChange)
              .map((one): Correction => ({ ...one, confidence: 'guess' }))
          : [],
        whereToLook: "the first line of the script (`head -1` also shows Windows line ends), and the image's programs and C library",
      };
    },
  },
  {
    id: 'folder-in-place-of-file',
    hints: ['is a directory', 'eisdir'],
    pattern: /\bis a directory\b|EISDIR/i,
    explain: (_, input, line) => {
      const file = fileIn(line);
      const part = partOfVolume(input, file);
      return {
        because: part
          ? `it reads a folder where a file should be: ${code(part.volume)} has no key ${code(part.key)}, so kubelet makes an empty folder for the \`subPath\``
          : `it reads a folder${file ? ` (${code(file)})` : ''} where a file should be`,
        culprit: part ? `key ${part.key} in ${part.volume}` : file || phraseIn(line),
        advice: ['Compare each `subPath` with the keys of its ConfigMap or Secret. For a missing key kubelet creates a folder.'],
        corrections: part ? otherReferences(input, part.missing) : oneFile(input, file),
        whereToLook: 'the keys of the mounted ConfigMaps and Secrets, and the path that the program uses',
      };
    },
  },
  {
    id: 'windows-line-ends',
    hints: ['\\r', '^m'],
    pattern: /(?:env:|interpreter|exec|not found|sh:).{0,40}?(?<name>[\w/.-]{1,80})(?:\\r|\^M)/,
    explain: ({ name = '' }) => ({
      because: `a script calls ${code(`${name}\\r`)}: it was saved with Windows line ends`,
      culprit: `${name}\\r`,
      advice: ['Save the script with Unix line ends (`dos2unix`, `.gitattributes`: `*.sh text eol=lf`) and build the image again.'],
      whereToLook: 'the entrypoint script of the image, or the ConfigMap that contains it',
    }),
  },
  {
    id: 'command-not-found',
    hints: ['not found', 'no such file or directory'],
    pattern:
      /(?:^|[\s/])(?:(?:ba|da|a|z)?sh|[\w.-]{1,80}\.sh|[\w-]{0,40}entrypoint[\w.-]{0,40}): (?:(?:line )?\d{1,6}: )?(?:exec: )?(?<program>[\w./+@-]{1,200}): (?:command )?(?:not found|No such file or directory)|command not found: (?<other>[\w./+-]{1,200})|^\[dumb-init\] (?<init>[\w./+-]{1,200}): No such file/,
    explain: ({ program, other, init }, input) => {
      const name = program ?? other ?? init ?? '';
      const variable = variableWith(input.place(), name);
      // The shell says the same of a file that a script wants to read.
      if (variable !== undefined && !RUNS.test(variable)) return missingIn(input, name, variable);
      if (isData(name)) return missingIn(input, name);
      return {
        because: `the program ${code(name)} is not in the image`,
        culprit: name,
        advice: [`Use an image that has ${code(name)}, or correct the name.`],
        corrections: [...otherProgram(input.place(), name), ...dropCommand(input.place(), `${code(name)} is not in the image`)],
        whereToLook: "the image's own programs, and the container's `command` and `args`",
      };
    },
  },
  {
    id: 'script-missing',
    hints: [
      "can't open",
      'cannot find module',
      'unable to access jarfile',
      'could not open input file',
      "can't find",
      'could not find or load main class',
      'no rakefile',
      'could not locate gemfile',
      'enoent',
    ],
    pattern:
      /(?:can't open (?:file )?(?:['"](?<a>[^\s'":]{1,300})|(?<g>[^\s'":]{0,200}[./][^\s'":]{0,100}))|Cannot find module ['"](?<b>\/[^'"]{1,300})['"]|Unable to access jarfile (?<c>\S{1,300})|Could not open input file: (?<d>\S{1,300})|Could not find or load main class (?<e>\S{1,300})|(?:npm (?:ERR!|error)|ENOENT).{0,120}open ['"](?<f>[^'"]{1,300}package\.json)['"])/,
    explain: ({ a, b, c, d, e, f, g }, input, line) => {
      const file = a ?? b ?? c ?? d ?? e ?? f ?? g ?? '';
      const place = input.place();
      const words = [...(place?.container?.command ?? []), ...(place?.container?.args ?? [])];
      const inShell = scriptAsFile(place);
      if (inShell && /can't open/.test(line))
        return {
          because: `${code(inShell.script, 100)} is a script, and the shell takes it for the name of a file`,
          culprit: inShell.script,
          advice: ['A shell runs a script that follows `-c`.'],
          corrections: inShell.corrections,
          whereToLook: "the container's `command` and `args`",
        };
      const named = words.some((word) => file.endsWith(word.replace(/^\.\//, '')) && word.length > 2);
      const brought = missingFile(input, file);
      return {
        because: `${code(file)} ${brought.length > 0 ? 'does not exist' : 'is not in the image'}`,
        culprit: file,
        advice: ['Correct the path in `command` or `args`, or the `workingDir` that it starts from, or build the file into the image.'],
        corrections: [...brought, ...(named ? dropCommand(place, `${code(file)} is not in the image`) : [])],
        whereToLook: "the image's contents, and the container's `command`, `args`, `workingDir` and mounts",
      };
    },
  },
  {
    id: 'library-missing',
    hints: [
      'error while loading shared libraries',
      'error loading shared library',
      'version `glibc',
      'cannot open shared object',
      'relocating',
    ],
    pattern:
      /error while loading shared libraries: (?<a>[\w.+-]{1,200})|Error loading shared library (?<b>[\w.+-]{1,200})|version [`'](?<c>GLIBC[\w.]{1,40})' not found|(?<d>[\w.+-]{1,200}): cannot open shared object/,
    explain: ({ a, b, c, d }) => ({
      because: `the library ${code(a ?? b ?? c ?? d ?? '')} is not in the image`,
      culprit: a ?? b ?? c ?? d ?? 'shared library',
      advice: ['Build the program for its base image (glibc and musl differ), or install the library in the image.'],
      whereToLook: "the image's base and its packages",
    }),
  },
  {
    // Viper looks in several folders for a file name with any extension.
    id: 'config-in-folder',
    hints: ['config file "'],
    pattern: /Config File "(?<name>[\w.-]{1,80})" Not Found in "\[(?<folders>[^\]]{0,300})\]/,
    explain: ({ name = '', folders = '' }, input) => {
      const files = folders
        .split(/[\s,]+/)
        .filter((folder) => folder.startsWith('/'))
        .flatMap((folder) => ENDINGS.map((ending) => `${folder.replace(/\/$/, '')}/${name}.${ending}`));
      return {
        because: `no folder of ${code(folders)} has the configuration ${code(name)}`,
        culprit: `config file ${name} in ${folders}`,
        advice: ['Mount the ConfigMap with this file where the program looks for it, under the name that it expects.'],
        corrections: files.map((file) => missingFile(input, file)).find((found) => found.length > 0) ?? [],
        whereToLook: 'the mounts of the container and the keys of the mounted ConfigMaps',
      };
    },
  },
  {
    id: 'file-missing',
    hints: [
      'no such file',
      'enoent',
      'filenotfound',
      'does not exist',
      'cannot find the file',
      'file not found',
      'could not open file',
      'could not find file',
      'cannot open file',
      'not found: /',
      'was not found',
      'directory /',
      'invalid path: /',
      'cannot access directory',
      'read file',
      'load file',
      'open file',
      'config file',
      'configuration file',
      'cannot be found',
      'config file',
      'no config file',
      'drive not found',
      'could not locate gemfile',
      'could not read package.json',
    ],
    pattern:
      /(?:[Nn]o such file or directory|ENOENT|FileNotFound|(?:file|directory|config|path|drive|\/[\w./-]{1,200}:?)['"`]? (?:does not exist|doesn't exist|not found|was not found)|could not (?:open|find) file|cannot (?:open|find) (?:the )?file|not found: \/|invalid path: \/|[Cc]annot access directory|Could not locate Gemfile|Could not read package\.json|No config file '[^']{1,200}' found|(?:resource|location) '(?:file )?\[?[^']{1,300}' .{0,200}cannot be found|^(?!.{0,900}(?:denied|permission|EACCES)).{0,600}?(?:unable to|failed to|could ?n[o']t|can ?not|can't) (?:read|open|load|find|locate) (?:the )?(?:config(?:uration)? )?file:? ['"`]?\/)/i,
    explain: (_, input, line) => {
      const file =
        fileIn(line) || (/['"`]([^'"`\s]{2,200}\.[a-z]{1,6})['"`]|\b(Gemfile|package\.json)\b/.exec(line)?.slice(1).find(Boolean) ?? '');
      return {
        because: `${file ? code(file) : 'a file it needs'} does not exist`,
        culprit: file || phraseIn(line),
        advice: ['Put the file into the image or a mounted ConfigMap or Secret, or correct the path that the program uses.'],
        corrections: missingFile(input, file),
        whereToLook: 'the mounts of the container, the keys of the mounted ConfigMaps, and the arguments and variables that name the file',
      };
    },
  },
  {
    id: 'no-space',
    hints: ['no space left', 'enospc', 'disk quota exceeded', 'disk full', 'disk is full', 'errno'],
    pattern: /[Nn]o space left on device|ENOSPC|[Dd]isk quota exceeded|[Dd]isk (?:is )?full|\b[Ee]rrno[ =:]{0,3}28\b/,
    explain: (_, input, line) =>
      isSharedMemory(line)
        ? {
            because: 'its shared memory is full (`/dev/shm` has 64 MiB unless a volume replaces it)',
            culprit: 'shared memory (/dev/shm)',
            advice: ['Give it more shared memory: an `emptyDir` of medium `Memory` at `/dev/shm`.'],
            corrections: sharedMemory(input),
            whereToLook: 'the size of `/dev/shm` in the container (`df -h /dev/shm`)',
          }
        : {
            because: `the volume it writes to is full${fileIn(line) ? ` (${code(fileIn(line))})` : ''}`,
            culprit: fileIn(line) || 'no space left on device',
            advice: ['Free space, or enlarge the volume: a claim if its storage class allows it, an `emptyDir` with its `sizeLimit`.'],
            corrections: largerVolume(input, fileIn(line)),
            whereToLook: 'the usage of the volume, and the disk of the node (`ENOSPC` from `inotify` means its watches are used up)',
          },
  },
  {
    id: 'too-many-files',
    hints: ['too many open files', 'emfile', 'enfile', 'errno'],
    pattern: /[Tt]oo many open files|EMFILE|ENFILE|\b[Ee]rrno[ =:]{0,3}2[34]\b/,
    explain: () => ({
      because: 'it has no file handles left',
      culprit: 'too many open files',
      advice: ['Look for a leak of connections or files. The container runtime of the node sets the limit.'],
      whereToLook: "the program's open files (`ls /proc/1/fd | wc -l`) and the runtime's `LimitNOFILE`",
    }),
  },
  {
    id: 'too-many-processes',
    hints: ['native thread', 'pthread_create', 'temporarily unavailable', 'new thread', 'os thread', 'eagain', 'errno'],
    pattern:
      /unable to create (?:new )?native thread|pthread_create.{0,40}(?:fail|EAGAIN|unavailable)|can't start new thread|failed to create new OS thread|\b(?:fork|clone|spawn|[Tt]hread)\b.{0,80}(?:[Rr]esource temporarily unavailable|EAGAIN|\b[Ee]rrno[ =:]{0,3}11\b)/,
    explain: () => ({
      because: 'it may start no more threads or processes: a limit of the pod or of its node is reached',
      culprit: 'limit of threads and processes',
      advice: [
        'Start fewer threads or processes, for example smaller pools. The kubelet limits them for each pod (`podPidsLimit`), and no field of the pod raises that.',
      ],
      whereToLook:
        "the number of threads (`cat /sys/fs/cgroup/pids.current` and `pids.max` in the container) and the kubelet's `podPidsLimit`",
    }),
  },
  {
    id: 'kernel-setting',
    hints: ['max_map_count', 'vm.overcommit_memory', 'inotify', 'max user watches', 'somaxconn'],
    pattern:
      /(?:vm|fs|net|kernel)\.[\w.]{3,80} .{0,60}(?:too low|increase|must be|should be)|max virtual memory areas|inotify (?:watches|instances)/i,
    explain: (_, __, line) => {
      const [, setting, has] = KERNEL_SETTING.exec(line) ?? [];
      return {
        because: setting
          ? `the kernel parameter ${code(setting)} of its node is too low${has ? ` (${code(has)})` : ''}`
          : `a kernel parameter of its node is too low: ${code(line, 160)}`,
        culprit: setting ?? phraseIn(line),
        advice: ["Raise it on the nodes (in their image, or with a DaemonSet of the cluster's administrators). The pod cannot set it."],
        whereToLook: '`sysctl` on the node; the pod may only set what kubelet allows',
      };
    },
  },
  {
    id: 'already-running',
    hints: [
      'in use by another',
      'already running',
      'lock file',
      'obtain lock',
      'node locks',
      'database is locked',
      'acquire lock',
      'to lock ',
      'another instance',
      'pid file',
      'temporarily unavailable',
      'while lock',
      'lock held',
      'already locked',
    ],
    pattern:
      /in use by another|is already running|(?:lock|pid) file ["']?(?<file>\S{1,300}?)["']? (?:already )?exists|(?:obtain|acquire) (?:node |the |a )?locks?\b|(?:unable|failed|could not|cannot) (?:to )?lock (?!memory)|database is locked|another instance|\block(?:ed|ing)?\b.{0,80}temporarily unavailable|while lock file|lock held by|is already locked/i,
    explain: ({ file }, input, line) => ({
      because: `another instance holds ${file ? code(file) : 'what it needs'}, or one that was killed left its lock: ${code(line, 160)}`,
      culprit: phraseIn(line),
      advice: [
        'Two pods must not share one data folder. Use `strategy: Recreate`, or a StatefulSet with a claim for each pod. Remove a lock only when nothing uses it.',
      ],
      corrections: oneAtATime(input),
      whereToLook: 'the other pods that mount the same volume, and the lock in it',
    }),
  },
];
