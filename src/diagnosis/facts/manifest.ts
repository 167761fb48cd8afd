import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { KubeObject, PodSpec } from '../../crd/kubernetes.ts';
import { loadManifest } from '../../crd/manifest.ts';
import { isMapping } from '../../crd/mapping.ts';

/** Some YAML writers write empty fields as null. */
const Opt = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const Text = Opt(Type.String());
const Words = Opt(Type.Array(Type.String()));
const NumberOrText = Type.Union([Type.Number(), Type.String()]);
const Quantities = Opt(Type.Record(Type.String(), NumberOrText));
const Reference = Opt(Type.Object({ name: Text, key: Text }));

const Handler = {
  exec: Opt(Type.Object({ command: Words })),
  httpGet: Opt(Type.Object({ path: Text, port: NumberOrText, scheme: Text })),
  tcpSocket: Opt(Type.Object({ port: NumberOrText })),
  grpc: Opt(Type.Object({ port: Type.Number() })),
};
const Probe = Opt(Type.Object(Handler));
const Security = Opt(Type.Object({ runAsUser: Opt(Type.Number()), runAsNonRoot: Opt(Type.Boolean()) }));

const Container = Type.Object({
  name: Type.String(),
  image: Text,
  command: Words,
  args: Words,
  workingDir: Text,
  env: Opt(
    Type.Array(
      Type.Object({
        name: Type.String(),
        value: Opt(Type.Unknown()),
        valueFrom: Opt(Type.Object({ configMapKeyRef: Reference, secretKeyRef: Reference })),
      }),
    ),
  ),
  envFrom: Opt(Type.Array(Type.Object({ configMapRef: Reference, secretRef: Reference }))),
  ports: Opt(Type.Array(Type.Object({ name: Text, containerPort: Type.Number(), hostPort: Opt(Type.Number()) }))),
  resources: Opt(Type.Object({ limits: Quantities, requests: Quantities })),
  volumeMounts: Opt(Type.Array(Type.Object({ name: Type.String(), mountPath: Type.String(), subPath: Text }))),
  livenessProbe: Probe,
  readinessProbe: Probe,
  startupProbe: Probe,
  lifecycle: Opt(Type.Object({ postStart: Opt(Type.Object(Handler)), preStop: Opt(Type.Object(Handler)) })),
  securityContext: Security,
});

const Requirement = Opt(Type.Array(Type.Object({ key: Type.String(), operator: Type.String(), values: Words })));

const Spec = Type.Object({
  containers: Type.Array(Container),
  initContainers: Opt(Type.Array(Container)),
  volumes: Opt(
    Type.Array(
      Type.Object({
        name: Type.String(),
        configMap: Opt(Type.Object({ name: Text, items: Opt(Type.Array(Type.Object({ key: Type.String(), path: Type.String() }))) })),
        secret: Opt(Type.Object({ secretName: Text, items: Opt(Type.Array(Type.Object({ key: Type.String(), path: Type.String() }))) })),
        hostPath: Opt(Type.Object({ path: Type.String(), type: Text })),
        persistentVolumeClaim: Opt(Type.Object({ claimName: Type.String() })),
        emptyDir: Opt(Type.Object({ sizeLimit: Opt(NumberOrText), medium: Text })),
        projected: Opt(Type.Object({ sources: Opt(Type.Array(Type.Object({ configMap: Reference, secret: Reference }))) })),
      }),
    ),
  ),
  nodeName: Text,
  nodeSelector: Opt(Type.Record(Type.String(), Type.String())),
  affinity: Opt(
    Type.Object({
      nodeAffinity: Opt(
        Type.Object({
          requiredDuringSchedulingIgnoredDuringExecution: Opt(
            Type.Object({ nodeSelectorTerms: Type.Array(Type.Object({ matchExpressions: Requirement })) }),
          ),
        }),
      ),
    }),
  ),
  topologySpreadConstraints: Opt(Type.Array(Type.Object({}))),
  restartPolicy: Text,
  activeDeadlineSeconds: Opt(Type.Number()),
  serviceAccountName: Text,
  imagePullSecrets: Opt(Type.Array(Type.Object({ name: Text }))),
  securityContext: Security,
  runtimeClassName: Text,
  priorityClassName: Text,
});

const podSpecShape = Compile(Spec);

/** Manifests with more values are refused, because aliases can expand a small YAML text into a huge tree. */
const MAX_VALUES = 50_000;

/** Parses the Pod or workload in a text (JSON or one YAML document). Undefined when the text contains neither. */
export function readManifest(text: string): KubeObject | undefined {
  try {
    const object = text.trimStart().startsWith('{') ? parseObject(text) : loadManifest(text);
    // Each value takes at least one character, unless an alias stands for it.
    const isSmall = text.length <= MAX_VALUES && !text.includes('*');
    return object && (isSmall || isWithin(object, MAX_VALUES)) ? shaped(object) : undefined;
  } catch {
    return undefined;
  }
}

/** The same for a parsed object. Undefined when it is huge or does not have the shape of a Pod or workload. */
export function shapedManifest(object: Record<string, unknown>): KubeObject | undefined {
  return isWithin(object, MAX_VALUES) ? shaped(object) : undefined;
}

function shaped(object: Record<string, unknown>): KubeObject | undefined {
  const place = podSpecIn(object);
  if (!place || !podSpecShape.Check(place.spec)) return undefined;
  if (!isMapping(object.metadata)) object.metadata = {};
  return object as unknown as KubeObject;
}

/** The pod spec in an object and its path: `spec` in a Pod, `spec.template.spec` in a workload, deeper in a CronJob. */
export function podSpecIn(object: object): { path: string; spec: PodSpec } | undefined {
  const spec = (object as { spec?: unknown }).spec;
  if (!isMapping(spec)) return undefined;
  if (Array.isArray(spec.containers)) return { path: 'spec', spec: spec as unknown as PodSpec };
  const job = isMapping(spec.jobTemplate) && isMapping(spec.jobTemplate.spec) ? spec.jobTemplate.spec : undefined;
  const template = (job ?? spec).template;
  if (!isMapping(template) || !isMapping(template.spec)) return undefined;
  return { path: job ? 'spec.jobTemplate.spec.template.spec' : 'spec.template.spec', spec: template.spec as unknown as PodSpec };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value: unknown = JSON.parse(text);
  return isMapping(value) ? value : undefined;
}

function isWithin(root: unknown, budget: number): boolean {
  const open: unknown[] = [root];
  for (let visited = 0; open.length > 0; visited++) {
    if (visited + open.length > budget) return false;
    const value = open.pop();
    if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) open.push(child);
  }
  return true;
}
