import { code } from '../rendering/quote.ts';
import { askedServers, otherServicePort, waitedServices } from '../corrections/network/other-server.ts';
import { logs } from '../rendering/commands.ts';
import { emptyService } from './signatures/empty-service.ts';
import { addressIn } from './signatures/address.ts';
import type { Meaning } from '../corrections/meaning.ts';
import { fieldPath } from '../../crd/field-path.ts';
import type { Correction } from '../corrections/correction.ts';
import { change } from '../corrections/change.ts';
import { isHelperName, saysHelperStarted } from '../../crd/helper.ts';
import { logSections } from '../facts/log-sections.ts';
import { factOf, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

const OF_WAITING = 'Find out what it waits for, and whether that can ever happen.';
const OF_SERVER = 'If it is a server, run it among `containers`, or as a sidecar. If not, find out what it waits for.';

/** Where nothing is known that it waits for, and a correction makes it a sidecar, it may be a server. */
const adviceFor = (waited: Correction[], corrections: Correction[]): string =>
  waited.length > 0 || corrections.length === 0 ? OF_WAITING : OF_SERVER;

/** An init container neither completes nor fails: it waits for something. */
export const initWaiting: DiagnosisRule = {
  id: 'init-waiting',
  reasons: ['PodInitializing', 'ContainerCreating'],
  answer(input) {
    const { subject } = input;
    const running = subject.statuses.find(
      ({ kind, state, name }) => kind === 'init' && state === 'running' && (subject.container ?? name) === name,
    );
    if (!running) return undefined;
    const log = factOf(input, 'log');
    const last = factOf(input, 'last-line');
    const waits = awaited(input, last?.line);
    const meaning = meaningOf(input, waits);
    const command = commandOf(input, running.name);
    const named = meaning?.corrections ?? [];
    const there: RuleInput = { ...input, place: (name = running.name) => input.place(name) };
    const waited = named.length > 0 ? named : [...waitedServices(there), ...otherAddress(there, waits)];
    const sidecar = waited.length > 0 ? [] : asSidecar(input, running.name);
    const corrections = [...waited, ...sidecar];
    const why = meaning ? ofMeaning(meaning, sidecar) : `${lacking(input, waits)}${ofLastLine(last?.line)}`;
    return {
      summary: `${who(input, running.name)} runs and does not end, so the containers after it never start${why}.`,
      culprit: [`init container ${running.name}`, meaning?.culprit ?? waits].filter(Boolean).join(': '),
      evidence: [
        ...[log ?? last].flatMap((fact) => fact?.evidence ?? []),
        ...(command ? [{ from: `manifest, init container ${running.name}`, text: command }] : []),
      ],
      advice: [
        ...(meaning?.advice ?? [adviceFor(waited, corrections)]),
        'Loops around BusyBox `nslookup` may never end: it fails as long as one search domain does not have the name.',
      ],
      commands: [...logs(subject), ...(meaning?.commands ?? [])],
      corrections,
      noCorrection: {
        why: 'It waits for something outside the pod.',
        whereToLook: meaning?.whereToLook ?? `the log of ${code(running.name)} and what its command waits for`,
      },
    };
  },
};

/** What a helper complains about does not keep it from ending: it never ends. */
const ofMeaning = ({ because }: Meaning, sidecar: Correction[]): string =>
  sidecar.some(({ confidence }) => confidence !== 'guess') ? '' : `: ${because}`;

const ofLastLine = (line: string | undefined): string => (line === undefined ? '' : `; its last log line is ${code(line)}`);

/** Says that there is no Service of the name that it waits for; empty if there is, or if it is no name of a Service of the namespace. */
function lacking({ subject }: RuleInput, waits = ''): string {
  const { services } = subject.surroundings ?? {};
  const [, host] = /^([a-z][a-z\d-]{1,62})(?::\d{2,5})?$/.exec(waits) ?? [];
  return services && host !== undefined && !services.some(({ name }) => name === host) ? `: there is no Service ${code(host)}` : '';
}

/** The meaning of the log; otherwise the problem with the Service that the container waits for. */
function meaningOf(input: RuleInput, waits: string | undefined): Meaning | undefined {
  const log = factOf(input, 'log');
  if (log) return log.signature.explain(log.groups, input, log.line);
  const empty = emptyService(input, waits ?? '');
  return empty && { ...empty, advice: [empty.advice], whereToLook: 'the Service that it waits for, its selector and its pods' };
}

/** How programs begin their work that never ends: shippers, watchers, proxies. */
const WORKS_ON = /\b(?:watching|tailing|polling|forwarding|proxying|listening|serving|accepting|synchroni[sz]ing|scraping|collecting)\b/i;

/** The last step of a command that never ends. */
const FOLLOWS = /(?:^|[\s;&|])tail (?:-\S{1,20} ){0,4}?-\w{0,6}[fF]\b[^;&|]*$/;

/** What shows that a helper has begun work which does not end, in words. */
function workOf(input: RuleInput, name: string): string | undefined {
  if (FOLLOWS.test(commandOf(input, name).trim())) return 'Its command ends with `tail -f`, which follows a file for ever.';
  const last = factOf(input, 'last-line')?.line ?? '';
  const started = logSections(input.subject)
    .filter((one) => one.container === name)
    .flatMap(({ text }) => text.slice(0, 8000).split('\n').find(saysHelperStarted) ?? [])[0];
  const said = WORKS_ON.test(last) ? last : started;
  return said === undefined ? undefined : `Its log says that it has begun work which does not end: ${code(said.trim(), 120)}.`;
}

/** A server or helper among the init containers never exits. As a sidecar, it starts first and keeps running. */
function asSidecar(input: RuleInput, name: string): Correction[] {
  const place = input.place(name);
  const isServer = factOf(input, 'listening') !== undefined;
  const work = isServer || !isHelperName(name) ? undefined : workOf(input, name);
  const isHelper = work !== undefined;
  if (!place?.container || !(isServer || isHelper) || place.container.restartPolicy === 'Always') return [];
  return [
    {
      title: `Let ${code(name)} run beside the others`,
      changes: [
        change(
          place,
          fieldPath(place.path, 'restartPolicy'),
          'Always',
          'an init container with `Always` is a sidecar: the next one need not wait for its end',
        ),
      ],
      confidence: isHelper ? 'likely' : 'guess',
      explanation: work ?? 'Its log says that it is a server.',
      mirrorable: true,
    },
  ];
}

/** What a line like `Waiting for the service db:5432 …` waits for. A duration does not count as a name. */
function waitedFor(line = ''): string | undefined {
  const words =
    /\bwait(?:ing|s)? (?:for|on|until) (?:(?:the|a|service|host|database|server|job) ){0,2}["'`]?(?!(?:the|a|an|to|it|its|be|is|in|at|up|and|all|any|few|some|more|next|other|another|ready)\b(?![.:/-]))([A-Za-z][\w.:/-]{0,199})/i;
  return words.exec(line)?.[1]?.replace(/[.:/]{1,8}$/, '');
}

/** What the line waits for, or the server that it names; otherwise the first server that the command calls. */
function awaited(input: RuleInput, line = ''): string | undefined {
  // A server says where it listens itself.
  const said = waitedFor(line) ?? (/\b(?:listening|serving|started)\b/i.test(line) ? '' : addressIn(line));
  const asked = askedServers(input);
  const first = said ? asked.find(({ host, port }) => host === said && port !== undefined) : asked[0];
  return (first && [first.host, first.port].filter(Boolean).join(':')) ?? said;
}

/** Corrections for the address that it waits for: another Service, or another port. */
function otherAddress(input: RuleInput, waits = ''): Correction[] {
  const [, host, port] = /^([A-Za-z][\w.-]{1,252}):(\d{2,5})$/.exec(waits) ?? [];
  return host === undefined ? [] : otherServicePort(input, host, port);
}

function commandOf(input: RuleInput, name: string): string {
  const { command, args } = input.place(name)?.container ?? {};
  return [...(command ?? []), ...(args ?? [])].join(' ');
}
