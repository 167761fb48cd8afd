import type { EnvVar } from '../../../crd/kubernetes.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { logSections } from '../../facts/log-sections.ts';
import type { Quote } from '../../facts/message.ts';
import type { ProbeFact } from '../../facts/probe-failure.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { portNumber } from './failing-probe.ts';

/** A probe that the program refuses for the host in its request. */
export interface RefusedHost {
  /** Completes "its log says that …". */
  because: string;
  /** The setting with the hosts that the program serves. */
  culprit: string;
  advice: string;
  evidence: Quote;
  corrections: Correction[];
}

/** Statuses with which servers refuse a host. */
const STATUSES = new Set([400, 403, 421]);
/** What frameworks write: Django, Rails, ASP.NET, Nextcloud, development servers. A database that refuses a client says `to connect`. */
const REFUSED =
  /Invalid HTTP_HOST header: ['"]([^'"\s]{1,260})['"]|Blocked hosts?: ([\w.:[\]-]{1,260})|Blocked request\. This host \(["']?([\w.:[\]-]{1,260})|[Tt]he host ['"]([\w.:[\]-]{1,260})['"] does not match an allowed host|Trusted domain error\. ["']([\w.:[\]-]{1,260})["']|\bInvalid [Hh]ost header:? ["'(]{0,2}([\w.:[\]-]{1,260})|[Hh]ost ["'`]?([\w.:[\]-]{1,260})["'`]? (?:is )?not (?:an )?allowed(?! to)/g;
/** How much of a log is read, from its end: a program writes such a line at each probe. */
const MAX_LOG = 32 * 1024;

/**
 * The host that the log says is refused, when it is the one for which the probe asks: kubelet writes the pod's address there. Another host
 * is one of somebody else's requests.
 */
export function refusedHost(input: RuleInput, name: ProbeFact['probe'], fact: ProbeFact | undefined): RefusedHost | undefined {
  const container = input.place()?.container;
  const probe = container?.[`${name}Probe`]?.httpGet;
  if (!container || !probe || !STATUSES.has(fact?.status ?? 0)) return undefined;
  const own = probe.httpHeaders?.find((header) => header.name.toLowerCase() === 'host')?.value ?? probe.host;
  const found = lastRefused(input, (host) => (own === undefined ? isAddress(host) : withoutPort(host) === withoutPort(own)));
  if (!found) return undefined;
  const setting = container.env?.find((variable) => SETTING.test(variable.name));
  const allowed = setting ? allowedIn(setting) : [];
  const named = setting?.name ?? (/Blocked host/.test(found.evidence.text) ? 'config.hosts' : 'ALLOWED_HOSTS');
  const value = allowed.length > 0 ? `=${setting?.value}` : '';
  return {
    because: `the program does not serve the host ${code(found.host)}, for which the probe asks${shownIn(named, allowed)}`,
    culprit: `${named}${value}: ${found.host} is not allowed`,
    advice: `Let the probe ask for a host that ${code(named)} allows, with the header \`Host\`. Kubelet else asks for the address of the pod, which changes.`,
    evidence: found.evidence,
    corrections: asAllowed(input, name, { setting, allowed, refused: found.host }),
  };
}

function shownIn(named: string, allowed: string[]): string {
  const shown = allowed.slice(0, 3).map((host) => code(host));
  return shown.length > 0 ? `; ${code(named)} allows ${shown.join(', ')}` : '';
}

function lastRefused(input: RuleInput, isOwn: (host: string) => boolean): { host: string; evidence: Quote } | undefined {
  const { container } = input.subject;
  const section = logSections(input.subject).find((one) => one.container === null || container === null || one.container === container);
  const text = section?.text.slice(-MAX_LOG) ?? '';
  const found = [...text.matchAll(REFUSED)].findLast((match) => isOwn(match.slice(1).find(Boolean) ?? ''));
  if (!found) return undefined;
  const start = Math.max(text.lastIndexOf('\n', found.index) + 1, found.index - 200);
  const line = text.slice(start, found.index + 400).split('\n', 1)[0] ?? '';
  return {
    host: found.slice(1).find(Boolean) ?? '',
    evidence: { from: `log of ${section?.container ?? 'the pod'}${section?.run ?? ''}`, text: line.slice(0, 300).trim() },
  };
}

const SETTING = /(?:^|_)(?:ALLOWED_?HOSTS?|TRUSTED_?HOSTS?|TRUSTED_?DOMAINS|ALLOWED_?DOMAINS|HOSTS_ALLOWED)$/i;

/** The hosts in a list: in JSON or between commas, semicolons or spaces. Of `.example.com` the host itself is one, of `*.` none is known. */
function allowedIn({ value = '' }: EnvVar): string[] {
  return value
    .slice(0, 2000)
    .split(/[\s,;[\]"']+/)
    .map((host) => host.replace(/^\./, ''))
    .filter((host) => /^[A-Za-z0-9][\w.-]{0,252}(?::\d{2,5})?$/.test(host));
}

/** The header with an allowed host in all probes of the port. None when the list allows all hosts: then the program does not read it. */
function asAllowed(
  input: RuleInput,
  name: ProbeFact['probe'],
  { setting, allowed, refused }: { setting: EnvVar | undefined; allowed: string[]; refused: string },
): Correction[] {
  const place = input.place();
  const container = place?.container;
  if (!place || !container || setting?.value?.split(/[\s,;[\]"']+/).includes('*')) return [];
  const host = allowed.find((one) => withoutPort(one) !== withoutPort(refused)) ?? (allowed.length === 0 ? 'localhost' : undefined);
  if (host === undefined) return [];
  const why = allowed.length > 0 ? `${code(setting?.name ?? '')} allows this host` : 'most programs allow this host';
  const port = portNumber(container, container[`${name}Probe`]?.httpGet?.port);
  const changes = (['liveness', 'readiness', 'startup'] as const).flatMap((one) => {
    const probe = container[`${one}Probe`]?.httpGet;
    const headers = probe?.httpHeaders ?? [];
    const at = headers.findIndex((header) => header.name.toLowerCase() === 'host');
    if (!probe || (one !== name && (at >= 0 || portNumber(container, probe.port) !== port))) return [];
    const path = fieldPath(place.path, `${one}Probe`, 'httpGet', 'httpHeaders');
    if (at >= 0) return [change(place, fieldPath(path, at, 'value'), host, why)];
    const header = { name: 'Host', value: host };
    return [headers.length > 0 ? change(place, fieldPath(path, headers.length), header, why) : change(place, path, [header], why)];
  });
  return [
    {
      title: `Probe with the host ${code(host)}`,
      changes,
      confidence: allowed.length > 0 ? 'likely' : 'guess',
      explanation: `The program refuses requests for ${code(refused)}.`,
      mirrorable: true,
    },
  ];
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '').toLowerCase();
}

function isAddress(host: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$|^\[?[0-9a-f]{0,4}:[0-9a-f:]{2,40}\]?(?::\d{1,5})?$/i.test(host);
}
