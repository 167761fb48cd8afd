import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatBytes, formatCpu, formatResource, parseQuantity } from '../../src/crd/quantity.ts';

const test = suite('quantities');

const PARSED: [text: string | number | null | undefined, value: number | undefined][] = [
  ['0', 0],
  ['500m', 0.5],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['5.', 5],
  ['-2', -2],
  ['+2', 2],
  ['1k', 1000],
  ['1Ki', 1024],
  ['1Gi', 2 ** 30],
  ['1Ei', 2 ** 60],
  ['1e3', 1000],
  ['1E-3', 0.001],
  ['1E', 1e18],
  ['1u', 1e-6],
  [7, 7],
  [Infinity, undefined],
  [Number.NaN, undefined],
  [null, undefined],
  [undefined, undefined],
  ['', undefined],
  ['much', undefined],
  ['1ki', undefined],
  ['1K', undefined],
  ['1mi', undefined],
  ['1 Gi', undefined],
  ['1.2.3', undefined],
  ['1e100', undefined],
];
for (const [text, value] of PARSED)
  test(`${JSON.stringify(text) ?? 'nothing'} is ${value}`, () => {
    const parsed = parseQuantity(text);
    if (value === undefined) assert.is(parsed, undefined);
    else assert.ok(Math.abs((parsed ?? Number.NaN) - value) <= 1e-9 * Math.abs(value), String(parsed));
  });

for (const [bytes, text] of [
  [0, '1Mi'],
  [2 ** 20 - 1, '1Mi'],
  [2 * 2 ** 20 - 1, '1Mi'],
  [1023 * 2 ** 20, '1023Mi'],
  [2 ** 30, '1Gi'],
  [1.5 * 2 ** 30, '1536Mi'],
  [2 * 2 ** 30 + 5, '2Gi'],
] as const)
  test(`${bytes} bytes are written ${text}`, () => assert.is(formatBytes(bytes), text));

for (const [cores, text] of [
  [0, '1m'],
  [0.0015, '1m'],
  [0.29, '290m'],
  [1, '1'],
  [1.5, '1500m'],
  [2.0009, '2'],
] as const)
  test(`${cores} cores are written ${text}`, () => assert.is(formatCpu(cores), text));

test('the unit is that of the resource', () => {
  assert.equal(
    ['cpu', 'limits.cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'pods', 'nvidia.com/gpu'].map((name) => formatResource(name, 2)),
    ['2', '2', '1Mi', '1Mi', '1Mi', '2', '2'],
  );
  assert.is(formatResource('pods', 2.9), '2');
});

test.run();
