import type { IncidentView } from '../../../src/notifications/policy/view.ts';

/** An incident with one failing pod. */
export function anIncident(over: Partial<IncidentView> = {}): IncidentView {
  return {
    id: 7,
    cluster: 'test',
    namespace: 'shop',
    owner: 'Deployment/web',
    container: 'app',
    family: 'crash',
    open: 1,
    active: 1,
    occurrences: 1,
    recordId: 70,
    pod: 'web-1',
    node: 'node-1',
    labels: { app: 'web' },
    reason: 'CrashLoopBackOff',
    message: 'back-off restarting failed container',
    solution: '## What happened\n\nThe command does not exist.\n',
    verdict: null,
    alerts: [],
    openedAt: new Date('2026-03-01T10:00:00Z'),
    ...over,
  };
}
