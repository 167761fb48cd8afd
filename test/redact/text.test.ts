import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maskText } from '../../src/redact/text.ts';
import { STRANGE } from '../support/load/logs.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const KEY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj';

const goes: [sentence: string, text: string, masked: string][] = [
  ['an assignment', 'DB_PASSWORD=hunter2 started', 'DB_PASSWORD=*** started'],
  ['a key with a number of two digits', 'Unseal Key 10: aBcDeF12345', 'Unseal Key 10: ***'],
  ['an exported variable', 'export API_KEY=abc,def&g', 'export API_KEY=***'],
  ['a run-together name', 'PGPASSWORD=hunter2', 'PGPASSWORD=***'],
  ['a camel-case field of JSON', '{"user":"app","clientSecret":"a\\"b","n":1}', '{"user":"app","clientSecret":"***","n":1}'],
  ['JSON inside a JSON string', '{"msg":"{\\"password\\":\\"hunter2\\"}"}', '{"msg":"{\\"password\\":\\"***\\"}"}'],
  ['JSON in JSON in JSON', '{\\\\\\"password\\\\\\":\\\\\\"hunter2\\\\\\"}', '{\\\\\\"password\\\\\\":\\\\\\"***\\\\\\"}'],
  ['a name in colour', 'INFO \u001b[36mpassword\u001b[0m=hunter2 x', 'INFO \u001b[36mpassword\u001b[0m=*** x'],
  ['a value in colour', 'password:\u001b[1;33m "hunter2" x', 'password:\u001b[1;33m "***" x'],
  ['an element of XML', '<user>app</user><password>hunter2</password>', '<user>app</user><password>***</password>'],
  ['a user of MySQL', "CREATE USER 'a'@'%' IDENTIFIED BY 'hunter2'", "CREATE USER 'a'@'%' IDENTIFIED BY '***'"],
  ['a user of PostgreSQL', "STATEMENT: alter role app with password 'hunter2';", "STATEMENT: alter role app with password '***';"],
  [
    "Redis' own flags",
    'redis-server --requirepass hunter2 --masterauth hunter2 --port 1',
    'redis-server --requirepass *** --masterauth *** --port 1',
  ],
  ['a YAML line', '  password: correct horse battery', '  password: ***'],
  ['a YAML block', 'token: |\n  abc\n  def\nnext: 1', 'token: ***\nnext: 1'],
  [
    'a YAML variable',
    '- name: DB_PASSWORD\n  value: hunter2\n- name: SIZE\n  value: "2"',
    '- name: DB_PASSWORD\n  value: ***\n- name: SIZE\n  value: "2"',
  ],
  ['a JSON variable', '[{"name":"API_TOKEN","value":"x1"}]', '[{"name":"API_TOKEN","value":"***"}]'],
  ['a flag', 'run --db-password hunter2 --port 80', 'run --db-password *** --port 80'],
  ['a flag with an equals sign', 'run --token=abc --port=80', 'run --token=*** --port=80'],
  ['a flag of a JSON list', '["--password", "hunter2", "--port"]', '["--password", "***", "--port"]'],
  ['a password in an address', 'dial postgres://app:hunter2@db:5432/shop', 'dial postgres://app:***@db:5432/shop'],
  ['a password with an at sign', 'amqp://app:p@ss@mq/', 'amqp://app:***@mq/'],
  ['a password without a user', 'redis://:hunter2@cache:6379', 'redis://:***@cache:6379'],
  ['a token in an address', 'https://0123456789abcdef01234567@git.example/x.git', 'https://***@git.example/x.git'],
  [
    'a password before a registry',
    "couldn't parse image name robot:hunter2@registry.example:5000/app:1",
    "couldn't parse image name robot:***@registry.example:5000/app:1",
  ],
  ['a query', 'GET /x?token=abc&page=2', 'GET /x?token=***&page=2'],
  ['an ADO connection string', 'using Server=db;Password=hunter2;Database=shop', 'using Server=db;Password=***;Database=shop'],
  ['a libpq connection string', 'host=db password=hunter2 dbname=shop', 'host=db password=*** dbname=shop'],
  ['a storage key', 'AccountName=shop;AccountKey=abc123==;Suffix=x', 'AccountName=shop;AccountKey=***;Suffix=x'],
  ['a bearer token', 'Authorization: Bearer abc.def-1', 'Authorization: ***'],
  ['a bearer token of letters', 'sent Authorization: Bearer abcdefgh, then', 'sent Authorization: ***, then'],
  ['a bearer token in a sentence', 'sent Bearer 0a1b2c3d to them', 'sent Bearer *** to them'],
  ['a JSON web token', `got ${JWT}.`, 'got ***.'],
  ['a cookie', 'curl -H "Cookie: sid=abc; x=y"', 'curl -H "Cookie: ***; x=y"'],
  ['curl with a user', 'curl -u app:hunter2 http://x', 'curl -u app:*** http://x'],
  ['the password of a MySQL client', 'exec: mysqladmin ping -uroot -phunter2 failed', 'exec: mysqladmin ping -uroot -p*** failed'],
  ['the password of a MySQL client in quotes', `mariadb-dump -p'hunter 2' shop`, `mariadb-dump -p'***' shop`],
  [
    'the password of a Redis client',
    'sh -c "redis-cli -h db -a hunter2 ping | grep PONG"',
    'sh -c "redis-cli -h db -a *** ping | grep PONG"',
  ],
  ['the password in a list of arguments', `["/bin/redis-cli", "-a", "hunter2", "ping"]`, `["/bin/redis-cli", "-a", "***", "ping"]`],
  ['a password of two words', `["redis-cli","-a","hunter 2"]`, `["redis-cli","-a","***"]`],
  ['the password of a login', 'docker login -u app -p hunter2 registry.example', 'docker login -u app -p *** registry.example'],
  ['passwords of two commands', 'sshpass -p hunter2 ssh db\nmongosh -u a -p hunter3', 'sshpass -p *** ssh db\nmongosh -u a -p ***'],
  ['an AWS key id', 'key AKIAIOSFODNN7EXAMPLE used', 'key *** used'],
  ['a GitHub token', 'ghp_0123456789abcdefghijABCDEFGHIJ012345', '***'],
  ['a Slack webhook', 'POST https://hooks.slack.com/services/T000/B000/XXXXXXXX', 'POST https://hooks.slack.com/services/***'],
  [
    'a PEM block',
    `a\n-----BEGIN PRIVATE KEY-----\n${KEY}\n${KEY}\n-----END PRIVATE KEY-----\nb`,
    'a\n-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----\nb',
  ],
  [
    'a PEM block in JSON',
    `"-----BEGIN RSA PRIVATE KEY-----\\n${KEY}\\n-----END RSA PRIVATE KEY-----\\n"`,
    '"-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\\n"',
  ],
  ['a PEM block without its end', `-----BEGIN PRIVATE KEY-----\n${KEY}\n${KEY}`, '-----BEGIN PRIVATE KEY-----***'],
  ['a PEM block without its beginning', `log\n${KEY}\n${KEY}\n-----END PRIVATE KEY-----\nb`, 'log\n***-----END PRIVATE KEY-----\nb'],
];

