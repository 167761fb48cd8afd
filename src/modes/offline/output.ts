import type { Change } from '../../contract/failure.ts';
import type { Confidence, OwnerPatch } from '../../contract/mirror.ts';
import { dumpManifest, loadManifest } from '../../crd/manifest.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import { ownerPatch } from '../../diagnosis/changes/owner-patch.ts';
import type { Case } from '../../diagnosis/case.ts';
import { type Diagnosis, diagnose } from '../../diagnosis/diagnose.ts';
import { applyChanges, valueAt } from '../../crd/field-path.ts';
import { sourceMask } from '../../redact/source-mask.ts';
import { maskManifest } from '../../redact/manifest.ts';
import { withoutServerFields } from '../../crd/server-fields.ts';
import { oneLine } from '../../diagnosis/rendering/quote.ts';
import { renderDiagnosis, renderReport } from '../../diagnosis/rendering/render.ts';
import { isColourful } from './colour.ts';
import { forTerminal } from './terminal.ts';
import { InputError, type Io } from '../mode.ts';

// What `diagnose` and `why` print, and how they end.

/** One entry of `failures` in JSON and YAML. Without a correction `fixed_manifest`, `owner_patch` and `confidence` are null and there are no changes. */
interface PrintedFailure {
  pod_name: string;
  namespace: string;
  failure_reason: string;
  failure_message: string;
  container: string | null;
  evidence: string[];
  solution: string;
  fixed_manifest: string | null;
  owner_patch: OwnerPatch | null;
  changes: Change[];
  /** Of the correction. */
  title: string | null;
  confidence: Confidence | null;
  is_fallback: boolean;
}

const FORMATS = ['text', 'json', 'yaml', 'patch'] as const;
export type Format = (typeof FORMATS)[number];

/** The format of `-o`; text when none was named. Throws `InputError`. */
export function formatOf(output: string | undefined): Format {
  const format = FORMATS.find((name) => name === (output ?? 'text'));
  if (!format) throw new InputError(`unknown output ${JSON.stringify(output)}: -o is text, json, yaml or patch`);
  return format;
}

/** How to print the result. `where` completes "Nothing fails". */
export interface Presentation {
  format: Format;
  where?: string;
  /** Whether secrets are printed as they are. */
  showSecrets: boolean;
}

/** Prints the diagnosis of every case, or that nothing fails. Returns the exit code: 0 without cases, 1 otherwise. */
export async function printAll(io: Io, cases: Case[], { format, where = '', showSecrets }: Presentation): Promise<number> {
  const explained = cases.map((subject) => {
    const diagnosis = diagnose(subject);
    const failure = printedFailure(subject, diagnosis);
    const report = renderReport(titleOf(failure), diagnosis, subject);
    return showSecrets ? { failure, report } : { failure: masked(subject, failure), report: maskOf(subject)(report) };
  });
  const failures = explained.map(({ failure }) => failure);
  const text =
    format === 'text'
      ? asText(
          explained.map(({ report }) => report),
          where,
        )
      : format === 'patch'
        ? asCommands(failures, where)
        : asData(failures, format);
  await write(io, format === 'text' && io.stdout.isTTY === true ? forTerminal(text, isColourful(io)) : text);
  return failures.length > 0 ? 1 : 0;
}

/** Runs a command. Bad input prints one line to stderr and returns 2. */
export async function orBadInput(mode: string, io: Io, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    io.stderr.write(`podmend ${mode}: ${oneLine(error.message, 500)}\n`);
    return 2;
  }
}

