import { type Replica, wireChat } from '../../../src/chat/wire.ts';
import type { ChatAction } from '../../../src/contract/chat.ts';
import type { FailureDiagnosis } from '../../../src/contract/diagnosis.ts';
import type { MirrorRecord } from '../../../src/contract/mirror.ts';
import type { SuppressionBody, SuppressionRecord } from '../../../src/contract/suppression.ts';
import type { NotificationProvider, ProviderChat } from '../../../src/crd/notificationprovider.ts';
import { alertRepository } from '../../../src/db/alerts.ts';
import { chatRequestRepository } from '../../../src/db/chat-requests.ts';
import type { Store } from '../../../src/db/connect.ts';
import { reportRepository } from '../../../src/db/failure-reports.ts';
import { notificationRepository } from '../../../src/db/notifications.ts';
import { trialRepository } from '../../../src/db/trials.ts';
import { userRepository } from '../../../src/db/users.ts';
import { createLog } from '../../../src/log.ts';
import { nameOf } from '../../../src/suppressions/policy/exclusion-entries.ts';
import { matchOf } from '../../../src/suppressions/policy/suppression-record.ts';
import { aReportRow } from '../builders/report.ts';
import { type Press, pressBody, SECRET, signedBySlack, type SlackRequest } from '../chat/slack.ts';
import { TEAMS_SECRET } from '../chat/teams.ts';
import { type FakeService, fakeService } from '../notifications/fake-service.ts';
import { until } from '../runner/wait.ts';
import { testApp, type TestApp } from './app.ts';

/** The chat's users: U1 may write, U2 is an administrator, U3 may read, and the account of U4 was deleted. Everybody else may read. */
export const CHAT: ProviderChat = {
  defaultRole: 'read',
  users: [
    { id: 'U1', user: 'the-write' },
    { id: 'U2', user: 'the-admin' },
    { id: 'U3', user: 'the-read' },
    { id: 'U4', user: 'gone' },
    { id: 'aad-1', user: 'the-write' },
  ],
};

/** The app with a fake Slack and a fake Teams. There is no cluster, so mirrors and Suppressions are only recorded. */
export interface ChatWorld extends TestApp {
  slack: FakeService;
  teams: FakeService;
  /** The replica behind the app. */
  replica: Replica;
  /** Another replica over the same database. */
  another(): Replica;
  providers: NotificationProvider[];
  /** Requests that deployed a mirror. */
  deployed: string[];
  suppressed: SuppressionRecord[];
  /** Deploys wait for this promise. */
  gate: { open: Promise<void> };
  /** Creates a failing pod. Returns its record, and the value of a button about it. */
  fail(over?: Parameters<typeof aReportRow>[0]): Promise<{ id: number; value: string }>;
  post(request: SlackRequest): Promise<{ status: number; body: string }>;
  press(press: Partial<Press> & { action: ChatAction; value: string }): Promise<number>;
  /** The messages that Slack got since the last `forget`. */
  said(): string[];
  heard(pattern: RegExp): Promise<string>;
  forget(): void;
  /** The audit log, oldest first. */
  audited(): Promise<{ username: string; action: string; details: Record<string, unknown> }[]>;
}

const RANGES = ['127.0.0.0/8'];
/** A log with a secret. It is longer than a message in a chat. */
const LOGS = [
  ...Array.from({ length: 400 }, (_, n) => `line ${n} of the log`),
  'PASSWORD=hunter2hunter2 is what I use',
  'the last line',
].join('\n');

