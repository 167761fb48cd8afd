import { Pool } from 'undici';
import { loadReport } from './load-report.ts';

// A load on a running operator, as a process of its own: `node load.ts URL TOKEN COUNT CONCURRENCY PREFIX` posts COUNT reports, CONCURRENCY at a
// time, and prints one line of JSON: what `runLoad` in `operator-process.ts` answers.

const [url = '', token = '', count = '0', concurrency = '1', prefix = 'load'] = process.argv.slice(2);
const total = Number(count);
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 });
const headers = { 'content-type': 'application/json', 'x-service-token': token };
const latencies: number[] = [];
const statuses: Record<number, number> = {};
let next = 0;

async function worker(): Promise<void> {
  while (next < total) {
    const body = loadReport(next++, prefix);
    const begun = performance.now();
    const answer = await pool.request({ path: '/api/pods/failed', method: 'POST', headers, body });
    await answer.body.dump();
    latencies.push(performance.now() - begun);
    statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
  }
}

const begun = performance.now();
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
const seconds = (performance.now() - begun) / 1000;
await pool.close();
console.log(JSON.stringify({ perSecond: total / seconds, latencies: latencies.map((ms) => Math.round(ms * 100) / 100), statuses }));
