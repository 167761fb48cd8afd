import { otherLauncher } from '../../corrections/command/spring-launcher.ts';
import { knownUser } from '../../corrections/files/other-user.ts';
import { largerBuffers, largerHeap } from '../../corrections/memory/larger-heap.ts';
import { heapOfBytes, heapOfShownBytes } from '../../corrections/memory/divisor.ts';
import { missingVariable, withPrefix } from '../../corrections/settings/variable.ts';
import { missingWith } from '../../corrections/settings/several-variables.ts';
import type { Correction } from '../../corrections/correction.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change, appended } from '../../corrections/change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { textsOf } from '../../corrections/container-texts.ts';
import { equalHeap, otherSize, plainSize } from '../../corrections/settings/size-unit.ts';
import { memoryLimit, raiseMemory } from '../../corrections/memory/memory.ts';
import { renamed } from '../../corrections/settings/rename.ts';
import type { Workload } from '../../../crd/kubernetes.ts';
import { formatBytes } from '../../../crd/quantity.ts';
import { imageOfJava } from '../../corrections/images/version-of-data.ts';
import { heapWithUnit } from '../../corrections/settings/size-unit.ts';
import { oneCollector } from '../../corrections/command/java-collectors.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

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

/** The setting that Spring does not name when it has no data source. */
const DATA_SOURCE = 'spring.datasource.url';
const WITH_DATA_SOURCE = ['spring.datasource.username', 'spring.datasource.password'];

