import type { Case } from './case.ts';
import { type AdmissionFact, readAdmission } from './facts/admission.ts';
import { type ConfigFact, readConfig } from './facts/config.ts';
import { type ImageFact, readImage } from './facts/image.ts';
import { type LogKind, readLogs } from './facts/log.ts';
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

/** One reader for each area; every reader sees every message, and says nothing about those that are not its own. */
const READERS: readonly ((message: Message) => Fact[])[] = [
  readImage,
  readConfig,
  readStart,
  readProbe,
  readScheduling,
  readVolume,
  readNode,
  readAdmission,
];

/**
 * All that statuses, events and logs of a case say, in the order of their worth: the failing container's own words, the
 * report's message, events newest first, the logs. The manifest is not read here: rules look into it when they need to.
 */
export function gatherFacts(subject: Case): Fact[] {
  return [
    ...readStatuses(subject),
    ...gatherMessages(subject).flatMap((message) => READERS.flatMap((read) => read(message))),
    ...readLogs(subject),
  ];
}
