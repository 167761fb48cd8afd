import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wgetForCurl } from '../../../../src/diagnosis/corrections/command/wget.ts';
import { aPlace } from '../../../support/builders/cases.ts';
import { correctionRows, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('curl in an image that has only wget');
const rows = correctionRows(test);

const script = (text: string, image = 'busybox:1.36') => wgetForCurl(aPlace({ image, args: ['-c', text] }), 'curl');
for (const [sentence, from, to] of [
  ['alone', 'curl http://a/x', 'wget -q -O - http://a/x'],
  ['with options that wget does not need', 'curl -fsSL --compressed http://a', 'wget -q -O - http://a'],
  ['with a file', 'curl -o f http://a', 'wget -q -O f http://a'],
  ['with a file in the long form', 'curl --output f http://a', 'wget -q -O f http://a'],
  ['with a file behind other letters', 'curl -fsSo f http://a', 'wget -q -O f http://a'],
  ['with a time', 'curl -m 5 http://a', 'wget -q -T 5 -O - http://a'],
  ['with a time in the long forms', 'curl --max-time 5 --connect-timeout 2 http://a', 'wget -q -T 5 -T 2 -O - http://a'],
  ['with a header', `curl -H "a: b" --header 'c: d' http://a`, `wget -q --header "a: b" --header 'c: d' -O - http://a`],
  ['with data', `curl -d a=b --data c http://a`, 'wget -q --post-data a=b --post-data c -O - http://a'],
  ['in a loop', 'until curl -s http://a; do sleep 1; done', 'until wget -q -O - http://a; do sleep 1; done'],
  ['twice', 'curl http://a && curl http://b', 'wget -q -O - http://a && wget -q -O - http://b'],
  ['with an option that wget does not know', 'curl --retry 5 http://a', undefined],
  ['with an option without its value', 'curl http://a -o', undefined],
  ['with a method', 'curl -X PUT http://a', undefined],
  ['with two addresses', 'curl http://a http://b', undefined],
  ['without an address', 'curl -s', undefined],
  ['once as wget can, once as it cannot', 'curl http://a; curl -X PUT http://b', undefined],
  ['as part of another word', 'mycurl http://a', undefined],
] as const)
  test(`a call ${sentence}`, () => assert.is(script(from)[0]?.changes[0]?.to, to));

rows('curl', {
  'in the command': [
    wgetForCurl(aPlace({ image: 'alpine', command: ['sh', '-c', 'curl http://a'], args: ['x'] }), 'curl'),
    likely({ 'command[2]': 'wget -q -O - http://a' }),
  ],
  'in both, one of which wget cannot': [
    wgetForCurl(aPlace({ image: 'alpine', command: ['sh', '-c', 'curl http://a'], args: ['curl -X PUT http://b'] }), 'curl'),
    [],
  ],
  'as a program of its own': [wgetForCurl(aPlace({ image: 'busybox', command: ['curl', 'http://a'] }), 'curl'), []],
  'in an image of a mirror': [script('curl http://a', 'r.example/library/alpine:3'), likely({ 'args[1]': 'wget -q -O - http://a' })],
  'in another image': [script('curl http://a', 'web:1'), []],
  'in an image with a longer name': [script('curl http://a', 'my-busybox:1'), []],
  'for another program': [wgetForCurl(aPlace({ image: 'busybox', args: ['-c', 'curl http://a'] }), 'jq'), []],
  'without a manifest': [wgetForCurl(undefined, 'curl'), []],
});

test('the words', () =>
  assert.equal(inWords(script('curl http://a')[0]), ['Ask with `wget`', 'The image has no `curl`.', 'BusyBox has `wget`']));

test.run();
