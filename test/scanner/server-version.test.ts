import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { minorVersion } from '../../src/scanner/server-version.ts';

const answers = (answer: unknown) => ({ raw: async () => answer as never });

test('the minor version of the server, or the last known one', async () => {
  assert.is(await minorVersion(answers({ minor: '36' }), 30), 36);
  assert.is(await minorVersion(answers({ minor: '29+' }), 30), 29);
  assert.is(await minorVersion(answers({}), 30), 30);
  const away = { raw: () => Promise.reject(new Error('away')) };
  assert.is(await minorVersion(away, 30), 30);
});

test.run();
