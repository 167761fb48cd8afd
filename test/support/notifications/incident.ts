import type { Notification } from '../../../src/notifications/types/service.ts';

/** A message about a newly opened incident. */
export function aNotification(over: Partial<Notification> = {}): Notification {
  return {
    id: 'podmend-7-1',
    key: 'podmend/test/7',
    event: 'incident_opened',
    title: 'CrashLoopBackOff: Deployment/web in shop',
    text: 'back-off 5m0s restarting failed container',
    news: 'A new incident',
    facts: [{ name: 'Cluster', value: 'test' }],
    sections: [{ title: 'Why', text: 'The command does not exist.' }],
    link: 'https://podmend.example/failures/7',
    cluster: 'test',
    namespace: 'shop',
    workload: 'Deployment/web',
    reason: 'CrashLoopBackOff',
    startedAt: '2026-03-01T10:00:00.000Z',
    at: '2026-03-01T10:05:00.000Z',
    ...over,
  };
}
