import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { processMetrics } from '../../src/api/process-metrics.ts';
import { until } from '../support/runner/wait.ts';

const test = suite('metrics of the process');

const valueOf = async (registry: Registry, name: string): Promise<number> => {
  const line = new RegExp(`^${name} (\\S+)$`, 'm').exec(await registry.metrics());
  return Number(line?.[1]);
};

test('the lag of a blocked event loop is measured without the time between samples, and reported once', async () => {
  const registry = new Registry();
  const end = processMetrics(registry);
  try {
    assert.is(await valueOf(registry, 'nodejs_eventloop_lag_max_seconds'), 0, 'nothing was sampled yet');
    let [lag, lasted] = [0, 0];
    const lagged = async () => {
      // The first sample after a reading is the start for the next measurement.
      const beganAt = performance.now();
      await sleep(250);
      const blockedUntil = performance.now() + 450;
      while (performance.now() < blockedUntil);
      await sleep(50);
      lag = await valueOf(registry, 'nodejs_eventloop_lag_max_seconds');
      lasted = (performance.now() - beganAt) / 1000;
      return lag > 0.1;
    };
    await until(lagged, { what: 'lag' });
    // The lag must not include the normal time between two samples: in each round, more than 0.25 s are no lag.
    assert.ok(lag <= lasted - 0.2, `${lag} s of ${lasted} s`);
    assert.match(await registry.metrics(), /^nodejs_eventloop_lag_seconds /m);
    assert.is(await valueOf(registry, 'nodejs_eventloop_lag_max_seconds'), 0, 'what was read is not told again');
    for (const figure of ['min', 'mean', 'p50', 'p90', 'p99'])
      assert.ok((await valueOf(registry, `nodejs_eventloop_lag_${figure}_seconds`)) >= 0, figure);
    assert.ok((await valueOf(registry, 'process_cpu_seconds_total')) > 0);
  } finally {
    end();
  }
});

test.run();
