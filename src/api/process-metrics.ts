import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** The event loop is sampled at this interval. The usual interval of 10 ms takes 0.7 % of a core even in an idle process. */
const SAMPLE_MS = 200;
const NEVER_MS = 2 ** 31 - 1;
const NS_PER_SECOND = 1e9;

type Samples = ReturnType<typeof monitorEventLoopDelay>;

const FIGURES: [name: string, of: (samples: Samples) => number][] = [
  ['min', ({ min }) => min],
  ['max', ({ max }) => max],
  ['mean', ({ mean }) => mean],
  ['p50', (samples) => samples.percentile(50)],
  ['p90', (samples) => samples.percentile(90)],
  ['p99', (samples) => samples.percentile(99)],
];

/**
 * Registers the default metrics of Node processes. prom-client measures them, except the statistics of the event loop lag (`min`, `max`,
 * `p99` and so on). These keep the names of prom-client, but are sampled less often, and the sampling interval is subtracted because it is
 * not lag. Returns a function that ends the sampling.
 */
export function processMetrics(registry: Registry): () => void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  registry.removeSingleMetric(nameOf('stddev'));
  const samples = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  samples.enable();
  // Only the first gauge calls this, because it is read first.
  const collect = (): void => {
    for (const { gauge, of } of gauges) gauge.set(samples.count === 0 ? 0 : Math.max(0, of(samples) / NS_PER_SECOND - SAMPLE_MS / 1000));
    samples.reset();
  };
  const gauges = FIGURES.map(([figure, of], index) => {
    const name = nameOf(figure);
    registry.removeSingleMetric(name);
    const help = `Event loop lag in seconds: ${figure} since the last reading`;
    return { of, gauge: new Gauge({ name, help, registers: [registry], ...(index === 0 ? { collect } : {}) }) };
  });
  return () => samples.disable();
}

const nameOf = (figure: string): string => `nodejs_eventloop_lag_${figure}_seconds`;
