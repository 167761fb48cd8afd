import { CODE_SPAN, oneLine } from './quote.ts';

/** Longer headlines are cut, if possible at the end of a sentence. */
const MAX_LENGTH = 300;
const CULPRIT = /^\*\*Culprit:\*\* (`+)( ?)(.+?)\2\1$/m;

/** The line that lists show for a failure, as plain text. */
export interface Headline {
  cause: string;
  culprit: string | null;
}

/** Reads the first paragraph and the culprit from the section "What happened" of `renderDiagnosis`, or from any other Markdown. */
export function headlineOf(whatHappened: string): Headline {
  const culprit = CULPRIT.exec(whatHappened)?.[3] ?? null;
  const [first = ''] = whatHappened
    .replace(CULPRIT, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !/^(?:#|```|~~~)/.test(paragraph));
  return { cause: shortened(oneLine(plain(first), 4_000)), culprit: culprit && oneLine(culprit) };
}

/** Removes code spans and emphasis. Code keeps its characters; elsewhere backslashes and entities are decoded. */
function plain(markdown: string): string {
  let text = '';
  let end = 0;
  for (const span of markdown.matchAll(CODE_SPAN)) {
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
