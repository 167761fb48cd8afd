import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { selectsPods } from '../../facts/service.ts';
import type { Correction } from '../correction.ts';
import { replaceHost } from './host-text.ts';

/** For a program that looks for its server on localhost, where nothing has the port: uses the only Service in the namespace that has it. */
export function serviceForOwnHost(input: RuleInput, address: string): Correction[] {
  const [, host = '', port = ''] = /^\[?(127\.0\.0\.1|localhost|::1)\]?:(\d{2,5})$/.exec(address) ?? [];
  const place = input.place();
  const others = place?.spec.containers.filter(({ name }) => name !== place.container?.name) ?? [];
  // A container that declares the port, or none at all, may be the server.
  if (
    host === '' ||
    others.some(({ ports = [] }) => ports.length === 0 || ports.some(({ containerPort }) => String(containerPort) === port))
  )
    return [];
  const [only, ...more] = (input.subject.surroundings?.services ?? []).filter(
    (one) => one.ports?.includes(Number(port)) && !selectsPods(one, input.subject.labels),
  );
  if (!only || more.length > 0) return [];
  const why = `Service ${code(only.name)} has port ${port}, and nothing in the pod has`;
  const changes = ['localhost', '127.0.0.1'].flatMap((from) => replaceHost(input, { from, to: only.name, why }));
  return changes.length === 0
    ? []
    : [
        {
          title: `Use Service ${code(only.name)}`,
          changes,
          confidence: 'likely',
          explanation: 'In a pod, `localhost` is the pod itself.',
          mirrorable: true,
        },
      ];
}
