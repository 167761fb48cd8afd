import { apiServerAssets } from '../support/cluster/api-server.ts';
import { watchIdleOperator } from '../support/processes/idle.ts';
import { type Bench, table } from './bench.ts';

const [MIRRORS, SUPPRESSIONS, SECONDS] = [1_000, 200, 60];

/** The cost of an idle operator, on a real API server. */
export const name = 'idle';

export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  if (!apiServerAssets()) return out('Left out: KUBEBUILDER_ASSETS is not set.');
  out(`${MIRRORS} MirrorPods that are kept, ${SUPPRESSIONS} Suppressions, watched for ${SECONDS} s after a minute. CPU of one core.\n`);
  const { writes, renewals, cpuPercent } = await watchIdleOperator({
    mirrors: MIRRORS,
    suppressions: SUPPRESSIONS,
    settleSeconds: 60,
    seconds: SECONDS,
  });
  out(table(['CPU %', 'writes', 'renewals of the Lease'], [[cpuPercent.toFixed(2), writes.length, renewals]]));
}
