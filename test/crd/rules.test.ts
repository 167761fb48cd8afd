import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';
import { type Cluster, clusters, installDefinitions } from '../support/cluster/clusters.ts';

type Case = [says: string, kind: Kind, spec: object, refusal?: RegExp];

const mirror = KINDS.mirrorPod;
const suppression = KINDS.suppression;
const notify = KINDS.notificationProvider;
const source = { name: 'web-1' };
const reason = 'known and accepted';
const long = 'x'.repeat(1025);
const night = { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' };
const slack = { type: 'slack', secretRef: { name: 'slack' } };

const creations: Case[] = [
  ['the least mirror', mirror, { source }],
  ['a whole mirror', mirror, { source, failureId: 7, ttlSeconds: 3600, onExpiry: 'Retain', acknowledgeSideEffects: true }],
  [
    'a template with fields that nobody declared',
    mirror,
    { source, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [], anything: { at: ['all'] } } } },
  ],
  ['no source', mirror, {}, /source/],
  ['a source without a name', mirror, { source: {} }, /name/],
  ['a source of another kind', mirror, { source: { kind: 'Deployment', name: 'web' } }, /Pod/],
  ['a name that no pod can have', mirror, { source: { name: 'Web_1' } }, /source\.name/],
  ['29 seconds', mirror, { source, ttlSeconds: 29 }, /30/],
  ['3601 seconds', mirror, { source, ttlSeconds: 3601 }, /3600/],
  ['a template without a spec', mirror, { source, template: {} }, /spec/],
  ['failure 0', mirror, { source, failureId: 0 }, /failureId/],
  ['the least suppression', suppression, { reason, match: { pods: ['web-*'] } }],
  [
    'a whole suppression',
    suppression,
    {
      reason,
      owner: 'team-shop',
      ticket: 'SHOP-1',
      expirationTime: '2030-01-01T00:00:00Z',
      suspend: false,
      match: {
        namespaces: ['shop-*'],
        pods: ['*-db'],
        failureReasons: ['OOMKilled'],
        checks: ['a-*'],
        images: ['registry.example/*'],
        labelSelector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] },
      },
    },
  ],
  ['no reason', suppression, { match: { pods: ['a'] } }, /reason/],
  ['a reason of two characters', suppression, { reason: 'no', match: { pods: ['a'] } }, /reason/],
  ['a reason of 1025 characters', suppression, { reason: long, match: { pods: ['a'] } }, /reason/],
  ['a time that is none', suppression, { reason, expirationTime: 'tomorrow', match: { pods: ['a'] } }, /expirationTime/],
  ['a reason of two lines', suppression, { reason: 'It comes\n\tand goes ❤️.\n', match: { pods: ['a'] } }],
  ['a reason with NUL', suppression, { reason: 'known\0', match: { pods: ['a'] } }, /reason.*no control characters but line breaks/],
  ['a reason that turns its direction', suppression, { reason: 'known \u202eyletelpmoc', match: { pods: ['a'] } }, /reason.*direction/],
  ['an owner of two lines', suppression, { reason, owner: 'team\nshop', match: { pods: ['a'] } }, /owner.*no control characters/],
  ['a ticket with an escape', suppression, { reason, ticket: 'SHOP-1\u001b[2J', match: { pods: ['a'] } }, /ticket.*no control characters/],
  ['nothing to match', suppression, { reason, match: {} }, /name at least one of namespaces, pods/],
  ['only * as a pod', suppression, { reason, match: { pods: ['*'] } }, /may not be only \*/],
  ['only ** among namespaces', suppression, { reason, match: { namespaces: ['a', '**'] } }, /may not be only \*/],
  ['only * as an image', suppression, { reason, match: { images: ['*'] } }, /may not be only \*/],
  ['only * as a reason', suppression, { reason, match: { failureReasons: ['*'] } }, /may not be only \*/],
  ['only * as a check', suppression, { reason, match: { checks: ['*'] } }, /may not be only \*/],
  ['an empty list', suppression, { reason, match: { pods: [] } }, /pods/],
  ['an empty selector', suppression, { reason, match: { labelSelector: {} } }, /labelSelector may not be empty/],
  ['a selector of nothing', suppression, { reason, match: { labelSelector: { matchLabels: {} } } }, /labelSelector may not be empty/],
  [
    'In without values',
    suppression,
    { reason, match: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } } },
    /In and NotIn need values/,
  ],
  [
    'Exists with values',
    suppression,
    { reason, match: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } } },
    /Exists and DoesNotExist take none/,
  ],
  [
    'an unknown operator',
    suppression,
    { reason, match: { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Gt' }] } } },
    /operator/,
  ],
  ['the least provider', notify, slack],
  [
    'a whole provider',
    notify,
    {
      ...slack,
      channel: '#ops',
      filter: { minSeverity: 'high', sendResolved: true },
      grouping: { by: ['incident'], waitSeconds: 30 },
      quietHours: [{ ...night, days: ['Mon'] }],
    },
  ],
  ['an unknown type', notify, { ...slack, type: 'pigeon' }, /pigeon/],
  ['an unknown event', notify, { ...slack, filter: { events: ['pod_failure'] } }, /pod_failure/],
  ['an unknown group', notify, { ...slack, grouping: { by: ['colour'] } }, /colour/],
  ['CloudEvents for a webhook', notify, { ...slack, type: 'webhook', format: 'cloudevents' }],
  ['CloudEvents for a chat', notify, { ...slack, format: 'cloudevents' }, /format is only for the type webhook/],
  ['mail to nobody', notify, { ...slack, type: 'email' }, /telegram and email need a channel/],
  ['no Secret', notify, { type: 'slack' }, /secretRef/],
  ['25 hours', notify, { ...slack, quietHours: [{ ...night, from: '25:00' }] }, /from/],
];

const template = { spec: { containers: [{ name: 'app', image: 'web:1' }] } };
const updates: [says: string, before: object, change: object, refusal?: RegExp][] = [
  ['a shorter time', { source, ttlSeconds: 300 }, { ttlSeconds: 60 }],
  ['a time where there was none', { source }, { ttlSeconds: 60 }],
  ['onExpiry', { source }, { onExpiry: 'Retain' }],
  ['a longer time', { source, ttlSeconds: 300 }, { ttlSeconds: 301 }, /ttlSeconds may only shrink/],
  ['no time any more', { source, ttlSeconds: 300 }, { ttlSeconds: null }, /ttlSeconds may only shrink/],
  ['another source', { source }, { source: { name: 'web-2' } }, /source is immutable/],
  ['another failure', { source, failureId: 1 }, { failureId: 2 }, /failureId is immutable/],
  ['a failure where there was none', { source }, { failureId: 2 }, /failureId is immutable/],
  ['no failure any more', { source, failureId: 1 }, { failureId: null }, /failureId is immutable/],
  ['no template any more', { source, template }, { template: null }, /template is immutable/],
  ['a template where there was none', { source }, { template }, /template is immutable/],
];

/** The message of a refused write. Undefined: it was accepted. */
const refusalOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error.message,
  );

