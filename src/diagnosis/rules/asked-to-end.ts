import { onAllAddresses } from '../corrections/probe/port.ts';
import { moreTimeToStart } from '../corrections/probe/time.ts';
import { factOf, type RuleInput, who } from '../facts/input.ts';
import { foundInLogs } from '../facts/log-sections.ts';
import type { RunFact } from '../facts/status.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { logs } from '../rendering/commands.ts';
import { code } from '../rendering/quote.ts';
import type { RuleAnswer } from './rule.ts';

/** How programs say that somebody asked them to end. */
const ASKED = /(Handling signal: term|\bSIGTERM\b|[Rr]eceived (?:signal )?(?:15|term|TERM|terminated)\b|shutdown signal)/;

/** The exit code of a program that SIGTERM ends: 128 and the number of the signal. */
export const SIGTERM = 143;

/**
 * A program that ends because kubelet asked it to: its log says so, or its exit code. Its liveness probe may have failed before it was up. An
 * answer without the events, which say it for sure. Undefined without such a probe.
 */
export function askedToEnd(input: RuleInput, run: RunFact): RuleAnswer | undefined {
  const says = foundInLogs(input.subject, ASKED);
  const place = input.place();
  const probe = place?.container?.livenessProbe;
  if ((says === '' && run.exitCode !== SIGTERM) || !place?.container || !probe) return undefined;
  const onLoopback = onAllAddresses({ input });
  const isLocal = onLoopback.length > 0;
  const failing = {
    input,
    place,
    container: place.container,
    name: 'liveness',
    probe,
    path: fieldPath(place.path, 'livenessProbe'),
  } as const;
  const last = factOf(input, 'last-line') ?? factOf(input, 'log');
  const how = says === '' ? `(exit code ${run.exitCode})` : `(${code(says)})`;
  return {
    summary: `${who(input)} was asked to end ${how} and is started again and again${isLocal ? ': it listens on loopback only, where its liveness probe cannot reach it' : ', most often because its liveness probe failed'}.`,
    culprit: isLocal ? '127.0.0.1: listens on loopback only' : `livenessProbe: ${says || `exit code ${run.exitCode}`}`,
    evidence: [run.evidence, ...(last ? [last.evidence] : [])],
    advice: [
      isLocal
        ? 'Let it listen on all addresses of the pod.'
        : 'Look for `Unhealthy` and `Killing` among the events, and at how long the program takes to start.',
    ],
    commands: logs(input.subject),
    corrections: isLocal ? onLoopback : moreTimeToStart(failing, 'guess'),
    noCorrection: {
      why: 'Only the events say why it was asked to end.',
      whereToLook: "the pod's events, and its liveness probe",
      isOpen: true,
    },
  };
}
