import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { keysInFolder } from '../accounts/keys-folder.ts';
import { keysInSecret } from '../accounts/keys-secret.ts';
import { ensureKeys } from '../accounts/keys.ts';
import { sessions } from '../accounts/sessions.ts';
import { tokens } from '../accounts/tokens.ts';
import { accounts } from '../accounts/users.ts';
import { buildApp } from '../api/app.ts';
import { ConfigError, isInCluster, type Config } from '../config.ts';
import type { FailureDetail } from '../contract/failure.ts';
import type { SettingKey } from '../contract/settings.ts';
import { sealer } from '../accounts/seal.ts';
import { httpClient } from '../http.ts';
import { eventHub } from '../events.ts';
import { enrichment } from '../failures/enrich.ts';
import { exclusions } from '../failures/exclusions.ts';
import { failureIntake } from '../failures/intake.ts';
import { liftedSolutions } from '../failures/lifted.ts';
import { podLogs } from '../failures/pod-logs.ts';
import { recovery } from '../failures/recovery.ts';
import { retention } from '../failures/retention.ts';
import { suppressionWrites } from '../failures/suppression-writes.ts';
import { suppressionList } from '../failures/suppressions.ts';
import { explanations } from '../findings/explained.ts';
import { hiddenFindings } from '../findings/hidden.ts';
import { findingIntake } from '../findings/intake.ts';
import { remedies } from '../findings/remedy.ts';
import { scans } from '../findings/scans.ts';
import { connect, type KubeClient, UNHURRIED_MS } from '../kube/connect.ts';
import { leaseLock } from '../kube/lease.ts';
import { secretNamesOf } from '../kube/secret-names.ts';
import { readResource } from '../kube/source.ts';
import { surroundingsOf } from '../kube/surroundings.ts';
import type { Logger } from '../log.ts';
import { leader } from '../reconcilers/leader.ts';
import { mirrors } from '../reconcilers/mirror-deploy.ts';
import { previewer } from '../reconcilers/preview.ts';
import { suppressionController } from '../reconcilers/suppressions.ts';
import { diagnose } from '../solutions/diagnose.ts';
import { modelDesk } from '../solutions/models/desk.ts';
import { modelSetups } from '../solutions/models/setup.ts';
import { leaderDuties } from './duties.ts';
import { every } from './every.ts';
import { processIdentity } from './identity.ts';
import type { Running, Service } from './mode.ts';
import { openStorage } from './storage.ts';

const SWEEP_MS = 60_000;
const SUPPRESSIONS_MS = 5_000;
/** The longest that a model may take to answer, and the most that it may say. */
const MODEL_MS = 125_000;
const MODEL_BYTES = 1024 * 1024;
const HIDE_HIGH = 'tenant_suppressions_hide_high' satisfies SettingKey;

/** `podmend operator`: reconcilers, facade and retention over a cluster and a database. */
export const runOperator: Service = ({ config, log }) => startOperator(config, log);

