import { closedLoop } from './closed-loop.ts';
import { loadFinding, type FindingLoad, resourcePath } from './finding.ts';

// `node findings.ts URL TOKEN LOAD` is a process that sends a load of findings to a running operator. LOAD is the JSON of a FindingLoad.

const [url = '', token = '', text = ''] = process.argv.slice(2);
const load = JSON.parse(text) as FindingLoad;
const { count, concurrency, perRequest } = load;
await closedLoop({
  url,
  token,
  count: perRequest === 'one by one' ? count : Math.ceil(count / perRequest),
  concurrency,
  request(n) {
    if (perRequest === 'one by one') return { method: 'POST', path: '/api/security/findings', body: JSON.stringify(loadFinding(n, load)) };
    const first = n * perRequest;
    const findings = Array.from({ length: perRequest }, (_, k) => {
      const { resource_type: _1, resource_name: _2, namespace: _3, ...found } = loadFinding(first + k, load);
      return found;
    });
    return { method: 'PUT', path: resourcePath(loadFinding(first, load)), body: JSON.stringify({ findings }) };
  },
});
