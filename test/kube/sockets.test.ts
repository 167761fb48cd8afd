import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connections } from '../../src/kube/sockets.ts';
import { until } from '../support/runner/wait.ts';

const test = suite('connections to an API server');

for (const [most, open] of [
  [2, 2],
  [undefined, 5],
] as const)
  test(`of five requests at once, ${open} are sent if ${most ?? 'any number'} may be open`, async () => {
    const waiting: (() => void)[] = [];
    const server = createServer((_request, response) => void waiting.push(() => response.end('x')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = connections({}, most);
    try {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const all = Array.from({ length: 5 }, () => agent.request({ origin, path: '/', method: 'GET' }).then(({ body }) => body.text()));
      await until(() => waiting.length === open, { what: `${open} requests` });
      let answered = 0;
      const answer = async () => {
        await until(() => waiting.length > answered, { what: 'the next request' });
        assert.ok(waiting.length - answered <= open, 'no more at once');
        waiting[answered++]?.();
      };
      for (let count = 0; count < 5; count++) await answer();
      assert.equal(
        await Promise.all(all),
        Array.from({ length: 5 }, () => 'x'),
      );
    } finally {
      await agent.close();
      server.close();
    }
  });

test('a connection is opened with the options that are given', async () => {
  const server = createServer((_request, response) => void response.end('x'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked: string[] = [];
  const lookup = (host: string, _options: object, found: (error: null, addresses: { address: string; family: 4 }[]) => void): void => {
    asked.push(host);
    found(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  const agent = connections({ lookup });
  try {
    const origin = `http://api.example:${(server.address() as AddressInfo).port}`;
    const { body } = await agent.request({ origin, path: '/', method: 'GET' });
    assert.is(await body.text(), 'x');
    assert.equal(asked, ['api.example']);
  } finally {
    await agent.close();
    server.close();
  }
});

test.run();
