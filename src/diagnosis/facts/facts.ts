import type { Case } from '../case.ts';
import { type AdmissionFact, readAdmission } from './admission.ts';
import { type ConfigFact, readConfig } from './config.ts';
import { type ImageFact, readImage } from './image.ts';
import { type ListeningFact, readListening } from './listening.ts';
import { type FactFromLog, readLogs } from './log.ts';
import { gatherMessages, type Message } from './message.ts';
import { type NodeFact, readNode } from './node.ts';
import { type PodFieldFact, readPodField } from './pod-field.ts';
import { type FactFromProbe, readProbe } from './probe-failure.ts';
import { readScheduling, type UnschedulableFact } from './scheduling.ts';
import { readStart, type StartFact } from './start.ts';
import { readStatuses, type RunFact, type WaitingFact } from './status.ts';
import { type MountFact, readVolume, type SandboxFact } from './volume.ts';

/** One fact about a case, with the line that shows it. */
export type Fact =
  | WaitingFact
  | RunFact
  | ImageFact
  | ConfigFact
  | StartFact
  | PodFieldFact
  | FactFromProbe
  | UnschedulableFact
  | MountFact
  | SandboxFact
  | NodeFact
  | AdmissionFact
  | FactFromLog
  | ListeningFact;

/** The facts of one kind. */
export type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>;

type MessageReader = (message: Message) => Fact[];

/** One reader per area. Every reader gets every message, and returns nothing for messages of other areas. */
const MESSAGE_READERS = {
  image: readImage,
  config: readConfig,
  start: readStart,
  'pod-field': readPodField,
  probe: readProbe,
  scheduling: readScheduling,
  volume: readVolume,
  node: readNode,
  admission: readAdmission,
} as const satisfies Record<string, MessageReader>;

type Area = keyof typeof MESSAGE_READERS | 'status' | 'log' | 'listening';

/** The area that facts of each kind belong to. */
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
  'pod-field': 'pod-field',
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
  'claim-range': 'admission',
  'above-limit': 'admission',
  'limit-ratio': 'admission',
  webhook: 'admission',
  refused: 'admission',
  'job-failed': 'admission',
  log: 'log',
  'last-line': 'log',
  listening: 'listening',
} as const satisfies Record<Fact['kind'], Area>;

/** Returns the facts of one kind, the most relevant first. */
export type Facts = <K extends Fact['kind']>(kind: K) => FactOf<K>[];

/** The facts of a case by kind. An area is read only when one of its kinds is asked for, because most cases need one or two areas. */
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
    return facts.filter((fact): fact is FactOf<K> => fact.kind === kind);
  };
}

/**
 * All facts in statuses, events and logs of a case, the most relevant first: the failing container's status, the report's message, events
 * (newest first), logs. Rules read the manifest themselves.
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
