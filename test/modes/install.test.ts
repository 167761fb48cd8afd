import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeClient } from '../../src/kube/client.ts';
import { applyManifests, installKinds } from '../../src/modes/install.ts';

/** A client that records what is applied. */
function aClient() {
  const applied: string[] = [];
  const patch = async (
    kind: { plural: string },
    namespace: string | undefined,
    name: string,
    _object: object,
    { type }: { type: string },
  ) => void applied.push(`${type} ${kind.plural} ${namespace ?? '-'}/${name}`);
  return { applied, client: { patch } as unknown as KubeClient };
}

test('the documents of a text are applied in their order', async () => {
  const { applied, client } = aClient();
  await applyManifests(
    client,
    '{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}',
  );
  assert.equal(applied, ['apply namespaces -/shop', 'apply pods shop/web']);
});

for (const [what, text] of [
  ['a kind that Podmend does not know', '{apiVersion: v1, kind: Widget, metadata: {name: a}}'],
  ['a kind of the same name in another group', '{apiVersion: example.dev/v1, kind: Pod, metadata: {name: a}}'],
] as const)
  test(`${what} is refused`, async () => {
    const { applied, client } = aClient();
    try {
      await applyManifests(client, text);
    } catch (error) {
      assert.match((error as Error).message, /^no such kind: /);
      assert.equal(applied, []);
      return;
    }
    assert.unreachable('it was applied');
  });

test('the three definitions are installed', async () => {
  const { applied, client } = aClient();
  await installKinds(client);
  assert.equal(
    applied.sort(),
    ['mirrorpods', 'notificationproviders', 'suppressions'].map((plural) => `apply customresourcedefinitions -/${plural}.podmend.dev`),
  );
});

test.run();
