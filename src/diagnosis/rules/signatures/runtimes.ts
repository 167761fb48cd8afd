import { heapOfBytes, heapOfShownBytes } from '../../corrections/memory/divisor.ts';
import { longerWorkers } from '../../corrections/settings/worker-timeout.ts';
import { smallHeap } from '../../corrections/memory/heap.ts';
import { replaceText } from '../../corrections/replace-text.ts';
import { missingVariable, missingWith, withPrefix } from '../../corrections/settings/variable.ts';
import type { Correction } from '../../corrections/correction.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change, appended } from '../../corrections/change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { byInterpreter, dropCommand } from '../../corrections/command/command.ts';
import { equalHeap, otherSize, plainSize } from '../../corrections/settings/size-unit.ts';
import { withOption } from '../../corrections/settings/set-option.ts';
import { sharedProcesses } from '../../corrections/command/processes.ts';
import { memoryLimit, raiseMemory } from '../../corrections/memory/memory.ts';
import type { Workload } from '../../../crd/kubernetes.ts';
import { formatBytes } from '../../../crd/quantity.ts';
import { inTheCode } from './in-the-code.ts';
import { phraseIn, plainWords } from './phrase.ts';
import type { Meaning, Signature } from './signature.ts';

/** A heap that is much too large, because bytes are taken for a larger unit. */
function whatOfBytes(input: RuleInput, shown = ''): Meaning | undefined {
  const found = heapOfBytes(input) ?? heapOfShownBytes(input, shown);
  return (
    found && {
      because: `its heap is ${code(found.option)}, and ${code(found.name)} is in bytes`,
      culprit: `${found.name} without a divisor, in ${found.option}`,
      advice: ['Give the reference to the memory the divisor of that unit.'],
      corrections: found.corrections,
      whereToLook: "the `resourceFieldRef` in the container's `env`",
    }
  );
}

/** The settings fix the heap below what the memory limit allows. A higher limit alone would not help. */
function largerHeap(input: RuleInput): Correction[] | undefined {
  const container = input.place()?.container;
  const small = container && smallHeap(container);
  if (!small) return undefined;
  const changes = replaceText(
    input,
    small.from,
    small.to,
    `the heap of ${code(small.from)} is full, and the memory limit leaves room for more`,
  );
  if (changes.length === 0) return undefined;
  return [
    {
      title: `Raise the heap to ${code(small.to)}`,
      changes,
      confidence: 'guess',
      explanation: 'The runtime uses no more than this setting allows.',
      mirrorable: true,
    },
  ];
}

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

/** Raises the limit to what the program says it needs plus a quarter. */
function memoryAtLeast(input: RuleInput, mebibytes: number): Correction[] {
  const place = input.place();
  const limit = memoryLimit(place);
  const bytes = Math.ceil((mebibytes * 1.25) / 64) * 64 * 2 ** 20;
  if (!place || !limit || limit.bytes >= bytes) return [];
  const size = formatBytes(bytes);
  return [
    {
      title: `Raise the memory limit to ${code(size)}`,
      changes: [
        change(place, fieldPath(place.path, 'resources', 'limits', 'memory'), size, `the program asks for ${mebibytes}Mi at least`),
      ],
      confidence: 'likely',
      explanation: `The limit is ${code(limit.written)}.`,
      mirrorable: true,
    },
  ];
}

function withoutLanguages(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const entry = { name: 'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT', value: '1' };
  return [
    {
      title: 'Run .NET without languages',
      changes: [appended(place, fieldPath(place.path, 'env'), place.container.env, entry, 'the image has no ICU library')],
      confidence: 'likely',
      explanation: 'Dates, numbers and sorting then follow no language. The image can bring the library instead.',
      mirrorable: true,
    },
  ];
}

/** Whether the file comes from a volume of the container. Then it is a text file, not a binary. */
function isOfVolume(input: RuleInput, file = ''): boolean {
  return input.place()?.container?.volumeMounts?.some(({ mountPath }) => file === mountPath || file.startsWith(`${mountPath}/`)) === true;
}

/** The setting that Spring does not name when it has no data source. */
const DATA_SOURCE = 'spring.datasource.url';
const WITH_DATA_SOURCE = ['spring.datasource.username', 'spring.datasource.password'];

