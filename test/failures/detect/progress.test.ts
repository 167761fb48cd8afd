import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isProgress, saysWarmingUp } from '../../../src/failures/detect/progress.ts';

const progress = suite('an init container whose log moves on');

const ROWS: Record<string, [log: string, is: boolean]> = {
  'a count that grows': ['migrated 1 of 9\nmigrated 2 of 9\nmigrated 3 of 9\n', true],
  'file after file': ['copying a\ncopying b\ncopying c\ncopying d\n', true],
  'the same line again and again': ['applying\napplying\napplying\n', false],
  'the same line with a time before it': [
    '2026-01-01T00:00:01Z ping db\n2026-01-01T00:00:02Z ping db\n2026-01-01T00:00:03Z ping db\n',
    false,
  ],
  'different lines that wait': ['waiting for db 1\nwaiting for db 2\nwaiting for db 3\n', false],
  'attempts that fail': ['try 1: connection refused\ntry 2: connection refused\ntry 3: connection refused\n', false],
  'too few lines': ['starting\nloading\n', false],
  nothing: ['', false],
  'a shipper of logs that has started': ['version=2.2\ninput: initializing\n[ info] [sp] stream processor started\n', false],
  'an agent that has started, and what it did since': ['==> Vault Agent started!\n[INFO] token sent\n[INFO] rendered a\n', false],
  'an application that has started': ['profile: default\npool: 10\nStarted Shop in 4.2 seconds\n', false],
  'a step of a migration that has started': ['step 1 done\nstep 2 done\nstep 3 started\n', true],
  'a wait that is long over': [`waiting for db\n${Array.from({ length: 20 }, (_, at) => `table ${at}`).join('\n')}\n`, true],
};

for (const [sentence, [log, is]] of Object.entries(ROWS)) progress(sentence, () => assert.is(isProgress(log), is));

for (const [line, is] of [
  ['INFO starting, preloading 45 tables', true],
  ['warming up the cache', true],
  ['loading failed, retrying', false],
  ['listening on :8080', false],
  ['', false],
] as const)
  progress(`a program that prepares itself: ${line}`, () => assert.is(saysWarmingUp(`first\n${line}\n`), is));

progress.run();
