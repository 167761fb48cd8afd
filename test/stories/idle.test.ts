import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { apiServerAssets } from '../support/cluster/api-server.ts';
import { watchIdleOperator } from '../support/processes/idle.ts';
import { longOr } from '../support/runner/long.ts';

const test = suite('an operator with nothing to do');

test('writes nothing but its Lease, whatever is kept', async () => {
  const { writes, renewals, cpuPercent, seconds } = await watchIdleOperator({
    mirrors: longOr(1_000, 100),
    suppressions: longOr(200, 20),
    settleSeconds: longOr(60, 0),
    seconds: longOr(600, 30),
  });
  console.log(`CPU ${cpuPercent.toFixed(2)} % of a core over ${seconds} s, ${renewals} renewals`);
  assert.equal(
    writes.map(({ verb, requestURI }) => `${verb} ${requestURI}`),
    [],
  );
  assert.ok(renewals > 0 && renewals <= seconds / 5 + 1, `${renewals} renewals`);
});

if (apiServerAssets()) test.run();
else console.log('SKIP an operator with nothing to do: KUBEBUILDER_ASSETS is not set');
