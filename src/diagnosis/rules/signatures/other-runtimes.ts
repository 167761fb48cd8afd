import { formatBytes } from '../../../crd/quantity.ts';
import { largerScripts } from '../../corrections/memory/larger-heap.ts';
import { emptySharedMemory } from '../../corrections/memory/shared-memory.ts';
import { writableFolder } from '../../corrections/files/writable-folder.ts';
import { cpuWithoutAvx } from '../../corrections/images/without-avx.ts';
import { forProcessor, otherNodes } from '../../corrections/images/other-processor.ts';
import type { Correction } from '../../corrections/correction.ts';
import { givenIn, rewritten } from '../../corrections/given-values.ts';
import { withVariable } from '../../corrections/settings/set-variable.ts';
import { type RuleInput } from '../../facts/input.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { configSource } from '../../facts/config-source.ts';
import { code } from '../../rendering/quote.ts';
import { byInterpreter, wrongFormat } from '../../corrections/command/command.ts';
import { REPAIR_MIGRATION } from './general-advice.ts';
import { inTheCode } from './in-the-code.ts';
import { explainVariable } from './environment.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';
import { besideProgram } from '../../corrections/files/mount-one-file.ts';

/** Lets .NET use languages again, where the manifest itself switches them off. */
function withLanguages(input: RuleInput): Correction[] {
  const place = input.place();
  const own = place?.container?.env?.find(({ name }) => name === INVARIANT)?.value;
  if (!place || own === undefined || !/^(?:1|true)$/i.test(own)) return [];
  return [
    {
      title: 'Run .NET with languages',
      changes: [withVariable(place, INVARIANT, 'false', 'the program asks for a language')],
      confidence: 'likely',
      explanation: 'The image must bring the ICU library. The images of .NET on Debian do, those on Alpine and the chiseled ones do not.',
      mirrorable: true,
    },
  ];
}

/** The volume that hides the folders below `storage`, of which one holds the compiled views. Its own folder exists for sure. */
function viewsInVolume(input: RuleInput): { volume: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const mount = place?.container?.volumeMounts?.find(({ mountPath }) => /\/storage\/?$/.test(mountPath));
  if (!place || !mount) return undefined;
  const folder = mount.mountPath.replace(/\/$/, '');
  return {
    volume: mount.name,
    corrections: [
      {
        title: `Keep compiled views in ${code(folder)}`,
        changes: [withVariable(place, 'VIEW_COMPILED_PATH', folder, 'this folder is there')],
        confidence: 'guess',
        explanation: `Volume ${code(mount.name)} hides the folders that the image has below ${code(folder)}. Sessions in files need one of them too.`,
        mirrorable: true,
      },
    ],
  };
}

const INVARIANT = 'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT';

function withoutLanguages(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  return [
    {
      title: 'Run .NET without languages',
      changes: [withVariable(place, INVARIANT, '1', 'the image has no ICU library')],
      confidence: 'likely',
      explanation: 'Dates, numbers and sorting then follow no language. The image can bring the library instead.',
      mirrorable: true,
    },
  ];
}

/** Schemes of databases, and the adapters of Rails for them (Rails, "Configuring Rails Applications": Configuring a Database). */
const ADAPTERS: Readonly<Record<string, string>> = { mysql: 'mysql2', postgres: 'postgresql', sqlite: 'sqlite3' };

/** For Rails, which finds no adapter of this name: the scheme of the only address that has it. */
function otherAdapter(input: RuleInput, file: string): Correction[] {
  const scheme = /active_record\/connection_adapters\/(\w{2,20})_adapter$/.exec(file)?.[1] ?? '';
  const to = Object.hasOwn(ADAPTERS, scheme) ? ADAPTERS[scheme] : undefined;
  const place = input.place();
  const [only, ...more] = place ? givenIn(place).filter(({ value }) => value.startsWith(`${scheme}://`)) : [];
  if (!place || to === undefined || !only || more.length > 0) return [];
  return [
    {
      title: `Begin the address with ${code(`${to}://`)}`,
      changes: [rewritten(place, only, to + only.value.slice(scheme.length), `Rails calls the adapter ${code(to)}`)],
      confidence: 'likely',
      explanation: 'Rails chooses its adapter by the scheme of the address.',
      mirrorable: true,
    },
  ];
}

