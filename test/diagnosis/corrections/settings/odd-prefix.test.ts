import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { oddPrefix, oddSection } from '../../../../src/diagnosis/corrections/settings/odd-prefix.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('variables with another beginning than the others');
const rows = correctionRows(test);

const of = (names: string[], more: object = {}) => anInput({ ...env(Object.fromEntries(names.map((name) => [name, 'x']))), ...more });
const prefix = (...names: string[]) => oddPrefix(of(names))?.wanted;
const section = (...names: string[]) => oddSection(of(names))?.wanted;

test('a prefix', () => {
  assert.is(prefix('SETTINGS_A', 'SETTINGS_B', 'SETINGS_C'), 'SETTINGS_C', 'with a slip');
  assert.is(prefix('SETTINGS_A', 'SETTINGS_B', 'STINGS_C'), undefined, 'that is shorter than eight letters');
  assert.is(prefix('SETTING_A', 'SETTING_B', 'SETTNGS_C'), 'SETTING_C', 'with two slips');
  assert.is(prefix('SETTINGS_A', 'SETTINGS_B', 'ZETTNNGZ_C'), undefined, 'with three slips');
  assert.is(prefix('SETTINGS_A', 'SETTINGS_B', 'SETINGS_C', 'SETINGS_D'), undefined, 'that another one has too');
  assert.is(prefix('SETTINGS_A', 'SETTINGS_B', 'SETTINGZ_A', 'SETTINGZ_B', 'SETTINGX_C'), undefined, 'near to two');
  assert.is(prefix('spring.data.a', 'spring.data.b', 'spring.dta.c'), 'spring.data.c', 'with points');
  assert.is(prefix('SHOP1_SET_A', 'SHOP1_SET_B', 'SHP1_SET_C'), 'SHOP1_SET_C', 'with the same number');
  assert.is(prefix('SHOP1_SET_A', 'SHOP1_SET_B', 'SHOP2_SET_C'), undefined, 'with another number');
  assert.is(prefix('PLAIN', 'SETTINGSA'), undefined, 'that is none');
  assert.is(section('SETTINGS_A', 'SETTINGS_B', 'SETINGS_C'), undefined, 'that is no section');
});

test('a section', () => {
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW__DB__B', 'AIRFLOW__WEB_C'), 'AIRFLOW__WEB__C', 'half');
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW__WEB_C'), undefined, 'half, beside one');
  assert.is(section('AIRFLOW__CORE__A', 'OTHER__DB__B', 'AIRFLOW__WEB_C'), undefined, 'half, beside another program');
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW__DB__B', 'AIRFLOW_WEB_C'), 'AIRFLOW__WEB__C', 'flat');
  assert.is(section('AIRFLOW__CORE__A', 'OTHER__DB__B', 'AIRFLOW_WEB_C'), undefined, 'flat, beside another program');
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW__DB__B', 'AIRFLOW_WEB'), undefined, 'flat, without a key');
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW__DB__B', 'AIRFLOW_WEB_C', 'AIRFLOW_WEB_D'), undefined, 'two');
  assert.is(section('AIRFLOW__CORE__A', 'AIRFLOW__DB__B', 'AIRFLOW__WEB_C', 'AIRFLOW__WEB__C'), undefined, 'that is there');
  assert.is(section('A__B__C__E', 'A__B__C_D'), 'A__B__C__D', 'the third of three, beside one');
  assert.is(section('A__B__X', 'A__C__Y', 'A_D__Z'), 'A__D__Z', 'the first, beside two');
  assert.is(section('A__B__X', 'A_D__Z'), undefined, 'the first, beside one');
  assert.is(section('A__B__C__E', 'OTHER__C_D'), undefined, 'of another name');
  assert.is(section('A__B', 'A_C'), undefined, 'without a double underscore');
});

test('a section of .NET', () => {
  assert.is(section('ConnectionStrings_Shop'), 'ConnectionStrings__Shop', 'that all programs read');
  assert.is(section('ConnectionStrings__Shop'), undefined, 'that is right');
  assert.is(section('ConnectionStrings_'), undefined, 'without a name');
  assert.is(section('Rabbit__User', 'Rabbit__Port', 'Rabbit_HostName'), 'Rabbit__HostName', 'beside two');
  assert.is(section('Rabbit__User', 'Rabbit_HostName'), undefined, 'beside one');
  assert.is(section('Rabbit__User', 'Redis__Port', 'Rabbit_HostName'), undefined, 'beside another one');
  assert.is(section('RABBIT__User', 'RABBIT__Port', 'RABBIT_HostName'), undefined, 'in capitals');
});

test('a variable to which another value refers stays', () => {
  const referred = (name: string, ...more: string[]) => oddSection(of([name, ...more], { command: [`x=$(${name})`] }))?.wanted;
  assert.is(referred('AIRFLOW_WEB_C', 'AIRFLOW__CORE__A', 'AIRFLOW__DB__B'), undefined);
  assert.is(referred('Rabbit_HostName', 'Rabbit__User', 'Rabbit__Port'), undefined);
  assert.is(referred('ConnectionStrings_Shop'), 'ConnectionStrings__Shop');
  assert.is(oddPrefix(of(['Rabbit_HostName', 'Rabbit__User', 'Rabbit__Port'], { command: ['$(Rabbit_HostName)'] })), undefined);
});

const NAMES = ['X', 'AIRFLOW__CORE__A', 'AIRFLOW__DB__B', 'AIRFLOW__WEB_C'];
rows('a variable with another beginning', {
  'is renamed': [oddPrefix(of(NAMES)), likely({ 'env[3].name': 'AIRFLOW__WEB__C' })],
  'is renamed as a section': [oddSection(of(NAMES)), likely({ 'env[3].name': 'AIRFLOW__WEB__C' })],
  'without a manifest': [oddSection(anInput({}, {}, { manifest: 'x' })), []],
});
test('a variable with another beginning, in words', () => {
  const found = oddPrefix(of(NAMES));
  assert.is(found?.name, 'AIRFLOW__WEB_C');
  assert.equal(inWords(found?.correction), [
    'Rename `AIRFLOW__WEB_C` to `AIRFLOW__WEB__C`',
    'The program does not read `AIRFLOW__WEB_C`.',
    'the variables beside it begin so',
  ]);
});

test.run();
