import type { EnvVar, KubeObject, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { aPod } from '../../../builders/pod.ts';
import { parseQuantity } from '../../../../../src/crd/quantity.ts';
import { loops, one, other, serves } from '../documented.ts';
import type { Cure, CureRow } from './cure.ts';

/** The path of the container that `crash` makes. */
export const app = 'spec.containers[0]';

/** The confidence of a correction that helps in most cases. */
export const likely: Pick<Cure, 'confidence'> = { confidence: ['likely'] };

/** The confidence of a correction that may not help. */
export const guess: Pick<Cure, 'confidence'> = { confidence: ['guess'] };

/** Pod `shop`, whose container exits repeatedly with this log. */
export function crash(
  log: string,
  spec: Partial<PodSpec['containers'][0]>,
  is: object,
  others: KubeObject[] = [],
  podSpec: Partial<PodSpec> = {},
): CureRow {
  return { object: one('shop', loops(1), spec, podSpec), log, others, is: { reason: 'CrashLoopBackOff', ...is } as CureRow['is'] };
}

/** The variables of a container, by their names. */
export const env = (all: Record<string, string>) => ({ env: Object.entries(all).map(([name, value]) => ({ name, value })) });

/** A Service with these ports. */
export function service(name: string, ...ports: number[]): KubeObject {
  return other('Service', name, { spec: { ports: ports.map((port) => ({ port })) } });
}

/** A ConfigMap with these keys. */
export function map(name: string, ...keys: string[]): KubeObject {
  return other('ConfigMap', name, { data: Object.fromEntries(keys.map((key) => [key, 'x'])) });
}

/** A Secret with these keys. */
export function secret(name: string, ...keys: string[]): KubeObject {
  return other('Secret', name, { data: Object.fromEntries(keys.map((key) => [key, 'x'])) });
}

/** Returns a check whether a quantity is at most `most`. */
export function atMost(most: string): (to: unknown) => boolean {
  return (to) => (parseQuantity(to as string) ?? Infinity) <= (parseQuantity(most) ?? 0);
}

/** A variable with its value. */
export const plain = (name: string, value: string): EnvVar => ({ name, value });

/** A variable from a key of a Secret. */
export const fromSecret = (name: string, object: string, key: string): EnvVar => ({
  name,
  valueFrom: { secretKeyRef: { name: object, key } },
});

/** A ConfigMap with these values. */
export function settings(name: string, data: Record<string, string>): KubeObject {
  return other('ConfigMap', name, { data });
}

/** A Service and the running pod behind it, which is a server with these variables. */
export function server(name: string, port: number, env: EnvVar[]): KubeObject[] {
  const labels = { app: name };
  return [
    other('Service', name, { spec: { selector: labels, ports: [{ port }] } }),
    aPod({
      name: `${name}-0`,
      namespace: 'default',
      uid: `uid-${name}`,
      metadata: { labels },
      app: serves(),
      spec: { containers: [{ name: 'app', image: name, env }] },
    }),
  ];
}
