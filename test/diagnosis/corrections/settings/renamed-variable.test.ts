import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renamedVariable } from '../../../../src/diagnosis/corrections/settings/renamed-variable.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('settings that got another name');
const rows = correctionRows(test);

const renames = (text: string, container: object) => renamedVariable(anInput(container, {}, { logs: `==> app (previous) <==\n${text}\n` }));
const named = (text: string, name: string) => renames(text, env({ A: 'x', [name]: 'y' }))?.wanted;

const HF = 'gated repo';
const LARAVEL = "SQLSTATE[HY000] [1045] Access denied for user 'shop'@'10.0.0.1' (using password: NO) (Connection: mysql, SQL: select 1)";
const CLOUDFLARE = 'failed to initialize cloudflare provider: invalid credentials';
for (const [wanted, text, names] of [
  [
    'HF_TOKEN',
    HF,
    [
      'HUGGINGFACE_TOKEN',
      'HUGGING_FACE_TOKEN',
      'HUGGINGFACE_KEY',
      'HUGGING_FACE_HUB_KEY',
      'HUGGINGFACE_API_TOKEN',
      'HUGGINGFACE_ACCESS_TOKEN',
      'HUGGINGFACE_HUB_TOKEN',
      'HF_API_TOKEN',
      'HF_ACCESS_KEY',
      'HF_AUTH_TOKEN',
      'HF_HUB_TOKEN',
    ],
  ],
  ['DB_PASSWORD', LARAVEL, ['DB_PASS', 'DB_PASSWD', 'DB_PWD']],
  [
    'CF_API_TOKEN',
    CLOUDFLARE,
    ['CLOUDFLARE_TOKEN', 'CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_DNS_TOKEN', 'CLOUDFLARE_DNS_API_TOKEN', 'CF_TOKEN', 'CF_DNS_API_TOKEN'],
  ],
] as const)
  for (const name of names) test(`${name} is called ${wanted}`, () => assert.is(named(text, name), wanted));
for (const [name, text] of [
  ['HUGGING_FACE_HUB_TOKEN', HF],
  ['HF_TOKEN_FILE', HF],
  ['MY_HF_API_TOKEN', HF],
  ['DB_PW', LARAVEL],
  ['OLD_DB_PASS', LARAVEL],
  ['CF_API_TOKEN', CLOUDFLARE],
  ['CF_KEY', CLOUDFLARE],
  ['GITLAB_TOKEN_FILE', 'You must configure a GitLab token'],
  ['MY_SECRET_KEY', 'Refusing to start due to insecure SECRET_KEY'],
  ['AIRFLOW__CORE__SQL_ALCHEMY_CONNECTION', 'cannot use SQLite with the LocalExecutor'],
] as const)
  test(`${name} keeps its name`, () => assert.is(named(text, name), undefined));
for (const [text, name, wanted] of [
  ['(using password: NO) (SQL: select 1)', 'DB_PASS', 'DB_PASSWORD'],
  ['Illuminate\\Database\\QueryException:\nAccess denied\n(using password: NO)', 'DB_PASS', 'DB_PASSWORD'],
  ['(using password: YES) (SQL: select 1)', 'DB_PASS', undefined],
  ['Access denied (using password: NO)', 'DB_PASS', undefined],
  ['huggingface_hub.errors.GatedRepoError: 401', 'HF_API_TOKEN', 'HF_TOKEN'],
  ['401 Client Error: Unauthorized for url: https://huggingface.co/a', 'HF_API_TOKEN', 'HF_TOKEN'],
  ['401 Client Error: Unauthorized for url: https://elsewhere.co/a', 'HF_API_TOKEN', undefined],
  ['You must configure a GitHub personal access token', 'GITHUB_TOKEN', 'RENOVATE_TOKEN'],
  ['Unable to connect to localhost/<unresolved>:6379', 'SPRING_REDIS_HOST', 'SPRING_DATA_REDIS_HOST'],
  ['Unable to connect to redis:6379', 'SPRING_REDIS_HOST', undefined],
  ['Unable to connect to localhost:6380', 'SPRING_REDIS_HOST', undefined],
] as const)
  test(`${name} with the log ${text}`, () => assert.is(named(text, name), wanted));