export async function chatWorld(openStore: () => Promise<Store>): Promise<ChatWorld> {
  const [slack, teams, store] = [await fakeService('slack'), await fakeService('teams'), await openStore()];
  const { db } = store;
  const secrets: Record<string, Record<string, string>> = {
    slack: { address: slack.address, token: 'xoxb-bot', signingSecret: SECRET },
    teams: { address: `${teams.address}/workflow`, signingSecret: TEAMS_SECRET },
  };
  const provider = (name: 'slack' | 'teams'): NotificationProvider => ({
    metadata: { name, namespace: 'podmend', generation: 1 },
    spec: { type: name, secretRef: { name }, chat: CHAT, ...(name === 'slack' && { channel: '#on-call' }) },
  });
  const providers = [provider('slack'), provider('teams')];
  const deployed: string[] = [];
  const suppressed: SuppressionRecord[] = [];
  const gate = { open: Promise.resolve() };
  const replicas: Replica[] = [];
  let another = (): Replica => {
    throw new Error('the app is not built yet');
  };
  const app = await testApp(
    (deps) => {
      const { failures, audit, hub, now } = deps;
      another = () => {
        const replica = wireChat({
          config: { podNamespace: 'podmend', clusterName: 'test', allowPrivateAddresses: RANGES, hiddenNamespaces: ['hidden'] },
          storage: {
            ...{ db, failures, audit, users: userRepository(db), trials: trialRepository(db) },
            ...{ alerts: alertRepository(db, 'test'), chatRequests: chatRequestRepository(db, 'test') },
          },
          readiness: async ({ metadata, spec }) => {
            const { address = '', ...rest } = secrets[metadata.name ?? ''] ?? {};
            return { target: { address, channel: spec.channel, format: undefined, secret: rest } };
          },
          cache: { synced: true, list: () => providers, get: (_, name) => providers.find(({ metadata }) => metadata.name === name) },
          rows: notificationRepository(db, 'test'),
          baseUrl: 'https://podmend.example',
          mirrors: {
            async deploy(_detail, _wanted, request = '') {
              await gate.open;
              deployed.push(request);
              return aMirrorRecord(request);
            },
            requested: async (_, request) => (deployed.includes(request) ? aMirrorRecord(request) : undefined),
            status: async () => aMirrorRecord('any'),
          },
          previewer: { explain: async () => DIAGNOSIS },
          suppressions: {
            list: () => suppressed,
            async add(body, owner) {
              const record = recordOf(body, owner, now());
              const others = suppressed.filter(({ name }) => name !== record.name);
              suppressed.splice(0, suppressed.length, ...others, record);
              return record;
            },
          },
          logs: { read: async () => ({ pod_name: 'web-1', namespace: 'shop', container: 'app', containers: ['app'], logs: LOGS }) },
          ...{ hub, identity: 'test', now, log: createLog({ level: 'silent' }), pollMs: 50 },
        });
        replicas.push(replica);
        return replica;
      };
      const { chat, alerts } = another();
      return { chat, alerts };
    },
    async () => store,
  );
  let told = 0;
  const said = () => slack.received.slice(told).map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
  const post = async ({ path, headers, body }: SlackRequest) => {
    const answer = await app.app.inject({ method: 'POST', url: path, headers, payload: body });
    return { status: answer.statusCode, body: answer.payload };
  };
  return {
    ...app,
    ...{ slack, teams, replica: replicas[0]!, another, providers, deployed, suppressed, gate, post, said },
    async fail(over = {}) {
      const [stored] = await reportRepository(db).store([aReportRow({ now: app.deps.now().toISOString(), ...over })]);
      const { id, incident_id } = stored!.record;
      return { id, value: `${incident_id}/${id}` };
    },
    press: async (press) =>
      (await post(signedBySlack('/api/chatops/slack/interact', pressBody(press), { at: app.deps.now().getTime() }))).status,
    heard: (pattern) =>
      until(() => said().find((one) => pattern.test(one)), { what: () => `${String(pattern)} in:\n${said().join('\n')}` }),
    forget: () => void (told = slack.received.length),
    async audited() {
      const rows = await app.deps.audit.list({ limit: 100 });
      return rows.map(({ username, action, details }) => ({ username, action, details: details as Record<string, unknown> })).reverse();
    },
    async close() {
      for (const { work } of replicas) await work.stop();
      await app.close();
      await slack.close();
      await teams.close();
    },
  };
}

function aMirrorRecord(request: string): MirrorRecord {
  return {
    ...{ mirror_id: `m-${request}`, name: 'web-1-abcde', mirror_pod_name: '', source_pod_name: 'web-1', pod_id: null, namespace: 'shop' },
    ...{ status: 'Running', verdict: null, ttl_seconds: 180, created_at: '2026-05-01T10:00:00Z', expires_at: null, fixed_manifest: '' },
    ...{ explanation: 'The command is corrected.', evidence: null, revisions: [], final: false, conditions: [], events: [] },
  };
}

const DIAGNOSIS: FailureDiagnosis = {
  summary: 'The container exits with 1 because `DATABASE_URL` is missing.',
  culprit: 'DATABASE_URL',
  evidence: [],
  changed: { since: 'Since revision 3', lines: ['env DATABASE_URL was removed by kubectl-edit'] },
  advice: ['Set the variable.'],
  commands: [],
  no_correction: null,
  source: 'live',
  manifest: '',
  preview: {
    ...{ fixed_manifest: '', explanation: '', is_fallback: true, changes: [], diff: '', confidence: 'likely', mirrorable: true },
    candidates: [
      {
        ...{ title: 'Set DATABASE_URL', fixed_manifest: '', explanation: 'It is set again.', changes: [], confidence: 'likely' },
        ...{
          diff: '-  env: []\n+  env: [{name: DATABASE_URL}]\n',
          is_fallback: true,
          mirrorable: true,
          owner_patch: null,
          tried: null,
          formats: [],
        },
      },
    ],
    ...{ risks: [], suggested_ttl_seconds: 180, owner_patch: null },
  },
};

function recordOf({ reason, owner, ttl_seconds: seconds = 0, match }: SuppressionBody, by: string, now: Date): SuppressionRecord {
  return {
    ...{ name: nameOf(matchOf(match)), namespace: 'podmend', reason, owner: owner ?? by, ticket: null, match },
    ...{ expires_at: new Date(now.getTime() + seconds * 1000).toISOString(), suspend: false, active: true, active_reason: 'InEffect' },
    ...{ matched_failures: 1, matched_findings: 0, last_matched_at: null, source: 'api', created_at: now.toISOString() },
  };
}
