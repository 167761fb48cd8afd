import { Pool } from 'undici';

/** One request of a load. */
export interface LoadRequest {
  method: 'POST' | 'PUT';
  path: string;
  body: string;
}

export interface ClosedLoop {
  url: string;
  token: string;
  count: number;
  /** The number of concurrent requests. Each sender waits for its answer before it sends the next one. */
  concurrency: number;
  /** The nth request. It is built before the measurement of its latency begins. */
  request(n: number): LoadRequest;
}

/** Sends the requests to a running operator and prints one line of JSON: the result of `runLoad` in `processes/operator.ts`. */
export async function closedLoop({ url, token, count, concurrency, request }: ClosedLoop): Promise<void> {
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
  const headers = { 'content-type': 'application/json', 'x-service-token': token };
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const made = request(next++);
      const begun = performance.now();
      const answer = await pool.request({ ...made, headers });
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      latencies.push(performance.now() - begun);
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - begun) / 1000;
  await pool.close();
  console.log(JSON.stringify({ perSecond: count / seconds, latencies: latencies.map((ms) => Math.round(ms * 100) / 100), statuses }));
}
