import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDiagnosis, OfferedCorrection } from '../../src/contract/diagnosis.ts';
import type { FailureStatus, Trial } from '../../src/contract/failure.ts';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import { headlineOf, isWatched, offeredOf, preferred, stageOf, type Started } from '../../src/dashboard/incident/stage.ts';
import { type Command, matching } from '../../src/dashboard/shell/commands.ts';
import { KEYS } from '../../src/dashboard/shell/shortcuts.ts';

// The next step for an incident, and what the command palette finds.

const aTrial = (mirror_id: string, verdict: string | null, over: Partial<Trial> = {}): Trial =>
  ({ mirror_id, verdict, strength: 'Strong', final: false, started_at: '2026-05-01T10:00:00Z', ...over }) as Trial;
const aMirror = (mirror_id: string, over: Partial<MirrorRecord> = {}): MirrorRecord =>
  ({ mirror_id, verdict: null, evidence: null, final: false, status: 'Running', ...over }) as MirrorRecord;
const correction = (title: string, tried: string | null = null, mirrorable = true): OfferedCorrection =>
  ({ title, tried, mirrorable }) as OfferedCorrection;
const diagnosis = (...candidates: OfferedCorrection[]): FailureDiagnosis => ({ preview: { candidates } }) as FailureDiagnosis;

interface World {
  corrections: OfferedCorrection[];
  trials?: Trial[];
  mirrors?: MirrorRecord[];
  started?: Started;
}
const offered = ({ corrections, trials = [], mirrors = [], started }: World) =>
  offeredOf(diagnosis(...corrections), { trials }, { mirrors, started });

const stages = suite('stages of an incident');

for (const [sentence, world, expected] of [
  ['one that nobody tried has no trial', { corrections: [correction('A')] }, [undefined]],
  [
    'each has the trial of the mirror that tried it',
    { corrections: [correction('A', 'm1'), correction('B', 'm2')], trials: [aTrial('m2', 'Fixed'), aTrial('m1', 'StillFailing')] },
    ['StillFailing', 'Fixed'],
  ],
  [
    'what a mirror shows counts while its trial has no verdict',
    { corrections: [correction('A', 'm1')], trials: [aTrial('m1', null)], mirrors: [aMirror('m1', { verdict: 'Fixed' })] },
    ['Fixed'],
  ],
  [
    'a verdict in the record counts before that of the mirror',
    { corrections: [correction('A', 'm1')], trials: [aTrial('m1', 'StillFailing')], mirrors: [aMirror('m1', { verdict: 'Fixed' })] },
    ['StillFailing'],
  ],
  [
    'a mirror that this window started counts before the record names it',
    {
      corrections: [correction('A', 'old'), correction('B')],
      trials: [aTrial('old', 'StillFailing')],
      mirrors: [aMirror('m1', { verdict: 'Fixed' })],
      started: { title: 'A', mirrorId: 'm1' },
    },
    ['Fixed', undefined],
  ],
  ['a trial of a mirror that is not known any more is none', { corrections: [correction('A', 'gone')] }, [undefined]],
  ['no corrections are none', { corrections: [] }, []],
] as [string, World, (string | undefined)[]][])
  stages(sentence, () => {
    const all = offered(world);
    assert.equal(
      all.map(({ trial }) => trial?.verdict),
      expected,
    );
    assert.equal(
      all.map(({ index }) => index),
      expected.map((_, index) => index),
    );
  });

for (const [sentence, world, index] of [
  ['the first', { corrections: [correction('A'), correction('B')] }, 0],
  ['a proven one before the first', { corrections: [correction('A'), correction('B', 'm1')], trials: [aTrial('m1', 'Fixed')] }, 1],
  [
    'the next after one that was refuted',
    { corrections: [correction('A', 'm1'), correction('B')], trials: [aTrial('m1', 'StillFailing')] },
    1,
  ],
  [
    'one that proved nothing can be tried again',
    { corrections: [correction('A', 'm1'), correction('B')], trials: [aTrial('m1', 'Inconclusive')] },
    0,
  ],
  [
    'one that a mirror can try comes before one that no mirror can try',
    { corrections: [correction('A', null, false), correction('B')] },
    1,
  ],
  ['the first where none can be tried', { corrections: [correction('A', null, false), correction('B', null, false)] }, 0],
  ['the first where all are refuted', { corrections: [correction('A', 'm1')], trials: [aTrial('m1', 'StillFailing')] }, 0],
  ['none is the first', { corrections: [] }, 0],
] as [string, World, number][])
  stages(`chosen until somebody chooses: ${sentence}`, () => assert.is(preferred(offered(world)), index));

for (const [sentence, mirror, expected] of [
  ['one that runs', {}, true],
  ['one that waits', { status: 'Pending' }, true],
  ['one with a verdict', { verdict: 'Inconclusive' }, false],
  ['one that ended without a verdict', { final: true }, false],
  ['one that was refused', { status: 'Rejected' }, false],
  ['one whose time is over', { status: 'Expired' }, false],
  ['one that could not run', { status: 'Failed' }, false],
] as [string, Partial<MirrorRecord>, boolean][])
  stages(`${sentence} is ${expected ? '' : 'not '}watched`, () => assert.is(isWatched(aMirror('m1', mirror)), expected));

