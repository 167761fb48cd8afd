import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest } from '../../support/builders/cases.ts';

const FAILED = 'Failed to pull image "shop/web:1": failed to resolve reference "docker.io/shop/web:1": ';
/** The diagnosis of a pod with two pull secrets whose image pull fails for this reason. */
const pulling = (why: string, ...more: string[]) =>
  diagnose(
    aCase({
      failure_reason: 'ImagePullBackOff',
      status: { state: 'waiting', reason: 'ImagePullBackOff', image: 'shop/web:1' },
      events: [`${FAILED}${why}`, ...more].map((message) => ({ type: 'Warning', reason: 'Failed', message })),
      manifest: aPodManifest({ image: 'shop/web:1' }, { imagePullSecrets: [{ name: 'one' }, { name: 'two' }] }),
      surroundings: { secrets: [{ name: 'ones', keys: [] }] },
    }),
  );

const pulls = suite('images that cannot be pulled');
const COMMANDS: [why: string, wanted: RegExp, unwanted: RegExp][] = [
  ['docker.io/shop/web:1: not found', /^skopeo list-tags/, /create secret/],
  ['pull access denied', /create secret docker-registry/, /^skopeo/],
  ['dial tcp 10.0.0.1:443: i/o timeout', /^kubectl describe pod/, /^skopeo|create secret/],
];
for (const [why, wanted, unwanted] of COMMANDS)
  pulls(`commands for: ${why}`, () => {
    const { commands } = pulling(why);
    assert.ok(commands.some((command) => wanted.test(command)));
    assert.not.ok(commands.some((command) => unwanted.test(command)));
  });

pulls('the first of the missing pull secrets is named and replaced', () => {
  const missing = 'Unable to retrieve some image pull secrets (one, two); attempting to pull the image may not succeed.';
  const { culprit, corrections } = pulling('pull access denied', missing);
  assert.is(culprit, 'pull secret one');
  assert.equal(
    corrections[0]?.changes.map(({ path, to }) => [path, to]),
    [['spec.imagePullSecrets[0].name', 'ones']],
  );
});
pulls('a missing pull secret is not the cause of a network failure', () => {
  const missing = 'Unable to retrieve some image pull secrets (one); attempting to pull the image may not succeed.';
  assert.match(pulling('dial tcp 10.0.0.1:443: i/o timeout', missing).summary, 'cannot reach the registry');
});
/** The diagnosis of a pod with one pull secret. `secret` is that Secret in the namespace. */
const withSecret = (
  secret: object | undefined,
  why = 'pull access denied, authorization failed: no basic auth credentials',
  others: { name: string; type?: string; keys: string[] }[] = [],
) =>
  diagnose(
    aCase({
      failure_reason: 'ImagePullBackOff',
      status: { state: 'waiting', reason: 'ImagePullBackOff', image: 'shop/web:1' },
      events: [{ type: 'Warning', reason: 'Failed', message: `${FAILED}${why}` }],
      manifest: aPodManifest({ image: 'shop/web:1' }, { imagePullSecrets: [{ name: 'login' }, ...others.map(({ name }) => ({ name }))] }),
      surroundings: { secrets: [...(secret ? [{ name: 'login', keys: ['.dockerconfigjson'], ...secret }] : []), ...others] },
    }),
  );
pulls('a pull secret of another type, or without its key, is reported', () => {
  const opaque = withSecret({ type: 'Opaque' });
  assert.is(opaque.culprit, 'pull secret login, which is of type Opaque');
  assert.match(opaque.advice[0] ?? '', /kubernetes\.io\/dockerconfigjson/);
  assert.equal(opaque.corrections, []);
  assert.ok(opaque.commands.some((command) => command.startsWith('kubectl create secret docker-registry')));
  assert.is(withSecret({ keys: ['config.json'] }).culprit, 'pull secret login, which has no key .dockerconfigjson');
  assert.is(withSecret({ type: 'kubernetes.io/dockercfg' }).culprit, 'pull secret login, which has no key .dockercfg');
});
pulls('a pull secret of another type is not the cause beside one that the kubelet can use, or of which nothing is known', () => {
  const beside = (other: { type?: string; keys: string[] }) =>
    withSecret({ type: 'Opaque' }, undefined, [{ name: 'other', ...other }]).culprit ?? '';
  assert.match(beside({ type: 'Opaque', keys: [] }), /^pull secret login, /);
  assert.not.match(beside({ type: 'kubernetes.io/dockerconfigjson', keys: ['.dockerconfigjson'] }), /pull secret/);
  assert.not.match(beside({ keys: ['.dockerconfigjson'] }), /pull secret/);
});
for (const [sentence, secret, why] of [
  ['it is right', { type: 'kubernetes.io/dockerconfigjson' }],
  ['its type is not known and it has the key', {}],
  ['nothing is known of it', undefined],
  ['the image is not there', { type: 'Opaque' }, 'docker.io/shop/web:1: not found'],
] as [string, object | undefined, string?][])
  pulls(`the type of the pull secret is not the cause: ${sentence}`, () =>
    assert.not.match(withSecret(secret, why).culprit ?? '', /pull secret/),
  );

pulls.run();