function expect(answer: string | undefined, refusal: RegExp | undefined): void {
  if (refusal) assert.match(answer ?? 'it was taken', refusal);
  else assert.is(answer, undefined);
}

for (const { name, start } of clusters('rules of the custom resources')) {
  const rules = suite(`rules on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let count = 0;
  const create = (kind: Kind, spec: object) =>
    client.create(kind, { metadata: { name: `case-${++count}`, namespace: 'default' }, spec } as KubeObject);

  rules.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    await installDefinitions(client);
  });
  rules.after(async () => {
    client.close();
    await cluster.close();
  });

  for (const [says, kind, spec, refusal] of creations)
    rules(`${says}: ${refusal ? 'refused' : 'taken'}`, async () => expect(await refusalOf(create(kind, spec)), refusal));

  for (const [says, before, change, refusal] of updates)
    rules(`changed to ${says}: ${refusal ? 'refused' : 'taken'}`, async () => {
      const { metadata } = await create(mirror, before);
      expect(await refusalOf(client.patch(mirror, 'default', metadata.name!, { spec: change }, { type: 'merge' })), refusal);
    });

  rules('defaults are filled in, and unknown fields outside the template are not kept', async () => {
    const { spec } = (await create(mirror, { source, unknown: 1, template: { spec: { odd: 1 } } })) as KubeObject & { spec: unknown };
    assert.equal(spec, { source: { kind: 'Pod', name: 'web-1' }, onExpiry: 'Delete', template: { spec: { odd: 1 } } });
  });

  rules('the status is a subresource, and its conditions must be valid', async () => {
    const { metadata } = await create(suppression, { reason, match: { pods: ['a'] } });
    const name = metadata.name!;
    const status = {
      conditions: [{ type: 'Ready', status: 'True', reason: 'Applied', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    };
    await client.patch(suppression, 'default', name, { status }, { type: 'merge' });
    const unseen = { observedGeneration: -1 };
    assert.equal((await client.read(suppression, 'default', name))?.status, unseen, 'nobody has looked at it');
    await client.patch(suppression, 'default', name, { status }, { type: 'merge', subresource: 'status' });
    assert.equal((await client.read(suppression, 'default', name))?.status, { ...unseen, ...status });
    const bad = { status: { conditions: [{ type: 'Ready', status: 'Maybe' }] } };
    expect(await refusalOf(client.patch(suppression, 'default', name, bad, { type: 'merge', subresource: 'status' })), /status/);
  });
  rules.run();
}
