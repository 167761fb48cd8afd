import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileAbove, fileBehind, fileIn } from '../../../../src/diagnosis/rules/signatures/file-in-line.ts';
import { aCase } from '../../../support/builders/cases.ts';

const test = suite('files in log lines');

const FILES: Record<string, string> = {
  'open /data/x.db: permission denied': '/data/x.db',
  "cannot open '/data/x.db': No such file or directory": '/data/x.db',
  'from /etc/app to /data/x (13: Permission denied)': '/data/x',
  'from /etc/app to /data/x: (2) No such file or directory': '/data/x',
  'in /etc/app the file /data/x is not writable': '/data/x',
  'in /etc/app the file /data/x was not found': '/data/x',
  'in /etc/app `/data/x` does not exist': '/data/x',
  "in /etc/app /data/x doesn't exist": '/data/x',
  'in /etc/app (/data/x) Read-only file system': '/data/x',
  'in /etc/app [/data/x]: Is a directory': '/data/x',
  'in /etc/app "/data/x", read-only file system': '/data/x',
  'in /etc/app /data/x: is a directory': '/data/x',
  'in /etc/app /data/x: no such file': '/data/x',
  'EACCES: mkdir /data/a b': '/data/a',
  'cannot write /data/': '/data/',
  'user/data/x is denied': '',
  'http://db/x failed': '',
  '/usr/bin/app: Error: /data/x': '/data/x',
  '/usr/sbin/app: fatal: cannot read /data/x': '/data/x',
  '/bin/cp: error of /data/x': '/data/x',
  '/opt/app/bin/app: cannot find it': '/opt/app/bin/app',
  '/usr/bin/app: cannot use /data/x': '/data/x',
  'main /src/app/main.go:12 cannot use /data/x': '/data/x',
  'at /src/lib/a.cpp:9 and /src/lib/b.rs:9, /src/lib/c.h:1 of /data/x': '/data/x',
  'at /app/main.py:12': '/app/main.py',
  'File "/app/main.py", line 3, in open': '',
  'it failed': '',
};
for (const [line, file] of Object.entries(FILES)) test(`the file in "${line}" is "${file}"`, () => assert.is(fileIn(line), file));

const behind = (...lines: string[]) => fileBehind(aCase({ logs: ['failed', ...lines].join('\n') }), 'failed');

test('a file in one of the next two lines', () => {
  assert.is(behind('/data/x: no'), '/data/x');
  assert.is(behind('it is', 'open /data/x', '/data/y'), '/data/x');
  assert.is(behind('it is', 'there', '/data/y'), '');
});

test('frames of a trace and lines about what went well name no file of the error', () => {
  for (const line of ['\tat x (/app/main.js:1)', 'INFO wrote /data/x', 'DEBUG /data/x', '[TRACE] /data/x'])
    assert.is(behind(line), '', line);
  assert.is(behind('INFO wrote /data/x', 'socket /data/y'), '/data/y');
});

const above = (...lines: string[]) => fileAbove(aCase({ logs: lines.join('\n') }), lines.at(-1)!);

test('in a numbered chain of causes the step above names the file', () => {
  assert.is(above('/data/z', '0: cannot open /data/x', '1: denied'), '/data/x');
  assert.is(above('0: cannot open it', '1: denied'), '');
  assert.is(above('0: cannot open /data/x', 'denied'), '');
  assert.is(above('1: denied'), '');
});

test.run();
