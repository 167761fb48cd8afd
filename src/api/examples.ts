const MANIFEST =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-1\nspec:\n  containers:\n    - name: app\n      image: registry.example/shop/web:2\n';
const FOUND = {
  check_name: 'privileged',
  severity: 'high',
  message: 'container app is privileged',
  remediation: 'Set privileged to false.',
};
const NOTIFICATION = { provider: 'slack', enabled: true, config: { webhook_url: 'https://chat.example/hooks/1' } };
const SUPPRESSION = { reason: 'a known defect, mended in May', ttl_seconds: 604_800, match: { namespaces: ['shop'], pods: ['web-*'] } };
const MODEL = { provider: 'anthropic', api_key: 'sk-ant-…', model: 'claude-sonnet-4-5' };
const PERSON = { username: 'ada', password: 'correct horse battery' };

/** A realistic body for each route that takes one, shown in the description. */
export const EXAMPLES: Record<string, object> = {
  'POST /api/auth/signup': PERSON,
  'POST /api/auth/login': PERSON,
  'POST /api/auth/password': { current_password: PERSON.password, password: 'another horse, another battery' },
  'POST /api/admin/users': { ...PERSON, role: 'write' },
  'PATCH /api/admin/users/:id': { role: 'read' },
  'POST /api/tokens': { name: 'nightly report', role: 'read', expires_in_days: 90 },
  'POST /api/pods/failed': {
    pod_name: 'web-1',
    namespace: 'shop',
    node_name: 'node-1',
    failure_reason: 'CrashLoopBackOff',
    failure_message: 'back-off 10s restarting failed container',
    creation_timestamp: '2026-05-01T10:00:00Z',
    events: [{ type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container', count: 3 }],
    container_statuses: [{ name: 'app', restart_count: 3, state: 'waiting', reason: 'CrashLoopBackOff', last_state: { exit_code: 1 } }],
    manifest: MANIFEST,
    logs: '==> app (previous) <==\npanic: no configuration\n',
  },
  'POST /api/pods/dismiss-deleted': { pods: [{ namespace: 'shop', pod_name: 'web-1' }], reason: 'deleted' },
  'PUT /api/incidents/:id/assignee': { username: 'ada' },
  'POST /api/incidents/:id/comments': { text: 'The team of the database is at it.' },
  'PATCH /api/incidents/:id/comments/:comment_id': { text: 'The database is back; watching.' },
  'PUT /api/pods/:pod_id/status': { status: 'investigating' },
  'POST /api/alerts/alertmanager': {
    version: '4',
    groupKey: '{}:{alertname="KubePodCrashLooping"}',
    receiver: 'podmend',
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'KubePodCrashLooping', namespace: 'shop', pod: 'web-1', severity: 'warning' },
        annotations: { summary: 'Pod is crash looping.' },
        startsAt: '2026-05-01T10:00:00Z',
        endsAt: '0001-01-01T00:00:00Z',
        fingerprint: '9bd2a1c1f5b3c0de',
      },
    ],
  },
  'POST /api/security/findings': {
    resource_type: 'Pod',
    resource_name: 'web-1',
    namespace: 'shop',
    source: 'trivy',
    ...FOUND,
    details: { container: 'app' },
  },
  'PUT /api/security/findings/resource/:type/:ns/:name': { findings: [{ ...FOUND, details: { container: 'app' } }] },
  'POST /api/security/rescan': { reason: 'a new policy' },
  'POST /api/security/rescan-status': { status: 'started', reason: 'trusted_registry_change' },
  'POST /api/metrics/security-scan-duration': { duration_seconds: 12.5 },
  'PUT /api/agents/:node': { version: '1.0.0', pods: 30, failing: [], spooled: 0, dropped: 0 },
  'PUT /api/advice/findings/:id/ignore': { reason: 'a single replica is enough for this queue' },
  'POST /api/mirror/deploy/:pod_id': { ttl_seconds: 180, manifest: MANIFEST },
  'POST /api/mirror/check/:pod_id': { manifest: MANIFEST },
  'POST /api/suppressions': SUPPRESSION,
  'POST /api/suppressions/preview': SUPPRESSION,
  'POST /api/admin/excluded-namespaces': { namespace: 'sandbox-*' },
  'POST /api/admin/excluded-pods': { pod_name: 'canary-*' },
  'POST /api/security/trusted-registries': { registry: 'registry.example:5000/team' },
  'PUT /api/admin/settings/mirror-ttl': { seconds: 300 },
  'POST /api/admin/settings/:key': { value: '1440' },
  'POST /api/admin/llm/config': MODEL,
  'POST /api/admin/llm/test': MODEL,
  'POST /api/admin/notifications': NOTIFICATION,
  'PUT /api/admin/notifications/:provider': NOTIFICATION,
  'POST /api/admin/notifications/preview': NOTIFICATION,
};
