import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  asGlobalOption,
  dropOption,
  dropSetting,
  otherCommand,
  otherOption,
  renamedOption,
  splitOption,
  splitWords,
  withColon,
  withoutValue,
} from '../../../../src/diagnosis/corrections/settings/argument.ts';
import { outOfBounds } from '../../../../src/diagnosis/corrections/settings/bounds.ts';
import { opensModule } from '../../../../src/diagnosis/corrections/settings/java-opens.ts';
import { knownOption } from '../../../../src/diagnosis/corrections/settings/known-option.ts';
import { fileForOption } from '../../../../src/diagnosis/corrections/settings/lacking-value.ts';
import { listedWord } from '../../../../src/diagnosis/corrections/settings/listed-word.ts';
import { misspeltModule } from '../../../../src/diagnosis/corrections/settings/misspelt-module.ts';
import { misspeltWord } from '../../../../src/diagnosis/corrections/settings/misspelt-word.ts';
import { proposedOption, proposedValue, widerPermission } from '../../../../src/diagnosis/corrections/settings/proposed-option.ts';
import { removedOption, withoutFeature } from '../../../../src/diagnosis/corrections/settings/removed-option.ts';
import { withLegacyOpenSsl, withoutOption, withoutVariable } from '../../../../src/diagnosis/corrections/settings/remove-setting.ts';
import { forbiddenVariable, replacedWord } from '../../../../src/diagnosis/corrections/settings/replaced-word.ts';
import { withOption } from '../../../../src/diagnosis/corrections/settings/set-option.ts';
import { meantInstead } from '../../../../src/diagnosis/corrections/settings/suggested-word.ts';
import { longerWorkers } from '../../../../src/diagnosis/corrections/settings/worker-timeout.ts';
import { aPlace, anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely } from '../../../support/builders/corrections.ts';

const test = suite('options and words of a command');
const rows = correctionRows(test);

const args = (...words: string[]) => ({ args: words });
const command = (...words: string[]) => ({ command: words });
const log = (text: string) => ({ logs: `==> app (previous) <==\n${text}\n` });

