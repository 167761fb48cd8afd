import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import type { FailingProbe } from './failing-probe.ts';

const OWN_ADDRESS = /(?:\b127\.0\.0\.1|\blocalhost|\[::1\]):(\d{1,5})\b/g;

/**
 * A sidecar that waits for the program. While its startup probe fails, no later container starts. Its log or command names a port of the
 * pod's own address that a later container opens. See "Sidecar Containers" in the Kubernetes documentation.
 */
export function beforeOthers({ input, place, container, name, path }: FailingProbe): Correction[] {
  if (name !== 'startup' || container.restartPolicy !== 'Always' || !place.path.includes('.initContainers[')) return [];
  const log = logSections(input.subject).find((section) => section.container === container.name)?.text ?? '';
  const text = [log.slice(-8000), ...(container.command ?? []), ...(container.args ?? [])].join('\n');
  const asked = new Set([...text.matchAll(OWN_ADDRESS)].map(([, port]) => Number(port)));
  const other = place.spec.containers.find((one) => one.ports?.some(({ containerPort }) => asked.has(containerPort)));
  if (!other) return [];
  return [
    {
      title: 'Remove the startup probe',
      changes: [change(place, path, null, `while it fails, container ${other.name} is not started`)],
      confidence: 'guess',
      explanation: `It waits for container ${code(other.name)}, which starts after it.`,
      mirrorable: true,
    },
  ];
}
