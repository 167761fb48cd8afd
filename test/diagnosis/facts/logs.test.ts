import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lastUncaught } from '../../../src/diagnosis/facts/exceptions.ts';
import { listedBeside } from '../../../src/diagnosis/facts/listed-beside.ts';
import { continuationOf, messageOf } from '../../../src/diagnosis/facts/log-record.ts';
import { foundInLogs, logBefore, logBehind, logSections } from '../../../src/diagnosis/facts/log-sections.ts';
import { phraseIn, placeIn, plainWords, quotedLine } from '../../../src/diagnosis/facts/phrase.ts';
import { aCase, type CaseParts } from '../../support/builders/cases.ts';

const test = suite('reading logs');

const sections = (logs: string, parts: CaseParts = {}) =>
  logSections(aCase({ logs, ...parts })).map(({ container, run, text }) => [container, run, text]);
const run = (container: string, which: 'current' | 'previous', text: string) => `==> ${container} (${which}) <==\n${text}\n`;
test('the logs of the failing container', () => {
  assert.equal(sections(run('app', 'current', 'a') + run('app', 'previous', 'b') + run('side', 'current', 'c')), [
    ['app', ' (current)', 'a'],
    ['app', ' (previous)', 'b'],
  ]);
  assert.equal(sections(run('a', 'current', 'x') + run('b', 'previous', 'y'), { container: null }), [
    ['a', ' (current)', 'x'],
    ['b', ' (previous)', 'y\n'],
  ]);
  assert.equal(sections(`head\n${run('app', 'current', 'a')}`), [
    [null, '', 'head'],
    ['app', ' (current)', 'a\n'],
  ]);
  assert.equal(sections('==> app (older) <==\na'), [[null, '', '==> app (older) <==\na']], 'another heading is a line');
  assert.equal(sections('==> app (current) <==\r\na'), [['app', ' (current)', 'a']]);
  assert.equal(sections(run('app', 'current', ' ')), [], 'an empty log');
  assert.is(sections('\n==> app (current) <==\nx'.repeat(50)).length, 41, 'a program that prints headings');
});
test('the log of the run that failed comes first', () => {
  const logs = run('app', 'current', 'a') + run('app', 'previous', 'b');
  assert.equal(
    [sections(logs, { status: { state: 'running' } }), sections(logs, { status: { state: 'waiting' } })].map((all) =>
      all.map(([, which]) => which),
    ),
    [
      [' (previous)', ' (current)'],
      [' (current)', ' (previous)'],
    ],
  );
});
for (const text of [
  'Error from server (BadRequest): previous terminated container "app" in pod "web" not found',
  'unable to retrieve container logs for containerd://1',
  'Error from server (BadRequest): container "app" in pod "web" is waiting to start: x',
  'Error from server (NotFound): pods "web" not found',
  'Error from server (Forbidden): pods "web" is forbidden: User "a" cannot get resource "pods/log" in API group',
  'Error from server: Get "https://10.0.0.1:10250/containerLogs/shop/web/app": dial tcp',
  'failed to try resolving symlinks in path "/var/log/pods"',
  'log not available',
])
  test(`no log: ${text.slice(0, 60)}`, () => assert.equal(sections(run('app', 'current', `\n${text}`)), []));
