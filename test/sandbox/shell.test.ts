import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Files } from '../../src/sandbox/kubelet/files.ts';
import { pull } from '../../src/sandbox/kubelet/images.ts';
import type { Machine } from '../../src/sandbox/kubelet/machine.ts';
import { startProcess } from '../../src/sandbox/kubelet/process.ts';

/** Scripts, their exit codes and their output. Checked with BusyBox 1.35. */
const SCRIPTS: [script: string, exitCode: number, output: string][] = [
  ['echo a b; echo c >&2', 0, 'a b\nc\n'],
  ['exit 3', 3, ''],
  ['foo', 127, 'sh: foo: not found\n'],
  ['/etc/passwd', 126, 'sh: /etc/passwd: Permission denied\n'],
  ['exec nope', 127, 'sh: exec: line 0: nope: not found\n'],
  ['true && echo yes || echo no', 0, 'yes\n'],
  ['false && echo yes || echo no', 0, 'no\n'],
  ['false || false; echo $?', 0, '1\n'],
  ['false && echo a; echo b', 0, 'b\n'],
  ['rm /bin/false; false; echo $?', 0, '1\n'],
  ['! true; echo $?', 0, '1\n'],
  ['if [ -f /etc/passwd ]; then echo there; else echo gone; fi', 0, 'there\n'],
  ['if [ -z "$NOPE" ]; then echo "NOPE is not set" >&2; exit 4; fi', 4, 'NOPE is not set\n'],
  ['i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done', 0, '1\n2\n3\n'],
  ['for x in a "b c"; do echo "<$x>"; done', 0, '<a>\n<b c>\n'],
  ['until [ -e /tmp/f ]; do touch /tmp/f; done; echo done', 0, 'done\n'],
  ['case web-1 in web-*) echo web;; *) echo other;; esac', 0, 'web\n'],
  ['f() { echo "got $1"; return 2; }; f x; echo $?', 0, 'got x\n2\n'],
  ['echo ${A:-none} ${NAME:-none} ${#NAME}', 0, 'none podmend 7\n'],
  ['echo "$(echo inner) `echo old`"', 0, 'inner old\n'],
  ['echo a | grep -q a && echo found', 0, 'found\n'],
  ['cat /nope | cat; echo $?', 0, "cat: can't open '/nope': No such file or directory\n0\n"],
  ['${X:?must be set}', 2, 'sh: X: must be set\n'],
  ['set -e; false; echo no', 1, ''],
  ['set -u; echo $NOPE', 2, 'sh: NOPE: parameter not set\n'],
  ['cat /nope', 1, "cat: can't open '/nope': No such file or directory\n"],
  ['cat < /nope', 1, "sh: can't open /nope: no such file\n"],
  ['echo x > /nope/y', 1, "sh: can't create /nope/y: nonexistent directory\n"],
  ['echo x > /tmp', 1, "sh: can't create /tmp: Is a directory\n"],
  ['cd /nope', 2, "sh: cd: line 0: can't cd to /nope: No such file or directory\n"],
  ['mkdir /nope/x', 1, "mkdir: can't create directory '/nope/x': No such file or directory\n"],
  ['mkdir -p /a/b && echo hi > /a/b/c && cat /a/b/c', 0, 'hi\n'],
  ['ls /nope', 1, 'ls: /nope: No such file or directory\n'],
  ['rm /nope', 1, "rm: can't remove '/nope': No such file or directory\n"],
  ['[ a != b ] && echo differ; [ a != a ] || echo equal', 0, 'differ\nequal\n'],
  ['[ 1 -eq x ]', 2, 'sh: x: bad number\n'],
  ['sleep x', 1, "sleep: invalid number 'x'\n"],
  ['dd if=/dev/zero of=/dev/null bs=1M count=2', 0, '2+0 records in\n2+0 records out\n'],
  ['dd if=/dev/zero of=/dev/null bs=17M count=1', 137, ''],
  ['head -c 3 /dev/zero', 0, '\0\0\0'],
  ['tail /dev/zero', 137, ''],
  ['wget -q -O- http://nowhere/', 1, "wget: bad address 'nowhere'\n"],
  ['wget -q -O- http://127.0.0.1:1/', 1, "wget: can't connect to remote host (127.0.0.1): Connection refused\n"],
  ['printf "a b\\nc\\n" | wc -l', 0, '2\n'],
  ['printf "a b\\nc\\n" | wc', 0, '        2         3         6\n'],
  ['printf "a b\\nc\\n" | wc -cw', 0, '        3         6\n'],
  ['printf "a b" > /tmp/f; wc -w /tmp/f /tmp/f', 0, '2 /tmp/f\n2 /tmp/f\n4 total\n'],
  ['wc -l /nope', 1, 'wc: /nope: No such file or directory\n'],
  ['printf "%s-%d\\n" a 3', 0, 'a-3\n'],
  ['echo -n a; echo -e "b\\tc"; echo -ne "d\\n"', 0, 'ab\tc\nd\n'],
  ['printf "%5s|%-5s|%%|%x\\n" a b 255', 0, '    a|b    |%|ff\n'],
  ['printf "%s\\n" a b c', 0, 'a\nb\nc\n'],
  ['echo x | cat /dev/stdin', 0, 'x\n'],
  ['cat /tmp', 1, 'cat: read error: Is a directory\n'],
  ['seq 12 | head -n 2; seq 12 | head -3 | tail -n 1; seq 12 | tail -2; seq 12 | head | wc -l', 0, '1\n2\n3\n11\n12\n10\n'],
  ['seq 3 5', 0, '3\n4\n5\n'],
  [
    'printf "Ab\\nab\\nc.d\\ncxd\\n" > /tmp/g; grep -c a /tmp/g; grep -i ab /tmp/g; grep -v b /tmp/g; grep -F c.d /tmp/g',
    0,
    '1\nAb\nab\nc.d\ncxd\nc.d\n',
  ],
  ['echo a | grep b', 1, ''],
  ['echo a | grep -q b || echo none', 0, 'none\n'],
  ['grep a /nope', 2, 'grep: /nope: No such file or directory\n'],
  ['echo $((2+3*4)) $(((2+3)*4)) $((7/2)) $((7%4)) $((-7+1)) $((!3)) $((!0))', 0, '14 20 3 3 -6 0 1\n'],
  ['echo $((1<2)) $((2<2)) $((2<=2)) $((3>2)) $((2>=3)) $((1==1)) $((1!=1)) $((1&&0)) $((1||0)) $((0||0))', 0, '1 0 1 1 0 1 0 0 1 0\n'],
  ['a=4; echo $((a*2)) $(($a-1)) $((nope+1))', 0, '8 3 1\n'],
  ['E=; echo "${E-x}" "${E:-x}" "${E+y}" "${E:+y}" "${NOPE+y}" "${NOPE-z}"', 0, ' x y   z\n'],
  ['echo ${N:=new} $N; echo ${NAME:=old}', 0, 'new new\npodmend\n'],
  ['F=/a/b/c.tar.gz; echo ${F##*/} ${F#*/} ${F%.*} ${F%%.*} ${F#x}', 0, 'c.tar.gz a/b/c.tar.gz /a/b/c.tar /a/b/c /a/b/c.tar.gz\n'],
  ['E=; ${E:?is empty}', 2, 'sh: E: is empty\n'],
  ['E=; echo "<${E?is unset}>"', 0, '<>\n'],
  [
    '[ 2 -lt 2 ] || echo no; [ 2 -le 2 ] && echo yes; [ 3 -gt 3 ] || echo no; [ 3 -ge 3 ] && echo yes; [ 1 -ne 1 ] || echo no',
    0,
    'no\nyes\nno\nyes\nno\n',
  ],
  [
    '[ -n "" ] || echo empty; [ -n a ] && echo some; [ a = a -a b = c ] || echo and; [ a = b -o c = c ] && echo or; [ ! a = b ] && echo not',
    0,
    'empty\nsome\nand\nor\nnot\n',
  ],
  [
    '[ -d /tmp ] && echo folder; [ -f /tmp ] || echo "no file"; [ -x /bin/sh ] && echo runs; touch /tmp/e; [ -s /tmp/e ] || echo empty; echo x > /tmp/e; [ -s /tmp/e ] && echo full',
    0,
    'folder\nno file\nruns\nempty\nfull\n',
  ],
  ['[ ] || echo nothing; [ a ] && echo something; [ "" ] || echo empty', 0, 'nothing\nsomething\nempty\n'],
  ['[ "" -eq 1 ]; echo $?', 0, 'sh: out of range\n2\n'],
  [
    'echo a > /tmp/f; echo b >> /tmp/f; cat /tmp/f; cp /tmp/f /tmp/g; mv /tmp/g /tmp/h; cat /tmp/h; [ -e /tmp/g ] || echo moved',
    0,
    'a\nb\na\nb\nmoved\n',
  ],
  ['mkdir /tmp/d; echo a > /tmp/d/x; cp /tmp/d/x /tmp; cat /tmp/x; ls /tmp/d', 0, 'a\nx\n'],
  ['for i in 1 2 3 4; do [ $i = 2 ] && continue; [ $i = 4 ] && break; echo $i; done', 0, '1\n3\n'],
  [
    'case b in a|b) echo first;; *) echo other;; esac; case x in a) echo a;; *) echo other;; esac; case "" in "") echo none;; esac',
    0,
    'first\nother\nnone\n',
  ],
  ['if false; then echo a; elif true; then echo b; else echo c; fi', 0, 'b\n'],
  ['set -e; false || true; false && true; ! true; if false; then true; fi; while false; do true; done; echo alive', 0, 'alive\n'],
  ['set -e; true && false; echo no', 1, ''],
  ['set -e; f() { false; echo on; }; f || true; echo end', 0, 'on\nend\n'],
  ['(exit 5); echo $?; { echo group; }', 0, '5\ngroup\n'],
  ['f() { return; }; false; f; echo $?', 0, '1\n'],
  ['true | false; echo $?; false | true; echo $?', 0, '1\n0\n'],
  ['echo out; echo err >&2 2>/dev/null; ls /nope 2>/dev/null; echo $?', 0, 'out\nerr\n1\n'],
  ['ls /nope 2>&1 | wc -l; { echo out; echo err >&2; } | wc -l; echo x 1>&2 | wc -l', 0, '1\nerr\n1\nx\n0\n'],
  ['ls /nope > /tmp/all 2>&1; cat /tmp/all', 0, 'ls: /nope: No such file or directory\n'],
  ['echo "a', 2, 'sh: syntax error: unterminated quoted string\n'],
];

