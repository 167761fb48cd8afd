import { knownKeyword } from '../../corrections/settings/connection-keyword.ts';
import { knownOption, optionOfRuntime } from '../../corrections/settings/known-option.ts';
import { fileForOption } from '../../corrections/settings/lacking-value.ts';
import { phraseIn } from '../../facts/phrase.ts';
import { code } from '../../rendering/quote.ts';
import {
  dropOption,
  dropSetting,
  otherCommand,
  asGlobalOption,
  otherOption,
  renamedOption,
  splitOption,
  splitWords,
  withoutValue,
} from '../../corrections/settings/argument.ts';
import { withoutOption } from '../../corrections/settings/remove-setting.ts';
import { replaceText } from '../../corrections/replace-text.ts';
import type { RuleInput } from '../../facts/input.ts';
import { meantInstead } from '../../corrections/settings/suggested-word.ts';
import type { Signature } from './signature.ts';

/** The container's only argument with one dash, this letter and more letters: `-config.file=/etc/app.yml`. */
function longOption(input: RuleInput, letter: string): string | undefined {
  const { command = [], args = [] } = input.place()?.container ?? {};
  const [only, ...more] = [...command, ...args].filter((word) => new RegExp(`^-${letter}[\\w.-]{3,80}(?:=|$)`).test(word));
  return more.length === 0 ? only : undefined;
}

