import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { caseOfProgram, PROGRAM_ENDS } from '../../support/expected/programs.ts';

const programs = suite('how programs end');
/** The longest culprit: a name, with the program's words about it. */
const MOST = 220;

for (const end of PROGRAM_ENDS)
  programs(end.program, () => {
    const { culprit, summary, corrections } = diagnose(caseOfProgram(end));
    assert.ok(culprit?.includes(end.culprit), `${culprit}`);
    assert.not.match(culprit ?? '', /^\d{4}-|\bERROR\b (?!\d)/);
    assert.ok((culprit ?? '').length < MOST, culprit ?? '');
    if (end.because) assert.match(summary, end.because);
    if (!end.cure) return;
    const changes = corrections[0]?.changes ?? [];
    assert.equal(Object.fromEntries(changes.map(({ path, to }) => [path.replace('spec.containers[0].', ''), to])), end.cure);
  });

programs.run();