/** Lets Python and Ruby read text as UTF-8 (Python, "Command line and environment"; Ruby, "Encoding"). */
function inUtf8(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const own = place.container.env?.find(({ name, value }) => /^(?:LC_ALL|LC_CTYPE|LANG)$/.test(name) && /^(?:C|POSIX)$/.test(value ?? ''));
  const name = own?.name ?? 'LC_ALL';
  return [
    {
      title: `Set ${code(name)} to ${code('C.UTF-8')}`,
      changes: [
        withVariable(place, name, 'C.UTF-8', own ? 'this locale has no letters but those of ASCII' : 'without a locale, text is ASCII'),
      ],
      confidence: own ? 'likely' : 'guess',
      explanation: 'The program then reads and writes text as UTF-8.',
      mirrorable: true,
    },
  ];
}

/** Lets an Erlang node have a name with dots or without, as `RELEASE_NODE` has one (Mix, "mix release", "Environment variables"). */
function otherDistribution(input: RuleInput, kind: string): Correction[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const at = env.findIndex(({ name }) => name === 'RELEASE_NODE');
  const [own = '', host] = env[at]?.value?.split('@') ?? [];
  const address = env.slice(0, Math.max(at, 0)).find(({ valueFrom }) => valueFrom?.fieldRef?.fieldPath === 'status.podIP')?.name;
  if (place && kind === 'long' && host === undefined && own !== '' && address !== undefined)
    return [
      {
        title: `Set ${code('RELEASE_NODE')} to ${code(`${own}@$(${address})`)}`,
        changes: [withVariable(place, 'RELEASE_NODE', `${own}@$(${address})`, 'a long name has a host')],
        confidence: 'likely',
        explanation: `The pod has its address in ${code(address)}.`,
        mirrorable: true,
      },
    ];
  // What a reference becomes is only known to have dots if the line says so.
  if (!place || !host || (kind === 'long' && /[.$]/.test(host))) return [];
  const to = kind === 'short' ? 'name' : 'sname';
  const has = kind === 'short' ? 'has dots, as an IP has' : 'has none';
  return [
    {
      title: `Set ${code('RELEASE_DISTRIBUTION')} to ${code(to)}`,
      changes: [withVariable(place, 'RELEASE_DISTRIBUTION', to, `the host in ${code('RELEASE_NODE')} ${has}`)],
      confidence: 'likely',
      explanation: `${code('sname')} allows only hosts without dots, ${code('name')} only hosts with them.`,
      mirrorable: true,
    },
  ];
}

/** Whether the file comes from a volume of the container. Then it is a text file, not a binary. */
function isOfVolume(input: RuleInput, file = ''): boolean {
  return input.place()?.container?.volumeMounts?.some(({ mountPath }) => file === mountPath || file.startsWith(`${mountPath}/`)) === true;
}