rows('a port as an address', {
  'in its word': [withColon(anInput(args('a', '--listen=8080')), '8080'), likely({ 'args[1]': '--listen=:8080' })],
  'alone in the command': [withColon(anInput(command('a', '8080')), '8080'), likely({ 'command[1]': ':8080' })],
  'in a variable': [withColon(anInput(env({ A: 'x', P: '8080' })), '8080'), likely({ 'env[1].value': ':8080' })],
  'in two places': [withColon(anInput({ ...args('8080'), ...env({ P: '8080' }) }), '8080'), []],
  'that is one': [withColon(anInput(args('--listen=:8080')), '8080'), []],
});
rows('an option and its value in one word', {
  'in the arguments': [splitOption(anInput(args('x', '--port 80')), '--port'), likely({ args: ['x', '--port', '80'] })],
  'in the command': [splitOption(anInput(command('x', '-p  80 81')), 'p'), likely({ command: ['x', '-p', '80 81'] })],
  'of another name': [splitOption(anInput(args('--ports 80')), '--port'), []],
  'behind an equals sign': [splitOption(anInput(args('--port=8 0')), '--port'), likely({ args: ['--port=8', '0'] })],
  'that is no option': [splitOption(anInput(args('port 80')), '--port'), []],
  'without a name': [splitOption(anInput(args('--port 80')), '--'), []],
});
const GLOBAL = log('--config is a global option');
rows('an option of the program', {
  'behind its command': [
    asGlobalOption(anInput(args('sync', '--config', 'a', 'b'), {}, GLOBAL), '--config'),
    likely({ args: ['--config', 'a', 'sync', 'b'] }),
  ],
  'with its value': [
    asGlobalOption(anInput(args('sync', '--config=a', 'b'), {}, GLOBAL), '--config'),
    likely({ args: ['--config=a', 'sync', 'b'] }),
  ],
  'without a value': [
    asGlobalOption(anInput(args('sync', '--config', '-b'), {}, GLOBAL), '--config'),
    likely({ args: ['--config', 'sync', '-b'] }),
  ],
  'at the end': [asGlobalOption(anInput(args('sync', '--config'), {}, GLOBAL), '--config'), likely({ args: ['--config', 'sync'] })],
  'in the command': [
    asGlobalOption(anInput(command('app', 'sync', '--config=a'), {}, GLOBAL), '--config'),
    likely({ command: ['app', '--config=a', 'sync'] }),
  ],
  'that comes first': [asGlobalOption(anInput(args('--config=a', 'sync'), {}, GLOBAL), '--config'), []],
  'that comes first behind the program': [asGlobalOption(anInput(command('app', '--config=a'), {}, GLOBAL), '--config'), []],
  'of which nothing is said': [asGlobalOption(anInput(args('sync', '--config=a'), {}, log('x')), '--config'), []],
  'that belongs before the command': [
    asGlobalOption(anInput(args('sync', '--config=a'), {}, log('write it before the subcommand')), '--config'),
    likely({ args: ['--config=a', 'sync'] }),
  ],
});
rows('a command in one word', {
  'in the command': [splitWords(anInput(command('npm run start')), 'npm run start'), likely({ command: ['npm', 'run', 'start'] })],
  'in the arguments': [splitWords(anInput({ ...command('x'), ...args('a b', 'c') }), 'a b'), likely({ args: ['a', 'b', 'c'] })],
  'that is one word': [splitWords(anInput(command('npm')), 'npm'), []],
  'of somebody else': [splitWords(anInput(command('npm')), 'a b'), []],
});
rows('an option with a new name', {
  'of Prometheus': [
    renamedOption(anInput(args('x', '--storage.tsdb.retention=15d')), '--storage.tsdb.retention=15d'),
    likely({ 'args[1]': '--storage.tsdb.retention.time=15d' }),
  ],
  'of Keycloak': [
    renamedOption(anInput({ image: 'quay.io/keycloak/keycloak', ...command('kc', '--proxy=edge') }), '--proxy'),
    likely({ 'command[1]': '--proxy-headers=xforwarded' }),
  ],
  'of Keycloak, the other value': [
    renamedOption(anInput(args('kc.sh', '--proxy=reencrypt')), '--proxy'),
    likely({ 'args[1]': '--proxy-headers=xforwarded' }),
  ],
  'of Keycloak, any value': [renamedOption(anInput(args('kc.sh', '--proxy=x')), '--proxy'), likely({ 'args[1]': '--proxy-headers=x' })],
  alone: [renamedOption(anInput(args('kc.sh', '--proxy')), '--proxy'), likely({ 'args[1]': '--proxy-headers' })],
  'of another program': [renamedOption(anInput(args('x', '--proxy=edge')), '--proxy'), []],
  'that has none': [renamedOption(anInput(args('--toString=1')), '--toString'), []],
});
const usage = (option: string, words: string[], text: string) => otherOption(anInput(args(...words), {}, log(text)), option);
rows('an unknown option', {
  'that a usage has otherwise': [
    usage('--prot', ['x', '--prot=80'], 'usage: [--port PORT] [--host HOST]'),
    likely({ 'args[1]': '--port=80' }),
  ],
  'with one dash': [usage('-conifg', ['-conifg', 'a'], "try '-config'"), likely({ 'args[0]': '-config' })],
  'that no word is near': [usage('--prot', ['--prot=80'], 'usage: --host'), []],
  'that the container does not have': [usage('--prot', ['prot'], 'usage: --port'), []],
  'that a help explains with its word': [
    usage(
      '-listen',
      ['-listen=:80'],
      'Usage of /x:\n  -addr string\n    \tHTTP listen address\n  -zones string\n    \tpath to the zones\n',
    ),
    likely({ 'args[0]': '-addr=:80' }),
  ],
  'that a help explains with its word in the same line': [
    usage('--listen', ['--listen=:80'], 'Options:\n  --addr string   address to listen on\n'),
    likely({ 'args[0]': '--addr=:80' }),
  ],
  'whose word explains two': [
    usage('-listen', ['-listen=:80'], '  -addr string\n    \tlisten here\n  -admin string\n    \tlisten there\n'),
    [],
  ],
  'whose word is too short': [usage('-url', ['-url=x'], '  -addr string\n    \turl to call\n'), []],
  'that a usage has as it is': [usage('--port', ['--port'], 'usage: --port'), []],
});
const offered = (name: string, words: string[], text: string) => otherCommand(anInput(args(...words), {}, log(text)), name);
rows('an unknown command', {
  'that a help lists otherwise': [offered('strat', ['strat'], 'Commands:\n  start  Starts it\n  stop'), likely({ 'args[0]': 'start' })],
  'that a hint names otherwise': [offered('strat', ['x', 'strat'], "unknown. Did you mean 'start'?"), likely({ 'args[1]': 'start' })],
  'that a hint names without quotes': [offered('strat', ['strat'], 'Similar to start'), likely({ 'args[0]': 'start' })],
  'for which the program proposes something else': [
    offered('go', ['go'], 'Did you mean this?\n    npm run launch'),
    likely({ 'args[0]': 'launch' }),
  ],
  'for which the program proposes the same': [offered('go', ['go'], 'Did you mean this?\n    go'), []],
  'that stands twice': [offered('strat', ['strat', 'strat'], '  start'), []],
  'that no word is near': [offered('strat', ['strat'], '  other'), []],
  'without a name': [offered('', [''], 'Did you mean this?\n    go'), []],
});
rows('an option without its value', {
  'in the command': [withoutValue(aPlace(command('x', '--debug=true')), '--debug'), likely({ 'command[1]': '--debug' })],
  'in the arguments': [withoutValue(aPlace(args('--debug=true', '--debugger=1')), '--debug'), likely({ 'args[0]': '--debug' })],
  'that has none': [withoutValue(aPlace(args('--debug')), '--debug'), []],
  'without a name': [withoutValue(aPlace(args('=a')), ''), []],
});
rows('a setting of two words', {
  goes: [dropSetting(aPlace(args('postgres', '-c', 'max=1', '-c', 'x=2')), 'x'), likely({ args: ['postgres', '-c', 'max=1'] })],
  'goes from the command': [dropSetting(aPlace(command('postgres', '--set', 'x =2')), 'x'), likely({ command: ['postgres'] })],
  'goes with the list': [dropSetting(aPlace(args('-c', 'x=2')), 'x'), likely({ args: null })],
  'without an option before it': [dropSetting(aPlace(args('a', 'x=2')), 'x'), []],
  'that comes first': [dropSetting(aPlace(args('x=2')), 'x'), []],
});
rows('an option that goes', {
  'with its value': [dropOption(aPlace(args('--a', '1', '--b')), '--a'), likely({ args: ['--b'] })],
  'without the option behind it': [dropOption(aPlace(args('--a', '-b')), '-a=1'), likely({ args: ['-b'] })],
  'with its value behind an equals sign': [dropOption(aPlace(args('--a=1', 'b')), 'a'), likely({ args: ['b'] })],
  'from the command, where words may be files': [dropOption(aPlace(command('x', '--a', 'b')), '--a'), likely({ command: ['x', 'b'] })],
  'and is the last': [dropOption(aPlace(args('--a=1')), '--a'), likely({ args: null })],
  'of another name': [dropOption(aPlace(args('--ab', 'a')), '--a'), []],
  'without a name': [dropOption(aPlace(args('--')), '--'), []],
});
test('an option that goes says why', () => {
  const of = (...more: [{ why: string; explanation: string }?]) => dropOption(aPlace(args('--a')), '--a', ...more)[0];
  assert.equal(
    [of()?.changes[0]?.why, of()?.explanation],
    ['the program of this image has no such option', 'The program ends because it does not know this option.'],
  );
  assert.equal([of({ why: 'w', explanation: 'E.' })?.changes[0]?.why, of({ why: 'w', explanation: 'E.' })?.explanation], ['w', 'E.']);
});