test('the message with which a container ended', () => {
  const of = (status: object, container: string | null = 'app') => sections('', { status, container });
  assert.equal(of({ state: 'terminated', message: 'm', last_state: { message: 'l' } }), [['app', ' (termination message)', 'm']]);
  assert.equal(of({ state: 'waiting', message: 'm', last_state: { message: 'l' } }), [['app', ' (termination message)', 'l']]);
  assert.equal(of({ state: 'terminated', last_state: { message: 'l' } }), [['app', ' (termination message)', 'l']]);
  assert.equal([of({ state: 'waiting', message: 'm' }), of({ state: 'terminated', message: 'm' }, null)], [[], []]);
  assert.equal(
    [of({ state: 'terminated', message: 'OCI runtime: x' }), of({ state: 'terminated', message: 'containerd task x' })],
    [[], []],
  );
});
test('of a long log the beginning and the end', () => {
  const text = sections(`${'a'.repeat(70_000)}${'b'.repeat(140_000)}`)[0]?.[2] ?? '';
  assert.equal([text.length, text.indexOf('\n'), text.at(-1)], [64 * 1024 + 1 + 128 * 1024, 64 * 1024, 'b']);
  assert.not.ok((sections('a'.repeat(192 * 1024))[0]?.[2] ?? '\n').includes('\n'), 'all of it');
});
test('a trace with a prefix before each of its lines', () => {
  const trace = ['Traceback (most recent call last):', '  File "a.py"', 'KeyError: x'];
  const prefixed = (prefix: string) => ['start', ...trace.map((line) => prefix + line), 'end'].join('\n');
  for (const prefix of ['web | ', '[7] ', '2026-01-01 ERROR: '])
    assert.equal(sections(prefixed(prefix)), [[null, '', prefixed('')]], prefix);
  assert.equal(sections(prefixed('ERROR ')), [[null, '', prefixed('ERROR ')]], 'words alone are no prefix');
  const alone = trace.map((line) => `a | ${line}`).join('\n');
  assert.equal(sections(alone), [[null, '', trace.join('\n')]], 'up to the end of the log');
  const bare = ['a | Traceback (most recent call last):', 'a |', 'a | x', 'b | y'].join('\n');
  assert.equal(sections(bare), [[null, '', 'Traceback (most recent call last):\n\nx\nb | y']], 'with an empty line');
  const many = Array.from({ length: 21 }, (_, at) => `p${String.fromCharCode(97 + at)}: ${trace[0]}`);
  assert.equal(
    (sections(many.join('\n'))[0]?.[2] ?? '').split('\n').filter((line) => line === trace[0]).length,
    20,
    'twenty prefixes at most',
  );
  assert.equal(sections(`${prefixed('a | ')}\n${prefixed('b | ')}`), [[null, '', `${prefixed('')}\n${prefixed('')}`]], 'two of them');
});
test('an error that Symfony breaks into lines of a fixed width', () => {
  const framed = (...lines: string[]) => {
    const width = Math.max(...lines.map((line) => line.length));
    return ['In Connection.php line 829:', ...['', ...lines, ''].map((line) => `  ${line.padEnd(width)}  `), 'next', ''].join('\n');
  };
  const text = (logs: string) => sections(logs)[0]?.[2];
  const head = (width: number) => `In Connection.php line 829:\n${' '.repeat(width + 4)}\n`;
  assert.is(
    text(framed('SQLSTATE[HY000] [2002] Connection re', 'fused (SQL: select 1)')),
    `${head(36)}  SQLSTATE[HY000] [2002] Connection refused (SQL: select 1)\nnext\n`,
    'a word that is broken',
  );
  assert.is(text(framed('It is bad', 'Look at the file x')), `${head(18)}  It is bad\n  Look at the file x\nnext\n`, 'two lines');
  assert.is(text(framed('abcdef', 'ghijkl', 'mn')), `${head(6)}  abcdefghijklmn\nnext\n`, 'a word over three lines');
  const two = `${framed('abcdef', 'gh')}${framed('abcdef', 'ij')}`;
  assert.is(text(two), `${head(6)}  abcdefgh\nnext\n${head(6)}  abcdefij\nnext\n`, 'two of them');
  assert.is(text(framed('cost: $&', '$1 x')), `${head(8)}  cost: $&$1 x\nnext\n`, 'signs with a meaning in patterns');
  const other = framed('abcdef', 'gh').replace('In Connection.php line 829', 'At Connection.php line 829');
  assert.is(text(other), other, 'below another line');
});
test('what stands around a line', () => {
  const subject = aCase({ logs: run('app', 'current', 'one\ntwo\nthree') });
  assert.equal([logBefore(subject, 'two'), logBehind(subject, 'two')], ['one\n', '\nthree\n']);
  assert.equal([logBefore(subject, 'else'), logBehind(subject, 'else')], ['', '']);
});
test('what a pattern finds in the logs', () => {
  const of = (logs: string, pattern: RegExp) => foundInLogs(aCase({ logs }), pattern);
  assert.equal([of('port=80', /port=(\d+)/), of('b=2', /a=(\d)|b=(\d)/), of('x', /y/), of('x', /x/)], ['80', '2', '', '']);
  assert.is(of(run('app', 'current', 'x') + run('app', 'previous', 'a=1'), /a=(\d)/), '1', 'in any run');
  assert.equal([of(`${' '.repeat(39_996)}a=1`, /a=(\d)/), of(`${' '.repeat(39_998)}a=1`, /a=(\d)/)], ['1', ''], 'near the beginning');
});

