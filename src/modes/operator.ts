import { sql } from 'kysely';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { wireAccounts } from '../accounts/wire.ts';
import { wireAdvice } from '../advice/wire.ts';
import { wireLeaderWatch } from '../agent/wire.ts';
import { buildApp } from '../api/app.ts';
import { wireChat } from '../chat/wire.ts';
import { answerWhileStarting } from '../api/starting.ts';
import { every } from '../async/repeat.ts';
import type { Config } from '../config.ts';
import type { NotificationProvider } from '../crd/notificationprovider.ts';
import { openStorage } from '../db/storage.ts';
import { openEvents } from '../events.ts';
import { retention } from '../db/retention.ts';
import { refreshStatistics } from '../db/statistics.ts';
import { wireFailures } from '../failures/wire.ts';
import { wireFindings } from '../findings/wire.ts';
import { openCluster } from '../kube/cluster.ts';
import { leaseLock } from '../kube/lease.ts';
import { eventRecorder } from '../kube/recorder.ts';
import { podLogs } from '../kube/pod-logs.ts';
import { readResource } from '../kube/workloads.ts';
import type { Logger } from '../log.ts';
import { withKeptLogs } from '../mirrors/kept-logs.ts';
import { wireMirrors } from '../mirrors/wire.ts';
import { wireModels } from '../models/wire.ts';
import { readTarget } from '../notifications/target.ts';
import { wireNotifications } from '../notifications/wire.ts';
import { notificationController } from '../reconcilers/notificationprovider-controller.ts';
import { suppressionController } from '../reconcilers/suppression-controller.ts';
import { wireSuppressions } from '../suppressions/wire.ts';
import type { Running, Service } from './mode.ts';
import { processIdentity } from './operator/identity.ts';
import { leaderTasks } from './operator/leader-tasks.ts';
import { leader } from './operator/leader.ts';
import { unsharedDatabase } from './operator/unshared-database.ts';

const SWEEP_MS = 60_000;
/** Short, because a storm fills an empty table within seconds. */
const STATISTICS_MS = 15_000;
/** How long the start waits for Suppressions to be read. */
const SUPPRESSIONS_MS = 5_000;

/** `podmend operator`: reconcilers, facade and retention for a cluster and a database. */
export const runOperator: Service = ({ config, log }) => startOperator(config, log);

