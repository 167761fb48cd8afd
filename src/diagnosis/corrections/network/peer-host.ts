import type { Change } from '../../../contract/failure.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { selectsPods } from '../../facts/service.ts';
import type { Correction } from '../correction.ts';
import { placedTexts } from '../container-texts.ts';
import { replaceHost } from './host-text.ts';

/** A host that names a member of the failing pod's own StatefulSet: `POD.SERVICE…`. */
interface Peer {
  /** The name of the Service in the host. */
  service: string;
  /** The Service in which the pods of the StatefulSet have their names. */
  governing: string;
  /** Whether each exists. */
  isThere: { service: boolean; governing: boolean };
}

/** The member that a host names; undefined if it names none, or if the Services are unknown. */
function peerIn(input: RuleInput, host: string): Peer | undefined {
  const { owner, workload, surroundings } = input.subject;
  const set = owner?.kind === 'StatefulSet' ? owner.metadata.name : workload?.kind === 'StatefulSet' ? workload.name : undefined;
  const [pod = '', service] = host.split('.');
  if (!set || !service || !surroundings?.services || !pod.startsWith(`${set}-`) || !/^\d{1,4}$/.test(pod.slice(set.length + 1)))
    return undefined;
  const { serviceName } = ((owner as { spec?: object } | undefined)?.spec ?? {}) as { serviceName?: string };
  const governing = serviceName ?? input.place(null)?.spec.subdomain;
  if (typeof governing !== 'string' || governing === '') return undefined;
  const names = surroundings.services.map(({ name }) => name);
  return { service, governing, isThere: { service: names.includes(service), governing: names.includes(governing) } };
}

/** Why the name of a member has no address, if that is known. */
export function peerAdvice(input: RuleInput, host: string): string | undefined {
  const peer = peerIn(input, host);
  if (!peer) return undefined;
  if (!peer.isThere.governing) {
    const inName =
      peer.service === peer.governing
        ? ''
        : `, and write ${code(peer.governing)} for ${code(peer.service)} in the name; or create the StatefulSet again with \`serviceName: ${peer.service}\``;
    return `There is no Service ${code(peer.governing)}, which the StatefulSet names in \`serviceName\`: only there its pods get names. Create it as a headless Service (\`clusterIP: None\`) that selects them${inName}.`;
  }
  return peer.service === peer.governing
    ? 'The names of pods are known only while they are ready, unless their headless Service has `publishNotReadyAddresses: true`.'
    : `The pods of the StatefulSet have their names in the Service ${code(peer.governing)} (\`serviceName\`).`;
}

/** Corrections for the host of a member below a wrong Service. Undefined if the host is no such one. */
export function peerCorrections(input: RuleInput, host: string): Correction[] | undefined {
  const peer = peerIn(input, host);
  if (!peer || (peer.service === peer.governing && peer.isThere.governing)) return undefined;
  if (!peer.isThere.governing) return [];
  const why = `the pods of the StatefulSet have their names in Service ${code(peer.governing)}`;
  const below = belowPods(input, peer, why);
  const changes = below.length > 0 ? below : replaceHost(input, { from: peer.service, to: peer.governing, why });
  if (changes.length === 0) return [];
  return [
    {
      title: `Use Service ${code(peer.governing)}`,
      changes,
      confidence: 'likely',
      explanation: `${code(peer.service)} is not the \`serviceName\` of the StatefulSet.`,
      mirrorable: false,
    },
  ];
}

/** Replaces the Service behind the name of a pod, which may be a template: `minio-{0...3}.SERVICE`, `$(POD_NAME).SERVICE`. */
function belowPods(input: RuleInput, { service, governing }: Peer, why: string): Change[] {
  const place = input.place();
  if (!place) return [];
  const pattern = new RegExp(String.raw`(?<=[\w})\]]\.)${service.replaceAll(/[^\w-]/g, '')}(?![\w-])`, 'g');
  return placedTexts(place).flatMap(({ path, text }) => {
    const to = text.replaceAll(pattern, governing);
    return to === text ? [] : [change(place, path, to, why)];
  });
}

/** Settings that hold the name under which the copies of a program find each other. */
const OF_PEERS = /peer|cluster|discover|seed|join|headless|jgroups|gossip|member|hazelcast|infinispan|erlang|libcluster/i;

/** The only Service that selects the pod, for copies of a program that look for each other under a name that is no Service. */
export function ownService(input: RuleInput, service: string): Correction[] {
  const { labels, surroundings } = input.subject;
  const [only, ...more] = (surroundings?.services ?? []).filter((one) => selectsPods(one, labels));
  if (!only || more.length > 0) return [];
  const changes = replaceHost(input, { from: service, to: only.name, why: `Service ${code(only.name)} selects the pod` });
  const { container, path } = input.place() ?? {};
  const isOfPeers = changes.every((one) => {
    const index = /^\.(?:env|args|command)\[(\d{1,4})\]/.exec(one.path.slice(path?.length ?? 0))?.[1];
    const name = one.path.includes('.env[') ? container?.env?.[Number(index)]?.name : String(one.from);
    return OF_PEERS.test(name ?? '');
  });
  if (changes.length === 0 || !isOfPeers) return [];
  return [
    {
      title: `Use Service ${code(only.name)}`,
      changes,
      confidence: 'guess',
      explanation: `It is the only Service that selects the pod, and none is named ${code(service)}.`,
      mirrorable: false,
    },
  ];
}
