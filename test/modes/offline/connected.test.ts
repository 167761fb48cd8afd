import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClusterUnavailable, CredentialsUnavailable, KubeError } from '../../../src/kube/errors.ts';
import { InputError } from '../../../src/modes/mode.ts';
import { connected, explained } from '../../../src/modes/offline/connected.ts';

const test = suite('errors of a cluster, for the user');

const server = 'https://shop:6443';
const ROWS: [what: string, error: Error, says: string, server?: string][] = [
  ['no answer', new ClusterUnavailable('connection refused'), 'the cluster at https://shop:6443 does not answer: connection refused'],
  [
    'no kubeconfig',
    new ClusterUnavailable('connection refused'),
    'the cluster at http://localhost:8080 does not answer: there is no kubeconfig (--kubeconfig, KUBECONFIG or ~/.kube/config name one)',
    'http://localhost:8080',
  ],
  ['no credentials', new CredentialsUnavailable('the plugin said no'), 'the plugin said no'],
  ['wrong credentials', new KubeError(401, 'Unauthorized', 'x'), 'the cluster at https://shop:6443 does not accept your credentials'],
  ['a refusal', new KubeError(403, 'Forbidden', 'pods is\nforbidden'), 'the cluster at https://shop:6443 refuses: pods is forbidden'],
];
for (const [what, error, says, at = server] of ROWS)
  test(what, async () => {
    const told: unknown = await explained({ server: at }, Promise.reject(error)).catch((reason: unknown) => reason);
    assert.instance(told, InputError);
    assert.is((told as Error).message, says);
  });

test('a long refusal is cut', async () => {
  const told = await explained({ server }, Promise.reject(new KubeError(400, 'x', 'x'.repeat(5_000)))).catch(
    (reason: Error) => reason.message,
  );
  assert.ok(told.length < 500 && told.length > 400, String(told.length));
});

test('an answer and a defect pass through', async () => {
  assert.is(await explained({ server }, Promise.resolve(1)), 1);
  const defect = new TypeError('x is not a function');
  assert.is(await explained({ server }, Promise.reject(defect)).catch((reason: unknown) => reason), defect);
});

test('a kubeconfig that cannot be used is bad input', () => {
  assert.throws(
    () => connected({ kubeconfig: '/does/not/exist', context: undefined }),
    (error: unknown) => error instanceof InputError && /^cannot connect to a cluster: .*\/does\/not\/exist/.test(error.message),
  );
});

test.run();
