/**
 * Compares the types in src/crd with the schemas in crds/, in both directions, through tables written by hand. The compiler compares
 * the tables with the types: a field that is missing, unknown or of another kind is an error. The test compares them with the schemas.
 */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MIRROR_TTL } from '../../src/contract/mirror-ttl.ts';
import type { ObjectMeta, PodSpec } from '../../src/crd/kubernetes.ts';
import { loadManifest } from '../../src/crd/manifest.ts';
import { API_VERSION, MIRROR_PHASES, STRENGTHS, VERDICTS, type MirrorPodSpec, type MirrorPodStatus } from '../../src/crd/mirrorpod.ts';
import { PROVIDER_TYPES, type NotificationProviderSpec, type NotificationProviderStatus } from '../../src/crd/notificationprovider.ts';
import type { SuppressionSpec, SuppressionStatus } from '../../src/crd/suppression.ts';

type Same<A, B> = [A, B] extends [B, A] ? true : false;
type IsUnknown<T> = unknown extends T ? true : false;
type IsOptional<T, K extends keyof T> = IsUnknown<T[K]> extends true ? true : object extends Pick<T, K> ? true : false;
type Mark<T, K extends keyof T & string> = IsOptional<T, K> extends true ? K : `${K}!`;

/** A type as a value: `!` marks a required field, `[x]` is a list, `{'*': x}` a map, `{enum}` allowed words, `any` any value. */
type Shape<T> =
  IsUnknown<T> extends true
    ? 'any'
    : true extends Same<T, ObjectMeta> | Same<T, PodSpec>
      ? 'any'
      : [T] extends [boolean]
        ? 'boolean'
        : [T] extends [number]
          ? 'integer'
          : [T] extends [string]
            ? string extends T
              ? 'string'
              : { enum: Record<T, 1> }
            : [T] extends [readonly (infer Item)[]]
              ? [Shape<Item>]
              : string extends keyof T
                ? { '*': Shape<T[string & keyof T]> }
                : { [K in keyof T & string as Mark<T, K>]: Shape<Exclude<T[K], undefined>> };

const conditions = [
  {
    'type!': 'string',
    'status!': { enum: { True: 1, False: 1, Unknown: 1 } },
    'reason!': 'string',
    'message!': 'string',
    'lastTransitionTime!': 'string',
    observedGeneration: 'integer',
  },
] satisfies Shape<NonNullable<MirrorPodStatus['conditions']>>;

const mirrorpods = {
  spec: {
    'source!': { kind: { enum: { Pod: 1 } }, 'name!': 'string' },
    failureId: 'integer',
    template: { metadata: 'any', 'spec!': 'any' },
    ttlSeconds: 'integer',
    onExpiry: { enum: { Delete: 1, Retain: 1 } },
    acknowledgeSideEffects: 'boolean',
  } satisfies Shape<MirrorPodSpec>,
  status: {
    observedGeneration: 'integer',
    lastHandledReconcileAt: 'string',
    phase: { enum: { Pending: 1, Running: 1, Succeeded: 1, Failed: 1, Rejected: 1, Expired: 1 } },
    podName: 'string',
    startTime: 'string',
    expirationTime: 'string',
    templateHash: 'string',
    verdict: { enum: { Fixed: 1, StillFailing: 1, Inconclusive: 1 } },
    evidence: {
      'windowSeconds!': 'integer',
      'windowReason!': 'string',
      'strength!': { enum: { Strong: 1, Weak: 1 } },
      'weaknesses!': ['string'],
      'sourceRuns!': 'integer',
      'longestSourceRunSeconds!': 'integer',
      'probesAsked!': ['string'],
      readySince: 'string',
      readyChanged: 'string',
      unreadySince: 'string',
      'readinessLost!': 'integer',
      'restarts!': 'integer',
      'pullErrors!': 'integer',
      'containers!': [{ 'name!': 'string', 'ended!': 'integer', 'run!': 'integer', lastEnd: 'string', 'longestRunSeconds!': 'integer' }],
      failure: { 'reason!': 'string', container: 'string' },
      endingSince: 'string',
      over: {
        'how!': { enum: { Succeeded: 1, Failed: 1, Deleted: 1, DeadlineExceeded: 1 } },
        'at!': 'string',
        unseen: 'boolean',
      },
      endedAtVerdict: 'integer',
      readinessLostAtVerdict: 'integer',
      terms: {
        'restartPolicy!': 'string',
        'backoffLimit!': 'integer',
        'hasProbes!': 'boolean',
        'unreadySeconds!': 'integer',
        'hasOwnDeadline!': 'boolean',
        reasonBefore: 'string',
        strippedCause: 'string',
        'replaced!': ['string'],
      },
    },
    revisions: [
      {
        'time!': 'string',
        'from!': { enum: { Fixed: 1, StillFailing: 1, Inconclusive: 1 } },
        'verdict!': { enum: { Fixed: 1, StillFailing: 1, Inconclusive: 1 } },
        'reason!': 'string',
        'message!': 'string',
        failure: 'string',
      },
    ],
    correction: {
      'origin!': { enum: { Model: 1, Rules: 1, Given: 1 } },
      explanation: 'string',
      changes: [{ 'path!': 'string', from: 'any', to: 'any', 'why!': 'string' }],
    },
    conditions,
  } satisfies Shape<MirrorPodStatus>,
};

