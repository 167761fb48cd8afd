import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Meaning } from '../../../../src/diagnosis/corrections/meaning.ts';
import type { Explained } from '../../../../src/diagnosis/rules/setting-behind/explained.ts';
import * as files from '../../../../src/diagnosis/rules/setting-behind/files.ts';
import * as keys from '../../../../src/diagnosis/rules/setting-behind/keys.ts';
import * as names from '../../../../src/diagnosis/rules/setting-behind/names-of-variables.ts';
import * as servers from '../../../../src/diagnosis/rules/setting-behind/servers.ts';
import { withSetting } from '../../../../src/diagnosis/rules/setting-behind/setting-behind.ts';
import * as words from '../../../../src/diagnosis/rules/setting-behind/words.ts';
import { inShort } from '../../../support/builders/cases.ts';
import { guess, likely } from '../../../support/builders/corrections.ts';
import { ALL_SORTS, BEFORE, changesOf, explainedLine, type Fault, type Sort } from '../../../support/builders/explained.ts';
import { bothOf, FAULTS, type Finder, fromSecret } from './faults.ts';

const test = suite('which setting is behind a line');

const FINDERS: Record<Finder, (explained: Explained) => Meaning | undefined> = { ...files, ...keys, ...names, ...servers, ...words };
const faultOf = (finder: Finder): Fault => FAULTS[finder];

const SETTINGS: Sort[] = ['spring', 'variable', 'setting', 'certificate', 'connection string', 'driver', 'python', 'url'];
const IN_GENERAL: Sort[] = ['general', 'general host'];
/** The sorts of lines behind which each one looks for its setting. The others look behind every line. */
const LOOKS: Partial<Record<Finder, Sort[]>> = {
  ofOddSection: [...IN_GENERAL, 'code', ...SETTINGS],
  ofOddName: [...IN_GENERAL, 'code'],
  ofHost: ['general host', 'connection string', 'name', 'connection', 'no connection'],
  ofProfile: [...IN_GENERAL, 'spring', 'variable', 'setting'],
  ofUsualName: [...IN_GENERAL, 'code', 'spring', 'variable', 'setting'],
  ofRemovedOption: [...IN_GENERAL, 'code'],
  ofUnusedKey: [...IN_GENERAL, 'code'],
  ofLateReference: [...IN_GENERAL, 'code', 'login', 'credentials'],
  ofSwappedKeys: [...IN_GENERAL, 'code', ...SETTINGS, 'login', 'credentials', 'cloud'],
  ofOddKey: [...IN_GENERAL, 'code', 'login', 'credentials', 'cloud'],
  ofMisspeltWord: [...IN_GENERAL, 'code', ...SETTINGS],
  ofMadeUpScheme: [...IN_GENERAL, 'code', ...SETTINGS],
  ofExports: IN_GENERAL,
  ofPath: IN_GENERAL,
  ofUnbroughtFile: [...IN_GENERAL, 'code', 'file'],
  ofUnbroughtFolder: [...IN_GENERAL, 'code', 'certificate', 'file'],
};
const all = Object.keys(FAULTS) as Finder[];
for (const finder of all)
  test(`${finder} looks behind these lines only`, () => {
    const found = ALL_SORTS.filter((sort) => FINDERS[finder](explainedLine(faultOf(finder), sort)));
    assert.equal([...found].sort(), [...(LOOKS[finder] ?? ALL_SORTS)].sort());
  });