const stays: [sentence: string, text: string][] = [
  ['a digest', 'web@sha256:4d8350384112238675dd29c607f0ad01b544689df7d57dece15adcdbe913843d'],
  ['a registry with a port and a digest', 'registry.example:5000/shop/app:1@sha256:4d8350384112/x, app:1@sha256:4d83'],
  ['a uid', 'pod app_crash-loop(86d0b1ae-7dd9-4702-b020-c5f0d545a163)'],
  ['a commit hash', 'built from 3f786850e387550fdab836ed7e6dc881de23001b'],
  ['images that are named like secrets', 'Back-off pulling image "token:1.2", acme/secret-service:v3, token:latest'],
  ['a missing key of a Secret', "couldn't find key password in Secret shop/credentials"],
  ['a missing Secret', 'MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found'],
  ['names of Secrets', 'secretName: web-tls\nsecretKeyRef:\n  name: credentials\n  key: password'],
  ['references to variables', 'PASSWORD=$(DB_PASSWORD) --token=${TOKEN}'],
  ['where a secret lies', 'TOKEN_FILE=/run/token PASSWORD_PATH=/x TOKEN_URL=https://id.example/token token_ttl=60'],
  ['switches', 'automountServiceAccountToken: false\npassword: ""\ntoken: null'],
  ['what MySQL says', "Access denied for user 'app'@'10.0.0.1' (using password: YES)"],
  ['an error about a token', 'invalid token: signature mismatch\nerror: token: not found'],
  ['numbers of tokens', 'max_tokens: 4096, tokens=12'],
  ['an address with a port', 'Get "http://10.244.0.47:8080/a@b": dial tcp 10.244.0.47:8080: connect: connection refused'],
  [
    'authentication in a sentence',
    'may require authorization: server message; authorization: authorization failed: no basic auth credentials; basic authentication required',
  ],
  ['a challenge', 'Bearer realm="https://auth.example/token"'],
  ['letters of other programs', 'mysql -P 3306 -p shop; cp -a x y; tar -p f; redis-server -a b; mysqld_exporter -p x'],
  ['a password from the environment', 'redis-cli -a $REDIS_PASSWORD ping; mysql -p${MYSQL_PASSWORD}'],
  ['what is masked already', 'password=*** token: "***" postgres://app:***@db'],
  ['bypass and passed', 'bypass=true passed=3 compass: north'],
];

