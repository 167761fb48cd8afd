/**
 * Routes that are missing or answer 503 until a later issue. The contract test fails when a route in this list works.
 */
export const WAITING: Record<string, 'missing' | 503> = {};

/** Routes that are not in the specification's tables, each with the sentence that asks for it. */
export const ADDITIONAL: [sentence: string, routes: string[]][] = [
  ['(for the dashboard: what fails, one entry a workload)', ['GET /api/incidents']],
  [
    '(for the dashboard: who takes care of an incident, and what people say about it)',
    [
      'GET /api/incidents/assignees',
      'PUT /api/incidents/{id}/assignee',
      'GET /api/incidents/{id}/comments',
      'POST /api/incidents/{id}/comments',
      'PATCH /api/incidents/{id}/comments/{comment_id}',
      'DELETE /api/incidents/{id}/comments/{comment_id}',
    ],
  ],
  [
    '(for the dashboard: what to know first, and how often a workload failed)',
    ['GET /api/overview', 'GET /api/history/workloads', 'GET /api/history/workloads/{namespace}/{kind}/{name}'],
  ],
  [
    '(what became of messages: history and dead letters)',
    ['GET /api/admin/notifications/{provider}/deliveries', 'POST /api/admin/notifications/{provider}/deliveries/{id}/resend'],
  ],
  ['(what a provider would say, before it says it)', ['POST /api/admin/notifications/preview']],
  ['(of one incident: who was told what, and when)', ['GET /api/pods/failed/{id}/notifications']],
  ['Interactive API documentation is at `{base_url}/docs` and `{base_url}/redoc`.', ['GET /redoc']],
  ['(of neither: the dashboard)', ['GET /']],
  ['`/ready` checks database and cluster and names what is wrong.', ['GET /ready']],
  ['`POST /api/auth/logout` → 204.', ['POST /api/auth/logout']],
  ['`POST /api/auth/password`.', ['POST /api/auth/password']],
  [
    '`GET/POST /api/admin/users`, `PATCH/DELETE /api/admin/users/{id}` (never the last admin).',
    ['GET /api/admin/users', 'POST /api/admin/users', 'PATCH /api/admin/users/{id}', 'DELETE /api/admin/users/{id}'],
  ],
  ['API tokens for scripts: `GET/POST/DELETE /api/tokens`', ['GET /api/tokens', 'POST /api/tokens', 'DELETE /api/tokens/{id}']],
  ['Every mutation is a row in the audit log (who, what, when, from where): `GET /api/admin/audit`.', ['GET /api/admin/audit']],
  ['`GET /api/pods/failed/{id}` has everything.', ['GET /api/pods/failed/{id}']],
  ['`GET /api/pods/failed/{id}/prompt` (admin)', ['GET /api/pods/failed/{id}/prompt']],
  ['(the cause of a failure in parts, with its corrections, for everybody who may read)', ['GET /api/pods/failed/{id}/diagnosis']],
  ['(a manifest that somebody edits is checked as they write)', ['POST /api/mirror/check/{pod_id}']],
  ['`GET /api/pods/suppressed` (read).', ['GET /api/pods/suppressed']],
  ['Also `PUT /api/agents/{node}`, `GET /api/agents` (read)', ['PUT /api/agents/{node}', 'GET /api/agents']],
  [
    "`PUT /api/security/findings/resource/{type}/{ns}/{name}` replaces a resource's findings at once.",
    ['PUT /api/security/findings/resource/{type}/{ns}/{name}'],
  ],
  ['`POST /api/security/rescan` (write) inserts a request row and broadcasts `requested`', ['POST /api/security/rescan']],
  [
    '`GET/POST /api/suppressions`, `DELETE /api/suppressions/{name}`, `POST /api/suppressions/preview` (write).',
    ['GET /api/suppressions', 'POST /api/suppressions', 'DELETE /api/suppressions/{name}', 'POST /api/suppressions/preview'],
  ],
  ['*write*: status, dismiss, restore, retry, rescan, fix, explain, ignore', ['PUT /api/advice/findings/{id}/restore']],
  [
    '`team_chat_a` is Slack, `team_chat_b` is Teams, also served under those names.',
    ['POST /api/chatops/slack/events', 'POST /api/chatops/slack/interact', 'POST /api/chatops/teams/interact'],
  ],
  ['(past mirrors, and how many there may be)', ['GET /api/mirror/past', 'GET /api/mirror/limits']],
  ['(the version, the health of each part, and how to mend what is missing)', ['GET /api/about']],
  ['(all settings with what each may be)', ['GET /api/admin/settings']],
  ['`POST /api/alerts/alertmanager` (service token; Alertmanager webhook v4)', ['POST /api/alerts/alertmanager', 'GET /api/alerts']],
  [
    'Questions about rights and reach, answered from `access/` and `graphs/`.',
    ['GET /api/access/who-can', 'GET /api/access/rights', 'GET /api/access/paths', 'GET /api/access/can-reach'],
  ],
];
