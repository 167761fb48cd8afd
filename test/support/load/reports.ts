import { closedLoop } from './closed-loop.ts';
import { loadReport } from './report.ts';

// `node reports.ts URL TOKEN COUNT CONCURRENCY PREFIX` is a process that posts COUNT reports to a running operator, CONCURRENCY at a time.

const [url = '', token = '', count = '0', concurrency = '1', prefix = 'load'] = process.argv.slice(2);
await closedLoop({
  url,
  token,
  count: Number(count),
  concurrency: Number(concurrency),
  request: (n) => ({ method: 'POST', path: '/api/pods/failed', body: loadReport(n, prefix) }),
});
