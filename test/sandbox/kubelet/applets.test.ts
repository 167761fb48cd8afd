import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Files } from '../../../src/sandbox/kubelet/files.ts';
import { pull } from '../../../src/sandbox/kubelet/images.ts';
import type { Machine } from '../../../src/sandbox/kubelet/machine.ts';
import { runCommand, startProcess } from '../../../src/sandbox/kubelet/process.ts';
import { bytesOf } from '../../../src/sandbox/kubelet/shell/applets/memory.ts';

// Programs of BusyBox 1.35 with a network, time and memory around them. shell.test.ts has the language.

const applets = suite('programs of the sandbox');

const ADDRESSES: Record<string, string> = { web: '10.96.0.50', 'slow.shop': '10.96.0.60' };
/** A machine of user `uid`; `slept` has what its processes slept, in milliseconds. */
function aMachine(uid = 0) {
  const image = pull('busybox:1.35', false);
  if ('error' in image) throw new Error(image.error);
  let text = '';
  const slept: number[] = [];
  let kills = 0;
  const machine: Machine = {
    files: new Files(image.image.executables),
    environment: { PATH: '/bin', NAME: 'podmend' },
    workingDirectory: '/',
    uid,
    hostname: 'app-1',
    network: {
      lookup: (name) => ADDRESSES[name],
      get: (address, port, path) => {
        if (address === '10.96.0.60') return 'timeout';
        if (port !== 80) return 'refused';
        const status = path === '/missing' ? 404 : path === '/bad' ? 400 : path === '/moved' ? 399 : 200;
        return { status, body: status < 400 ? `page ${path} of ${address}\n` : status === 404 ? 'Not Found\n' : 'Bad Request\n' };
      },
    },
    memoryLimit: 16 * 2 ** 20,
    now: () => new Date('2030-01-01T00:00:00.900Z'),
    sleep: (ms) => (Number.isFinite(ms) ? Promise.resolve(void slept.push(ms)) : new Promise(() => undefined)),
    log: (more) => (text += more),
    onOutOfMemory: () => (kills += 1),
    onTerminate: undefined,
    listeners: new Map(),
  };
  return { machine, slept, written: () => text, kills: () => kills };
}