for (const [line, words] of [
  ['2026-05-01T10:00:00.123Z it failed', 'it failed'],
  ['[2026/05/01 10:00:00,123 +02:00] it failed', 'it failed'],
  ['2026-05-01 10:00 UTC it failed', 'it failed'],
  ['[10:00:00.1] it failed', 'it failed'],
  ['01-May-2026 10:00:00.123 it failed', 'it failed'],
  ['1:M 01 May 2026 10:00:00.123 # it failed', 'it failed'],
  ['E0501 10:00:00.123456    1 main.go:12] it failed', 'it failed'],
  ['E0501 10:00:00.123456 1 main.go:12 it failed', 'it failed'],
  ...[
    'FATAL',
    'ERROR',
    'CRITICAL',
    'PANIC',
    'EMERG',
    'ALERT',
    'SEVERE',
    'WARN',
    'WARNING',
    'HINT',
    'fatal',
    'error',
    'critical',
    'panic',
    'emerg',
  ]
    .concat(['alert', 'crit', 'Error', 'Fatal', 'Fatal error'])
    .map((level) => [`${level}: it failed`, 'it failed']),
  ['[error] it failed', 'it failed'],
  ['ERROR! it failed', 'it failed'],
  ['FATAL/main: it failed', 'it failed'],
  ['Error 404 it failed', 'Error 404 it failed'],
  ...['nginx', 'httpd', 'psql', 'postgres', 'npm', 'node', 'php-fpm', 'AH00526'].map((program) => [`${program}: it failed`, 'it failed']),
  ['npm ERR! it failed', 'it failed'],
  ['npm error it failed', 'it failed'],
  ['[main] it failed', 'it failed'],
  ['[main]: it failed', 'it failed'],
  ['["a","b"] it failed', '["a","b"] it failed'],
  ['(17) : it failed', 'it failed'],
  ['17 [main] it failed', 'it failed'],
  ['17 it failed', '17 it failed'],
  ['config : it failed', 'it failed'],
  ['==> it failed', 'it failed'],
  ['*** it failed', 'it failed'],
  ['MULTIPLE CONFIG ERRORS FOUND, PLEASE READ CAREFULLY CONFIG ERROR: it failed', 'it failed'],
  ['validating config: MULTIPLE CONFIG ERRORS FOUND, PLEASE READ CAREFULLY\\nit failed', 'it failed'],
  ['Caused by: it failed', 'it failed'],
  ['Exception in thread "main" it failed', 'it failed'],
  ['Unhandled exception. it failed', 'it failed'],
  ['java.lang.IllegalStateException: it failed', 'IllegalStateException: it failed'],
  ['System.IO.IOException (0x80131620): it failed', 'IOException (0x80131620): it failed'],
  ['java.lang.Thing: it failed', 'java.lang.Thing: it failed'],
  ["/app/a.rb:3:in 'main': it failed", 'it failed'],
  ["thread 'main' (1) panicked at src/main.rs", 'src/main.rs'],
  ['2026-05-01T10:00:00Z ERROR [main] nginx: [emerg] it failed', 'it failed'],
  ['  it failed ', 'it failed'],
  ['ERROR:', 'ERROR:'],
] as [string, string][])
  test(`the words of a line: ${line}`, () => assert.is(plainWords(line), words));
