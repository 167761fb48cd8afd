import { withoutPidFile } from '../../corrections/files/stale-pid-file.ts';
import { fileIn } from './file-in-line.ts';
import { code } from '../../rendering/quote.ts';
import { largerVolume } from '../../corrections/memory/larger-volume.ts';
import { oneAtATime } from '../../changes/one-at-a-time.ts';
import { withVariable } from '../../corrections/settings/set-variable.ts';
import type { Correction } from '../../corrections/correction.ts';
import type { RuleInput } from '../../facts/input.ts';
import { phraseIn, quotedLine } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';

/** A kernel parameter and its current value. */
const KERNEL_SETTING = /\b((?:vm|fs|net|kernel)\.[a-z][\w.]{2,80})\b(?: (?:is |=)?\[?(\d{1,12})\]?)?/;

const isSharedMemory = (line: string) => /shared memory|\/dev\/shm|shm_open|shmget/i.test(line);

/** A memory-backed volume at `/dev/shm`: a larger one, or a new one. */
function sharedMemory(input: RuleInput): Correction[] {
  const larger = largerVolume(input, '/dev/shm');
  return larger.map((one) => ({ ...one, confidence: 'likely' as const }));
}

/** What programs do without the parameter: Elasticsearch and OpenSearch without mapped files (Elastic, "Virtual memory"), SonarQube without their checks. */
const WITHOUT_MAPS: readonly { image: RegExp; title: string; variable: string; value: string; why: string; effect: string }[] = [
  {
    image: /sonarqube/,
    title: 'Let its Elasticsearch start without checks',
    variable: 'SONAR_ES_BOOTSTRAP_CHECKS_DISABLE',
    value: 'true',
    why: 'only the checks at its start demand the parameter',
    effect: 'With much data it may end later.',
  },
  {
    image: /elasticsearch|opensearch/,
    title: 'Do without mapped files',
    variable: 'node.store.allow_mmap',
    value: 'false',
    why: 'only mapped files need that many areas',
    effect: 'It reads its indices somewhat slower then.',
  },
];

function withoutMemoryMaps(input: RuleInput): Correction[] {
  const place = input.place();
  const found = WITHOUT_MAPS.find(({ image }) => image.test(place?.container?.image ?? ''));
  if (!place || !found) return [];
  return [
    {
      title: found.title,
      changes: [withVariable(place, found.variable, found.value, found.why)],
      confidence: 'guess',
      explanation: `${found.effect} Where the nodes can be changed, raise the parameter there instead.`,
      mirrorable: true,
    },
  ];
}

/** Limits that are reached (disk space, open files, processes) and kernel settings that are too low. */
export const limitSignatures: readonly Signature[] = [
  {
    id: 'no-space',
    hints: ['no space left', 'enospc', 'disk quota exceeded', 'disk full', 'disk is full', 'errno'],
    pattern:
      /[Nn]o space left on device|ENOSPC(?!: System limit for number of file watchers)|[Dd]isk quota exceeded|[Dd]isk (?:is )?full|\b[Ee]rrno[ =:]{0,3}28\b/,
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
    hints: ['max_map_count', 'vm.overcommit_memory', 'inotify', 'number of file watchers', 'somaxconn'],
    pattern:
      /(?:vm|fs|net|kernel)\.[\w.]{3,80} .{0,60}(?:too low|increase|must be|should be)|max virtual memory areas|inotify (?:watches|instances)|(?<watchers>number of file watchers)/i,
    explain: ({ watchers }, input, line) => {
      // Node does not name the parameter.
      const [, setting, has] = watchers ? [line, 'fs.inotify.max_user_watches'] : (KERNEL_SETTING.exec(line) ?? []);
      return {
        because: setting
          ? `the kernel parameter ${code(setting)} of its node is too low${has ? ` (${code(has)})` : ''}`
          : `a kernel parameter of its node is too low: ${quotedLine(line)}`,
        culprit: setting ?? phraseIn(line),
        advice: ["Raise it on the nodes (in their image, or with a DaemonSet of the cluster's administrators). The pod cannot set it."],
        corrections: setting === 'vm.max_map_count' ? withoutMemoryMaps(input) : [],
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
      'acquire the lock',
      'acquire a lock',
      'obtain the lock',
      'obtain a lock',
      'to lock ',
      'not lock ',
      'another instance',
      'pid file',
      'temporarily unavailable',
      'while lock',
      'lock held',
      'already locked',
    ],
    pattern:
      /in use by another|is already running|(?:lock|pid) file ["']?(?<file>\S{1,300}?)["']? (?:already )?exists|(?:obtain|acquire) (?:node |the |a )?locks?\b|(?:unable|failed|could not|cannot) (?:to )?lock (?!(?:JVM )?memory)|database is locked|another instance|\block(?:ed|ing)?\b.{0,80}temporarily unavailable|while lock file|lock held by|is already locked/i,
    explain: ({ file }, input, line) => ({
      because: `another instance holds ${file ? code(file) : 'what it needs'}, or one that was killed left its lock: ${quotedLine(line)}`,
      culprit: phraseIn(line),
      advice: [
        'Two pods must not share one data folder. Use `strategy: Recreate`, or a StatefulSet with a claim for each pod. Remove a lock only when nothing uses it.',
      ],
      corrections: [...withoutPidFile(input, file ?? /(\/\S{1,300}(?:\.pid|RUNNING_PID))\b/.exec(line)?.[1] ?? ''), ...oneAtATime(input)],
      whereToLook: 'the other pods that mount the same volume, and the lock in it',
    }),
  },
];
