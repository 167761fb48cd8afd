import { code } from '../../rendering/quote.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { isSameMeaning } from '../synonyms.ts';
import { renamed } from './rename.ts';

/** How programs say that an option has no value: `--repo-allowlist must be set`, `option 'encryption_key' is required`. */
const REQUIRED =
  /(?:^|[\s:'"`(])(?:--)?(?<option>[a-z][a-z\d]{1,30}(?:[-_][a-z\d]{1,30}){1,5})['"`]? (?:must be (?:set|specified|provided|given)|is (?:required|mandatory|not set)|was not (?:set|given|provided))\b/;

/** How Flyway says the same of a placeholder: `No value provided for placeholder: ${owner_role}`. */
const NO_VALUE =
  /[Nn]o value (?:provided|given|set|found) for (?:the )?(?:placeholder|variable|parameter|property):? ?['"`]?(?:\$?\{)?(?<option>[a-z][a-z\d]{1,30}(?:[-_][a-z\d]{1,30}){1,5})/;

/**
 * For an option that the program misses: the only variable of the container that has it in its name in other words (`…_WHITELIST` for `allowlist`) or
 * with other separators (`…_ENCRYPTIONKEY_FILE` for `encryption_key`).
 */
export function requiredOption(input: RuleInput, line: string): { name: string; wanted: string; correction: Correction } | undefined {
  const place = input.place();
  const option = (REQUIRED.exec(line) ?? NO_VALUE.exec(line))?.groups?.['option']?.toUpperCase().replaceAll('-', '_');
  const names = (place?.container?.env ?? []).map(({ name }) => name);
  const word = SPECIFY.exec(line)?.[1]?.toUpperCase();
  const found = names.flatMap((name) =>
    [...(option === undefined ? [] : withOption(name, option)), ...(word === undefined ? [] : inFull(name, word))].map((wanted) => ({
      name,
      wanted,
    })),
  );
  const [only, ...more] = found;
  if (!place || !only || more.length > 0 || names.includes(only.wanted)) return undefined;
  const texts = { why: `the program reads ${code(only.wanted)}`, explanation: `The program says that ${code(only.wanted)} is missing.` };
  return { ...only, correction: renamed(place, { from: only.name, to: only.wanted }, texts) };
}

/** How programs ask for what they lack, in a word: `Please specify repository location`. */
const SPECIFY = /\b[Pp]lease (?:specify|provide|set|give) (?:an? |the |your )?([a-z]{5,20})\b/;

/** The name with its last word in full, where that is an abbreviation: `RESTIC_REPOSITORY` for `RESTIC_REPO`. */
function inFull(name: string, word: string): string[] {
  const at = name.lastIndexOf('_') + 1;
  const last = name.slice(at);
  return at > 0 && last.length > 2 && last !== word && word.startsWith(last) ? [name.slice(0, at) + word] : [];
}

/** The name with the option in place of its words that mean the same, behind the prefix of the program. */
function withOption(name: string, option: string): string[] {
  const words = name.split('_');
  for (let start = 1; start < words.length; start++)
    for (let end = start + 1; end <= words.length; end++) {
      const part = words.slice(start, end).join('_');
      if (part === option) return [];
      if (part.replaceAll('_', '') === option.replaceAll('_', '') || isSameMeaning(part, option))
        return [[...words.slice(0, start), option, ...words.slice(end)].join('_')];
    }
  return [];
}
