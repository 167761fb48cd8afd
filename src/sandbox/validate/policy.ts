import type { FieldError } from '../api/errors.ts';
import { invalidValue, notSupported, required } from '../api/errors.ts';
import type { Loose } from '../store/object.ts';
import { portRefErrors } from './container.ts';

const CIDR = /^(\d{1,3}\.){3}\d{1,3}\/\d{1,2}$|^[0-9a-f:]+\/\d{1,3}$/i;

function* peerErrors(peer: Loose, path: string): Generator<FieldError> {
  if (!peer.podSelector && !peer.namespaceSelector && !peer.ipBlock) yield required(path, 'must specify a peer');
  if (peer.ipBlock && !CIDR.test(peer.ipBlock.cidr ?? ''))
    yield invalidValue(`${path}.ipBlock.cidr`, peer.ipBlock.cidr, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
}

/** What the real server refuses in a NetworkPolicy. */
export function* policyErrors({ spec }: Loose): Generator<FieldError> {
  for (const [part, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const)
    for (const [i, rule] of ((spec?.[part] ?? []) as Loose[]).entries()) {
      for (const [j, port] of ((rule.ports ?? []) as Loose[]).entries())
        if (port.port !== undefined) yield* portRefErrors(`spec.${part}[${i}].ports[${j}].port`, port.port);
      for (const [j, peer] of ((rule[peers] ?? []) as Loose[]).entries()) yield* peerErrors(peer, `spec.${part}[${i}].${peers}[${j}]`);
    }
  for (const [i, type] of ((spec?.policyTypes ?? []) as string[]).entries())
    if (!['Ingress', 'Egress'].includes(type)) yield notSupported(`spec.policyTypes[${i}]`, type, ['Ingress', 'Egress']);
}
