import { Counter, Gauge, type Registry } from 'prom-client';
import { SEVERITIES, type Severity } from '../contract/finding.ts';

/** The values of the gauges, read for each scrape. A value that cannot be read, for example while the database is down, is left out. */
export interface Measured {
  /** Live MirrorPods; `verdict` is `None` before there is one. */
  mirrorCounts(): { phase: string; verdict: string; count: number }[];
  /** Verdicts of mirrors since this process became the leader, and how many of them were revised later. */
  mirrorVerdicts(): { verdicts: { verdict: string; count: number }[]; revisions: { reason: string; count: number }[] };
  /** The numbers of active security findings and of open advice. */
  findingsBySeverity(): Promise<Partial<Record<Severity, number>>>;
  adviceBySeverity(): Promise<Partial<Record<Severity, number>>>;
  /** How many entries wait in each queue. */
  queues(): Promise<Record<string, number>>;
  /** Connections to the database; undefined for the embedded one, which has none. */
  databasePool(): { open: number; idle: number; waiting: number } | undefined;
  /** Questions to models since the start. */
  modelCalls(): { provider: string; outcome: string; count: number }[];
}

type Sample = [labels: Record<string, string>, value: number];

/** Registers the application's gauges under `podmend_`: few series, whatever the cluster's size. */
export function registerGauges(registry: Registry, measured: Measured & { sockets(): number }): void {
  const gauge = (name: string, help: string, read: () => Sample[] | Promise<Sample[]>, ...labelNames: string[]): void => {
    new Gauge({
      name: `podmend_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const samples = await orNothing(read);
        this.reset();
        for (const [labels, value] of samples) this.set(labels, value);
      },
    });
  };
  const bySeverity = (read: () => Promise<Partial<Record<Severity, number>>>) => async (): Promise<Sample[]> => {
    const counts = await read();
    return SEVERITIES.map((severity): Sample => [{ severity }, counts[severity] ?? 0]);
  };

  gauge('sockets', 'Open WebSocket connections', () => [[{}, measured.sockets()]]);
  gauge(
    'mirrors',
    'Live mirrors by phase and verdict',
    () => measured.mirrorCounts().map(({ phase, verdict, count }): Sample => [{ phase, verdict }, count]),
    ...['phase', 'verdict'],
  );
  gauge('findings', 'Active security findings by severity', bySeverity(measured.findingsBySeverity), 'severity');
  gauge('advice', 'Open advice by severity', bySeverity(measured.adviceBySeverity), 'severity');
  gauge(
    'queue_length',
    'What waits for its turn, by queue',
    async () => Object.entries(await measured.queues()).map(([queue, length]): Sample => [{ queue }, length]),
    'queue',
  );
  const ofPool = (read: (pool: NonNullable<ReturnType<Measured['databasePool']>>) => Sample[]) => (): Sample[] => {
    const pool = measured.databasePool();
    return pool ? read(pool) : [];
  };
  gauge(
    'database_connections',
    'Connections to the database by state',
    ofPool(({ open, idle }) => [
      [{ state: 'idle' }, idle],
      [{ state: 'busy' }, open - idle],
    ]),
    'state',
  );
  gauge(
    'database_waiting',
    'Statements that wait for a connection',
    ofPool(({ waiting }) => [[{}, waiting]]),
  );
  new Counter({
    name: 'podmend_mirror_verdicts_total',
    help: 'First verdicts of mirrors by verdict',
    labelNames: ['verdict'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { verdict, count } of measured.mirrorVerdicts().verdicts) this.inc({ verdict }, count);
    },
  });
  new Counter({
    name: 'podmend_mirror_verdict_revisions_total',
    help: 'Verdicts of mirrors that were revised before the mirror ended, by reason',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { reason, count } of measured.mirrorVerdicts().revisions) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: 'podmend_model_calls_total',
    help: 'Questions to the language model by provider and outcome; cached and held-back ones were not sent',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { provider, outcome, count } of measured.modelCalls()) this.inc({ provider, outcome }, count);
    },
  });
}

/** Returns no samples when reading fails, because the other metrics are still useful. */
async function orNothing(read: () => Sample[] | Promise<Sample[]>): Promise<Sample[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}
