import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpError } from '../../src/http.ts';
import { failureOf } from '../../src/notifications/failure.ts';

test('an error of a request becomes a reason and its code, never its text', () => {
  for (const [code, reason] of [
    ['TIMEOUT', 'Timeout'],
    ['PRIVATE', 'AddressNotAllowed'],
    ['TOO_LARGE', 'ServiceError'],
    ['ECONNREFUSED', 'Unreachable'],
  ]) {
    const error = new HttpError('https://hooks.example.org/T/secret', code ?? '', 'no');
    assert.equal(failureOf(error), { reason, detail: `no answer (${code})` });
  }
  assert.equal(failureOf(new Error('https://hooks.example.org/T/secret')), { reason: 'Unreachable', detail: 'no answer (UNKNOWN)' });
});

test.run();