/** Starts the operator; answers when the facade listens, wherever cluster and database are. `url` is where it can be reached from here. */
export async function startOperator(config: Config, log: Logger): Promise<Running & { url: string }> {
  // What began is ended in reverse order: when the process stops, or when a later step fails.
  await using begun = new AsyncDisposableStack();
  const now = () => new Date();
  // Who asks over the API learns within two seconds that the cluster is away; the rest waits for one that is only slow.
  const client = begun.adopt(clusterOf(config), ({ close }) => close());
  const unhurried = begun.adopt(clusterOf(config, UNHURRIED_MS), ({ close }) => close());
  const { databaseUrl, dataDir, podNamespace: operatorNamespace } = config;
  // Clusters may share a database, and a database may outlive its cluster.
  const leaseName = `${config.clusterName}/${operatorNamespace}`;
  const storage = begun.adopt(
    await openStorage({ databaseUrl, dataDir, leaseName, agentSilentMs: config.agentSilentSeconds * 1000, log }),
    ({ close }) => close(),
  );
  const identity = begun.adopt(await processIdentity(dataDir), ({ release }) => release());
  const { failures, agents, settings, previews, hiding } = storage;
  const keys = await ensureKeys(config, () =>
    isInCluster(config) ? keysInSecret({ client, namespace: operatorNamespace, log }) : keysInFolder(dataDir),
  );
  const hub = eventHub((error) => log.error({ err: error }, 'a listener failed'));
  const cluster = config.clusterName;

  const secretNames = config.readSecretNames ? secretNamesOf({ client: unhurried, log }) : undefined;
  const scope = { watchNamespaces: config.watchNamespaces, secretNames, now };
  const surroundings = surroundingsOf({ client, ...scope });
  const unhurriedSurroundings = surroundingsOf({ client: unhurried, ...scope });
  const around = ({ namespace, workload }: FailureDetail) => unhurriedSurroundings(namespace, workload);
  const enrich = enrichment({ failures, hub, surroundings: around, diagnose, log });
  const seal = sealer(keys.encryptionKeys);
  const bounds = { timeoutMs: MODEL_MS, maxBytes: MODEL_BYTES };
  const models = modelDesk({
    setups: modelSetups({
      rows: storage.modelConfig,
      sealer: seal,
      environment: config.model,
      http: { typed: httpClient({ ...bounds, onlyPublicAnd: config.allowPrivateAddresses }), configured: httpClient(bounds) },
      log,
    }),
    answers: storage.modelAnswers,
    calls: storage.modelCalls,
    work: storage.modelWork,
    failures,
    settings,
    surroundings: ({ namespace, workload }) => surroundings(namespace, workload),
    pseudonymKey: seal.derive('pseudonyms'),
    hub,
    budgetMs: config.solutionBudgetMs,
    holder: `${identity.name}/${randomUUID()}`,
    now,
    log,
  });
  const { watchNamespaces } = config;
  const lifted = liftedSolutions({ failures, hiding, solve: models.solveSoon, log });
  const suppressions = suppressionController({
    client: unhurried,
    operatorNamespace,
    tenantsHideHigh: async () => (await settings.get(HIDE_HIGH)) === '1',
    lifted: lifted.look,
    hid: hiddenFindings({ findings: storage.findings, hub }),
    hub,
    watchNamespaces,
    hiddenNamespaces: config.hiddenNamespaces,
    now,
    log,
  });
  const { suppressionOf } = suppressions;
  const intake = failureIntake({
    ...storage,
    hub,
    cluster,
    suppressionOf,
    lifted: lifted.look,
    diagnose,
    secondLook: enrich,
    askModel: models.offer,
    log,
  });
  const ends = recovery({ failures, agents, hub, cluster });
  const findingsIn = findingIntake({ findings: storage.findings, hub, cluster, suppressionOf, hiding: storage.findingHiding });
  const preview = previewer({ client, previews, settings, surroundings, diagnose: models.diagnose });
  const mirrorStory = {
    client,
    failures,
    previews,
    settings,
    previewer: preview,
    enabled: config.mirrorsEnabled,
    deniedNamespaces: config.mirrorDeniedNamespaces,
    limits: config.mirrorLimits,
    now,
  };
  const unhurriedPreview = previewer({
    client: unhurried,
    previews,
    settings,
    surroundings: unhurriedSurroundings,
    diagnose: models.diagnose,
  });
  const begin = leaderDuties({
    ...mirrorStory,
    client: unhurried,
    previewer: unhurriedPreview,
    instance: hostname(),
    ...{ config, storage, hub, suppressions, intake, recovery: ends, setups: models.setups, log },
  });
  const lease = leaseLock({ client: unhurried, namespace: operatorNamespace, identity: identity.name, now });
  const leads = leader({ lease, identity: identity.name, fence: storage.leadership, begin, log });

  const { cache, rules } = suppressions;
  const writes = suppressionWrites({ client, cache, operatorNamespace });
  const { hiddenNamespaces } = config;
  const hideable = { failures: hiding, findings: storage.findingHiding };
  const facade = { client, cache, writes, hideable, findings: storage.findings, rules, operatorNamespace, hiddenNamespaces, now };

  const app = await buildApp({
    version: packageJson.version,
    dashboard: fileURLToPath(new URL('../../dist/dashboard/', import.meta.url)),
    config: { ...config, sessionSecret: keys.sessionSecret },
    log,
    now,
    hub,
    audit: storage.audit,
    settings,
    settingChanged: (key) => void (key === HIDE_HIGH && suppressions.refresh()),
    failures,
    agents,
    accounts: accounts(storage),
    sessions: sessions(storage.sessions),
    tokens: tokens(storage.tokens),
    intake,
    recovery: ends,
    models,
    findings: storage.findings,
    findingIntake: findingsIn,
    advice: storage.advice,
    explainAdvice: explanations({ consult: models.consult, advice: storage.advice, hub }),
    fixFinding: remedies({ consult: models.consult }),
    scans: scans({ rows: storage.scans, hub }),
    readResource: (kind, namespace, name) => readResource(client, kind, namespace, name),
    logs: podLogs(client),
    checks: { database: async () => void (await sql`select 1`.execute(storage.db)), cluster: () => client.healthy() },
    mirrorCounts: () => leads.duties()?.counts() ?? [],
    queues: async () => ({
      reports: intake.waiting(),
      findings: findingsIn.waiting(),
      second_looks: enrich.waiting(),
      model: await storage.modelWork.pending(),
    }),
    databasePool: storage.pool,
    previewer: preview,
    mirrors: mirrors({ ...mirrorStory, locate: (uid) => leads.duties()?.locate(uid) }),
    exclusions: exclusions(facade),
    suppressions: suppressionList(facade),
    explainHiding: suppressions.explain,
  });
  begun.defer(async () => void (await Promise.all([suppressions.stop(), lifted.stop(), enrich.stop(), models.stop()])));
  // Every replica keeps house: it needs no cluster, and twice does no harm.
  begun.adopt(
    every(SWEEP_MS, async () => void (await retention(storage).sweep(now())), log),
    (sweeping) => sweeping.stop(),
  );
  models.start();
  begun.defer(() => app.close());
  begun.adopt(leads, ({ stop }) => stop()).start();
  // Reports wait a moment for the Suppressions, so that a restart does not show what is hidden; a cluster that is away stops nobody.
  await Promise.race([suppressions.start(), sleep(SUPPRESSIONS_MS)]);
  const url = await app.listen({ host: config.host, port: config.port });
  log.info({ url, cluster: client.server, database: config.databaseUrl ? 'postgresql' : 'embedded' }, 'operator is ready');
  const running = begun.move();
  return { url, stop: () => running.disposeAsync() };
}

function clusterOf({ kubeconfig, watchNamespaces }: Config, silenceMs?: number): KubeClient {
  try {
    return connect({ kubeconfig, namespaces: [...new Set(watchNamespaces)], ...(silenceMs ? { silenceMs } : {}) });
  } catch (error) {
    throw new ConfigError([
      `KUBECONFIG must name a kubeconfig that can be read (${error instanceof Error ? error.message.split('\n')[0] : 'unknown'})`,
    ]);
  }
}
