import { isDeepStrictEqual } from 'node:util';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { failingCases } from '../../src/failures/detect/recording.ts';
import { recordingOf as documentedRecording } from '../support/expected/documented/documented.ts';
import { isBest } from '../support/expected/documented/cures/cure.ts';
import { CURES } from '../support/expected/documented/cures/list.ts';
import { SETS } from '../support/expected/documented/list.ts';
import { PROGRAM_LOGS } from '../support/expected/documented/logs.ts';
import { CAPTURED, changesOf, recordingOf } from '../support/expected/captures.ts';
import { caseOfRow, WRITTEN } from '../support/expected/cases.ts';
import { caseOfLog, LOGS } from '../support/expected/logs.ts';
import { detectedIn, KIND_ROWS } from '../support/expected/kinds.ts';
import { judge, type Judgement, scenario, scenarioNames } from '../support/expected/scenarios.ts';
import { type Bench, table } from './bench.ts';

export const name = 'accuracy';

/** Which parts of an answer are right. Undefined: the case does not expect that part. Healthy cases have only `alarm`: a false alarm. */
interface Verdict {
  case: string;
  reason?: boolean;
  culprit?: boolean;
  correction?: boolean;
  alarm?: boolean;
}

const COLUMNS = ['reason', 'culprit', 'correction'] as const;

