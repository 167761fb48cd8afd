import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { questionCounter } from '../../src/models/question-counter.ts';

test('questions are counted by provider and outcome', () => {
  const { count, list } = questionCounter();
  count('a', 'answered');
  count('a', 'failed');
  count('b', 'answered');
  count('a', 'answered');
  assert.equal(list(), [
    { provider: 'a', outcome: 'answered', count: 2 },
    { provider: 'a', outcome: 'failed', count: 1 },
    { provider: 'b', outcome: 'answered', count: 1 },
  ]);
});

test.run();