const NO_SUCH = 'No such file or directory';
const NS = 'Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n';
/** `[script, exit code, output, what it sleeps in seconds]` */
const SCRIPTS: [string, number, string, number[]?][] = [
  // Network.
  ['nslookup web', 0, `${NS}Name:\tweb\nAddress: 10.96.0.50\n\n`],
  ['nslookup none', 1, `${NS}** server can't find none: NXDOMAIN\n\n** server can't find none: NXDOMAIN\n\n`],
  ['wget -q -O- http://web/a', 0, 'page /a of 10.96.0.50\n'],
  ['wget -qO- web', 0, 'page / of 10.96.0.50\n'],
  ['wget -O - web:80/a', 0, 'Connecting to web:80 (10.96.0.50:80)\npage /a of 10.96.0.50\n'],
  ['wget -q web', 0, ''],
  ['wget -q -O- http://web/missing', 1, 'wget: server returned error: HTTP/1.1 404 Not Found\n'],
  ['wget -q -O- http://web/bad', 1, 'wget: server returned error: HTTP/1.1 400 Bad Request\n'],
  ['wget -q -O- http://web/moved', 0, 'page /moved of 10.96.0.50\n'],
  ['wget http://web:81/', 1, "Connecting to web:81 (10.96.0.50:81)\nwget: can't connect to remote host (10.96.0.50): Connection refused\n"],
  ['wget -q -O- localhost', 0, 'page / of 127.0.0.1\n'],
  ['wget -q -O- 10.96.0.50', 0, 'page / of 10.96.0.50\n'],
  ['wget -q -T 3 slow.shop', 1, 'wget: download timed out\n', [3]],
  ['wget -q slow.shop', 1, 'wget: download timed out\n', [900]],
  ['nc -z -w 1 web 80', 0, ''],
  ['nc -z 10.96.0.50 81', 1, "nc: can't connect to remote host (10.96.0.50): Connection refused\n"],
  ['nc slow.shop 80', 1, "nc: can't connect to remote host (10.96.0.60): Connection timed out\n"],
  ['nc none 80', 1, "nc: bad address 'none'\n"],
  // Processes and the machine.
  ['sleep 2 1s; sleep 1m; sleep 2h; sleep 1d; sleep .5', 0, '', [3, 60, 7200, 86_400, 0.5]],
  ['date +%s', 0, '1893456000\n'],
  ['date', 0, 'Tue, 01 Jan 2030 00:00:00 GMT\n'],
  ['hostname; whoami; id -u; id', 0, 'app-1\nroot\n0\nuid=0 gid=0\n'],
  ['cd /tmp; pwd', 0, '/tmp\n'],
  ['env', 0, 'PATH=/bin\nNAME=podmend\n'],
  ['env A=1=2 B=', 0, 'PATH=/bin\nNAME=podmend\nA=1=2\nB=\n'],
  ['env A=x sh -c \'echo "$A $NAME"\'', 0, 'x podmend\n'],
  ['true; echo $?; /bin/false; echo $?', 0, '0\n1\n'],
  ['sh -c \'echo "$0 $1 $#"\' me you', 0, 'me you 1\n'],
  ['sh -c \'echo "$0"\'', 0, 'sh\n'],
  ["sh -ec 'false; echo no'", 1, ''],
  ["sh -uc 'echo $NONE'", 2, 'sh: NONE: parameter not set\n'],
  ["ash -c 'echo a'", 0, 'a\n'],
  ['echo "echo piped" | sh', 0, 'piped\n'],
  ['echo \'echo "$0 $1"\' > /tmp/s; sh /tmp/s a', 0, '/tmp/s a\n'],
  ['sh /tmp/none', 2, `sh: can't open '/tmp/none': ${NO_SUCH}\n`],
  ["printf '#!/bin/sh\\necho run $1\\n' > /tmp/s; chmod +x /tmp/s; /tmp/s it", 0, 'run it\n'],
  ['chmod +x /tmp/none', 1, `chmod: /tmp/none: ${NO_SUCH}\n`],
  ['busybox echo a b; busybox none', 127, 'a b\nnone: applet not found\n'],
  ['kill 1; echo on', 0, 'on\n'],
  ['kill 7', 143, ''],
  ['kill -9 7', 137, ''],
  ['kill -KILL 7', 137, ''],
  ['kill -SIGTERM 7', 143, ''],
  ['[ -e /etc ] && test -d /etc && [ -r /etc/passwd ] && [ -w /etc/passwd ] && echo yes', 0, 'yes\n'],
  ['[ -q /etc ]', 2, 'sh: -q: unknown operand\n'],
  ['[ a b c ]', 2, 'sh: a: unknown operand\n'],
  ['[ a == a ] && [ " 3 " -eq 3 ] && [ -1 -lt +1 ] && echo yes', 0, 'yes\n'],
  // Files.
  ['mkdir /tmp/a; mkdir /tmp/a', 1, "mkdir: can't create directory '/tmp/a': File exists\n"],
  ['mkdir -p /tmp/a/b /tmp/a; ls /tmp/a; echo $?', 0, 'b\n0\n'],
  ['touch /tmp/x /tmp/y; echo 1 > /tmp/x; touch /tmp/x; cat /tmp/x', 0, '1\n'],
  ['touch /none/x', 1, `touch: /none/x: ${NO_SUCH}\n`],
  ['rm -f /none; rm -rf /tmp/none; echo $?', 0, '0\n'],
  ['mkdir /tmp/d; touch /tmp/d/f; rm -r /tmp/d; ls /tmp', 0, ''],
  ['cd /tmp; touch b a; ls; ls a', 0, 'a\nb\na\n'],
  ['ls -la /tmp/none /tmp', 1, `ls: /tmp/none: ${NO_SUCH}\n`],
  ['cp /none /tmp', 1, `cp: can't stat '/none': ${NO_SUCH}\n`],
  ['mv /none /tmp', 1, `mv: can't rename '/none': ${NO_SUCH}\n`],
  ['echo a > /tmp/x; cp /tmp/x /none/y', 1, `cp: can't create '/none/y': ${NO_SUCH}\n`],
  ['echo a > /tmp/x; mv -f /tmp/x /tmp/y; cat /tmp/y; ls /tmp', 0, 'a\ny\n'],
  ['dd if=/none of=/dev/null', 1, `dd: can't open '/none': ${NO_SUCH}\n`],
  ['dd if=/dev/zero of=/none/x count=1', 1, `dd: can't open '/none/x': ${NO_SUCH}\n`],
  ['echo x | dd of=/tmp/x', 0, '1+0 records in\n1+0 records out\n'],
  // Memory.
  ['dd if=/dev/zero of=/dev/null bs=16M count=1', 0, '1+0 records in\n1+0 records out\n'],
  ['dd if=/dev/zero of=/dev/null bs=16777217 count=1', 137, '', [0.7]],
  ['head -c 2 /dev/zero', 0, '\0\0'],
  // Text.
  ["echo -e 'a\\tb\\\\\\x'; echo -en '\\0101'; echo -E 'a\\tb'", 0, 'a\tb\\\\x\nAa\\tb\n'],
  ["printf '%s|%3d|%-3d|%x|%%\\n' a 7 7 255", 0, 'a|  7|7  |ff|%\n'],
  ["printf '%s %d\\n' a 1 b 2", 0, 'a 1\nb 2\n'],
  ["printf '%s-%d\\n'", 0, '-0\n'],
  ['seq 2 | cat; seq 3 4', 0, '1\n2\n3\n4\n'],
  ['seq 20 | head | tail -n 1; seq 20 | tail | head -n 1; seq 3 | head -n1; seq 3 | tail -n 2', 0, '10\n11\n1\n2\n3\n'],
  ['head /none', 1, `head: /none: ${NO_SUCH}\n`],
  ['tail /none', 1, `tail: can't open '/none': ${NO_SUCH}\ntail: no files\n`],
  ['cat /none /etc', 1, `cat: can't open '/none': ${NO_SUCH}\ncat: read error: Is a directory\n`],
  ["printf 'a\\nb' | grep -c ''; printf 'a.c\\nabc\\n' | grep 'a.c' | wc -l; printf 'a.c\\nabc\\n' | grep -F a.c", 0, '2\n2\na.c\n'],
  ["printf 'A\\nb\\n' | grep -iv a; printf 'a\\n' | grep -q a; echo $?; printf 'a\\n' | grep b; echo $?", 0, 'b\n0\n1\n'],
  ["printf 'é b\\n' | wc -m; printf 'é b\\n' | wc -c; printf 'é b\\n' | wc -w", 0, '4\n5\n2\n'],
  // Builtins.
  ['export A=1 B; A=2 sh -c \'echo "$A"\'; sh -c \'echo "$A"\'', 0, '2\n1\n'],
  ['A=1; sh -c \'echo "<$A>"\'; export A; sh -c \'echo "<$A>"\'', 0, '<>\n<1>\n'],
  ['readonly A=1; f() { local A=2; echo $A; }; f; unset A; echo "<$A>"', 0, '2\n<>\n'],
  ['set -- ; f() { shift; echo "$1 $#"; shift 2; echo "<$1>"; }; f a b c d', 0, 'b 3\n<d>\n'],
  [
    'echo "A=7" > /tmp/v; . /tmp/v; echo $A; source /tmp/v; . /tmp/none; echo no',
    2,
    `7\nsh: .: line 0: can't open '/tmp/none': ${NO_SUCH}\n`,
  ],
  ['eval "echo a;" echo b', 0, 'a\nb\n'],
  ['exec echo last; echo no', 0, 'last\n'],
  ['exit 257', 1, ''],
  ['false; exit', 1, ''],
  ['cd; pwd; HOME=/tmp; cd; pwd', 0, '/\n/tmp\n'],
  ['set -e; set +e; false; echo on', 0, 'on\n'],
  ['wait; echo done', 0, 'done\n', [0.01]],
];
for (const [script, exitCode, output, seconds = []] of SCRIPTS)
  applets(script, async () => {
    const { machine, written, slept } = aMachine();
    assert.is(await startProcess(machine, ['sh', '-c', script]).done, exitCode, written());
    assert.is(written(), output);
    assert.equal(
      slept,
      seconds.map((one) => one * 1000),
    );
  });

