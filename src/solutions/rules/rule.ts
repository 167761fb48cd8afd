import type { Change } from '../../contract/failure.ts';
import type { Container, KubeObject, PodSpec } from '../../crd/kubernetes.ts';
import type { Case } from '../case.ts';
import type { Fact, Facts } from '../facts.ts';
import type { Quote } from '../facts/message.ts';
import { podSpecPlace } from '../facts/shape.ts';
import { valueAt } from '../fix/apply.ts';
import { code } from '../quote.ts';
import type { Diagnosis, RuleCorrection } from './answer.ts';

/** What a rule says; `diagnose` adds the usual commands and, where there is no correction, the usual words for that. */
export interface Answer {
  summary: string;
  culprit: string | null;
  evidence: Quote[];
  advice: string[];
  commands?: string[];
  corrections?: RuleCorrection[];
  noCure?: Diagnosis['noCure'];
}

/** One kind of failure. `reasons` are the labels it is asked for first; it answers undefined when the facts are not its own. */
export interface Rule {
  id: string;
  reasons: readonly string[];
  answer(scene: Scene): Answer | undefined;
}

/** Where the failing container stands in the manifest. `path` leads to it, `specPath` to the fields of its pod. */
export interface Place {
  object: KubeObject;
  spec: PodSpec;
  specPath: string;
  container: Container | undefined;
  path: string;
}

/** A case with its facts, as rules see it. */
export interface Scene {
  subject: Case;
  facts: Facts;
  /** Undefined when there is no readable manifest. Parses it at the first call. */
  place(container?: string | null): Place | undefined;
}

/** The scene of a case. */
export function sceneOf(subject: Case, facts: Facts): Scene {
  return {
    subject,
    facts,
    place(name = subject.container) {
      const object = subject.manifest();
      const found = object && podSpecPlace(object);
      if (!found) return undefined;
      return { object, spec: found.spec, specPath: found.path, ...containerPlace(found.spec, found.path, name) };
    },
  };
}

/** The container of that name; when the case names none, the only one there is. */
function containerPlace(spec: PodSpec, path: string, name: string | null): { container: Container | undefined; path: string } {
  for (const list of ['initContainers', 'containers'] as const) {
    const index = (spec[list] ?? []).findIndex((container) => container.name === name);
    if (index >= 0) return { container: spec[list]?.[index], path: `${path}.${list}[${index}]` };
  }
  const only = name === null && spec.containers.length === 1 ? spec.containers[0] : undefined;
  return { container: only, path: `${path}.containers[0]` };
}

/** The first fact of a kind, in the order of their worth. */
export function factOf<K extends Fact['kind']>(scene: Scene, kind: K): Extract<Fact, { kind: K }> | undefined {
  return scene.facts(kind)[0];
}

/** All facts of a kind. */
export function factsOf<K extends Fact['kind']>(scene: Scene, kind: K): Extract<Fact, { kind: K }>[] {
  return scene.facts(kind);
}

/** A change of the field at `path`, its `from` read from the manifest; `to` null removes the field. */
export function change(place: Place, path: string, to: unknown, why: string): Change {
  return { path, from: valueAt(place.object, path), to, why };
}

/** "Container `app`", "Init container `migrate`", or "The pod `web`" when no container is named. */
export function who(scene: Scene, name = scene.subject.container): string {
  const { subject } = scene;
  if (name === null) return `The ${subject.resource_kind === 'Pod' ? 'pod' : subject.resource_kind} ${code(subject.pod_name)}`;
  const kind = subject.statuses.find((status) => status.name === name)?.kind;
  return `${kind === 'init' ? 'Init container' : kind === 'sidecar' ? 'Sidecar' : 'Container'} ${code(name)}`;
}
