import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import { SEVERITIES, type Severity } from '../contract/finding.ts';
import { processMetrics } from './process-metrics.ts';

/** What `/metrics` tells, in a registry of its own so that several apps in one process never mix. */
export interface Metrics {
  registry: Registry;
  /** Counts one failure report by what became of it. */
  report(outcome: 'new' | 'repeat' | 'suppressed'): void;
  /** Seconds that a full pass of the scanner took. */
  scan(durationSeconds: number): void;
}

interface Sources {
  version: string;
  sockets(): number;
  /** Live MirrorPods by phase. */
  mirrorsByPhase(): Record<string, number>;
  /** Active findings by severity. Rejects while the database is away. */
  findingsBySeverity(): Promise<Partial<Record<Severity, number>>>;
  /** Questions to models since the start. */
  modelCalls(): { provider: string; outcome: string; count: number }[];
}

/** The process's own metrics (event-loop lag among them), and the application's under `podmend_`. Durations are in seconds. */
export function appMetrics(app: FastifyInstance, { version, sockets, mirrorsByPhase, findingsBySeverity, modelCalls }: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const endSampling = processMetrics(registry);
  app.addHook('onClose', async () => endSampling());
  new Gauge({ name: 'podmend_build_info', help: 'Always 1; the version is the label', labelNames: ['version'], registers }).set(
    { version },
    1,
  );
  new Gauge({
    name: 'podmend_sockets',
    help: 'Open WebSocket connections',
    registers,
    collect() {
      this.set(sockets());
    },
  });
  new Gauge({
    name: 'podmend_mirrors',
    help: 'Mirrors by phase',
    labelNames: ['phase'],
    registers,
    collect() {
      this.reset();
      for (const [phase, count] of Object.entries(mirrorsByPhase())) this.set({ phase }, count);
    },
  });
  new Gauge({
    name: 'podmend_findings',
    help: 'Active security findings by severity',
    labelNames: ['severity'],
    registers,
    async collect() {
      // Without a database the other metrics are still worth having.
      const counts = await findingsBySeverity().catch(() => undefined);
      this.reset();
      if (counts) for (const severity of SEVERITIES) this.set({ severity }, counts[severity] ?? 0);
    },
  });
  new Counter({
    name: 'podmend_model_calls_total',
    help: 'Questions to the language model by provider and outcome; cached and held-back ones were not sent',
    labelNames: ['provider', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const { provider, outcome, count } of modelCalls()) this.inc({ provider, outcome }, count);
    },
  });
  const scan = new Gauge({ name: 'podmend_scan_duration_seconds', help: "The scanner's last full pass", registers });
  const reports = new Counter({ name: 'podmend_reports_total', help: 'Failure reports by outcome', labelNames: ['outcome'], registers });
  const durations = new Histogram({
    name: 'podmend_http_request_duration_seconds',
    help: 'Requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  return { registry, report: (outcome) => reports.inc({ outcome }), scan: (durationSeconds) => scan.set(durationSeconds) };
}
