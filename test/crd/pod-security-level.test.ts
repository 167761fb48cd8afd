import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enforcedLevelOf } from '../../src/crd/pod-security-level.ts';

const ENFORCE = 'pod-security.kubernetes.io/enforce';

const ROWS: [what: string, labels: unknown, enforced: ReturnType<typeof enforcedLevelOf>][] = [
  ['no labels', undefined, undefined],
  ['labels that are no mapping', 'restricted', undefined],
  ['labels that are null', null, undefined],
  ['another label', { 'pod-security.kubernetes.io/warn': 'restricted' }, undefined],
  ['privileged', { [ENFORCE]: 'privileged' }, undefined],
  ['an unknown level', { [ENFORCE]: 'strict' }, undefined],
  ['baseline', { [ENFORCE]: 'baseline' }, { level: 'baseline', minor: Infinity }],
  ['restricted', { [ENFORCE]: 'restricted' }, { level: 'restricted', minor: Infinity }],
  ['a version', { [ENFORCE]: 'restricted', [`${ENFORCE}-version`]: 'v1.25' }, { level: 'restricted', minor: 25 }],
  ['version latest', { [ENFORCE]: 'baseline', [`${ENFORCE}-version`]: 'latest' }, { level: 'baseline', minor: Infinity }],
  ['a version that is none', { [ENFORCE]: 'baseline', [`${ENFORCE}-version`]: 'v1.25.3' }, { level: 'baseline', minor: Infinity }],
];
for (const [what, labels, enforced] of ROWS)
  test(`a namespace with ${what}`, () => assert.equal(enforcedLevelOf({ metadata: { name: 'shop', labels: labels as never } }), enforced));

test.run();
