import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../../src/contract/failure.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { loadManifests } from '../../../src/crd/manifest.ts';
import type { Case } from '../../../src/diagnosis/case.ts';
import { type Diagnosis, diagnose } from '../../../src/diagnosis/diagnose.ts';
import { failingCases, type Recording } from '../../../src/failures/detect/recording.ts';

/** Paths and values of the changes that are right: `*` is any value, and as a path any further change; null removes. */
type Changes = Record<string, unknown>;

/** What is true of a scenario, written before it was run. */
export interface Truth {
  what: string;
  healthy?: boolean;
  /** A pattern for what the cluster says as soon as the failure is there. */
  until?: string;
  /** How many seconds after that, or after the start, it is recorded. */
  after?: number;
  /** Labels of its namespace. */
  namespace?: Record<string, string>;
  /** A pattern for what is named. */
  culprit?: string;
  /** The first corrections that cure it, any of them; null when no change of the manifest does. */
  cure?: Changes[] | null;
  /** The most that may be said of the first correction; nothing is said where nothing limits it. */
  confidence?: 'guess';
}

/** What is done to the workloads later, as on another day. */
export interface Step {
  /** A pattern for what the cluster says before it is done. */
  until: string;
  /** What is deleted, as `kind/name`. */
  delete?: string[];
  objects: KubeObject[];
}

/** Workloads for a real node, with what is true of them. */
export interface Scenario {
  name: string;
  truth: Truth;
  objects: KubeObject[];
  /** What is done after the objects are there, one after another. */
  steps: Step[];
}

const folder = new URL('../../scenarios/', import.meta.url);

export const scenarioNames: readonly string[] = readdirSync(new URL('manifests/', folder)).map((file) => file.replace(/\.yaml$/, ''));

/** Reads the manifests of a scenario. `NAMESPACE` in them stands for its namespace; a document of kind `Then` begins a step. */
export function scenario(name: string, namespace = `s-${name}`): Scenario {
  const text = readFileSync(new URL(`manifests/${name}.yaml`, folder), 'utf8').replaceAll('NAMESPACE', namespace);
  const [truth, ...documents] = loadManifests(text) as unknown as KubeObject[];
  const objects: KubeObject[] = [];
  const steps: Step[] = [];
  for (const document of documents)
    if (document.kind === 'Then') steps.push({ ...(document as unknown as Step), objects: [] });
    else (steps.at(-1)?.objects ?? objects).push(document);
  return { name, truth: truth as unknown as Truth, objects, steps };
}

/** What the real node showed of a scenario. */
export function recorded(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`recordings/${name}.json`, folder), 'utf8')) as Recording;
}

/** How well a diagnosis answers. Only what there is to be right about is there. */
export interface Judgement {
  case: string;
  cases: Case[];
  diagnosis?: Diagnosis;
  /** A failing workload was found, as one record. */
  reason?: boolean;
  culprit?: boolean;
  /** Whether the first correction is one that cures; only where there is one. */
  correction?: boolean;
  /** Whether more than a guess is offered where nothing cures, or where no more can be known. */
  promise?: boolean;
  /** A healthy workload is called failing. */
  alarm?: boolean;
}

/** Diagnoses what was recorded of a scenario. */
export function judge({ name, truth }: Scenario, recording = recorded(name)): Judgement {
  const cases = failingCases(recording, ({ metadata }) => metadata.namespace === `s-${name}`);
  const [subject] = cases;
  if (truth.healthy) return { case: name, cases, alarm: subject !== undefined };
  if (!subject) return { case: name, cases, reason: false };
  const diagnosis = diagnose(subject);
  const [first] = diagnosis.corrections;
  const { cure } = truth;
  return {
    case: name,
    cases,
    diagnosis,
    reason: cases.length === 1,
    culprit: new RegExp(truth.culprit ?? '').test(diagnosis.culprit ?? diagnosis.summary),
    ...(cure ? { correction: first !== undefined && cure.some((changes) => areMade(first.changes, changes)) } : {}),
    ...(cure === null || truth.confidence ? { promise: first !== undefined && first.confidence !== 'guess' } : {}),
  };
}

function areMade(made: readonly Change[], { '*': more, ...wanted }: Changes): boolean {
  const paths = new Set(made.map(({ path }) => path));
  const isRight = ({ path, to }: Change): boolean =>
    Object.hasOwn(wanted, path) ? wanted[path] === '*' || isDeepStrictEqual(to ?? null, wanted[path]) : more !== undefined;
  return Object.keys(wanted).every((path) => paths.has(path)) && made.every(isRight);
}
