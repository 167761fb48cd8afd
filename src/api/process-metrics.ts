import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** How often the event loop is sampled: at the usual 10 ms that alone keeps an idle process busy for 0.7 % of a core. */
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
 * The metrics that every Node process has. Of those about the event loop only `nodejs_eventloop_lag_seconds` (measured when it is read) is
 * prom-client's own; the figures since the last reading have its names, but are sampled more seldom, and the time between two samples,
 * which is no lag, is taken off. Returns what ends the sampling.
 */
export function processMetrics(registry: Registry): () => void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  registry.removeSingleMetric(nameOf('stddev'));
  const samples = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  samples.enable();
  // Called by the first of them, which is the first to be read.
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