/** A node of Elasticsearch or OpenSearch that has no others. */
function singleNode(input: RuleInput): Correction[] {
  const place = input.place();
  const { owner } = input.subject;
  const { replicas = 1 } = ((owner as Workload | undefined)?.spec ?? {}) as { replicas?: number };
  const env = place?.container?.env;
  // Without its owner a pod may be one of several.
  const isAlone = (owner?.kind === 'StatefulSet' || owner?.kind === 'Deployment') && replicas === 1;
  const misnamed = env?.find(({ name }) => /^DISCOVERY[_.]TYPE$/i.test(name) && name !== 'discovery.type')?.name;
  if (place?.container && misnamed !== undefined)
    return [
      renamed(
        place,
        { from: misnamed, to: 'discovery.type' },
        {
          why: 'the image takes a setting from a variable with the name of the setting',
          explanation: `It does not read ${code(misnamed)}.`,
        },
      ),
    ];
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

/** The memory outside of the heap is full, whose size one option sets (Oracle, "The java Command"). Undefined for the heap itself. */
function directMemory(input: RuleInput, what = ''): Meaning | undefined {
  if (!/direct buffer memory/i.test(what)) return undefined;
  const option = textsOf(input.place()?.container).flatMap((text) => /-XX:MaxDirectMemorySize=\d{1,12}[kmgKMG]?/.exec(text)?.[0] ?? [])[0];
  return {
    because: `the memory of Java outside of its heap is full (${code(what)})`,
    culprit: `${option ?? 'MaxDirectMemorySize'}: ${what}`,
    advice: [
      'Raise `-XX:MaxDirectMemorySize`, and the memory limit with it where heap and buffers do not fit. Without the option it is as large as the heap.',
    ],
    corrections: option === undefined ? raiseMemory(input, 'the buffers of Java lie outside of its heap') : largerBuffers(input, option),
    whereToLook: '`-XX:MaxDirectMemorySize` in `JAVA_OPTS`, `JAVA_TOOL_OPTIONS` or `args`, and the memory limit',
  };
}

/** The JVM: its memory, its options, its classes, and what Spring and Elasticsearch check at their start. */
export const javaSignatures: readonly Signature[] = [
  {
    id: 'java-heap',
    hints: [
      'java.lang.outofmemoryerror',
      'could not reserve enough space',
      'insufficient memory for the java runtime',
      'gc overhead limit',
      'os::commit_memory',
    ],
    pattern:
      /os::commit_memory\(.{1,80}\) failed|java\.lang\.OutOfMemoryError(?:: (?<what>[\w ]{1,80}))?|Could not reserve enough space|insufficient memory for the Java Runtime|GC overhead limit/,
    explain: ({ what }, input) =>
      whatOfBytes(input) ??
      directMemory(input, what) ?? {
        because: `the Java heap is full${what ? ` (${code(what)})` : ''}`,
        culprit: what ? `OutOfMemoryError: ${what}` : 'Java heap',
        advice: ['Raise the memory limit and the heap together. `-XX:MaxRAMPercentage=75` follows the limit, a fixed `-Xmx` does not.'],
        corrections: largerHeap(input) ?? raiseMemory(input, 'the JVM sizes its heap by the limit unless `-Xmx` is set'),
        whereToLook: '`-Xmx` in `JAVA_OPTS`, `JAVA_TOOL_OPTIONS` or `args`, and the memory limit',
      },
  },
  {
    id: 'memory-at-least',
    hints: ['b of ', 'bytes of ', 'b memory', 'b ram', 'b are required', 'insufficient physical memory'],
    pattern:
      /(?:at least|minimum of|minimum is|requires?|needs?) (?<amount>\d{1,6}) ?(?<unit>M|G)(?:i?B|(?:eg|ig)abytes) (?:of (?:free |available |system )?)?(?:memory|RAM)\b|\bso (?<sum>\d{1,6}(?:\.\d{1,3})?) ?(?<of>M|G)i?B are required|insufficient physical memory: needed (?<bytes>\d{8,14})/i,
    explain: (
      { bytes, sum = bytes ? String(Math.ceil(Number(bytes) / 2 ** 20)) : '', of = 'M', amount = sum, unit = of },
      input,
      line,
    ) => ({
      because: `it starts with ${code(`${amount} ${unit.toUpperCase()}B`)} of memory at least`,
      culprit: phraseIn(line),
      advice: ['Raise the memory limit to what the program asks for, and a little more.'],
      corrections: memoryAtLeast(input, Number(amount) * (unit.toUpperCase() === 'G' ? 1024 : 1)),
      whereToLook: 'the memory limit, and the sizes of the nodes',
    }),
  },
  {
    // Paketo, "Memory Calculator": it subtracts what the JVM needs besides its heap from the memory limit.
    id: 'java-fixed-regions',
    hints: ['memory regions require'],
    pattern: /memory regions require (?<needed>\d{4,12})K which is greater than \d{4,12}K available/,
    explain: ({ needed = '' }, input) => ({
      because: `the memory limit is lower than what the JVM needs besides its heap (${code(formatBytes(Number(needed) * 1024))})`,
      culprit: `memory limit: ${needed}K needed besides the heap`,
      advice: ['Raise the memory limit well above this sum, or give the JVM fewer threads (`BPL_JVM_THREAD_COUNT`).'],
      corrections: memoryAtLeast(input, Math.ceil((Number(needed) * 1.5) / 1024)),
      whereToLook: 'the memory limit, `BPL_JVM_THREAD_COUNT`, and `JAVA_TOOL_OPTIONS`',
    }),
  },
  {
    // Without a unit the JVM reads bytes.
    id: 'java-heap-too-small',
    hints: ['too small maximum heap', 'too small initial heap', 'too small heap'],
    pattern: /Too small (?:maximum |initial )?heap/,
    explain(_, input, line) {
      const { option, corrections } = heapWithUnit(input);
      return {
        because: option ? `${code(option)} is a number of bytes: its unit is missing` : 'the heap of the JVM is set too small',
        culprit: option ?? phraseIn(line),
        advice: ['Write the size of the heap with its unit: `-Xmx512m`.'],
        corrections,
        whereToLook: "the container's `args` and its option variables (`JAVA_TOOL_OPTIONS`, `JAVA_OPTS`)",
      };
    },
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
      /malformed GOMEMLIMIT|illegal value for flag (?<node>--max[-_]old[-_]space[-_]size=\S{1,40})|invalid value for parameter "(?<parameter>\w{1,60})": "(?<pg>(?!\d*[OolI])\d{1,12} ?[A-Za-z]{1,3})"/,
    explain: ({ node, parameter, pg }, input, line) => {
      const found = otherSize(input, { node, pg });
      return {
        because: found
          ? `${code(found.from)} is not a size for this program, which writes sizes otherwise`
          : `a size is not written as the program wants it: ${quotedLine(line)}`,
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
    id: 'java-collectors',
    hints: ['multiple garbage collectors', 'conflicting collector combinations'],
    pattern: /Multiple garbage collectors selected|Conflicting collector combinations in option list/,
    explain: (_, input, line) => {
      const { options, corrections } = oneCollector(input.place());
      return {
        because: 'the JVM is told to use more than one garbage collector',
        culprit: `${phraseIn(line)}${options.length > 0 ? `: ${options.join(', ')}` : ''}`,
        advice: ['Choose one garbage collector, and remove the options for all others.'],
        corrections,
        whereToLook: "`JAVA_TOOL_OPTIONS`, `JAVA_OPTS` and the container's `args`",
      };
    },
  },
  {
    id: 'java-user',
    hints: ['invalid null input: name', 'unable to determine current user'],
    pattern: /LoginException: .{0,60}invalid null input: name/,
    explain: (_, input, line) => ({
      because: `its user has no name in the image: ${quotedLine(line)}`,
      culprit: 'runAsUser without an entry in /etc/passwd',
      advice: ['Run it as a user that the image knows, or add the user to the image.'],
      corrections: knownUser(input.place()),
      whereToLook: '`runAsUser` of the pod and the container, and `/etc/passwd` of the image',
    }),
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
    explain: ({ name, version, jar }, input, line) => ({
      corrections: version ? imageOfJava(input, line) : otherLauncher(input, (name ?? '').replaceAll('/', '.')),
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
    hints: ['bootstrap check failure', 'the default discovery settings are unsuitable'],
    pattern:
      /bootstrap check failure \[\d{1,3}\] of \[\d{1,3}\]: (?<what>.{1,400})|^\[\d\]: (?<also>the default discovery settings are unsuitable.{1,300})/,
    explain: ({ also = '', what = also }, input) => ({
      because: `it refuses to start outside of development: ${code(what, 200)}`,
      culprit: what.slice(0, 200),
      advice: ['Set what the check asks for. For a single node `discovery.type=single-node` switches the checks off.'],
      corrections: what.includes('default discovery settings') ? singleNode(input) : [],
      whereToLook: "the variables and the mounted configuration of the node, and the node's kernel parameters",
    }),
  },
];