for (const [sentence, world, areMirrorsOn, expected] of [
  ['without a correction there is nothing to do', { corrections: [] }, true, 'nothing'],
  ['a correction is tried', { corrections: [correction('A')] }, true, 'try'],
  ['without mirrors it is applied', { corrections: [correction('A')] }, false, 'take'],
  ['one that no mirror can try is applied', { corrections: [correction('A', null, false)] }, true, 'take'],
  ['a proven one is proven', { corrections: [correction('A', 'm1')], trials: [aTrial('m1', 'Fixed')] }, true, 'proven'],
  [
    'a proven one is proven without mirrors too',
    { corrections: [correction('A', 'm1')], trials: [aTrial('m1', 'Fixed')] },
    false,
    'proven',
  ],
  ['a refuted one can be tried again', { corrections: [correction('A', 'm1')], trials: [aTrial('m1', 'StillFailing')] }, true, 'try'],
  [
    'a mirror that runs comes before what is proven',
    { corrections: [correction('A', 'm1')], trials: [aTrial('m1', 'Fixed')], mirrors: [aMirror('m2')] },
    true,
    'watching',
  ],
  [
    'a mirror of a manifest of one’s own is watched where no correction is known',
    { corrections: [], mirrors: [aMirror('m2')] },
    true,
    'watching',
  ],
  [
    'a mirror that is judged is not watched',
    { corrections: [correction('A')], mirrors: [aMirror('m2', { verdict: 'Fixed' })] },
    true,
    'try',
  ],
] as [string, World, boolean, string][])
  stages(sentence, () => {
    const all = offered(world);
    assert.is(stageOf(all[preferred(all)], world.mirrors ?? [], areMirrorsOn).kind, expected);
  });

const LATER = '2026-05-01T11:00:00Z';
for (const [sentence, status, trials, corrections, isTrying, text] of [
  ['resolved before all', 'resolved', [aTrial('m', 'Fixed')], 1, true, 'Resolved'],
  ['a trial that runs', 'new', [aTrial('m', 'Fixed')], 1, true, 'A correction is being tried'],
  ['proven', 'new', [aTrial('m', 'Fixed')], 1, false, 'Fixed on a mirror'],
  ['proven, though not well', 'new', [aTrial('m', 'Fixed', { strength: 'Weak' })], 1, false, 'Fixed on a mirror, by weak evidence'],
  [
    'proven once is proven, whatever was tried since',
    'new',
    [aTrial('a', 'Fixed'), aTrial('b', 'StillFailing', { started_at: LATER })],
    1,
    false,
    'Fixed on a mirror',
  ],
  ['before the diagnosis is there', 'new', [], undefined, false, 'Failing'],
  ['no correction', 'investigating', [], 0, false, 'No change of the manifest helps'],
  [
    'the newest verdict, in whatever order they come',
    'new',
    [aTrial('b', 'Inconclusive', { started_at: LATER }), aTrial('a', 'StillFailing')],
    2,
    false,
    'What was tried proved nothing',
  ],
  [
    'a trial without a verdict says nothing',
    'new',
    [aTrial('b', null, { started_at: LATER }), aTrial('a', 'StillFailing')],
    2,
    false,
    'Still failing with what was tried',
  ],
  ['one correction', 'new', [], 1, false, 'Failing, a correction is known'],
  ['several corrections', 'ignored', [], 3, false, 'Failing, 3 corrections are known'],
] as [string, FailureStatus, Trial[], number | undefined, boolean, string][])
  stages(`the headline: ${sentence}`, () => {
    const known = corrections === undefined ? undefined : diagnosis(...Array.from({ length: corrections }, () => correction('A')));
    assert.is(headlineOf({ status, trials }, known, isTrying ? [aMirror('b')] : []).text, text);
  });

for (const [sentence, trials, verdict, text] of [
  ['a verdict that the record does not have yet', [aTrial('m', null)], 'Fixed', 'Fixed on a mirror'],
  ['one of a mirror that the record does not name yet', [], 'StillFailing', 'Still failing with what was tried'],
  ['one after an older one', [aTrial('older', 'StillFailing')], 'Inconclusive', 'What was tried proved nothing'],
  ['one that the record has', [aTrial('m', 'StillFailing')], 'StillFailing', 'Still failing with what was tried'],
] as const)
  stages(`the headline follows a mirror: ${sentence}`, () => {
    const mirror = aMirror('m', { verdict });
    assert.is(headlineOf({ status: 'new', trials: [...trials] }, diagnosis(correction('A')), [mirror]).text, text);
  });
stages.run();

const palette = suite('the palette');
const command = (name: string, hint?: string): Command => ({ id: name, name, ...(hint && { hint }), run: () => undefined });
const COMMANDS = [
  command('Incidents'),
  command('payments', 'shop · CrashLoopBackOff'),
  command('Dark colours'),
  command('Log out', 'a.b (c)'),
];
for (const [typed, names] of [
  ['', ['Incidents', 'payments', 'Dark colours', 'Log out']],
  ['  ', ['Incidents', 'payments', 'Dark colours', 'Log out']],
  ['INC', ['Incidents']],
  ['crash pay', ['payments']],
  [' shop\tpayments ', ['payments']],
  ['payments elsewhere', []],
  ['o', ['payments', 'Dark colours', 'Log out']],
  ['a.b (c)', ['Log out']],
  ['.*', []],
  ['x'.repeat(10_000), []],
] as const)
  palette(`${JSON.stringify(typed.slice(0, 20))} finds ${names.join(', ') || 'nothing'}`, () =>
    assert.equal(
      matching(COMMANDS, typed).map(({ name }) => name),
      names,
    ),
  );
palette('the help names each key once', () => assert.is(new Set(KEYS.map(([keys]) => keys.join('+'))).size, KEYS.length));
palette.run();
