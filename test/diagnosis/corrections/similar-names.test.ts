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
};

for (const [sentence, [name, known, wanted]] of Object.entries(NAMES)) near(sentence, () => assert.equal(nearestName(name, known), wanted));

near('of two typos the one that begins alike comes first', () => assert.equal(nearest('sdd', ['hdd', 'ssd']), ['ssd', 'hdd']));

near.run();
