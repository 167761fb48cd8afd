import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Change } from '../contract/failure.ts';
import type { Finding, FindingFix } from '../contract/finding.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { maskManifest } from '../redact/manifest.ts';
import { maskShapes } from '../redact/shapes.ts';
import { maskText } from '../redact/text.ts';
import { applyChanges, valueAt } from '../crd/field-path.ts';
import { Changes, CHANGES_SCHEMA, Explanation, answerReader, modelChangesOf } from '../models/policy/answer-schema.ts';
import { hardeningChanges } from '../models/policy/hardening.ts';
import { plainMarkdown } from '../models/policy/markdown.ts';
import type { AskTopic, TopicAnswer, Topic } from '../models/ask-topic.ts';
import { namesInSpec } from '../models/policy/names.ts';
import { modelPath } from '../models/policy/locate-changes.ts';
import { specShown } from '../models/policy/plain-spec.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { MARKS, untrusted, UNTRUSTED } from '../models/policy/untrusted.ts';
import { fixOf, type FindingObject, findingObject, type ModelCorrection } from './correction.ts';

/** Increase this with every change of the question, so that stored answers to the old question are not used. */
const VERSION = 1;
const MAX_TOKENS = 8192;
const MAX_TEXT = 4_000;

const SYSTEM = `You explain a security finding about a Kubernetes object to the engineer who is to mend it, and propose the smallest change that does.

You get, ${MARKS} about it: what a scanner found, the object's pod spec (null when it has none or nobody may read it), and the changes that the scanner proposed ("proposed"). ${UNTRUSTED}

Answer with one JSON object with exactly these fields:
- "explanation": Markdown, two to six sentences: what the risk is here, what to change, and what to look at before it is rolled out. No links, no headings.
- "changes": the fewest changes of the spec that mend it, or [] when none does, when you are not sure, or when "proposed" is not empty: those are made as they are. Each is {"path", "to", "why"}: "path" counts from the pod's spec and names entries of lists by their name, like containers[app].securityContext.runAsNonRoot, containers[app].volumeMounts[data].readOnly; "to" is a text, a number, a switch, or null to remove the field.

Changes may only make things stricter: in securityContext allowPrivilegeEscalation and privileged false, readOnlyRootFilesystem and runAsNonRoot true, runAsUser and runAsGroup from 1000 where root or nothing was, seccompProfile.type RuntimeDefault, capabilities.drop "ALL", capabilities.add and procMount removed; hostNetwork, hostPID, hostIPC, shareProcessNamespace and automountServiceAccountToken false; readOnly mounts; hostPort removed; imagePullPolicy Always; limits and requests where there are none. Anything else is thrown away, together with all other changes of the answer.`;

const CorrectionAnswer = Type.Object({ explanation: Explanation, changes: Changes }, { additionalProperties: false });
type CorrectionAnswer = Static<typeof CorrectionAnswer>;
const readCorrection = answerReader(CorrectionAnswer);
const SCHEMA = {
  type: 'object',
  properties: {
    explanation: { type: 'string', description: 'Markdown, two to six sentences: the risk, what to change, what to look at before' },
    changes: CHANGES_SCHEMA,
  },
  required: ['explanation', 'changes'],
  additionalProperties: false,
};

/** Corrects findings with the check's changes and the model's explanation, if they exist. */
export function findingCorrections({ askTopic }: { askTopic: AskTopic }) {
  return async (finding: Finding, live: KubeObject | null): Promise<FindingFix> => {
    const found = findingObject(finding, live);
    const reply = await askTopic(topicOf(found));
    return fixOf(found, reply && correctionIn(reply, found));
  };
}

/** The part of the model's answer that may be shown; undefined if none. */
function correctionIn(
  { answer, restore }: TopicAnswer<CorrectionAnswer>,
  { before, proposed }: FindingObject,
): ModelCorrection | undefined {
  const explanation = plainMarkdown(restore(answer.explanation), MAX_TEXT);
  if (explanation === '') return undefined;
  if (answer.changes.length === 0 || proposed.length > 0) return { explanation, changes: [] };
  const changes = before ? hardeningChanges(modelChangesOf(answer.changes, restore), before) : undefined;
  if (changes) return { explanation, changes };
  return { explanation: `${explanation}\n\nThe model also proposed changes that it may not make; they are left out.`, changes: [] };
}

function topicOf({ finding, before, proposed }: FindingObject): Topic<CorrectionAnswer> {
  const { check_name, severity, resource_type, resource_name, namespace, message, remediation, details } = finding;
  const { fix: _proposed, ...more } = details;
  const spec = specShown(before ?? undefined, details['container']);
  const data = {
    finding: {
      check: check_name,
      severity,
      on: { kind: resource_type, name: resource_name, in_namespace: namespace },
      message: lineOf(message),
      remediation: lineOf(remediation),
      details: detailsShown(more),
    },
    spec,
    proposed: before ? proposedShown(before, proposed) : [],
  };
  return {
    names: [resource_name, namespace, ...namesInSpec(spec)],
    question(pseudonyms, model) {
      const { json, text } = untrusted(data, pseudonyms);
      return {
        system: SYSTEM,
        user: `${text}\n\nWhat is the risk, and which change mends it? Answer with the JSON object.`,
        schema: SCHEMA,
        maxTokens: MAX_TOKENS,
        read: readCorrection,
        fingerprint: hash('sha256', JSON.stringify(['fix', VERSION, ...model, json])),
      };
    },
  };
}

/** The text on one line. It is masked as a whole first, because part of a key does not look like a key. */
function lineOf(text: string): string {
  return oneLine(maskText(maskShapes(text)), MAX_TEXT);
}

/** The check's changes with old values from the masked manifest, because those may be secrets. */
function proposedShown(before: KubeObject, proposed: Change[]) {
  const after = maskManifest(applyChanges(before, proposed));
  return proposed.map(({ path, why }) => ({
    path: modelPath(path, before),
    from: valueAt(before, path),
    to: valueAt(after, path),
    why: lineOf(why),
  }));
}

/** The scanner's details, up to a maximum length. */
function detailsShown(details: Record<string, unknown>): Record<string, unknown> {
  let room = MAX_TEXT;
  const entries = Object.entries(maskManifest(details)).filter(([key, value]) => {
    room -= key.length + (JSON.stringify(value) ?? '').length;
    return room >= 0;
  });
  return Object.fromEntries(entries);
}
