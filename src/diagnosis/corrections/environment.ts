import type { Change } from '../../contract/failure.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { missingIn, referencesIn } from '../facts/references.ts';
import { otherReferences } from './references.ts';
import { nearest, nearestName } from './nearest.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import { change, type RuleInput } from '../rules/rule.ts';
import { appended } from './writable-folder.ts';

/** For a variable that the program needs: one with a similar name to rename, or a ConfigMap with a key for it. */
export function missingVariable(input: RuleInput, name: string): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const { env } = place.container;
  const typos = nearest(
    name,
    (env ?? []).map((variable) => variable.name),
  ).slice(0, 1);
  const renamed = typos.map((typo): Correction => {
    const index = env?.findIndex((variable) => variable.name === typo) ?? 0;
    return {
      title: `Rename ${code(typo)} to ${code(name)}`,
      changes: [change(place, fieldPath(place.path, 'env', index, 'name'), name, `the program reads ${code(name)}`)],
      confidence: 'likely',
      explanation: 'The container sets a variable with a similar name.',
      mirrorable: true,
    };
  });
  const quiet = optionalReferences(input, name);
  if (quiet.length > 0) return quiet;
  if (env?.some((variable) => variable.name === name)) return renamed;
  const wanted = [name, name.toLowerCase(), name.toLowerCase().replaceAll('_', '-'), name.toLowerCase().replaceAll('_', '.')];
  const sources = (input.subject.surroundings?.configMaps ?? []).flatMap((map) =>
    map.keys.filter((key) => wanted.includes(key)).map((key) => ({ name: map.name, key })),
  );
  const added = sources.slice(0, 2).map((source): Correction => ({
    title: `Take ${code(name)} from ConfigMap ${code(source.name)}`,
    changes: [
      appended(
        place,
        fieldPath(place.path, 'env'),
        env,
        { name, valueFrom: { configMapKeyRef: source } },
        'the ConfigMap has a key of that name',
      ),
    ],
    confidence: 'likely',
    explanation: `Nothing sets ${code(name)} for this container.`,
    mirrorable: true,
  }));
  return [...renamed, ...added];
}

/** An optional reference that leads nowhere leaves the variable out without a word. */
function optionalReferences(input: RuleInput, name: string): Correction[] {
  const place = input.place();
  const { surroundings } = input.subject;
  if (!place || !surroundings) return [];
  const env = place.container?.env ?? [];
  const index = env.findIndex((variable) => variable.name === name && variable.valueFrom);
  const references = referencesIn(place.spec, place.specPath).filter(({ optional, namePath }) => {
    if (!optional) return false;
    return namePath.startsWith(fieldPath(place.path, 'env', Math.max(0, index)))
      ? index >= 0
      : namePath.startsWith(`${place.path}.envFrom[`);
  });
  const missing = missingIn(
    references.map((one) => ({ ...one, optional: false })),
    surroundings,
  );
  return missing.flatMap((one) => otherReferences(input, one).filter(({ confidence }) => confidence !== 'guess')).slice(0, 2);
}

/** For the name of a Service that exists, in a pod that does not ask the cluster's DNS: the node's resolver knows no Services. */
export function clusterDns(input: RuleInput, host: string): Correction[] {
  const place = input.place();
  const services = input.subject.surroundings?.services ?? [];
  const { hostNetwork, dnsPolicy = 'ClusterFirst' } = place?.spec ?? {};
  const to = hostNetwork ? 'ClusterFirstWithHostNet' : 'ClusterFirst';
  const isAsked = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork);
  if (!place || isAsked || !services.some(({ name }) => name === host.split('.', 1)[0])) return [];
  return [
    {
      title: "Ask the cluster's DNS",
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'dnsPolicy'),
          to,
          hostNetwork
            ? 'on the network of the node `ClusterFirst` means the DNS of the node'
            : `${code(dnsPolicy)} asks the DNS of the node`,
        ),
      ],
      confidence: 'likely',
      explanation: `There is a Service of this name, which only the cluster's DNS knows.`,
      mirrorable: false,
    },
  ];
}

