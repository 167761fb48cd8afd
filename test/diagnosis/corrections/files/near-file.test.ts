import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nearFiles } from '../../../../src/diagnosis/corrections/files/near-file.ts';

const test = suite('files that are near');

const CASES: [sentence: string, file: string, mounted: string[], expected: string[]][] = [
  ['other separators', '/etc/app/db/password', ['/etc/app/db-password', '/etc/app/user'], ['/etc/app/db-password likely']],
  ['no one of two with other separators', '/a/db/pass', ['/a/db-pass', '/a/db_pass'], []],
  ['a slip', '/etc/app/config.yml', ['/etc/app/confg.yml', '/etc/app/x.yml'], ['/etc/app/confg.yml likely']],
  ['a longer name', '/etc/app/app.yml', ['/etc/app/app-settings.yml'], []],
  ['a longer name of more than three letters', '/etc/app/shop.yml', ['/etc/app/shop-settings.yml'], ['/etc/app/shop-settings.yml likely']],
  ['no one of two longer names', '/e/shop.yml', ['/e/shop-one-file.yml', '/e/shop-two-file.yml'], []],
  ['the other ending of settings', '/e/app.toml', ['/e/app.yaml', '/e/other.yaml'], ['/e/app.yaml likely']],
  ['no other ending of what are no settings', '/e/app.key', ['/e/app.yaml'], []],
  ['no other ending among two', '/e/app.toml', ['/e/app.yaml', '/e/app.json'], []],
  ['no ending at all', '/e/config', ['/e/config.json'], ['/e/config.json likely']],
  ['one number apart', '/e/node1.yml', ['/e/node2.yml'], ['/e/node2.yml guess']],
  ['another folder with a near name', '/config/app.yml', ['/configs/app.yml'], ['/configs/app.yml likely']],
  ['a near name in a near folder', '/config/app.yml', ['/configs/apps.yml'], ['/configs/apps.yml likely']],
  ['no other name in a near folder', '/config/app.yml', ['/configs/web.yml'], []],
  ['the end of the name below the folder', '/q/sidekiq_critical.yml', ['/q/queues/critical.yml'], ['/q/queues/critical.yml likely']],
  ['no end of the name elsewhere', '/q/sidekiq_critical.yml', ['/else/queues/critical.yml'], []],
  ['no end of the name without a separator', '/q/noncritical.yml', ['/q/queues/critical.yml'], []],
  ['no one of two ends', '/q/x_critical.yml', ['/q/queues/critical.yml', '/q/other/critical.yml'], []],
  ['no end at the root', '/x_critical.yml', ['/some/folder/critical.yml'], []],
  ['not itself', '/e/app.yml', ['/e/app.yml'], []],
  ['each once', '/e/app.yml', ['/e/apps.yml', '/e/apps.yml'], ['/e/apps.yml likely']],
  ['the nearest first', '/e/settings.yml', ['/e/setings2.yml', '/e/setings.yml'], ['/e/setings.yml likely', '/e/setings2.yml likely']],
  ['another stage is another file', '/e/app-prod.yml', ['/e/app-dev.yml'], []],
  ['a stage that is written in full', '/e/app-prod.yml', ['/e/app-production.yml'], ['/e/app-production.yml likely']],
  ['a stage that only one names', '/e/settings.yml', ['/e/settings-prod.yml'], ['/e/settings-prod.yml guess']],
];
for (const [sentence, file, mounted, expected] of CASES)
  test(sentence, () =>
    assert.equal(
      nearFiles(file, mounted, []).map(({ path, confidence }) => `${path} ${confidence}`),
      expected,
    ),
  );

for (const [a, b] of [
  ['yml', 'yaml'],
  ['pem', 'crt'],
  ['cer', 'cert'],
  ['cnf', 'conf'],
  ['cfg', 'config'],
  ['properties', 'props'],
] as const)
  test(`${a} and ${b} are one format`, () => {
    assert.is(nearFiles(`/e/server.${a}`, [`/e/server.${b}`], []).length, 1);
    assert.is(nearFiles(`/e/servr.${b}`, [`/e/server.${a}`], []).length, 1);
  });

for (const ending of ['conf', 'cfg', 'cnf', 'ini', 'yaml', 'yml', 'toml', 'json', 'properties', 'hcl', 'xml'])
  test(`${ending} is an ending of settings`, () => {
    const other = ending === 'xml' ? 'toml' : 'xml';
    assert.is(nearFiles(`/e/settings.${ending}`, [`/e/settings.${other}`], []).length, 1);
  });

for (const words of [
  ['prod', 'production', 'prd', 'live'],
  ['dev', 'development', 'devel'],
  ['stage', 'staging', 'stg'],
  ['test', 'testing', 'tst'],
  ['qa'],
  ['uat'],
  ['local'],
  ['ci'],
])
  test(`the stage ${words.join(', ')}`, () => {
    const other = words[0] === 'prod' ? 'dev' : 'prod';
    for (const word of words) {
      assert.equal(nearFiles(`/e/settings-${word}.yml`, [`/e/settings-${other}.yml`], []), [], word);
      assert.is(nearFiles(`/e/${word}/settings.yml`, [`/e/${word}/setings.yml`], [])[0]?.confidence, 'likely');
    }
  });

test('a file that the program reads already is a guess', () => {
  const of = (...texts: string[]) => nearFiles('/e/app.yml', ['/e/apps.yml'], texts)[0]?.confidence;
  assert.equal([of('--x=/e/apps.yml'), of('cat /e/apps.yml /e/app.yml'), of('/e/app.yml')], ['guess', 'likely', 'likely']);
});

test.run();
