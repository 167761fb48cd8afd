import type { ChatAction } from '../../contract/chat.ts';

/** What a command is about: the incident of the thread, a record by id, or an object by name. */
export type Target = { kind: 'thread' } | { kind: 'record'; id: number } | { kind: 'name'; name: string; namespace?: string };

/** What somebody wants. */
export type Command =
  | { kind: 'action'; action: ChatAction; target: Target }
  | { kind: 'why'; target: Target }
  | { kind: 'changed'; target: Target }
  | { kind: 'failing'; namespace: string | null }
  | { kind: 'help' };

const MAX_LENGTH = 500;
/** Words of an English sentence, which are not taken for names. */
const NAME = '((?!(?:for|in|of|on|at|with|about|is|are)\\b)[a-z0-9](?:[a-z0-9./-]{0,251}[a-z0-9])?)';
const THING = `(?:the )?(?:(?:pod|deployment|statefulset|daemonset|job|cronjob|workload|incident|failure) )?(it|this|that|#?\\d{1,15}|${NAME})(?: in (?:the )?(?:namespace )?${NAME}(?: namespace)?)?`;
const thing = (before: string, after = ''): RegExp => new RegExp(`^${before}(?: ${THING})?${after}$`);

/** The words of each action. */
const WORDS: [RegExp, ChatAction][] = [
  [thing('(?:ack|acknowledge)'), 'acknowledge'],
  [thing('resolve'), 'resolve'],
  [thing('ignore', '(?: for)? (?:1 ?d|1 day|a day)'), 'ignore_1d'],
  [thing('ignore', '(?: for)? (?:7 ?d|7 days|a week|1 week)'), 'ignore_7d'],
  [thing('(?:try|mirror)(?: the correction)?(?: (?:of|for|on))?'), 'try'],
  [thing('(?:show )?(?:the )?logs?(?: (?:of|for))?'), 'logs'],
  [thing('(?:get |show )?(?:the )?(?:patch|correction|diff)(?: (?:of|for))?'), 'patch'],
];
const WHY = thing('why(?: (?:is|are|does|do|did))?', '(?: (?:failing|broken|down|crashing|crash|fail|failed|not ready|not working))?');
const CHANGED = thing('(?:who|what)(?: (?:has|did))? changed?(?: (?:in|for|of|on|with|about))?', '(?: last)?');
const FAILING = new RegExp(
  `^(?:what|who)(?:'s| is| are)?(?: (?:fails|failing|broken|down|wrong|crashing))(?: (?:in|at) (?:the )?(?:namespace )?${NAME}(?: namespace)?)?$`,
);

/** Reads a command from a chat message. Everything that is not understood becomes `help`; nothing is guessed. */
export function readCommand(said: string): Command {
  const text = plainWords(said);
  if (text.length > MAX_LENGTH) return { kind: 'help' };
  for (const [words, action] of WORDS) {
    const match = words.exec(text);
    if (match) return { kind: 'action', action, target: targetOf(match) };
  }
  const changed = CHANGED.exec(text);
  if (changed) return { kind: 'changed', target: targetOf(changed) };
  const failing = FAILING.exec(text);
  if (failing) return { kind: 'failing', namespace: failing[1] ?? null };
  const why = WHY.exec(text);
  return why ? { kind: 'why', target: targetOf(why) } : { kind: 'help' };
}

function targetOf([, what, , namespace]: RegExpExecArray): Target {
  if (what === undefined || what === 'it' || what === 'this' || what === 'that') return { kind: 'thread' };
  if (/^#?\d+$/.test(what)) return { kind: 'record', id: Number(what.replace('#', '')) };
  return { kind: 'name', name: what, ...(namespace && { namespace }) };
}

/** The text in lower case, without mentions, links, Markdown and punctuation. */
function plainWords(said: string): string {
  return said
    .slice(0, 10 * MAX_LENGTH)
    .replaceAll(/<at>[^<]*<\/at>/gi, ' ')
    .replaceAll(/<[@#!][^>]*>/g, ' ')
    .replaceAll(/<[a-z]+:[^|>]*\|([^>]*)>/gi, '$1')
    .replaceAll(/<\/?[a-z][^>]*>/gi, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/[`"“”‘’'*_,]/g, (mark) => (mark === "'" || mark === '’' ? "'" : ' '))
    .replaceAll(/[?!.;:]+(?=\s|$)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
