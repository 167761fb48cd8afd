import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import { type Measured, registerGauges } from './gauges.ts';
import { processMetrics } from './process-metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for a report of a hidden namespace: no metric counts it. */
    isUncounted: boolean;
  }
}

/** The metrics of `/metrics`, in a registry of their own, so that several apps in one process do not mix. */
export interface Metrics {
  registry: Registry;
  /** Counts one failure report by what became of it. */
  report(outcome: 'new' | 'repeat' | 'suppressed' | 'refused' | 'failed'): void;
  /** Seconds that a full pass of the scanner took. */
  scan(durationSeconds: number): void;
}

/** The routes whose duration is measured in buckets. Only routes that people or agents wait for, because each bucket adds series. */
export const TIMED = new Set([
  'POST /api/pods/failed',
  'PUT /api/agents/:node',
  'POST /api/security/findings',
  'PUT /api/security/findings/resource/:type/:ns/:name',
  'GET /api/pods/failed',
  'GET /api/pods/failed/:pod_id',
  'GET /api/security/findings',
  'GET /api/advice/findings',
  'POST /api/auth/login',
  'POST /api/mirror/preview/:pod_id',
  'POST /api/mirror/deploy/:pod_id',
  'GET /api/pods/:namespace/:pod_name/logs',
]);

/** The process's own metrics (event-loop lag among them), and the application's under `podmend_`. Durations are in seconds. */
export function appMetrics(app: FastifyInstance, { version, ...measured }: Measured & { version: string; sockets(): number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const endSampling = processMetrics(registry);
  app.addHook('onClose', async () => endSampling());
  const build = { version, node: process.versions.node };
  new Gauge({ name: 'podmend_build_info', help: 'Always 1; the labels say what runs', labelNames: Object.keys(build), registers }).set(
    build,
    1,
  );
  registerGauges(registry, measured);
  const scan = new Gauge({ name: 'podmend_scan_duration_seconds', help: "The scanner's last full pass", registers });
  const reports = new Counter({ name: 'podmend_reports_total', help: 'Failure reports by outcome', labelNames: ['outcome'], registers });
  const requests = new Counter({
    name: 'podmend_http_requests_total',
    help: 'Requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'podmend_http_request_duration_seconds',
    help: 'How long requests take, for the routes that people or agents wait for',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  app.decorateRequest('isUncounted', false);
  app.addHook('onResponse', (request, reply, done) => {
    if (request.isUncounted) return done();
    // The label is the route and not the address, so that there is one series per route.
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const labels = { method, route, status: reply.statusCode };
    requests.inc(labels);
    if (TIMED.has(`${method} ${route}`)) durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  return { registry, report: (outcome) => reports.inc({ outcome }), scan: (durationSeconds) => scan.set(durationSeconds) };
}