/** For a host that cannot be reached or resolved: the Service that was probably meant, in every variable and argument that names the host. */
export function otherHost(input: RuleInput, host: string): Correction[] {
  const labels = host.split('.');
  if (/^\d+$/.test(labels.at(-1) ?? '')) return [];
  const names = (input.subject.surroundings?.services ?? []).map(({ name }) => name);
  // The pod of a StatefulSet stands before its Service: `db-0.db`.
  const isOfPod = labels.length > 1 && /-\d{1,4}$/.test(labels[0] ?? '') && !names.includes(labels[0] ?? '');
  const service = (isOfPod ? labels[1] : labels[0]) ?? '';
  if (!service) return [];
  if (names.includes(service)) return withoutDomain(input, host, labels.slice(0, isOfPod ? 2 : 1).join('.'));
  return nearestName(service, names)
    .slice(0, 2)
    .flatMap((guess) => {
      const changes = replaceText(input, service, guess, `there is a Service ${code(guess)} and none named ${code(service)}`);
      if (changes.length === 0) return [];
      return [
        {
          title: `Use Service ${code(guess)}`,
          changes,
          confidence: 'likely' as const,
          explanation: `${code(host)} looks like a typo of ${code(guess)}.`,
          mirrorable: true,
        },
      ];
    });
}

/** A Service of this namespace, called in another one. */
function withoutDomain(input: RuleInput, host: string, name: string): Correction[] {
  const namespace = host.slice(name.length + 1).split('.', 1)[0];
  if (!namespace || namespace === input.subject.namespace) return [];
  const why = `Service ${code(name)} is in this namespace`;
  const changes = replaceText(input, host, name, why);
  return changes.length === 0
    ? []
    : [
        {
          title: `Use ${code(name)}`,
          changes,
          confidence: 'likely',
          explanation: `${why}, and not in ${code(namespace)}.`,
          mirrorable: true,
        },
      ];
}

/** For a Service with one port that the program calls at another port: its own port, wherever the wrong one stands. */
export function otherServicePort(input: RuleInput, host: string, port: string | undefined): Correction[] {
  const service = input.subject.surroundings?.services?.find(({ name }) => name === host.split('.', 1)[0]);
  const [only, ...more] = service?.ports ?? [];
  if (!service) return otherHost(input, host);
  if (only === undefined || more.length > 0 || port === undefined || String(only) === port) return [];
  const why = `Service ${code(service.name)} has port ${code(only)} only`;
  const together = [':', ' '].flatMap((between) => replaceText(input, `${host}${between}${port}`, `${host}${between}${only}`, why));
  const changes = together.length > 0 ? together : ownVariable(input, { host, port, to: String(only), why });
  return changes.length === 0
    ? []
    : [{ title: `Use port ${code(only)}`, changes, confidence: 'likely', explanation: `${why}.`, mirrorable: true }];
}

/** The change of a variable that holds only the port. Of several, the one that belongs to the variable with the host. */
function ownVariable(input: RuleInput, { host, port, to, why }: { host: string; port: string; to: string; why: string }): Change[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const prefix = env.find(({ value }) => value === host)?.name.replace(/_?[^_]*$/, '');
  const ports = env.flatMap(({ name, value }, index) => (value === port && /port/i.test(name) ? [{ name, index }] : []));
  const own = ports.length > 1 && prefix ? ports.filter(({ name }) => name.startsWith(prefix)) : ports;
  return place && own.length === 1 ? own.map(({ index }) => change(place, fieldPath(place.path, 'env', index, 'value'), to, why)) : [];
}

/** The Service that the container's texts name when the log only has its address: the only one, with the port that is called. */
export function namedService(input: RuleInput): { host: string; port: string | undefined } | undefined {
  const { services = [] } = input.subject.surroundings ?? {};
  const { command, args, env } = input.place()?.container ?? {};
  const texts = [...(command ?? []), ...(args ?? []), ...(env ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))];
  const text = texts.join('\n').slice(0, 4000);
  const named = services.filter(({ name }) => new RegExp(`(?<![\\w.-])${name.replaceAll(/[^\w-]/g, '')}(?![\\w-])`).test(text));
  const [only, ...others] = named;
  if (!only || others.length > 0) return undefined;
  const port = [...text.matchAll(WITH_PORT)].find(([, host = '']) => host.split('.', 1)[0] === only.name)?.[2];
  return { host: only.name, port };
}