test('a line has a few prefixes only', () => {
  assert.is(plainWords(`${'ERROR: '.repeat(10)}x`), 'x');
  assert.is(plainWords(`${'ERROR: '.repeat(11)}x`), 'ERROR: x');
});
test('a line in backticks', () => {
  assert.is(quotedLine('ERROR: it failed'), '`it failed`');
  assert.is(quotedLine('x'.repeat(300)).length < 170, true);
});
for (const [line, place] of [
  ['bad in /etc/nginx/nginx.conf:12', '/etc/nginx/nginx.conf:12'],
  ['Syntax error on line 12 of /etc/httpd.conf:', 'line 12 of /etc/httpd.conf'],
  ['line 3 of /a, see /b/c.py:7', '/b/c.py:7'],
  ['http://db/x:80', ''],
  ['/etc/nginx.conf', ''],
  ['/etc/a:1234567', ''],
] as const)
  test(`a place in a file: ${line}`, () => assert.is(placeIn(line), place));
test('a long message ends with a sentence', () => {
  const long = 'word '.repeat(40).trim();
  assert.is(phraseIn(`ERROR: ${'x'.repeat(110)}`), 'x'.repeat(110), 'that is not long');
  assert.is(phraseIn(long), long.slice(0, 160).trim());
  const sentence = 'The program has no idea at all what it should do';
  for (const end of ['. ', '; ', '! ']) assert.is(phraseIn(`${sentence}${end}${long}`), sentence, end);
  assert.is(phraseIn(`${sentence}\n${long}`), sentence);
  assert.is(phraseIn(`No. ${long}`), `No. ${long}`.slice(0, 160).trim(), 'not with one of a few words');
});
test('a sentence that only says that something failed comes with the next one', () => {
  const failed = 'The program was unable to do what it should do here';
  const [why, short] = ['because the neighbour of its neighbour has gone away for the time being', 'x'.repeat(107)];
  assert.is(phraseIn(`${failed}. ${why}`), `${failed}. ${why}`);
  assert.is(phraseIn(`${failed}. ${short}`), `${failed}. ${short}`, 'of 160 characters in all');
  assert.is(phraseIn(`${failed}. ${short}x`), failed, 'but not of more');
  assert.is(phraseIn(`${failed.replace('here', 'at 1')}. ${why}`), failed.replace('here', 'at 1'), 'that says what');
  for (const word of ['fail', 'failed', 'failure', 'cannot', "can't", "couldn't", 'could not', 'error', 'refused', 'invalid'])
    assert.ok(phraseIn(`${failed.replace('unable', word)}. ${why}`).endsWith(why) === !word.includes("'"), word);
});

for (const [line, message] of [
  ['plain', 'plain'],
  ...['msg', 'message', '@message', 'MESSAGE', 'event', 'text'].map((key) => [JSON.stringify({ a: 'x', [key]: ' m ' }), 'm']),
  ...['err', 'error', 'error.message', 'exception', 'stack_trace', 'exc_info', 'attr', 'cause'].map((key) => [
    JSON.stringify({ [key]: key === 'attr' ? { error: 'e' } : 'e', msg: 'm' }),
    'm: e',
  ]),
  ...['message', 'msg', 'errmsg', 'error', 'Message'].map((key) => [JSON.stringify({ msg: 'm', err: { [key]: 'e' } }), 'm: e']),
  ['{"text":"t","msg":"m"}', 'm'],
  ['{"cause":"c","err":"e"}', 'e'],
  ['{"msg":"m e","err":"e"}', 'm e'],
  ['{"msg":"m","err":{"path":"/a","message":"e"}}', 'm: /a: e'],
  ['{"msg":"m","err":{"file":"/a","message":"e of /a"}}', 'm: e of /a'],
  ['{"msg":"m","err":{"path":"a","message":"e"}}', 'm: e'],
  ['{"msg":"m","err":{"code":1}}', 'm'],
  ['{"msg":"one\\ntwo"}', 'one'],
  ['{"msg":"one:\\n two\\nthree"}', 'one: two'],
  ['{"level":"error"}', '{"level":"error"}'],
  ['{"msg":', '{"msg":'],
  ['level=error msg="m \\"q\\"" err="e"', 'm "q": e'],
  ['time=1 level=error msg=m error=e', 'm: e'],
  ['level=error msg="one:\\ntwo"', 'one: two'],
  ['level=error err=e', 'e'],
  ['level=error a=b', 'level=error a=b'],
  ['msg=m err=e', 'msg=m err=e'],
] as [string, string][])
  test(`a record: ${line}`, () => assert.is(messageOf(line), message));
