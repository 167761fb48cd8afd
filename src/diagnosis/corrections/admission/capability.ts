import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/**
 * Capabilities that the kernel requires, found by the words of the programs that need them. A runtime grants these unless they are dropped.
 */
const NEEDED: readonly [capabilities: readonly string[], words: RegExp][] = [
  [['CHOWN'], /\bchown\b|changing ownership|change owner/i],
  [['FOWNER'], /\bchmod\b|changing permissions/i],
  [
    ['SETGID', 'SETUID'],
    /\bsetu?id\b|\bsetgid\b|\bsetres[ug]id\b|set ?groups?\b|initgroups|\bsu-exec\b|\bgosu\b|\bsetpriv\b|\bsu:|switch(?:ing)? (?:user|to)|drop(?:ping)? privileges/i,
  ],
  [['NET_RAW'], /\bping\b|raw socket|SOCK_RAW/i],
  [['MKNOD'], /\bmknod\b/i],
  [['SYS_CHROOT'], /\bchroot\b/i],
  [['NET_BIND_SERVICE'], /\bbind\b/i],
  [['KILL'], /\bkill\b/i],
];
/** Capabilities that a container has only if it requests them. Adding one grants more than the pod had. */
const MORE: readonly [capabilities: readonly string[], words: RegExp][] = [
  [
    ['NET_ADMIN'],
    /RTNETLINK|\biptables\b|\bip6tables\b|\bnft\b|nf_tables|netfilter|\bip (?:link|addr|route|rule)\b|\btun\d?\b|TUNSETIFF|wireguard|\bipset\b|\btc\b/i,
  ],
  [['IPC_LOCK'], /\bmlock\w*\b|lock(?:ing)? memory/i],
  [['SYS_TIME'], /\b(?:settimeofday|clock_settime|adjtimex|set (?:the )?(?:system )?(?:clock|date))\b|can't set date/i],
  [['SYS_PTRACE'], /\bptrace\b|\bstrace\b/i],
  [['SYS_NICE'], /\bsetpriority\b|sched_setscheduler|\brenice\b|\bmbind\b|set_mempolicy/i],
  [['SYS_RESOURCE'], /\bsetrlimit\b|\bulimit\b|RLIMIT_/i],
];

const DENIED = /not permitted|EPERM|must be root|permission denied|cannot allocate memory/i;

/** Capabilities that a line asks for and that the container lacks. `isUsual`: the container dropped capabilities that it has by default. */
function lackingIn(line: string, drop: string[], add: string[]): { names: readonly string[]; isUsual: boolean } {
  const has = (list: string[], one: string) => list.some((name) => name === 'ALL' || name === one);
  const asked = (table: typeof NEEDED) => (table.find(([, words]) => words.test(line))?.[0] ?? []).filter((one) => !has(add, one));
  const usual = /not permitted|EPERM|are you root/i.test(line) ? asked(NEEDED).filter((one) => has(drop, one)) : [];
  return usual.length > 0 ? { names: usual, isUsual: true } : { names: asked(MORE), isUsual: false };
}

/**
 * A program that makes its data its own as root then switches to that user, which the log does not say yet. An init container only prepares.
 */
function withFollowing(place: ContainerPlace, names: readonly string[], add: string[]): readonly string[] {
  const isPreparing = place.path.includes('initContainers');
  if (names.join() !== 'CHOWN' || isPreparing || !SWITCHES.test(place.container?.image ?? '')) return names;
  return [...names, ...['SETGID', 'SETUID'].filter((one) => !add.includes(one))];
}

/** Images whose entrypoint starts as root and runs the program as another user. */
const SWITCHES =
  /(?:^|\/)(?:postgres|postgis|mysql|mariadb|percona|mongo|redis|valkey|rabbitmq|nginx|httpd|haproxy|influxdb|cassandra|couchdb|memcached)(?::|@|$)/;

export interface Lacking {
  names: readonly string[];
  /** They are in the manifest with the prefix that only the kernel writes, so that nothing is added. */
  isMisspelled?: boolean;
  corrections: Correction[];
}

const PREFIX = 'CAP_';

/** Kubernetes puts the prefix there by itself. With another one, there is no such capability. */
function withoutPrefix(place: ContainerPlace, add: string[]): Correction[] {
  const path = fieldPath(place.path, 'securityContext', 'capabilities', 'add');
  const changes = add.flatMap((name, index) =>
    name.startsWith(PREFIX)
      ? [change(place, fieldPath(path, index), name.slice(PREFIX.length), `Kubernetes adds \`${PREFIX}\` itself`)]
      : [],
  );
  if (changes.length === 0) return [];
  const names = changes.map(({ to }) => code(String(to))).join(' and ');
  return [
    { title: `Write ${names}`, changes, confidence: 'likely', explanation: 'The container was meant to have it.', mirrorable: false },
  ];
}

/** For capabilities that the log asks for and the container lacks: dropped ones, or ones that no container has by default. */
export function lackingCapability(input: RuleInput, line: string): Lacking | undefined {
  const place = input.place();
  if (!place || !DENIED.test(line)) return undefined;
  const { drop = [], add = [] } = (place.container?.securityContext?.capabilities ?? {}) as { drop?: string[]; add?: string[] };
  const prefixed = /not permitted|EPERM|must be root/i.test(line) ? withoutPrefix(place, add) : [];
  if (prefixed.length > 0) return { names: add.filter((name) => name.startsWith(PREFIX)), isMisspelled: true, corrections: prefixed };
  const lacking = lackingIn(line, drop, add);
  const { isUsual } = lacking;
  const names = isUsual && drop.includes('ALL') ? withFollowing(place, lacking.names, add) : lacking.names;
  if (names.length === 0) return undefined;
  const path = fieldPath(place.path, 'securityContext', 'capabilities', 'add');
  const shown = names.map((name) => code(name)).join(' and ');
  const [first] = names;
  const made =
    add.length > 0 && names.length === 1
      ? appended(place, path, add, first, 'the program needs it')
      : change(place, path, [...add, ...names], 'the program needs it');
  return {
    names,
    corrections: [
      {
        title: `Add the capability ${shown}`,
        changes: [made],
        confidence: isUsual ? 'likely' : 'guess',
        explanation: isUsual
          ? `The container drops ${shown}. Add nothing else back.`
          : `No container has ${shown} by default. Decide first whether this program may have it.`,
        mirrorable: false,
      },
    ],
  };
}
