import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonPatch, type PatchOperation } from '../../src/crd/json-patch.ts';
import { random } from '../support/builders/random.ts';

const test = suite('JSON Patch');

/** Applies a patch as RFC 6902 says. Throws when a server would refuse it. */
function patched(document: unknown, operations: PatchOperation[]): unknown {
  const root = { '': structuredClone(document) } as Record<string, unknown>;
  for (const operation of operations) {
    const steps = operation.path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.at(-1) as string;
    const parent = steps.slice(0, -1).reduce<unknown>((here, step) => (here as Record<string, unknown>)[step], root) ?? root;
    const place = (steps.length === 1 ? root : parent) as Record<string, unknown>;
    if (operation.op === 'move') {
      const list = place as unknown as unknown[];
      list.splice(Number(last), 0, ...list.splice(Number(operation.from.split('/').at(-1)), 1));
      continue;
    }
    const isKnown = Array.isArray(place) ? Number(last) < place.length : Object.hasOwn(place, last);
    if (operation.op !== 'add' && !isKnown) throw new Error(`nothing at ${operation.path}`);
    if (operation.op === 'test') assert.equal(place[last], operation.value, operation.path);
    else if (operation.op === 'remove' && Array.isArray(place)) place.splice(Number(last), 1);
    else if (operation.op === 'remove') delete place[last];
    else if (operation.op === 'add' && Array.isArray(place))
      place.splice(last === '-' ? place.length : Number(last), 0, structuredClone(operation.value));
    else place[last] = structuredClone(operation.value);
  }
  return root[''];
}

const TABLE: [what: string, before: unknown, after: unknown, patch: PatchOperation[]][] = [
  ['nothing for nothing', { a: [1] }, { a: [1] }, []],
  ['a field that is new', { a: {} }, { a: { 'b/c~d': 1 } }, [{ op: 'add', path: '/a/b~1c~0d', value: 1 }]],
  ['a missing parent is added as a whole', {}, { a: { b: { c: 1 } } }, [{ op: 'add', path: '/a', value: { b: { c: 1 } } }]],
  ['a field that goes', { a: 1, b: 2 }, { b: 2 }, [{ op: 'remove', path: '/a' }]],
  [
    'an entry is identified by its name, and tested once',
    { list: [{ name: 'x' }, { name: 'y', image: '1', port: 1 }] },
    { list: [{ name: 'x' }, { name: 'y', image: '2', port: 2 }] },
    [
      { op: 'test', path: '/list/1/name', value: 'y' },
      { op: 'replace', path: '/list/1/image', value: '2' },
      { op: 'replace', path: '/list/1/port', value: 2 },
    ],
  ],
  [
    'entries go from the last to the first, and new ones come at the end',
    { list: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    { list: [{ name: 'b' }, { name: 'd' }] },
    [
      { op: 'test', path: '/list/2/name', value: 'c' },
      { op: 'remove', path: '/list/2' },
      { op: 'test', path: '/list/0/name', value: 'a' },
      { op: 'remove', path: '/list/0' },
      { op: 'add', path: '/list/-', value: { name: 'd' } },
    ],
  ],
  [
    'an item without a name is tested by what it was',
    { args: ['a', 'b'] },
    { args: ['a', 'c'] },
    [
      { op: 'test', path: '/args/1', value: 'b' },
      { op: 'replace', path: '/args/1', value: 'c' },
    ],
  ],
  [
    'entries move to their place, and new ones come between them',
    { l: [{ name: 'a' }, { name: 'b' }] },
    { l: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] },
    [
      { op: 'test', path: '/l/1/name', value: 'b' },
      { op: 'move', from: '/l/1', path: '/l/0' },
      { op: 'add', path: '/l/1', value: { name: 'c' } },
    ],
  ],
  [
    'mounts are identified by their path, because a volume may be mounted twice',
    {
      m: [
        { name: 'v', mountPath: '/a' },
        { name: 'v', mountPath: '/b' },
      ],
    },
    { m: [{ name: 'v', mountPath: '/b', subPath: 'x' }] },
    [
      { op: 'test', path: '/m/1/mountPath', value: '/b' },
      { op: 'add', path: '/m/1/subPath', value: 'x' },
      { op: 'test', path: '/m/0/mountPath', value: '/a' },
      { op: 'remove', path: '/m/0' },
    ],
  ],
];
for (const [what, before, after, patch] of TABLE)
  test(what, () => {
    assert.equal(jsonPatch(before, after), patch);
    assert.equal(patched(before, patch), after);
  });

test('hidden values are not tested', () => {
  const patch = jsonPatch({ args: ['***'] }, { args: ['open'] }, (value) => value !== '***');
  assert.equal(patch, [{ op: 'replace', path: '/args/0', value: 'open' }]);
});

test('a patch always leads from one value to the other', () => {
  const { next, pick } = random(19);
  const value = (depth: number): unknown => {
    const kind = depth === 0 ? 0 : Math.floor(next() * 4);
    if (kind === 0) return pick([0, 1, 'a', 'b', true, '']);
    const size = Math.floor(next() * 4);
    if (kind === 1) return Array.from({ length: size }, () => value(depth - 1));
    if (kind === 2) return Object.fromEntries(Array.from({ length: size }, () => [pick(['a', 'b', 'c/d', 'e~f', '0']), value(depth - 1)]));
    const names = ['a', 'b', 'c', 'd'].filter(() => next() < 0.6).toSorted(() => next() - 0.5);
    return names.map((name) => ({ name, value: value(depth - 1) }));
  };
  for (let round = 0; round < 2000; round++) {
    const [before, after] = [{ root: value(4) }, { root: value(4) }];
    assert.equal(patched(before, jsonPatch(before, after)), after, JSON.stringify({ before, after }));
  }
});

test.run();
