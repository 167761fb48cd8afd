import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isOff, isOn, turnedOff, turnedOn } from '../../../../src/diagnosis/corrections/settings/switch-word.ts';

const words = suite('words that switch settings');

for (const [on, off] of [
  ['true', 'false'],
  ['True', 'False'],
  ['TRUE', 'FALSE'],
  ['1', '0'],
  ['yes', 'no'],
  ['on', 'off'],
  ['ON', 'OFF'],
] as const)
  words(`${on} and ${off}`, () => {
    assert.equal([isOn(on), isOff(on), isOn(off), isOff(off)], [true, false, false, true]);
    assert.equal([turnedOff(on), turnedOn(off)], [off, on]);
  });

words('other words', () => {
  for (const word of ['', '2', 'truely', 'constructor', '__proto__', 'disabled']) {
    assert.equal([isOn(word), isOff(word)], [false, false], word);
    assert.equal([turnedOff(word), turnedOn(word)], ['false', 'true'], word);
  }
});

words.run();
