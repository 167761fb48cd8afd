import { asGuess } from '../../corrections/combine.ts';
import { commandWords } from '../../corrections/container-texts.ts';
import { linkAnew, makeIfMissing, nearFolder } from '../../corrections/files/near-folder.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { folderOfImage } from '../../corrections/command/start-folder.ts';
import { usualEntry } from '../../corrections/command/usual-entry.ts';
import { otherLauncher } from '../../corrections/command/spring-launcher.ts';
import { hiddenProgram } from '../../corrections/files/hidden-program.ts';
import { fileAbove, fileBehind, fileIn } from './file-in-line.ts';
import { code } from '../../rendering/quote.ts';
import { dropCommand, runnable, otherProgram, scriptAsFile } from '../../corrections/command/command.ts';
import { tunnelDevice } from '../../corrections/files/host-device.ts';
import { wgetForCurl } from '../../corrections/command/wget.ts';
import { writableFolder } from '../../corrections/files/writable-folder.ts';
import { missingFile, variableWith } from '../../corrections/files/missing-file.ts';
import { socketFolder } from '../../corrections/files/socket-folder.ts';
import { oneFile } from '../../corrections/files/mount-one-file.ts';
import { otherReferences } from '../../corrections/references.ts';
import { existing, type MissingObject } from '../../facts/references.ts';
import { valueAt } from '../../../crd/field-path.ts';
import type { Correction } from '../../corrections/correction.ts';
import type { RuleInput } from '../../facts/input.ts';
import { phraseIn } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

/** Python, module tempfile: it tries `/tmp`, `/var/tmp`, `/usr/tmp` and its working folder, and can write to none of them. */
function withoutTemporaryFolder(input: RuleInput): Meaning {
  const isReadOnly = input.place()?.container?.securityContext?.readOnlyRootFilesystem === true;
  return {
    because: `it finds no folder for temporary files${isReadOnly ? ': with `readOnlyRootFilesystem` it can write to none of the image' : ' that it may write to'}`,
    culprit: isReadOnly ? '/tmp (readOnlyRootFilesystem)' : '/tmp',
    advice: ['Mount an empty volume at `/tmp`.'],
    corrections: writableFolder(input.place(), '/tmp', true),
    whereToLook: "the container's `securityContext` and its mounts",
  };
}

/** A file mode that is already right corrects nothing. */
const isChange = ({ changes }: Correction) => changes.some(({ from, to }) => from !== to);

/** The `subPath` mount of a ConfigMap or Secret at this file. If the line names no file, the only such mount. */
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

/** A file whose ConfigMap or Secret does not exist and is optional: the kubelet makes an empty folder instead. */
function withoutObject(input: RuleInput, { volume, missing }: { volume: string; missing: MissingObject }): Meaning {
  return {
    because: `it reads a folder where a file should be: there is no ${code(volume)}, and the volume calls it optional, so kubelet makes an empty folder for the \`subPath\``,
    culprit: volume,
    advice: [`Correct the name, or create the ${missing.what}.`],
    corrections: otherReferences(input, { ...missing, key: null }).filter(isChange),
    whereToLook: `the ${missing.what}s of the namespace`,
  };
}

/** Why the token of the service account is not there, if the pod itself says so. */
function withoutToken(input: RuleInput, file: string): string {
  const isOff = input.place()?.spec.automountServiceAccountToken === false;
  return isOff && file.includes('/kubernetes.io/serviceaccount') ? ', because the pod has `automountServiceAccountToken: false`' : '';
}

/** The only mount of a whole ConfigMap or Secret whose path looks like a file: it is a folder. */
function fileOfMount(input: RuleInput): string {
  const place = input.place();
  const found = (place?.container?.volumeMounts ?? []).filter(
    ({ name, mountPath, subPath }) =>
      !subPath &&
      /\/[^/]+\.\w{1,10}$/.test(mountPath) &&
      place?.spec.volumes?.some((volume) => volume.name === name && (volume.configMap ?? volume.secret)),
  );
  return found.length === 1 ? (found[0]?.mountPath ?? '') : '';
}

