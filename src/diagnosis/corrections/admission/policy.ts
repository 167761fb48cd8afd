import type { Change } from '../../../contract/failure.ts';
import { fieldPath, valueAt } from '../../../crd/field-path.ts';
import { parseImage } from '../../../crd/image.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { knownTags } from '../images/image.ts';

// What common admission policies require, recognised by their messages (the libraries of Kyverno and Gatekeeper, and policies with
// similar wording).

const ASKED = 'the message of the policy asks for it';
const ACCEPTED = 'The API server then accepts the pods, if the policy asks nothing else.';

/** For a policy that refuses images without a tag, or with `latest`: another tag of the same image that the cluster runs. */
export function fixedTag(input: RuleInput, place: ContainerPlace, message: string): Correction | undefined {
  if (!/mutable (?:image )?tag|disallowed tag|(?:image )?tag is required|specify an image tag|\blatest\b/i.test(message)) return undefined;
  const moving = (['initContainers', 'containers'] as const).flatMap((list) =>
    (place.spec[list] ?? []).flatMap(({ image = '' }, index) => {
      const { tag, digest } = parseImage(image);
      return image !== '' && digest === null && (tag === null || tag === 'latest') ? [{ list, index, image }] : [];
    }),
  );
  const found = moving.map((one) => ({ ...one, tags: knownTags(input, one.image).filter((tag) => !isMoving(tag)) }));
  // If one image stays as it is, the policy still refuses the pod.
  if (found.length === 0 || found.some(({ tags }) => tags.length === 0)) return undefined;
  const changes = found.map(({ list, index, tags }) =>
    change(place, fieldPath(place.specPath, list, index, 'image'), tags[0], 'the cluster runs this tag, which does not move'),
  );
  return {
    title: `Use the image ${[...new Set(found.map(({ tags }) => code(tags[0] ?? '')))].join(', ')}`,
    changes,
    confidence: found.every(({ tags }) => tags.length === 1) ? 'likely' : 'guess',
    explanation: ACCEPTED,
    mirrorable: false,
  };
}

const isMoving = (image: string): boolean => [null, 'latest'].includes(parseImage(image).tag);

/** For a policy that lists the labels that every pod must have: uses the labels of the workload itself, if it has them. */
export function listedLabels(input: RuleInput, place: ContainerPlace, message: string): Correction | undefined {
  const base = place.specPath.replace(/\.?spec$/, '');
  const map = base === '' ? 'metadata.labels' : `${base}.metadata.labels`;
  const own = (valueAt(place.object, map) ?? {}) as Record<string, unknown>;
  const missing = labelsIn(message).filter((key) => !Object.hasOwn(own, key));
  if (missing.length === 0) return undefined;
  const above = { ...place.object.metadata.labels, ...input.subject.owner?.metadata.labels };
  const changes = missing.map((key): Change =>
    change(
      place,
      fieldPath(map, key),
      above[key] ?? valueFor(input, key),
      above[key] === undefined ? ASKED : 'the workload has it, its pods do not',
    ),
  );
  const isKnown = missing.every((key) => above[key] !== undefined);
  return {
    title: `Give the pods the ${missing.length === 1 ? 'label' : 'labels'} ${missing.map((key) => code(key)).join(', ')}`,
    changes,
    confidence: isKnown ? 'likely' : 'guess',
    explanation: isKnown
      ? `The workload has ${missing.length === 1 ? 'it' : 'them'}. ${ACCEPTED}`
      : 'Only those who wrote the policy know which values are right.',
    mirrorable: false,
  };
}

const KEY = String.raw`[A-Za-z0-9](?:[\w./-]{0,80}[A-Za-z0-9])?`;

/** The labels in Gatekeeper's list, in the path of a Kyverno rule, in the expression of a policy, or in quotes after the word. */
function labelsIn(message: string): string[] {
  const listed = /must (?:provide|have)(?: these| the)? labels:? {0,2}[{[]([^}\]]{1,400})[}\]]/i.exec(message)?.[1];
  if (listed !== undefined) return [...listed.matchAll(new RegExp(`["'](${KEY})["']`, 'g'))].map(([, key = '']) => key);
  const found = [
    ...message.matchAll(new RegExp(`/metadata/labels/(${KEY})/`, 'g')),
    ...message.matchAll(new RegExp(`\\bmetadata\\.labels\\[["'](${KEY})["']\\]`, 'g')),
    ...message.matchAll(/\bmetadata\.labels\.([A-Za-z]\w{0,60})\b/g),
    ...message.matchAll(new RegExp(`["'](${KEY})["'] in \\w{1,40}\\.metadata\\.labels`, 'g')),
    ...message.matchAll(new RegExp(`\\blabels? [\`"'](${KEY})[\`"']`, 'g')),
    ...message.matchAll(new RegExp(`[\`"'](${KEY})[\`"'] labels?\\b`, 'g')),
  ].map(([, key = '']) => key);
  return [...new Set(found)];
}