const test = suite('the shell of a pretend container');

function aMachine(uid = 0): { machine: Machine; written(): string } {
  const pulled = pull('busybox:1.35', false);
  if ('error' in pulled) throw new Error(pulled.error);
  let text = '';
  const machine: Machine = {
    files: new Files(pulled.image.executables),
    environment: { PATH: '/bin', NAME: 'podmend' },
    workingDirectory: '/',
    uid,
    hostname: 'app',
    network: { lookup: () => undefined, get: () => 'refused' },
    memoryLimit: 16 * 2 ** 20,
    now: () => new Date('2026-01-01T00:00:00Z'),
    sleep: (ms) => (Number.isFinite(ms) ? Promise.resolve() : new Promise(() => undefined)),
    log: (more) => (text += more),
    onOutOfMemory: () => undefined,
    onTerminate: undefined,
    listeners: new Map(),
  };
  return { machine, written: () => text };
}

for (const [script, exitCode, output] of SCRIPTS)
  test(script, async () => {
    const { machine, written } = aMachine();
    assert.is(await startProcess(machine, ['sh', '-c', script]).done, exitCode, written());
    assert.is(written(), output);
  });

test('another user than root writes only where everybody may', async () => {
  const { machine, written } = aMachine(1000);
  assert.is(await startProcess(machine, ['sh', '-c', 'echo ok > /tmp/x && cat /tmp/x && mkdir /data']).done, 1);
  assert.is(written(), "ok\nmkdir: can't create directory '/data': Permission denied\n");
});

