import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { type Engine, ENGINES, type MeasuredOperator, withMeasuredOperators } from '../support/processes/measured-operator.ts';
import { apiClient } from '../support/network/client.ts';
import { runLoad } from '../support/processes/operator.ts';
import { until } from '../support/runner/wait.ts';
import { type Bench, spread, table, type Tree } from './bench.ts';

const RUNS = 5;
const REPORTS = 500;
const [FEW, MANY] = [1, 192];
/** A number that every compared commit allows. */
const SOCKETS_A_SESSION = 32;
const PERSON = { username: 'bench', password: 'correct horse' };

/** The cost of sending new failures to open sockets. */
export const [name, compares] = ['fan-out', true] as const;

export async function run(out: Parameters<Bench['run']>[0], trees: Tree[]): Promise<void> {
  out(
    `${REPORTS} new failures, 16 reports at once, told to ${FEW} and to ${MANY} sockets. Median (lowest..highest) of ${RUNS} runs; the trees take turns.\n`,
  );
  const engine: Engine = ENGINES[0] ?? 'PGlite';
  const rows: string[][] = [];
  await withMeasuredOperators(engine, trees, async (operators) => {
    for (const { url } of operators) {
      await runLoad(url, { count: 1_000, concurrency: 16, prefix: 'warm' });
      await apiClient(url).send('POST', '/api/auth/signup', PERSON);
    }
    const spent = new Map<string, { few: number; many: number; bytes: number }[]>();
    for (let n = 0; n < RUNS; n++)
      for (const operator of n % 2 ? operators.toReversed() : operators) {
        const few = await told(operator, FEW, `few-${n}`);
        const many = await told(operator, MANY, `many-${n}`);
        spent.set(operator.tree, [...(spent.get(operator.tree) ?? []), { few: few.ms, many: many.ms, bytes: many.bytes }]);
      }
    for (const [tree, runs] of spent) {
      const of = (value: (run: (typeof runs)[number]) => number, digits: number): string => spread(runs.map(value), digits);
      rows.push([
        tree,
        of(({ few }) => few / REPORTS, 3),
        of(({ many }) => many / REPORTS, 3),
        of(({ few, many }) => ((many - few) * 1000) / REPORTS / (MANY - FEW), 2),
        of(({ bytes }) => bytes / REPORTS, 0),
      ]);
    }
  });
  out(
    table(
      ['tree', `CPU ms/failure, ${FEW} socket`, `CPU ms/failure, ${MANY} sockets`, 'CPU µs/message and socket', 'bytes a message'],
      rows,
    ),
  );
}

/** The operator's CPU time in milliseconds until every socket has all failures, and the bytes that one socket received. */
async function told(operator: MeasuredOperator, count: number, prefix: string): Promise<{ ms: number; bytes: number }> {
  const cookies = await sessions(operator.url, Math.ceil(count / SOCKETS_A_SESSION));
  const sockets = await Promise.all(
    Array.from({ length: count }, (_, n) => listen(operator.url, cookies[Math.floor(n / SOCKETS_A_SESSION)] ?? '')),
  );
  try {
    const { spent } = await operator.spentOn(async () => {
      await runLoad(operator.url, { count: REPORTS, concurrency: 16, prefix });
      await until(() => sockets.every(({ heard }) => heard.messages >= REPORTS), {
        timeoutMs: 60_000,
        everyMs: 20,
        what: () => `all messages: ${Math.min(...sockets.map(({ heard }) => heard.messages))}`,
      });
    });
    return { ms: spent.operator, bytes: sockets[0]?.heard.bytes ?? 0 };
  } finally {
    for (const { socket } of sockets) socket.terminate();
  }
}

const known = new Map<string, string[]>();

/** Cookies of `count` sessions of an operator. Sessions of earlier runs are reused. */
async function sessions(url: string, count: number): Promise<string[]> {
  const cookies = known.get(url) ?? [];
  while (cookies.length < count) cookies.push(await logIn(url));
  known.set(url, cookies);
  return cookies;
}

/** Logs in. The operator allows five logins in 30 seconds; when it refuses, waits as long as it says. */
async function logIn(url: string): Promise<string> {
  const answer = await apiClient(url).send('POST', '/api/auth/login', PERSON);
  if (answer.status === 200) return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  if (answer.status !== 429) throw new Error(`login: ${answer.status} ${JSON.stringify(answer.body)}`);
  await sleep((Number(answer.headers.get('retry-after')) || 1) * 1000);
  return logIn(url);
}

async function listen(url: string, cookie: string): Promise<{ socket: WebSocket; heard: { messages: number; bytes: number } }> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/ws`, { headers: { cookie } });
  const heard = { messages: 0, bytes: 0 };
  socket.on('message', (data: Buffer) => {
    heard.messages++;
    heard.bytes += data.length;
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { socket, heard };
}
