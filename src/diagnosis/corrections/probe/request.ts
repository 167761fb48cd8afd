import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../../rules/rule.ts';
import type { Correction } from '../correction.ts';
import { type FailingProbe, otherProbes, withConnection } from './failing-probe.ts';
import { loggedPorts } from './port.ts';

/** Another path of the same server: one that another probe uses, or the root. */
export function otherPath(failing: FailingProbe, status: number): Correction[] {
  const { place, probe, path } = failing;
  if (!probe.httpGet) return [];
  const own = probe.httpGet.path ?? '/';
  const others = [...new Set(otherProbes(failing).flatMap(({ httpGet }) => httpGet?.path ?? []))].filter((other) => other !== own);
  const correction = (to: string, why: string, confidence: Correction['confidence']): Correction => ({
    title: `Probe the path ${code(to)}`,
    changes: [change(place, fieldPath(path, 'httpGet', 'path'), to, why)],
    confidence,
    explanation: `${code(own)} answers with status ${code(status)}.`,
    mirrorable: true,
  });
  const root = `every server has this path; use it only when ${code(own)} is not the health path`;
  return [
    ...others.map((other) => correction(other, 'another probe of the container uses this path', 'likely')),
    ...(own === '/' || others.includes('/') ? [] : [correction('/', root, status === 404 ? 'likely' : 'guess')]),
  ];
}

/** HTTP in place of HTTPS, or the other way round. */
export function otherScheme(
  { place, probe, path }: FailingProbe,
  scheme: 'HTTP' | 'HTTPS',
  confidence: Correction['confidence'],
): Correction[] {
  if (!probe.httpGet) return [];
  return [
    {
      title: `Probe over ${scheme}`,
      changes: [change(place, fieldPath(path, 'httpGet', 'scheme'), scheme, `the server speaks ${scheme}`)],
      confidence,
      explanation: 'Probe and server do not speak the same protocol.',
      mirrorable: true,
    },
  ];
}

/** In place of a command that fails: a connection to the program's port. Without a known port the probe is removed. */
export function insteadOfCommand(failing: FailingProbe): Correction[] {
  const { place, container, name, probe, path } = failing;
  if (!probe.exec) return [];
  const command = code((probe.exec.command ?? []).join(' '), 100);
  const port = loggedPorts(failing)[0] ?? container.ports?.[0]?.containerPort;
  const correction = { confidence: 'guess', mirrorable: true } as const;
  if (port === undefined)
    return [
      {
        ...correction,
        title: `Remove the ${name} probe`,
        changes: [change(place, path, null, `its command ${command} fails; if it checks something that matters, correct the command`)],
        explanation: 'The container has no known port that a probe could use.',
      },
    ];
  const why = `the command ${command} fails; a connection to the port shows that the program listens`;
  return [
    {
      ...correction,
      title: `Probe port ${code(port)} instead`,
      changes: [change(place, path, withConnection(probe, port), why)],
      explanation: "The probe's command fails.",
    },
  ];
}
