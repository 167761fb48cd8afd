import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { sessions as sessionStory } from '../../../src/accounts/sessions.ts';
import { tokens as tokenStory } from '../../../src/accounts/tokens.ts';
import { accounts as accountStory } from '../../../src/accounts/users.ts';
import { buildApp } from '../../../src/api/app.ts';
import type { AppDeps } from '../../../src/api/deps.ts';
import { ROLES, SESSION_COOKIE, type Role } from '../../../src/contract/auth.ts';
import type { SocketMessage } from '../../../src/contract/socket.ts';
import { adviceRepository } from '../../../src/db/advice.ts';
import { agentRepository } from '../../../src/db/agents.ts';
import { loginAttemptRepository } from '../../../src/db/login-attempts.ts';
import { assigneeRepository } from '../../../src/db/assignees.ts';
import { auditRepository } from '../../../src/db/audit.ts';
import { wireChat } from '../../../src/chat/wire.ts';
import { alertRepository } from '../../../src/db/alerts.ts';
import { chatRequestRepository } from '../../../src/db/chat-requests.ts';
import { notificationRepository } from '../../../src/db/notifications.ts';
import { trialRepository } from '../../../src/db/trials.ts';
import type { Store } from '../../../src/db/connect.ts';
import { commentRepository } from '../../../src/db/comments.ts';
import { failureRepository } from '../../../src/db/failures.ts';
import { findingRepository } from '../../../src/db/findings.ts';
import { scanRepository } from '../../../src/db/scans.ts';
import { explanations } from '../../../src/advice/explanations.ts';
import { findingIntake } from '../../../src/findings/intake.ts';
import { findingCorrections } from '../../../src/findings/model-correction.ts';
import { scans } from '../../../src/findings/scans.ts';
import { findingSuppressionRepository, failureSuppressionRepository } from '../../../src/db/suppressible.ts';
import { incidentHistoryRepository } from '../../../src/db/incident-history.ts';
import { incidentListRepository } from '../../../src/db/incident-list.ts';
import { incidentRepository } from '../../../src/db/incidents.ts';
import { reportRepository } from '../../../src/db/failure-reports.ts';
import { sessionRepository } from '../../../src/db/sessions.ts';
import { settingRepository } from '../../../src/db/settings.ts';
import { tokenRepository } from '../../../src/db/tokens.ts';
import { userRepository, type UserRepository } from '../../../src/db/users.ts';
import { eventHub, internalBus } from '../../../src/events.ts';
import { failureIntake, type IntakeDeps } from '../../../src/failures/intake.ts';
import { reportMask } from '../../../src/redact/report.ts';
import { recovery } from '../../../src/failures/recovery.ts';
import { triage } from '../../../src/failures/triage.ts';
import { previewer } from '../../../src/mirrors/preview.ts';
import { previewRepository } from '../../../src/db/previews.ts';
import { ClusterUnavailable } from '../../../src/kube/errors.ts';
import { createLog } from '../../../src/log.ts';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { testModels } from './models.ts';
import { memoryStore } from '../database/store.ts';

export const SERVICE_TOKEN = 'test-service-token-0123456789';
export const OLD_SERVICE_TOKEN = 'test-service-token-9876543210';

/**
 * The app with production options and its own database. `messages` has all messages of the hub. Reports of namespace `quiet` are
 * suppressed. Namespace `hidden` is never shown.
 */
