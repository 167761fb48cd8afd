import type { Case } from './case.ts';
import { type AdmissionFact, readAdmission } from './facts/admission.ts';
import { type ConfigFact, readConfig } from './facts/config.ts';
import { type ImageFact, readImage } from './facts/image.ts';
import { type LogKind, readListening, readLogs } from './facts/log.ts';
import { gatherMessages, type Message } from './facts/message.ts';
import { type NodeFact, readNode } from './facts/node.ts';
import { type ProbeKind, readProbe } from './facts/probe.ts';
import { readScheduling, type UnschedulableFact } from './facts/scheduling.ts';
import { readStart, type StartFact } from './facts/start.ts';
import { readStatuses, type RunFact, type WaitingFact } from './facts/status.ts';
import { type MountFact, readVolume, type SandboxFact } from './facts/volume.ts';

/** One thing that is known about a case, with the line that proves it. */
export type Fact =
  | WaitingFact
  | RunFact
  | ImageFact
  | ConfigFact
  | StartFact
  | ProbeKind
  | UnschedulableFact
  | MountFact
  | SandboxFact
  | NodeFact
  | AdmissionFact
  | LogKind;

type MessageReader = (message: Message) => Fact[];

/** One reader for each area; every reader sees every message, and says nothing about those that are not its own. */
const MESSAGE_READERS = {
  image: readImage,
  config: readConfig,
  start: readStart,
  probe: readProbe,
  scheduling: readScheduling,
  volume: readVolume,
  node: readNode,
  admission: readAdmission,
} as const satisfies Record<string, MessageReader>;

type Area = keyof typeof MESSAGE_READERS | 'status' | 'log' | 'listening';

/** Where facts of a kind are told. */
const AREAS = {
  waiting: 'status',
  run: 'status',
  pull: 'image',
  'image-name': 'image',
  'never-pull': 'image',
  'pull-secret': 'image',
  missing: 'config',
  'run-as-root': 'config',
  create: 'config',
  start: 'start',
  probe: 'probe',
  'probe-kill': 'probe',
  hook: 'probe',
  unschedulable: 'scheduling',
  mount: 'volume',
  sandbox: 'volume',
  evicted: 'node',
  rejected: 'node',
  preempted: 'node',
  deadline: 'node',
  'node-lost': 'node',
  oom: 'node',
  quota: 'admission',
  'quota-needs': 'admission',
  'pod-security': 'admission',
  'service-account': 'admission',
  'priority-class': 'admission',
  'runtime-class': 'admission',
  policy: 'admission',
  'limit-range': 'admission',
  webhook: 'admission',
  refused: 'admission',
  'job-failed': 'admission',
  log: 'log',
  'last-line': 'log',
  listening: 'listening',
} as const satisfies Record<Fact['kind'], Area>;

/** The facts of one kind, in the order of their worth. */
export type Facts = <K extends Fact['kind']>(kind: K) => Extract<Fact, { kind: K }>[];

/**
 * The facts of a case by kind. An area is read when the first of its kinds is asked for: most cases are told by one or two of
 * them, and none needs all.
 */
export function factsOfCase(subject: Case): Facts {
  const read = new Map<Area, Fact[]>();
  let messages: Message[] | undefined;
  const factsIn = (area: Area): Fact[] => {
    if (area === 'status') return readStatuses(subject);
    if (area === 'log') return readLogs(subject);
    if (area === 'listening') return readListening(subject);
    const reader: MessageReader = MESSAGE_READERS[area];
    return (messages ??= gatherMessages(subject)).flatMap(reader);
  };
  return <K extends Fact['kind']>(kind: K) => {
    const area = AREAS[kind];
    let facts = read.get(area);
    if (!facts) read.set(area, (facts = factsIn(area)));
    return facts.filter((fact): fact is Extract<Fact, { kind: K }> => fact.kind === kind);
  };
}

/**
 * All that statuses, events and logs of a case say, in the order of their worth: the failing container's own words, the
 * report's message, events newest first, the logs. The manifest is not read here: rules look into it when they need to.
 */
export function gatherFacts(subject: Case): Fact[] {
  const readers: MessageReader[] = Object.values(MESSAGE_READERS);
  return [
    ...readStatuses(subject),
    ...gatherMessages(subject).flatMap((message) => readers.flatMap((read) => read(message))),
    ...readLogs(subject),
    ...readListening(subject),
  ];
}
