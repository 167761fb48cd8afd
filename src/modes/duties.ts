import type { Config } from '../config.ts';
import { adviceRepository } from '../db/advice.ts';
import { adviceHidingRepository, findingHidingRepository, hidingRepository } from '../db/hiding.ts';
import { modelWorkRepository } from '../db/model-work.ts';
import { trialRepository } from '../db/trials.ts';
import { operatorCoverage } from '../failures/coverage.ts';
import type { Intake } from '../failures/intake.ts';
import type { Recovery } from '../failures/recovery.ts';
import { adviser } from '../findings/advice.ts';
import { adviceController } from '../reconcilers/advice.ts';
import type { Duties, Leading } from '../reconcilers/leader.ts';
import { leadingClient } from '../reconcilers/leading-client.ts';
import { type MirrorController, mirrorController, type MirrorsDeps } from '../reconcilers/mirrors.ts';
import type { Suppressions } from '../reconcilers/suppressions.ts';
import { type SweepDeps, modelSweep } from '../solutions/models/sweep.ts';
import { every } from './every.ts';
import type { openStorage } from './storage.ts';

interface DutyDeps extends Omit<MirrorsDeps, 'trials' | 'graces' | 'watchNamespaces'> {
  config: Config;
  storage: Awaited<ReturnType<typeof openStorage>>;
  suppressions: Suppressions;
  intake: Intake;
  recovery: Recovery;
  setups: SweepDeps['setups'];
}

const MODEL_SWEEP_MS = 60_000;

/** What the leader runs, and what its cache of mirrors tells. */
export type LeaderDuties = Duties & Pick<MirrorController, 'counts' | 'locate'>;

/**
 * What only the leader does: reconcilers, and eyes for what no agent sees. Begun anew for each time of leading. What they write into the
 * database is fenced by the term, but for reports and endings of coverage: these are what any agent sends to any replica, and true of the
 * cluster whoever says them.
 */
export function leaderDuties(deps: DutyDeps): (term: Leading) => LeaderDuties {
  const { config, storage, suppressions, intake, recovery, now, log } = deps;
  const { graces, watchNamespaces, clusterName: cluster } = config;
  const { leadership, failures } = storage;
  return (term) => {
    const client = leadingClient(deps.client, term);
    const trials = { ...storage.trials, ...leadership.fenced(term, trialRepository, ['insert', 'update', 'end']) };
    const mirrors = mirrorController({ ...deps, client, trials, graces, watchNamespaces });
    const adviceHiding = { ...storage.adviceHiding, ...leadership.fenced(term, adviceHidingRepository, ['set']) };
    const passes = suppressions.lead(client, {
      failures: { ...storage.hiding, ...leadership.fenced(term, hidingRepository, ['set']) },
      findings: { ...storage.findingHiding, ...leadership.fenced(term, findingHidingRepository, ['set']) },
      advice: adviceHiding,
    });
    const advice = adviceController({
      client,
      advise: adviser({
        client,
        advice: leadership.fenced(term, adviceRepository, ['store']),
        hiding: adviceHiding,
        cluster,
        suppressionOf: suppressions.suppressionOf,
        hub: deps.hub,
        now,
        log,
      }),
      kept: () => storage.advice.namespaces(cluster),
      watchNamespaces,
      timing: { intervalMs: config.scanIntervalSeconds * 1000 },
      now,
      log,
    });
    const coverage = operatorCoverage({
      client,
      cluster,
      watchNamespaces,
      graces,
      now,
      log,
      liveNodes: storage.agents.live,
      silentMs: config.agentSilentSeconds * 1000,
      report: (report, seenAt) => intake.report(report, now(), seenAt),
      gone: (message, seenAt) => recovery.gone(message, seenAt),
      openRecords: failures.openObjects,
    });
    const work = { ...storage.modelWork, ...leadership.fenced(term, modelWorkRepository, ['offerLeft']) };
    const sweep = modelSweep({ setups: deps.setups, work });
    const sweeping = every(MODEL_SWEEP_MS, async () => void (await sweep(now())), log);
    void mirrors.start();
    coverage.start();
    advice.start();
    return {
      counts: mirrors.counts,
      locate: mirrors.locate,
      stop: async () => {
        sweeping.stop();
        await Promise.all([mirrors.stop(), passes.stop(), coverage.stop(), advice.stop()]);
      },
    };
  };
}