const bound = (line: string, value: string, name = 'APP_POOL_SIZE') =>
  outOfBounds(
    [
      { name: 'OTHER', value: '0', prefix: '', path: 'a' },
      { name, value, prefix: '', path: 'b' },
    ],
    line,
  )?.to;
for (const [line, value, to] of [
  ['poolSize must be at least 1', '0', 1],
  ['poolSize must be at most 10', '11', 10],
  ['poolSize must be greater than or equal to 2', '1', 2],
  ['poolSize must be less than or equal to 2', '3', 2],
  ['poolSize must be less than 10', '10', 9],
  ['poolSize should be lower than 10', '12', 9],
  ['poolSize has to be smaller than 10', '12', 9],
  ['poolSize needs to be greater than 1', '1', 2],
  ['poolSize must be more than 1', '1', 2],
  ['poolSize must be larger than 1', '0', 2],
  ['poolSize must be higher than 1', '0', 2],
  ['poolSize must be below 5', '5', 4],
  ['poolSize must be above 5', '5', 6],
  ['poolSize must be >= 5', '4', 5],
  ['poolSize must be <= 5', '6', 5],
  ['poolSize must be > 5', '5', 6],
  ['poolSize must be < 5', '5', 4],
  ['poolSize must be between 1 and 5', '9', 5],
  ['poolSize must be in range [2, 5]', '1', 2],
  ['poolSize must be in the range 2-5', '1', 2],
  ['poolSize must be a positive', '0', 1],
  ['poolSize must be non-negative', '-3', 0],
  ['poolSize cannot be negative', '-3', 0],
  ['poolSize cannot be less than 1', '0', 1],
  ["poolSize can't be less than or equal to 1", '0', 2],
  ['poolSize may not be greater than 8', '9', 8],
  ['poolSize must not be greater than or equal to 8', '9', 7],
  ['"poolSize" value must be between 0 and 1', '75', 0.75],
  ['poolSize must be between 1 and 100', '0.5', 50],
  ['poolSize must be between 0 and 1', '101', 1],
  ['poolSize must be at least 1', '1', undefined],
  ['poolSize cannot be positive', '1', undefined],
  ['poolSize cannot be between 1 and 5', '3', undefined],
  ['poolSize must be between 1', '0', undefined],
  ['poolSize must be at least one', '0', undefined],
  ['poolSize must be at least 1', 'x', undefined],
] as const)
  test(`${line}, and it is ${value}`, () => assert.is(bound(line, value), to));
test('a bound is one of a setting that is called so', () => {
  const of = (name: string, setting: string) => bound(`${setting} must be at least 1`, '0', name);
  assert.equal([of('--pool-size', 'poolSize'), of('HIKARI_POOL_SIZE', 'pool.size'), of('SIZE', 'poolSize')], [1, 1, 1]);
  assert.equal([of('POOL_MAX', 'poolSize'), of('MAX', 'poolmax'), of('A_MAX', 'max')], [undefined, undefined, undefined]);
  assert.is(
    outOfBounds(
      [
        { name: 'A_SIZE', value: '0', prefix: '', path: 'a' },
        { name: 'B_SIZE', value: '0', prefix: '', path: 'b' },
      ],
      'size must be at least 1',
    ),
    undefined,
  );
});