/** How often the rules alone are right (no model), over all cases for which the tests know the right answer. */
export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  const scenarios = scenarioNames.map((name) => judge(scenario(name)));
  const sets: [string, Verdict[]][] = [
    ['recordings of a real node', CAPTURED.filter(([folder]) => folder === 'captures').map(ofCapture)],
    ['recordings of our own', CAPTURED.filter(([folder]) => folder === 'captures-own').map(ofCapture)],
    ['cases written down', writtenCases()],
    ['lines of logs', lines()],
    ['logs of many lines', programLogs()],
    ['from the documentation', documented(SETS.pages)],
    ['what kubelets and drivers say', documented(SETS.messages)],
    ['other clusters and software', documented(SETS.elsewhere)],
    ['kinds of failure and health', kinds()],
    ['whole corrections', cures()],
    ['scenarios on a real node', scenarios.map(({ cases: _cases, diagnosis: _diagnosis, ...verdict }) => verdict)],
  ];
  out(
    [
      'Without a model. The expectations are those of the tests; most grew with the rules and show what broke. The following sets stood before anybody ran a rule on them, and this is how often the rules were right then:',
      `- from the documentation: 122 of ${failing(SETS.pages)} in everything, no false alarm in ${SETS.pages.length - failing(SETS.pages)} healthy pods;`,
      '- logs of many lines: 46 of 65;',
      `- other clusters and software, whose author had not read the signatures: the reason in all ${failing(SETS.elsewhere)}, the culprit in 82 of them (one of the misses was a fault of the case), no false alarm in ${SETS.elsewhere.length - failing(SETS.elsewhere)} healthy ones.`,
      '- scenarios on a real node: of 177 that fail 173 were detected; of these 163 culprits and, of 130 with a cure, 104 corrections were right (faults of the cases themselves mended); no false alarm in 41 healthy ones. Their author had read the parts that try a correction on paper, and no rule.',
      '- more scenarios by somebody who had read nothing of the rules or of these: of 97 that fail 94 were detected; 86 culprits and, of 73 with a cure, 38 corrections were right (faults of the cases themselves mended); of 42 that were applied 33 cured; 2 false alarms in 18 healthy ones. Those that were wrong are added as they are mended.',
      '- everyday failures by a stranger: of 18 all were detected; 17 culprits and, of 18 with a cure, 17 corrections were right; 17 of 18 cured.',
      '- failures by two strangers who were asked for twists that mislead a shallow tool and for mistakes that are not the classics: of 36 all were detected; 20 culprits and, of 31 with a cure, 12 corrections were right; no false alarm in 10 healthy ones. Those that were wrong are added as they are mended.',
      '- faults of the platform and of programs by two more strangers, on a real node: of 74 that fail 72 were detected; 65 culprits and, of 70 with a cure, 49 corrections were right (faults of the cases themselves left out); no false alarm in 12 healthy ones.',
      '- crashes as two strangers wrote them down, of services in fifteen languages and of programs that run as they come: of 90 the culprit was right in 63 and, of 87 with a cure, the correction in 37; of 33 that were called likely 30 were right.',
      '- faults of the platform and of programs by six more strangers, on a real node: of 148 that fail 147 were detected; 137 culprits and, of 137 with a cure, 101 corrections were right (faults of the cases themselves mended); of 100 that were called likely 90 were right; no false alarm in 27 healthy ones.',
      '- crashes as four more strangers wrote them down: of 170 the culprit was right in 136 and, of 161 with a cure, the correction in 85.',
      '- crashes as two further strangers wrote them down, after those were mended: of 72 the culprit was right in 64 and, of 62 with a cure, the correction in 39; of 34 that were called likely 33 were right.',
      '- failures by one more stranger, on a real node: all of 25 were detected; 22 culprits and, of 22 with a cure, 15 corrections were right; 14 of 14 that were called likely; no false alarm in 4 healthy ones.',
      '- crashes as two more strangers wrote them down: of 88 the culprit was right in 76 and, of 82 with a cure, the correction in 51; of 44 that were called likely 39 were right.',
      '- crashes as four further strangers wrote them down: of 84 the culprit was right in 71 and, of 78 with a cure, the correction in 43; and incidents of teams by one more, on a real node: of 20 that fail all were detected; 18 culprits and 17 corrections were right; no false alarm in 4 healthy ones.',
      '- crashes as two more strangers wrote them down: of 52 the culprit was right in 44 and, of 49 with a cure, the correction in 33; and incidents of teams by two more, on a real node: of 41 that fail 39 were detected; 39 culprits and, of 39 with a cure, 34 corrections were right; no false alarm in 7 healthy ones.',
      '- crashes as two further strangers wrote them down, after that: of 52 the culprit was right in 43 and, of 48 with a cure, the correction in 26; and incidents by one more, on a real node: of 20 that fail all were detected; 20 culprits and, of 19 with a cure, 17 corrections were right; no false alarm in 4 healthy ones.',
      '- incidents and exercises by two further ones, on a real node: of 40 that fail 39 were detected; 36 culprits and, of 37 with a cure, 27 corrections were right; of 27 that were called likely 24 were right; no false alarm in 8 healthy ones.',
      '- ordinary crashes as one more wrote them down, after that: of 18 the culprit was right in 16 and the correction in 15.',
      '- after those: crashes as five more strangers wrote them down: of 132 the culprit was right in 116 and, of 122 with a cure, the correction in 97; of 77 that were called likely 75 were right; and faults on a real node by four more: all of 69 were detected; 64 culprits and, of 64 with a cure, 58 corrections were right (faults of the cases themselves mended); no false alarm in 13 healthy ones.',
      '- after those, workloads as people meet them, nearly all with one fault, by five strangers: of 135, on a real node and on paper, 132 were detected; 119 culprits and, of 121 with a cure, 89 corrections were right; two false alarms in 24 healthy ones.',
      '- and by four more, after that: of 93 all were detected; 88 culprits and, of 81 with a cure, 71 corrections were right; of 65 that were called likely 61 were right; one false alarm in 15 healthy ones.',
      '- after that: faults by two strangers, on a real node: all of 51 were detected; 49 culprits and, of 49 with a cure, 46 corrections were right; of 45 that were called likely 44 were right; no false alarm in 9 healthy ones; and failures of data platforms as one more wrote them down: of 29 the culprit was right in 24 and, of 26 with a cure, the correction in 20; all of 14 that were called likely.',
      '- and by two more after that, on a real node: of 38 all were detected, with all culprits; of 36 with a cure 32 corrections were right, and all of 29 that were called likely; one false alarm in 7 healthy ones.',
      '- and crashes as one more wrote them down, after that: of 26 that fail 25 were detected; 21 culprits and, of 22 with a cure, 19 corrections were right, and all of 15 that were called likely.',
      '- after that: workloads by two strangers, on a real node: all of 54 were detected; 53 culprits and, of 51 with a cure, 46 corrections were right; of 44 that were called likely 42 were right; no false alarm in 10 healthy ones (faults of the cases themselves mended).',
      '- and failures as four more wrote them down, after that: all of 102 were detected; 91 culprits and, of 93 with a cure, 79 corrections were right; of 68 that were called likely 67 were right; no false alarm in 13 healthy ones.',
      '- and as one more wrote them down after that, an exam of plain slips: all of 17 were detected, with all culprits; 15 corrections were right; of 14 that were called likely 13 were right; no false alarm in 3 healthy ones.',
      '- after that: workloads by five strangers, on a real node: of 120 that fail 119 were detected; 112 culprits and, of 110 with a cure, 100 corrections were right; of 89 that were called likely 88 were right; no false alarm in 20 healthy ones (faults of the cases themselves mended).',
      '- and failures as five more wrote them down: all of 120 were detected; 111 culprits and, of 104 with a cure, 93 corrections were right; of 82 that were called likely 76 were right; no false alarm in 15 healthy ones.',
      '- and by two more after those, on a real node: of 30 that fail 29 were detected, with their culprits; of 27 with a cure 25 corrections were right; of 23 that were called likely 22 were right; no false alarm in 4 healthy ones.',
      '- and as one more wrote them down after that: all of 24 were detected, with all culprits; of 21 with a cure 20 corrections were right, and all of 18 that were called likely; no false alarm in 3 healthy ones.',
      '',
    ].join('\n'),
  );
  const rows = [...sets, ['all', sets.flatMap(([, verdicts]) => verdicts)] as const].map(([what, verdicts]) => [
    what,
    verdicts.length,
    ...COLUMNS.map((column) => score(verdicts.flatMap((verdict) => verdict[column] ?? []))),
    score(verdicts.flatMap(({ alarm }) => (alarm === undefined ? [] : !alarm))),
  ]);
  out(table(['', 'cases', ...COLUMNS, 'healthy and left alone'], rows));
  out('\nWhole corrections by the confidence of the first one:\n');
  out(table(['', 'cases', 'right'], byConfidence(scenarios)));
  const wrong = sets
    .flatMap(([, verdicts]) => verdicts)
    .filter((verdict) => verdict.alarm || COLUMNS.some((column) => verdict[column] === false));
  for (const verdict of wrong) out(`wrong: ${JSON.stringify(verdict)}`);
}

