import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container } from '../../src/crd/kubernetes.ts';
import { allContainers, handlersOf, listOf } from '../../src/crd/pod-template.ts';

test('a list is read as its entries that are mappings, whatever it is', () => {
  const rows: [unknown, unknown[]][] = [
    [
      [{ name: 'a' }, null, 'text', 7, { name: 'b' }],
      [{ name: 'a' }, { name: 'b' }],
    ],
    [undefined, []],
    [null, []],
    ['text', []],
    [{ name: 'a' }, []],
  ];
  for (const [value, entries] of rows) assert.equal(listOf(value as object[]), entries);
});

test('init containers come before the others', () => {
  const spec = { containers: [{ name: 'app' }, { name: 'beside' }], initContainers: [{ name: 'first' }] } as { containers: Container[] };
  assert.equal(
    allContainers(spec).map(({ name }) => name),
    ['first', 'app', 'beside'],
  );
});

test('probes and hooks are each listed with their field, also those that a container lacks', () => {
  const handler = (path: string) => ({ httpGet: { path, port: 80 } });
  const container = {
    name: 'app',
    livenessProbe: handler('/live'),
    readinessProbe: handler('/ready'),
    startupProbe: handler('/started'),
    lifecycle: { postStart: handler('/begin'), preStop: handler('/end') },
  };
  assert.equal(handlersOf(container), [
    ['livenessProbe', handler('/live')],
    ['readinessProbe', handler('/ready')],
    ['startupProbe', handler('/started')],
    ['lifecycle.postStart', handler('/begin')],
    ['lifecycle.preStop', handler('/end')],
  ]);
  assert.equal(
    handlersOf({ name: 'app' }).map(([, one]) => one),
    Array(5).fill(undefined),
  );
});

test.run();
