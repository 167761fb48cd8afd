import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { causeIn, readLogs } from '../../../src/diagnosis/facts/log.ts';
import { aCase } from '../../support/builders/cases.ts';

const test = suite('the line of a log that names the cause');

const read = (logs: string) => readLogs(aCase({ logs }))[0];
const line = (...lines: string[]) => read(lines.join('\n'))?.line;
const REFUSED = 'dial tcp 10.0.0.1:5432: connect: connection refused';

test('which line counts', () => {
  assert.is(line('Error: it is bad', REFUSED, 'done'), REFUSED, 'one that says more');
  assert.is(line('Error: it is bad', 'Error: it is worse'), 'Error: it is bad', 'the first of equal ones');
  assert.is(line(REFUSED.replace('5432', '1'), REFUSED), REFUSED.replace('5432', '1'), 'the first of equal ones that say more');
  assert.is(line(`WARN ${REFUSED}`, 'Error: it is bad'), `WARN ${REFUSED}`, 'a warning that says more before a bare error');
  assert.is(line(`WARN ${REFUSED.replace('5432', '1')}`, REFUSED), REFUSED, 'an error before a warning');
  assert.is(line('.env file not found', 'Error: it is bad'), 'Error: it is bad', 'a file that a program does without never');
  assert.is(line('one', 'two', ''), 'two', 'the last one if none is known');
  assert.is(line(' ', ''), undefined);
});
for (const level of ['warn', 'WARNING', 'info', 'debug', 'trace', 'notice', 'WRN', 'INF', 'DBG', 'TRC', 'VRB'])
  test(`${level} is mild`, () => {
    const found = read(`${level}: ${REFUSED}`);
    assert.equal([found?.kind, found?.kind === 'log' && found.mild], ['log', true]);
    assert.is(line(`${level}: failed to do it`, 'Error: it is bad'), 'Error: it is bad');
  });
for (const words of ['retry', 'retries', 'retrying', 'attempt 3', 'will try again', 'reconnecting'])
  test(`${words} is mild`, () => {
    const found = read(`${REFUSED}, ${words}`);
    assert.is(found?.kind === 'log' && found.mild, true);
  });
for (const level of ['error', 'FATAL', 'panic', 'critical', 'Exception'])
  test(`${level} beside a mild word is not mild`, () => {
    const found = read(`info ${level}: ${REFUSED}`);
    assert.is(found?.kind === 'log' && found.mild, false);
  });
test('a level far behind in its line is a word', () => {
  const found = read(`${'x'.repeat(120)} info ${REFUSED}`);
  assert.is(found?.kind === 'log' && found.mild, false);
});
for (const solved of [
  'connected to db',
  'connection established',
  'connection restored',
  'connection succeeded',
  'reconnected',
  'successfully connected',
])
  test(`a warning is forgotten: ${solved}`, () => {
    assert.is(line(`WARN ${REFUSED}`, solved, 'Error: it is bad'), 'Error: it is bad');
    assert.is(line(`WARN ${REFUSED}`, 'x'.repeat(20_001), solved, 'Error: it is bad'), `WARN ${REFUSED}`);
  });
test('a warning that becomes an error', () =>
  assert.equal(
    [read(`WARN 1 ${REFUSED}\n${REFUSED}`)].map((found) => [found?.line, found?.kind === 'log' && found.mild]),
    [[`WARN 1 ${REFUSED}`, false]],
  ));

