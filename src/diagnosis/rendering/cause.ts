import type { Diagnosis } from '../diagnosis.ts';
import { CODE_SPAN } from './quote.ts';

/** The first two lines of a report, each a sentence or more: what happened, and why. */
interface Told {
  happened: string;
  /** Absent if nothing but what happened is known. */
  why?: string;
}

/** Splits the summary where its reason begins, and adds to the reason what the first correction or its absence tells about it. */
export function toldOf({ summary, corrections: [best], noCorrection }: Diagnosis): Told {
  const { happened, reason } = splitSummary(summary);
  const known = best ? factOf(best.explanation) : outsideOf(noCorrection);
  const why = [reason, known !== undefined && !isRepeated(known, `${happened} ${reason}`) ? known : '']
    .filter((part) => part !== '')
    .join(' ');
  return why === '' ? { happened } : { happened, why };
}

/** Each sign stays at its place: code is blanked out, so that no word of it counts. */
const withoutCode = (text: string): string => text.replaceAll(CODE_SPAN, (span) => '`'.repeat(span.length));

/** `What, because why.`, or else `What: why.`, as two sentences. */
function splitSummary(summary: string): { happened: string; reason: string } {
  const found = /,? because (?!of )(?=\S)/.exec(withoutCode(summary)) ?? /: (?=\S)/.exec(withoutCode(summary));
  if (!found) return { happened: summary, reason: '' };
  const [before, after] = [summary.slice(0, found.index), summary.slice(found.index + found[0].length)];
  return { happened: `${before}.`, reason: `${after.charAt(0).toUpperCase()}${after.slice(1)}` };
}

/** Sentences about what a change brings with it, or what to think of before it. All others say how things are. */
const EFFECT =
  /\bthen\b|^(?:It helps|This (?:helps|shows|accepts)|It cures|A mirror|Podmend cannot|See|Let|Look|Better|It is (?:better|not known)|Measure|Decide|What is written|Whoever|Only those|The value is a placeholder|If|An init container (?:with|runs)|Other pods|The init container|It forbids|The profile forbids|The program ends because|Longer|Data of|The image must|The folder is guessed|Without a command)\b/;

/** The first sentence of an explanation, if it says how things are. */
function factOf(explanation: string): string | undefined {
  const plain = withoutCode(explanation);
  const end = /\.(?= [A-Z`]|$)/.exec(plain)?.index;
  const first = end === undefined ? explanation : explanation.slice(0, end + 1);
  return EFFECT.test(plain.slice(0, first.length)) ? undefined : first;
}

function outsideOf(none: Diagnosis['noCorrection']): string | undefined {
  return none && !none.isOpen ? none.why : undefined;
}

const FILLING = new Set(['the', 'and', 'with', 'has', 'its', 'for', 'that', 'this']);
const ENDING = /(?:ed|es|s|ing)$/;

/** Whether the names and most of the words of a sentence were said before it. */
function isRepeated(sentence: string, before: string): boolean {
  const words = (text: string): string[] =>
    (text.toLowerCase().match(/[\w./:@-]{3,}/g) ?? []).filter((word) => !FILLING.has(word)).map((word) => word.replace(ENDING, ''));
  const said = new Set(words(before));
  const own = words(sentence);
  return own.filter((word) => said.has(word)).length >= own.length * 0.8;
}
