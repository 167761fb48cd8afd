import type { Config } from '../config.ts';
import type { Storage } from '../db/storage.ts';
import type { Hub, InternalBus } from '../events.ts';
import type { AskTopic } from '../models/ask-topic.ts';
import { announceSuppressedFindings } from './announce.ts';
import { findingIntake, type FindingIntakeDeps } from './intake.ts';
import { findingCorrections } from './model-correction.ts';
import { scans } from './scans.ts';

export interface FindingsWiring extends Pick<FindingIntakeDeps, 'suppressionOf'> {
  config: Pick<Config, 'clusterName'>;
  storage: Pick<Storage, 'findings' | 'findingSuppressions' | 'scans'>;
  models: { askTopic: AskTopic };
  hub: Hub;
  bus: InternalBus;
}

/** Wires security findings: intake, corrections, and requests for a scan. */
export function wireFindings({ config, storage, models, suppressionOf, hub, bus }: FindingsWiring) {
  const { findings, findingSuppressions } = storage;
  announceSuppressedFindings({ findings, hub, bus });
  return {
    findingIntake: findingIntake({ findings, hub, cluster: config.clusterName, suppressionOf, findingSuppressions }),
    fixFinding: findingCorrections({ askTopic: models.askTopic }),
    scans: scans({ rows: storage.scans, hub }),
  };
}
