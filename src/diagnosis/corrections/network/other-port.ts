import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { Container } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import { commandWords, textsOf } from '../container-texts.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten, wordsIn } from '../given-values.ts';
import { mountedSettings } from '../files/mounted-files.ts';
import { withOption } from '../settings/set-option.ts';
import { portFor } from './listen-port.ts';

/** A port at the end of a value: `8080`, `:8080`, `http://+:80`, with more URLs behind it. */
const endsWith = (port: string) => new RegExp(`(^|:)${port}(?=$|[/;,])`, 'g');
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** For a user who may not open ports below 1024: replaces the low port with the one that the container declares or its probes use. */
export function declaredPort(input: RuleInput): Correction[] {
  const place = input.place();
  const to = place && portFor(place);
  if (!place || to === undefined || to < 1024) return [];
  const changes = givenIn(place).flatMap((given) => {
    const low = /(?:^|:)(\d{1,3}|10[01]\d|102[0-3])(?=$|[/;,])/.exec(given.value)?.[1];
    return low !== undefined && /PORT|LISTEN|BIND|ADDR|URL/i.test(given.name)
      ? [rewritten(place, given, given.value.replaceAll(endsWith(low), `$1${to}`), `the container declares port ${to}`)]
      : [];
  });
  if (changes.length !== 1) return [];
  return [
    {
      title: `Listen on port ${code(to)}`,
      changes,
      confidence: 'likely',
      explanation: `Every user may open ports from 1024 on, and the container declares port ${code(to)} or its probes ask it.`,
      mirrorable: true,
    },
  ];
}

/** The only port that a setting of this container and another container of the pod have in common, for a message without its number. */
export function sharedPort(input: RuleInput): string | undefined {
  const place = input.place();
  const others = place ? othersIn(place) : [];
  const own = place ? wordsIn(place).flatMap(({ value }) => /(?:^|:)(\d{2,5})$/.exec(value)?.[1] ?? []) : [];
  const [only, ...more] = [...new Set(own)].filter((port) => others.some((other) => hasPort(other, port)));
  return more.length === 0 ? only : undefined;
}

/** The only other container of the pod that has the port in its settings or among its ports. */
export function holderOf(input: RuleInput, port: string): string | undefined {
  const place = input.place();
  const [only, ...more] = place ? othersIn(place).filter((other) => hasPort(other, port)) : [];
  return more.length === 0 ? only?.name : undefined;
}

/** For two settings with the same port: gives the one in the line, or else the later one, the only declared port that no setting uses. */
export function secondPort(input: RuleInput, port: string, line: string): Correction[] {
  const place = input.place();
  if (!place?.container || port === '') return [];
  const given = givenIn(place);
  const both = given.filter(({ value }) => endsWith(port).test(value));
  const [free, ...more] = (place.container.ports ?? []).filter(
    ({ containerPort }) => String(containerPort) !== port && !given.some(({ value }) => endsWith(String(containerPort)).test(value)),
  );
  if (both.length !== 2 || !free || more.length > 0) return [];
  const words = (name: string): string[] =>
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word.length > 3 && !/^(?:addr|address|port|listen|bind|host|http|https|server)$/.test(word));
  const meant = both.find(({ name }) => words(name).some((word) => line.toLowerCase().includes(word))) ?? both[1];
  if (!meant) return [];
  const to = free.containerPort;
  return [
    {
      title: `Listen on port ${code(to)}`,
      changes: [
        rewritten(
          place,
          meant,
          meant.value.replaceAll(endsWith(port), `$1${to}`),
          `two settings have port ${port}, and the container declares port ${to} too`,
        ),
      ],
      confidence: 'likely',
      explanation: `${code(both.map(({ name }) => name).join(', '))} have the same port.`,
      mirrorable: true,
    },
  ];
}

/**
 * For a port that another container of the pod has: the only port that the container declares instead, or else the next one, in the only value with
 * which it listens, its ports and its probes.
 */
export function freePort(input: RuleInput, port: string): Correction[] {
  const place = input.place();
  const others = place ? othersIn(place) : [];
  if (!place?.container || port === '' || !others.some((other) => hasPort(other, port))) return [];
  const [only, ...more] = wordsIn(place).filter((one) => endsWith(port).test(one.value) && !isCalled(one));
  if (!only) return byOption(place, port);
  if (more.length > 0) return [];
  const taken = new Set([...others, place.container].flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort)));
  const said = declaredAlone(place, port);
  const called = said === undefined ? calledPort(input, place, taken) : undefined;
  const to = said ?? called ?? nextFree(Number(port) + 1, taken);
  const why = `another container of the pod has port ${port}${called === undefined ? '' : `, and calls port ${called} of the pod`}`;
  return [
    {
      title: `Listen on port ${code(to)}`,
      changes: [
        rewritten(
          place,
          only,
          only.value.replaceAll(endsWith(port), `$1${to}`),
          said === undefined ? why : `${why}, and this one declares port ${to}`,
        ),
        ...declared(place, place.container, { port: Number(port), to, why }),
      ],
      confidence: 'likely',
      explanation: `The containers of a pod share its ports. Who calls this container by port ${code(port)} must then call ${code(to)}.`,
      mirrorable: true,
    },
  ];
}

