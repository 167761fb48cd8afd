import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { optionsBeforeJar } from '../../../../src/diagnosis/corrections/command/java-options.ts';
import { aPlace } from '../../../support/builders/cases.ts';
import { correctionRows, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('options of Java behind its jar');
const rows = correctionRows(test);

const args = (...words: string[]) => optionsBeforeJar(aPlace({ args: words }));
rows('an option behind the jar', {
  'of the memory': [args('-jar', 'a.jar', '-Xmx1g'), likely({ args: ['-Xmx1g', '-jar', 'a.jar'] })],
  'of the garbage collection': [args('-jar', 'a.jar', '-XX:+UseG1GC'), likely({ args: ['-XX:+UseG1GC', '-jar', 'a.jar'] })],
  'that is a property': [args('-jar', 'a.jar', '-Da.b=c', 'x'), likely({ args: ['-Da.b=c', '-jar', 'a.jar', 'x'] })],
  'that is a property without a value': [args('-jar', 'a.jar', '-Da'), likely({ args: ['-Da', '-jar', 'a.jar'] })],
  'beside others before it': [
    args('-server', '-jar', 'a.jar', '-Xmx1g', '--x', '-Da=b'),
    likely({ args: ['-server', '-Xmx1g', '-Da=b', '-jar', 'a.jar', '--x'] }),
  ],
  'in the command': [
    optionsBeforeJar(aPlace({ command: ['java', '-jar', 'a.jar', '-Xmx1g'], args: ['x'] })),
    likely({ command: ['java', '-Xmx1g', '-jar', 'a.jar'] }),
  ],
  'before it already': [args('-Xmx1g', '-jar', 'a.jar'), []],
  'of the program': [args('-jar', 'a.jar', '-d', '-D', '-D1=2', '--Xmx', '-X'), []],
  'without a jar': [args('Main', '-Xmx1g'), []],
  'in the place of the jar': [args('-jar', '-Xmx1g'), []],
  'without a manifest': [optionsBeforeJar(undefined), []],
});

test('the words', () => {
  const found = args('-jar', 'a.jar', '-Xmx1g', '-Da=b');
  assert.equal(found?.options, ['-Xmx1g', '-Da=b']);
  assert.equal(inWords(found?.correction), [
    'Write `-Xmx1g -Da=b` before `-jar`',
    'Java takes its own options only before `-jar`.',
    'what follows the jar goes to the program',
  ]);
});

test.run();
