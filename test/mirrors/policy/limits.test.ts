import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { countMirrors } from '../../../src/mirrors/policy/limits.ts';
import { aMirrorPod, BORN } from '../../support/builders/mirror.ts';

test('live mirrors are counted by phase and verdict, without those in hidden namespaces', () => {
  const of = (namespace: string, phase: 'Running' | 'Failed') => aMirrorPod({}, { phase }, { namespace });
  const all = [of('shop', 'Running'), of('pay', 'Running'), of('hidden', 'Running'), of('hidden', 'Failed')];
  assert.equal(countMirrors(all, ['hidden'], new Date(BORN)), [{ phase: 'Running', verdict: 'None', count: 2 }]);
});

test.run();
