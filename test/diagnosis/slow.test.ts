import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatherFacts } from '../../src/diagnosis/facts/facts.ts';
import { SIGNATURES } from '../../src/diagnosis/rules/signatures/list.ts';
import { aCase, crashed } from '../support/builders/cases.ts';
import { DOCUMENTED } from '../support/expected/documented/list.ts';
import { PROGRAM_LOGS } from '../support/expected/documented/logs.ts';

/**
 * No input makes a regular expression slow. The tests assert no absolute times. They double a text and compare the two times:
 * a linear expression takes twice as long, a quadratic one four times. A larger ratio is a bug.
 */
const slow = suite('no expression can be made slow');

/** The largest allowed ratio: quadratic (4), with a margin for a busy machine. */
const GROWTH = 7;
/** The same for texts of unlimited length: linear (2), with a similar margin. */
const LINEAR = 3.5;
/** Signatures never get longer lines. */
const LINE = 1000;
/** The number of words tried of each pattern or message. Long runs (`SOAK`) try all. */
const WORDS = process.env['SOAK'] ? Infinity : 4;
/** Shorter CPU times are too inexact to compare. At these lengths, an expression that grows too fast takes seconds. */
const FLOOR_MS = 30;
const FILLERS = ['a', ' ', '/', '"', "'", '.', '-', '1', ':', '(', '\\', 'A_', '/a', '"a', 'a.', ' a', '[', '{', '=', '::', ', '];

const long = (text: string, letters: number): string => text.repeat(Math.ceil(letters / text.length)).slice(0, letters);

/** Near-matches of a word: the word and then filler, word and filler repeated, and filler with the word at the end. */
function hostile(word: string, letters: number): string[] {
  return [
    ...FILLERS.map((filler) => word + long(filler, letters)),
    ...FILLERS.map((filler) => long(word + filler, letters)),
    ...FILLERS.slice(0, 6).map((filler) => long(filler, letters) + word),
  ];
}

/** CPU time of this process. Other processes do not count. */
function cpuMs(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  return process.cpuUsage(begun).user / 1000;
}

/** The fastest of three runs, because garbage collection can slow a run. */
function quickest(work: () => void): number {
  return Math.min(...[1, 2, 3].map(() => cpuMs(work)));
}

/** The first text that takes too much longer at twice its length. Texts that are fast at that length are not measured again. */
function growing(words: Iterable<string>, letters: number, work: (text: string) => void, growth = GROWTH): string[] {
  for (const word of words) {
    const [short, twice] = [hostile(word, letters), hostile(word, 2 * letters)];
    for (const [index, text] of twice.entries()) {
      if (cpuMs(() => work(text)) < FLOOR_MS) continue;
      const [once, after] = [quickest(() => work(short[index] ?? '')), quickest(() => work(text))];
      if (after > FLOOR_MS && after > growth * once) return [`${text.slice(0, 60)}…: ${once.toFixed(1)} ms, then ${after.toFixed(1)} ms`];
    }
  }
  return [];
}

/** The literal words in an expression. */
const wordsOf = (source: string): string[] => [
  ...new Set(source.replaceAll(/\\[a-zA-Z]|\{\d+,?\d*\}/g, ' ').match(/[A-Za-z][\w ]{2,30}/g) ?? []),
];

slow('the check finds one that is', () => {
  const cubic = /(?:a+)+\d*a+x$/;
  assert.not.equal(
    growing(['a'], 11, (text) => void cubic.test(text)),
    [],
  );
});

for (const { id, hints, pattern } of SIGNATURES)
  slow(`the signature ${id}`, () => {
    const words = new Set([...hints, ...wordsOf(pattern.source)]);
    assert.equal(
      growing([...words].slice(0, WORDS), LINE / 2, (text) => void pattern.exec(text)),
      [],
    );
  });

slow('what Kubernetes writes', () => {
  const messages = DOCUMENTED.flatMap(([, row]) => row.events ?? []).filter((_, index) => index % (WORDS === Infinity ? 1 : 6) === 0);
  const words = new Set(messages.flatMap(([, message]) => message.match(/[A-Za-z][\w' ]{5,24}/g)?.slice(0, 2) ?? []));
  const read = (text: string): void => {
    for (const reason of ['FailedScheduling', 'Failed'])
      gatherFacts(aCase({ failure_reason: reason, events: [{ reason, message: text }], logs: null }));
  };
  assert.equal(growing(words, LINE, read), []);
});

slow('a log of lines that look like headings costs as much as other lines', () => {
  const read = (line: string) => quickest(() => void gatherFacts(aCase({ status: crashed(), logs: line.repeat(8000) })));
  const [headings, others] = [read('==> app (previous) <==\nx\n'), read('--> app (previous) <--\nx\n')];
  assert.ok(headings < FLOOR_MS || headings < GROWTH * others, `${headings} ms, others ${others} ms`);
});

slow('a log of one line, however long', () => {
  const words = new Set(Object.values(PROGRAM_LOGS).map(([log]) => log.split('\n', 1)[0]?.slice(0, 40) ?? ''));
  const read = (text: string): void => void gatherFacts(aCase({ status: crashed(), logs: text }));
  assert.equal(growing([...words].slice(0, WORDS), 40_000, read, LINEAR), []);
});

slow.run();
