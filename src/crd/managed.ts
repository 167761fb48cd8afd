import type { ObjectMeta } from './kubernetes.ts';

export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
/** The value of the managed-by label on objects that Podmend's API made. */
export const MANAGED_BY = 'podmend';

/**
 * Who manages an object: `api` (Podmend created it), `kubectl` (somebody applied it), or the tool that would revert our changes. The tool
 * is Argo CD, Flux, or the value of the managed-by label.
 */
export function sourceOf({ labels = {}, annotations = {} }: ObjectMeta): string {
  return gitManager(labels, annotations) ?? (labels[MANAGED_BY_LABEL] === MANAGED_BY ? 'api' : 'kubectl');
}

/** The tool that manages an object from Git, or undefined when Podmend may change it. */
export function managerOf({ labels = {}, annotations = {} }: ObjectMeta): string | undefined {
  return gitManager(labels, annotations);
}

function gitManager(labels: Record<string, string>, annotations: Record<string, string>): string | undefined {
  const label = labels[MANAGED_BY_LABEL];
  const isFlux = (key: string) => key.startsWith('kustomize.toolkit.fluxcd.io/') || key.startsWith('helm.toolkit.fluxcd.io/');
  if (Object.keys(labels).some(isFlux)) return 'Flux';
  if (annotations['argocd.argoproj.io/tracking-id'] || labels['argocd.argoproj.io/instance']) return 'Argo CD';
  if (label && label !== MANAGED_BY) return label;
  // Argo CD's label-based tracking uses this label by default. Charts set it too, but they also set the managed-by label.
  return labels['app.kubernetes.io/instance'] ? 'Argo CD' : undefined;
}
