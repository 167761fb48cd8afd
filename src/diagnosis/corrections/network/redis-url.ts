import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn } from '../given-values.ts';
import { renamed } from '../settings/rename.ts';

/**
 * For a program that looks for Redis on its own host, as clients do without an address: gives the only variable with an address of Redis the
 * name that the clients read (redis-rb and Sidekiq, "Using Redis").
 */
export function redisUrl(input: RuleInput, address: string): Correction[] {
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const [only, ...more] = given.filter(({ path, value }) => path.endsWith('.value') && /^rediss?:\/\//.test(value));
  if (!place || !/^(?:127\.0\.0\.1|localhost|\[::1\]):6379$/.test(address) || !only || more.length > 0 || only.name === 'REDIS_URL')
    return [];
  return [
    renamed(
      place,
      { from: only.name, to: 'REDIS_URL' },
      {
        why: 'clients of Redis read this name',
        explanation: `The program asks its own host, so ${code(only.name)} does not reach it.`,
        confidence: 'guess',
      },
    ),
  ];
}
