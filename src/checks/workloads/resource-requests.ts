import type { Check } from '../check.ts';
import { mapping, owner, placesOf } from '../containers.ts';
import { resourceOf } from './resources.ts';

export const resourceRequests: Check = {
  id: 'resource-requests',
  title: 'No resource requests',
  severity: 'low',
  rationale: 'The scheduler counts what is requested: without it, pods crowd on one node, and this one is the first to be evicted.',
  remediation: 'Set `resources.requests.cpu` and `resources.requests.memory` to what the container needs in normal use.',
  references: ['https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/'],
  frameworks: { nsa: ['Resource policies'], mitre: ['T1499'] },
  run: ({ template }) =>
    placesOf(template)
      .filter(({ isFixed }) => !isFixed)
      .flatMap((place) => {
        const missing = ['cpu', 'memory'].filter(
          (name) => resourceOf(place, 'requests', name) === undefined && resourceOf(place, 'limits', name) === undefined,
        );
        if (missing.length === 0 || coversAll(template.spec.resources)) return [];
        return [
          { ...owner(place), path: `${place.path}.resources.requests`, problem: `requests no ${missing.join(' and no ')}`, cures: [] },
        ];
      }),
};

/** Since v1.34, a pod may set requests for all its containers together. */
function coversAll(resources: unknown): boolean {
  const { requests, limits } = mapping<{ requests: object; limits: object }>(resources);
  const named = { ...limits, ...requests };
  return 'cpu' in named && 'memory' in named;
}
