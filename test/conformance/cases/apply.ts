import {
  apply,
  type Case,
  deployment,
  DEPLOYMENTS,
  get,
  type Loose,
  map,
  MAPS,
  MERGE,
  patch,
  pod,
  PODS,
  post,
  put,
  widget,
  WIDGETS,
} from '../step.ts';

const condition = (type: string, status: string) => ({ status: { conditions: [{ type, status }] } });
const labelled = (metadata: Loose) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'labelled', ...metadata } });
const applied = (name: string, more: Loose) => ({ apiVersion: 'test.dev/v1', kind: 'Widget', metadata: { name }, ...more });

/** Server-side apply and field ownership. */
export const APPLIED: Case[] = [
  {
    sentence: 'owners, conflicts, force',
    steps: [
      apply(`${DEPLOYMENTS}/applied`, 'fieldManager=one', deployment('applied', { image: 'web:1' }), 201),
      apply(`${DEPLOYMENTS}/applied`, 'fieldManager=one', deployment('applied', { image: 'web:1' })),
      apply(`${DEPLOYMENTS}/applied`, 'fieldManager=two', deployment('applied', { image: 'web:2' }), 409),
      apply(`${DEPLOYMENTS}/applied`, 'fieldManager=two&force=true', deployment('applied', { image: 'web:2' })),
      apply(`${DEPLOYMENTS}/applied`, 'fieldManager=one', deployment('applied', { image: 'web:1', args: ['x'] }), 409),
      apply(`${DEPLOYMENTS}/applied`, 'fieldManager=three', deployment('applied', { image: 'web:2' })),
    ],
  },
  {
    sentence: 'what a manager no longer says goes, unless another holds it',
    steps: [
      apply(`${MAPS}/owned`, 'fieldManager=one', map('owned', { a: '1', b: '2' }), 201),
      apply(`${MAPS}/owned`, 'fieldManager=two', map('owned', { b: '2', c: '3' })),
      apply(`${MAPS}/owned`, 'fieldManager=one', map('owned', { a: '1' })),
      apply(`${MAPS}/owned`, 'fieldManager=two', map('owned', {})),
      apply(`${MAPS}/owned`, 'fieldManager=two', map('owned')),
      get(`${MAPS}/owned`),
    ],
  },
  {
    sentence: 'an update takes what it changes',
    steps: [
      apply(`${MAPS}/taken`, 'fieldManager=one', map('taken', { a: '1', b: '2' }), 201),
      patch(MERGE, `${MAPS}/taken?fieldManager=hand`, { data: { a: '9' } }),
      apply(`${MAPS}/taken`, 'fieldManager=one', map('taken', { a: '1', b: '2' }), 409),
      apply(`${MAPS}/taken`, 'fieldManager=one&force=true', map('taken', { a: '1', b: '2' })),
      put(`${MAPS}/taken?fieldManager=hand`, map('taken', { a: '1', d: '4' })),
      patch(MERGE, `${MAPS}/taken?fieldManager=hand`, { data: null }),
    ],
  },
  {
    sentence: 'lists by key and sets have owners by item',
    steps: [
      apply(`${DEPLOYMENTS}/items`, 'fieldManager=one', deployment('items', { env: [{ name: 'A', value: '1' }] }), 201),
      apply(`${DEPLOYMENTS}/items`, 'fieldManager=two', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'items' },
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'app', env: [{ name: 'B', value: '2' }] },
                { name: 'side', image: 'busybox:1.35' },
              ],
            },
          },
        },
      }),
      apply(`${DEPLOYMENTS}/items`, 'fieldManager=one', deployment('items')),
      apply(`${DEPLOYMENTS}/items`, 'fieldManager=two', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'items' } }),
      apply(`${WIDGETS}/items`, 'fieldManager=one', applied('items', { spec: { color: 'red', tags: ['a'] } }), 201),
      apply(`${WIDGETS}/items`, 'fieldManager=two', applied('items', { spec: { tags: ['b'] } })),
      apply(`${WIDGETS}/items`, 'fieldManager=one', applied('items', { spec: { color: 'red' } })),
      apply(`${WIDGETS}/items`, 'fieldManager=two', applied('items', { spec: { color: 'blue' } }), 409),
    ],
  },
  {
    sentence: 'two managers share metadata',
    steps: [
      apply(`${MAPS}/labelled`, 'fieldManager=one', map('labelled', {}, { a: '1' }), 201),
      apply(`${MAPS}/labelled`, 'fieldManager=two', map('labelled', {}, { b: '2' }), 409),
      apply(`${MAPS}/labelled`, 'fieldManager=two', labelled({ labels: { b: '2' } })),
      apply(`${MAPS}/labelled`, 'fieldManager=three', labelled({ annotations: { c: '3' }, finalizers: ['test.dev/x'] })),
      apply(`${MAPS}/labelled`, 'fieldManager=one', map('labelled')),
      apply(`${MAPS}/labelled`, 'fieldManager=three', labelled({})),
    ],
  },
  {
    sentence: 'a status is applied by its subresource',
    steps: [
      apply(`${WIDGETS}/state`, 'fieldManager=user', applied('state', { spec: { color: 'red' }, ...condition('Ignored', 'True') }), 201),
      apply(`${WIDGETS}/state/status`, 'fieldManager=one', applied('state', condition('Ready', 'False'))),
      apply(`${WIDGETS}/state/status`, 'fieldManager=two', applied('state', condition('Seen', 'True'))),
      apply(`${WIDGETS}/state/status`, 'fieldManager=one', applied('state', condition('Ready', 'True'))),
      apply(`${WIDGETS}/state/status`, 'fieldManager=two', applied('state', condition('Ready', 'False')), 409),
      apply(`${WIDGETS}/state/status`, 'fieldManager=one', applied('state', {})),
      apply(`${WIDGETS}/nowhere/status`, 'fieldManager=one', applied('nowhere', condition('Ready', 'True')), 404),
    ],
  },
  {
    sentence: 'dry run applies nothing',
    steps: [
      apply(`${MAPS}/dry-applied`, 'fieldManager=one&dryRun=All', map('dry-applied', { a: '1' }), 201),
      get(`${MAPS}/dry-applied`, 404),
      apply(`${MAPS}/labelled`, 'fieldManager=one&dryRun=All', map('labelled', { x: '1' })),
      get(`${MAPS}/labelled`),
    ],
  },
  {
    sentence: 'what cannot be applied is refused',
    steps: [
      apply(`${MAPS}/bad`, '', map('bad'), 422),
      apply(`${MAPS}/bad`, 'fieldManager=one', { ...map('bad'), metadata: { name: 'bad', managedFields: [{ manager: 'x' }] } }, 400),
      apply(`${MAPS}/bad`, 'fieldManager=one', map('other'), 400),
      apply(`${MAPS}/bad`, 'fieldManager=one', { metadata: { name: 'bad' } }, 400),
      apply(`${MAPS}/bad`, 'fieldManager=one', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bad' } }, 400),
      apply(
        `${MAPS}/bad`,
        'fieldManager=one',
        { ...map('bad'), metadata: { name: 'bad', uid: '11111111-1111-1111-1111-111111111111' } },
        409,
      ),
      apply(`${MAPS}/bad`, 'fieldManager=one', { ...map('bad'), metadata: { name: 'bad', resourceVersion: '1' } }, 201),
      apply(`${MAPS}/bad`, 'fieldManager=one', { ...map('bad'), colour: 1 }, 500),
      apply(`${MAPS}/bad`, `fieldManager=${'x'.repeat(129)}`, map('bad'), 422),
      apply(`${WIDGETS}/bad`, 'fieldManager=one', applied('bad', { spec: { color: 'green' } }), 422),
      apply(`${WIDGETS}/bad`, 'fieldManager=one&fieldValidation=Strict', applied('bad', { spec: { color: 'red', shape: 1 } }), 500),
      apply(
        `${PODS}/bad`,
        'fieldManager=one',
        pod('bad', {
          containers: [
            { name: 'a', image: 'b' },
            { name: 'a', image: 'c' },
          ],
        }),
        500,
      ),
      apply(`${PODS}/bad`, 'fieldManager=one', pod('bad', { containers: [{ image: 'b' }] }), 422),
      post(`${MAPS}?fieldManager=${'x'.repeat(129)}`, map('bad'), 422),
      patch(MERGE, `${MAPS}/owned?force=true`, {}, 422),
    ],
  },
  {
    sentence: 'managed fields can be cleared',
    steps: [
      patch(MERGE, `${MAPS}/labelled`, { metadata: { managedFields: [{}] } }),
      apply(`${MAPS}/labelled`, 'fieldManager=new', map('labelled', { y: '1' })),
      patch(MERGE, `${WIDGETS}/items?fieldManager=hand`, { metadata: { managedFields: [] } }),
    ],
  },
  {
    sentence: 'a custom resource that was created by hand and then applied',
    steps: [
      post(`${WIDGETS}?fieldManager=hand`, widget('by-hand', { color: 'red', size: 4 })),
      apply(`${WIDGETS}/by-hand`, 'fieldManager=git', applied('by-hand', { spec: { color: 'red', size: 4 } })),
      apply(`${WIDGETS}/by-hand`, 'fieldManager=git', applied('by-hand', { spec: { color: 'red', size: 5 } }), 409),
      apply(`${WIDGETS}/by-hand`, 'fieldManager=git&force=true', applied('by-hand', { spec: { color: 'red', size: 5 } })),
      apply(`${WIDGETS}/by-hand`, 'fieldManager=git', applied('by-hand', { spec: { color: 'red' } })),
    ],
  },
];