const args = (...words: string[]) => ({ args: words });
const HF_ARGUMENTS = "ValueError: Some specified arguments are not used by the HfArgumentParser: ['--evaluation_strategy', 'steps']";
const PLAY = 'play.api.PlayException: Configuration error: The application secret has not been set';
rows('an option that got another name', {
  'with its value': [renames(HF_ARGUMENTS, args('run', '--evaluation_strategy=steps')), likely({ 'args[1]': '--eval_strategy=steps' })],
  'with its value as a word': [renames(HF_ARGUMENTS, args('--evaluation_strategy', 'steps')), likely({ 'args[0]': '--eval_strategy' })],
  'in the command': [
    renames('error: unrecognized arguments: --x --evaluation_strategy steps', {
      command: ['run', '--evaluation_strategy=a=b'],
      ...args('x'),
    }),
    likely({ 'command[1]': '--eval_strategy=a=b' }),
  ],
  'of Play': [renames(PLAY, args('-Dplay.crypto.secret=abc')), likely({ 'args[0]': '-Dplay.http.secret.key=abc' })],
  'in another log': [renames('it failed', args('--evaluation_strategy=steps')), []],
  'that the container does not give': [renames(PLAY, args('-Dplay.http=abc')), []],
  'beside a variable of another program': [
    renames(`${PLAY}\n${HF}`, { ...env({ HF_API_TOKEN: 'x' }), ...args('-Dplay.x=1') }),
    likely({ 'env[0].name': 'HF_TOKEN' }),
  ],
});
for (const name of ['play.crypto.secret', 'play.http.secret', 'application.secret', 'http.secret.key', 'play.secret.key'])
  test(`${name} is called play.http.secret.key`, () => {
    const found = renames(PLAY, args(`-D${name}=abc`));
    assert.equal(
      [found?.name, found?.wanted, found?.correction.changes[0]?.to],
      [`-D${name}`, '-Dplay.http.secret.key', '-Dplay.http.secret.key=abc'],
    );
  });

const REDIS = 'Unable to connect to localhost:6379';
rows('a variable that got another name', {
  'with the others of its host': [
    renames(REDIS, env({ SPRING_REDIS_PORT: '1', SPRING_REDIS_HOST: 'a', MY_SPRING_REDIS_SSL: 'x' })),
    likely({ 'env[0].name': 'SPRING_DATA_REDIS_PORT', 'env[1].name': 'SPRING_DATA_REDIS_HOST' }),
  ],
  'and is empty': [renames(HF, env({ HF_API_TOKEN: '' })), []],
  'and comes from a Secret': [
    renames(HF, { env: [{ name: 'HF_API_TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
    likely({ 'env[0].name': 'HF_TOKEN' }),
  ],
  'beside the new one': [renames(HF, env({ HF_API_TOKEN: 'a', HF_TOKEN: 'b' })), []],
  'beside another one that is read': [renames(HF, env({ HF_API_TOKEN: 'a', HUGGING_FACE_HUB_TOKEN: 'b' })), []],
  'far behind in the log': [renames(`${'x'.repeat(40_000)} ${HF}`, env({ HF_API_TOKEN: 'a' })), []],
  'without a manifest': [renamedVariable(anInput({}, {}, { manifest: 'x', logs: HF })), []],
});
test('a setting that got another name, in words', () => {
  assert.equal(inWords(renames(HF, env({ HF_API_TOKEN: 'a' }))?.correction), [
    'Rename `HF_API_TOKEN` to `HF_TOKEN`',
    'The program reads `HF_TOKEN`, which is not set, and not `HF_API_TOKEN`.',
    'the libraries of Hugging Face read it',
  ]);
  const option = renames(HF_ARGUMENTS, args('--evaluation_strategy=steps'));
  assert.equal(inWords(option?.correction), [
    'Write `--eval_strategy`',
    'The program does not read `--evaluation_strategy`.',
    'the option is called so now',
  ]);
  assert.equal([option?.name, option?.wanted, option?.correction.mirrorable], ['--evaluation_strategy', '--eval_strategy', true]);
  for (const [text, name, why] of [
    ['cannot use SQLite with the LocalExecutor', 'AIRFLOW__CORE__SQL_ALCHEMY_CONN', 'Airflow reads it since version 2.3'],
    ['You must configure a GitLab token', 'GITLAB_TOKEN', 'Renovate reads it for every platform'],
    ['Refusing to start due to insecure SECRET_KEY', 'SECRET_KEY', "Superset's own configuration reads it"],
    [CLOUDFLARE, 'CF_TOKEN', 'external-dns reads it'],
    [LARAVEL, 'DB_PASS', "Laravel's configuration reads it"],
    [REDIS, 'SPRING_REDIS_URL', 'Spring Boot reads it since version 3'],
  ] as const)
    assert.is(renames(text, env({ [name]: 'x' }))?.correction.changes[0]?.why, why);
  assert.is(renames(PLAY, args('-Dplay.crypto.secret=abc'))?.correction.changes[0]?.why, 'Play reads this property');
});

test.run();
