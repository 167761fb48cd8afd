import { randomUUID } from 'node:crypto';
import { sealer } from '../../../src/accounts/seal.ts';
import type { Store } from '../../../src/db/connect.ts';
import { failureRepository } from '../../../src/db/failures.ts';
import { modelAnswerRepository } from '../../../src/db/model-answers.ts';
import { modelCallRepository } from '../../../src/db/model-calls.ts';
import { modelConfigRepository } from '../../../src/db/model-config.ts';
import { modelWorkRepository } from '../../../src/db/model-work.ts';
import { settingRepository } from '../../../src/db/settings.ts';
import { eventHub, type Hub } from '../../../src/events.ts';
import { httpClient } from '../../../src/http.ts';
import { createLog } from '../../../src/log.ts';
import { languageModel, type LanguageModel } from '../../../src/models/language-model.ts';
import { modelSetups } from '../../../src/models/setup.ts';
import type { ModelSetup } from '../../../src/models/providers/model.ts';
import type { Surroundings } from '../../../src/diagnosis/case.ts';

export interface TestModels {
  store: Store;
  hub?: Hub;
  now?: () => Date;
  encryptionKeys?: string[];
  environment?: ModelSetup;
  /** The default is long enough for a busy machine. */
  budgetMs?: number;
  /** How often the queue is polled. */
  pollMs?: number;
  /** How long a person who asks waits. */
  personWaitsMs?: number;
  /** The timeout of a single call. */
  timeoutMs?: number;
  surroundings?: () => Promise<Surroundings>;
  hiddenNamespaces?: string[];
}

const log = createLog({ level: 'silent' });

/** The language model on a store. It may reach fake model servers on 127.0.0.1. Each call makes another replica. */
export function testModels({ store: { db }, ...over }: TestModels): LanguageModel {
  const { now = () => new Date(), encryptionKeys = ['a-key-of-the-tests-0001'], environment, budgetMs = 30_000, timeoutMs = 10_000 } = over;
  const { pollMs = 50, personWaitsMs } = over;
  const keys = sealer(encryptionKeys);
  const bounds = { timeoutMs, maxBytes: 1024 * 1024 };
  return languageModel({
    setups: modelSetups({
      rows: modelConfigRepository(db),
      sealer: keys,
      environment,
      http: { typed: httpClient({ ...bounds, onlyPublicAnd: ['127.0.0.1'] }), configured: httpClient(bounds) },
      log,
    }),
    answers: modelAnswerRepository(db),
    calls: modelCallRepository(db),
    work: modelWorkRepository(db),
    failures: failureRepository(db),
    hiddenNamespaces: over.hiddenNamespaces ?? [],
    settings: settingRepository(db),
    surroundings: over.surroundings ?? (async () => ({})),
    pseudonymKey: keys.derive('pseudonyms'),
    hub: over.hub ?? eventHub(),
    budgetMs,
    pollMs,
    ...(personWaitsMs === undefined ? {} : { personWaitsMs }),
    holder: randomUUID(),
    now,
    log,
  });
}