/** Extensions of configuration files. */
const ENDINGS = ['yaml', 'yml', 'json', 'toml'];

/** A path below the working directory, as Node.js names it behind the call that failed. */
const RELATIVE = /\b(?:open|stat|lstat|scandir|access) '([\w.-]{1,80}(?:\/[\w.@-]{1,80}){1,12})'/;

/** Names of variables that hold the path of a program. */
const RUNS = /(?:^|_)(?:BIN|BINARY|CMD|COMMAND|EXEC|EXECUTABLE|PROGRAM|ENTRYPOINT|SHELL|INTERPRETER|SCRIPT)$/;
/** Whether the path is that of a secret or a configuration file, which nobody runs as a program. */
const isData = (path: string): boolean =>
  /^\/(?:var\/)?run\/secrets\/./.test(path) || /^\/.*\.(?:ya?ml|json|toml|ini|conf|cnf|properties|pem|crt|key|env|txt)$/.test(path);

/** Where the volume with the file is mounted in its place, as the first correction knows; empty for any other one. */
function mountedElsewhere(input: RuleInput, first: Correction | undefined): string {
  const [only, ...more] = first && first.confidence !== 'guess' ? first.changes : [];
  const path = only && more.length === 0 ? /^(.*\.volumeMounts\[\d+\])\.mountPath$/.exec(only.path)?.[1] : undefined;
  const name = path === undefined ? undefined : valueAt(input.subject.manifest(), `${path}.name`);
  const volume = input.place(null)?.spec.volumes?.find((one) => one.name === name);
  // What is in a claim or an empty volume, the program makes itself.
  const has = volume?.persistentVolumeClaim || volume?.emptyDir ? 'which is for it' : 'which has it';
  return typeof name === 'string' ? `: volume ${code(name)}, ${has}, is mounted at ${code(String(only?.from))}` : '';
}

/** What it means that a file which a script reads is not there. */
function missingIn(input: RuleInput, file: string, variable?: string): Meaning {
  const corrections = missingFile(input, file);
  const named = variable === undefined ? '' : `, which ${code(variable)} names`;
  return {
    because: `${code(file)} does not exist${named}${mountedElsewhere(input, corrections[0])}`,
    culprit: file,
    advice: [`Mount the file there, or correct ${variable === undefined ? 'its path' : `the path in ${code(variable)}`}.`],
    corrections,
    whereToLook: 'the mounts of the container, and the keys of the mounted ConfigMaps and Secrets',
  };
}

/** Why a script cannot run whose file is there. */
const NO_INTERPRETER = 'What its first line names as the interpreter is not in the image.';

/** Files that a program expects in the folder where it starts. */
const PROGRAM_FILE =
  /(?:^|\/)(?:package\.json|Gemfile|Rakefile|manage\.py|artisan|composer\.json|Procfile|mix\.exs|go\.mod|pom\.xml|[\w-]{1,60}\.(?:jar|dll))$/;

