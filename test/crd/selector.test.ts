import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isEmptySelector, selects } from '../../src/crd/selector.ts';

const test = suite('label selectors');

const LABELS = { app: 'web', tier: 'front' };
const expression = (key: string, operator: string, ...values: string[]) => ({ matchExpressions: [{ key, operator, values }] });

const CASES: [sentence: string, selector: Parameters<typeof selects>[0], is: boolean][] = [
  ['none', undefined, true],
  ['an empty one', {}, true],
  ['a label', { matchLabels: { app: 'web' } }, true],
  ['another value', { matchLabels: { app: 'api' } }, false],
  ['two labels of which one differs', { matchLabels: { app: 'web', tier: 'back' } }, false],
  ['In', expression('app', 'In', 'api', 'web'), true],
  ['In others', expression('app', 'In', 'api'), false],
  ['In, of a label that is not there', expression('nope', 'In', 'web'), false],
  ['NotIn', expression('app', 'NotIn', 'web'), false],
  ['NotIn, of a label that is not there', expression('nope', 'NotIn', 'web'), true],
  ['Exists', expression('app', 'Exists'), true],
  ['Exists, of a label that is not there', expression('nope', 'Exists'), false],
  ['DoesNotExist', expression('app', 'DoesNotExist'), false],
  ['DoesNotExist, of a label that is not there', expression('nope', 'DoesNotExist'), true],
  ['an unknown operator', expression('app', 'Like', 'web'), false],
  ['a name of the language, which is no label', expression('constructor', 'Exists'), false],
  ['a label and an expression that fails', { matchLabels: { app: 'web' }, ...expression('tier', 'In', 'back') }, false],
];
for (const [sentence, selector, is] of CASES)
  test(`${sentence} ${is ? 'chooses' : 'does not choose'}`, () => assert.is(selects(selector, LABELS), is));

test('only a selector without any requirement is empty', () => {
  assert.equal(
    [undefined, {}, { matchLabels: {} }, { matchLabels: { a: 'b' } }, expression('a', 'Exists')].map((one) => isEmptySelector(one)),
    [true, true, true, false, false],
  );
});

test.run();
