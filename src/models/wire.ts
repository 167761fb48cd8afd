import { randomUUID } from 'node:crypto';
import type { Sealer } from '../accounts/seal.ts';
import type { Config } from '../config.ts';
import type { Fence } from '../db/leadership.ts';
import { modelWorkRepository } from '../db/model-work.ts';
import type { Storage } from '../db/storage.ts';
import type { Hub } from '../events.ts';
import { type Http, httpClient } from '../http.ts';
import type { Cluster } from '../kube/cluster.ts';
import type { Logger } from '../log.ts';
import { every } from '../async/repeat.ts';
import { type LanguageModel, languageModel } from './language-model.ts';
import { modelSetups } from './setup.ts';
import { modelSweep } from './sweep.ts';

/** The bounds of a model's answer: how long it may take and how large it may be. */
const ANSWER = { timeoutMs: 125_000, maxBytes: 1024 * 1024 };
const SWEEP_MS = 60_000;

export interface ModelsWiring {
  config: Pick<Config, 'model' | 'allowPrivateAddresses' | 'proxy' | 'solutionBudgetMs' | 'hiddenNamespaces'>;
  storage: Pick<Storage, 'modelConfig' | 'modelAnswers' | 'modelCalls' | 'modelWork' | 'failures' | 'settings'>;
  cluster: Cluster;
  sealer: Sealer;
  hub: Hub;
  /** The name of this process. */
  identity: string;
  now(): Date;
  log: Logger;
}

/** The language model as the modes use it. */
export interface Models extends LanguageModel {
  /** Starts the work of the leader: it puts incidents that are missing from the queue back in it. */
  lead(fence: Fence): { stop(): void };
}

/** Makes the HTTP clients: one for addresses that administrators entered, and one for the address from the environment. */
export function modelClients({
  allowPrivateAddresses,
  proxy,
}: Pick<Config, 'allowPrivateAddresses' | 'proxy'>): Record<'typed' | 'configured', Http> {
  const limits = { ...ANSWER, proxy };
  return { typed: httpClient({ ...limits, onlyPublicAnd: allowPrivateAddresses }), configured: httpClient(limits) };
}

export function wireModels({ config, storage, cluster, sealer, hub, identity, now, log }: ModelsWiring): Models {
  const { surroundings } = cluster.interactive;
  const setups = modelSetups({
    rows: storage.modelConfig,
    sealer,
    environment: config.model,
    http: modelClients(config),
    log,
  });
  const model = languageModel({
    setups,
    answers: storage.modelAnswers,
    calls: storage.modelCalls,
    work: storage.modelWork,
    failures: storage.failures,
    hiddenNamespaces: config.hiddenNamespaces,
    settings: storage.settings,
    surroundings: ({ namespace, workload }) => surroundings(namespace, workload),
    pseudonymKey: sealer.derive('pseudonyms'),
    hub,
    budgetMs: config.solutionBudgetMs,
    holder: `${identity}/${randomUUID()}`,
    now,
    log,
  });
  return {
    ...model,
    lead(fence) {
      const sweep = modelSweep({
        setups,
        hiddenNamespaces: config.hiddenNamespaces,
        work: { ...storage.modelWork, ...fence(modelWorkRepository, ['offerLeft']) },
      });
      return every(SWEEP_MS, async () => void (await sweep(now())), log);
    },
  };
}
