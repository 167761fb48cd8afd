import type { ContainerEvidence, FailureReport } from '../../../src/contract/failure.ts';
import { type Case, caseOfReport, type Surroundings } from '../../../src/diagnosis/case.ts';
import type { Correction } from '../../../src/diagnosis/corrections/correction.ts';
import { factsOfCase } from '../../../src/diagnosis/facts/facts.ts';
import { type ContainerPlace, type RuleInput, ruleInput } from '../../../src/diagnosis/facts/input.ts';

/** The facts of a failing pod that a test sets. The rest is pod `web` in `shop`, whose container `app` crashes. */
export interface CaseParts extends Partial<Omit<FailureReport, 'container_statuses' | 'manifest'>> {
  status?: Partial<ContainerEvidence>;
  container_statuses?: ContainerEvidence[];
  /** An object is written as JSON. A text is used unchanged. */
  manifest?: object | string;
  surroundings?: Surroundings;
}

/** A case for `diagnose`. */
export function aCase({ status, manifest, surroundings, ...parts }: CaseParts = {}): Case {
  const report: FailureReport = {
    pod_name: 'web',
    namespace: 'shop',
    failure_reason: 'CrashLoopBackOff',
    container: 'app',
    container_statuses: [{ name: 'app', kind: 'app', image: 'web:1', ready: false, restart_count: 3, ...status }],
    ...parts,
    ...(manifest === undefined ? {} : { manifest: typeof manifest === 'string' ? manifest : JSON.stringify(manifest) }),
  };
  return caseOfReport(report, surroundings);
}

/** A Pod manifest with one container `app`, to which `container` and `spec` add. */
export function aPodManifest(container: object = {}, spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { containers: [{ name: 'app', image: 'web:1', ...container }], ...spec },
  };
}

/** A container that exited with `exitCode` and waits for its restart. */
export function crashed(exitCode = 1): Partial<ContainerEvidence> {
  return { state: 'waiting', reason: 'CrashLoopBackOff', last_state: { state: 'terminated', reason: 'Error', exit_code: exitCode } };
}

/** What a rule gets of a pod whose container `app` has these fields. */
export function anInput(container: object = {}, spec: object = {}, parts: CaseParts = {}): RuleInput {
  const subject = aCase({ manifest: aPodManifest(container, spec), ...parts });
  return ruleInput(subject, factsOfCase(subject));
}

/** The failing container of such an input. */
export function aPlace(container: object = {}, spec: object = {}, parts: CaseParts = {}): ContainerPlace {
  return anInput(container, spec, parts).place()!;
}

/** Each correction in short: its confidence, and the new values by their paths, which start in the first container. */
export function inShort(corrections: readonly Correction[] | undefined): [confidence: string, changes: Record<string, unknown>][] {
  return (corrections ?? []).map(({ confidence, changes }) => [
    confidence,
    Object.fromEntries(changes.map(({ path, to }) => [path.replace('spec.containers[0].', ''), to])),
  ]);
}