/** Files, folders, programs and libraries that are missing. */
export const fileSignatures: readonly Signature[] = [
  {
    id: 'folder-exists',
    hints: ['file exists'],
    pattern: /mkdir: (?:can't|cannot) create directory ['"`‘](?<folder>\/[^'"`’]{1,300})['"`’]: File exists/,
    explain: ({ folder = '' }, input) => ({
      because: `${code(folder)} is there already`,
      culprit: folder,
      advice: ['Make the folder with `mkdir -p`: in a volume it outlives the container.'],
      corrections: makeIfMissing(input, folder),
      whereToLook: "the script in the container's `command` and `args`",
    }),
  },
  {
    id: 'link-exists',
    hints: ['file exists'],
    pattern: /\bln: (?:failed to create (?:symbolic|hard) link ['"`‘](?<a>\/[^'"`’]{1,300})['"`’]|(?<b>\/[^\s:]{1,300})): File exists/,
    explain: ({ a, b }, input) => ({
      because: `the link ${code(a ?? b ?? '')} is there already, from an earlier start`,
      culprit: `link ${a ?? b ?? ''}: File exists`,
      advice: ['Replace the link with `ln -sfn`: in a volume it outlives the container.'],
      corrections: linkAnew(input),
      whereToLook: "the script in the container's `command` and `args`",
    }),
  },
  {
    id: 'folder-to-enter',
    hints: ['cd: '],
    pattern: /\bcd: (?:can't cd to (?<a>\/\S{1,300})|(?<b>\/[^\s:]{1,300}): No such file or directory)/,
    explain: ({ a, b }, input) => ({
      because: `the folder ${code(a ?? b ?? '')} is not there`,
      culprit: a ?? b ?? '',
      advice: ['Correct the path in the script, or mount a volume there.'],
      corrections: nearFolder(input, a ?? b ?? ''),
      whereToLook: "the container's `command`, `args` and mounts, and the folders of the image",
    }),
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
      const program = file ?? input.place()?.container?.command?.[0] ?? 'its program';
      return {
        because: `the image lacks what runs ${code(program)}: the interpreter in its first line (\`#!\`), or the loader that it was linked for`,
        culprit: `interpreter of ${program}`,
        advice: [
          'Use an image with this interpreter, or name one that the image has in the first line of the script (which may not end like a line on Windows).',
        ],
        corrections: program.endsWith('.sh') ? runnable(input.place(), program, NO_INTERPRETER).filter(isChange).map(asGuess) : [],
        whereToLook: "the first line of the script (`head -1` also shows Windows line ends), and the image's programs and C library",
      };
    },
  },
  {
    id: 'folder-in-place-of-file',
    hints: ['is a directory', 'eisdir'],
    pattern: /\bis a directory\b|EISDIR/i,
    explain: (_, input, line) => {
      const file = fileIn(line) || fileOfMount(input);
      const part = partOfVolume(input, file);
      const known = part && existing(input.subject.surroundings ?? {}, part.missing.what);
      if (part && known?.every(({ name }) => name !== part.missing.name)) return withoutObject(input, part);
      return {
        because: part
          ? `it reads a folder where a file should be: ${code(part.volume)} has no key ${code(part.key)}, so kubelet makes an empty folder for the \`subPath\``
          : `it reads a folder${file ? ` (${code(file)})` : ''} where a file should be`,
        culprit: part ? `key ${part.key} in ${part.volume} (subPath)` : file || phraseIn(line),
        advice: [
          part
            ? `Add the key ${code(part.key)} to ${part.volume}, or name a key that it has in \`subPath\`.`
            : 'Compare each `subPath` with the keys of its ConfigMap or Secret. For a missing key kubelet creates a folder.',
        ],
        corrections: part ? otherReferences(input, part.missing) : oneFile(input, file),
        whereToLook: 'the keys of the mounted ConfigMaps and Secrets, and the path that the program uses',
      };
    },
  },
  {
    id: 'windows-line-ends',
    hints: ['\\r', '^m'],
    pattern: /(?:env:|interpreter|exec|not found|sh:).{0,40}?(?<!\\)(?<![\w/.-])(?<name>[\w/.-]{1,80})(?:\\r(?!\\n)|\^M)/,
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
      /(?:^|\s)(?:\/usr\/bin\/)?env: ['"‘`]?(?<env>[\w.+-]{1,80})['"’`]?: No such file|(?:^|[\s/])(?:(?:ba|da|a|z)?sh|[\w.-]{1,80}\.sh|[\w-]{0,40}entrypoint[\w.-]{0,40}): (?:(?:line )?\d{1,6}: )?(?:exec: )?(?:line \d{1,6}: )?(?<program>[\w./+@-]{1,200}): (?:command )?(?:not found|No such file or directory)|command not found: (?<other>[\w./+-]{1,200})|^\[dumb-init\] (?<init>[\w./+-]{1,200}): No such file|\[FATAL tini \(\d{1,5}\)\] exec (?<tini>[\w+-][\w.+-]{0,100}) failed: No such file/,
    explain: ({ program, other, init, env, tini }, input) => {
      const name = program ?? other ?? init ?? env ?? tini ?? '';
      const variable = variableWith(input.place(), name);
      // The shell prints the same for a file that a script wants to read.
      if (variable !== undefined && !RUNS.test(variable)) return missingIn(input, name, variable);
      if (isData(name)) return missingIn(input, name);
      const wget = wgetForCurl(input.place(), name);
      return {
        because: `the program ${code(name)} is not in the image`,
        culprit: name,
        advice: [`Use an image that has ${code(name)}, or correct the name.`],
        corrections:
          wget.length > 0
            ? wget
            : [...otherProgram(input.place(), name), ...dropCommand(input.place(), `${code(name)} is not in the image`)],
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
      'could not find or load main class',
      'enoent',
      "the application '",
      'failed: no such file',
    ],
    pattern:
      /(?:[Tt]he application '(?<h>[^']{1,200})' does not exist|exec (?<i>\.{1,2}\/[\w./-]{1,200}) failed: No such file|can't open (?:file )?(?:['"](?<a>[^\s'":]{1,300})|(?<g>[^\s'":]{0,200}[./][^\s'":]{0,100}))|Cannot find module ['"](?<b>\/[^'"]{1,300})['"]|Unable to access jarfile (?<c>\S{1,300})|Could not open input file: (?<d>\S{1,300})|Could not find or load main class (?<e>\S{1,300})|ENOENT.{0,120}open ['"](?<f>[^'"]{1,300}package\.json)['"])/,
    explain: (groups, input, line) => {
      const file = Object.values(groups).find(Boolean) ?? '';
      const place = input.place();
      const words = commandWords(place?.container);
      const inShell = scriptAsFile(place);
      if (inShell && /can't open/.test(line))
        return {
          because: `${code(inShell.script, 100)} is a script, and the shell takes it for the name of a file`,
          culprit: inShell.script,
          advice: ['A shell runs a script that follows `-c`.'],
          corrections: inShell.corrections,
          whereToLook: "the container's `command` and `args`",
        };
      const hidden = hiddenProgram(input, file);
      if (hidden)
        return {
          because: `${code(file)} is not there: volume ${code(hidden.volume)} is mounted at ${code(hidden.folder)} and hides what the image has in that folder`,
          culprit: `${file} (volume ${hidden.volume} at ${hidden.folder}, mountPath)`,
          advice: ['Mount the volume at a folder of its own, below the one of the program.'],
          corrections: hidden.corrections,
          whereToLook: "the container's `volumeMounts` and the folders of the image",
        };
      const named = words.some((word) => file.endsWith(word.replace(/^\.\//, '')) && word.length > 2);
      const brought = missingFile(input, file);
      return {
        because: `${code(file)} ${brought.length > 0 ? `does not exist${withoutToken(input, file)}${mountedElsewhere(input, brought[0])}` : 'is not in the image'}`,
        culprit: file,
        advice: [
          named || brought.length > 0 || !file.startsWith('/') || /\.(?:py|[cm]?[jt]s|sh|rb|pl|php|jar|json)$/.test(file)
            ? 'Correct the path in `command` or `args`, or the `workingDir` that it starts from, or build the file into the image.'
            : `Mount ${code(file)} from a ConfigMap or Secret, build it into the image, or correct the path where the program gets it.`,
        ],
        corrections: [
          ...otherLauncher(input, file),
          ...brought,
          ...folderOfImage(input),
          ...(brought.length === 0 ? usualEntry(input, file) : []),
          ...(named ? dropCommand(place, `${code(file)} is not in the image`) : []),
        ],
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
      /error while loading shared libraries: (?<a>[\w.+-]{1,200})|Error loading shared library (?<b>[\w.+-]{1,200})|version `(?<c>GLIBC[\w.]{1,40})' not found|(?<d>[\w.+-]{1,200}): cannot open shared object|Error relocating (?<file>[^\s:]{1,200}): (?<symbol>[\w@.]{1,120}): symbol not found/,
    explain: ({ a, b, c, d, file, symbol }) => ({
      because:
        file && symbol
          ? `no library of the image has ${code(symbol)}, which ${code(file)} needs`
          : `the library ${code(a ?? b ?? c ?? d ?? '')} is not in the image`,
      culprit: file && symbol ? `${file}: ${symbol}` : (a ?? b ?? c ?? d ?? 'shared library'),
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
      'nosuchfileexception: /',
      'does not exist',
      "doesn't exist",
      'file not found',
      'directory not found',
      'directory /',
      'config not found',
      'path not found',
      'not found: /',
      'was not found',
      'invalid path: /',
      'cannot access directory',
      'read file',
      'load file',
      'open file',
      'find file',
      'locate file',
      'the file',
      'config file',
      'configuration file',
      'cannot be found',
      'no rakefile',
      'drive not found',
      'unable to open',
      'error opening',
      'could not locate gemfile',
      'could not read package.json',
      'to stat ',
      'failed opening required',
    ],
    pattern:
      /(?:[Ff]ailed opening required ['"]\/|(?:failed|unable) to l?stat (?:file |directory |path )?['"`]?\/|[Nn]o such file or directory|[Nn]o such file:? ['"`]?(?=[\w./-]{0,200}\.[a-z]{2,5}\b)|ENOENT|FileNotFound|NoSuchFileException: \/|(?:file|directory|\bconfig|path|drive|directory \/[\w./-]{1,200}) not found|(?:file|directory|config|path|drive|\/[\w./-]{1,200}:?)['"`]? (?:does not exist|doesn't exist|was not found)|could not (?:open|find) file|cannot (?:open|find) (?:the )?file|not found: \/|invalid path: \/|[Cc]annot access directory|^(?!.{0,900}(?:denied|database file)).{0,300}?(?:[Uu]nable to open|[Ee]rror opening) (?:\w{1,20} ){0,2}['"`]?\/|Could not locate Gemfile|No Rakefile found|Could not read package\.json|No config file '[^']{1,200}' found|(?:resource|location) '[^']{1,300}' .{0,200}cannot be found|^(?!.{0,900}denied).{0,600}?(?:unable to|failed to|could ?n[o']t|can ?not|can't) (?:read|open|load|find|locate) (?:the )?(?:config(?:uration)? )?file:? ['"`]?\/)/i,
    explain: (_, input, line) => {
      const bound = /\b(?:bind|listen)/i.test(line) ? /\/[\w./-]{2,200}\.sock(?:et)?\b/.exec(line)?.[0] : undefined;
      const socket = bound === undefined ? [] : socketFolder(input.place(), bound);
      if (/No usable temporary directory/.test(line)) return withoutTemporaryFolder(input);
      const ofNpm = /^npm /.test(line) ? foundInLogs(input.subject, /^npm (?:ERR!|error) path (\/\S{1,300})/m) : '';
      const file =
        ofNpm ||
        (/[Nn]o such file:? ['"`]?([\w.-][\w./-]{1,200}\.[a-z]{2,5})\b/.exec(line)?.[1] ??
          (fileIn(line) || RELATIVE.exec(line)?.[1] || fileBehind(input.subject, line) || fileAbove(input.subject, line))) ||
        (/['"`]([^'"`\s]{2,200}\.[a-z]{1,6})['"`]|\b(Gemfile|Rakefile|package\.json)\b/.exec(line)?.slice(1).find(Boolean) ?? '');
      const brought = [
        ...tunnelDevice(input.place(), file),
        ...missingFile(input, file),
        ...(PROGRAM_FILE.test(file) ? folderOfImage(input) : []),
      ];
      const corrections = socket.length > 0 ? socket : brought;
      return {
        because: `${file ? code(file) : 'a file it needs'} does not exist${mountedElsewhere(input, corrections[0])}`,
        culprit: file || phraseIn(line),
        advice: ['Put it into the image or a mounted ConfigMap or Secret, or correct the path that the program uses.'],
        corrections,
        whereToLook: 'the mounts of the container, the keys of the mounted ConfigMaps, and the arguments and variables that name the file',
      };
    },
  },
];
