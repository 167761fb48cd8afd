import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../../src/contract/failure.ts';
import { applyChanges, valueAt } from '../../../src/crd/field-path.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { loadManifests } from '../../../src/crd/manifest.ts';
import type { Case } from '../../../src/diagnosis/case.ts';
import { type Diagnosis, diagnose } from '../../../src/diagnosis/diagnose.ts';
import { failingCases, type Recording } from '../../../src/failures/detect/recording.ts';

/**
 * Paths and values of the right changes. `*` as a value allows any value. `*` as a path allows any further change. Null removes the field.
 */
type Changes = Record<string, unknown>;

/** The truth about a scenario, written before its first run. */
export interface Truth {
  what: string;
  healthy?: boolean;
  /** A pattern for the cluster's output as soon as the failure has happened. */
  until?: string;
  /** The recording is made this many seconds after that, or after the start. */
  after?: number;
  /** Labels of its namespace. */
  namespace?: Record<string, string>;
  /** A pattern for the culprit. */
  culprit?: string;
  /** First corrections that help; any of them is right. Null: no change to the manifest helps. */
  cure?: Changes[] | null;
  /** The highest confidence that the first correction may claim. Absent: any. */
  confidence?: 'guess';
}

/** A later change of the workloads, as if on another day. */
export interface Step {
  /** A pattern for the cluster's output that must match before this step. */
  until: string;
  /** What is deleted, as `kind/name`. */
  delete?: string[];
  objects: KubeObject[];
}

/** Workloads for a real node, and the truth about them. */
export interface Scenario {
  name: string;
  truth: Truth;
  objects: KubeObject[];
  /** Steps to do in order, after the objects have been applied. */
  steps: Step[];
}

const folder = new URL('../../scenarios/', import.meta.url);

export const scenarioNames: readonly string[] = readdirSync(new URL('manifests/', folder)).map((file) => file.replace(/\.yaml$/, ''));

/** Reads the manifests of a scenario. `NAMESPACE` in them stands for its namespace; a document of kind `Then` begins a step. */
export function scenario(name: string, namespace = `s-${name}`): Scenario {
  const text = readFileSync(new URL(`manifests/${name}.yaml`, folder), 'utf8').replaceAll(/(?<![A-Z\d_])NAMESPACE(?![A-Z\d_])/g, namespace);
  const [truth, ...documents] = loadManifests(text) as unknown as KubeObject[];
  const objects: KubeObject[] = [];
  const steps: Step[] = [];
  for (const document of documents)
    if (document.kind === 'Then') steps.push({ ...(document as unknown as Step), objects: [] });
    else (steps.at(-1)?.objects ?? objects).push(document);
  return { name, truth: truth as unknown as Truth, objects, steps };
}

/** The recording of a scenario on the real node. */
export function recorded(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`recordings/${name}.json`, folder), 'utf8')) as Recording;
}

/** How good a diagnosis is. A field is present only if there is something to get right. */
export interface Judgement {
  case: string;
  cases: Case[];
  diagnosis?: Diagnosis;
  /** Whether the failing workload was found, as a single record. */
  reason?: boolean;
  culprit?: boolean;
  /** Whether the first correction is one that helps. Only present if such a correction exists. */
  correction?: boolean;
  /** Whether more than a guess is offered. Only present if nothing helps, or if the truth allows only a guess. */
  promise?: boolean;
  /** Whether a healthy workload is called failing. */
  alarm?: boolean;
}

/** Diagnoses the recording of a scenario. */
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
    culprit: new RegExp(truth.culprit ?? '', 'i').test(diagnosis.culprit ?? diagnosis.summary),
    ...(cure ? { correction: first !== undefined && cure.some((changes) => areMade(subject, first.changes, changes)) } : {}),
    ...(cure === null || truth.confidence ? { promise: first !== undefined && first.confidence !== 'guess' } : {}),
  };
}

/** Whether the changes are the wanted ones, or make the same manifest in another form: a whole list for its entries. */
function areMade(subject: Case, made: readonly Change[], { '*': more, ...wanted }: Changes): boolean {
  return areWritten(made, { ...wanted, ...(more === undefined ? {} : { '*': more }) }) || isSameResult(subject, made, { more, wanted });
}

function isSameResult(subject: Case, made: readonly Change[], { more, wanted }: { more: unknown; wanted: Changes }): boolean {
  const manifest = subject.manifest();
  // Truths also write keys with dots as they stand, as `spec.nodeSelector.kubernetes.io/os`.
  if (!manifest || !Object.keys(wanted).every((path) => /^[\w.[\]]+$/.test(path))) return false;
  const result = applyChanges(manifest, made);
  const isThere = ([path, to]: [string, unknown]): boolean => {
    const value = valueAt(result, path) ?? null;
    return to === '*' ? value !== null && !isDeepStrictEqual(value, valueAt(manifest, path) ?? null) : isDeepStrictEqual(value, to);
  };
  if (!Object.entries(wanted).every(isThere)) return false;
  if (more !== undefined) return true;
  const changes = Object.entries(wanted).map(([path, to]) => ({ path, to }));
  return !Object.values(wanted).includes('*') && isDeepStrictEqual(applyChanges(manifest, changes), result);
}

function areWritten(made: readonly Change[], { '*': more, ...given }: Changes): boolean {
  const wanted = Object.fromEntries(Object.entries(given).map(([path, to]) => [ofPod(path), to]));
  const paths = new Set(made.map(({ path }) => ofPod(path)));
  const isRight = ({ path, to }: Change): boolean =>
    Object.hasOwn(wanted, ofPod(path))
      ? wanted[ofPod(path)] === '*' || isDeepStrictEqual(to ?? null, wanted[ofPod(path)])
      : more !== undefined;
  return Object.keys(wanted).every((path) => paths.has(path)) && made.every(isRight);
}

/** The path in the pod: a truth may name the fields of a Job's pod without the template before them. */
const ofPod = (path: string): string => path.replace(/^spec\.template\.spec\./, 'spec.');