/** Starts the operator. Resolves when the facade listens, even if the cluster does not answer. `url` is its address on this machine. */
export async function startOperator(config: Config, log: Logger): Promise<Running & { url: string }> {
  // Everything started is stopped in reverse order, on a normal stop or when a later step fails.
  await using begun = new AsyncDisposableStack();
  const now = () => new Date();
  const starting = await answerWhileStarting({ host: config.host, port: config.port, version: packageJson.version, log });
  begun.adopt(starting, ({ close }) => close());
  const cluster = begun.adopt(openCluster({ config, now, log }), ({ close }) => close());
  const storage = begun.adopt(await openStorage(storageOptions(config, log)), ({ close }) => close());
  const identity = begun.adopt(await processIdentity(config.dataDir), ({ release }) => release());
  const listenerFailed = (error: unknown) => log.error({ err: error }, 'a listener failed');
  const { channel } = storage;
  if (channel) begun.defer(() => channel.stop());
  const { hub, bus, start: hearOthers } = openEvents(listenerFailed, channel);
  const common = { config, storage, cluster, hub, bus, now, log };

  const people = await wireAccounts(common);
  const models = wireModels({ ...common, sealer: people.sealer, identity: identity.name });
  const { podNamespace: operatorNamespace, watchNamespaces, hiddenNamespaces } = config;
  const { client: background } = cluster.background;
  const places = { operatorNamespace, watchNamespaces, hiddenNamespaces };
  const watched = suppressionController({ client: background, ...places, settings: storage.settings, hub, bus, now, log });
  const { cache, rules, suppressionOf } = watched;
  const suppressions = wireSuppressions({ ...common, cache, rules });
  const failures = wireFailures({ ...common, models, suppressionOf });
  const findings = wireFindings({ ...common, models, suppressionOf });
  const advice = wireAdvice({ ...common, models, suppressionOf });
  const leaderWatch = wireLeaderWatch({ ...common, failures });
  const mirrors = wireMirrors({ ...common, models, locate: (uid) => leads.tasks()?.locate(uid) });
  const notifying = wireNotifications(common);
  const { clusterName, allowPrivateAddresses: allowedRanges } = config;
  const told = { ...notifying, ...places, cluster: clusterName, allowedRanges };
  const notifications = notificationController({ ...told, client: background, hub, now, log });
  const lease = leaseLock({ client: background, namespace: operatorNamespace, identity: identity.name, now });
  const begin = leaderTasks({ ...common, mirrors, suppressions: watched, advice, models, leaderWatch, notifications });
  const leads = leader({ lease, identity: identity.name, fence: storage.leadership, begin, log });

  const { client } = cluster.interactive;
  const recorder = eventRecorder({ client: background, instance: hostname(), now, log });
  const pod = { namespace: operatorNamespace, name: hostname() };
  const replicas = unsharedDatabase({ isEmbedded: !channel, other: leads.other, pod, client: background, recorder, log });
  const logs = withKeptLogs(podLogs(client), storage.trials);
  const { cache: providers } = notifications;
  const readiness = (provider: NotificationProvider) => readTarget(provider, { client, operatorNamespace, allowedRanges });
  const talking = wireChat({
    ...{ ...common, ...mirrors, ...suppressions, ...notifying, readiness, cache: providers, logs, identity: identity.name },
  });
  const app = await buildApp({
    ...{
      ...storage,
      ...people,
      ...failures,
      ...findings,
      ...advice,
      ...mirrors,
      ...suppressions,
      models,
      hub,
      bus,
      now,
      log,
      logs,
      ...talking,
    },
    version: packageJson.version,
    dashboard: fileURLToPath(new URL('../../dist/dashboard/', import.meta.url)),
    config: { ...config, sessionSecret: people.sessionSecret },
    notifications: notifying.settings(notifications.cache),
    explainSuppression: watched.explain,
    readResource: (kind, namespace, name) => readResource(client, kind, namespace, name),
    graphs: cluster.graphs,
    checks: { database: async () => void (await sql`select 1`.execute(storage.db)), cluster: () => client.healthy(), replicas },
    mirrorCounts: () => leads.tasks()?.counts() ?? [],
    mirrorVerdicts: () => leads.tasks()?.tally() ?? { verdicts: [], revisions: [] },
    queues: async () => ({
      reports: failures.intake.waiting(),
      findings: findings.findingIntake.waiting(),
      second_looks: failures.secondLooks.waiting(),
      model: await storage.modelWork.pending(),
    }),
    databasePool: storage.pool,
  });
  begun.defer(async () => void (await Promise.all([watched, notifications, failures, models, talking.work].map((part) => part.stop()))));
  // Every replica runs this: it needs no cluster, and running it twice does no harm.
  const sweep = retention(storage).sweep;
  begun.adopt(
    every(SWEEP_MS, async () => void (await sweep(now())), log),
    (sweeping) => sweeping.stop(),
  );
  if (!config.databaseUrl)
    begun.adopt(
      every(STATISTICS_MS, async () => void (await refreshStatistics(storage.db)), log),
      (refreshing) => refreshing.stop(),
    );
  // Before anything is published and before a socket exists.
  await hearOthers();
  models.start();
  talking.work.start();
  begun.defer(() => app.close());
  begun.adopt(leads, ({ stop }) => stop()).start();
  void notifications.start();
  // Wait for the Suppressions, so that a restart shows nothing that they hide. A cluster that is away does not stop the start.
  await Promise.race([watched.start(), sleep(SUPPRESSIONS_MS)]);
  await starting.close();
  const url = await app.listen({ host: config.host, port: config.port });
  log.info({ url, cluster: client.server, database: config.databaseUrl ? 'postgresql' : 'embedded' }, 'operator is ready');
  const running = begun.move();
  return { url, stop: () => running.disposeAsync() };
}

/** The Lease is named after its cluster: clusters may share a database, and a database may outlive its cluster. */
function storageOptions({ databaseUrl, dataDir, clusterName, podNamespace, agentSilentSeconds }: Config, log: Logger) {
  return { databaseUrl, dataDir, leaseName: `${clusterName}/${podNamespace}`, clusterName, agentSilentMs: agentSilentSeconds * 1000, log };
}
