import { fieldPath } from '../../../crd/field-path.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** Replaces a word, or its last part, with what the log suggests: `Did you mean: 'UvicornWorker'?`. */
export function meantInstead(input: RuleInput, word: string): Correction[] {
  const place = input.place();
  const meant = foundInLogs(
    input.subject,
    /\b[Dd]id you mean[:?]? {0,2}(?!this\b)(?:one of )?['"`[]?(?:\(\+\/-\))?([\w.:@-]{2,100}?)['"`\]]?(?:\?|\s|$|,)/,
  );
  if (!place?.container || word === '' || meant === '' || meant === word) return [];
  const last = word.slice(word.lastIndexOf('.') + 1);
  const [from, to] = meant.includes('.') || !word.includes('.') ? [word, meant] : [word, word.slice(0, -last.length) + meant];
  const why = `the program proposes ${code(meant)}`;
  const { env, command, args } = place.container;
  // A longer word is another one: the host `rabbitmq-main` behind the scheme `rabbitmq`.
  const whole = new RegExp(`(?<![\\w-])${from.replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])`, 'g');
  const holds = (text: string): boolean => from.length > 2 && text.search(whole) >= 0;
  const swap = (text: string): string => text.replaceAll(whole, () => to);
  const changes = [
    ...(env ?? []).flatMap(({ name, value }, index) => [
      ...(name === from ? [change(place, fieldPath(place.path, 'env', index, 'name'), to, why)] : []),
      ...(typeof value === 'string' && holds(value) ? [change(place, fieldPath(place.path, 'env', index, 'value'), swap(value), why)] : []),
    ]),
    ...(['command', 'args'] as const).flatMap((field) =>
      ((field === 'command' ? command : args) ?? []).flatMap((text, index) =>
        holds(text) ? [change(place, fieldPath(place.path, field, index), swap(text), why)] : [],
      ),
    ),
  ];
  if (changes.length === 0) return [];
  return [
    {
      title: `Write ${code(to)}`,
      changes,
      confidence: 'likely',
      explanation: `The program does not know ${code(from)}.`,
      mirrorable: true,
    },
  ];
}
