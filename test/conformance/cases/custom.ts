import { type Case, get, type Loose, MERGE, patch, post, put, remove, type Step, widget, WIDGETS } from '../step.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const refused = (spec: Loose): Step => post(WIDGETS, widget('bad', spec), 422);

const definition = (name: string, version: Loose, spec: Loose = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name },
  spec: {
    group: 'test.dev',
    scope: 'Namespaced',
    names: { plural: 'gears', kind: 'Gear' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...version }],
    ...spec,
  },
});
const schema = (openAPIV3Schema: Loose) => ({ schema: { openAPIV3Schema } });

/** CustomResourceDefinitions and their objects: structure, defaults, pruning, rules, subresources. */
export const CUSTOM: Case[] = [
  {
    sentence: 'custom resources get defaults, lose what is unknown, count generations',
    steps: [
      post(WIDGETS, { ...widget('w', { color: 'red', shape: 'round', free: { any: 1 } }), status: { x: 1 } }),
      patch(MERGE, `${WIDGETS}/w`, { spec: { size: 5 } }),
      patch(MERGE, `${WIDGETS}/w`, { metadata: { labels: { a: 'b' } } }),
      patch(MERGE, `${WIDGETS}/w`, { spec: { size: null } }),
      patch(MERGE, `${WIDGETS}/w`, { spec: { free: { any: null, more: [1, { x: null }] } } }),
    ],
  },
  {
    sentence: 'the status is written by its subresource, and nothing else is by that',
    steps: [
      patch(MERGE, `${WIDGETS}/w/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] }, spec: { size: 7 } }),
      patch(MERGE, `${WIDGETS}/w/status`, { metadata: { labels: { c: 'd' }, finalizers: ['test.dev/x'] } }),
      patch(MERGE, `${WIDGETS}/w`, { status: null }),
      patch(MERGE, `${WIDGETS}/w/status`, { status: { unknown: 1 } }),
      patch(MERGE, `${WIDGETS}/w/status`, { status: { conditions: [{ status: 'True' }] } }, 422),
      patch(MERGE, `${WIDGETS}/w/status`, { status: { conditions: [{ type: 'A' }, { type: 'A' }] } }, 422),
      get(`${WIDGETS}/w/status`),
      (earlier) => put(`${WIDGETS}/w/status`, { ...earlier[6], spec: { color: 'blue' }, status: { conditions: [] } }),
      put(`${WIDGETS}/w/status`, widget('w', { color: 'red' }), 422),
      patch(MERGE, `${WIDGETS}/w/status`, { status: null }),
      post(`${WIDGETS}/w/status`, {}, 405),
      remove(`${WIDGETS}/w/status`, undefined, 405),
    ],
  },
  {
    sentence: 'what the schema does not want is refused',
    steps: [
      refused({ color: 'green' }),
      refused({}),
      refused({ color: 'red', size: 'x' }),
      refused({ color: 'red', size: 1.5 }),
      refused({ color: 'red', size: 11 }),
      refused({ color: 'red', size: 0 }),
      refused({ color: 'red', name: 'AAA' }),
      refused({ color: 'red', name: 'ab' }),
      refused({ color: 'red', name: 'abcdef' }),
      refused({ color: 'red', name: 5 }),
      refused({ color: 'red', tags: ['a', 'b', 'c'] }),
      refused({ color: 'red', tags: [] }),
      refused({ color: 'red', tags: ['a', 'a'] }),
      refused({ color: 'red', tags: ['abcdef'] }),
      refused({ color: 'red', tags: 'a' }),
      refused({ color: 'red', labels: { a: '1', b: '2', c: '3' } }),
      refused({ color: 'red', labels: { a: 1 } }),
      refused({ color: 'red', port: true }),
      refused({ color: 'red', at: 'x' }),
      refused({ color: 'red', at: '2026-01-01' }),
      refused({ color: 'red', free: 'x' }),
      post(WIDGETS, { ...widget('bad', undefined) }, 422),
      post(WIDGETS, widget('bad', 'x'), 422),
      post(WIDGETS, widget('bad', null), 422),
      post(WIDGETS, widget('Bad', { color: 'red' }), 422),
      patch(MERGE, `${WIDGETS}/w`, { spec: { size: 99 } }, 422),
    ],
  },
  {
    sentence: 'what the rules do not want is refused',
    steps: [
      refused({ color: 'red', size: 1 }),
      refused({ color: 'red', mode: 'c' }),
      refused({ color: 'red', size: 1, mode: 'c' }),
      refused({ color: 'red', name: 'evil' }),
      patch(MERGE, `${WIDGETS}/w`, { spec: { color: 'blue' } }, 422),
    ],
  },
  {
    sentence: 'what the schema wants is kept as it is',
    steps: [
      post(
        WIDGETS,
        widget('full', {
          color: 'red',
          size: 10,
          name: 'abc',
          at: '2026-01-01T00:00:00Z',
          on: false,
          tags: ['a', 'b'],
          labels: { a: '1' },
          port: 'http',
        }),
      ),
      post(WIDGETS, widget('nulls', { color: 'red', size: null, mode: null, free: { x: null } })),
    ],
  },
  {
    sentence: 'a definition is completed and served at once',
    steps: [
      // A client that waits for the condition Established must wait in the sandbox too, but for a shorter time.
      {
        only: ({ status: _status, ...rest }: Loose) => rest,
        ...post(
          CRDS,
          definition('gears.test.dev', {
            subresources: { status: {} },
            ...schema({
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { teeth: { type: 'integer', default: 8 } }, default: {} },
                status: { type: 'object', properties: { teeth: { type: 'integer' } } },
              },
            }),
          }),
        ),
      },
      { ...get(`${CRDS}/gears.test.dev`), only: ({ spec }) => spec },
      {
        ...post('/apis/test.dev/v1/namespaces/default/gears', { apiVersion: 'test.dev/v1', kind: 'Gear', metadata: { name: 'g' } }),
        isEventual: true,
      },
      {
        ...get('/apis/test.dev/v1'),
        isEventual: true,
        only: (body) =>
          body.resources.filter((r: Loose) => r.name.startsWith('gears')).map(({ storageVersionHash: _hash, ...r }: Loose) => r),
      },
      get('/apis/test.dev'),
    ],
  },
  {
    sentence: 'a definition that cannot work is refused',
    steps: [
      post(CRDS, definition('other.test.dev', {}), 422),
      post(CRDS, definition('gears.test.dev', {}), 409),
      post(CRDS, definition('cogs.test.dev', {}, { names: { plural: 'cogs' } }), 422),
      post(CRDS, definition('cogs.test.dev', { storage: false }, { names: { plural: 'cogs', kind: 'Cog' } }), 422),
      post(CRDS, definition('cogs.test.dev', { schema: undefined }, { names: { plural: 'cogs', kind: 'Cog' } }), 422),
      post(CRDS, definition('cogs.test.dev', schema({ type: 'string' }), { names: { plural: 'cogs', kind: 'Cog' } }), 422),
      post(
        CRDS,
        definition('cogs.test.dev', schema({ type: 'object', properties: { spec: {} } }), { names: { plural: 'cogs', kind: 'Cog' } }),
        422,
      ),
      post(CRDS, definition('cogs.test.dev', {}, { names: { plural: 'cogs', kind: 'Cog' }, scope: 'Everywhere' }), 422),
    ],
  },
];
