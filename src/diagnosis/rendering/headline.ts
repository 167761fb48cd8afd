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

/** Without the marks of code spans and emphasis. Code keeps its signs; outside of it backslashes and entities are read. */
function plain(markdown: string): string {
  return markdown
    .split(/(`+[^`](?:.*?[^`])?`+(?!`))/)
    .map((part, index) => {
      if (index % 2 === 1) return part.replace(/^(`+)( ?)(.*?)\2\1$/, '$3');
      return part
        .replaceAll('**', '')
        .replace(/\\([\\[\]|`])/g, '$1')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>');
    })
    .join('');
}

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const whole = /^.{60,}[.!?](?=\s)/.exec(text.slice(0, MAX_LENGTH))?.[0];
  return whole ?? oneLine(text, MAX_LENGTH);
}
