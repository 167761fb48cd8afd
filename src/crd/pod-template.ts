import type { Container, Handler, PodSpec } from './kubernetes.ts';

/** The entries of a list that are mappings. A template may contain anything until an API server has accepted it. */
export function listOf<T extends object>(value: readonly T[] | undefined | null): T[] {
  return Array.isArray(value) ? (value as T[]).filter((entry) => typeof entry === 'object' && entry !== null) : [];
}

/** Init containers first, as they start. */
export function allContainers(spec: PodSpec): Container[] {
  return [...listOf(spec.initContainers), ...listOf(spec.containers)];
}

/** The actions of the kubelet on a container, each with its field: probes and hooks. */
export function handlersOf(container: Container): [field: string, handler: Handler | undefined][] {
  return [
    ...(['livenessProbe', 'readinessProbe', 'startupProbe'] as const).map((field): [string, Handler | undefined] => [
      field,
      container[field],
    ]),
    ...(['postStart', 'preStop'] as const).map((hook): [string, Handler | undefined] => [`lifecycle.${hook}`, container.lifecycle?.[hook]]),
  ];
}
