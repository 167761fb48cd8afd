import { selects } from '../../crd/selector.ts';
import { about, type Detector } from './detector.ts';
import { SERVERS, type Subject } from './view.ts';

/** Two workloads whose selectors match each other's pods. */
export const overlappingSelectors: Detector = {
  id: 'overlapping-selectors',
  title: 'Two workloads select each other’s pods',
  category: 'reliability',
  severity: 'high',
  requires: [...SERVERS],
  why: 'Controllers count, scale and spread pods by selector. If two selectors overlap, each workload’s pods are counted for the other, and tools that use a selector act on both.',
  run: ({ servers }) =>
    servers.flatMap((subject) => {
      const others = servers.filter((other) => other !== subject && owns(subject, other));
      const [first] = others;
      if (!first) return [];
      return about(subject, {
        summary: `The selector of ${subject.kind} ${subject.name} matches the pods of ${first.kind} ${first.name} too.`,
        evidence: { selector: subject.selector ?? null, others: others.map(({ kind, name, labels }) => ({ kind, name, labels })) },
        change: `Give each workload its own label, such as \`app.kubernetes.io/name: ${subject.name}\`, in its template and its selector. A selector cannot be changed, so you must create the workload again.`,
      });
    }),
};

function owns({ selector }: Subject, { labels }: Subject): boolean {
  return selector !== undefined && selects(selector, labels);
}