/** Options of programs for the address on which they serve, beside their default port. Source: the references of their command lines. */
const LISTEN_OPTIONS: readonly (readonly [program: RegExp, port: string, option: string])[] = [
  [/\bminio\b/, '9000', '--address'],
  [/\bprometheus\b/, '9090', '--web.listen-address'],
  [/\balertmanager\b/, '9093', '--web.listen-address'],
  [/\bblackbox[-_]exporter\b/, '9115', '--web.listen-address'],
  [/\bnode[-_]exporter\b/, '9100', '--web.listen-address'],
  [/\bpostgres[-_]exporter\b/, '9187', '--web.listen-address'],
];

/** For a program on its default port: the option with the only port that the container declares instead. */
function byOption(place: ContainerPlace, port: string): Correction[] {
  const { image = '', name } = place.container ?? {};
  const words = commandWords(place.container);
  const [, , option] =
    LISTEN_OPTIONS.find(([program, usual]) => usual === port && [image, name ?? '', ...words].some((one) => program.test(one))) ?? [];
  const [said, ...more] = (place.container?.ports ?? [])
    .map(({ containerPort }) => containerPort)
    .filter((one) => !words.some((word) => word.length < 100 && word.includes(String(one))));
  if (
    option === undefined ||
    said === undefined ||
    String(said) === port ||
    more.length > 0 ||
    words.some((word) => word.startsWith(option))
  )
    return [];
  return [
    {
      title: `Listen on port ${code(said)}`,
      changes: [withOption(place, option, `:${said}`, `another container of the pod has port ${port}, and this one declares port ${said}`)],
      confidence: 'likely',
      explanation: `Without ${code(option)} it listens on port ${code(port)}.`,
      mirrorable: true,
    },
  ];
}

const nextFree = (port: number, taken: ReadonlySet<number>): number => (taken.has(port) ? nextFree(port + 1, taken) : port);

/** The containers that run beside this one. */
const othersIn = ({ spec, container }: ContainerPlace): Container[] => spec.containers.filter(({ name }) => name !== container?.name);

/** The only port of the pod's own address that the settings and mounted ConfigMaps of the other containers call, and that none of them has: `proxy_pass http://127.0.0.1:3000`. */
function calledPort(input: RuleInput, place: ContainerPlace, taken: ReadonlySet<number>): number | undefined {
  const others = othersIn(place);
  const texts = [...others.flatMap(textsOf), ...mountedSettings(input, place, others)];
  const called = texts.flatMap((text) =>
    [...text.slice(0, 20_000).matchAll(/(?:127\.0\.0\.1|localhost|\[::1\]):(\d{2,5})\b/g)].map(([, port]) => Number(port)),
  );
  const [only, ...more] = [...new Set(called)].filter((one) => !taken.has(one) && !others.some((other) => hasPort(other, String(one))));
  return more.length === 0 ? only : undefined;
}

/** The only port that the container declares, where it is another one. */
function declaredAlone({ container }: ContainerPlace, port: string): number | undefined {
  const [only, ...more] = (container?.ports ?? []).map(({ containerPort }) => containerPort);
  return more.length > 0 || String(only) === port ? undefined : only;
}

/** Whether a setting holds an address that the program calls, and not one on which it listens. */
const isCalled = ({ name, value }: { name: string; value: string }): boolean =>
  /upstream|backend|target|proxy[-_.]?(?:to|pass)|origin|remote/i.test(name) || /^\w{2,20}:\/\/(?:127\.0\.0\.1|localhost)\b/.test(value);

function hasPort(container: Container, port: string): boolean {
  const { ports = [], env = [], args = [], command = [] } = container;
  const texts = [...args, ...command, ...env.map(({ value }) => value ?? '')];
  return (
    ports.some(({ containerPort }) => String(containerPort) === port) || texts.some((text) => endsWith(port).test(text.replace(/^.*=/, '')))
  );
}

function declared(place: ContainerPlace, container: Container, { port, to, why }: { port: number; to: number; why: string }): Change[] {
  const ports = (container.ports ?? []).flatMap(({ containerPort }, index) =>
    containerPort === port ? [change(place, fieldPath(place.path, 'ports', index, 'containerPort'), to, why)] : [],
  );
  const probes = PROBES.flatMap((probe) =>
    (['httpGet', 'tcpSocket'] as const).flatMap((kind) =>
      container[probe]?.[kind]?.port === port ? [change(place, fieldPath(place.path, probe, kind, 'port'), to, why)] : [],
    ),
  );
  return [...ports, ...probes];
}