const CLOSED = 'module java.base does not "opens java.lang" to unnamed module @1';
const OPEN = '--add-opens=java.base/java.lang=ALL-UNNAMED';
rows('a closed module of Java', {
  'gets a new variable': [opensModule(anInput(), CLOSED), likely({ env: [{ name: 'JDK_JAVA_OPTIONS', value: OPEN }] })],
  'is opened to a module': [
    opensModule(anInput(), 'module java.base does not "opens java.lang" to module a.b'),
    likely({ env: [{ name: 'JDK_JAVA_OPTIONS', value: '--add-opens=java.base/java.lang=a.b' }] }),
  ],
  'is open already': [opensModule(anInput(env({ JAVA_OPTS: OPEN })), CLOSED), []],
  'is not in the line': [opensModule(anInput(), 'module java.base'), []],
});
for (const name of ['JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', 'JAVA_OPTS', 'JAVA_OPTIONS', '_JAVA_OPTIONS'])
  test(`a closed module is opened in ${name}`, () =>
    assert.equal(opensModule(anInput(env({ A: 'x', [name]: '-Xmx1g' })), CLOSED)[0]?.changes[0]?.to, `-Xmx1g ${OPEN}`));

const known = (image: string, option: string, words: string[] = ['x', option]) => knownOption(anInput({ image, args: words }), option);
rows('a slip in an option of a server', {
  'with an underscore': [known('mysql:8', '--max_conections=5'), likely({ 'args[1]': '--max_connections=5' })],
  'with a dash': [known('mysql:8', '--max-conections=5'), likely({ 'args[1]': '--max-connections=5' })],
  'in the command': [
    knownOption(anInput({ image: 'mongo', ...command('mongod', '--replset') }), '--replset'),
    likely({ 'command[1]': '--replSet' }),
  ],
  'by the program': [known('own:1', '--bidn=x', ['gunicorn', '--bnd=x']), []],
  'by the program that is called': [
    knownOption(anInput({ image: 'own:1', args: ['gunicorn', '--bnd=x'] }), '--bnd'),
    likely({ 'args[1]': '--bind=x' }),
  ],
  'with two letters, in a short name': [known('redis', '--sve'), likely({ 'args[1]': '--save' })],
  'with two letters wrong in a short name': [known('redis', '--swve1'), []],
  'that is too short': [known('nats', '--ad'), []],
  'that may be two': [known('postgres', '--max_wal_siz'), likely({ 'args[1]': '--max_wal_size' })],
  'that is right': [known('redis', '--save'), []],
  'that is right, with another one near': [known('keycloak', '--https-port'), []],
  'that is right, with dashes': [known('mysql:8', '--max-connections=5'), []],
  twice: [known('mysql:8', '--max_conections=5', ['--max_conections=5', '--max_conections=6']), []],
  'of an unknown server': [known('own:1', '--max_conections=5'), []],
});
for (const [image, slip, right] of [
  ['mariadb', 'wait_timeot', 'wait_timeout'],
  ['percona', 'sql_mod', 'sql_mode'],
  ['valkey', 'apendonly', 'appendonly'],
  ['timescale/x', 'work_me', 'work_mem'],
  ['postgis/x', 'wal_leve', 'wal_level'],
  ['prom/prometheus', 'web.external-ur', 'web.external-url'],
  ['prom/alertmanager', 'storage.pth', 'storage.path'],
  ['etcd', 'data-di', 'data-dir'],
  ['keycloak', 'http-enabld', 'http-enabled'],
  ['oauth2-proxy', 'upstrem', 'upstream'],
  ['oauth2_proxy', 'provder', 'provider'],
  ['python:3', 'worker-clas', 'worker-class'],
  ['uvicorn', 'root-pth', 'root-path'],
  ['celery', 'loglevl', 'loglevel'],
  ['nats', 'jetstrem', 'jetstream'],
] as const)
  test(`a slip in an option of ${image}`, () => assert.equal(known(image, `--${slip}`)[0]?.changes[0]?.to, `--${right}`));

const file = (option: string, keys: string[] = ['app.yml'], container: object = args('serve', option)) =>
  fileForOption(
    anInput(
      { ...container, volumeMounts: [{ name: 'c', mountPath: '/c' }] },
      { volumes: [{ name: 'c', configMap: { name: 'c' } }] },
      { surroundings: { configMaps: [{ name: 'c', keys }] } },
    ),
    option,
  );
rows('an option of a file without one', {
  'gets the only file': [file('--config'), guess({ 'args[1]': '--config=/c/app.yml' })],
  'in the command': [file('--file', ['a'], command('x', '--file')), guess({ 'command[1]': '--file=/c/a' })],
  'of a path': [file('--path'), guess({ 'args[1]': '--path=/c/app.yml' })],
  'has two files': [file('--config', ['a', 'b']), []],
  'is none of a file': [file('--verbose'), []],
  'is not there': [file('--config', ['a'], args('x')), []],
});

