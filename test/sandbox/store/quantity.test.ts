import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { quantity, quantityText, unitsOf, unitsText } from '../../../src/sandbox/store/quantity.ts';

const test = suite('quantities of the sandbox');

for (const [text, value] of [
  [undefined, 0],
  ['100m', 0.1],
  ['1Ki', 1024],
  ['1k', 1000],
  [2, 2],
  ['much', Number.NaN],
] as const)
  test(`${text} is ${value}`, () => assert.ok(Object.is(quantity(text), value)));

for (const [resource, text, units] of [
  ['cpu', '0.5', 500],
  ['requests.cpu', '1', 1000],
  ['cpu', '1u', 1],
  ['memory', '1Ki', 1024],
  ['example.com/cpus', '1', 1],
  ['pods', '3', 3],
  ['memory', '100m', 1],
] as const)
  test(`${text} of ${resource} is ${units} units`, () => assert.is(unitsOf(resource, text), units));

for (const [resource, units, text] of [
  ['cpu', 500, '500m'],
  ['cpu', 2000, '2'],
  ['memory', 2 ** 30, '1Gi'],
  ['memory', 3 * 2 ** 20, '3Mi'],
  ['limits.memory', 2048, '2Ki'],
  ['memory', 1000, '1000'],
  ['memory', 0, '0'],
  ['pods', 1024, '1024'],
] as const)
  test(`${units} units of ${resource} are written ${text}`, () => assert.is(unitsText(resource, units), text));

for (const [written, shown] of [
  ['0.5', '500m'],
  ['1000m', '1'],
  ['65536Ki', '64Mi'],
  ['1536Mi', '1536Mi'],
  ['1024Mi', '1Gi'],
  ['1000', '1k'],
  ['1500', '1500'],
  ['0', '0'],
  ['1e3', '1e3'],
  ['much', 'much'],
] as const)
  test(`${written} is shown as ${shown}`, () => assert.is(quantityText(written), shown));

test.run();