/** A line of `hostAliases` that leads the name of a Service elsewhere. */
export function withoutAlias(input: RuleInput, address: string): { host: string; corrections: Correction[] } | undefined {
  const place = input.place(null);
  const aliases = (place?.spec.hostAliases ?? []) as { ip?: string; hostnames?: string[] }[];
  const services = new Set((input.subject.surroundings?.services ?? []).map(({ name }) => name));
  const index = aliases.findIndex(({ ip, hostnames }) => ip === address.split(':', 1)[0] && hostnames?.some((name) => services.has(name)));
  const host = aliases[index]?.hostnames?.find((name) => services.has(name));
  if (!place || host === undefined) return undefined;
  const path = fieldPath(place.specPath, 'hostAliases');
  const at = aliases.length === 1 ? path : fieldPath(path, index);
  return {
    host,
    corrections: [
      {
        title: `Remove the host alias of ${code(host)}`,
        changes: [change(place, at, null, `there is a Service ${code(host)}, which the alias hides`)],
        confidence: 'likely',
        explanation: `\`hostAliases\` leads ${code(host)} to ${code(aliases[index]?.ip ?? '')}.`,
        mirrorable: true,
      },
    ],
  };
}

/** Corrections for the Services that a waiting command names: a name with a slip, a port that the Service does not have. */
export function waitedServices(input: RuleInput): Correction[] {
  const { command, args, env } = input.place()?.container ?? {};
  const texts = [...(command ?? []), ...(args ?? []), ...(env ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []))];
  const text = texts.join('\n').slice(0, 4000);
  const asked = [
    ...[...text.matchAll(WITH_PORT)].map(([, host = '', port]) => ({ host, port })),
    ...[...text.matchAll(LOOKED_UP)].map(([, host = '']) => ({ host, port: undefined })),
  ];
  const seen = new Set<string>();
  return asked.flatMap(({ host, port }) => {
    if (seen.has(host) || seen.size > 8) return [];
    seen.add(host);
    return otherServicePort(input, host, port);
  });
}

const WITH_PORT = /(?<![\w.$/-])([a-z][a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,63}){0,4})[ :](\d{2,5})\b/g;
const LOOKED_UP =
  /\b(?:nslookup|dig|getent hosts|host|pg_isready -h|redis-cli -h|ping(?: -c ?\d{1,3})?) ([a-z][a-z0-9-]{1,62}(?:\.[a-z0-9-]{1,63}){0,4})/g;

/** Changes that replace a whole word in the container's variables, command and arguments. */
export function replaceText(input: RuleInput, from: string, to: string, why: string) {
  const place = input.place();
  const { env, command, args } = place?.container ?? {};
  if (!place) return [];
  const swap = (text: string) => replaceWord(text, from, to);
  const texts: { path: string; text: string }[] = [
    ...(env ?? []).flatMap(({ value }, index) =>
      typeof value === 'string' ? [{ path: fieldPath(place.path, 'env', index, 'value'), text: value }] : [],
    ),
    ...(command ?? []).map((text, index) => ({ path: fieldPath(place.path, 'command', index), text })),
    ...(args ?? []).map((text, index) => ({ path: fieldPath(place.path, 'args', index), text })),
  ];
  return texts.flatMap(({ path, text }) => (swap(text) === text ? [] : [change(place, path, swap(text), why)]));
}

/** Replaces whole words only: no letter, digit, `_`, `-` or `.` stands before one, and no letter, digit, `_` or `-` after it. */
function replaceWord(text: string, from: string, to: string): string {
  let result = '';
  let start = 0;
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) {
    if (/[\w.-]/.test(text[at - 1] ?? '') || /[\w-]/.test(text[at + from.length] ?? '')) continue;
    result += text.slice(start, at) + to;
    start = at + from.length;
  }
  return result + text.slice(start);
}