for (const words of [
  'does not exist',
  "doesn't exist",
  'is not valid',
  'is not known',
  'is not defined',
  'is not registered',
  'is not supported',
  'is unknown',
  'is invalid',
])
  for (const known of [
    'Valid providers are',
    'available providers: are',
    'Known names are:',
    'supported values are',
    'possible values are',
    'Registered names are',
    'defined names are',
  ])
    if (!known.includes(': are'))
      test(`'kubernetesingres' ${words}. ${known}`, () =>
        assert.equal(
          listedWord(anInput(args('--p=kubernetesingres')), `'kubernetesingres' ${words}. ${known} docker, kubernetesingress.`)[0]
            ?.changes[0]?.to,
          '--p=kubernetesingress',
        ));
rows('a word and the list of known ones', {
  'of which two are near': [listedWord(anInput(args('ab1c')), "'abxc' is unknown. Known words are abyc, abzc"), []],
  'of which none is near': [listedWord(anInput(args('abcd')), "'abcd' is unknown. Known words are xyz"), []],
});

rows('a module of Python', {
  'with a slip in a usual word': [
    misspeltModule(anInput(env({ M: 'shop.setings' })), 'shop.setings'),
    likely({ 'env[0].value': 'shop.settings' }),
  ],
  'in the arguments': [misspeltModule(anInput(args('-A', 'shop.celry')), 'shop.celry'), likely({ 'args[1]': 'shop.celery' })],
  'that another setting spells otherwise': [
    misspeltModule(anInput({ ...args('shp.wsgi:app'), ...env({ M: 'shop.settings' }) }), 'shp'),
    likely({ 'args[0]': 'shop.wsgi:app' }),
  ],
  'that is right': [misspeltModule(anInput(env({ M: 'shop.settings' })), 'shop.settings'), []],
});
const brought = (module: string, container: object, keys: string[], mountPath = '/srv/shop') =>
  misspeltModule(
    anInput(
      { ...container, volumeMounts: [{ name: 'c', mountPath }] },
      { volumes: [{ name: 'c', configMap: { name: 'c' } }] },
      { surroundings: { configMaps: [{ name: 'c', keys }] } },
    ),
    module,
  );
rows('a module that a volume brings', {
  'in another folder': [brought('shop.local', args('shop.local'), ['local.py']), likely({ workingDir: '/srv' })],
  'as a package': [brought('shop', args('shop'), ['__init__.py']), likely({ workingDir: '/srv' })],
  'in the same folder': [brought('shop.local', { ...args('shop.local'), workingDir: '/srv/' }, ['local.py']), []],
  'under a near name': [brought('shop.locl', args('shop.locl'), ['local.py']), likely({ 'args[0]': 'shop.local' })],
  'under two near names': [brought('shop.loca', args('shop.loca'), ['local.py', 'locale.py']), []],
  'that the container does not name': [brought('shop.local', args('x'), ['local.py']), []],
});
for (const [slip, right] of [
  ['confi', 'config'],
  ['aplication', 'application'],
  ['srver', 'server'],
  ['wroker', 'worker'],
  ['manag', 'manage'],
  ['productoin', 'production'],
  ['developmnt', 'development'],
  ['stagin', 'staging'],
  ['wsgl', 'wsgi'],
  ['asgj', 'asgi'],
  ['mian', 'main'],
  ['taks', 'tasks'],
] as const)
  test(`a module that is usually called ${right}`, () =>
    assert.equal(misspeltModule(anInput(env({ M: `shop.${slip}` })), `shop.${slip}`)[0]?.changes[0]?.to, `shop.${right}`));

const word = (value: string, line: string, more: object = {}) => misspeltWord(anInput({ ...env({ A: 'b', MODE: value }), ...more }), line);
rows('a slip in a usual word', {
  'that the line shows': [word('porduction', 'unknown mode porduction'), likely({ 'env[1].value': 'production' })],
  'in capitals': [word('DEBGU', 'bad level DEBGU'), likely({ 'env[1].value': 'DEBUG' })],
  'in an argument': [misspeltWord(anInput(args('servre')), 'no such command servre'), likely({ 'args[0]': 'server' })],
  'that the line does not show': [word('porduction', 'unknown mode'), []],
  'of a switch, whatever the line says': [word('flase', 'it failed'), likely({ 'env[1].value': 'false' })],
  'of two settings': [misspeltWord(anInput(env({ A: 'flase', B: 'ture' })), 'x'), []],
  'with another first letter': [word('erver', 'no erver'), []],
  'that is right': [word('server', 'no server'), []],
  'that is too short': [word('tru', 'x'), []],
});