/** Options and commands that the program does not know, and options that lack their value. */
export const optionSignatures: readonly Signature[] = [
  {
    id: 'option-lacks-value',
    hints: [
      'needs an argument',
      'requires an argument',
      'expected one argument',
      'requires a value',
      'requires a parameter',
      'a value is required for',
    ],
    pattern:
      /flag needs an argument: (?:'\w' in )?(?<a>-{1,2}[A-Za-z][\w-]{0,60})|(?:argument|option|flag) ['"`]?(?<b>-{1,2}[A-Za-z][\w-]{0,60})(?:\/-{1,2}[\w-]{1,60})?['"`]?:? (?:expected one argument|requires (?:an?|its) (?:argument|value|parameter))|[Aa] value is required for '(?<c>-{1,2}[\w-]{1,60})/,
    explain: ({ a, b, c }, input) => {
      const option = a ?? b ?? c ?? '';
      return {
        because: `the option ${code(option)} stands without its value`,
        culprit: option,
        advice: [
          `Give ${code(option)} its value in the container's \`args\` or \`command\`: in the same word behind \`=\`, or as the next word. The help of the program says which values it takes.`,
        ],
        corrections: fileForOption(input, option),
        whereToLook: "the container's `command` and `args`",
      };
    },
  },
  {
    id: 'option-without-value',
    hints: ['unexpected value', 'takes no', 'does not take', "doesn't take", "doesn't allow", 'does not allow', 'explicit argument'],
    pattern:
      /unexpected value ['"`][^'"`]{0,80}['"`] for ['"`](?<a>-{1,2}[\w-]{1,60})|(?:option|argument|flag) ['"`]?(?<b>-{1,2}[\w-]{1,60})['"`]?:? (?:(?:does(?:n't| not) (?:take|allow|accept)|takes) (?:an? |no )?(?:value|argument|parameter)|ignored explicit argument)/i,
    explain: ({ a, b }, input) => ({
      because: `the option ${code(a ?? b ?? '')} takes no value`,
      culprit: a ?? b ?? '',
      advice: ['Write the option alone. It stands for "yes".'],
      corrections: withoutValue(input.place(), a ?? b ?? ''),
      whereToLook: "the container's `command` and `args`",
    }),
  },
  {
    id: 'command-unknown',
    hints: [
      'unknown command',
      'unrecognized subcommand',
      'unrecognised subcommand',
      'no such command',
      'no such subcommand',
      'unknown subcommand',
      'invalid command',
      'missing script',
      'script not found',
      'no rule to make target',
      'how to build task',
      'is not defined',
      'is not a',
    ],
    pattern:
      /(?:[Uu]nknown (?:sub)?command|[Uu]nrecogni[sz]ed (?:sub)?command|[Nn]o such (?:sub)?command|[Ii]nvalid (?:sub)?command:|[Mm]issing script|Script not found|No rule to make target|know how to build task):? {0,2}['"`](?<a>[\w:.-]{2,60}(?: [\w:.=/-]{1,60}){0,8})['"`]|[Cc]ommand ['"`](?<b>[\w:.-]{2,60}(?: [\w:.=/-]{1,60}){0,8})['"`] (?:is not defined|not found|does not exist)|['"`](?<c>[\w:.-]{2,60})['"`] is not an? (?:\w{1,20} )?(?:sub-?)?command\b/,
    explain: ({ a, b, c }, input) => ({
      because: `the program has no command ${code(a ?? b ?? c ?? '')}`,
      culprit: a ?? b ?? c ?? '',
      advice: ['Compare `args` with the commands of this version of the program.'],
      corrections: [
        ...splitWords(input, a ?? b ?? ''),
        ...otherCommand(input, a ?? b ?? c ?? ''),
        ...meantInstead(input, a ?? b ?? c ?? ''),
      ].slice(0, 1),
      whereToLook: "the container's `command` and `args`, and the program's own help",
    }),
  },
  {
    id: 'option-of-runtime',
    hints: ['is not allowed in', 'unrecognized vm option', 'unrecognized option'],
    pattern:
      /(?<a>--[\w-]{1,80})(?:=\S{0,80})? is not allowed in [A-Z_]{3,40}|[Uu]nrecognized VM option ['"]?(?<b>[\w.+-]{1,80})|[Uu]nrecognized option: (?<c>-\S{1,80})/,
    explain: ({ a, b, c }, input) => {
      const option = a ?? b ?? c ?? '';
      const bare = option.replace(/^-+|^[+-]/, '').split('=', 1)[0] ?? '';
      const isIt = (word: string) => word.startsWith('-') && word.replace(/^-XX:[+-]?|^-+/, '').split('=', 1)[0] === bare;
      return {
        because: `the program does not know the option ${code(option)}`,
        culprit: option,
        advice: ['Compare the option with those of this version of the program. Options change between versions.'],
        corrections: [
          ...meantInstead(input, bare),
          ...optionOfRuntime(input, bare),
          ...withoutOption(input, isIt),
          ...dropOption(input.place(), option),
          ...dropOption(input.place(), `-XX:+${bare}`),
          ...dropOption(input.place(), `-XX:-${bare}`),
          ...dropOption(input.place(), `-XX:${bare}`),
        ].slice(0, 1),
        whereToLook: "the container's `command`, `args` and option variables (`JAVA_OPTS`, `NODE_OPTIONS`)",
      };
    },
  },
  {
    // After one dash each letter is an option of its own (Go: spf13/pflag).
    id: 'option-with-one-dash',
    hints: ['unknown shorthand flag', 'unknown short flag'],
    pattern:
      /unknown shorthand flag: ['"]?\w['"]? in (?<named>-[A-Za-z][\w-]{2,60}(?:=\S{0,200})?)|unknown short flag ['"]?-(?<letter>[A-Za-z])['"]?/,
    explain({ named, letter = '' }, input) {
      const word = named ?? longOption(input, letter) ?? `-${letter}`;
      const changes = word.length > 2 ? replaceText(input, word, `-${word}`, 'a long option begins with two dashes') : [];
      return {
        because: `after one dash it takes each letter of ${code(word)} for an option of its own`,
        culprit: word,
        advice: ['Begin a long option with two dashes.'],
        corrections:
          changes.length === 0
            ? []
            : [
                {
                  title: `Write ${code(`-${word}`)}`,
                  changes,
                  confidence: 'likely',
                  explanation: 'Only single letters follow one dash.',
                  mirrorable: true,
                },
              ],
        whereToLook: "the container's `command` and `args`",
      };
    },
  },
  {
    id: 'option-refused',
    hints: ["don't use", 'do not use', 'must not be used', 'cannot be used', 'can not be used', "can't be used"],
    pattern:
      /['"`](?<a>-{1,2}[A-Za-z][\w.-]{1,60})['"`] (?:flag|option|argument)\b(?: (?:was|is) used\b.{0,120}(?:[Dd]on't|[Dd]o not) use|(?:(?! with | together ).){0,40} (?:must not|cannot|can not|can't) be used\b(?! (?:with|together|in combination)))|(?:[Dd]on't|[Dd]o not) use (?:the )?(?:(?:flag|option|argument) )?['"`]?(?<b>-{1,2}[A-Za-z][\w.-]{1,60})/,
    explain: ({ a, b, option = a ?? b ?? '' }, input, line) => ({
      because: `the option ${code(option)} must not be used here`,
      culprit: `${option}: ${phraseIn(line)}`,
      advice: ['Remove the option, or do first what the message asks for.'],
      corrections: dropOption(input.place(), option, { why: 'the program asks not to use it', explanation: 'Its message says so.' }),
      whereToLook: "the container's `command` and `args`",
    }),
  },
  {
    id: 'option-unknown',
    hints: [
      'unknown long flag',
      'unknown short flag',
      'unknown variable',
      'unknown flag',
      'unknown option',
      'unrecognized option',
      'unrecognized argument',
      'flag provided but not defined',
      'unknown shorthand flag',
      'invalid option',
      'bad option',
      'no such option',
      'unexpected argument',
      'illegal option',
      'unknown argument',
      'unknown command line',
      'unrecognised option',
      'unknown parameter',
      'unrecognized vm option',
      'unrecognized configuration parameter',
      ': is unknown',
    ],
    pattern:
      /(?:unrecognized configuration parameter|unknown (?:(?:long |short )?flag|option|variable|shorthand flag|argument|parameter|command line flag)|unrecogni[sz]ed (?:VM )?(?:option|argument)s?|flag provided but not defined|invalid option|bad option|no such option|unexpected argument|illegal option)(?: -- |: ?| ?)['"`]?(?<named>-{0,2}[A-Za-z0-9+][\w.+:-]{0,80})|\boption (?<before>-{1,2}[\w-]{1,60}): is unknown/i,
    explain: ({ named, before, option = named ?? before ?? '' }, input, line) => ({
      because: `the program does not know the option ${code(option)}`,
      culprit: option,
      advice: ['Compare `args` with the options of this version of the program. Options change between versions.'],
      corrections: ((split) =>
        split.length > 0
          ? split
          : [
              ...asGlobalOption(input, option),
              ...renamedOption(input, option),
              ...knownOption(input, option),
              ...otherOption(input, option),
              ...dropOption(input.place(), option),
            ])([...knownKeyword(input, line), ...splitOption(input, option)]).concat(dropSetting(input.place(), option)),
      whereToLook:
        "the container's `command` and `args`, its option variables (`JAVA_OPTS`, `NODE_OPTIONS`), and the program's release notes",
    }),
  },
];
