import { Registry } from 'prom-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Measured, registerGauges } from '../../src/api/gauges.ts';

const test = suite('gauges');

/** The samples of a scrape, without comments. */
async function scrape(over: Partial<Measured> = {}): Promise<string[]> {
  const registry = new Registry();
  registerGauges(registry, {
    sockets: () => 3,
    mirrorCounts: () => [{ phase: 'Running', verdict: 'None', count: 2 }],
    mirrorVerdicts: () => ({ verdicts: [{ verdict: 'Healthy', count: 4 }], revisions: [{ reason: 'Crash', count: 1 }] }),
    findingsBySeverity: async () => ({ high: 5 }),
    adviceBySeverity: async () => ({ low: 6 }),
    queues: async () => ({ reports: 7, model: 0 }),
    databasePool: () => ({ open: 10, idle: 4, waiting: 2 }),
    modelCalls: () => [{ provider: 'anthropic', outcome: 'answered', count: 8 }],
    ...over,
  });
  // The second scrape shows that nothing is counted twice.
  await registry.metrics();
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
const severities = (name: string, counts: Record<string, number>): string[] =>
  ['critical', 'high', 'medium', 'low', 'info'].map((severity) => `podmend_${name}{severity="${severity}"} ${counts[severity] ?? 0}`);

test('each has its name, labels and value, every severity among them', async () => {
  assert.equal(await scrape(), [
    'podmend_sockets 3',
    'podmend_mirrors{phase="Running",verdict="None"} 2',
    ...severities('findings', { high: 5 }),
    ...severities('advice', { low: 6 }),
    'podmend_queue_length{queue="reports"} 7',
    'podmend_queue_length{queue="model"} 0',
    'podmend_database_connections{state="idle"} 4',
    'podmend_database_connections{state="busy"} 6',
    'podmend_database_waiting 2',
    'podmend_mirror_verdicts_total{verdict="Healthy"} 4',
    'podmend_mirror_verdict_revisions_total{reason="Crash"} 1',
    'podmend_model_calls_total{provider="anthropic",outcome="answered"} 8',
  ]);
});

test('what cannot be read is left out, and the others stay; an embedded database has no connections', async () => {
  const lines = await scrape({
    findingsBySeverity: () => Promise.reject(new Error('away')),
    queues: () => Promise.reject(new Error('away')),
    databasePool: () => undefined,
  });
  assert.equal(
    lines.filter((line) => /findings|queue|database_connections/.test(line)),
    [],
  );
  assert.is(lines.length, 11);
});

test.run();
