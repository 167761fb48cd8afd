import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { contextsOf, indexed, isWindows, mapping, owner, placesOf, texts } from '../../src/checks/containers.ts';
import type { PodTemplate } from '../../src/crd/kubernetes.ts';

const template = (spec: object): PodTemplate => ({ spec }) as never;
const ODD: unknown[] = [null, undefined, 0, 'x', true, [], {}];

test('containers of all three lists with their paths; what is no container is left out', () => {
  const all = placesOf(
    template({ ephemeralContainers: [{ name: 'd' }], containers: ['x', null, { name: 'b' }, 7], initContainers: [{ name: 'a' }] }),
  );
  assert.equal(
    all.map(({ path, container, isFixed }) => [path, container.name, isFixed]),
    [
      ['spec.initContainers[0]', 'a', false],
      ['spec.containers[2]', 'b', false],
      ['spec.ephemeralContainers[0]', 'd', true],
    ],
  );
  assert.equal(placesOf(template({ containers: 'x', initContainers: {} })), []);
});

test('security contexts: of the pod first, then of each container', () => {
  const found = contextsOf(
    template({
      securityContext: { runAsUser: 1 },
      containers: [
        { name: 'a', securityContext: { runAsUser: 2 } },
        { name: 'b', securityContext: 'x' },
      ],
    }),
  );
  assert.equal(
    found.map(({ path, context, place }) => [path, context.runAsUser, owner(place)]),
    [
      ['spec.securityContext', 1, {}],
      ['spec.containers[0].securityContext', 2, { container: 'a' }],
      ['spec.containers[1].securityContext', undefined, { container: 'b' }],
    ],
  );
  assert.equal(owner({ container: {} as never, path: '', isFixed: false }), { container: '' });
});

test('values of any shape', () => {
  assert.equal(indexed([null, { a: 1 }, 'x', { b: 2 }] as never), [
    [{ a: 1 }, 1],
    [{ b: 2 }, 3],
  ]);
  for (const odd of ODD) assert.equal([mapping(odd), texts(odd)], [{}, []]);
  assert.equal([mapping({ a: 1 }), texts(['a', 1, null, 'b'])], [{ a: 1 }, ['a', 'b']]);
  assert.equal(
    [{ os: { name: 'windows' } }, { os: { name: 'linux' } }, { os: 'windows' }, {}].map((spec) => isWindows(template(spec))),
    [true, false, false, false],
  );
});

test.run();
