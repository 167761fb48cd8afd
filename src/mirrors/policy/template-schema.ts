import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { fieldPath } from '../../crd/field-path.ts';

/** A field that may be absent or null, which mean the same to an API server. */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const object = maybe(Type.Object({}));
const text = maybe(Type.String());
const integer = maybe(Type.Integer());
const texts = maybe(Type.Array(Type.String()));
const textMap = maybe(Type.Record(Type.String(), Type.String()));
const list = (fields: Record<string, TSchema> = {}) => maybe(Type.Array(Type.Object(fields)));

const handler = maybe(Type.Object({ exec: object, httpGet: object, tcpSocket: object, grpc: object }));
const context = {
  runAsUser: integer,
  runAsGroup: integer,
  seccompProfile: object,
  appArmorProfile: object,
  seLinuxOptions: object,
  windowsOptions: object,
};
const containers = Type.Array(
  Type.Object({
    name: Type.String(),
    image: text,
    command: texts,
    args: texts,
    env: list({
      name: Type.String(),
      value: text,
      valueFrom: maybe(Type.Object({ secretKeyRef: object, configMapKeyRef: object, fieldRef: object, resourceFieldRef: object })),
    }),
    envFrom: list({ prefix: text, secretRef: object, configMapRef: object }),
    ports: list(),
    volumeMounts: list({ name: Type.String(), mountPath: text, subPath: text, subPathExpr: text }),
    volumeDevices: list({ name: Type.String() }),
    resources: maybe(Type.Object({ requests: object, limits: object, claims: list() })),
    securityContext: maybe(Type.Object({ ...context, capabilities: maybe(Type.Object({ add: texts, drop: texts })) })),
    livenessProbe: handler,
    readinessProbe: handler,
    startupProbe: handler,
    lifecycle: maybe(Type.Object({ postStart: handler, preStop: handler })),
    restartPolicy: text,
  }),
  { minItems: 1 },
);

/** The fields of a pod template that Podmend reads, with their types. The API server checks all others. */
const TemplateFields = Type.Object({
  metadata: maybe(Type.Object({ namespace: text, labels: textMap, annotations: textMap })),
  spec: Type.Object({
    containers,
    initContainers: maybe(Type.Array(containers.items)),
    volumes: list({
      name: Type.String(),
      secret: object,
      persistentVolumeClaim: object,
      hostPath: object,
      projected: maybe(Type.Object({ sources: list({ secret: object, serviceAccountToken: object }) })),
    }),
    tolerations: list({ key: text, operator: text, value: text, effect: text }),
    imagePullSecrets: list({ name: text }),
    resourceClaims: list(),
    resources: object,
    serviceAccountName: text,
    serviceAccount: text,
    restartPolicy: text,
    activeDeadlineSeconds: integer,
    terminationGracePeriodSeconds: integer,
    affinity: object,
    topologySpreadConstraints: list(),
    readinessGates: list(),
    securityContext: maybe(
      Type.Object({ ...context, fsGroup: integer, supplementalGroups: maybe(Type.Array(Type.Integer())), sysctls: list({ name: text }) }),
    ),
  }),
});
const schema = Compile(TemplateFields);

/** Paths of the fields with a wrong type (at most 8). If there are none, Podmend can read the template. */
export function wronglyTypedPaths(template: unknown): string[] {
  if (schema.Check(template)) return [];
  const errors = schema.Errors(template).map(({ instancePath, keyword, params }) => {
    const missing = keyword === 'required' ? (params as { requiredProperties: string[] }).requiredProperties[0] : undefined;
    return [...stepsOf(instancePath), ...(missing === undefined ? [] : [missing])];
  });
  // A field that may be null gives two errors: one for the field itself, and one for the mistake inside.
  const deepest = errors.filter((one) => !errors.some((other) => other.length > one.length && one.every((step, at) => other[at] === step)));
  return [...new Set(deepest.map(pathOf))].slice(0, 8);
}

function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function pathOf([first = 'spec', ...rest]: string[]): string {
  return fieldPath(first, ...rest.map((step) => (/^\d+$/.test(step) ? Number(step) : step)));
}
