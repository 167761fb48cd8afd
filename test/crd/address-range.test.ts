import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isWithin } from '../../src/crd/address-range.ts';

const test = suite('addresses in ranges');

const CASES: [range: string, address: string, is: boolean][] = [
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.0.0.128/25', '10.0.0.127', false],
  ['10.0.0.128/25', '10.0.0.128', true],
  ['0.0.0.0/0', '255.255.255.255', true],
  ['10.0.0.7/32', '10.0.0.7', true],
  ['10.0.0.7/32', '10.0.0.8', false],
  ['10.0.0.7/33', '10.0.0.7', false],
  ['10.0.0.7', '10.0.0.7', false],
  ['10.0.0.0/8/8', '10.0.0.7', false],
  ['10.0.0.0/-8', '10.0.0.7', false],
  ['10.0.0.0/8', '10.0.0.256', false],
  ['10.0.0.0/8', '10.0.0', false],
  ['10.0.0.0/8', '10.0.0.0x1', false],
  ['256.0.0.0/0', '10.0.0.1', false],
  ['fd00::/8', 'fdff::1', true],
  ['fd00::/8', 'fe00::1', false],
  ['::/0', '::', true],
  ['::/0', '10.0.0.1', false],
  ['0.0.0.0/0', '::1', false],
  ['::ffff:10.0.0.0/104', '::ffff:10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '::ffff:11.1.2.3', false],
  ['::/0', '::ffff:10.0.0.256', false],
  ['::/0', '1:2:3:4:5:6:7:8', true],
  ['::/0', '1:2:3:4:5:6:7', false],
  ['::/0', '1:2:3:4:5:6:7:8:9', false],
  ['::/0', '1:2:3:4::5:6:7', true],
  ['::/0', '1:2:3:4::5:6:7:8', false],
  ['::/0', '1::2::3', false],
  ['::/0', '12345::', false],
  ['::/0', 'g::', false],
  ['2001:db8::1/128', '2001:DB8:0:0:0:0:0:1', true],
];
for (const [range, address, is] of CASES)
  test(`${address} is ${is ? '' : 'not '}in ${range}`, () => assert.is(isWithin(range, address), is));

test.run();
