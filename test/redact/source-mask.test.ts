import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sourceMask, type Sources } from '../../src/redact/source-mask.ts';

const door = suite('the mask of a text that was made of unmasked sources');

const PASSWORD = 'h7Jq-2xPz-9Lw';
const env = (more: object = {}) => ({ kind: 'Pod', spec: { containers: [{ env: [{ name: 'DB_PASSWORD', value: PASSWORD }] }] }, ...more });

const CASES: [sentence: string, sources: Partial<Sources>, text: string, expected: string][] = [
  ['without sources only what looks like a secret is hidden', {}, `saw ${PASSWORD}, password=${PASSWORD}`, `saw ${PASSWORD}, password=***`],
  ['a secret of a text is hidden elsewhere', { texts: [`password=${PASSWORD}`] }, `saw ${PASSWORD}`, 'saw ***'],
  ['a secret of an object is hidden elsewhere', { objects: [env()] }, `saw ${PASSWORD}`, 'saw ***'],
  [
    'what the mask leaves out of an object is passed over',
    { objects: [env({ metadata: { managedFields: [{ fieldsV1: { 'f:spec': {} } }] } })] },
    `saw ${PASSWORD}`,
    'saw ***',
  ],
  [
    'words, numbers and short values are not hidden elsewhere, because other texts have them too',
    { texts: ['password=hunter password=12345678 password=x9_k7'] },
    'saw hunter 12345678 x9_k7',
    'saw hunter 12345678 x9_k7',
  ],
  [
    'a secret that begins with another one is hidden completely',
    { texts: [`password=${PASSWORD} password=${PASSWORD}-Zk4`] },
    `saw ${PASSWORD}-Zk4, ${PASSWORD}`,
    'saw ***, ***',
  ],
  ['an object without content', { objects: [null, undefined, {}] }, 'saw nothing', 'saw nothing'],
];
for (const [sentence, { texts = [], objects = [] }, text, expected] of CASES)
  door(sentence, () => assert.is(sourceMask({ texts, objects })(text), expected));

door.run();
