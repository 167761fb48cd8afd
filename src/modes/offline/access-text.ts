import type { EscalationPaths, Rights, Through, WhoCan } from '../../contract/access.ts';
import { oneLine } from '../../diagnosis/rendering/quote.ts';

// Names come from a cluster or a file, so each is put on one line and cut to this length.

const MAX_NAME = 300;
const plain = (text: string): string => oneLine(text, MAX_NAME);

const named = ({ kind, name, namespace }: { kind: string; name: string; namespace?: string }): string =>
  plain(`${kind} ${namespace ? `${namespace}/` : ''}${name}`);
const way = ({ binding, role }: Through): string => `${named(binding)} → ${named(role)}`;
const lines = (list: readonly string[]): string => `${list.join('\n')}\n`;

/** One line per subject, followed by the bindings that grant the right. */
export function whoCanText({ subjects }: WhoCan): string {
  return lines(
    subjects.flatMap((subject) => [
      named(subject),
      ...(subject.through.length > 0
        ? subject.through.map((through) => `  by ${way(through)}`)
        : ['  the API server does not check the rights of its members']),
    ]),
  );
}

/** One line per rule, followed by the binding that grants it. */
export function rightsText({ rights }: Rights): string {
  if (rights.length === 0) return lines(['No binding gives this subject any right.']);
  return lines(
    rights.flatMap((right) => {
      const resources = right.api_groups.flatMap((group) =>
        right.resources.map((resource) => (group === '' ? resource : `${resource}.${group}`)),
      );
      const what = plain([...resources, ...right.non_resource_urls].join(', '));
      const only = right.resource_names.length > 0 ? ` named ${plain(right.resource_names.join(', '))}` : '';
      const where = right.namespace === '*' ? 'in the whole cluster' : `in namespace ${plain(right.namespace)}`;
      return [`${plain(right.verbs.join(', '))} ${what}${only}, ${where}`, `  by ${way(right.through)}`];
    }),
  );
}

const ENDS: Record<EscalationPaths['paths'][number]['target'], string> = {
  'cluster-admin': 'may do everything',
  node: 'controls a node',
  secrets: 'reads Secrets',
};

/**
 * Each path with its steps and what grants them, and the binding whose removal breaks most paths. `hidden` is the number of paths that are
 * not shown.
 */
export function pathsText({ paths, total, cut, left_out: leftOut }: EscalationPaths, hidden: number): string {
  const more = hidden > 0 ? [`${hidden} paths of Kubernetes' own components are not shown; --all shows them.`] : [];
  if (total === 0) return lines([leftOut === undefined ? 'No escalation path.' : 'No escalation path was found so far.', ...more]);
  const shown = paths.flatMap(({ subject, target, namespace, steps, ends }) => [
    `${named(subject)} ${ENDS[target]}${namespace === undefined ? '' : namespace === '*' ? ' of all namespaces' : ` of namespace ${plain(namespace)}`}`,
    ...steps.flatMap(({ as, does, through }, index) => [
      `  ${index + 1}. ${plain(as)} ${plain(does)}`,
      ...through.map((one) => `     by ${way(one)}`),
    ]),
    ...ends.map((one) => `     which has this power by ${way(one)}`),
    '',
  ]);
  const best = cut ? [`Removing ${named(cut.binding)} breaks ${cut.breaks} of the paths.`] : [];
  return lines([...shown, ...best, ...more]);
}
