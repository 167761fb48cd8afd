import { hash } from 'node:crypto';
import type { Pseudonyms } from '../../redact/pseudonyms.ts';
import type { Case } from '../../diagnosis/case.ts';
import { diagnose } from '../../diagnosis/diagnose.ts';
import { gatherFacts } from '../../diagnosis/facts/facts.ts';
import { gatherMessages } from '../../diagnosis/facts/message.ts';
import { maskedCase } from './masked-case.ts';
import { ANSWER_SCHEMA, type ModelAnswer, readAnswer } from './answer.ts';
import type { CachedQuestion } from './question.ts';
import { modelPath } from './locate-changes.ts';
import { specShown } from './plain-spec.ts';
import { oneLine } from '../../diagnosis/rendering/quote.ts';
import type { Diagnosis } from '../../diagnosis/diagnosis.ts';
import { MARKS, untrusted, UNTRUSTED } from './untrusted.ts';

/** Increase this with every change of the question, so that stored answers to the old question are not reused. */
export const PROMPT_VERSION = 2;
/** Reasoning models need room to think before they answer. */
const MAX_TOKENS = 8192;
const MAX_LINES = 40;
const MAX_LINE = 500;
const TAIL_LINES = 40;

const SYSTEM = `You explain why a Kubernetes pod fails, to the engineer on call, and propose the smallest change that cures it.

You get, ${MARKS} about the failing pod: what is known ("evidence", numbered from 0), the end of its log, its spec, how its spec differs from the workload's revision before ("changed", only where that is known; often the cause), and what a rule engine already found ("rules"). ${UNTRUSTED}

Answer with one JSON object with exactly these fields:
- "explanation": Markdown, two to six sentences for the engineer: what happened, why, and what to do. No links, no headings. Say so when the evidence is not enough.
- "evidence": the numbers of the evidence lines that prove it, most telling first.
- "changes": the fewest changes of the spec that cure it, or [] when none does, or when you are not sure. Each is {"path", "to", "why"}: "path" counts from the pod's spec and names entries of lists by their name, like containers[app].image, containers[app].env[LOG_LEVEL].value, containers[app].args[0], containers[app].resources.limits.memory, containers[app].readinessProbe.httpGet.port, volumes[config].configMap.name, nodeSelector[disktype]; "to" is a text, a number, a switch, or null to remove the field.
- "confidence": "likely" or "guess".

Changes may only touch: image (another tag of the same repository), imagePullPolicy, workingDir, single words of command and args (slips of the pen), values of existing variables (plain words and numbers), names and keys of ConfigMaps that exist, keys of Secrets, requests and limits of cpu, memory and ephemeral-storage, paths, ports and times of probes, mountPath, subPath, containerPort, nodeSelector, sizeLimit of emptyDir, terminationGracePeriodSeconds, activeDeadlineSeconds. Anything else is thrown away, together with all other changes of the answer. The rules' own corrections are usually right: repeat the best one in "changes" only when you have a better one.`;

/** A question about a case, with the data for reading its answer. */
export interface Prompt extends CachedQuestion<ModelAnswer> {
  rules: Diagnosis;
  /** The evidence by index, not redacted. */
  lines: string[];
  restore(text: string): string;
}

/** The question about a case, with secrets masked and names hidden by `pseudonyms`. Stored answers of another `model` are not reused. */
export function promptOf(unmasked: Case, pseudonyms: Pseudonyms, model: readonly string[]): Prompt {
  const subject = maskedCase(unmasked);
  const rules = diagnose(subject);
  const lines = evidenceOf(subject, rules);
  const { json, text } = untrusted(dataOf(subject, rules, lines), pseudonyms);
  return {
    system: SYSTEM,
    user: `${text}\n\nWhy does it fail, and which change cures it? Answer with the JSON object.`,
    schema: ANSWER_SCHEMA,
    maxTokens: MAX_TOKENS,
    read: readAnswer,
    rules,
    lines,
    // The same facts have the same fingerprint, whatever replica of a workload they come from, and at any time.
    fingerprint: hash('sha256', JSON.stringify([PROMPT_VERSION, ...model, steady(json, pseudonyms.hide(subject.pod_name))])),
    restore: pseudonyms.restore,
  };
}

/** The names of objects in a case. They are hidden if the settings ask for it. */
export function namesIn(subject: Case): string[] {
  const { surroundings = {}, workload } = subject;
  const { configMaps = [], secrets = [], services = [], nodes = [], claims = [], quotas = [] } = surroundings;
  const around = [...configMaps, ...secrets, ...services, ...nodes, ...claims, ...quotas].map(({ name }) => name);
  return [subject.pod_name, subject.namespace, ...(workload ? [workload.name] : []), ...around];
}

/** First the rules' evidence, then all facts, then Kubernetes' other messages. */
function evidenceOf(subject: Case, rules: Diagnosis): string[] {
  const quoted = ({ from, text }: { from: string; text: string }): string => `${oneLine(from, 120)}: ${oneLine(text, MAX_LINE)}`;
  const facts = gatherFacts(subject).map(({ evidence }) => quoted(evidence));
  return [...new Set([...rules.evidence, ...facts, ...gatherMessages(subject).map(quoted)])].slice(0, MAX_LINES);
}

function dataOf(subject: Case, rules: Diagnosis, lines: string[]): Record<string, unknown> {
  const { reason, message, container, resource_kind, workload, pod_name, namespace } = subject;
  return {
    failing: {
      kind: resource_kind,
      pod: pod_name,
      in_namespace: namespace,
      container,
      reason,
      message: oneLine(message, MAX_LINE),
      ...(workload ? { owner: workload } : {}),
    },
    evidence: lines.map((line, index) => `${index}: ${line}`),
    log_tail: tailOf(subject),
    spec: specShown(subject.manifest(), subject.container),
    // The heading is left out: it counts the working pods of the previous revision, which changes often and does not change the answer.
    ...(rules.changed ? { changed: rules.changed.lines } : {}),
    rules: {
      summary: rules.summary,
      culprit: rules.culprit,
      corrections: rules.corrections.map(({ title, confidence, changes }) => ({
        title,
        confidence,
        changes: changes.map(({ path, from, to }) => ({ path: modelPath(path, subject.manifest()), from, to })),
      })),
      no_cure: rules.noCorrection?.why ?? null,
    },
  };
}

function tailOf({ logs }: Case): string[] {
  const tail = logs.slice(-TAIL_LINES * MAX_LINE).trimEnd();
  if (tail === '') return [];
  return tail
    .split('\n')
    .slice(-TAIL_LINES)
    .map((line) => oneLine(line, 300));
}

/** The text without details that differ between replicas or runs: names, times, durations, counts, ids, addresses. */
function steady(text: string, podName: string): string {
  return text
    .replaceAll(podName, 'POD')
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g, 'T')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, 'U')
    .replace(/(?<!sha256:)\b[0-9a-f]{12,64}\b/gi, 'H')
    .replace(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|\bip_[0-9a-f]{12}\b/g, 'IP')
    .replace(/\b(?:\d{1,6}h)?(?:\d{1,6}m)?\d{1,6}(?:\.\d{1,6})?(?:ms|s)\b/g, 'D')
    .replace(/\brestarted \d+ times?|\(\d+ times\)|\(x\d+ over [^)]{1,40}\)/g, 'N')
    .replace(/\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, 'T');
}