const masking = suite('masking text');
for (const [sentence, text, masked] of goes) {
  masking(`${sentence} is masked`, () => assert.is(maskText(text), masked));
  masking(`${sentence} stays masked`, () => assert.is(maskText(maskText(text)), masked));
}
for (const [sentence, text] of stays) masking(`${sentence} stays`, () => assert.is(maskText(text), text));

/** Texts that make careless patterns slow: long runs that almost match, many beginnings, no end. */
const hostile: [string, string][] = [
  ['one long word', 'a'.repeat(500_000)],
  ['many beginnings of web tokens', 'eyJ'.repeat(170_000)],
  ['dashes', '-'.repeat(500_000)],
  ['PEM beginnings', '-----BEGIN PRIVATE KEY-----\n'.repeat(18_000)],
  ['PEM ends', '-----END PRIVATE KEY-----\n'.repeat(18_000)],
  ['base64 lines before an end', `${KEY}\n`.repeat(12_000) + '-----END PRIVATE KEY-----'],
  ['masked words', 'token=***'.repeat(55_000)],
  ['names without end', 'token="'.repeat(70_000)],
  ['names in one line', 'password: no '.repeat(38_000)],
  ['addresses', '://a:b'.repeat(80_000)],
  ['users without a host', 'a:b@'.repeat(125_000)],
  ['hosts without a path', `a:b@${'c.'.repeat(200_000)}`],
  ['quotes', `"password`.repeat(50_000)],
  ['spaces', `password${' '.repeat(500_000)}=x`],
  ['colours', 'a\u001b[0m'.repeat(100_000)],
  ['clients', 'mysql -p '.repeat(55_000)],
  ['programs', 'mysql-'.repeat(80_000)],
  ['elements', '<password>x'.repeat(45_000)],
  ['users of databases', "identified by '".repeat(33_000)],
  ['name and value', 'name: TOKEN value: no '.repeat(22_000)],
];
for (const [sentence, text] of hostile) masking(`${sentence}: masked twice, it stays the same`, () => staysMasked(text.slice(0, 100_000)));
for (const [sentence, part] of Object.entries(STRANGE))
  masking(`${sentence}, again and again: masked twice, it stays the same`, () => staysMasked(part.repeat(Math.ceil(50_000 / part.length))));

/** A mask with quadratic work would not finish here. `bench/masking.ts` measures the time. */
function staysMasked(text: string): void {
  const masked = maskText(text);
  assert.ok(maskText(masked) === masked);
}
masking.run();