const name = (index: number, to: string) => likely({ [`env[${index}].name`]: to });
const value = (index: number, to: string) => likely({ [`env[${index}].value`]: to });
/** What changes in the meaning. `what`: the culprit before, or the message of the line without one. */
const CHANGES: Record<Finder, (what: string) => Record<string, unknown>> = {
  ofNeededValue: () => ({
    culprit: `KONG_DATABASE: ${FAULTS.ofNeededValue.says}`,
    corrections: likely({ 'env[1]': { name: 'KONG_DATABASE', value: 'off' } }),
  }),
  ofServiceVariable: () => ({
    because:
      'Kubernetes sets variables for each Service, and the program takes one for a setting: `Unrecognized setting. No declared setting with name: PORT.7687.TCP.PROTO`',
    culprit: 'enableServiceLinks: Unrecognized setting. No declared setting with name: PORT.7687.TCP.PROTO',
    advice: ['Switch the variables of Services off.'],
    corrections: likely({ 'spec.enableServiceLinks': false }),
    whereToLook: 'the Services of the namespace whose name begins the name of the variable',
  }),
  ofOldName: () => ({
    culprit: 'HUGGINGFACE_TOKEN',
    advice: ['The program reads `HF_TOKEN`, and not `HUGGINGFACE_TOKEN`.'],
    corrections: name(0, 'HF_TOKEN'),
  }),
  ofOddSection: (what) => ({
    culprit: `AIRFLOW_DATABASE_CONN: ${what}`,
    advice: ['The program does not read `AIRFLOW_DATABASE_CONN`: the variables beside it begin otherwise.'],
    corrections: name(2, 'AIRFLOW__DATABASE__CONN'),
  }),
  ofOddName: (what) => ({
    culprit: `MY_SETINGS_C: ${what}`,
    advice: ['The program does not read `MY_SETINGS_C`: the variables beside it begin otherwise.'],
    corrections: name(2, 'MY_SETTINGS_C'),
  }),
  ofHost: (what) => ({
    culprit: `SHOP_SERVER: ${what}`,
    advice: ['The image reads `HOST`, and not `SHOP_SERVER`.'],
    corrections: name(0, 'HOST'),
  }),
  ofOtherPort: (what) => ({
    culprit: `QUEUE with port 15672: ${what}`,
    advice: ['Port 15672 is not for clients. Use the port at which the server speaks the protocol of the program.'],
    corrections: value(0, 'amqp://mq:5672'),
  }),
  ofSwitchedOffTls: (what) => ({
    culprit: `KAFKA_TLS=false (KAFKA_BROKER=kafka:9093): ${what}`,
    advice: ['Let the client speak TLS, or call the port without it.'],
    corrections: guess({ 'env[0].value': 'true' }),
  }),
  ofKey: () => ({
    culprit: 'STRIPE_API_KEY (key k of Secret stripe)',
    advice: [
      'Look at it.',
      '`STRIPE_API_KEY` comes from `key k of Secret stripe`. Look whether the value is the right one, has no line break at its end, and is not encoded twice: `stringData` takes it as it is, `data` in base64.',
    ],
    corrections: likely({ 'env[0].valueFrom.secretKeyRef.key': 'API_KEY' }),
    inCode: false,
  }),
  ofProfile: () => ({
    because: 'it fails: it runs with `QUARKUS_PROFILE=production`, and no mounted file has the settings of that',
    culprit: 'QUARKUS_PROFILE=production',
    advice: ['The program runs with `QUARKUS_PROFILE=production`, and no mounted file has the settings of it.'],
    corrections: guess({ 'env[0].value': 'prod' }),
  }),
  ofUsualName: () => ({ corrections: name(0, 'NODE_ENV') }),
  ofRequiredOption: (what) => ({
    culprit: `APP_ENCRYPTIONKEY_FILE (${what})`,
    advice: ['The program reads `APP_ENCRYPTION_KEY_FILE`, and not `APP_ENCRYPTIONKEY_FILE`.'],
    corrections: name(0, 'APP_ENCRYPTION_KEY_FILE'),
  }),
  ofEmptyVariable: (what) => ({
    culprit: `VERSION from version: ${what}`,
    advice: ['`VERSION` is empty: the pod has no `version`.'],
    corrections: guess({ 'metadata.labels.version': '1' }),
  }),
  ofRemovedOption: () => ({
    because: 'this version no longer has the option `--experimental.http3`: `flag experimental http3 was removed`',
    culprit: '--experimental.http3',
    advice: ['Remove the option, and see in the release notes what took its place.'],
    corrections: likely({ args: null }),
  }),
  ofSocket: () => ({
    because: 'nothing is at `unix:///run/csi/csi.sock`, which `--csi-address` names',
    culprit: '--csi-address=unix:///run/csi/csi.sock',
    advice: ['Mount the folder of the socket into this container, and name it as it is mounted here.'],
    corrections: likely({ 'args[0]': '--csi-address=unix:///var/run/csi/csi.sock' }),
  }),
  ofUnusedKey: (what) => ({
    culprit: `SHOP_KEY: ${what}`,
    advice: ['Nothing gives the container `SHOP_KEY`, and the namespace has a key of that name.'],
    corrections: likely({ env: [fromSecret('SHOP_KEY', 's', 'SHOP_KEY')] }),
  }),
  ofLateReference: (what) => ({
    culprit: `ADDRESS with $(IP): ${what}`,
    advice: ['`ADDRESS` reaches the program with `$(IP)` as it is.'],
    corrections: likely({ 'env[0]': { name: 'IP', value: '1' }, 'env[1]': { name: 'ADDRESS', value: 'a$(IP)' } }),
  }),
  ofNamedUnset: () => ({
    culprit: 'APP_KEYZ (APP_KEYS is not set)',
    advice: ['The program reads `APP_KEYS`, and not `APP_KEYZ`.'],
    corrections: name(0, 'APP_KEYS'),
  }),
  ofSwappedKeys: (what) => ({
    because: "it fails: `DB_USER` and `DB_PASS` have each other's key",
    culprit: `DB_USER and DB_PASS have each other's key: ${what}`,
    advice: ["`DB_USER` and `DB_PASS` have each other's key."],
    corrections: likely({ 'env[0].valueFrom.secretKeyRef.key': 'username', 'env[1].valueFrom.secretKeyRef.key': 'password' }),
  }),
  ofOddKey: (what) => ({
    culprit: `MQ_PASSWORD (key x of Secret m): ${what}`,
    advice: ['`MQ_PASSWORD` comes from `key x of Secret m`, and another key is called like it.'],
    corrections: guess({ 'env[0].valueFrom.secretKeyRef.key': 'mq-password' }),
  }),
  ofMisspeltWord: () => ({ culprit: 'FAST=flase', advice: ['`flase` looks like a slip.'], corrections: value(0, 'false') }),
  ofMadeUpScheme: (what) => ({
    culprit: `EVENTS: rabbitmq:// (${what})`,
    advice: ['No server has this scheme.'],
    corrections: value(0, 'amqp://events:1'),
  }),
  ofDatabase: () => ({
    advice: ['Run `airflow db migrate` before the program starts.'],
    corrections: guess({
      'spec.initContainers': [{ name: 'prepare-database', image: 'apache/airflow:2', command: ['airflow', 'db', 'migrate'] }],
    }),
  }),
  ofExports: (what) => ({
    culprit: `LANG: ${what}`,
    advice: ['Change the settings as the message above asks.'],
    corrections: value(0, 'C.UTF-8'),
  }),
  ofPath: () => ({
    culprit: '--dir=/srv/state/x',
    advice: ['Let the program keep its data in the claim that is mounted for it.'],
    corrections: likely({ 'args[0]': '--dir=/data' }),
  }),
  ofUnbroughtFile: (what) => ({
    culprit: `CONFIG=/etc/c/apps.yml: ${what}`,
    advice: ['`CONFIG` names a file that no volume brings.'],
    corrections: value(0, '/etc/c/app.yml'),
  }),
  ofUnbroughtFolder: (what) => ({
    culprit: `--certs-dir=/etc/certs: ${what}`,
    advice: ['`--certs-dir` names a folder in which no volume is mounted.'],
    corrections: likely({ 'args[0]': '--certs-dir=/etc/c-certs' }),
  }),
  ofVariableForFile: () => ({
    advice: ['Name the file in `RULES_FILE`, as the message says.'],
    corrections: likely({ env: [{ name: 'RULES_FILE', value: '/rules/rules.json' }] }),
  }),
  ofShortSecret: () => ({
    because: '`JWT_SECRET` is too short: the program wants 10 characters',
    culprit: 'JWT_SECRET (shorter than 10 characters)',
    corrections: guess({ 'env[0].value': 'replace-me' }),
  }),
  ofProposal: (what) => ({
    culprit: `${what} (--accept-license)`,
    advice: ['Change the settings as the message above asks.'],
    corrections: guess({ 'args[1]': '--accept-license' }),
  }),
};
for (const finder of all)
  test(`${finder} says what is wrong, and what would be right`, () => {
    const fault = faultOf(finder);
    const sort = finder === 'ofHost' ? 'general host' : 'general';
    const of = (before: Partial<Meaning>) => changesOf(FINDERS[finder](explainedLine(fault, sort, before)), before);
    assert.equal(of({ culprit: 'port 1' }), CHANGES[finder]('port 1'), 'beside a culprit');
    const ofLine = finder === 'ofProposal' ? { ...CHANGES[finder](''), culprit: fault.says } : CHANGES[finder](fault.says);
    assert.equal(of({}), ofLine, 'without one');
  });