const labelSelector = {
  matchLabels: { '*': 'string' },
  matchExpressions: [{ 'key!': 'string', 'operator!': 'string', values: ['string'] }],
} satisfies Shape<NonNullable<SuppressionSpec['match']['labelSelector']>>;

const suppressions = {
  spec: {
    'reason!': 'string',
    owner: 'string',
    ticket: 'string',
    expirationTime: 'string',
    suspend: 'boolean',
    'match!': {
      namespaces: ['string'],
      pods: ['string'],
      labelSelector,
      failureReasons: ['string'],
      checks: ['string'],
      images: ['string'],
    },
  } satisfies Shape<SuppressionSpec>,
  status: {
    observedGeneration: 'integer',
    matchedFailures: 'integer',
    matchedFindings: 'integer',
    lastMatchedTime: 'string',
    conditions,
  } satisfies Shape<SuppressionStatus>,
};

const notificationproviders = {
  spec: {
    // prettier-ignore
    'type!': { enum: {
      slack: 1, teams: 1, discord: 1, mattermost: 1, googlechat: 1, telegram: 1,
      pagerduty: 1, opsgenie: 1, jsm: 1, incidentio: 1, alertmanager: 1, email: 1, webhook: 1,
    } },
    suspend: 'boolean',
    'secretRef!': { 'name!': 'string' },
    channel: 'string',
    format: { enum: { json: 1, cloudevents: 1 } },
    filter: {
      // prettier-ignore
      events: [{ enum: {
        incident_opened: 1, incident_updated: 1, correction: 1, verdict: 1, verdict_revised: 1, resolved: 1, finding: 1, alert: 1,
      } }],
      namespaces: ['string'],
      excludeNamespaces: ['string'],
      labelSelector,
      reasons: ['string'],
      minSeverity: { enum: { critical: 1, high: 1, medium: 1, low: 1, info: 1 } },
      sendResolved: 'boolean',
    },
    grouping: {
      by: [{ enum: { incident: 1, namespace: 1, workload: 1, reason: 1, node: 1 } }],
      waitSeconds: 'integer',
      intervalSeconds: 'integer',
      repeatSeconds: 'integer',
      minOccurrences: 'integer',
      windowSeconds: 'integer',
    },
    quietHours: [
      {
        days: [{ enum: { Mon: 1, Tue: 1, Wed: 1, Thu: 1, Fri: 1, Sat: 1, Sun: 1 } }],
        'from!': 'string',
        'to!': 'string',
        'timeZone!': 'string',
      },
    ],
    chat: { defaultRole: { enum: { read: 1, write: 1 } }, users: [{ 'id!': 'string', 'user!': 'string' }] },
  } satisfies Shape<NotificationProviderSpec>,
  status: {
    observedGeneration: 'integer',
    lastDeliveryTime: 'string',
    lastError: 'string',
    conditions,
  } satisfies Shape<NotificationProviderStatus>,
};

interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  enum?: string[];
  format?: string;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-validations'?: { rule: string; message?: string }[];
}

/** Operators are an enum in the schema, but plain text in the type, which comes from Kubernetes. */
const asText = (path: string) => path.endsWith('.operator');

