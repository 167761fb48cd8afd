import type { EscalationPaths, Rights, Through, WhoCan } from '../contract/access.ts';
import type { RbacSubject } from './objects.ts';
import type { EscalationPath, Escalations } from './paths/paths.ts';
import { tellStep } from './paths/step-text.ts';
import type { Bound, Grant, Holder } from './rights.ts';
import { listOf } from './rules.ts';
import { isBuiltIn, MASTERS } from './subjects.ts';

/** All subjects that may do something, with their bindings. The cluster's own components come last, because nobody chose their rights. */
export function answerWhoCan(holders: readonly Holder[]): WhoCan {
  const isOwn = ({ subject }: Holder): boolean => isBuiltIn(subject) && subject.name !== MASTERS;
  const sorted = holders.toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other)));
  return { subjects: sorted.map(({ subject, by }) => ({ ...shownSubject(subject), through: throughOf(by) })) };
}

/** Every rule that a subject has, with its binding. */
export function answerRights(grants: readonly Grant[]): Rights {
  return {
    rights: grants.map((grant) => ({
      namespace: grant.bound.namespace ?? '*',
      verbs: listOf(grant.rule.verbs),
      api_groups: listOf(grant.rule.apiGroups),
      resources: listOf(grant.rule.resources),
      resource_names: listOf(grant.rule.resourceNames),
      non_resource_urls: listOf(grant.rule.nonResourceURLs),
      through: wayOf(grant),
    })),
  };
}

/** The wanted escalation paths, step by step; at most `most` of them. */
export function answerPaths(paths: readonly EscalationPath[], { cut, leftOut }: Omit<Escalations, 'paths'>, most: number): EscalationPaths {
  return {
    total: paths.length,
    paths: paths.slice(0, most).map((path) => {
      const { subject, target, steps, ends } = path;
      return {
        subject: shownSubject(subject),
        target: target.kind,
        ...(target.kind === 'secrets' ? { namespace: target.namespace } : {}),
        steps: steps.map((step) => ({ ...tellStep(step, path), through: throughOf(step.grants) })),
        ends: throughOf(ends),
      };
    }),
    ...(cut ? { cut: { binding: bindingOf(cut.bound), breaks: cut.broken } } : {}),
    ...(leftOut > 0 ? { left_out: leftOut } : {}),
  };
}

function shownSubject({ kind, name, namespace }: RbacSubject): Through['subject'] {
  return { kind: kind as Through['subject']['kind'], name, ...(namespace ? { namespace } : {}) };
}

function bindingOf({ binding, namespace }: Bound): Through['binding'] {
  return {
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    name: binding.metadata.name ?? '',
    ...(namespace === undefined ? {} : { namespace }),
  };
}

function wayOf({ bound, subject }: Grant): Through {
  const { kind, name } = bound.binding.roleRef;
  const place = kind === 'Role' && bound.namespace !== undefined ? { namespace: bound.namespace } : {};
  return { binding: bindingOf(bound), role: { kind, name, ...place }, subject: shownSubject(subject) };
}

/** Each binding once, even if several of its rules allow the request. */
function throughOf(grants: readonly Grant[]): Through[] {
  return [...new Map(grants.map((grant) => [grant.bound, wayOf(grant)])).values()];
}
