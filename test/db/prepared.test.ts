import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { preparedNames } from '../../src/db/prepared.ts';

test('a text that begins with the mark has a name, which is its own and always the same', () => {
  const [nameOf, another] = [preparedNames(), preparedNames()];
  const name = nameOf('/* prepared */ select 1');
  assert.match(name ?? '', /^[\w-]{43}$/);
  assert.is(nameOf('/* prepared */ select 1'), name);
  assert.is(another('/* prepared */ select 1'), name);
  assert.is.not(nameOf('/* prepared */ select 2'), name);
  for (const text of ['select 1', ' /* prepared */ select 1', '', undefined, { text: '/* prepared */ select 1' }])
    assert.is(nameOf(text), undefined);
});

test.run();