applets('another user', async () => {
  const { machine, written } = aMachine(1000);
  assert.is(await startProcess(machine, ['sh', '-c', 'whoami; id -u; id; touch /x']).done, 1);
  assert.is(written(), 'nobody\n1000\nuid=1000 gid=1000\ntouch: /x: Permission denied\n');
});

applets('a program that takes too much memory is killed, and the kubelet is told', async () => {
  for (const script of ['dd if=/dev/zero of=/dev/null bs=1G count=1', 'tail /dev/zero']) {
    const { machine, kills } = aMachine();
    assert.equal([await startProcess(machine, ['sh', '-c', script]).done, kills()], [137, 1]);
  }
});

applets('amounts of memory as dd reads them', () =>
  assert.equal(['7', '7c', '2w', '1b', '1k', '1K', '1M', '1G', 'x'].map(bytesOf), [7, 7, 4, 512, 1024, 1024, 2 ** 20, 2 ** 30, 0]),
);

applets('what dd and files write counts as storage', async () => {
  const { machine } = aMachine();
  const before = machine.files.usedBytes();
  await startProcess(machine, ['dd', 'if=/dev/zero', 'of=/tmp/x', 'bs=1M', 'count=3']).done;
  assert.is(machine.files.usedBytes() - before, 3 * 2 ** 20);
  await startProcess(machine, ['dd', 'if=/dev/zero', 'of=/tmp/x', 'count=2']).done;
  assert.is(machine.files.usedBytes() - before, 1024);
});