const proposed = (line: string, container: object = args('serve')) => proposedOption(anInput(container), line);
rows('an option that the program proposes', {
  'is added': [proposed('To continue, pass --accept-license'), guess({ 'args[1]': '--accept-license' })],
  'with its value': [proposed('Use --mode=single for this'), likely({ 'args[1]': '--mode=single' })],
  'with its value, at the end of a sentence': [proposed('Try --mode=single.'), likely({ 'args[1]': '--mode=single' })],
  'and has another value': [proposed('Use --mode=single', args('x', '--mode=many')), likely({ 'args[1]': '--mode=single' })],
  'and has this value': [proposed('Use --mode=single', args('--mode=single')), []],
  'and is there': [proposed('pass --enable-x', args('--enable-x')), []],
  'and is there with a value': [proposed('pass --enable-x', args('--enable-x=1')), []],
  'alone does nothing': [proposed('use --config'), []],
  'to go on': [proposed('use --config to override it'), likely({ 'args[1]': '--config' })],
  'if somebody wants it': [proposed('use --enable-x if you want more'), []],
  'to show something': [proposed('use --verbose=1 for more'), []],
  'that destroys': [proposed('use --enable-force-reset'), []],
  'of two': [proposed('use --enable-a or pass --enable-b'), []],
  'or another': [proposed("use '--mode=a' or '--other'"), []],
  'not to use': [proposed('do not use --enable-x'), []],
  'as a placeholder': [proposed('use --mode=MODE'), []],
  'as something to do without': [proposed('running without --enable-x is slow'), []],
  'without a command': [proposed('pass --enable-x', {}), []],
  'for a script': [proposed('pass --enable-x', command('/bin/sh', '-c')), []],
  'for a program': [proposed('pass --enable-x', command('serve')), likely({ 'command[1]': '--enable-x' })],
});
for (const verb of [
  'use',
  'using',
  'try',
  'pass',
  'passing',
  'add',
  'adding',
  'set',
  'setting',
  'specify',
  'enable',
  'run with',
  'run it with',
  'run again with',
  'for example',
  'e.g.',
])
  test(`an option that the program proposes: ${verb}`, () =>
    assert.equal(proposed(`${verb} --mode=single`)[0]?.changes[0]?.to, '--mode=single'));
for (const start of ['allow', 'no', 'disable', 'skip', 'ignore', 'unsafe', 'insecure', 'accept', 'trust'])
  test(`--${start}-x takes a protection away`, () => assert.is(proposed(`use --${start}-x=1`)[0]?.confidence, 'guess'));
for (const start of [
  'allow',
  'enable',
  'disable',
  'no',
  'with',
  'without',
  'skip',
  'ignore',
  'accept',
  'trust',
  'unsafe',
  'standalone',
  'single',
  'dev',
])
  test(`--${start}-x has an effect by itself`, () => assert.is(proposed(`use --${start}-x`).length, 1));
for (const shows of [
  'help',
  'version',
  'usage',
  'verbose',
  'debug',
  'trace',
  'stack-trace',
  'info',
  'scan',
  'log',
  'list',
  'show',
  'print',
  'dry-run',
])
  test(`--${shows} only shows something`, () => assert.equal(proposed(`use --${shows}=1`), []));
for (const destroys of [
  'force',
  'reset',
  'delete',
  'remove',
  'drop',
  'purge',
  'wipe',
  'clean',
  'overwrite',
  'recreate',
  'truncate',
  'reinit',
  'bootstrap',
  'initialize',
  'repair',
])
  test(`--${destroys} may destroy data`, () => assert.equal(proposed(`use --with-${destroys}=1`), []));
rows('a permission of Deno', {
  'for one more': [
    widerPermission(anInput(args('run', '--allow-net=a:1')), 'Requires net access to "b:2"'),
    likely({ 'args[1]': '--allow-net=a:1,b:2' }),
  ],
  'that it has': [widerPermission(anInput(args('--allow-net=a:1,b:2')), 'Requires net access to "b:2"'), []],
  'of another kind': [widerPermission(anInput(args('--allow-net=a:1')), 'Requires read access to "b"'), []],
});
rows('a value that the program proposes', {
  'of a variable': [proposedValue(anInput(env({ A: 'x', ACCEPT: 'no' })), 'set --env=ACCEPT=yes'), likely({ 'env[1].value': 'yes' })],
  'that it has': [proposedValue(anInput(env({ ACCEPT: 'yes' })), 'set ACCEPT=yes'), []],
  'of an address': [proposedValue(anInput(env({ ACCEPT: 'a://b' })), 'set ACCEPT=yes'), []],
  'of an unknown variable': [proposedValue(anInput(env({ OTHER: 'no' })), 'set ACCEPT=yes'), []],
  'among several': [proposedValue(anInput(env({ ACCEPT: 'no' })), 'use ACCEPT=<yes|eval>'), likely({ 'env[0].value': 'yes' })],
});

