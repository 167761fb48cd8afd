import type { ContainerEvidence } from '../../contract/failure.ts';
import { factsOfCase } from '../facts/facts.ts';
import { logSections } from '../facts/log-sections.ts';
import type { ProbeFact } from '../facts/probe-failure.ts';
import { code } from '../rendering/quote.ts';
import { crash } from './crash.ts';
import { type RuleAnswer } from './rule.ts';
import { type RuleInput, ruleInput, who } from '../facts/input.ts';

/** Status codes that a gateway returns when it cannot reach its upstream server. */
const GATEWAY = [502, 503, 504];
const LOCAL_REFUSED =
  /\brefused\b[^\n]{0,300}(?:\b127\.0\.0\.1|\blocalhost|\[::1\])[:\d]|(?:\b127\.0\.0\.1|\blocalhost|\[::1\]):\d{1,5}[^\n]{0,200}\brefused\b/i;
const MAX_SEARCHED = 8000;

/**
 * The answer for another container of the pod that crashes, if the failing one runs and is unready because it asks that one: it answers as a
 * gateway does, or logs a refused connection to its own address. Undefined otherwise.
 */
export function crashedNeighbour(input: RuleInput, fact: ProbeFact | undefined): RuleAnswer | undefined {
  const { subject } = input;
  const own = subject.statuses.find(({ name }) => name === subject.container);
  const [other, ...more] = subject.statuses.filter((status) => status.name !== subject.container && isCrashing(status));
  if (!other || more.length > 0 || own?.state !== 'running') return undefined;
  if (!GATEWAY.includes(fact?.status ?? 0) && !isRefused(input)) return undefined;
  const about = { ...subject, container: other.name, reason: 'CrashLoopBackOff', message: other.message ?? '' };
  const answer = crash.answer(ruleInput(about, factsOfCase(about)));
  if (!answer) return undefined;
  const effect = `${who(input)} is not ready${fact?.status ? ` and answers with status ${code(fact.status)}` : ''}, because it needs that one.`;
  return {
    ...answer,
    summary: `${answer.summary} ${effect}`,
    evidence: [...answer.evidence, ...(fact ? [fact.evidence] : [])],
  };
}

/** A regular container or sidecar that is down after an error, and has been started again before. */
function isCrashing({ kind, ready, state, reason, exit_code, last_state, restart_count }: ContainerEvidence): boolean {
  if (kind === 'init' || ready === true || (restart_count ?? 0) === 0) return false;
  if (state === 'waiting') return reason === 'CrashLoopBackOff' && (last_state?.exit_code ?? 0) !== 0;
  return state === 'terminated' && (exit_code ?? 0) !== 0;
}

function isRefused(input: RuleInput): boolean {
  return logSections(input.subject).some(({ text }) => LOCAL_REFUSED.test(text.slice(-MAX_SEARCHED)));
}