function ofCapture([folder, capture, expected]: (typeof CAPTURED)[number]): Verdict {
  const cases = failingCases(recordingOf(capture, folder));
  if (expected === 'healthy') return { case: capture, alarm: cases.length > 0 };
  const reasons = cases.map(({ reason }) => reason);
  const diagnoses = cases.map(diagnose);
  return {
    case: capture,
    reason: isDeepStrictEqual(reasons, [expected.reason].flat()),
    culprit: cases.length > 0 && diagnoses.every(({ culprit }) => expected.culprit.test(culprit ?? '')),
    correction: cases.length > 0 && diagnoses.every((diagnosis) => isDeepStrictEqual(changesOf(diagnosis), expected.best)),
  };
}

/** These cases give the reason, so it is not counted. */
function writtenCases(): Verdict[] {
  return Object.entries(WRITTEN).map(([sentence, row]) => {
    const diagnosis = diagnose(caseOfRow(row));
    const { culprit } = diagnosis;
    return {
      case: sentence,
      culprit: typeof row.culprit === 'string' ? culprit === row.culprit : row.culprit.test(culprit ?? ''),
      correction: isDeepStrictEqual(changesOf(diagnosis), row.best ?? null),
    };
  });
}

function lines(): Verdict[] {
  return LOGS.map(([says, culprit]) => ({ case: says, culprit: diagnose(caseOfLog(says)).culprit === culprit }));
}

function programLogs(): Verdict[] {
  return Object.entries(PROGRAM_LOGS).map(([sentence, [log, culprit]]) => ({
    case: sentence,
    culprit: culprit.test(diagnose(caseOfLog(log)).culprit ?? ''),
  }));
}

function failing(rows: typeof SETS.pages): number {
  return rows.filter(([, { is }]) => is !== 'healthy').length;
}

function documented(rows: typeof SETS.pages): Verdict[] {
  return rows.map(([sentence, row]) => {
    const [subject, ...more] = failingCases(documentedRecording(row));
    if (row.is === 'healthy') return { case: sentence, alarm: subject !== undefined };
    const { reason, culprit, fix } = row.is;
    const diagnosis = subject && diagnose(subject);
    const paths = diagnosis?.corrections[0]?.changes.map(({ path }) => path) ?? null;
    return {
      case: sentence,
      reason: subject?.reason === reason && more.length === 0,
      culprit: culprit.test(diagnosis?.culprit ?? ''),
      ...(fix === undefined ? {} : { correction: isDeepStrictEqual(paths, fix) }),
    };
  });
}

/** A correction is right only if all its changes are. */
function cures(): Verdict[] {
  return CURES.map(([sentence, row]) => {
    const [subject, ...more] = failingCases(documentedRecording(row));
    if (row.is === 'healthy') return { case: sentence, alarm: subject !== undefined };
    const diagnosis = subject && diagnose(subject);
    return {
      case: sentence,
      reason: subject?.reason === row.is.reason && more.length === 0,
      culprit: row.is.culprit.test(diagnosis?.culprit ?? ''),
      correction: diagnosis !== undefined && isBest(diagnosis, row.is.best),
    };
  });
}

function byConfidence(scenarios: Judgement[]): (string | number)[][] {
  const written = CURES.flatMap(([, row]) => {
    const [subject] = row.is === 'healthy' ? [] : failingCases(documentedRecording(row));
    const diagnosis = subject && diagnose(subject);
    const [first] = diagnosis?.corrections ?? [];
    return diagnosis && first && row.is !== 'healthy' ? [{ confidence: first.confidence, isRight: isBest(diagnosis, row.is.best) }] : [];
  });
  const ran = scenarios.flatMap(({ diagnosis, correction }) => {
    const [first] = diagnosis?.corrections ?? [];
    return first && correction !== undefined ? [{ confidence: first.confidence, isRight: correction }] : [];
  });
  const firsts = [...written, ...ran];
  return (['certain', 'likely', 'guess'] as const).map((confidence) => {
    const own = firsts.filter((one) => one.confidence === confidence);
    return [confidence, own.length, score(own.map(({ isRight }) => isRight))];
  });
}

/** Only the label counts. */
function kinds(): Verdict[] {
  return Object.entries(KIND_ROWS).map(([sentence, row]) => {
    const found = detectedIn(row);
    return row.is === 'no failure'
      ? { case: sentence, alarm: found !== undefined }
      : { case: sentence, reason: found?.reason === row.is[0] };
  });
}

function score(right: boolean[]): string {
  if (right.length === 0) return '';
  const hits = right.filter(Boolean).length;
  return `${hits} of ${right.length} (${((100 * hits) / right.length).toFixed(1)} %)`;
}