applets('the server of the image web:1', async () => {
  const { machine, written } = aMachine();
  const process = startProcess(machine, ['/web', '127.0.0.1:8080']);
  const answer = machine.listeners.get(8080)!;
  assert.equal(
    ['/', '/status/503', '/status/404/x', '/status/299'].map((path) => answer(path)),
    [
      { status: 200, body: 'OK\n' },
      { status: 503, body: 'Service Unavailable\n' },
      { status: 404, body: 'Not Found\n' },
      { status: 299, body: '\n' },
    ],
  );
  assert.equal(written().split('\n').slice(0, 3), [
    '2030/01/01 00:00:00 listening on 127.0.0.1:8080',
    '2030/01/01 00:00:00 GET / 200',
    '2030/01/01 00:00:00 GET /status/503 503',
  ]);
  process.signal('TERM');
  assert.is(await process.done, 2, 'a Go program that receives SIGTERM');
  const usual = aMachine();
  const killed = startProcess(usual.machine, ['web']);
  assert.equal([...usual.machine.listeners.keys()], [80]);
  killed.signal('KILL');
  assert.is(await killed.done, 137);
});

applets('a command beside the first process has its own output', async () => {
  const { machine, written } = aMachine();
  assert.equal(await runCommand(machine, ['sh', '-c', 'echo out; echo err >&2; exit 3']), { exitCode: 3, output: 'out\nerr\n' });
  assert.equal(await runCommand(machine, ['hostname']), { exitCode: 0, output: 'app-1\n' });
  assert.is(written(), '');
});

applets.run();
