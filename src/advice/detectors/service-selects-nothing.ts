import type { Detector } from './detector.ts';
import type { Service } from './objects.ts';
import { leadsTo, type Subject, SERVERS } from './view.ts';

/** Services whose selector matches no pod and no workload. */
export const serviceSelectsNothing: Detector = {
  id: 'service-selects-nothing',
  title: 'A Service selects no pod',
  category: 'networking',
  severity: 'high',
  requires: ['Service', 'Pod', ...SERVERS],
  why: 'The Service’s address resolves, but nothing answers: callers see refused connections or time-outs, although every pod looks healthy.',
  run: ({ services, pods, workloads }) =>
    services.flatMap((service) => {
      const { selector } = service.spec ?? {};
      const { name = '' } = service.metadata;
      // Something else maintains the endpoints of a Service without a selector.
      if (!selector || Object.keys(selector).length === 0 || service.spec?.type === 'ExternalName') return [];
      if (workloads.some(({ labels }) => leadsTo(service, labels)) || pods.some(({ metadata }) => leadsTo(service, metadata.labels ?? {})))
        return [];
      const nearest = nearestOf(service, workloads);
      return [
        {
          kind: 'Service',
          name,
          summary: `The selector of Service ${name} matches none of the ${pods.length} pods in the namespace${nearest ? `; ${nearest.subject.kind} ${nearest.subject.name} differs in ${nearest.differs.join(', ')}` : ''}.`,
          evidence: {
            selector,
            pods: pods.length,
            nearest: nearest ? { kind: nearest.subject.kind, name: nearest.subject.name, labels: nearest.subject.labels } : null,
          },
          change: nearest
            ? `Make \`spec.selector\` equal to the labels of the pods of ${nearest.subject.kind} \`${nearest.subject.name}\`: ${nearest.differs.map((key) => `\`${key}: ${nearest.subject.labels[key] ?? '(not there: leave it out)'}\``).join(', ')}.`
            : 'Correct `spec.selector` to labels that the pods have, or delete the Service.',
        },
      ];
    }),
};

/** The workload that matches most of the selector, and the keys that differ. */
function nearestOf({ spec }: Service, workloads: Subject[]): { subject: Subject; differs: string[] } | undefined {
  const wanted = Object.entries(spec?.selector ?? {});
  const ranked = workloads.map((subject) => ({
    subject,
    differs: wanted.filter(([key, value]) => subject.labels[key] !== value).map(([key]) => key),
  }));
  const [best] = ranked.toSorted((one, other) => one.differs.length - other.differs.length);
  return best && best.differs.length < wanted.length ? best : likeNamed(ranked, wanted);
}

/** The only workload with another value of that label. The selector may be misspelled. */
function likeNamed(ranked: { subject: Subject; differs: string[] }[], wanted: [string, string][]) {
  const same = ranked.filter(({ subject: { labels } }) => wanted.every(([key]) => labels[key] !== undefined));
  return same.length === 1 ? same[0] : undefined;
}