export interface TestApp {
  app: FastifyInstance;
  deps: AppDeps;
  store: Store;
  users: UserRepository;
  messages: SocketMessage[];
  /** The `cookie` header of a valid session of a user with this role. */
  cookie(role: Role): string;
  /** Sends a request with the session of a role, with the service token of the agent, or without credentials. */
  send(who: Role | 'service' | 'nobody', request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Simulates a gap in the messages from other replicas. */
  missMessages(): void;
  /** Sets the app's clock forward. */
  advance(ms: number): void;
  close(): Promise<void>;
}

/** These parts need the cluster. They behave as if it did not respond. */
const away = (): never => {
  throw new ClusterUnavailable('test');
};
const CLUSTER_AWAY: Pick<AppDeps, 'mirrors' | 'exclusions' | 'suppressions' | 'notifications'> = {
  mirrors: {
    deploy: async () => away(),
    check: async () => away(),
    status: async () => away(),
    active: async () => away(),
    remove: async () => away(),
    use: async () => away(),
    requested: async () => away(),
  },
  exclusions: { list: away, add: async () => away(), remove: async () => away() },
  suppressions: { list: away, add: async () => away(), remove: async () => away(), preview: async () => away() },
  notifications: {
    count: away,
    list: async () => away(),
    put: async () => away(),
    remove: async () => away(),
    test: async () => away(),
    deliveries: async () => away(),
    resend: async () => away(),
    preview: away,
    ofIncident: async () => [],
  },
};

/** Builds the app. The parts that `overrides` returns replace the real ones. */
export async function testApp(
  overrides: (deps: AppDeps) => Partial<AppDeps> = () => ({}),
  openStore: () => Promise<Store> = memoryStore,
): Promise<TestApp> {
  const store = await openStore();
  const { db } = store;
  let skippedMs = 0;
  const hub = eventHub((error) => {
    throw error;
  });
  const bus = internalBus((error) => {
    throw error;
  });
  const messages: SocketMessage[] = [];
  hub.subscribe((message) => void messages.push(message));
  const users = userRepository(db);
  const log = createLog({ level: 'silent' });
  const failures = failureRepository(db);
  const agents = agentRepository(db);
  const findings = findingRepository(db);
  const suppressionOf: IntakeDeps['suppressionOf'] = ({ namespace }) => (namespace === 'quiet' ? 'keep-quiet' : undefined);
  const now = () => new Date(Date.now() + skippedMs);
  const models = testModels({ store, hub, now });
  const audit = auditRepository(db);
  const unreachable = previewer({
    client: { read: async () => away(), list: async () => away() },
    previews: previewRepository(db),
    settings: settingRepository(db),
    trials: trialRepository(db),
    surroundings: async () => away(),
    diagnose: async (subject) => diagnose(subject),
  });
  const talking = wireChat({
    config: { podNamespace: 'podmend', clusterName: 'test', allowPrivateAddresses: [], hiddenNamespaces: ['hidden'] },
    storage: {
      db,
      failures,
      audit,
      users,
      trials: trialRepository(db),
      alerts: alertRepository(db, 'test'),
      chatRequests: chatRequestRepository(db, 'test'),
    },
    readiness: async () => away(),
    // No provider: chats are not set up.
    cache: { synced: true, list: () => [], get: () => undefined },
    rows: notificationRepository(db, 'test'),
    baseUrl: 'https://podmend.example',
    ...{ previewer: unreachable, ...CLUSTER_AWAY, logs: { read: async () => away() }, hub, identity: 'test', now, log },
  });
  const base: AppDeps = {
    version: '0.0.0-test',
    dashboard: '/nonexistent',
    config: {
      baseUrl: 'https://podmend.example',
      host: '127.0.0.1',
      trustProxy: [],
      clusterName: 'test',
      serviceTokens: [SERVICE_TOKEN, OLD_SERVICE_TOKEN],
      mirrorsEnabled: true,
      hiddenNamespaces: ['hidden'],
      watchNamespaces: [],
      sessionSecret: 'test-session-secret',
    },
    log,
    now,
    hub,
    audit,
    chat: talking.chat,
    alerts: talking.alerts,
    settings: settingRepository(db),
    bus,
    failures,
    incidentHistory: incidentHistoryRepository(db),
    incidentList: incidentListRepository(db),
    triage: triage({ incidents: incidentRepository(db), assignees: assigneeRepository(db), comments: commentRepository(db), hub }),
    agents,
    intake: failureIntake({
      reports: reportRepository(db),
      incidents: incidentRepository(db),
      hub,
      cluster: 'test',
      suppressionOf,
      failureSuppressions: failureSuppressionRepository(db),
      bus,
      mask: reportMask(),
      diagnose,
      askModel: models.offer,
      log,
    }),
    recovery: recovery({ failures, agents, hub, cluster: 'test', hiddenNamespaces: ['hidden'] }),
    models,
    accounts: accountStory({ users, attempts: loginAttemptRepository(db), sessions: sessionRepository(db) }),
    sessions: sessionStory(sessionRepository(db)),
    tokens: tokenStory(tokenRepository(db), settingRepository(db)),
    trials: trialRepository(db),
    findings,
    findingIntake: findingIntake({ findings, hub, cluster: 'test', suppressionOf, findingSuppressions: findingSuppressionRepository(db) }),
    advice: adviceRepository(db),
    explainAdvice: explanations({ askTopic: models.askTopic, advice: adviceRepository(db), hub }),
    fixFinding: findingCorrections({ askTopic: models.askTopic }),
    scans: scans({ rows: scanRepository(db), hub }),
    readResource: async () => away(),
    logs: { read: async () => away(), follow: async () => away() },
    graphs: {
      namespaces: async () => away(),
      namespace: async () => away(),
      access: async () => away(),
      around: async () => away(),
      pods: async () => away(),
      manifest: async () => away(),
      network: async () => away(),
    },
    checks: { database: async () => {}, cluster: async () => {}, replicas: async () => {} },
    explainSuppression: () => null,
    mirrorCounts: () => [
      { phase: 'Running', verdict: 'None', count: 2 },
      { phase: 'Failed', verdict: 'StillFailing', count: 1 },
    ],
    mirrorVerdicts: () => ({ verdicts: [{ verdict: 'Fixed', count: 3 }], revisions: [{ reason: 'Regressed', count: 1 }] }),
    queues: async () => ({ reports: 3 }),
    databasePool: () => ({ open: 5, idle: 4, waiting: 0 }),
    previewer: unreachable,
    ...CLUSTER_AWAY,
  };
  const deps = { ...base, ...overrides(base) };
  const app = await buildApp(deps);

  const cookies = new Map<Role, string>();
  for (const role of ROLES) {
    const created_at = deps.now();
    const user = await users.insert({ username: `the-${role}`, password_hash: null, external_id: null, role, created_at });
    if (!user) throw new Error(`no user for role ${role}`);
    const { token } = await deps.sessions.begin(user.id, '127.0.0.1', created_at);
    cookies.set(role, `${SESSION_COOKIE}=${app.signCookie(token)}`);
  }
  const cookie = (role: Role): string => cookies.get(role) ?? '';
  return {
    app,
    deps,
    store,
    users,
    messages,
    cookie,
    send: (who, request) => app.inject({ ...request, headers: { ...identify(who, cookie), ...request.headers } }),
    missMessages: hub.missed,
    advance: (ms) => void (skippedMs += ms),
    async close() {
      await app.close();
      await store.close();
    },
  };
}

function identify(who: Role | 'service' | 'nobody', cookie: (role: Role) => string): Record<string, string> {
  if (who === 'nobody') return {};
  return who === 'service' ? { 'x-service-token': SERVICE_TOKEN } : { cookie: cookie(who) };
}