test('where the line is from', () => {
  const of = (logs: string, container: string | null = 'app') =>
    readLogs(aCase({ logs, container })).map(({ container: its, evidence }) => [its, evidence]);
  const run = (name: string, which: string, text: string) => `==> ${name} (${which}) <==\n${text}\n`;
  assert.equal(of(run('app', 'previous', `one\n${REFUSED}\ntwo`)), [['app', { from: 'log of app (previous)', text: REFUSED }]]);
  assert.equal(of(REFUSED, null), [[null, { from: 'log of the pod', text: REFUSED }]]);
  assert.equal(of(run('app', 'current', 'Error: it is bad') + run('app', 'previous', REFUSED)), [
    ['app', { from: 'log of app (previous)', text: REFUSED }],
  ]);
  assert.equal(of(run('app', 'current', REFUSED) + run('app', 'previous', REFUSED)), [
    ['app', { from: 'log of app (current)', text: REFUSED }],
  ]);
  assert.equal(of(run('app', 'current', 'one\ntwo\n\n') + run('app', 'previous', 'three')), [
    ['app', { from: 'log of app (current), last line', text: 'two' }],
  ]);
  assert.equal(of('it works', null), [[null, { from: 'log of the pod, last line', text: 'it works' }]]);
  assert.is(of(`a ${'x'.repeat(2000)}`)[0]?.[1] && read(`a ${'x'.repeat(2000)}`)?.line.length, 1000, 'a long last line is cut');
});

test('the message behind a line that names nothing', () => {
  assert.is(line("thread 'main' panicked at src/main.rs:3:5:", 'no such key: x', 'note: run with'), 'no such key: x', 'a panic of Rust');
  assert.is(
    line("thread 'main' panicked at src/main.rs:3:5:", 'note: run with'),
    "thread 'main' panicked at src/main.rs:3:5:",
    'a panic of Rust without a message',
  );
  assert.is(
    line('java.lang.IllegalStateException: first', '\tat a.b', 'Caused by: a.b.Wrong: second', 'Caused by: a.b.Wrong: third x', 'end'),
    'Caused by: a.b.Wrong: third x',
    'the deepest cause of Java',
  );
  assert.is(
    line('APPLICATION FAILED TO START', '****', '', 'Description:', '', 'Field x in a.b required a thing', '', 'Action:'),
    'Field x in a.b required a thing',
    'the description of Spring',
  );
  assert.is(line('ERROR: failed to start', 'ERROR: the value x=1 is bad'), 'ERROR: the value x=1 is bad', 'the next error');
  assert.is(
    line('ERROR: failed to start', '-----', '', '=====', '-', '- -', 'ERROR: the value x=1 is bad'),
    'ERROR: the value x=1 is bad',
    'behind rulers',
  );
  const far = (count: number) =>
    line('ERROR: failed to start', ...Array.from({ length: count }, () => 'then'), 'ERROR: the value x=1 is bad');
  assert.equal([far(3), far(4)], ['ERROR: the value x=1 is bad', 'ERROR: failed to start'], 'within four lines');
  assert.is(line('Error running "serve" command', 'ERROR: the value x=1 is bad'), 'ERROR: the value x=1 is bad', 'of a command');
  assert.is(
    line('Exception in worker process', 'Traceback (most recent call last):', '  File "a.py"', "KeyError: 'X'"),
    "KeyError: 'X'",
    'the exception behind it',
  );
  assert.is(
    line('Error: the value x=1 is bad', 'then', 'Traceback (most recent call last):', '  File "a.py"', "KeyError: 'X'"),
    'Error: the value x=1 is bad',
    'not behind one that names something',
  );
  assert.is(
    line('Error: bad "x" at first', 'Server is listening on port 80', 'Error: bad "y" at last'),
    'Error: bad "y" at last',
    'what ended a program that worked',
  );
  assert.is(
    line('Error: bad "x" at first', 'Server is listening on port 80', 'ERROR: worker died'),
    'Error: bad "x" at first',
    'not what only says that it ended',
  );
});
test('the exception that nothing caught, where no line is known', () =>
  assert.is(line('Traceback (most recent call last):', '  File "a.py"', 'shop.Odd'), 'shop.Odd'));

test('the cause in a single line', () => {
  const evidence = { from: 'log of app', text: 'x' };
  const of = (text: string) => causeIn(text, { container: 'app', evidence });
  assert.equal(
    [of(REFUSED)].map((found) => [found?.line, found?.container, found?.evidence]),
    [[REFUSED, 'app', { from: 'log of app', text: REFUSED }]],
  );
  assert.is(of('Error: it is bad'), undefined, 'that only says that it failed');
  assert.is(of(`WARN ${REFUSED}`), undefined, 'that is mild');
  assert.is(of(`${' '.repeat(1000)}${REFUSED}`), undefined, 'that is too long');
});

test.run();