function printedFailure(subject: Case, diagnosis: Diagnosis): PrintedFailure {
  const [best] = diagnosis.corrections;
  const manifest = subject.manifest();
  const fixed = best && manifest && applyChanges(manifest, best.changes);
  return {
    pod_name: subject.pod_name,
    namespace: subject.namespace,
    failure_reason: subject.reason,
    failure_message: subject.message,
    container: subject.container,
    evidence: diagnosis.evidence,
    solution: renderDiagnosis(diagnosis),
    fixed_manifest: fixed ? dumpManifest(withoutServerFields(fixed)) : null,
    owner_patch: manifest && fixed ? patchOf(subject, { before: manifest, after: fixed }, subject.owner, best.changes) : null,
    changes: best?.changes ?? [],
    title: best?.title ?? null,
    confidence: best?.confidence ?? null,
    is_fallback: true,
  };
}

/** The patch for the owner; null when the owner is not in the recording. */
function patchOf(
  { resource_kind, pod_name, surroundings }: Case,
  corrected: { before: KubeObject; after: KubeObject },
  owner: KubeObject | undefined,
  changes: Change[],
) {
  return owner ? ownerPatch(corrected, { owner, podName: resource_kind === 'Pod' ? pod_name : undefined, surroundings, changes }) : null;
}

/** The mask for what is said about a case. */
function maskOf({ message, logs, events, statuses, manifest }: Case): (text: string) => string {
  const texts = [message, logs, ...events.map((event) => event.message ?? '')];
  const object = manifest();
  return sourceMask({ texts, objects: [statuses, ...(object ? [object] : [])] });
}

/** Masks secrets in the output. The diagnosis itself reads everything. */
function masked(subject: Case, failure: PrintedFailure): PrintedFailure {
  const manifest = subject.manifest();
  const mask = maskOf(subject);
  const before = maskManifest(manifest);
  const after = failure.fixed_manifest === null ? undefined : maskManifest(loadManifest(failure.fixed_manifest) as unknown as KubeObject);
  return {
    ...failure,
    failure_message: mask(failure.failure_message),
    evidence: failure.evidence.map(mask),
    solution: mask(failure.solution),
    title: failure.title === null ? null : mask(failure.title),
    fixed_manifest: after === undefined ? null : dumpManifest(after),
    owner_patch:
      before && after ? patchOf(subject, { before, after }, subject.owner && maskManifest(subject.owner), failure.changes) : null,
    changes: failure.changes.map((change) => {
      const { path, from, to, of } = change;
      const why = mask(change.why);
      // How a workload rolls out is no secret.
      if (of) return { ...change, why };
      return { path, from: from === null ? null : valueAt(before, path), to: to === null ? null : valueAt(after, path), why };
    }),
  };
}

function asData(failures: PrintedFailure[], format: 'json' | 'yaml'): string {
  return format === 'json' ? `${JSON.stringify({ failures }, null, 2)}\n` : dumpManifest({ failures });
}

function titleOf({ namespace, pod_name, failure_reason }: PrintedFailure): string {
  return `${oneLine(`${namespace}/${pod_name}`)}: ${oneLine(failure_reason)}`;
}

function asText(reports: string[], where: string): string {
  return reports.length === 0 ? `Nothing fails${where}.\n` : reports.join('\n');
}

/** A shell script with the command of each first correction, once for all pods of a workload. Everything else is in comments. */
function asCommands(failures: PrintedFailure[], where: string): string {
  if (failures.length === 0) return `# Nothing fails${where}.\n`;
  const known = new Set<string>();
  return failures
    .flatMap(({ namespace, pod_name, title, confidence, owner_patch: patch }) => {
      const about = `# ${oneLine(`${namespace}/${pod_name}`)}:`;
      if (title === null) return [`${about} no known change of the manifest fixes this failure\n`];
      if (!patch) return [`${about} ${oneLine(title)} (${confidence}); the owner of the pod cannot be patched from here\n`];
      if (known.has(patch.body)) return [];
      known.add(patch.body);
      const note = patch.note ? `# ${oneLine(patch.note)}\n` : '';
      return [`${about} ${oneLine(title)} (${confidence})\n${note}${patch.command}\n`];
    })
    .join('\n');
}

/** Writes the whole text; resolves when it was accepted. */
export function write({ stdout }: Io, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
