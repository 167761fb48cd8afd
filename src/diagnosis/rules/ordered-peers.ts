import type { Quote } from '../facts/message.ts';
import { logSections } from '../facts/log-sections.ts';
import { code } from '../rendering/quote.ts';
import { kubectl, logs } from '../rendering/commands.ts';
import { type DiagnosisRule } from './rule.ts';
import { factOf, factsOf, type RuleInput, who } from '../facts/input.ts';

/** A StatefulSet member waits for members that are created only after it is ready, so it never becomes ready. */
export const orderedPeers: DiagnosisRule = {
  id: 'ordered-peers',
  reasons: ['Unhealthy', 'CrashLoopBackOff', 'Error'],
  answer(input) {
    const found = later(input);
    if (!found) return undefined;
    const { set, peers, line } = found;
    const { pod_name: own } = input.subject;
    const probes = factsOf(input, 'probe').map(({ evidence }) => evidence);
    const names = peers.map((name) => code(name)).join(', ');
    const state = input.subject.reason === 'Unhealthy' ? 'runs and is not ready' : 'keeps ending';
    return {
      summary: `${who(input)} ${state}, because it looks for ${names}, which StatefulSet ${code(set)} starts only after ${code(own)} is ready (\`podManagementPolicy: OrderedReady\`).`,
      culprit: `podManagementPolicy OrderedReady: ${own} waits for ${peers.join(', ')}`,
      evidence: [line, ...probes.slice(0, 1)],
      advice: [
        'Make the StatefulSet again with `podManagementPolicy: Parallel`: the field cannot be changed in place. Its pods and claims stay when it is deleted with `--cascade=orphan`.',
        'Members that find each other by name before they are ready need `publishNotReadyAddresses: true` in the headless Service.',
      ],
      commands: [...logs(input.subject), kubectl(input.subject, 'delete', 'statefulset', set, '--cascade=orphan')],
      noCorrection: {
        why: 'The order in which a StatefulSet starts its pods cannot be changed while it exists.',
        whereToLook: '`podManagementPolicy` of the StatefulSet, its readiness probe, and `publishNotReadyAddresses` of its Service',
      },
    };
  },
};

/** How programs report that they cannot reach one another. */
const MISSED =
  /unknown ?host|no such host|not (?:known|found|resolv)|resol(?:ve|ution)|cannot|can't|could not|unable|failed|refused|unreachable|timed? ?out|waiting|no route/i;

/** How programs say that fewer members are there than they wait for. */
const FEW =
  /\b(?:too few|not enough|insufficient|waiting for|need(?:s|ed)?|wants?|require[sd]?|missing)\b.{0,40}\b(?:contact|member|peer|voter|node|replica|seed|master)s?\b|\bno quorum\b|\bquorum (?:not|is not)\b|\b(?:contact|member|peer|voter|node|replica|seed)s?\b.{0,40}\b(?:too few|not enough|\d{1,3} of \d{1,3})\b/i;

/** Members that come after the failing one, do not exist yet, and are missing according to the log. */
function later(input: RuleInput): { set: string; peers: string[]; line: Quote } | undefined {
  const { owner, pod_name: own } = input.subject;
  const set = owner?.kind === 'StatefulSet' ? (owner.metadata.name ?? '') : '';
  const { spec = {}, status = {} } = (owner ?? {}) as {
    spec?: Partial<Record<string, unknown>>;
    status?: Partial<Record<string, unknown>>;
  };
  const ordinal = set !== '' && own.startsWith(`${set}-`) ? Number(own.slice(set.length + 1)) : Number.NaN;
  const replicas = Number(spec['replicas'] ?? 1);
  // When a working StatefulSet is updated, the later members already exist.
  if (!Number.isInteger(ordinal) || ordinal + 1 >= replicas || spec['podManagementPolicy'] === 'Parallel') return undefined;
  if (Number(status['replicas'] ?? 0) > ordinal + 1) return undefined;
  const quorum = linesOf(input).find(({ text }) => FEW.test(text));
  if (quorum) return { set, peers: [`${set}-${ordinal + 1}`], line: quorum };
  const lines = linesOf(input).filter(({ text }) => text.includes(`${set}-`) && MISSED.test(text));
  const missed = lines.flatMap((line) => membersIn(line.text, set).map((member) => ({ line, member })));
  const peers = [...new Set(missed.map(({ member }) => member))].filter((member) => member > ordinal && member < replicas);
  const first = missed.find(({ member }) => peers.includes(member));
  return first ? { set, peers: peers.toSorted((a, b) => a - b).map((member) => `${set}-${member}`), line: first.line } : undefined;
}

const MAX_LINES = 200;

/** For a running program, its newest lines. For one that exited, the line that says why. */
function linesOf(input: RuleInput): Quote[] {
  if (input.subject.reason !== 'Unhealthy') return [factOf(input, 'log')?.evidence].filter((line) => line !== undefined);
  const { container } = input.subject;
  const section = logSections(input.subject).find((one) => one.container === null || container === null || one.container === container);
  const from = `log of ${section?.container ?? 'the pod'}${section?.run ?? ''}`;
  return (section?.text.slice(-20_000).split('\n').slice(-MAX_LINES) ?? []).map((text) => ({ from, text: text.slice(0, 400).trim() }));
}

/** The ordinals after the StatefulSet's name, where the name is not part of a longer word. */
function membersIn(text: string, set: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(`${set}-`); at >= 0; at = text.indexOf(`${set}-`, at + 1)) {
    const [, number] = /^(\d{1,4})(?![\w-])/.exec(text.slice(at + set.length + 1, at + set.length + 8)) ?? [];
    if (number !== undefined && !/[\w-]/.test(text[at - 1] ?? '')) found.push(Number(number));
  }
  return found;
}