/** A label that names the program gets the workload's name. For any other, only its namespace is known. */
function valueFor({ subject }: RuleInput, key: string): string {
  const name = subject.owner?.metadata.name ?? subject.workload?.name;
  return name !== undefined && /(?:^|[/.-])(?:app|name|instance|component)$/.test(key) ? name : subject.namespace;
}

/** For a policy that wants requests or limits of every container. */
export function requiredResources(place: ContainerPlace, message: string): Correction | undefined {
  const fields = (['requests', 'limits'] as const).filter((field) => new RegExp(`\\b(?:resource )?${field}?\\b`, 'i').test(message));
  const named = (['cpu', 'memory'] as const).filter((resource) => new RegExp(`\\b${resource}\\b`, 'i').test(message));
  const isAsked =
    /(?:requests|limits|request|limit)\b.{0,60}\b(?:required|must|missing|set|specified|defined)\b|(?:\bno|must (?:have|set|specify|define)|missing|without)\b.{0,40}\b(?:requests?|limits?)\b/i.test(
      message,
    );
  // A value that is too high is a different failure from one that is missing.
  if (!isAsked || fields.length === 0 || /higher than|exceed|at most|maximum|no more than/i.test(message)) return undefined;
  const resources = named.length > 0 ? named : (['cpu', 'memory'] as const);
  const changes = (['initContainers', 'containers'] as const).flatMap((list) =>
    (place.spec[list] ?? []).flatMap((container, index) =>
      fields.flatMap((field) =>
        resources.flatMap((resource) => {
          if (container.resources?.[field]?.[resource] !== undefined) return [];
          const other = container.resources?.[field === 'limits' ? 'requests' : 'limits']?.[resource];
          const path = fieldPath(place.specPath, list, index, 'resources', field, resource);
          return [change(place, path, other ?? (field === 'requests' ? MODEST : AMPLE)[resource], ASKED)];
        }),
      ),
    ),
  );
  if (changes.length === 0) return undefined;
  return {
    title: `Set the ${fields.join(' and ')} for ${resources.map((resource) => code(resource)).join(' and ')}`,
    changes,
    confidence: 'guess',
    explanation: `${ACCEPTED} Measure how much the program needs.`,
    mirrorable: false,
  };
}

const MODEST = { cpu: '100m', memory: '128Mi' };
const AMPLE = { cpu: '500m', memory: '256Mi' };

/** For a policy whose message names a limit and its maximum. */
export function lowerLimit(place: ContainerPlace, message: string): Correction | undefined {
  const [, resource, given, most] =
    /\b(cpu|memory) (?:resource )?limit <?["'`]?([\w.]{1,20})["'`]?>? is higher than the maximum allowed of <?["'`]?([\w.]{1,20})/i.exec(
      message,
    ) ?? [];
  const changes = (['initContainers', 'containers'] as const).flatMap((list) =>
    (place.spec[list] ?? []).flatMap((container, index) =>
      resource !== undefined && String(container.resources?.limits?.[resource]) === given
        ? [
            change(
              place,
              fieldPath(place.specPath, list, index, 'resources', 'limits', resource),
              most,
              'it is the most that the policy allows',
            ),
          ]
        : [],
    ),
  );
  if (changes.length === 0) return undefined;
  return {
    title: `Limit ${code(resource ?? '')} to ${code(most ?? '')}`,
    changes,
    confidence: 'guess',
    explanation: ACCEPTED,
    mirrorable: false,
  };
}

/** For a policy that wants probes: a connection to the container's first port. */
export function requiredProbes(place: ContainerPlace, message: string): Correction | undefined {
  if (!/\bprobes?\b|(?:liveness|readiness)Probe/i.test(message) || !/\b(?:no|required|must|missing|without)\b/i.test(message))
    return undefined;
  const kinds = (['livenessProbe', 'readinessProbe'] as const).filter((kind) => new RegExp(kind.replace('Probe', ''), 'i').test(message));
  const wanted = kinds.length > 0 ? kinds : (['readinessProbe'] as const);
  const lacks = place.spec.containers.flatMap((container, index) =>
    wanted.filter((kind) => container[kind] === undefined).map((kind) => ({ container, index, kind })),
  );
  if (lacks.length === 0 || lacks.some(({ container }) => !container.ports?.[0])) return undefined;
  return {
    title: `Give every container a ${wanted.map((kind) => code(kind)).join(' and a ')}`,
    changes: lacks.map(({ container, index, kind }) =>
      change(
        place,
        fieldPath(place.specPath, 'containers', index, kind),
        { tcpSocket: { port: container.ports?.[0]?.containerPort }, periodSeconds: 10 },
        ASKED,
      ),
    ),
    confidence: 'guess',
    explanation: `${ACCEPTED} A path that tells whether the program works is better than a port.`,
    mirrorable: false,
  };
}