test('a long record is not read', () => {
  const of = (length: number) => messageOf(JSON.stringify({ msg: 'm', x: 'x'.repeat(length) })) === 'm';
  assert.equal([of(15_900), of(16_000)], [true, false]);
});

const more = (line: string, ...lines: string[]) => continuationOf([line, ...lines].join('\n'), line.length, line);
for (const [sentence, line, lines, expected] of [
  ['what a headline announces', 'invalid configuration:', ['a is bad', 'b is bad', 'c is bad', 'd is bad'], 'a is bad b is bad c is bad'],
  ['behind an empty line', 'invalid configuration:', ['', 'a is bad', '', 'b'], 'a is bad'],
  ['behind several empty lines', 'invalid configuration:', ['', '', '', '', '', 'a'], 'a'],
  ['not further down', 'invalid configuration:', ['', '', '', '', '', '', 'a'], ''],
  ['one line for a line that names nothing', 'it failed badly', ['because of that', 'and this'], 'because of that'],
  ['nothing behind an empty line', 'it failed badly', ['', 'because of that'], ''],
  ['nothing for a line that names something', "it failed: 'x'", ['because of that'], ''],
  ['a reason, whatever the line is', "it failed: 'x'", ['  Reason: y'], 'Reason: y'],
  ['an exception, whatever the line is', "it failed: 'x'", ['java.lang.AppException: y'], 'java.lang.AppException: y'],
  ['no record of its own', 'it failed badly', ['2026-05-01 other'], ''],
  ['no frame', 'it failed badly', ['    at main'], ''],
  ['no line that is too long', 'it failed badly', ['x'.repeat(200)], ''],
  ['a line that is nearly too long', 'it failed badly', ['x'.repeat(199)], 'x'.repeat(199)],
  ['the field of a validation', '1 validation error for Settings', ['debug', '  error x'], 'debug error x'],
  ['the errors that a headline counts', '2 errors:', ['* error a', '* error b'], '* error a * error b'],
  ['no level in the place of a field', 'bad:', ['debug'], ''],
  ['the last line without a break', 'bad:', ['a'], 'a'],
] as const)
  test(`a line goes on: ${sentence}`, () => assert.is(more(line, ...lines), expected));
for (const start of ['Reason:', 'reason =', 'Cause:', 'caused by:', 'because -', 'detail:', 'Details:'])
  test(`a reason below a line: ${start}`, () => assert.is(more("it failed: 'x'", `${start} y`), `${start} y`));
for (const start of [
  ...[
    'at ',
    '... ',
    'File "a"',
    'from ',
    'in ',
    '#1',
    '12: ',
    'goroutine 1',
    '(main 7',
    'note: ',
    'usage',
    'Traceback (',
    'node:',
    '[',
    '{',
  ],
  ...[
    '2026-',
    '10:0',
    'E0501 ',
    'Jan 1',
    'time=',
    'ts=',
    'level=',
    'error',
    'warn',
    'warning',
    'info',
    'debug',
    'trace',
    'notice',
    'fatal',
  ],
  ...['critical', 'npm'],
])
  test(`a line of its own: ${start}`, () => assert.is(more('it failed badly', `${start} x`), ''));

