import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { apiServerAssets } from '../support/cluster/api-server.ts';
import { type Audited, startAuditedApiServer, writesOf } from '../support/cluster/audit.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { installPodmend } from '../support/worlds/installed.ts';
import { freePort } from '../support/processes/process.ts';
import { aSuppression } from '../support/builders/suppression.ts';
import { until } from '../support/runner/wait.ts';

// Two operators on one PostgreSQL and one real API server. The leader is stopped in the middle of its work, for longer than its Lease
// lasts. It wakes when the other one leads. Each operator has its own token, so the audit log tells them apart.

const test = suite('two operators');
const ACCOUNT = 'podmend-operator';

test('a leader that was paused until another one led writes nothing when it wakes', async () => {
  await using begun = new AsyncDisposableStack();
  const server = begun.adopt(await startAuditedApiServer(), ({ close }) => close());
  const database = begun.adopt(await createDatabase(postgresUrl ?? ''), ({ drop }) => drop());
  const podmend = begun.adopt(await installPodmend(server.kubeconfig, { hasControllers: false }), ({ stop }) => stop());
  const client = begun.adopt(connect({ kubeconfigText: server.kubeconfigText }), ({ close }) => close());
  const suppress = async (name: string) =>
    void (await client.create(KINDS.suppression, aSuppression({ pods: [name] }, { metadata: { name } })));
  const start = async () => {
    const kubeconfig = await podmend.kubeconfigOf(ACCOUNT);
    const dataDir = `${kubeconfig}-data`;
    const env = { DATABASE_URL: database.url, KUBECONFIG: kubeconfig, DATA_DIR: dataDir, PORT: String(await freePort()) };
    const operator = await podmend.startOperator(env);
    const token = await idOfToken(kubeconfig);
    const writes = async () => (await writesOf(server.log, ACCOUNT)).filter((one) => tokenOf(one) === token);
    return { ...operator, writes };
  };

  const first = await start();
  await suppress('before');
  await isSeen(client, 'before');
  const second = await start();
  await second.line(/another process leads/);
  assert.equal((await second.writes()).map(told), []);

  first.child.kill('SIGSTOP');
  // When the first operator wakes, work for a leader waits for it.
  await suppress('meanwhile');
  await second.line(/this process leads"/);
  await isSeen(client, 'meanwhile');
  const sofar = (await first.writes()).length;
  // Both operators see this one.
  await suppress('waking');
  first.child.kill('SIGCONT');
  await isSeen(client, 'waking');
  await first.line(/this process leads no more/);
  await first.line(/another process leads/);
  await suppress('afterwards');
  await isSeen(client, 'afterwards');
  assert.equal((await first.writes()).slice(sofar).map(told), []);
  assert.is((await client.read(KINDS.lease, 'podmend', 'podmend'))?.spec?.leaseTransitions, 2);

  const isFree = second.stop();
  await until(async () => (await first.writes()).length > sofar, { what: 'the first one to lead again' });
  assert.is(await isFree, 0);
});

const isSeen = (client: KubeClient, name: string) =>
  until(async () => (await client.read(KINDS.suppression, 'podmend', name))?.status?.observedGeneration === 1, {
    what: `the Suppression ${name} to be seen`,
  });

/** A write as text, for people. */
const told = ({ verb, requestURI, responseStatus }: Audited): string => `${verb} ${requestURI} ${responseStatus?.code}`;

const tokenOf = ({ user }: Audited): string | undefined => user.extra?.['authentication.kubernetes.io/credential-id']?.[0];

/** The id by which the audit log names the token of a kubeconfig. */
async function idOfToken(kubeconfig: string): Promise<string> {
  const { users } = JSON.parse(await readFile(kubeconfig, 'utf8')) as { users: { user: { token: string } }[] };
  const [, claims = ''] = users[0]?.user.token.split('.') ?? [];
  return `JTI=${(JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string }).jti}`;
}

if (!apiServerAssets()) console.log('SKIP two operators: KUBEBUILDER_ASSETS is not set');
else if (!postgresUrl) console.log('SKIP two operators: TEST_DATABASE_URL is not set');
else test.run();
