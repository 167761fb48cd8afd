import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testApp, type TestApp } from '../support/worlds/app.ts';

let it: TestApp;
const coming = suite('what is still to come');
coming.before(async () => {
  it = await testApp();
});
coming.after(() => it.close());

const AWAY = 'Kubernetes client not available';
const SLACK = { provider: 'slack', enabled: true, config: {} };

const ANSWERS: ['GET' | 'POST' | 'PUT' | 'DELETE', string, object | undefined, number, string][] = [
  ['GET', '/api/admin/notifications', undefined, 503, AWAY],
  ['POST', '/api/admin/notifications', SLACK, 503, AWAY],
  [
    'POST',
    '/api/admin/notifications',
    { ...SLACK, provider: 'No Name' },
    400,
    'provider must hold only a-z, 0-9 and -, and neither begin nor end with -',
  ],
  ['POST', '/api/admin/notifications/slack/test', undefined, 503, AWAY],
];
for (const [method, url, payload, status, detail] of ANSWERS) {
  coming(`${method} ${url} ${payload ? JSON.stringify(payload) : ''} answers ${status}: ${detail}`, async () => {
    const answer = await it.send('admin', { method, url, ...(payload && { payload }) });
    assert.equal([answer.statusCode, answer.json()], [status, { detail }]);
  });
}

coming.run();
