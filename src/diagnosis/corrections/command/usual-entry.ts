import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { asGuess } from '../combine.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';
import { editDistance } from '../similar-names.ts';

/** Usual names of files and classes with which programs begin, and of the folders that builds make. */
const USUAL = [
  ...['index', 'server', 'main', 'application', 'start', 'worker', 'cluster', 'bundle', 'manage', 'launcher', 'program', 'bootstrap'],
  ...['gateway', 'service', 'consumer', 'scheduler', 'dist', 'build', 'target', 'public', 'release', 'config', 'entrypoint', 'run'],
];

/** The file with which the command starts, where one word of its path is a slip of a usual one: `dist/sever.js`. */
export function usualEntry(input: RuleInput, path: string): Correction[] {
  const words = path.split(/(?<=[/.])|(?=[/.])/);
  const slips = words.flatMap((word, index) => {
    const plain = word.toLowerCase();
    const near = plain.length < 4 || USUAL.includes(plain) ? [] : USUAL.filter((one) => isSlip(plain, one));
    return near.length === 1 ? [{ word, index, to: cased(word, near[0] ?? '') }] : [];
  });
  const [slip, ...more] = slips;
  if (!slip || more.length > 0) return [];
  const why = `${code(slip.word)} looks like a typo of ${code(slip.to)}`;
  const to = words.with(slip.index, slip.to).join('');
  // The command may name the file from another folder than the log.
  const written = path.split('/').map((_, index, all) => all.slice(index).join('/'));
  for (const from of written.filter((one) => one.includes(slip.word))) {
    const made = writtenInstead(
      input,
      { from, to: to.slice(path.length - from.length) },
      { why, explanation: `${code(path)} is not there.` },
    );
    if (made.length > 0) return made.map(asGuess);
  }
  return [];
}

function isSlip(word: string, usual: string): boolean {
  return word[0] === usual[0] && editDistance(word, usual) === 1;
}

const cased = (word: string, to: string): string => (/^[A-Z]/.test(word) ? `${to.charAt(0).toUpperCase()}${to.slice(1)}` : to);