function shapeOf(schema: Schema, path: string): unknown {
  if (schema['x-kubernetes-preserve-unknown-fields']) return 'any';
  if (schema.type === 'array') return [shapeOf(schema.items!, path)];
  if (schema.additionalProperties) return { '*': shapeOf(schema.additionalProperties, path) };
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    const mark = (name: string) => (schema.required?.includes(name) ? `${name}!` : name);
    return Object.fromEntries(fields.map(([name, field]) => [mark(name), shapeOf(field, `${path}.${name}`)]));
  }
  if (schema.enum && !asText(path)) return { enum: Object.fromEntries(schema.enum.map((word) => [word, 1])) };
  return schema.type;
}

/** The bound that is missing in a schema. Undefined: nothing is missing. */
function unboundedBy(schema: Schema): string | undefined {
  const isText = schema.type === 'string' && !schema.enum && schema.format !== 'date-time';
  if (isText && schema.maxLength === undefined) return 'maxLength';
  if (schema.type === 'array' && schema.maxItems === undefined) return 'maxItems';
  return schema.additionalProperties && schema.maxProperties === undefined ? 'maxProperties' : undefined;
}

/** Everything in a schema that breaks our own rules. */
function* faults(schema: Schema, path: string): Generator<string> {
  const bound = unboundedBy(schema);
  if (bound) yield `${path} has no ${bound}`;
  for (const { rule, message } of schema['x-kubernetes-validations'] ?? []) if (!message) yield `${path}: no message for ${rule}`;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!field.description) yield `${path}.${name} has no description`;
    yield* faults(field, `${path}.${name}`);
  }
  for (const inner of [schema.items, schema.additionalProperties]) if (inner) yield* faults(inner, `${path}[]`);
}

interface Definition {
  metadata: { name: string };
  spec: {
    group: string;
    names: { plural: string; categories: string[]; shortNames: string[] };
    versions: { name: string; subresources: { status?: object }; schema: { openAPIV3Schema: Schema } }[];
  };
}

for (const [plural, parts] of Object.entries({ mirrorpods, suppressions, notificationproviders })) {
  const text = readFileSync(new URL(`../../crds/${plural}.yaml`, import.meta.url), 'utf8');
  const { metadata, spec } = loadManifest(text) as unknown as Definition;
  const [version] = spec.versions;
  const { properties } = version!.schema.openAPIV3Schema;

  test(`${plural}: group, version, category, short name and status subresource`, () => {
    assert.is(`${spec.group}/${version!.name}`, API_VERSION);
    assert.is(metadata.name, `${plural}.${spec.group}`);
    assert.equal(spec.names.categories, ['podmend']);
    assert.is(spec.names.shortNames.length, 1);
    assert.ok(version!.subresources.status);
  });
  test(`${plural}: the schema's spec is the type's`, () => assert.equal(shapeOf(properties!['spec']!, 'spec'), parts.spec));
  test(`${plural}: the schema's status is the type's`, () => assert.equal(shapeOf(properties!['status']!, 'status'), parts.status));
  test(`${plural}: every field is described and bounded`, () => {
    for (const part of ['spec', 'status']) assert.equal([...faults(properties![part]!, part)], []);
  });
}

test('the words that are listed for code and contract are those of the schemas', () => {
  const schemaOf = (plural: string): Record<string, Schema> => {
    const text = readFileSync(new URL(`../../crds/${plural}.yaml`, import.meta.url), 'utf8');
    const { spec } = loadManifest(text) as unknown as Definition;
    return spec.versions[0]!.schema.openAPIV3Schema.properties!;
  };
  const status = schemaOf('mirrorpods')['status']!.properties!;
  assert.equal([...MIRROR_PHASES], status['phase']!.enum);
  assert.equal([...VERDICTS], status['verdict']!.enum);
  assert.equal([...STRENGTHS], status['evidence']!.properties!['strength']!.enum);
  assert.equal([...PROVIDER_TYPES], schemaOf('notificationproviders')['spec']!.properties!['type']!.enum);
});

test('the time to live of a mirror has the bounds and the default of the contract', () => {
  const text = readFileSync(new URL('../../crds/mirrorpods.yaml', import.meta.url), 'utf8');
  const [, field = ''] = /\n +ttlSeconds:\n((?: {18}.*\n)+)/.exec(text) ?? [];
  const { min, max } = MIRROR_TTL;
  assert.match(field, `minimum: ${min}\n`);
  assert.match(field, `maximum: ${max}\n`);
  assert.match(field, `${MIRROR_TTL.default} unless changed`);
});

test.run();
