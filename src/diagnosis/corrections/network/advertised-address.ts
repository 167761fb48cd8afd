import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import { selectsPods } from '../../facts/service.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn, rewritten } from '../given-values.ts';

/** A program refuses to advertise 0.0.0.0 to its clients. */
const REFUSED =
  /\badvertis\w{0,10}[\w. -]{0,40}\b(?:cannot|can't|must not|may not|can not)\b[^;]{0,60}(?:0\.0\.0\.0|meta-address|unspecified)/i;
/** An address in a list of them, with the name of its listener. */
const EVERYWHERE = /\b([A-Z][A-Z\d_]{0,30}:\/\/)0\.0\.0\.0:(\d{2,5})\b/g;
const POD_NAME = 'POD_NAME';
/** The name of the setting with the addresses on which the program listens. */
const LISTENERS = /(?<!ADVERTISED_)LISTENERS$/;

/**
 * Gives clients a name in place of 0.0.0.0, where a line refuses that: the only Service that selects the pod and has the port, or the pod's
 * own name. Brokers of a set with several replicas get an address each.
 */
export function advertisedAddress(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  if (!place?.container || !REFUSED.test(line)) return [];
  const given = givenIn(place);
  const said = given.find(({ name, value }) => /advertis/i.test(name) && value.includes('0.0.0.0'));
  if (hasReplicas(input)) return said ? ofEachPod(input, place, said) : [];
  if (given.some(({ name }) => /advertis/i.test(name)) && !said) return [];
  const from = said ?? given.find(({ name }) => LISTENERS.test(name));
  const made = from && withName(input, place, from.value);
  if (!from || !made) return [];
  const why = `clients reach the pod by ${made.shown}`;
  const name = from.name.replace(/LISTENERS$/, 'ADVERTISED_LISTENERS');
  const added = fieldPath(place.path, 'env', place.container.env?.length ?? 0);
  return [
    {
      title: `Advertise ${made.shown}`,
      changes: [said ? rewritten(place, said, made.text, why) : change(place, added, { name, value: clientsOnly(made.text) }, why)],
      confidence: 'likely',
      explanation: `Clients connect to the address in ${code(said ? from.name : name)}, and 0.0.0.0 is that of no host.`,
      mirrorable: true,
    },
  ];
}

/**
 * The name of each pod below the Service of its set (Kubernetes, "StatefulSets": Stable Network ID). The variable with the name of the pod comes
 * first, because references to later ones are not replaced (API reference, "EnvVar": value).
 */
function ofEachPod({ subject }: RuleInput, place: ContainerPlace, { name, value }: Given): Correction[] {
  const { serviceName } = (subject.owner as { spec?: { serviceName?: string } } | undefined)?.spec ?? {};
  const env = place.container?.env ?? [];
  const index = env.findIndex((one) => one.name === name);
  if (!serviceName || index === -1) return [];
  const known = env.slice(0, index).find(({ valueFrom }) => valueFrom?.fieldRef?.fieldPath === 'metadata.name')?.name;
  if (known === undefined && env.some((one) => one.name === POD_NAME)) return [];
  const host = `$(${known ?? POD_NAME}).${serviceName}`;
  const to = value.replaceAll(EVERYWHERE, (_, scheme: string, port: string) => `${scheme}${host}:${port}`);
  const why = 'clients reach each pod of the set by a name of its own';
  const ofPod = { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
  const changed =
    known === undefined
      ? change(place, fieldPath(place.path, 'env'), [...env.slice(0, index), ofPod, { name, value: to }, ...env.slice(index + 1)], why)
      : change(place, fieldPath(place.path, 'env', index, 'value'), to, why);
  return [
    {
      title: `Advertise the name of each pod, ${code(host)}`,
      changes: [changed],
      confidence: 'likely',
      explanation: `Clients connect to the address in ${code(name)}. Each pod needs its own, and 0.0.0.0 is that of no host.`,
      mirrorable: true,
    },
  ];
}

/** The addresses with the name of the pod's Service in them, or else with the pod's own name; undefined unless one Service has all these ports. */
function withName({ subject }: RuleInput, { spec }: ContainerPlace, value: string): { text: string; shown: string } | undefined {
  const { labels, surroundings } = subject;
  const ports = [...clientsOnly(value).matchAll(EVERYWHERE)].map(([, , port]) => Number(port));
  // A pod whose labels are not known may be behind any of them.
  const isUnknown = Object.keys(labels ?? {}).length === 0;
  const [only, ...more] = (surroundings?.services ?? []).filter(
    (one) => (isUnknown || selectsPods(one, labels)) && ports.every((port) => one.ports?.includes(port)),
  );
  // Kubernetes, "DNS for Services and Pods": a pod with a host name and a subdomain has a name of its own.
  const own = spec.hostname && spec.subdomain ? `${spec.hostname}.${spec.subdomain}` : undefined;
  const host = more.length === 0 ? (only?.name ?? own) : own;
  if (host === undefined || ports.length === 0) return undefined;
  return {
    text: value.replaceAll(EVERYWHERE, (_, scheme: string, port: string) => `${scheme}${host}:${port}`),
    shown: host === own ? code(host) : `Service ${code(host)}`,
  };
}

/** Brokers do not advertise the listener of their controllers. */
const clientsOnly = (value: string): string =>
  value
    .split(',')
    .filter((one) => !/^\s*CONTROLLER:/i.test(one))
    .join(',');

function hasReplicas({ subject }: RuleInput): boolean {
  const { owner } = subject;
  const replicas = ((owner as { spec?: { replicas?: number } } | undefined)?.spec ?? {}).replicas ?? 1;
  return owner?.kind === 'StatefulSet' && replicas > 1;
}