const gone = (text: string, ...words: string[]) => removedOption(anInput(args(...words), {}, log(text)));
test('an option that is gone', () => {
  const found = gone('x\n the option experimental http3 has been removed \n', '--a', '--experimental.http3', '1');
  assert.equal([found?.option, found?.line], ['--experimental.http3', 'the option experimental http3 has been removed']);
  assert.equal(found?.corrections[0]?.changes[0]?.to, ['--a']);
  assert.ok(removedOption(anInput(command('x', '--experimental.http3'), {}, log('flag experimental.http3 is retired'))));
  assert.ok(
    removedOption(anInput(command('x', '--experimental.HTTP3'), {}, log('flag Experimental.http3 is retired'))),
    'in other letters',
  );
  assert.is(
    gone('option experimental http3 all was removed', '--experimental.http3', '--experimental.http3.all')?.option,
    '--experimental.http3.all',
  );
  for (const [sentence, text, ...words] of [
    ['no word of a program', 'experimental http3 has been removed', '--experimental.http3'],
    ['no word of a removal', 'the option experimental http3 is on', '--experimental.http3'],
    ['only one of its words', 'the option http3 has been removed', '--experimental.http3'],
    ['an option of one word', 'the option http3 has been removed', '--http3'],
    ['two options', 'the options a1 b1 and c1 d1 have been removed', '--a1.b1', '--c1.d1'],
    ['a long line', `the option experimental http3 has been removed${' '.repeat(600)}x`, '--experimental.http3'],
  ] as const)
    assert.is(gone(text, ...words), undefined, sentence);
});
for (const words of [
  'has been removed',
  'have been dropped',
  'was retired',
  'were removed',
  'is removed',
  'are removed',
  'no longer supported',
  'no longer available',
  'no longer exists',
  'no longer valid',
  'no longer accepted',
  'no longer an option',
  'is not an experimental feature',
  'is not supported anymore',
  'remove its usage',
])
  test(`an option that is gone: ${words}`, () => assert.ok(gone(`flag experimental http3 ${words}`, '--experimental.http3')));

const GATE = 'GatewaySupport is enabled but the CRD is missing';
rows('a feature that cannot work', {
  'of several': [
    withoutFeature(anInput(args('--gates=A=true, GatewaySupport=true,B=false')), GATE),
    guess({ 'args[0]': '--gates=A=true,B=false' }),
  ],
  alone: [withoutFeature(anInput(args('x', '--gates=GatewaySupport=true')), GATE), guess({ args: ['x'] })],
  'that is off': [withoutFeature(anInput(args('--gates=GatewaySupport=false')), GATE), []],
  'in two lists': [withoutFeature(anInput(args('--a=GatewaySupport=true', '--b=GatewaySupport=true')), GATE), []],
  'that is set to true': [
    withoutFeature(anInput(args('--gates=A=1,GatewaySupport=true')), 'GatewaySupport feature gate is set to true'),
    guess({ 'args[0]': '--gates=A=1' }),
  ],
  'that is turned on': [
    withoutFeature(anInput(args('--gates=A=1,GatewaySupport=true')), 'GatewaySupport feature is turned on'),
    guess({ 'args[0]': '--gates=A=1' }),
  ],
});
rows('a variable that goes', {
  'among others': [withoutVariable(anInput(env({ A: '1', B: '2' })), 'B'), likely({ 'env[1]': null })],
  alone: [withoutVariable(anInput(env({ B: '2' })), 'B'), likely({ env: null })],
  'that is not there': [withoutVariable(anInput(env({ A: '1' })), 'B'), []],
});
const isOld = (one: string) => one.startsWith('-XX');
rows('an option in a variable that goes', {
  'among others': [withoutOption(anInput(env({ A: 'x', OPTS: '-Xmx1g  -XX:a -b' })), isOld), likely({ 'env[1].value': '-Xmx1g -b' })],
  alone: [withoutOption(anInput(env({ A: 'x', OPTS: '-XX:a' })), isOld), likely({ 'env[1]': null })],
  'alone in the only variable': [withoutOption(anInput(env({ OPTS: '-XX:a' })), isOld), likely({ env: null })],
  'that is not there': [withoutOption(anInput(env({ OPTS: '-a' })), isOld), []],
});
const SSL = '--openssl-legacy-provider';
rows('old algorithms of Node', {
  'in a new variable': [withLegacyOpenSsl(anInput(env({ A: 'x' }))), likely({ 'env[1]': { name: 'NODE_OPTIONS', value: SSL } })],
  'in the variable that is there': [
    withLegacyOpenSsl(anInput(env({ A: 'x', NODE_OPTIONS: '--a' }))),
    likely({ 'env[1].value': `--a ${SSL}` }),
  ],
  'that are on': [withLegacyOpenSsl(anInput(env({ NODE_OPTIONS: SSL }))), []],
  'in a variable that comes from elsewhere': [withLegacyOpenSsl(anInput({ env: [{ name: 'NODE_OPTIONS', valueFrom: {} }] })), []],
});

for (const verb of [
  'has been removed, use',
  'was deprecated in favor of',
  'is renamed to',
  'are replaced by',
  'is no longer supported. Go on with',
])
  test(`a word that was replaced: ${verb}`, () =>
    assert.equal(replacedWord(anInput(args('serve', '--x=old')), `'old' ${verb} 'young'`)[0]?.changes[0]?.to, '--x=young'));
