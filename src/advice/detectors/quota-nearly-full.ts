import { parseQuantity } from '../../crd/quantity.ts';
import { type Detector, named } from './detector.ts';

const NEARLY = 0.9;

/** Quotas without room for a rollout. */
export const quotaNearlyFull: Detector = {
  id: 'quota-nearly-full',
  title: 'A ResourceQuota is nearly full',
  category: 'resources',
  severity: 'medium',
  requires: ['ResourceQuota'],
  why: 'A rollout starts new pods before it ends the old ones. With a full quota it stops half way, and so does any scaling.',
  run: ({ quotas }) =>
    quotas.flatMap(({ metadata: { name = '' }, status }) => {
      const full = Object.entries(status?.hard ?? {}).flatMap(([resource, hard]) => {
        const used = status?.used?.[resource] ?? '0';
        const [most, now] = [parseQuantity(hard), parseQuantity(used)];
        if (!most || now === undefined || now / most < NEARLY) return [];
        return [{ resource, used, hard, percent: Math.floor((100 * now) / most) }];
      });
      const [fullest] = full.toSorted((one, other) => other.percent - one.percent);
      if (!fullest) return [];
      return [
        {
          kind: 'ResourceQuota',
          name,
          summary: `ResourceQuota ${name} is ${fullest.percent} % full: ${named(full.map(({ resource, used, hard }) => `${resource} ${used} of ${hard}`))}.`,
          evidence: { resources: full },
          change: `Raise \`spec.hard\` for ${named(full.map(({ resource }) => `\`${resource}\``))}, or lower requests that are above what is used.`,
        },
      ];
    }),
};
