import type { RbacBinding, RbacSubject } from '../access/objects.ts';
import { type Found, judgeObject, type JudgeOptions } from '../checks/judge.ts';
import type { KubeObject } from '../crd/kubernetes.ts';

/**
 * What the checks find on an object, without accounts of hidden namespaces, which a binding elsewhere may name. Its findings have no proposal
 * then, because the proposed list of subjects would lack them.
 */
export function judgeVisible(object: KubeObject, hidden: readonly string[], options: JudgeOptions): Found[] {
  const { subjects } = object as Partial<RbacBinding>;
  const isHidden = (subject: RbacSubject | null): boolean => subject?.kind === 'ServiceAccount' && hidden.includes(subject.namespace ?? '');
  if (!Array.isArray(subjects) || !subjects.some(isHidden)) return judgeObject(object, options);
  // The others keep their places.
  const shown = { ...object, subjects: subjects.map((subject) => (isHidden(subject) ? null : subject)) };
  return judgeObject(shown as KubeObject, options).map((found) => {
    const { fix: _, ...details } = found.details;
    return { ...found, details } as Found;
  });
}
