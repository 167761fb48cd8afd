import type { Config } from '../config.ts';
import type { FailureDetail } from '../contract/failure.ts';
import type { Storage } from '../db/storage.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import type { Hub, InternalBus } from '../events.ts';
import type { Cluster } from '../kube/cluster.ts';
import type { Logger } from '../log.ts';
import { reportMask } from '../redact/report.ts';
import { type SecondDiagnoses, secondDiagnoses } from './diagnose-again.ts';
import { type Intake, failureIntake, type IntakeDeps } from './intake.ts';
import { type Recovery, recovery } from './recovery.ts';
import { type Triage, triage } from './triage.ts';
import { type UnsuppressedDeps, unsuppressedSolutions } from './solve-unsuppressed.ts';

export interface FailuresWiring extends Pick<IntakeDeps, 'suppressionOf'> {
  config: Pick<Config, 'clusterName' | 'hiddenNamespaces'>;
  storage: Pick<Storage, 'reports' | 'incidents' | 'assignees' | 'comments' | 'failureSuppressions' | 'failures' | 'agents'>;
  cluster: Cluster;
  models: { offer: NonNullable<IntakeDeps['askModel']>; solveSoon: UnsuppressedDeps['solve'] };
  hub: Hub;
  bus: InternalBus;
  log: Logger;
}

/** Failure records from their report to their end. */
export interface Failures {
  intake: Intake;
  recovery: Recovery;
  triage: Triage;
  secondLooks: SecondDiagnoses;
  stop(): Promise<void>;
}

export function wireFailures({ config, storage, cluster, models, suppressionOf, hub, bus, log }: FailuresWiring): Failures {
  const { failures, agents, failureSuppressions } = storage;
  const { surroundings } = cluster.background;
  const around = ({ namespace, workload }: FailureDetail) => surroundings(namespace, workload);
  const secondLooks = secondDiagnoses({ failures, hub, bus, surroundings: around, diagnose, log });
  const unsuppressed = unsuppressedSolutions({ bus, failures, failureSuppressions, solve: models.solveSoon, log });
  const intake = failureIntake({
    ...storage,
    hub,
    bus,
    cluster: config.clusterName,
    suppressionOf,
    mask: reportMask(),
    diagnose,
    askModel: models.offer,
    log,
  });
  return {
    intake,
    recovery: recovery({ failures, agents, hub, cluster: config.clusterName, hiddenNamespaces: config.hiddenNamespaces }),
    triage: triage({ ...storage, hub }),
    secondLooks,
    stop: async () => void (await Promise.all([unsuppressed.stop(), secondLooks.stop()])),
  };
}