rows('a word that was replaced', {
  'among several that stay': [
    replacedWord(anInput(args('migrate', 'db')), '"db migrate" was renamed to "db upgrade"'),
    likely({ 'args[0]': 'upgrade' }),
  ],
  'by more words': [replacedWord(anInput(args('sync')), '"sync" was replaced by "db sync"'), likely({ 'args[0]': 'db sync' })],
  'by the only one': [
    replacedWord(anInput(env({ A: 'plain' })), '"plain" is bad, the only supported mechanism is "scram"'),
    likely({ 'env[0].value': 'scram' }),
  ],
  'by itself': [replacedWord(anInput(args('a')), "'aa' was renamed"), []],
});
for (const words of ['are reserved', 'cannot be specified', "can't be used", 'must not be set', 'is not allowed', 'are not allowed'])
  test(`an option that a variable gives: ${words}`, () =>
    assert.equal(
      forbiddenVariable(anInput(env({ A: 'x', RUNNER_TAG_LIST: 'y' })), `options --tag-list ${words}`)[0]?.changes[0]?.path,
      'spec.containers[0].env[1]',
    ));
rows('an option that a variable gives', {
  'of one word': [forbiddenVariable(anInput(env({ A: 'x', RUNNER_TAGS: 'y' })), '--tags is not allowed'), []],
  'of two': [forbiddenVariable(anInput(env({ A_TAG_LIST: 'x', TAG_LIST: 'y' })), '--tag-list is not allowed'), []],
  'that is not forbidden': [forbiddenVariable(anInput(env({ TAG_LIST: 'y', A: 'b' })), '--tag-list is good'), []],
});

test('an option with a value is changed where it is', () => {
  const of = (container: object, value: string | undefined = '2') => {
    const { path, to } = withOption(aPlace(container), '--a', value, 'w');
    return [path.replace('spec.containers[0].', ''), to];
  };
  assert.equal(of(args('x', '--a=1')), ['args[1]', '--a=2']);
  assert.equal(of(args('--a', '1')), ['args[1]', '2']);
  assert.equal(of(command('x', '--a=1')), ['command[1]', '--a=2']);
  assert.equal(of({ ...args('y'), ...command('x') }), ['args[1]', '--a=2']);
  assert.equal(of(command('x')), ['command[1]', '--a=2']);
  assert.equal(of({}), ['args', ['--a=2']]);
  assert.equal(withOption(aPlace(args('x')), '--a', undefined, 'w').to, '--a');
});

const meant = (text: string, name: string, container: object) => meantInstead(anInput(container, {}, log(text)), name);
rows('a word that the program suggests', {
  'in a variable': [
    meant("Did you mean: 'UvicornWorker'?", 'uvicorn.workers.UvicrnWorker', env({ A: 'x', W: '-k uvicorn.workers.UvicrnWorker' })),
    likely({ 'env[1].value': '-k uvicorn.workers.UvicornWorker' }),
  ],
  'as the name of a variable': [meant('did you mean PORT?', 'PROT', env({ PROT: '80' })), likely({ 'env[0].name': 'PORT' })],
  'in the command': [
    meant('Did you mean start?', 'strat', { ...command('strat'), ...args('strat') }),
    likely({ 'command[0]': 'start', 'args[0]': 'start' }),
  ],
  'with its dots': [meant('Did you mean a.b?', 'a.c', args('a.c')), likely({ 'args[0]': 'a.b' })],
  'that is the same': [meant('Did you mean strat?', 'strat', args('strat')), []],
  'that is too short': [meant('Did you mean ab?', 'aa', args('aa')), []],
  'without a word': [meant('Did you mean ab?', '', args('aa')), []],
  'of which nothing is said': [meant('strat is unknown', 'strat', args('strat')), []],
});

rows('workers that are too slow', {
  'by default': [longerWorkers(anInput(args('gunicorn', 'app'))), guess({ 'args[2]': '--timeout=120' })],
  'by their option': [longerWorkers(anInput(command('/usr/bin/gunicorn', '--timeout=60'))), guess({ 'command[1]': '--timeout=240' })],
  'by a short option': [
    longerWorkers(anInput(args('gunicorn', '-t', '10'))),
    guess({ env: [{ name: 'GUNICORN_CMD_ARGS', value: '--timeout=40' }] }),
  ],
  'in a script': [
    longerWorkers(anInput({ ...args('run.sh'), ...env({ A: 'x' }) })),
    guess({ 'env[1]': { name: 'GUNICORN_CMD_ARGS', value: '--timeout=120' } }),
  ],
  'by their variable': [
    longerWorkers(anInput({ ...args('run.sh'), ...env({ A: 'x', GUNICORN_CMD_ARGS: '--timeout 20 --threads=2' }) })),
    guess({ 'env[1].value': '--threads=2 --timeout=80' }),
  ],
  'that are waited for': [longerWorkers(anInput(args('gunicorn', '--timeout=0'))), []],
});

test.run();
