import type { RbacBinding, RbacSubject } from '../access/objects.ts';
import { type Found, judgeObject, type JudgeOptions } from '../checks/judge.ts';
import type { KubeObject } from '../crd/kubernetes.ts';

/**
 * Runs the checks on an object. Accounts of hidden namespaces are removed first, because a visible binding may name them. The findings then
 * have no proposal, because the proposed list of subjects would lack the hidden ones.
 */
export function judgeVisible(object: KubeObject, hidden: readonly string[], options: JudgeOptions): Found[] {
  const { subjects } = object as Partial<RbacBinding>;
  const isHidden = (subject: RbacSubject | null): boolean => subject?.kind === 'ServiceAccount' && hidden.includes(subject.namespace ?? '');
  if (!Array.isArray(subjects) || !subjects.some(isHidden)) return judgeObject(object, options);
  // Hidden subjects become null, so that the indexes of the others stay.
  const shown = { ...object, subjects: subjects.map((subject) => (isHidden(subject) ? null : subject)) };
  return judgeObject(shown as KubeObject, options).map((found) => {
    const { fix: _, ...details } = found.details;
    return { ...found, details } as Found;
  });
}
