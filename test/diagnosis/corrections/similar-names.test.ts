import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nearest, nearestName } from '../../../src/diagnosis/corrections/similar-names.ts';

const near = suite('near names');

const NAMES: Record<string, [name: string, known: string[], wanted: string[]]> = {
  'a longer form': ['app-config', ['app-configuration', 'app-secret'], ['app-configuration']],
  'a prefix': ['db-credentials', ['shop-db-credentials', 'shop'], ['shop-db-credentials']],
  'a suffix too many': ['redis-master', ['redis', 'rabbit'], ['redis']],
  'other separators': ['app_config', ['app-config'], ['app-config']],
  'another order': ['data-web', ['web-data', 'web'], ['web-data']],
  'a typo before a prefix': ['cart-conf', ['cart-conf-old', 'cart-cnf'], ['cart-cnf', 'cart-conf-old']],
  'a short part of many names': ['db', ['db-credentials', 'shop-db'], []],
  'a part of a word': ['redis', ['redisearch'], []],
  nothing: ['', ['a', 'app'], ['a']],
  'another word is no slip': ['payments-keys', ['payments-db'], []],
  'a slip in one of two words': ['payments-kyes', ['payments-keys'], ['payments-keys']],
  'a word more in the middle': ['payments-keys', ['payments-db', 'payments-gateway-keys'], ['payments-gateway-keys']],
  'parts of one address': ['metrics-port', ['metrics-addr'], ['metrics-addr']],
  'numbers that differ': ['shard-1', ['shard-12'], ['shard-12']],
};

for (const [sentence, [name, known, wanted]] of Object.entries(NAMES)) near(sentence, () => assert.equal(nearestName(name, known), wanted));

near('of two typos the one that begins alike comes first', () => assert.equal(nearest('sdd', ['hdd', 'ssd']), ['ssd', 'hdd']));

near.run();
