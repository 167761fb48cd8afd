import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FileFault, Files } from '../../../src/sandbox/kubelet/files.ts';

const tests = suite('file systems of the sandbox');

/** The fault in the words of the C library; undefined if there is none. */
function fault(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof FileFault);
    return error.message;
  }
}
const [ROOT, USER] = [{ uid: 0 }, { uid: 1000 }];

for (const [path, from, expected] of [
  ['/a/b', '/', '/a/b'],
  ['/a//b/', '/', '/a/b'],
  ['/a/./b/../c', '/', '/a/c'],
  ['/../..', '/', '/'],
  ['b', '/a', '/a/b'],
  ['../b', '/a/c', '/a/b'],
  ['.', '/a', '/a'],
  ['', '/a', '/a'],
] as const)
  tests(`${path || 'nothing'} from ${from} is ${expected}`, () => assert.is(Files.resolve(path, from), expected));

tests('a new file system has the folders, devices and programs of its image', () => {
  const files = new Files(['/bin/sh']);
  assert.equal(files.names('/'), ['bin', 'dev', 'etc', 'home', 'proc', 'root', 'run', 'tmp', 'usr', 'var']);
  assert.equal(files.names('/dev'), ['null', 'shm', 'stderr', 'stdout', 'termination-log', 'zero']);
  assert.equal([files.names('/var'), files.isDirectory('/var/run')], [['run'], true]);
  assert.equal([files.isExecutable('/bin/sh'), files.isExecutable('/etc/passwd'), files.isExecutable('/nothing')], [true, false, false]);
  assert.match(files.read('/etc/passwd'), /^root:x:0:0:root:\/:\/bin\/sh\nnobody:x:65534:65534:nobody:/);
  assert.equal([files.isDirectory('/etc'), files.isDirectory('/etc/passwd'), files.isDirectory('/nothing')], [true, false, false]);
  assert.equal([files.exists('/etc/passwd'), files.exists('/nothing')], [true, false]);
});

tests('what is not there, or is something else', () => {
  const files = new Files([]);
  assert.is(
    fault(() => files.read('/nothing')),
    'No such file or directory',
  );
  assert.is(
    fault(() => files.read('/etc')),
    'Is a directory',
  );
  assert.is(
    fault(() => files.names('/nothing')),
    'No such file or directory',
  );
  assert.is(
    fault(() => files.write('/etc', 'x', ROOT)),
    'Is a directory',
  );
  assert.is(
    fault(() => files.write('/nothing/x', 'x', ROOT)),
    'No such file or directory',
  );
  assert.is(
    fault(() => files.write('/etc/passwd/x', 'x', ROOT)),
    'Not a directory',
  );
  assert.is(
    fault(() => files.makeDirectory('/etc', 0)),
    'File exists',
  );
  assert.is(
    fault(() => files.remove('/nothing', 0)),
    'No such file or directory',
  );
  assert.is(
    fault(() => files.setExecutable('/nothing')),
    'No such file or directory',
  );
});

tests('only root writes, except where everybody may, and to own files', () => {
  const files = new Files([]);
  for (const path of ['/etc/x', '/x', '/etc/passwd'])
    assert.is(
      fault(() => files.write(path, 'x', USER)),
      'Permission denied',
      path,
    );
  for (const path of ['/tmp/x', '/dev/shm/x', '/dev/null', '/dev/termination-log'])
    assert.is(
      fault(() => files.write(path, 'x', USER)),
      undefined,
      path,
    );
  assert.is(
    fault(() => files.write('/tmp/x', 'y', { uid: 2000 })),
    'Permission denied',
  );
  assert.is(
    fault(() => files.write('/tmp/x', 'y', USER)),
    undefined,
  );
  assert.is(
    fault(() => files.remove('/etc/passwd', 1000)),
    'Permission denied',
  );
  files.makeDirectory('/tmp/own', 1000);
  files.makeDirectory('/tmp/open', 0, true);
  assert.is(
    fault(() => files.write('/tmp/own/x', 'x', { uid: 2000 })),
    'Permission denied',
  );
  assert.is(
    fault(() => files.write('/tmp/own/x', 'x', USER)),
    undefined,
  );
  assert.is(
    fault(() => files.write('/tmp/open/x', 'x', { uid: 2000 })),
    undefined,
  );
});