test('a volume mounted in another volume hides the folder that it stands on, whichever was mounted first', () => {
  for (const paths of [
    ['/data', '/data/cache'],
    ['/data/cache', '/data'],
  ]) {
    const files = new Files([]);
    const volumes = new Map(paths.map((path) => [path, new Files([])]));
    for (const [path, volume] of volumes) files.mount(path, volume);
    files.write('/data/cache/x', 'inner', { uid: 0 });
    files.write('/data/y', 'outer', { uid: 0 });
    assert.equal([volumes.get('/data/cache')?.read('/x'), volumes.get('/data')?.read('/y')], ['inner', 'outer'], paths.join(', '));
    assert.not.ok(volumes.get('/data')?.exists('/cache/x'), paths.join(', '));
  }
});

test('process 1 ignores SIGTERM unless it has a trap for it', async () => {
  const { machine, written } = aMachine();
  const deaf = startProcess(machine, ['sleep', 'infinity']);
  deaf.signal('TERM');
  deaf.signal('KILL');
  assert.is(await deaf.done, 137);
  const polite = startProcess(machine, ['sh', '-c', "trap 'echo bye; exit 0' TERM; sleep infinity"]);
  await new Promise((done) => setTimeout(done, 0));
  polite.signal('TERM');
  assert.is(await polite.done, 0);
  assert.is(written(), 'bye\n');
});

test.run();
