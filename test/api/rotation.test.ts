import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FacadeConfig } from '../../src/api/deps.ts';
import { OLD_SERVICE_TOKEN, SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';

const rotation = suite('rotation');
let it: TestApp;
rotation.before(async () => {
  it = await testApp();
});
rotation.after(() => it.close());

/** The operator after a restart with another configuration, with the same users and sessions. */
async function restarted(config: Partial<FacadeConfig>): Promise<TestApp> {
  return testApp((deps) => ({ ...it.deps, config: { ...deps.config, ...config }, log: deps.log, hub: deps.hub }));
}
const me = async (app: TestApp, headers: Record<string, string>) => (await app.send('nobody', { url: '/api/auth/me', headers })).statusCode;
const report = async (app: TestApp, token: string) => {
  const headers = { 'x-service-token': token };
  return (await app.send('nobody', { method: 'POST', url: '/api/pods/failed', headers, payload: {} })).statusCode;
};

rotation('a new SESSION_SECRET ends every session, and no API token', async () => {
  const cookie = it.cookie('admin');
  const [user] = await it.users.list();
  const { token } = (await it.deps.tokens.make({ ...user!, created_at: '' }, { name: 'ci' }, it.deps.now()))!;
  const authorization = `Bearer ${token}`;
  assert.equal([await me(it, { cookie }), await me(it, { authorization })], [200, 200]);
  const same = await restarted({});
  assert.equal([await me(same, { cookie }), await me(same, { authorization })], [200, 200], 'a restart alone ends none');
  const rotated = await restarted({ sessionSecret: 'another session secret' });
  assert.equal([await me(rotated, { cookie }), await me(rotated, { authorization })], [401, 200]);
  await same.close();
  await rotated.close();
});

rotation('while SERVICE_TOKEN is `new,old` both are accepted, and then only the new one', async () => {
  const during = await restarted({ serviceTokens: ['the-next-service-token-0123', SERVICE_TOKEN] });
  const after = await restarted({ serviceTokens: ['the-next-service-token-0123'] });
  // 400 means that the token was accepted: the answer complains about the empty report.
  assert.equal(
    [await report(during, 'the-next-service-token-0123'), await report(during, SERVICE_TOKEN), await report(during, OLD_SERVICE_TOKEN)],
    [400, 400, 401],
  );
  assert.equal([await report(after, 'the-next-service-token-0123'), await report(after, SERVICE_TOKEN)], [400, 401]);
  await during.close();
  await after.close();
});

rotation.run();
