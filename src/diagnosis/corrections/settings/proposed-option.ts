import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { isShell } from '../container-texts.ts';
import { givenIn, rewritten } from '../given-values.ts';
import type { Correction } from '../correction.ts';
import { withOption } from './set-option.ts';

/** A proposal, and the option in it. */
const PROPOSAL =
  /\b(?:use|using|try|pass|passing|add|adding|set|setting|specify|enable|run (?:it |again )?with|for example|e\.g\.|without)[:,]? (?:(?:the|with|flag|option|argument|it with|command[- ]line|cli) ){0,4}['"`]?(--[a-z][a-z\d-]{1,60}|-[a-z][a-z\d.-]{3,80}(?==))(?:=([^\s'"`,;()]{1,80}))?/gi;
/** An option without a value that is said to have an effect by itself. */
const ALONE = /^--(?:allow|enable|disable|no|with|without|skip|ignore|accept|trust|unsafe|standalone|single|dev)-/;
const TO_GO_ON = /^['"`]? (?:to (?:bypass|override|allow|continue|accept|enable|disable|suppress|go on|start)|is not supported|anyway)\b/i;
/** Options that only show help or more of the same error. */
const SHOWS = /^--(?:help|version|usage|verbose|debug|trace|stack-?trace|info|scan|log|list|show|print|dry-run)/;
/** Options that may destroy data. */
const DESTROYS = /force|reset|delete|remove|drop|purge|wipe|clean|overwrite|recreate|truncate|reinit|bootstrap|initiali[sz]e|repair/;
/** Options that remove a protection. */
const UNPROTECTED = /^--(?:allow|no|disable|skip|ignore|unsafe|insecure|accept|trust)-|root|insecure|unsafe/;
/** A hint about an option that has nothing to do with the failure. */
const WISHED = /^['"`]?(?: (?:flag|option|argument|switch))? if you (?:want|need|wish|would like)\b/i;
const DENIED = /\b(?:can ?not|can't|do not|don't|not|never|no longer|deprecated|instead of)\b[^.;]{0,30}$/i;
const PLACEHOLDER = /^[A-Z_]{2,}$|[<>[\]{}]|\.\.\./;

/** Adds the only option that the program's last line proposes, or gives it the proposed value. */
export function proposedOption(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const { command = [], args = [] } = place?.container ?? {};
  if (!place || (args.length === 0 && (command.length === 0 || isShell(command[0] ?? '')))) return [];
  const found = proposalsIn(line);
  const [only] = found;
  if (!only || new Set(found.map(({ option }) => option)).size > 1) return [];
  const { option, value } = only;
  const words = [...command, ...args];
  if (words.includes(value === undefined ? option : `${option}=${value}`)) return [];
  const isThere = words.some((word) => word === option || word.startsWith(`${option}=`));
  if (value === undefined && isThere) return [];
  const isRisky = UNPROTECTED.test(option);
  return [
    {
      title: `${isThere ? 'Set' : 'Add'} ${code(value === undefined ? option : `${option}=${value}`)}`,
      changes: [withOption(place, option, value, 'the program proposes it')],
      confidence: isRisky ? 'guess' : 'likely',
      explanation: isRisky
        ? 'The program proposes this option, which takes a protection away. See first whether it can run as it wants.'
        : 'The program proposes this option in the message with which it ends.',
      mirrorable: true,
    },
  ];
}

/** The permission that Deno lacks and what it is for (Deno, "Security and permissions"). */
const PERMISSION = /Requires (net|read|write|env|run|sys|ffi) access to "([^"\s]{1,200})"/;

/** Adds this entry to the list of a Deno permission that the container grants for other entries only. */
export function widerPermission(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const [, right = '', to = ''] = PERMISSION.exec(line) ?? [];
  const found = place && right !== '' ? givenIn(place).find(({ name }) => name === `--allow-${right}`) : undefined;
  if (!place || !found || found.value.split(',').includes(to)) return [];
  return [
    {
      title: `Allow ${code(to)} too`,
      changes: [rewritten(place, found, `${found.value},${to}`, 'the program asks for this one, and the list lacks it')],
      confidence: 'likely',
      explanation: `${code(found.name)} allows ${code(found.value)} only.`,
      mirrorable: true,
    },
  ];
}

/** A variable with its value, as programs propose it: `NAME=yes`, `--env=NAME=<yes|eval>`. */
const VARIABLE = /(?:^|[\s"'`]|--env[= ]|-e )([A-Z][A-Z0-9_]{3,80})=["'`<]{0,2}([A-Za-z0-9][\w.-]{0,30})(?=[|>"'`\s.,)]|$)/;

/** The variable that the line proposes, where the container gives it another value. */
export function proposedValue(input: RuleInput, line: string): { name: string; value: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const [, name = '', to = ''] = VARIABLE.exec(line) ?? [];
  const index = place?.container?.env?.findIndex((one) => one.name === name) ?? -1;
  const value = place?.container?.env?.[index]?.value;
  if (!place || typeof value !== 'string' || value === to || value.includes('://')) return undefined;
  return {
    name,
    value,
    corrections: [
      {
        title: `Set ${code(name)} to ${code(to)}`,
        changes: [change(place, fieldPath(place.path, 'env', index, 'value'), to, 'the program proposes it')],
        confidence: 'likely',
        explanation: `The program ends with a proposal for ${code(name)}, and does not take ${code(value)}.`,
        mirrorable: true,
      },
    ],
  };
}

interface Proposal {
  option: string;
  value: string | undefined;
}

function proposalsIn(line: string): Proposal[] {
  return [...line.matchAll(PROPOSAL)].flatMap((match) => {
    const [whole, option = '', said] = match;
    const value = said?.replace(/\.$/, '');
    const after = line.slice(match.index + whole.length);
    if (WISHED.test(after)) return [];
    if (SHOWS.test(option) || DENIED.test(line.slice(Math.max(0, match.index - 60), match.index))) return [];
    // With another option beside it, the reader must choose. An option that may destroy data is never proposed.
    if (DESTROYS.test(option) || /^['"`]? or ['"`]?--/.test(after))
      return [
        { option, value },
        { option: '', value },
      ];
    if (value === undefined ? !(ALONE.test(option) || TO_GO_ON.test(after)) : value === '' || PLACEHOLDER.test(value)) return [];
    // "Running without --x is slow" proposes nothing.
    if (/^without/i.test(whole) && !TO_GO_ON.test(after)) return [];
    return [{ option, value }];
  });
}
