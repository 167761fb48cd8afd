import { isDeepStrictEqual } from 'node:util';
import type { Meaning } from '../../../src/diagnosis/corrections/meaning.ts';
import type { Signature } from '../../../src/diagnosis/rules/signatures/list.ts';
import type { Explained } from '../../../src/diagnosis/rules/setting-behind/explained.ts';
import { anInput, type CaseParts, inShort } from './cases.ts';

/** Sorts of lines: the id of the signature that knows one, and what else is known of it. */
export const SORTS = {
  general: { id: 'x', general: true },
  code: { id: 'x', inCode: true },
  'general host': { id: 'name-unknown', general: true },
  spring: { id: 'spring-x' },
  variable: { id: 'variable-x' },
  setting: { id: 'setting-x' },
  certificate: { id: 'certificate' },
  'connection string': { id: 'connection-string' },
  driver: { id: 'driver-x' },
  python: { id: 'python-x' },
  url: { id: 'url-x' },
  login: { id: 'x-login' },
  credentials: { id: 'x-credentials' },
  cloud: { id: 'cloud-answer' },
  file: { id: 'file-missing' },
  name: { id: 'name-unknown' },
  connection: { id: 'connection-x' },
  'no connection': { id: 'no-connection' },
  'another file': { id: 'file-missing-x' },
  'another end': { id: 'login-x' },
  'another beginning': { id: 'x-spring-variable-setting-connection-' },
  'another cloud': { id: 'cloud-answer-x' },
  other: { id: 'x' },
} as const satisfies Record<string, { id: string; general?: true; inCode?: true }>;
export type Sort = keyof typeof SORTS;
export const ALL_SORTS = Object.keys(SORTS) as Sort[];

/** What a line means before a setting is found behind it. */
export const BEFORE: Meaning = {
  because: 'it fails',
  culprit: null,
  advice: ['Look at it.'],
  commands: ['kubectl look'],
  whereToLook: 'the old place',
  elsewhere: 'it is elsewhere',
};

/** A pod with a fault in its settings, and the line that it logs. */
export interface Fault {
  /** The message of the line, which begins with `ERROR: `. */
  says: string;
  container?: object;
  spec?: object;
  parts?: CaseParts;
}

/** The line of a pod with its meaning. */
export function explainedLine(fault: Fault, sort: Sort = 'general', meaning: Partial<Meaning> = {}): Explained {
  const { says, container, spec, parts } = fault;
  const of: { id: string; general?: true; inCode?: true } = SORTS[sort];
  const line = `ERROR: ${says}`;
  return {
    input: anInput(container, spec, parts),
    log: {
      kind: 'log',
      signature: { id: of.id, ...(of.general ? { general: true } : {}) } as Signature,
      groups: {},
      mild: false,
      line,
      container: 'app',
      evidence: { from: 'log of app', text: line },
    },
    meaning: { ...BEFORE, ...meaning },
    inCode: of.inCode === true,
  };
}

/** What differs from the meaning before, with the corrections in short. What is gone is undefined. Undefined if nothing was found. */
export function changesOf(found: Meaning | undefined, before: Partial<Meaning> = {}): Record<string, unknown> | undefined {
  if (!found) return undefined;
  const old: Record<string, unknown> = { ...BEFORE, ...before };
  const now: Record<string, unknown> = { ...found, ...(found.corrections ? { corrections: inShort(found.corrections) } : {}) };
  const names = Object.keys({ ...old, ...now }).filter((name) => !isDeepStrictEqual(now[name], old[name]));
  return Object.fromEntries(names.map((name) => [name, now[name]]));
}
