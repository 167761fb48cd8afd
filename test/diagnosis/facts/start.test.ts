import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readStart } from '../../../src/diagnosis/facts/start.ts';

const start = suite('facts about the start of a process');

const CASES: [sentence: string, reason: string, text: string, cause: string | undefined, subject?: string][] = [
  ['a runtime says it, whatever the reason', 'Failed', 'OCI runtime create failed: exec: "a": permission denied', 'not-executable', 'a'],
  ['the reason says it', 'StartError', 'exec /server: exec format error', 'exec-format', '/server'],
  ['words of a runtime under another reason, without its name', 'BackOff', 'exec format error', undefined],
  ['a reason of a start without a text', 'StartError', '', undefined],
  ['a reason of a start with an unknown text', 'StartError', 'the flux is not aligned', 'other'],
  ['a hook of a container that has started', 'FailedPostStartHook', 'OCI runtime exec failed: exec: "a": permission denied', undefined],
];
for (const [sentence, reason, text, cause, subject] of CASES)
  start(sentence, () =>
    assert.equal(
      readStart({ from: 'event', reason, text, container: 'app' }).map((fact) => [fact.cause, fact.subject]),
      cause ? [[cause, subject ?? null]] : [],
    ),
  );

start.run();
