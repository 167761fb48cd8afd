import {
  type Case,
  deployment,
  DEPLOYMENTS,
  get,
  JSON_PATCH,
  map,
  MAPS,
  MERGE,
  NAMESPACE,
  patch,
  post,
  STRATEGIC,
  widget,
  WIDGETS,
} from '../step.ts';

const container = (container: object) => ({ spec: { template: { spec: { containers: [container] } } } });
const json = (operations: unknown, code = 200) => patch(JSON_PATCH, `${MAPS}/j`, operations, code);
const strategic = (body: unknown, code = 200) => patch(STRATEGIC, `${DEPLOYMENTS}/strategic`, body, code);

/** JSON patch, merge patch, strategic merge patch. */
export const PATCHES: Case[] = [
  {
    sentence: 'merge patch',
    steps: [
      post(MAPS, map('m', { a: '1', b: '2' })),
      patch(MERGE, `${MAPS}/m`, { data: { a: null, c: '3' } }),
      patch(MERGE, `${MAPS}/m`, { data: null }),
      patch(MERGE, `${MAPS}/m`, { metadata: { labels: { x: 'y' }, annotations: { n: 'o' } } }),
      patch(MERGE, `${MAPS}/m`, { metadata: { labels: null } }),
      patch(MERGE, `${MAPS}/m`, { data: 'x' }, 422),
      patch(MERGE, `${MAPS}/m`, '[]', 400),
      patch(MERGE, `${MAPS}/m`, '{', 400),
      patch(MERGE, `${MAPS}/m`, { kind: 'Secret' }, 422),
      patch(MERGE, `${MAPS}/m`, { metadata: { namespace: 'other' } }, 400),
    ],
  },
  {
    sentence: 'merge patch replaces the lists of a custom resource',
    steps: [
      post(WIDGETS, widget('m', { color: 'red', tags: ['a', 'b'], free: { deep: { x: 1 } } })),
      patch(MERGE, `${WIDGETS}/m`, { spec: { tags: ['c'], free: { deep: { y: 2 } } } }),
      patch(MERGE, `${WIDGETS}/m`, { spec: { size: null, tags: null } }),
      patch(MERGE, `${WIDGETS}/m`, { spec: null }, 422),
    ],
  },
  {
    sentence: 'JSON patch: every operation, and what it cannot do',
    steps: [
      post(MAPS, map('j', { a: '1', b: '2', c: '3' })),
      json([
        { op: 'add', path: '/data/d', value: '4' },
        { op: 'remove', path: '/data/b' },
      ]),
      json([{ op: 'replace', path: '/data/a', value: '9' }]),
      json([{ op: 'copy', from: '/data/a', path: '/data/e' }]),
      json([{ op: 'move', from: '/data/e', path: '/data/f' }]),
      json([{ op: 'test', path: '/data/c', value: '3' }]),
      json([{ op: 'add', path: '/metadata/labels', value: { 'a.dev/b': 'c' } }]),
      json([{ op: 'replace', path: '/metadata/labels/a.dev~1b', value: 'd' }]),
      json([{ op: 'add', path: '/metadata/finalizers', value: ['test.dev/a'] }]),
      json([{ op: 'add', path: '/metadata/finalizers/-', value: 'test.dev/b' }]),
      json([{ op: 'add', path: '/metadata/finalizers/0', value: 'test.dev/c' }]),
      json([{ op: 'remove', path: '/metadata/finalizers' }]),
      json([{ op: 'test', path: '/data/c', value: '9' }], 422),
      json([{ op: 'test', path: '/data/none', value: '9' }], 422),
      json([{ op: 'remove', path: '/data/none' }], 422),
      json([{ op: 'replace', path: '/data/none', value: '1' }]),
      json([{ op: 'add', path: '/none/deep', value: '1' }], 422),
      json([{ op: 'add', path: '/metadata/finalizers/7', value: 'x' }], 422),
      json([{ op: 'move', from: '/data/none', path: '/data/x' }]),
      json([{ op: 'paint', path: '/data/x' }], 422),
      json({ op: 'add' }, 400),
      json([{ op: 'replace', path: '/metadata/name', value: 'k' }], 400),
      json([{ op: 'add', path: '/data/x', value: 1 }], 422),
      json([]),
    ],
  },
  {
    sentence: 'strategic merge patch merges lists by key',
    steps: [
      post(DEPLOYMENTS, deployment('strategic', { env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] })),
      strategic(container({ name: 'app', env: [{ name: 'B', value: '2' }] })),
      strategic(container({ name: 'app', env: [{ name: 'A', $patch: 'delete' }] })),
      strategic(container({ name: 'side', image: 'busybox:1.35' })),
      strategic({
        spec: {
          template: {
            spec: {
              '$setElementOrder/containers': [{ name: 'side' }, { name: 'app' }],
              containers: [
                { name: 'side', args: ['x'] },
                { name: 'app', args: ['y'] },
              ],
            },
          },
        },
      }),
      strategic(container({ $patch: 'delete', name: 'side' })),
      strategic(container({ name: 'app', args: ['x', 'y'] })),
      strategic(container({ name: 'app', args: ['z'] })),
      strategic(container({ name: 'app', ports: [{ containerPort: 80, name: 'http' }, { containerPort: 81 }] })),
      strategic({ metadata: { finalizers: ['test.dev/a'] } }),
      strategic({ metadata: { finalizers: ['test.dev/b'] } }),
      strategic({ metadata: { '$deleteFromPrimitiveList/finalizers': ['test.dev/a'] } }),
      strategic({ metadata: { finalizers: null } }),
      strategic({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
      strategic({ spec: { template: { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } } } }),
      strategic({ spec: { template: { spec: { tolerations: [{ key: 'b', operator: 'Exists' }] } } } }),
      strategic({ spec: { template: { spec: { volumes: [{ name: 'v', emptyDir: {} }] } } } }),
      strategic({ spec: { template: { spec: { volumes: [{ name: 'v', emptyDir: null, configMap: { name: 'm' } }] } } } }),
      strategic({ spec: { template: { spec: { securityContext: { $patch: 'replace', runAsUser: 5 } } } } }),
      strategic(container({ image: 'nameless' }), 500),
      strategic('[]', 400),
      get(`${DEPLOYMENTS}/strategic`),
    ],
  },
  {
    sentence: 'strategic merge patch is for builtin kinds alone',
    steps: [patch(STRATEGIC, `${WIDGETS}/none`, {}, 415), patch(STRATEGIC, `${WIDGETS}/m`, { spec: { size: 3 } }, 415)],
  },
  {
    sentence: 'strategic merge patch of a service keys its ports',
    steps: [
      post(`${NAMESPACE}/services`, { metadata: { name: 'ports' }, spec: { ports: [{ name: 'a', port: 80 }] } }),
      patch(STRATEGIC, `${NAMESPACE}/services/ports`, { spec: { ports: [{ name: 'b', port: 81 }] } }),
      patch(STRATEGIC, `${NAMESPACE}/services/ports`, { spec: { ports: [{ port: 80, targetPort: 'http' }] } }),
      patch(MERGE, `${NAMESPACE}/services/ports`, { spec: { selector: { app: 'x' } } }),
    ],
  },
];
