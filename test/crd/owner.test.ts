import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { controllerOf } from '../../src/crd/owner.ts';

test('of several owners, the controller counts', () => {
  const owner = (name: string, controller?: boolean) => ({
    apiVersion: 'v1',
    kind: 'X',
    name,
    uid: name,
    ...(controller === undefined ? {} : { controller }),
  });
  assert.is(controllerOf({ ownerReferences: [owner('a'), owner('b', false), owner('c', true)] })?.name, 'c');
  assert.is(controllerOf({ ownerReferences: [owner('a'), owner('b', false)] }), undefined);
  assert.is(controllerOf({}), undefined);
});

test.run();
