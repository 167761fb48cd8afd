import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** Replaces a virtual host that RabbitMQ does not have with the default one, `/`, which an address writes as `%2F` (RabbitMQ, "RabbitMQ URI Specification"). */
export function defaultVhost(input: RuleInput, vhost: string): Correction[] {
  const place = input.place();
  const found = place
    ? givenIn(place).filter(({ value }) => /^amqps?:\/\//.test(value) && value.replace(/^[^/]*\/\/[^/]*\//, '').split('?')[0] === vhost)
    : [];
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return [];
  const [, before = '', query = ''] = /^([^/]*\/\/[^/]*\/)[^?]*(.*)$/.exec(only.value) ?? [];
  return [
    {
      title: 'Use the virtual host that every server has',
      changes: [rewritten(place, only, `${before}%2F${query}`, `the server has no ${code(vhost)}`)],
      confidence: 'guess',
      explanation: `Its queues are others. Where ${code(vhost)} is wanted, create it on the server.`,
      mirrorable: true,
    },
  ];
}