const beside = (line: string, ...lines: string[]) => listedBeside(aCase({ logs: lines.join('\n') }), line);
test('the other items of a list', () => {
  assert.equal(beside('* two', 'bad', '* one', '* two', '* three ', 'end', '* four'), ['one', 'three']);
  assert.equal(beside('bad:', 'bad:', '  one', '  two', 'end'), ['one', 'two'], 'all of them below the line that announces them');
  assert.equal(beside('bad', 'bad', '  one'), [], 'which a line does with a colon');
  assert.equal(beside('1. one', '1. one', '2) two', '- three'), ['two'], 'with marks of the same kind');
  assert.equal(beside('- one', '- one', '  deeper', '- two', '    - deepest'), ['two'], 'without deeper lines');
  assert.equal(beside('  - two', '- zero', '  - one', '  - two', '- three', '  - four'), ['one'], 'and not beyond the list above it');
  assert.equal(beside('one', 'one', 'two'), [], 'no lines at the margin');
  assert.equal(beside('x', 'one'), [], 'no line of the log');
  const many = Array.from({ length: 10 }, (_, index) => `- ${index}`);
  assert.equal(beside('- 0', ...many), ['1', '2', '3', '4', '5', '6', '7', '8'], 'eight at most');
  assert.equal(beside('- 9', ...many).length, 8);
  assert.equal(beside('- one', `- one`, `- ${'x'.repeat(8000)}`, '- two').length, 1, 'within reach');
});

const caught = (...lines: string[]) => lastUncaught(lines.join('\n'))?.line;
const PYTHON = (line: string) => ['Traceback (most recent call last):', '  File "a.py"', line, ''];
test('the exception that nothing caught', () => {
  assert.is(caught(...PYTHON('KeyError: x')), 'KeyError: x');
  assert.is(caught('Error: x', '    at main'), 'Error: x');
  assert.is(caught('Uncaught TypeError [A]: x', '    at main'), 'TypeError [A]: x');
  assert.is(caught("a.rb:3:in 'f': x (KeyError)"), "a.rb:3:in 'f': x (KeyError)");
  assert.is(caught('In Kernel.php line 3:', '', '  It is bad  ', ''), 'It is bad');
  assert.is(caught('** (Mix.Error) x'), '** (Mix.Error) x');
  assert.is(caught('** (EXIT) x'), undefined);
  assert.is(caught(...PYTHON('A: 1'), 'Error: 2', '    at main'), 'Error: 2', 'the last one in the log');
  assert.is(caught('Error: 2', '    at main', ...PYTHON('A: 1')), 'A: 1', 'of any kind');
  for (const ends of [
    'SystemExit: 1',
    'KeyboardInterrupt',
    'gunicorn.errors.HaltServer: x',
    'click.exceptions.Exit: 1',
    'click.exceptions.Abort: x',
  ])
    assert.is(caught(...PYTHON(ends)), undefined, ends);
  for (const points of [
    'A: see the root cause above',
    'A: check the logs earlier',
    'A: refer to previous errors',
    'A: engine process failed.',
    'A: worker died',
  ])
    assert.is(caught(...PYTHON(points)), undefined, points);
  const chain = (words: string) => [...PYTHON('A: 1'), words, '', ...PYTHON('B: 2')];
  assert.is(caught(...chain('The above exception was the direct cause of the following exception:')), 'A: 1');
  assert.is(caught(...chain('During handling of the above exception, another exception occurred:')), 'A: 1');
  assert.is(caught(...chain('Something else:')), 'B: 2');
  assert.is(lastUncaught(`x\n${PYTHON('A: 1').join('\n')}`)?.at, 2 + PYTHON('').slice(0, 2).join('\n').length + 1);
});

test.run();
