import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Case } from '../../../src/diagnosis/case.ts';
import { missingNames } from '../../../src/diagnosis/facts/missing-names.ts';

const named = (logs: string): string[] => missingNames({ logs, container: null, statuses: [] } as unknown as Case);

test('the settings that a log lists as missing, in the words of each library', () => {
  // pydantic 1 and 2.
  assert.equal(named('2 validation errors for Settings\ndb_url\n  field required (type=value_error.missing)\nAPI_KEY\n  field required'), [
    'db_url',
    'API_KEY',
  ]);
  assert.equal(named('1 validation error for Settings\nDB_URL\n  Field required [type=missing]'), ['DB_URL']);
  assert.equal(named('required key QUEUE_URL missing value'), ['QUEUE_URL']);
  assert.equal(named('Missing required environment variables: S3_BUCKET, S3_REGION and S3_KEY'), ['S3_BUCKET', 'S3_REGION', 'S3_KEY']);
  assert.equal(named('server started'), []);
});

test.run();