/** The migration, revision, version or schema that a line names. */
const MIGRATIONS: readonly RegExp[] = [
  /(revision) identified by ['"](\w{1,60})/,
  /(schema)\(s\) "([\w.-]{1,100})"/,
  /([Dd]irty database version) (\d{1,20})/,
  /\b([Mm]igration(?: version| name:)?) [`'"]?(\w{0,60}\d[\w.]{0,80})/,
  /()((?:[\w.-]{1,60}\/){1,8}[\w.-]{1,60}::[\w.-]{1,60}::[\w.-]{1,60})/,
  /\b([Mm]igration) ([\w.-]{2,100}) is applied/,
];

function migrationIn(line: string): string {
  const [, kind = '', name = ''] = MIGRATIONS.flatMap((pattern) => pattern.exec(line) ?? []).slice(0, 3);
  return `${kind} ${name}`.trim();
}

/** What Rust writes before the error that a panic is about. */
const UNWRAPPED = /^called `Result::(?:unwrap|expect)\(\)` on an `Err` value: /;
/** Panics that only a mistake in the code brings about. */
const OWN_PANIC =
  /^(?:called `Option::|called `Result::unwrap_err|index out of bounds|range (?:start|end) index|slice index|byte index|(?:internal error: )?entered unreachable code|not (?:yet )?implemented|attempt to |assertion|already (?:mutably )?borrowed|capacity overflow|mid > len|removal index|insertion index|explicit panic|unreachable|no entry found for key|cannot (?:start a runtime|access a Thread Local)|there is no reactor)/;

function shorterContext(input: RuleInput, length: string): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  return [
    {
      title: `Set \`--max-model-len\` to ${code(length)}`,
      changes: [withOption(place, '--max-model-len', length, 'the log names this length')],
      confidence: 'likely',
      explanation: 'Longer requests are then refused. If they must be served, the model needs a larger card.',
      mirrorable: true,
    },
  ];
}

/** A node of Elasticsearch or OpenSearch that has no others. */
function singleNode(input: RuleInput): Correction[] {
  const place = input.place();
  const { owner } = input.subject;
  const { replicas = 1 } = ((owner as Workload | undefined)?.spec ?? {}) as { replicas?: number };
  const env = place?.container?.env;
  // Without its owner a pod may be one of several.
  const isAlone = (owner?.kind === 'StatefulSet' || owner?.kind === 'Deployment') && replicas === 1;
  if (!place?.container || !isAlone || env?.some(({ name }) => /^discovery\.|^cluster\.initial/.test(name))) return [];
  const entry = { name: 'discovery.type', value: 'single-node' };
  return [
    {
      title: 'Run it as a single node',
      changes: [appended(place, fieldPath(place.path, 'env'), env, entry, 'there is only one replica, which has nobody to look for')],
      confidence: 'likely',
      explanation: 'It then forms a cluster of its own. Remove the variable before others join it.',
      mirrorable: true,
    },
  ];
}

