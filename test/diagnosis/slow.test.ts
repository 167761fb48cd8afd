import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatherFacts } from '../../src/diagnosis/facts/facts.ts';
import { SIGNATURES } from '../../src/diagnosis/rules/signatures/list.ts';
import { aCase, crashed } from '../support/builders/cases.ts';
import { DOCUMENTED } from '../support/expected/documented/list.ts';
import { PROGRAM_LOGS } from '../support/expected/documented/logs.ts';

/**
 * No expression can be made slow. Times are never asserted: twice the letters may take at most so many times as long, whatever the machine.
 * A line that is twice as long takes a linear expression twice and a quadratic one four times as long; more is a fault.
 */
const slow = suite('no expression can be made slow');

/** Worse than quadratic, with room for a machine that is busy. */
const GROWTH = 7;
/** Of what has no bound: twice as long may take twice the time, with the same room. */
const LINEAR = 3.5;
/** No longer line is ever shown to a signature. */
const LINE = 1000;
/** How many words of a pattern or message are tried. Long runs (`SOAK`) try all of them. */
const WORDS = process.env['SOAK'] ? Infinity : 4;
/** Of the processor's time; below it a measurement says nothing. What grows faster than it should takes seconds at these lengths. */
const FLOOR_MS = 30;
const FILLERS = ['a', ' ', '/', '"', "'", '.', '-', '1', ':', '(', '\\', 'A_', '/a', '"a', 'a.', ' a', '[', '{', '=', '::', ', '];

const long = (text: string, letters: number): string => text.repeat(Math.ceil(letters / text.length)).slice(0, letters);

/** Near-matches of a word: the word and then nothing that belongs to it, the word again and again, and both at the end of a line. */
function hostile(word: string, letters: number): string[] {
  return [
    ...FILLERS.map((filler) => word + long(filler, letters)),
    ...FILLERS.map((filler) => long(word + filler, letters)),
    ...FILLERS.slice(0, 6).map((filler) => long(filler, letters) + word),
  ];
}

/** Of this process alone: what else runs here does not count. */
function cpuMs(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  return process.cpuUsage(begun).user / 1000;
}

/** The quickest of three: a collection of garbage only makes it slower. */
function quickest(work: () => void): number {
  return Math.min(...[1, 2, 3].map(() => cpuMs(work)));
}

/** The first text that takes much longer at twice its length; those that are quick at any length are not measured again. */
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

/** The words that an expression itself is made of. */
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

slow('a log of lines that look like headings costs what other lines cost', () => {
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