tests('text is replaced or appended, bytes are counted, and /dev/null stays empty', () => {
  const files = new Files([]);
  const before = files.usedBytes();
  files.write('/tmp/x', 'abc', ROOT);
  files.write('/tmp/x', 'de', { ...ROOT, append: true });
  assert.equal([files.read('/tmp/x'), files.usedBytes() - before], ['abcde', 5]);
  files.write('/tmp/x', 'f', { ...ROOT, extraBytes: 100 });
  files.write('/tmp/x', '', { ...ROOT, append: true, extraBytes: 10 });
  assert.equal([files.read('/tmp/x'), files.usedBytes() - before], ['f', 111]);
  files.write('/dev/null', 'x', ROOT);
  assert.is(files.read('/dev/null'), '');
  files.write('/tmp/run', '', { ...ROOT, isExecutable: true });
  files.setExecutable('/tmp/x');
  assert.equal([files.isExecutable('/tmp/run'), files.isExecutable('/tmp/x')], [true, true]);
});

tests('a folder is removed with what is in it, and with nothing else', () => {
  const files = new Files([]);
  files.makeDirectory('/tmp/a', 0);
  for (const path of ['/tmp/a/x', '/tmp/ab']) files.write(path, 'x', ROOT);
  files.remove('/tmp/a', 0);
  assert.equal([files.names('/tmp'), files.exists('/tmp/a/x')], [['ab'], false]);
});

tests('a root that is only read still has devices', () => {
  const files = new Files([], true);
  assert.is(
    fault(() => files.write('/tmp/x', 'x', ROOT)),
    'Read-only file system',
  );
  assert.is(
    fault(() => files.write('/etc/passwd', 'x', ROOT)),
    'Read-only file system',
  );
  assert.is(
    fault(() => files.makeDirectory('/x', 0)),
    'Read-only file system',
  );
  assert.is(
    fault(() => files.remove('/etc/passwd', 0)),
    'Read-only file system',
  );
  assert.is(
    fault(() => files.write('/dev/stdout', 'x', ROOT)),
    undefined,
  );
});

tests('volumes are mounted over the root, one inside of another, and shared', () => {
  const files = new Files([], true);
  const config = Files.volume({ '/a/b': 'text' }, true);
  const scratch = Files.volume({}, false);
  files.mount('/data/config', config);
  files.mount('/data', scratch);
  assert.equal(files.names('/'), ['bin', 'data', 'dev', 'etc', 'home', 'proc', 'root', 'run', 'tmp', 'usr', 'var']);
  assert.equal([files.names('/data'), files.names('/data/config'), files.read('/data/config/a/b')], [['config'], ['a'], 'text']);
  assert.is(
    fault(() => files.write('/data/x', 'mine', USER)),
    undefined,
  );
  assert.is(scratch.read('/x'), 'mine');
  assert.is(
    fault(() => files.write('/data/config/a/b', 'x', ROOT)),
    'Read-only file system',
  );
  assert.is(
    fault(() => files.write('/data/config/c', 'x', ROOT)),
    'Read-only file system',
  );
  assert.is(
    fault(() => files.remove('/data', 0)),
    'Device or resource busy',
  );
  files.remove('/data/x', 1000);
  assert.is(scratch.exists('/x'), false);
  assert.is(files.exists('/database'), false, 'a name that only begins like a mount');
  assert.is(files.usedBytes(), new Files([]).usedBytes(), 'volumes are not counted');
});

tests.run();
