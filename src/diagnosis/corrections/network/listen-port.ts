import type { Container } from '../../../crd/kubernetes.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Meaning } from '../meaning.ts';
import { type Given, givenIn, rewritten } from '../given-values.ts';

/** Messages of several languages about an address without a port. */
const LACKS_PORT =
  /AddrParseError\(Socket(?:V[46])?\)|invalid socket address|missing port in address|(?:must be|should be|expected|wants?|want|requires?|format|in the form)(?: of)?:? (?:in the form )?['"`<]{0,2}(?:host|addr(?:ess)?|ip)>?:<?port|\baddress\b.{0,60}(?:missing|lacks?|without|has no|needs) (?:an? |its )?port\b|Endpoint string must be of the form/i;
/** Words of programs that call the address instead of listening on it. */
const CALLS = /\b(?:dial|connect(?:ing|ion)?|lookup|upstream|proxy|get|post)\b/i;
/** The address for all interfaces. Only a server uses it. */
const EVERYWHERE = /^(?:0\.0\.0\.0|\[?::\]?):?$/;

/** Usual names of variables that hold an address with its port. */
const ADDRESS = /ADDR|LISTEN|BIND|ENDPOINT/i;
/** Addresses that a program has beside the one on which it serves. */
const BESIDE_MAIN = /METRIC|ADMIN|HEALTH|DEBUG|PPROF|PROM|MANAGEMENT/i;

/** What it means that a program cannot listen because its address has no port. undefined when the line or the variables say otherwise. */
export function addressWithoutPort(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  if (!LACKS_PORT.test(line) || CALLS.test(line)) return undefined;
  const found = givenIn(place).filter((one) => EVERYWHERE.test(one.value.trim()) && !hasPortBeside(one, place));
  const said = found.filter(({ name }) => isSaid(input, name));
  const [only, ...more] = said.length > 0 ? said : found;
  if (!only || more.length > 0) return undefined;
  const { name, value } = only;
  const port = portFor(place);
  const host = value.trim().replace(/(?<![:[]):$/, '');
  const to = `${host.startsWith(':') ? `[${host}]` : host}:${port}`;
  return {
    because: `${code(name)} is ${code(value)}, an address without the port on which it should listen`,
    culprit: `${name}=${value}`,
    advice: [`Write the port behind the address in ${code(name)}.`],
    corrections:
      port === undefined
        ? []
        : [
            {
              title: `Set ${code(name)} to ${code(to)}`,
              changes: [rewritten(place, only, to, `the container declares port ${code(port)}`)],
              confidence: said.length > 0 || (ADDRESS.test(name) && !BESIDE_MAIN.test(name)) ? 'likely' : 'guess',
              explanation: 'The program wants the address together with its port.',
              mirrorable: true,
            },
          ],
    whereToLook: `${code(name)}, and the port on which the probes and the Service call the program`,
  };
}

/** Messages about an address such as `:8080`, which Go takes but others do not. */
const LACKS_HOST =
  /AddrParseError\(Socket(?:V[46])?\)|invalid socket address|(?:missing|no|empty|without an?) host(?:name)?\b|host(?:name)? (?:is )?(?:missing|empty|required)|invalid (?:bind|listen) address|(?:must be|should be|expected|wants?|format|in the form)(?: of)?:? (?:in the form )?['"`<]{0,2}(?:host|addr(?:ess)?|ip)>?:<?port/i;

/** What it means that a program cannot listen on `:8080`, because it wants a host before the port. undefined when nothing says so. */
export function addressWithoutHost(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  const found = givenIn(place).filter(({ value }) => /^:\d{2,5}$/.test(value.trim()));
  const only = onlySaid(input, found);
  if (!only || CALLS.test(line)) return undefined;
  if (!LACKS_HOST.test(line) && !(line.includes(only.name) && isCauseSaid(input))) return undefined;
  const { name, value } = only;
  const to = `0.0.0.0${value.trim()}`;
  return wholeAddress(place, only, {
    to,
    because: `${code(name)} is ${code(value)}, an address without the host on which it should listen`,
    advice: `Write the whole address into ${code(name)}; \`0.0.0.0\` stands for all addresses of the pod.`,
    why: 'the program wants a host before the port',
    explanation: 'Only some programs take a port alone for an address.',
  });
}

/** Messages about an address with a name in place of the IP. Rust reads only numbers. */
const WANTS_IP = /AddrParseError|invalid (?:socket|IP) address|must be an? (?:socket|IP) address/i;

/** What it means that a program cannot listen on `localhost:8080`, because it wants an IP before the port. undefined when nothing says so. */
export function addressWithName(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  if (!WANTS_IP.test(line)) return undefined;
  const found = givenIn(place).filter(({ name, value }) => /^[a-z][\w.-]{0,100}:\d{2,5}$/i.test(value.trim()) && ADDRESS.test(name));
  const only = onlySaid(input, found);
  if (!only) return undefined;
  const { name, value } = only;
  const to = value.trim().replace(/^.*(?=:\d+$)/, '0.0.0.0');
  return wholeAddress(place, only, {
    to,
    because: `${code(name)} is ${code(value)}, a name where the program wants the IP on which it should listen`,
    advice: `Write an IP into ${code(name)}; \`0.0.0.0\` stands for all addresses of the pod.`,
    why: 'the program wants an IP before the port',
    explanation: 'The program reads the address as numbers and asks no DNS.',
  });
}

/** The only setting that the log names; if it names none, the only one that there is. */
function onlySaid(input: RuleInput, found: readonly Given[]): Given | undefined {
  const said = found.filter(({ name }) => isSaid(input, name));
  const [only, ...more] = said.length > 0 ? said : found;
  return more.length === 0 ? only : undefined;
}

/** What it means that a setting holds only a part of the address on which the program should listen. */
function wholeAddress(
  place: ContainerPlace,
  given: Given,
  { to, because, advice, why, explanation }: { to: string; because: string; advice: string; why: string; explanation: string },
): Meaning {
  const { name, value } = given;
  return {
    because,
    culprit: `${name}=${value}`,
    advice: [advice],
    corrections: [
      {
        title: `Set ${code(name)} to ${code(to)}`,
        changes: [rewritten(place, given, to, why)],
        confidence: 'likely',
        explanation,
        mirrorable: true,
      },
    ],
    whereToLook: code(name),
  };
}

/** Libraries of Rust and Go write the cause below the message. */
function isCauseSaid({ subject }: RuleInput): boolean {
  return logSections(subject).some(({ text }) => /Caused by:\s{1,20}(?:\d: )?invalid socket address/.test(text.slice(-20_000)));
}

/** Whether the program names the variable in its log. */
function isSaid({ subject }: RuleInput, name: string): boolean {
  const bare = name.replace(/^-+/, '');
  return logSections(subject).some(({ text }) => text.slice(0, 20_000).includes(bare));
}

/** A host whose port is a variable of its own, as `HOST` beside `PORT`. */
function hasPortBeside({ name }: Given, { container }: ContainerPlace): boolean {
  const beside = name.replace(/HOST(?:NAME)?$|(?<=_)IP$/, 'PORT');
  return beside !== name && container?.env?.some((one) => one.name === beside) === true;
}

/** The only port that the container declares and no other address of it has; else the port of its probes. */
export function portFor({ container }: ContainerPlace): number | undefined {
  const declared = (container?.ports ?? []).map(({ containerPort }) => containerPort);
  const used = (container?.env ?? []).flatMap(({ value }) => Number(/:(\d{2,5})$/.exec(value ?? '')?.[1] ?? 0));
  const probed = container ? probedPorts(container) : [];
  const all = [...new Set(declared.length > 0 ? declared : probed)].filter((port) => !used.includes(port));
  const [only, ...more] = all.length > 1 ? all.filter((port) => probed.includes(port)) : all;
  return more.length === 0 ? only : undefined;
}

function probedPorts({ readinessProbe, livenessProbe, startupProbe, ports }: Container): number[] {
  const asked = [readinessProbe, livenessProbe, startupProbe].flatMap((probe) => probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? []);
  return asked.flatMap((port) => (typeof port === 'number' ? port : (ports?.find(({ name }) => name === port)?.containerPort ?? [])));
}