/** Pairs with the same answer, or of which a line can show only one file. */
const APART = ['ofOddSection ofOddName', 'ofPath ofVariableForFile'];
for (const [index, first] of all.entries())
  test(`${first} is asked, and before those that tell less`, () => {
    const alone = explainedLine(faultOf(first), first === 'ofHost' ? 'general host' : 'general');
    assert.equal(withSetting(alone), FINDERS[first](alone));
    for (const second of all.slice(index + 1).filter((one) => !APART.includes(`${first} ${one}`))) {
      const sort = [first, second].includes('ofHost') ? 'general host' : 'general';
      const shown = [bothOf(faultOf(first), faultOf(second)), faultOf(first)]
        .map((fault) => explainedLine(fault, sort))
        .find((explained) => FINDERS[first](explained) && FINDERS[second](explained));
      assert.ok(shown, second);
      assert.equal(withSetting(shown), FINDERS[first](shown), second);
      assert.not.equal(FINDERS[first](shown), FINDERS[second](shown), second);
    }
  });

const [OWN] = FINDERS.ofMisspeltWord(explainedLine(FAULTS.ofMisspeltWord))?.corrections ?? [];
test('a correction that the line names stays, except where another one is surer', () => {
  const kept = all.filter((finder) => {
    const explained = explainedLine(faultOf(finder), finder === 'ofHost' ? 'general host' : 'general', { corrections: [OWN!] });
    return withSetting(explained) === explained.meaning;
  });
  assert.equal(
    all.filter((finder) => !kept.includes(finder)),
    ['ofNeededValue', 'ofServiceVariable', 'ofOldName', 'ofOddSection'],
  );
});
test('a line that nothing is behind keeps its meaning, and offers nothing', () => {
  assert.equal(withSetting(explainedLine({ says: 'it failed' })), { ...BEFORE, corrections: [] });
  assert.equal(inShort(withSetting(explainedLine(FAULTS.ofMisspeltWord, 'general', { corrections: [] })).corrections), value(0, 'false'));
});

test.run();
