import { asGuess } from '../combine.ts';
import { logSections } from '../../facts/log-sections.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { allGivenIn, rewritten } from '../given-values.ts';
import { dropOption } from './argument.ts';

/** How programs report a setting that no longer exists in this version. */
const GONE =
  /\b(?:has been|have been|was|were|is|are) (?:removed|dropped|retired)\b|\bno longer (?:supported|available|exists?|valid|accepted|an option)\b|\bis not (?:an experimental feature|supported anymore)|\bremove its usage\b/i;

/** Words which show that a line is about a feature of the program, not about the data that the program processes. */
const OF_PROGRAM =
  /\b(?:features?|options?|flags?|settings?|config\w{0,10}|arguments?|parameters?|deprecat\w{2,5}|support\w{0,4}|version|v\d)\b/i;

/** Longer lines mention too many things to be evidence about one option. */
const MAX_LINE = 600;

/**
 * The only option of the container that no longer exists according to a line of the log. The line must contain all words of the option's name.
 * Programs often print it as a separate line before the error with which they exit.
 */
export function removedOption(input: RuleInput): { option: string; line: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const options = [...new Set(optionsOf(place))];
  if (options.length === 0) return undefined;
  for (const { text } of logSections(input.subject)) {
    for (const line of text.split('\n')) {
      if (line.length > MAX_LINE || !GONE.test(line) || !OF_PROGRAM.test(line)) continue;
      const said = new Set(wordsOf(line));
      const [only, ...more] =
        ofSection(options, line) ?? longestOf(options.filter((option) => wordsOf(option).every((word) => said.has(word))));
      if (only === undefined || more.length > 0) continue;
      const corrections = dropOption(place, only, {
        why: 'this version of the program no longer has it',
        explanation: 'The log says that it is gone.',
      });
      return { option: only, line: line.trim(), corrections };
    }
  }
  return undefined;
}

/** A section of the configuration that is gone as a whole: `Pilot configuration has been removed`. */
const SECTION = /\b([A-Za-z]\w{2,30}) (?:configuration|options|settings|section) (?:has|have) been removed\b/;

/** The options of a section that the line calls removed; undefined where it calls none so. */
function ofSection(options: readonly string[], line: string): string[] | undefined {
  const section = SECTION.exec(line)?.[1]?.toLowerCase();
  const own = section === undefined ? [] : options.filter((option) => wordsOf(option)[0] === section);
  return own.length > 0 ? own : undefined;
}

/** Names of options with at least two words: `--experimental.http3`. */
function optionsOf(place: ContainerPlace | undefined): string[] {
  return [...(place?.container?.args ?? []), ...(place?.container?.command ?? [])]
    .flatMap((word) => /^-{1,2}[A-Za-z][\w.-]{2,80}/.exec(word)?.[0] ?? [])
    .filter((option) => wordsOf(option).length > 1);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z\d]+/g) ?? [];

/** The options without those whose words all occur in another option. */
function longestOf(options: string[]): string[] {
  return options.filter((one) => !options.some((other) => other !== one && wordsOf(one).every((word) => wordsOf(other).includes(word))));
}

/** A feature that is enabled according to the line. */
const SWITCHED_ON =
  /\b([A-Z][A-Za-z\d]{5,80})(?: feature(?: gate)?)? is (?:set to true|enabled|turned on)\b|feature[ -]gate:? ['"]?([A-Z][A-Za-z\d]{2,80})['"]? (?:is )?(?:not supported|unknown|unrecogni[sz]ed)|unrecogni[sz]ed feature gate:? ['"]?([A-Z][A-Za-z\d]{2,80})/i;

/** For an enabled feature that the line names and that cannot work here: removes it from the list of features. */
export function withoutFeature(input: RuleInput, line: string): { feature: string; corrections: Correction[] } | undefined {
  const feature = SWITCHED_ON.exec(line)?.slice(1).find(Boolean);
  const place = input.place();
  const found = place && feature !== undefined ? allGivenIn(place).filter(({ value }) => entriesOf(value).includes(`${feature}=true`)) : [];
  const [only, ...more] = found;
  if (!place || feature === undefined || !only || more.length > 0) return undefined;
  const kept = entriesOf(only.value).filter((entry) => entry !== `${feature}=true`);
  const explanation = `Without it the program does not need what it misses. Where the feature is wanted, install that first.`;
  const corrections: Correction[] =
    kept.length > 0
      ? [
          {
            title: `Switch off ${code(feature)}`,
            changes: [rewritten(place, only, kept.join(','), 'the cluster does not have what it needs')],
            confidence: 'guess',
            explanation,
            mirrorable: true,
          },
        ]
      : dropOption(place, only.name, { why: 'the cluster does not have what it needs', explanation }).map(asGuess);
  return { feature, corrections };
}

const entriesOf = (value: string): string[] => value.split(',').map((entry) => entry.trim());
