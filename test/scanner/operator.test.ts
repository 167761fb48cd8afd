import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Http, HttpError } from '../../src/http.ts';
import { createLog } from '../../src/log.ts';
import { operator, OperatorAway } from '../../src/scanner/operator.ts';

const talks = suite('what the scanner tells the operator');

function telling(http: Http) {
  return operator({ http, backendUrl: 'http://operator', serviceToken: 'token-0123456789', log: createLog({ level: 'silent' }) });
}

const answering = (status: number) => telling(async () => ({ status, headers: {}, body: Buffer.alloc(0) }) as never);

for (const status of [500, 502, 503, 429, 408, 401])
  talks(`${status}: the operator is away, and what was sent must be sent again`, async () => {
    await answering(status)
      .clear()
      .then(
        () => assert.unreachable('resolved'),
        (error: unknown) => assert.instance(error, OperatorAway),
      );
  });

for (const status of [200, 204, 400, 404, 413, 422])
  talks(`${status}: nothing to send again`, async () => {
    await answering(status).clear();
  });

talks('an operator that cannot be reached is away', async () => {
  const lost = telling(async () => {
    throw new HttpError('http://operator', 'ECONNREFUSED', 'refused');
  });
  await lost.remove('Deployment/shop/web').then(
    () => assert.unreachable('resolved'),
    (error: unknown) => assert.instance(error, OperatorAway),
  );
});

talks('an error of our own does not count as one of the operator', async () => {
  const broken = telling(async () => {
    throw new TypeError('ours');
  });
  await broken.clear().then(
    () => assert.unreachable('resolved'),
    (error: unknown) => assert.instance(error, TypeError),
  );
});

talks('it clears, replaces and removes only the findings of this scanner', async () => {
  const sent: string[] = [];
  const http = (async (url: string, { body }: { body?: string } = {}) => {
    const { source } = JSON.parse(body ?? '{}') as { source?: string };
    sent.push(source ?? new URL(url).searchParams.get('source') ?? 'none');
    return { status: 204 };
  }) as unknown as Http;
  const talking = telling(http);
  await talking.clear();
  await talking.remove('Pod/shop/web');
  await talking.replace('Pod/shop/web', []);
  assert.equal(sent, ['podmend', 'podmend', 'podmend']);
});

talks('each message has its method, path and body, and the token', async () => {
  const sent: unknown[] = [];
  const talking = telling(async (url, options) => {
    const { method, headers, body } = options as { method: string; headers: Record<string, string>; body?: string };
    sent.push([`${method} ${String(url).replace('http://operator', '')}`, headers, ...(body === undefined ? [] : [JSON.parse(body)])]);
    return { status: 204 } as never;
  });
  await talking.replace('ClusterRole//all', []);
  await talking.remove('Pod/shop/web');
  await talking.clear();
  await talking.status({ status: 'started', reason: 'schedule' });
  await talking.duration(1.5);
  const token = { 'x-service-token': 'token-0123456789' };
  const json = { 'content-type': 'application/json', ...token };
  assert.equal(sent, [
    ['PUT /api/security/findings/resource/ClusterRole/cluster-wide/all', json, { source: 'podmend', findings: [] }],
    ['DELETE /api/security/findings/resource/Pod/shop/web?source=podmend', token],
    ['POST /api/security/scan/clear?source=podmend', token],
    ['POST /api/security/rescan-status', json, { status: 'started', reason: 'schedule' }],
    ['POST /api/metrics/security-scan-duration', json, { duration_seconds: 1.5 }],
  ]);
});

talks('each part of a key is encoded, and at most 500 findings are sent', async () => {
  const sent: { url: string; findings: unknown }[] = [];
  const http = (async (url: string, { body }: { body?: string } = {}) => {
    sent.push({ url, findings: (JSON.parse(body ?? '{}') as { findings?: unknown }).findings });
    return { status: 204 };
  }) as unknown as Http;
  await telling(http).replace('Deployment/shop/a b?', Array.from({ length: 501 }, () => ({})) as never);
  const url = 'http://operator/api/security/findings/resource/Deployment/shop/a%20b%3F';
  assert.equal(sent, [{ url, findings: Array.from({ length: 500 }, () => ({})) }]);
});

talks.run();
