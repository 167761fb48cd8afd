import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WAITING } from '../contract/routes.ts';
import { apiClient, type Client } from '../support/network/client.ts';
import { startMode } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';

// `node test/fuzz/run.ts SCHEMATHESIS [SECONDS] [SEED]` runs schemathesis on the demo, with the API description that the demo serves. It
// runs first as an administrator with the service token, then without credentials. It fails on a 5xx, an undeclared status, an answer that
// breaks its schema, and a way past authentication. The exit code is 0 if it finds nothing.

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const [schemathesis, seconds = '120', seed = '1'] = process.argv.slice(2);
if (!schemathesis) throw new Error('usage: node test/fuzz/run.ts SCHEMATHESIS [SECONDS] [SEED]');

const TOKEN = 'fuzz-service-token-0123456789';
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** Routes that are not requested, each with the reason. */
const LEFT_OUT: Record<string, string> = {
  'POST /api/auth/logout': 'it would end the session that all else is asked with',
  'GET /api/pods/{namespace}/{pod_name}/logs/stream': 'an answer without an end',
};

const folder = await mkdtemp(join(tmpdir(), 'podmend-fuzz-'));
const demo = startMode('demo', {
  PORT: '0',
  SERVICE_TOKEN: TOKEN,
  LOG_LEVEL: 'warn',
  NODE_OPTIONS: `--import ${path('stay-home.ts')}`,
});
try {
  process.exitCode = await fuzz();
} finally {
  await demo.stop();
  await rm(folder, { recursive: true, force: true });
}

async function fuzz(): Promise<number> {
  const url = (await demo.line(/^address: (\S+)$/m))[1] ?? '';
  const client = apiClient(url);
  const signedUp = await client.send<{ id: number }>('POST', '/api/auth/signup', { username: 'fuzz', password: 'correct horse' });
  const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await someOfEach(client);
  const config = join(folder, 'schemathesis.toml');
  await writeFile(config, `hooks = ${JSON.stringify(path('hooks.py'))}\n`);

  // Routes whose feature does not exist yet answer 503.
  const waiting = Object.entries(WAITING).flatMap(([route, how]) => (how === 503 ? [route] : []));
  const run = (who: string, args: string[], forSeconds: number, checks: string[]): Promise<number> => {
    console.log(`-- as ${who}, for ${forSeconds} s`);
    const names = [...Object.keys(LEFT_OUT), ...waiting].flatMap((name) => ['--exclude-name', name]);
    return finished(
      [
        ...['--config-file', config, 'run', `${url}/docs/json`, '--url', url, '--checks', checks.join()],
        ...['--seed', seed, '--max-time', String(forSeconds), '--workers', '1', '--request-timeout', '30'],
        ...['--generation-database', 'none', '--no-color', '--continue-on-failure', '--suppress-health-check', 'all'],
        ...[...names, ...args],
      ],
      { FUZZ_OWN_ID: String(signedUp.body.id) },
    );
  };
  // Always with these credentials. With generated ones, most answers would only say that the user is not authenticated.
  const asAdmin = ['-H', `Cookie: ${cookie}`, '-H', `X-Service-Token: ${TOKEN}`, '--generation-with-security-parameters', 'false'];
  const found = await run('an administrator', asAdmin, Number(seconds), CHECKS);
  const { status } = await client.send('GET', '/api/auth/me');
  if (status !== 200) console.log(`the administrator's session has ended (${status}): what came after that shows nothing`);
  const passed = await run('nobody', [], Math.ceil(Number(seconds) / 4), [...CHECKS, 'no_way_past_authentication']);
  const lived = demo.child.exitCode === null;
  if (!lived) console.log('the server has ended');
  // The log of the demo shows why there was a 5xx.
  for (const line of new Set(demo.output().match(/"msg":"request failed".*|"err":\{"type[^}]{0,600}/g))) console.log(line);
  return found === 0 && passed === 0 && status === 200 && lived ? 0 : 1;
}

/** Creates something to request: failures of the shop, a mirror of one of them, a finding, advice. */
async function someOfEach(client: Client): Promise<void> {
  const first = await until(async () => (await client.get<{ id: number }[]>('/api/pods/failed')).at(-1), {
    timeoutMs: 60_000,
    what: 'a failure',
  });
  const finding = { resource_type: 'Pod', resource_name: 'web-1', namespace: 'shop', check_name: 'privileged', severity: 'high' };
  await client.send('POST', '/api/security/findings', finding, { 'x-service-token': TOKEN });
  await client.send('POST', `/api/mirror/deploy/${first.id}`, {});
  await until(async () => (await client.get<unknown[]>('/api/advice/findings')).length > 0, { timeoutMs: 60_000, what: 'advice' });
}

async function finished(args: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(schemathesis ?? '', args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
