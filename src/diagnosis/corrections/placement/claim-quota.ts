import { fieldPath } from '../../../crd/field-path.ts';
import { formatResource, parseQuantity } from '../../../crd/quantity.ts';
import { factOf, type RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { amountsOf } from '../admission/quota.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/**
 * Why a quota does not let the claim of an ephemeral volume be made, with a smaller claim as the correction. Undefined if no quota refused
 * it. Source: the event of the ephemeral volume controller, in which the API server's words stand.
 */
export function claimOverQuota(
  input: RuleInput,
  claim: string,
): { because: string; culprit: string; corrections: Correction[] } | undefined {
  const fact = factOf(input, 'quota');
  if (!fact?.evidence.text.includes(claim)) return undefined;
  const names = Object.keys(fact.requested);
  const numbers = names.map((name) => amountsOf(fact, name, 'it'));
  return {
    because: `quota ${code(fact.quota)} has no room for it (${numbers.join('; ')})`,
    culprit: `quota ${fact.quota}: ${names.join(', ')}`,
    corrections: smallerClaim(input, claim, roomIn(fact.limited, fact.used, names)),
  };
}

/** The bytes of storage that the quota has left. Undefined if something else than storage is short, or nothing is left. */
function roomIn(limited: Record<string, string>, used: Record<string, string>, names: string[]): number | undefined {
  const isStorage = names.every((name) => name.endsWith('requests.storage'));
  const left = names.map((name) => (parseQuantity(limited[name]) ?? 0) - (parseQuantity(used[name]) ?? 0));
  const room = Math.min(...left);
  return isStorage && room > 0 ? room : undefined;
}

function smallerClaim(input: RuleInput, claim: string, room: number | undefined): Correction[] {
  const place = input.place(null);
  const index = place?.spec.volumes?.findIndex(({ name, ephemeral }) => ephemeral && claim.endsWith(`-${name}`)) ?? -1;
  if (!place || index < 0 || room === undefined) return [];
  const to = formatResource('memory', room);
  const path = fieldPath(
    place.specPath,
    ...['volumes', index, 'ephemeral', 'volumeClaimTemplate', 'spec', 'resources', 'requests', 'storage'],
  );
  return [
    {
      title: `Ask for ${code(to)}`,
      changes: [change(place, path, to, 'the quota has as much left')],
      confidence: 'guess',
      explanation: 'Whether it is enough for the program is not known.',
      mirrorable: false,
    },
  ];
}
