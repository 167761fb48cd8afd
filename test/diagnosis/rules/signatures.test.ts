import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { SIGNATURES } from '../../../src/diagnosis/rules/signatures/list.ts';
import { aCase, crashed } from '../../support/builders/cases.ts';
import { caseOfLog, LOGS, TRACE } from '../../support/expected/logs.ts';

const signatures = suite('what logs say');

for (const [says, culprit] of LOGS)
  signatures(`${says.slice(0, 70).replaceAll('\n', ' ')} → ${culprit}`, () => {
    const diagnosis = diagnose(caseOfLog(says));
    assert.is(diagnosis.culprit, culprit);
    assert.match(diagnosis.evidence[0] ?? '', 'log of app (current)');
  });

const culpritOf = (logs: string) => diagnose(aCase({ status: crashed(), logs })).culprit;

signatures('the first error is the cause, not the last line', () => {
  assert.is(
    culpritOf('up\nERROR failed to load plugin auth: bad magic\nshutting down\nError: exit'),
    'failed to load plugin auth: bad magic',
  );
});

signatures('of two exceptions the first one, and its deepest cause', () => {
  assert.is(
    culpritOf(`${TRACE}ValueError: bad port "abc"\n\nDuring handling of the above exception\n${TRACE}RuntimeError: startup`),
    'ValueError: bad port "abc"',
  );
  const java =
    'Exception in thread "main" java.lang.RuntimeException: startup\n\tat x\nCaused by: java.lang.IllegalStateException: bad mode\n\tat y';
  assert.is(culpritOf(java), 'IllegalStateException: bad mode');
});

signatures('a problem that was over before the end is no cause', () => {
  assert.is(
    culpritOf('WARN connection refused at redis:6379, retrying\nconnected to redis\nFATAL: plan LITE unsupported'),
    'plan LITE unsupported',
  );
});

signatures('words of error in a healthy log are no cause', () => {
  const { culprit, summary } = diagnose(aCase({ status: crashed(3), logs: '0 errors\nno error found\nGET /errors 200\nall done' }));
  assert.is(culprit, 'all done');
  assert.match(summary, 'exit code 3');
});

signatures('the kubelet’s message in place of a log is no log', () => {
  assert.is(culpritOf('==> app (previous) <==\nunable to retrieve container logs for containerd://dff11d'), 'exit code 1');
});

signatures("another container's log is not looked at", () => {
  assert.is(culpritOf('==> proxy (current) <==\npanic: proxy\n==> app (current) <==\nFATAL: A_B is not set'), 'A_B');
});

signatures('ids are unique, hints are lower-case', () => {
  assert.is(new Set(SIGNATURES.map(({ id }) => id)).size, SIGNATURES.length);
  assert.ok(SIGNATURES.length >= 25);
  for (const { id, hints } of SIGNATURES) for (const hint of hints) assert.is(hint, hint.toLowerCase(), id);
});

signatures('no pattern is slow on a long line of its own words', () => {
  const words = [
    'a',
    'A_',
    '/a',
    'not found ',
    'host ',
    '.sh: ',
    ':1',
    ' at ',
    'A_B_ ',
    'missing ',
    '- ',
    'mkdir ',
    'error ',
    'https://',
    'a@',
    '"',
  ];
  for (const { id, hints, pattern } of SIGNATURES)
    for (const word of [...words, ...hints]) {
      const line = (hints[0] + word.repeat(1000)).slice(0, 1000);
      const times = [0, 1, 2].map(() => {
        const begun = performance.now();
        pattern.exec(line);
        return performance.now() - begun;
      });
      assert.ok(Math.min(...times) < 20, `${id} on ${JSON.stringify(word)}: ${Math.min(...times)} ms`);
    }
});

signatures.run();
