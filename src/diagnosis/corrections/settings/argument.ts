import { fieldPath } from '../../../crd/field-path.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { nearestName } from '../similar-names.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';

/** Writes a port as an address (`:8080`), in the one word of `args` or `command`, or the one variable, that holds the port. */
export function withColon(input: RuleInput, port: string): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const { args, command, env } = place.container;
  const words = [
    ...(args ?? []).map((word, at) => ({ word, path: ['args', at] })),
    ...(command ?? []).map((word, at) => ({ word, path: ['command', at] })),
  ];
  const values = (env ?? []).map(({ value }, at) => ({ word: value ?? '', path: ['env', at, 'value'] }));
  const found = [...words, ...values].filter(({ word }) => word === port || word.endsWith(`=${port}`));
  if (found.length !== 1) return [];
  return found.map(({ word, path }) => ({
    title: `Write the port as ${code(`:${port}`)}`,
    changes: [
      change(
        place,
        fieldPath(place.path, ...path),
        `${word.slice(0, -port.length)}:${port}`,
        'an address is a host, which may be empty, a colon and a port',
      ),
    ],
    confidence: 'likely',
    explanation: 'The program then listens on this port of all addresses.',
    mirrorable: true,
  }));
}

/** Options that a usage text or hint in the log names. */
const NAMED_OPTION = /(?<=[\s,[|('"`])-{1,2}[A-Za-z][\w-]{1,60}(?:\.[\w-]{1,60}){0,6}(?=[\s,=\]|)'"`?.<:]|$)/gm;

/** An option and its value in one word, which the program takes for the option's name. */
export function splitOption(input: RuleInput, option: string): Correction[] {
  const place = input.place();
  const name = option.replace(/^-+/, '');
  const found = (['args', 'command'] as const).flatMap((field) => {
    const words = place?.container?.[field] ?? [];
    const word = words.find((one) => /^-{1,2}[A-Za-z]/.test(one) && /\s/.test(one) && one.replace(/^-+/, '').split(/[\s=]/, 1)[0] === name);
    return word === undefined ? [] : [{ field, word }];
  });
  if (!place || name === '') return [];
  return found.slice(0, 1).map(({ field, word }) => {
    // With another option behind it, every word is one of its own.
    if (/\s-{1,2}[A-Za-z]/.test(word) && !/["']/.test(word))
      return inItsParts(place, { field, word, parts: word.trim().split(/\s+/), title: 'Write each word by itself' });
    const [, own = '', value = ''] = /^(\S+)\s+(.*)$/s.exec(word) ?? [];
    return inItsParts(place, { field, word, parts: [own, value], title: 'Write the option and its value as two words' });
  });
}

/** For an option that the program calls missing: it stands in one word with its value, or with other options. */
export function optionInOneWord(input: RuleInput, line: string): Correction[] {
  const option = /\b(?:required|missing)\b.{0,80}?(?<![\w-])(-{1,2}[a-z][\w-]{1,60})/i.exec(line)?.[1];
  const { args = [], command = [] } = input.place()?.container ?? {};
  const word = [...args, ...command].find(
    (one) => option !== undefined && /^-{1,2}[A-Za-z]\S*\s/.test(one) && one.split(/[\s=]+/).includes(option),
  );
  return word === undefined ? [] : splitOption(input, word.split(/[\s=]/, 1)[0] ?? '');
}

/** Moves a global option, with its value, from behind the subcommand to directly after the program, if the log says that it belongs there. */
export function asGlobalOption(input: RuleInput, option: string): Correction[] {
  const place = input.place();
  const says = logSections(input.subject).some(({ text }) =>
    /\bglobal option\b|\bbefore the (?:sub-?)?command\b/i.test(text.slice(0, 20_000)),
  );
  const field = place?.container?.command?.some((word) => isOption(word, option)) ? 'command' : 'args';
  const words = place?.container?.[field] ?? [];
  const at = words.findIndex((word) => isOption(word, option));
  // The program is the first word of `command`. With the image's own entrypoint, `args` begin after it.
  const start = field === 'command' ? 1 : 0;
  if (!place || !says || at <= start) return [];
  const length = words[at]?.includes('=') || (words[at + 1] ?? '-').startsWith('-') ? 1 : 2;
  const to = [...words.slice(0, start), ...words.slice(at, at + length), ...words.slice(start, at), ...words.slice(at + length)];
  return [
    {
      title: `Write ${code(option)} before the command`,
      changes: [change(place, fieldPath(place.path, field), to, 'it is an option of the program, and not of its command')],
      confidence: 'likely',
      explanation: 'The program takes this option, and its command does not.',
      mirrorable: true,
    },
  ];
}

const isOption = (word: string, option: string): boolean => word === option || word.startsWith(`${option}=`);

/** Writes one word of a list as several entries. */
function inItsParts(
  place: ContainerPlace,
  { field, word, parts, title }: { field: 'args' | 'command'; word: string; parts: string[]; title: string },
): Correction {
  const to = (place.container?.[field] ?? []).flatMap((one) => (one === word ? parts : [one]));
  return {
    title,
    changes: [change(place, fieldPath(place.path, field), to, 'every word is an entry of the list')],
    confidence: 'likely',
    explanation: `${code(word, 80)} reaches the program as one word.`,
    mirrorable: true,
  };
}

/** A command and its arguments in one word, which the program takes for the name of a command. */
export function splitWords(input: RuleInput, command: string): Correction[] {
  const place = input.place();
  const field = (['args', 'command'] as const).find((list) => place?.container?.[list]?.includes(command));
  if (!place || field === undefined || !/\s/.test(command)) return [];
  return [inItsParts(place, { field, word: command, parts: command.split(/\s+/), title: 'Write each word as an entry of its own' })];
}

/** Options that got another name, without their dashes. Source: Prometheus, "Migration guide" to version 3. */
const RENAMED: Readonly<Record<string, string>> = { 'storage.tsdb.retention': 'storage.tsdb.retention.time', proxy: 'proxy-headers' };
/** Values that got another name with the option (Keycloak, "Upgrading Guide": `edge` and `reencrypt` both trust the headers). */
const VALUES: Readonly<Record<string, string>> = { 'proxy=edge': 'xforwarded', 'proxy=reencrypt': 'xforwarded' };

/** The option under its new name, where it got one. */
export function renamedOption(input: RuleInput, option: string): Correction[] {
  const bare = option.replace(/^-+/, '').split('=', 1)[0] ?? '';
  const place = input.place();
  const { image = '', command = [], args = [] } = place?.container ?? {};
  const isOfProgram = bare !== 'proxy' || /keycloak|kc\.sh/.test([image, ...command, ...args].join(' '));
  const to = isOfProgram && Object.hasOwn(RENAMED, bare) ? RENAMED[bare] : undefined;
  const changes = (['args', 'command'] as const).flatMap((field) =>
    (place?.container?.[field] ?? []).flatMap((word, index) =>
      place && to !== undefined && (word === `--${bare}` || word.startsWith(`--${bare}=`))
        ? [change(place, fieldPath(place.path, field, index), underNewName(word, bare, to), 'the option is called so now')]
        : [],
    ),
  );
  const explanation = `${code(`--${bare}`)} is gone from this version.`;
  return changes.length === 0 ? [] : [{ title: `Write ${code(`--${to}`)}`, changes, confidence: 'likely', explanation, mirrorable: true }];
}

function underNewName(word: string, bare: string, to: string): string {
  const value = VALUES[word.replace(/^-+/, '')];
  return value === undefined ? word.replace(bare, to) : `--${to}=${value}`;
}

/** An option in the help of a program, with what it is for behind it or in the next line, as Go's package `flag` prints it. */
const HELP = /^ {1,8}--?([\w-]{2,40})(?: \w{1,20})?(?:\n[ \t]{2,}| {2,})(\S.{0,200})$/gm;

/** The only option whose help has the unknown option as a word: it is called otherwise in this version. */
function describedAs(input: RuleInput, option: string): string | undefined {
  const help = logSections(input.subject).flatMap(({ text }) => [...text.slice(0, 20_000).matchAll(HELP)]);
  const words = (text: string): string[] => text.toLowerCase().split(/[^a-z\d-]+/);
  const found = help.filter(([, , what = '']) => words(what).includes(option)).map(([, name = '']) => name);
  const [only, ...more] = new Set(found);
  return option.length > 3 && more.length === 0 ? only : undefined;
}

/** Replaces an unknown option with the most similar option in the log, or with the one that its help explains with the same word. */
export function otherOption(input: RuleInput, option: string): Correction[] {
  const place = input.place();
  const bare = (word: string): string => word.replace(/^-+/, '').split('=', 1)[0] ?? '';
  const named = logSections(input.subject).flatMap(({ text }) => text.slice(0, 20_000).match(NAMED_OPTION) ?? []);
  const [similar] = nearestName(
    bare(option),
    named.map(bare).filter((word) => word !== bare(option)),
  );
  const near = similar ?? describedAs(input, bare(option));
  if (!place?.container || near === undefined) return [];
  const changes = (['args', 'command'] as const).flatMap((field) =>
    (place.container?.[field] ?? []).flatMap((word, index) => {
      if (!word.startsWith('-') || bare(word) !== bare(option)) return [];
      const renamed = word.replace(bare(option), near);
      // An option for an address does not take a port alone.
      const to = /(?:addr|address|listen|bind)$/.test(near) ? renamed.replace(/=(\d{2,5})$/, '=0.0.0.0:$1') : renamed;
      return [change(place, fieldPath(place.path, field, index), to, `the program has an option ${code(near)}`)];
    }),
  );
  if (changes.length === 0) return [];
  const explanation =
    similar === undefined
      ? `The help in the log explains ${code(near)} with the word ${code(bare(option))}.`
      : `${code(option)} looks like a typo of an option that the log names.`;
  return [{ title: `Use the option ${code(near)}`, changes, confidence: 'likely', explanation, mirrorable: true }];
}

/** Words that a help text or a hint offers: the first word of an indented line, or a quoted word. */
const OFFERED =
  /^(?:\s{1,12}|\t)([a-z][\w:.-]{1,60})(?=\s|$)|['"`]([A-Za-z][\w:.-]{1,60})['"`]|\b(?:[Mm]ean(?:t)?|[Ss]imilar(?: to)?|[Tt]ry)\b[: ]{1,2}([a-z][\w:.-]{1,60})(?=[\s?.]|$)/gm;

/** The one word that a program proposes on the line after its question. */
const MEANT =
  /\b[Dd]id you mean (?:this|one of these)\?[ \t]*\n(?:npm (?:ERR!|error))?[ \t]{1,8}(?:(?:npm|pnpm|yarn) run )?([\w:.-]{2,60})(?=\s|$)/;

/** Replaces an unknown command with the most similar command that the log offers. */
export function otherCommand(input: RuleInput, command: string): Correction[] {
  const place = input.place();
  const texts = logSections(input.subject).map(({ text }) => text.slice(0, 20_000));
  const offered = texts.flatMap((text) =>
    [...text.matchAll(OFFERED)].map(([, listed, quoted, hinted]) => listed ?? quoted ?? hinted ?? ''),
  );
  const [meant] = texts.flatMap((text) => MEANT.exec(text)?.[1] ?? []);
  const [similar] = nearestName(
    command,
    offered.filter((word) => word !== command),
  );
  const near = similar ?? (meant === command ? undefined : meant) ?? (Object.hasOwn(OTHERWISE, command) ? OTHERWISE[command] : undefined);
  if (!place?.container || near === undefined || command === '') return [];
  const changes = (['command', 'args'] as const).flatMap((field) =>
    (place.container?.[field] ?? []).flatMap((word, index) =>
      word === command ? [change(place, fieldPath(place.path, field, index), near, 'the program has this command')] : [],
    ),
  );
  if (changes.length !== 1) return [];
  const isNamed = near === similar || near === meant;
  const explanation = isNamed
    ? `${code(command)} looks like a typo of a command that the log names.`
    : `Many programs have ${code(near)} in place of ${code(command)}.`;
  return [{ title: `Use the command ${code(near)}`, changes, confidence: isNamed ? 'likely' : 'guess', explanation, mirrorable: true }];
}

/** Commands that start a server, and what other programs call them. */
const OTHERWISE: Readonly<Record<string, string>> = { serve: 'server', server: 'serve', run: 'start', start: 'run' };

/** Removes the value from an option that takes none. */
export function withoutValue(place: ContainerPlace | undefined, option: string): Correction[] {
  const changes = (['command', 'args'] as const).flatMap((field) =>
    (place?.container?.[field] ?? []).flatMap((word, index) =>
      place && word.startsWith(`${option}=`)
        ? [change(place, fieldPath(place.path, field, index), option, 'the option takes no value')]
        : [],
    ),
  );
  if (option === '' || changes.length === 0) return [];
  return [
    {
      title: `Write ${code(option)} alone`,
      changes,
      confidence: 'likely',
      explanation: 'It only switches something on.',
      mirrorable: true,
    },
  ];
}

const UNKNOWN = {
  why: 'the program of this image has no such option',
  explanation: 'The program ends because it does not know this option.',
};

/** Removes a setting that consists of two words, such as `-c max_connections=200`. */
export function dropSetting(place: ContainerPlace | undefined, name: string): Correction[] {
  for (const field of ['args', 'command'] as const) {
    const words = place?.container?.[field] ?? [];
    const index = words.findIndex((word, at) => word.split('=', 1)[0]?.trim() === name && /^-{1,2}\w+$/.test(words[at - 1] ?? ''));
    if (!place || index < 1) continue;
    const kept = words.filter((_, at) => at !== index && at !== index - 1);
    return [
      {
        title: `Remove the setting ${code(words[index] ?? '', 80)}`,
        changes: [
          change(place, fieldPath(place.path, field), kept.length > 0 ? kept : null, 'the program of this image has no such setting'),
        ],
        confidence: 'likely',
        explanation: UNKNOWN.explanation,
        mirrorable: true,
      },
    ];
  }
  return [];
}

/**
 * Removes an option from `args` or `command`, and its value if that is a separate word. The default reason is that the program does not
 * know the option.
 */
export function dropOption(
  place: ContainerPlace | undefined,
  option: string,
  { why, explanation }: { why: string; explanation: string } = UNKNOWN,
): Correction[] {
  const name = option.replace(/^-+/, '').split('=', 1)[0] ?? '';
  if (!place?.container || name === '') return [];
  for (const field of ['args', 'command'] as const) {
    const words = place.container[field] ?? [];
    const index = words.findIndex((word) => word.startsWith('-') && word.replace(/^-+/, '').split('=', 1)[0] === name);
    if (index < 0) continue;
    const word = words[index] as string;
    const next = words[index + 1];
    const takesValue = !word.includes('=') && next !== undefined && !next.startsWith('-') && field === 'args';
    const kept = words.filter((_, at) => at !== index && !(takesValue && at === index + 1));
    return [
      {
        title: `Remove the option ${code(word, 80)}`,
        changes: [change(place, fieldPath(place.path, field), kept.length > 0 ? kept : null, why)],
        confidence: 'likely',
        explanation,
        mirrorable: true,
      },
    ];
  }
  return [];
}
