import { oneLine } from './quote.ts';

/** Longer ones are cut, at the end of a sentence where there is one. */
const MAX_LENGTH = 300;
const CULPRIT = /^\*\*Culprit:\*\* (`+)( ?)(.+?)\2\1$/m;

/** What a list says of a failure, as plain text in one line. */
export interface Headline {
  cause: string;
  culprit: string | null;
}

/** Reads the first paragraph and the culprit of the section "What happened" that `renderDiagnosis` wrote, or of any other Markdown. */
export function headlineOf(whatHappened: string): Headline {
  const culprit = CULPRIT.exec(whatHappened)?.[3] ?? null;
  const [first = ''] = whatHappened
    .replace(CULPRIT, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !/^(?:#|```|~~~)/.test(paragraph));
  return { cause: shortened(oneLine(plain(first), 4_000)), culprit: culprit && oneLine(culprit) };
}

/** A code span ends at the next run of as many backticks as it begins with. */
const SPAN = /(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/gs;

/** Without the marks of code spans and emphasis. Code keeps its signs; outside of it backslashes and entities are read. */
function plain(markdown: string): string {
  let text = '';
  let end = 0;
  for (const span of markdown.matchAll(SPAN)) {
    text += outsideCode(markdown.slice(end, span.index)) + (span[2] ?? '').replace(/^ (.*) $/, '$1');
    end = span.index + span[0].length;
  }
  return text + outsideCode(markdown.slice(end));
}

function outsideCode(text: string): string {
  return text
    .replaceAll('**', '')
    .replace(/\\([\\[\]|`])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const whole = /^.{60,}[.!?](?=\s)/.exec(text.slice(0, MAX_LENGTH))?.[0];
  return whole ?? oneLine(text, MAX_LENGTH);
}
