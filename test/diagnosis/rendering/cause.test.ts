import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Diagnosis } from '../../../src/diagnosis/diagnosis.ts';
import { toldOf } from '../../../src/diagnosis/rendering/cause.ts';

const cause = suite('what happened, and why');

const told = (summary: string, more: { explanation?: string; none?: Diagnosis['noCorrection'] } = {}) =>
  toldOf({
    summary,
    noCorrection: more.none ?? null,
    corrections: more.explanation === undefined ? [] : [{ explanation: more.explanation } as Diagnosis['corrections'][0]],
  } as Diagnosis);

const CASES: Record<string, [summary: string, happened: string, why: string | undefined]> = {
  'a reason behind a comma': ['`app` ends, because it has no key.', '`app` ends.', 'It has no key.'],
  'a reason without a comma': ['`app` was killed because it used too much.', '`app` was killed.', 'It used too much.'],
  'a reason behind a colon': ['The pod cannot start: there is no Secret `a`.', 'The pod cannot start.', 'There is no Secret `a`.'],
  'a colon before the reason': ['It cannot start: it is not there, because a went.', 'It cannot start: it is not there.', 'A went.'],
  'something because of something': ['It cannot start: it is gone because of a typo.', 'It cannot start.', 'It is gone because of a typo.'],
  'a colon behind the reason': ['It ends, because it logs: no.', 'It ends.', 'It logs: no.'],
  'a reason that begins with code': ['It ends, because `a` is empty.', 'It ends.', '`a` is empty.'],
  'words of code': ['`x: y, because z` is not ready.', '`x: y, because z` is not ready.', undefined],
  'code with backticks of its own': ['It ends, because `` a`: b `` is wrong: c.', 'It ends.', '`` a`: b `` is wrong: c.'],
  'a colon within a word': ['It reads a:b.', 'It reads a:b.', undefined],
  'no reason': ['The pod runs.', 'The pod runs.', undefined],
  'the first of two reasons': ['It ends, because a, because b.', 'It ends.', 'A, because b.'],
};
for (const [name, [summary, happened, why]] of Object.entries(CASES))
  cause(name, () => assert.equal(told(summary), why === undefined ? { happened } : { happened, why }));

const SUMMARY = 'It ends, because nothing answers at `db:1`.';
const why = (more: Parameters<typeof told>[1]) => told(SUMMARY, more).why;

cause('adds the first sentence of an explanation, if it says how things are', () => {
  assert.is(why({ explanation: 'Service `db` has port `2` only.' }), 'Nothing answers at `db:1`. Service `db` has port `2` only.');
  assert.is(why({ explanation: 'The list has `a. B`. Take care.' }), 'Nothing answers at `db:1`. The list has `a. B`.');
  assert.is(why({ explanation: 'One without an end' }), 'Nothing answers at `db:1`. One without an end');
  assert.is(told('It ends.', { explanation: 'The file is gone. Make it.' }).why, 'The file is gone.');
});

cause('leaves out what a change brings with it, and what to think of before it', () => {
  for (const explanation of [
    'The pod then runs on any node. It has no label.',
    'It helps if the image has it.',
    'This helps little.',
    'A mirror shows it.',
    'Podmend cannot try this.',
    'Only those who wrote it know it.',
    'What is written there is lost.',
  ])
    assert.is(why({ explanation }), 'Nothing answers at `db:1`.', explanation);
  assert.is(why({ explanation: '`then` is no command.' }), 'Nothing answers at `db:1`. `then` is no command.');
});

cause('leaves out what was said before', () => {
  assert.is(why({ explanation: 'Nothing answers at `db:1`.' }), 'Nothing answers at `db:1`.');
  assert.is(told('It ends.', { explanation: 'It ends.' }).why, undefined);
});

cause('says why nothing in the manifest helps, unless that is not known', () => {
  const none = { why: 'The server is down.', whereToLook: 'the server' };
  assert.is(why({ none }), 'Nothing answers at `db:1`. The server is down.');
  assert.is(why({ none: { ...none, isOpen: true } }), 'Nothing answers at `db:1`.');
});

cause.run();
