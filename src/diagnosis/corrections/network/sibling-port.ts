import type { Container } from '../../../crd/kubernetes.ts';
import type { RuleInput } from '../../facts/input.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** Messages of a server that listens on loopback or on all addresses, with the port. */
const LISTENS =
  /\b(?:listen|serv|start|bound|ready|accept)\w{0,4}\b.{0,80}?(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\]|\*)?:(\d{2,5})\b/i;

/**
 * For a server on loopback that does not answer: the port of the one other container of the pod that listens on one, by its log, its options or the port
 * that it declares.
 */
export function siblingPort(input: RuleInput, address: string): Correction[] {
  const [, port] = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\]):(\d{2,5})$/.exec(address) ?? [];
  const place = input.place();
  if (!place || port === undefined) return [];
  const others = [...place.spec.containers, ...(place.spec.initContainers ?? [])].filter(({ name }) => name !== place.container?.name);
  const heard = others.map((other) => ({ name: other.name, ...portsOf(input, other) }));
  const speaking = heard.flatMap(({ name, said }) => (said === undefined ? [] : [{ name, said }]));
  const declaring = heard.flatMap(({ name, declared }) => (declared === undefined ? [] : [{ name, said: declared }]));
  const [only, ...more] = speaking.length > 0 ? speaking : declaring;
  if (!only || more.length > 0 || only.said === port) return [];
  const given = givenIn(place).filter(({ value }) => value === port || value.endsWith(`:${port}`) || value.includes(`:${port}/`));
  const [setting, ...rest] = given;
  if (!setting || rest.length > 0) return [];
  const to = setting.value.replace(new RegExp(`${port}(?=/|$)`), only.said);
  return [
    {
      title: `Use port ${code(only.said)}`,
      changes: [rewritten(place, setting, to, `container ${code(only.name)} listens on port ${only.said}`)],
      confidence: 'likely',
      explanation: `The containers of a pod share the loopback address, and none of them listens on port ${code(port)}.`,
      mirrorable: true,
    },
  ];
}

/** The port on which a container says that it listens, in its log or with its only option of that name, and the only one that it declares. */
function portsOf({ subject }: RuleInput, { name, args = [], command = [], ports = [] }: Container): { said?: string; declared?: string } {
  const log = logSections({ ...subject, container: name })[0]?.text ?? '';
  const [option, ...options] = [...command, ...args].flatMap((word) => /^--?(?:port|listen-port|p)=(\d{2,5})$/.exec(word)?.[1] ?? []);
  const [declared, ...others] = ports.map(({ containerPort }) => String(containerPort));
  const said = LISTENS.exec(log.slice(0, 8000))?.[1] ?? (options.length === 0 ? option : undefined);
  return { ...(said === undefined ? {} : { said }), ...(declared === undefined || others.length > 0 ? {} : { declared }) };
}