/** The migration, revision, version or schema that a line names. */
const MIGRATIONS: readonly RegExp[] = [
  /(revision) identified by ['"](\w{1,60})/,
  /(schema)\(s\) "([\w.-]{1,100})"/,
  /([Dd]irty database version) (\d{1,20})/,
  /\b([Mm]igration(?: version| name:)?):? [`'"]?(\w{0,60}\d[\w.]{0,80})/,
  /()((?:[\w.-]{1,60}\/){1,8}[\w.-]{1,60}::[\w.-]{1,60}::[\w.-]{1,60})/,
  /\b([Mm]igration) ([\w.-]{2,100}) is applied/,
];

/** Advice for messages of migration tools. */
const MIGRATION_ADVICE: readonly (readonly [says: RegExp, advice: string])[] = [
  [
    /checksum|check ?sum|was previously applied but/i,
    'A migration was changed after it was applied. Put its old text back, and make the change in a new migration. Accept the new text (`flyway repair`, `clear-checksums`) only if the schema already agrees with it.',
  ],
  [/dirty/i, REPAIR_MIGRATION],
  [
    /non-empty schema/i,
    'The database has tables, and no list of migrations. If they belong to this program, set a baseline; else use an empty schema.',
  ],
  [/pending/i, 'Run the migrations of this release before the program starts: in an init container or a Job.'],
  [
    /schema version|locate|find revision|before its dependency/i,
    'The database has another version than this release expects. Run the release that fits the database, or its migrations first.',
  ],
];

function migrationIn(line: string): string {
  const [, kind = '', name = ''] = MIGRATIONS.flatMap((pattern) => pattern.exec(line) ?? []).slice(0, 3);
  const found = `${kind} ${name}`.trim();
  return found !== '' && /checksum/i.test(line) ? `${found} (checksum)` : found;
}

/** A file with its folder. */
const MOUNTED = /(?<![\w/])(?:\/[\w.@+-]{1,80}){2,12}\.\w{1,10}/;

/** The prefix that Rust prints before the error when `unwrap` or `expect` panics. */
const UNWRAPPED = /^called `Result::(?:unwrap|expect)\(\)` on an `Err` value: /;
/** An error of the program's own type that names a variable: `MissingVar("TOPIC")`. */
const UNSET = /^\w{0,40}(?:Missing|Unset|NotSet|NotFound|Absent|Required)\w{0,40}\("([A-Z][A-Z\d]{0,40}(?:_[A-Z\d]{1,40}){1,6})"\)/;
/** Panics that only a bug in the program can cause. */
const OWN_PANIC =
  /^(?:called `Option::|called `Result::unwrap_err|index out of bounds|range (?:start|end) index|slice index|byte index|(?:internal error: )?entered unreachable code|not (?:yet )?implemented|attempt to |assertion|already (?:mutably )?borrowed|capacity overflow|mid > len|removal index|insertion index|explicit panic|unreachable|no entry found for key|cannot (?:start a runtime|access a Thread Local)|there is no reactor)/;

/** .NET, Go, Rust, C++, Ruby and PHP, and migrations of a database in any language. */
export const otherRuntimeSignatures: readonly Signature[] = [
  {
    // Laravel, `config/view.php`: `VIEW_COMPILED_PATH`, or `storage/framework/views` if that exists.
    id: 'laravel-views',
    hints: ['provide a valid cache path'],
    pattern: /Please provide a valid cache path/,
    explain: (_, input) => {
      const hidden = viewsInVolume(input);
      return {
        because: `the folder for compiled views is missing (${code('storage/framework/views')})${hidden ? `: volume ${code(hidden.volume)} hides what the image has there` : ''}`,
        culprit: `storage/framework/views${hidden ? ` (volume ${hidden.volume})` : ''}`,
        advice: ['Make the folders below `storage/framework` when the container starts, or mount the volume at one of them.'],
        corrections: hidden?.corrections ?? [],
        whereToLook: 'the folders below `storage` in the image and in the volumes',
      };
    },
  },
  {
    id: 'text-ascii',
    hints: ["'ascii' codec can't", 'us-ascii'],
    pattern: /'ascii' codec can't (?:de|en)code|invalid byte sequence in US-ASCII|from (?:ASCII-8BIT|UTF-8) to US-ASCII/,
    explain: (_, input, line) => ({
      because: `it takes text for ASCII that has other letters: ${quotedLine(line)}`,
      culprit: `locale: ${phraseIn(line)}`,
      advice: ['Give the container a locale with UTF-8 (`LC_ALL=C.UTF-8`), or let the program name the encoding of what it reads.'],
      corrections: inUtf8(input),
      whereToLook: '`LC_ALL` and `LANG` of the container',
    }),
  },
  {
    // Erlang, "Distributed Erlang".
    id: 'erlang-node-name',
    hints: ["can't set short node name", "can't set long node name"],
    pattern: /Can't set (?<kind>short|long) node name/,
    explain: ({ kind = 'short' }, input, line) => {
      const corrections = otherDistribution(input, kind);
      return {
        because: `the name of its Erlang node is ${kind === 'short' ? 'long' : 'short'}, and the release wants a ${kind} one`,
        culprit: `RELEASE_DISTRIBUTION: ${phraseIn(line)}`,
        advice: ['Fit `RELEASE_DISTRIBUTION` (`name` or `sname`) to the host in `RELEASE_NODE`: a host with dots needs `name`.'],
        corrections,
        inCode: corrections.length === 0,
        whereToLook: '`RELEASE_NODE` and `RELEASE_DISTRIBUTION`',
      };
    },
  },
  {
    id: 'dotnet-icu',
    hints: ['icu package', 'globalization-invariant', 'invariant culture', 'globalization invariant'],
    pattern:
      /valid ICU package|globalization-invariant mode|Globalization Invariant Mode is not supported|[Oo]nly the invariant culture is supported/,
    explain: (_, input, line) => ({
      because: line.includes('ICU')
        ? 'the image has no ICU library, which .NET needs for languages'
        : 'the image runs .NET without languages',
      culprit: line.includes('ICU') ? `ICU: ${line.slice(0, 160)}` : `${INVARIANT}: ${phraseIn(line)}`,
      advice: [
        'Install `libicu` (`icu-libs`) in the image, or set `DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1` if the program does without languages.',
      ],
      corrections: line.includes('ICU') ? withoutLanguages(input) : withLanguages(input),
      whereToLook: "the image's packages",
    }),
  },
  {
    id: 'go-panic',
    hints: ['panic:', 'fatal error:'],
    pattern: /^(?:.{0,80}\s)?(?:panic: (?!\(\*logrus\.Entry\) 0x)(?<panic>.{1,200})|fatal error: (?<fatal>.{1,200}))/,
    explain: ({ panic, fatal }) =>
      inTheCode(`the program panics: ${code(panic ?? fatal ?? '')}`, `panic: ${panic ?? fatal ?? ''}`.slice(0, 200)),
  },
  {
    // Since Rust 1.73 this line only says where the program panicked. The message is in the next line, and the reader of the log adds it.
    id: 'rust-panic',
    headline: true,
    general: true,
    hints: ['panicked at'],
    pattern: /panicked at (?:'(?<old>.{1,600})', )?(?<where>\S{1,200})/,
    explain: ({ old, where = '' }, input, line) => {
      const isPlace = line.includes('panicked at');
      const message = (isPlace ? old : line)?.replace(UNWRAPPED, '');
      if (message === undefined) return inTheCode(`the program panics at ${code(where)}`, phraseIn(line));
      const variable = UNSET.exec(message)?.[1];
      if (variable !== undefined) return explainVariable({ name: variable }, input, line);
      if (OWN_PANIC.test(message)) return inTheCode(`the program panics: ${code(message, 200)}`, phraseIn(message));
      const source = MOUNTED.test(message) ? configSource(input, message) : '';
      return {
        because: `the program panics: ${code(message, 200)}`,
        culprit: phraseIn(message),
        advice: [
          source === ''
            ? 'Correct what this message names. The place in the code only says where the program gave up.'
            : `Correct what this message names. ${source}`,
        ],
        whereToLook: 'the log around this line, and what the message names: a setting, a file or another server',
      };
    },
  },
  {
    id: 'segmentation-fault',
    hints: ['segmentation fault', 'sigsegv', 'illegal instruction', 'bus error', 'core dumped', 'double free'],
    pattern: /(?<what>[Ss]egmentation fault|\bSIGSEGV|[Ii]llegal instruction|[Bb]us error|double free|core dumped)/,
    explain: ({ what = '' }, input) =>
      /bus error/i.test(what)
        ? {
            because: `it crashes: ${code(what)}, most often because its shared memory is full`,
            culprit: `/dev/shm: ${what}`,
            advice: ['Give it more shared memory: `/dev/shm` has 64 MiB unless a volume replaces it.'],
            corrections: emptySharedMemory(input.place()),
            whereToLook: 'how much shared memory the program needs, and its workers',
          }
        : (cpuWithoutAvx(input) ?? inTheCode(`it crashes: ${code(what)}`, what)),
  },
  {
    id: 'cpp-terminate',
    hints: ['terminate called', 'libc++abi: terminating', 'what():', 'assertion'],
    pattern:
      /what\(\): +(?<what>.{1,300})|libc\+\+abi: terminating (?:due to )?(?:with )?(?<libc>.{1,300})|[Aa]ssertion [`'"]?(?<claim>.{1,200}?)['"`]? failed|terminate called (?!after throwing an instance of 'std::)(?<how>.{1,200})/,
    explain: ({ what, libc, claim, how }, _, line) =>
      inTheCode(`the program gives up: ${code(what ?? libc ?? claim ?? how ?? line, 200)}`, phraseIn(line)),
  },
  {
    // .NET creates files for diagnostics in the folder for temporary files (.NET, "Runtime configuration options for debugging").
    id: 'dotnet-runtime',
    hints: ['failed to create coreclr'],
    pattern: /Failed to create CoreCLR, HRESULT: 0x80004005/,
    explain: (_, input) => {
      const isReadOnly = input.place()?.container?.securityContext?.readOnlyRootFilesystem === true;
      return {
        because: isReadOnly
          ? 'the runtime of .NET cannot make its files in `/tmp`, where nothing may be written'
          : 'the runtime of .NET cannot start',
        culprit: isReadOnly ? '/tmp (readOnlyRootFilesystem)' : 'Failed to create CoreCLR, HRESULT: 0x80004005',
        advice: ['Mount an `emptyDir` at `/tmp`, or set `DOTNET_EnableDiagnostics` to `0`.'],
        corrections: isReadOnly ? writableFolder(input.place(), '/tmp', true) : [],
        whereToLook: '`readOnlyRootFilesystem`, the mounts of the container, and its memory limit',
      };
    },
  },
  {
    id: 'wrong-architecture',
    hints: ['exec format error', 'cannot execute binary file'],
    pattern: /(?:exec (?:user process caused: )?(?:"?(?<program>\/[^\s":]{1,200})"?: )?)?(?:exec format error|cannot execute binary file)/,
    explain: ({ program }, input) => ({
      because: isOfVolume(input, program)
        ? `${code(program ?? '')} comes from a volume and lacks its first line \`#!\`, so the kernel does not know which interpreter to use`
        : wrongFormat(program),
      culprit: `${program ? `${program}: ` : ''}exec format error`,
      corrections: [
        ...forProcessor(input),
        ...(isOfVolume(input, program) ? [] : otherNodes(input, program ?? '')),
        ...byInterpreter(input.place(), program ?? '', 'Only an interpreter can run this file.'),
      ],
      advice: [
        isOfVolume(input, program)
          ? 'Write `#!/bin/sh`, or another interpreter, into the first line of the file, or start the file with its interpreter.'
          : 'Build the image for the architecture of the nodes (`docker buildx build --platform`), or select fitting nodes with `kubernetes.io/arch`.',
      ],
      whereToLook: "the image's platforms and `kubectl get nodes -L kubernetes.io/arch`",
    }),
  },
  {
    id: 'ruby-gem',
    hints: ['loaderror', 'could not find gem', 'bundler::gemnotfound', 'cannot load such file'],
    pattern:
      /cannot load such file -- (?<file>[\w./-]{1,200})|(?:Could not find (?:gem )?['"]?|Bundler::GemNotFound: Could not find ['"]?)(?<gem>[\w.-]{1,100})|Bundler::GemNotFound(?!: Could)/,
    explain: ({ file, gem }, input) => ({
      because: `the Ruby library ${code(file ?? gem ?? '')} is not in the image`,
      culprit: file ?? gem ?? 'gem',
      advice: ['Add it to the Gemfile and build the image again.'],
      corrections: otherAdapter(input, file ?? ''),
      whereToLook: "the image's Gemfile and `BUNDLE_*` variables",
    }),
  },
  {
    // The official image brings its pool in www.conf (docker-library, "php": FPM configuration).
    id: 'php-fpm-pool',
    hints: ['no pool defined'],
    pattern: /No pool defined/,
    explain: (_, input, line) => {
      const hidden = besideProgram(input, '/usr/local/etc/php-fpm.d/www.conf');
      return {
        because: hidden
          ? `it has no pool: volume ${code(hidden.volume)} is mounted at ${code(hidden.folder)} and hides the one of the image`
          : 'its configuration defines no pool',
        culprit: hidden ? `volume ${hidden.volume} at ${hidden.folder} (mountPath)` : phraseIn(line),
        advice: ['Mount only the files of the volume (`subPath`), or define a pool in one of them.'],
        corrections: hidden?.corrections ?? [],
        whereToLook: "the container's `volumeMounts` and the mounted configuration",
      };
    },
  },
  {
    // PHP, "Description of core php.ini directives": memory_limit.
    id: 'php-memory',
    hints: ['bytes exhausted'],
    pattern: /Allowed memory size of (?<bytes>\d{4,13}) bytes exhausted/,
    explain: ({ bytes = '' }, input, line) => ({
      because: `PHP lets its scripts use ${code(formatBytes(Number(bytes)))} of memory, and one needs more`,
      culprit: `memory_limit ${formatBytes(Number(bytes))}: ${phraseIn(line)}`,
      advice: ['Raise `memory_limit` of PHP. If it is then full again, look for what keeps the memory.'],
      corrections: largerScripts(input, Number(bytes)),
      whereToLook: '`memory_limit` in the mounted `php.ini`, in the variables of the image, or in the arguments',
    }),
  },
  {
    id: 'php-fatal',
    hints: ['php fatal error', 'php parse error', 'uncaught error'],
    pattern: /PHP (?:Fatal|Parse) error: +(?<what>.{1,200})/,
    explain: ({ what = '' }) => inTheCode(`PHP ends with ${code(what)}`, what),
  },
  {
    id: 'dotnet-unhandled',
    hints: ['unhandled exception', 'could not load file or assembly', "framework: 'microsoft"],
    pattern:
      /Unhandled exception\. (?<what>.{1,200})|Could not load file or assembly '(?<assembly>[^',]{1,200})|Framework: '(?<framework>[^']{1,100})'/,
    explain: ({ what, assembly, framework }) =>
      assembly || framework
        ? {
            because: `${code(assembly ?? framework ?? '')} is not in the image`,
            culprit: assembly ?? framework ?? '',
            advice: ['Use the runtime image that the program was built for, or publish it self-contained.'],
            whereToLook: 'the runtime version of the image and `*.runtimeconfig.json`',
          }
        : inTheCode(`an exception is not caught: ${code(what ?? '')}`, (what ?? 'unhandled exception').slice(0, 200)),
  },
  {
    id: 'migration-failed',
    hints: ['migrat', 'revision', 'schema version', 'non-empty schema', 'changesets check sum', 'previously applied'],
    pattern:
      /^(?!.{0,900}(?:Validate failed|all later migrations cancel|create schema migrations table)).{0,800}?(?:migrations? (?:are|is) pending|(?<!\b(?:run|running|apply|applying|execute|executing|check|checking|no|for|0) (?:all |the |any |for )?)pending migration|(?:can't|cannot|could not) (?:locate|find) revision|schema version .{1,80}(?:does not match|newer|older|expected)|migration(?:s)? (?<a>[\w.-]{1,100} )?(?:failed|could not be applied)|(?:failed|error|unable|could not).{0,40}(?:migrat\w{0,6})|[Dd]irty database version (?<v>\d{1,20})|checksum mismatch for migration|found non-empty schema|changesets check sum|is applied before its dependency|was previously applied but)/i,
    explain: (_, input, line) => ({
      because: `${/fail|dirty|could not|unable/i.test(line) ? 'a database migration fails' : 'the database and the program are at different migrations'}: ${quotedLine(line)}`,
      culprit:
        migrationIn(line) ||
        foundInLogs(input.subject, /^The `([\w.-]{1,120})` migration started|changesets? check sum\n\s{1,20}([\w./-]{1,150}?)::/m) ||
        phraseIn(line),
      advice: [
        MIGRATION_ADVICE.find(([says]) => says.test(line))?.[1] ??
          'Correct the migration that fails, or the state of the database that it does not expect.',
      ],
      whereToLook: 'the migration that the log names and the table of applied migrations',
    }),
  },
];