/** What language runtimes log before they end. */
export const runtimeSignatures: readonly Signature[] = [
  {
    // Gunicorn then wonders whether memory ran out, because it has killed the worker itself.
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
    ],
    pattern:
      /\bSIGKILL\b.{0,60}out of memory|(?:sent|signal|received|killed by|with|by) \(?SIGKILL\b|\bsignal: killed|: +\d{1,7} Killed\b|^Killed$|\bsignal 9\b|exit (?:code|status) 137\b|[Oo]ut of memory: [Kk]ill|runtime: out of memory|std::bad_alloc|^MemoryError\b|(?<!lock memory: )[Cc]annot allocate memory|\bENOMEM\b|memory allocation of \d{1,18} bytes failed/,
    explain: (_, input, line) => ({
      because: `memory ran out: ${code(line, 160)}`,
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
    hints: ['process', 'pidof', 'pgrep', 'pkill', 'killall'],
    pattern:
      /(?:no process(?:es)?(?: (?:is |was )?(?:named|called|with (?:the )?name|matching|for))?|(?:can(?:not|'t)|could not|couldn't|unable to|did not|failed to) find (?:a |the |any )?(?:running )?process(?: (?:named|called|of|for))?|(?:pidof|pgrep|pkill|killall): no process(?:es)? found:) ['"`]?(?<a>(?!found|killed|is |was )[\w.-]{2,60})|\bprocess ['"`]?(?<b>[\w.-]{2,60})['"`]? (?:is )?(?:not (?:found|running|there)|does not exist|doesn't exist)(?! yet)|\b(?<c>[\w.-]{2,60}): no process(?:es)? (?:found|killed)(?:: ['"`]?(?<d>[\w.-]{2,60}))?/i,
    explain: ({ a, b, c, d }, input, line) => {
      const process = a ?? b ?? d ?? c ?? '';
      const found = sharedProcesses(input, process);
      return {
        because: found
          ? `it does not see the process ${code(process)}, which container ${code(found.of)} runs`
          : `it does not find the process ${code(process)}: ${code(line, 160)}`,
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
        : `it must be the first process of its container: ${code(line, 160)}`,
      culprit: phraseIn(line),
      advice: ['Start the program itself, without a shell or wrapper around it (`exec` in a script), and without `shareProcessNamespace`.'],
      corrections: ownProcesses(input),
      whereToLook: "`shareProcessNamespace`, `hostPID`, and the container's `command`",
    }),
  },
  {
    id: 'gpu',
    hints: ['cuda', 'nvml', 'nvidia', 'no gpu', 'rocm', 'hip error'],
    pattern:
      /(?<full>(?:CUDA|HIP) out of memory|CUDA_ERROR_OUT_OF_MEMORY)|CUDA driver version is insufficient|no CUDA-capable device|CUDA error: .{1,120}|Found no NVIDIA driver|(?:could not|couldn't|failed to|unable to) (?:load|open|initiali[sz]e).{0,30}(?:NVML|libcuda|libnvidia)|no GPUs? (?:found|available|detected)/i,
    explain: ({ full }, _, line) => ({
      because: full ? `the memory of its graphics card is full: ${code(line, 160)}` : `it cannot use a graphics card: ${code(line, 160)}`,
      culprit: phraseIn(line),
      advice: [
        full
          ? 'Use a smaller batch or model, or a larger card. Look for other programs on the same card.'
          : 'Request a card (`resources.limits["nvidia.com/gpu"]`) on nodes whose driver is new enough for the CUDA version of the image.',
      ],
      whereToLook: full
        ? '`nvidia-smi` on the node'
        : "the limits of the container, `nvidia-smi` on the node, and the image's CUDA version",
    }),
  },
  {
    // vLLM measures what is left of the card before it serves, and names the length that fits.
    id: 'model-length',
    hints: ['stored in kv cache (', 'estimated maximum model length is', 'is greater than the derived max_model_len'],
    pattern:
      /stored in KV cache \((?<fits>\d{2,8})\)|estimated maximum model length is (?<estimate>\d{2,8})|is greater than the derived max_model_len \([^)]{0,80}?=(?<derived>\d{2,8})/,
    explain: ({ fits, estimate, derived }, input, line) => {
      const length = fits ?? estimate ?? derived ?? '';
      return {
        because: derived
          ? `the model knows no context longer than ${code(length)}`
          : `the context of the model is longer than what fits into the memory of the card (${code(length)})`,
        culprit: `max_model_len: ${plainWords(line)
          .replace(/^.*?(?=[Tt]he model|[Tt]o serve|User-spec)/, '')
          .slice(0, 160)}`,
        advice: [
          derived
            ? `Set \`--max-model-len\` to ${code(length)} at most.`
            : `Set \`--max-model-len\` to ${code(length)} at most, or give vLLM more of the card (\`--gpu-memory-utilization\`), or a larger card.`,
        ],
        corrections: shorterContext(input, length),
        whereToLook: "the container's `args`, and the memory of the card",
      };
    },
  },
  {
    id: 'python-module',
    hints: ['no module named', 'importerror', 'could not import module'],
    pattern:
      /(?:ModuleNotFoundError|ImportError): (?:No module named ['"]?(?<module>[\w.-]{1,200})|cannot import name ['"](?<name>\w{1,200})['"] from ['"](?<from>[\w.]{1,200}))|(?:No module named|Could not import module) ['"]?(?<bare>[\w.]{1,200})/,
    explain: ({ module, name, from, bare }) => {
      const missing = module ?? bare ?? from ?? '';
      return {
        because: name
          ? `the Python module ${code(missing)} has no ${code(name)}`
          : `the Python module ${code(missing)} is not in the image`,
        culprit: name ? `${missing}.${name}` : missing,
        advice: ['Add it to the requirements and build the image again. For your own module check `PYTHONPATH` and `workingDir`.'],
        whereToLook: "the image's requirements, `PYTHONPATH` and `workingDir`",
      };
    },
  },
  {
    id: 'node-module',
    hints: ['cannot find module', 'cannot find package', 'err_module_not_found'],
    pattern: /Cannot find (?:module|package) ['"](?<module>(?!\/)[^'"]{1,200})['"]/,
    explain: ({ module = '' }, input) => ({
      because: `the Node module ${code(module)} is not in the image`,
      culprit: module,
      advice: [
        'Install it in the image (`npm ci --omit=dev` leaves development dependencies out), and check that no volume hides `node_modules`.',
      ],
      corrections:
        (input.place()?.container?.command?.length ?? 0) > 0 && module.startsWith('.')
          ? dropCommand(input.place(), 'the command starts a file that lacks its parts')
          : [],
      whereToLook: "the image's `package.json` and `node_modules`, and mounts over them",
    }),
  },
  {
    id: 'npm-script',
    hints: ['missing script'],
    pattern: /[Mm]issing script:? ['"]?(?<script>[\w:.-]{1,80})/,
    explain: ({ script = '' }, input) => ({
      because: `\`package.json\` has no script ${code(script)}`,
      culprit: `script ${script}`,
      advice: ['Name a script that `package.json` has (`npm run` lists them), or start the program itself.'],
      corrections: dropCommand(input.place(), `there is no script ${code(script)}`),
      whereToLook: "the `scripts` of the image's `package.json`",
    }),
  },
  {
    id: 'node-heap',
    hints: ['javascript heap out of memory'],
    pattern: /JavaScript heap out of memory/,
    explain: (_, input) => ({
      because: "Node's heap is full",
      culprit: 'JavaScript heap out of memory',
      advice: [
        'Raise the memory limit (Node sizes its heap by it), or set `NODE_OPTIONS=--max-old-space-size` to about three quarters of it. If it then only takes longer until it fails, look for a leak.',
      ],
      corrections: largerHeap(input) ?? raiseMemory(input, 'Node sizes its heap by the limit'),
      whereToLook: 'the memory limit, `NODE_OPTIONS`, and a heap snapshot',
    }),
  },
  {
    id: 'java-heap',
    hints: [
      'java.lang.outofmemoryerror',
      'could not reserve enough space',
      'insufficient memory for the java runtime',
      'gc overhead limit',
      'terminating due to java.lang.outofmemoryerror',
    ],
    pattern:
      /java\.lang\.OutOfMemoryError(?:: (?<what>[\w ]{1,80}))?|Could not reserve enough space|insufficient memory for the Java Runtime|GC overhead limit/,
    explain: ({ what }, input) =>
      whatOfBytes(input) ?? {
        because: `the Java heap is full${what ? ` (${code(what)})` : ''}`,
        culprit: what ? `OutOfMemoryError: ${what}` : 'Java heap',
        advice: ['Raise the memory limit and the heap together. `-XX:MaxRAMPercentage=75` follows the limit, a fixed `-Xmx` does not.'],
        corrections: largerHeap(input) ?? raiseMemory(input, 'the JVM sizes its heap by the limit unless `-Xmx` is set'),
        whereToLook: '`-Xmx` in `JAVA_OPTS`, `JAVA_TOOL_OPTIONS` or `args`, and the memory limit',
      },
  },
  {
    id: 'memory-at-least',
    hints: [
      'megabytes of memory',
      'mb of memory',
      'gb of memory',
      'mib of memory',
      'gib of memory',
      'mb of ram',
      'gb of ram',
      'mb ram',
      'gb ram',
      'mb memory',
      'gb memory',
      'gigabytes of memory',
    ],
    pattern:
      /(?:at least|minimum of|minimum is|requires?|needs?) (?<amount>\d{1,6}) ?(?<unit>M|G)(?:i?B|egabytes|igabytes) (?:of )?(?:free |available |system )?(?:memory|RAM)\b/i,
    explain: ({ amount = '', unit = '' }, input, line) => ({
      because: `it starts with ${code(`${amount} ${unit.toUpperCase()}B`)} of memory at least`,
      culprit: phraseIn(line),
      advice: ['Raise the memory limit to what the program asks for, and a little more.'],
      corrections: memoryAtLeast(input, Number(amount) * (unit.toUpperCase() === 'G' ? 1024 : 1)),
      whereToLook: 'the memory limit, and the sizes of the nodes',
    }),
  },
  {
    id: 'java-heap-order',
    hints: ['initial heap size set to a larger', 'not equal to maximum heap size'],
    pattern:
      /Initial heap size set to a larger value than the maximum heap size|initial heap size \[\d{1,18}\] not equal to maximum heap size/,
    explain: (_, input, line) => {
      const found = equalHeap(input);
      return {
        because: line.includes('not equal')
          ? 'the heap of the JVM must begin as large as it may become'
          : 'the heap of the JVM begins larger than it may become',
        culprit: found?.culprit ?? phraseIn(line),
        advice: [line.includes('not equal') ? 'Set `-Xms` to the value of `-Xmx`.' : 'Set `-Xms` to `-Xmx` at most.'],
        corrections: found?.corrections ?? [],
        whereToLook: "`JAVA_TOOL_OPTIONS`, `JAVA_OPTS` and the container's `args`",
      };
    },
  },
  {
    id: 'size-unit',
    hints: ['malformed gomemlimit', 'illegal value for flag --max', 'invalid value for parameter'],
    pattern:
      /malformed GOMEMLIMIT|illegal value for flag (?<node>--max[-_]old[-_]space[-_]size=\S{1,40})|invalid value for parameter "(?<parameter>\w{1,60})": "(?<pg>\d{1,12} ?[A-Za-z]{1,3})"/,
    explain: ({ node, parameter, pg }, input, line) => {
      const found = otherSize(input, { node, pg });
      return {
        because: found
          ? `${code(found.from)} is no size as the program writes it`
          : `a size is not written as the program wants it: ${code(line, 160)}`,
        culprit: [parameter, found?.from ?? phraseIn(line)].filter(Boolean).join('='),
        advice: ['Every program has its own units: `512MiB` for Go, `-Xmx512m` for Java, `128MB` for PostgreSQL.'],
        corrections: found?.corrections ?? [],
        whereToLook: "the container's variables and `args` with sizes",
      };
    },
  },
  {
    id: 'java-option',
    hints: ['invalid maximum heap size', 'invalid initial heap size', 'invalid thread stack size', 'improperly specified vm option'],
    pattern:
      /Invalid (?:maximum heap|initial heap|thread stack) size: (?<size>-X\S{1,80})|Improperly specified VM option '(?<option>[^']{1,120})/,
    explain: ({ size, option }, input, line) =>
      (size ? whatOfBytes(input, size) : undefined) ?? {
        because: `the JVM does not take the option ${code(size ?? option ?? '')}`,
        culprit: size ?? option ?? phraseIn(line),
        advice: ['Sizes end with `k`, `m` or `g`, and with nothing more: `-Xmx256m`.'],
        corrections: plainSize(input, size ?? option ?? ''),
        whereToLook: "`JAVA_TOOL_OPTIONS`, `JAVA_OPTS` and the container's `args`",
      },
  },
  {
    id: 'java-class',
    hints: [
      'classnotfoundexception',
      'noclassdeffounderror',
      'unsupportedclassversionerror',
      'no main manifest attribute',
      'nosuchmethoderror',
    ],
    pattern:
      /(?:ClassNotFoundException|NoClassDefFoundError|NoSuchMethodError): ['"]?(?<name>[\w./$<>]{1,200})|(?<version>UnsupportedClassVersionError(?:: \S{1,200})?)|no main manifest attribute, in (?<jar>\S{1,200})/,
    explain: ({ name, version, jar }) => ({
      because: version
        ? 'its classes need a newer Java than the image has'
        : jar
          ? `${code(jar)} names no main class`
          : `the Java class ${code(name ?? '')} is not on the class path`,
      culprit: name ?? jar ?? version ?? 'class path',
      advice: [
        version
          ? 'Use an image with the Java version that the classes were built for.'
          : 'Add the missing jar to the class path, or build it into the image.',
      ],
      whereToLook: "the class path in `command`, `args` or `CLASSPATH`, and the image's Java version",
    }),
  },
  {
    id: 'spring-context',
    hints: [
      'could not resolve placeholder',
      'failed to configure a datasource',
      'config property',
      '@configproperty',
      'error resolving property value',
    ],
    pattern:
      /Could not resolve placeholder '(?<named>[^']{1,200})'|[Cc]onfig property (?<property>[\w.-]{1,120}) is required|@ConfigProperty for key (?<injected>[\w.-]{1,120})|Error resolving property value \[\$\{(?<resolved>[\w.-]{1,120})|Failed to configure a DataSource/,
    explain: ({ named, property, injected, resolved, placeholder = named ?? property ?? injected ?? resolved }, input) => ({
      because: placeholder ? `the setting ${code(placeholder)} is not set` : 'Spring has no address for its data source',
      culprit: withPrefix(input, placeholder?.split(':', 1)[0] ?? DATA_SOURCE),
      advice: [
        'Set it with an environment variable (`A_B_C` for `a.b.c`) or in a mounted `application.yaml`, and check the active profile.',
      ],
      corrections: placeholder
        ? missingVariable(input, placeholder.split(':', 1)[0] ?? '')
        : missingWith(input, DATA_SOURCE, WITH_DATA_SOURCE),
      whereToLook: "the first `Caused by` of the trace, the container's `env`, and the mounted configuration",
    }),
  },
  {
    id: 'bootstrap-check',
    hints: ['bootstrap check failure'],
    pattern: /bootstrap check failure \[\d{1,3}\] of \[\d{1,3}\]: (?<what>.{1,400})/,
    explain: ({ what = '' }, input) => ({
      because: `it refuses to start outside of development: ${code(what, 200)}`,
      culprit: what.slice(0, 200),
      advice: ['Set what the check asks for. For a single node `discovery.type=single-node` switches the checks off.'],
      corrections: what.includes('default discovery settings') ? singleNode(input) : [],
      whereToLook: "the variables and the mounted configuration of the node, and the node's kernel parameters",
    }),
  },
  {
    id: 'dotnet-icu',
    hints: ['icu package', 'globalization-invariant', 'invariant culture'],
    pattern: /valid ICU package|globalization-invariant mode|[Oo]nly the invariant culture is supported/,
    explain: (_, input, line) => ({
      because: line.includes('ICU')
        ? 'the image has no ICU library, which .NET needs for languages'
        : 'the image runs .NET without languages',
      culprit: line.includes('ICU') ? `ICU: ${line.slice(0, 160)}` : phraseIn(line),
      advice: [
        'Install `libicu` (`icu-libs`) in the image, or set `DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1` if the program does without languages.',
      ],
      corrections: line.includes('ICU') ? withoutLanguages(input) : [],
      whereToLook: "the image's packages",
    }),
  },
  {
    id: 'go-panic',
    hints: ['panic:', 'fatal error:'],
    pattern: /^(?:.{0,80}\s)?(?:panic: (?<panic>.{1,200})|fatal error: (?<fatal>.{1,200}))/,
    explain: ({ panic, fatal }) =>
      inTheCode(`the program panics: ${code(panic ?? fatal ?? '')}`, `panic: ${panic ?? fatal ?? ''}`.slice(0, 200)),
  },
  {
    // The line itself since Rust 1.73 only says where it panicked. The reader of the log then gives the message, which stands in the next line.
    id: 'rust-panic',
    headline: true,
    general: true,
    hints: ['panicked at'],
    pattern: /panicked at (?:'(?<old>.{1,600})', )?(?<where>\S{1,200})/,
    explain: ({ old, where = '' }, _, line) => {
      const isPlace = line.includes('panicked at');
      const message = (isPlace ? old : line)?.replace(UNWRAPPED, '');
      if (message === undefined) return inTheCode(`the program panics at ${code(where)}`, phraseIn(line));
      if (OWN_PANIC.test(message)) return inTheCode(`the program panics: ${code(message, 200)}`, phraseIn(message));
      return {
        because: `the program panics: ${code(message, 200)}`,
        culprit: phraseIn(message),
        advice: ['Correct what this message names. The place in the code only says where the program gave up.'],
        whereToLook: 'the log around this line, and what the message names: a setting, a file or another server',
      };
    },
  },
  {
    id: 'segmentation-fault',
    hints: ['segmentation fault', 'sigsegv', 'illegal instruction', 'bus error', 'core dumped', 'double free'],
    pattern: /(?<what>[Ss]egmentation fault|\bSIGSEGV|[Ii]llegal instruction|[Bb]us error|double free|core dumped)/,
    explain: ({ what = '' }) => inTheCode(`it crashes: ${code(what)}`, what),
  },
  {
    id: 'cpp-terminate',
    hints: ['terminate called', 'libc++abi: terminating', 'what():', 'assertion'],
    pattern:
      /what\(\): +(?<what>.{1,300})|libc\+\+abi: terminating (?:due to )?(?:with )?(?<libc>.{1,300})|[Aa]ssertion [`'"]?(?<claim>.{1,200}?)['"`]? failed|terminate called (?<how>.{1,200})/,
    explain: ({ what, libc, claim, how }, _, line) =>
      inTheCode(`the program gives up: ${code(what ?? libc ?? claim ?? how ?? line, 200)}`, phraseIn(line)),
  },
  {
    id: 'wrong-architecture',
    hints: ['exec format error', 'cannot execute binary file'],
    pattern: /(?:exec (?:user process caused: )?(?:"?(?<program>\/[^\s":]{1,200})"?: )?)?(?:exec format error|cannot execute binary file)/,
    explain: ({ program }, input) => ({
      because: isOfVolume(input, program)
        ? `${code(program ?? '')} comes from a volume and lacks its first line \`#!\`, so the kernel does not know which interpreter to use`
        : `${program ? code(program) : 'the program'} is built for another processor than the node's, or is a script without its first line \`#!\``,
      culprit: program ?? 'exec format error',
      corrections: byInterpreter(input.place(), program ?? '', 'Only an interpreter can run this file.'),
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
    pattern: /cannot load such file -- (?<file>[\w./-]{1,200})|Could not find (?:gem )?['"]?(?<gem>[\w.-]{1,100})|Bundler::GemNotFound/,
    explain: ({ file, gem }) => ({
      because: `the Ruby library ${code(file ?? gem ?? '')} is not in the image`,
      culprit: file ?? gem ?? 'gem',
      advice: ['Add it to the Gemfile and build the image again.'],
      whereToLook: "the image's Gemfile and `BUNDLE_*` variables",
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
    hints: ['migration', 'revision', 'schema version', 'non-empty schema', 'changesets check sum', 'previously applied'],
    pattern:
      /^(?!.{0,200}(?:Validate failed|all later migrations cancel)).{0,800}?(?:migrations? (?:are|is) pending|pending migration|(?:can't|cannot|could not) (?:locate|find) revision|schema version .{1,80}(?:does not match|newer|older|expected)|migration(?:s)? (?<a>[\w.-]{1,100} )?(?:failed|could not be applied)|(?:failed|error|unable|could not).{0,40}(?:migrat\w{0,6})|[Dd]irty database version (?<v>\d{1,20})|checksum mismatch for migration|found non-empty schema|changesets check sum|is applied before its dependency|was previously applied but)/i,
    explain: (_, input, line) => ({
      because: `${/fail|dirty|could not|unable/i.test(line) ? 'a database migration fails' : 'the database and the program are at different migrations'}: ${code(line, 160)}`,
      culprit:
        migrationIn(line) ||
        foundInLogs(input.subject, /^The `([\w.-]{1,120})` migration started|changesets? check sum\n\s{1,20}([\w./-]{1,150}?)::/m) ||
        phraseIn(line),
      advice: [
        'Run the migrations of this release before the program starts. Correct a failing migration, or the state of the database. Clear a "dirty" version by hand.',
      ],
      whereToLook: 'the migration that the log names and the table of applied migrations',
    }),
  },
];
