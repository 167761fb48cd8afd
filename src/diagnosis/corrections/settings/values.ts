import { quotedLine } from '../../facts/phrase.ts';
import { asGuess } from '../combine.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { Change } from '../../../contract/failure.ts';
import type { Confidence } from '../../../contract/mirror.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Meaning } from '../meaning.ts';
import type { Correction } from '../correction.ts';
import { inAShell } from '../command/in-a-shell.ts';
import { entryMeant } from './entry-of-list.ts';
import { unbroughtFolder } from '../files/unbrought-folder.ts';
import { writtenInstead } from '../replace-text.ts';
import { isShell, placedTexts, textsOf } from '../container-texts.ts';
import { TIME_UNITS } from './duration.ts';
import { allGivenIn, type Given, givenIn, rewritten } from '../given-values.ts';
import { isBrokenJson, repaired, toldAsJson } from './json-value.ts';
import { swappedWithPort } from '../network/host-with-scheme.ts';
import { addressWithName, addressWithoutHost, addressWithoutPort, portFor } from '../network/listen-port.ts';
import { quotedElsewhere, withoutQuotes } from './quoted-value.ts';
import { nearest } from '../similar-names.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { lateReference } from './late-reference.ts';
import { storedValue } from './stored-value.ts';
import { forbiddenBeside } from './paired-variable.ts';
import { escapedText, namedValue } from './named-value.ts';
import { nameForOrdinal } from './pod-ordinal.ts';
import { isRegion, otherForm } from './value-form.ts';
import { NO_NUMBER, serviceLink } from './service-links.ts';
import { outOfBounds } from './bounds.ts';
import { withoutVariable } from './remove-setting.ts';

/**
 * What the log line means if it complains about a value in the manifest: a variable was not expanded, a variable holds the address of a Service, or
 * the program does not accept the value. Undefined if the line names no such value.
 */
export function valueMeaning(input: RuleInput, line: string, isGeneral: boolean): Meaning | undefined {
  const place = input.place();
  if (!place?.container) return undefined;
  const text = line.slice(0, 1000);
  return (
    unexpanded(input, place, text) ??
    inAShell(place, text) ??
    addressWithoutPort(input, place, text) ??
    addressWithoutHost(input, place, text) ??
    addressWithName(input, place, text) ??
    serviceLink(input, place, text, isGeneral) ??
    quotedOwn(input, place, text) ??
    quotedElsewhere(input, place, text) ??
    otherRegion(input, place, text) ??
    wordForPort(input, place, text) ??
    nameForOrdinal(input, place, text) ??
    otherUnit(place, text) ??
    (isGeneral ? (storedValue(place, text) ?? badValue(input, place, text)) : undefined)
  );
}

/** Kubernetes does not replace `$(NAME)` if the variable is missing or defined further down. Only a shell replaces `$NAME`. */
function unexpanded(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  const [written, kubernetes, braces, plain] = /\$\((\w{1,80})\)|\$\{(\w{1,80})\}|\$([A-Z][A-Z0-9_]{1,80})\b/.exec(line) ?? [];
  const name = kubernetes ?? braces ?? plain;
  if (written === undefined || name === undefined || !textsOf(place.container).some((text) => text.includes(written))) return undefined;
  const escaped = kubernetes === undefined ? [] : withOneDollar(input, place, name);
  const corrections = kubernetes === undefined ? asKubernetesDoes(input, place, { written, name }) : definedFirst(input, place, name);
  return {
    because: `nothing replaced ${code(written)} by the value of the variable`,
    culprit: written,
    advice: [
      kubernetes === undefined
        ? 'Kubernetes replaces `$(NAME)` only. `$NAME` needs a shell, and none starts this program.'
        : escaped.length > 0
          ? 'Two dollar signs make plain text of a reference: `$$(NAME)` is written as `$(NAME)`.'
          : 'Kubernetes replaces `$(NAME)` by a variable of the same container that is defined before it.',
    ],
    corrections: escaped.length > 0 ? escaped : corrections,
    whereToLook: "the container's `env`, `command` and `args`",
  };
}

/** `$$(NAME)`: the second dollar sign keeps Kubernetes from replacing it with the variable. */
function withOneDollar(input: RuleInput, { container }: ContainerPlace, name: string): Correction[] {
  if (!container?.env?.some((one) => one.name === name)) return [];
  return writeInstead(input, `$$(${name})`, `$(${name})`, `Kubernetes takes ${code(`$$(${name})`)} for plain text`);
}

function asKubernetesDoes(
  input: RuleInput,
  { container }: ContainerPlace,
  { written, name }: { written: string; name: string },
): Correction[] {
  // The variable that holds the reference cannot be the one it means.
  const names = (container?.env ?? []).filter(({ value }) => !value?.includes(written)).map((one) => one.name);
  const known = names.includes(name) ? name : otherVariable(name, names);
  // No shell ever sees the value of a variable before the program has it.
  const isInValue = (container?.env ?? []).some(({ value }) => typeof value === 'string' && value.includes(written));
  if ((isShell(container?.command?.[0] ?? '') && !isInValue) || known === undefined) return [];
  return writeInstead(input, written, `$(${known})`, `Kubernetes puts the value of ${code(known)} there`);
}

/** The only name with more words before it, or a similar one, or the only one with the same last word: `LISTEN_PORT` for `HTTP_PORT`. */
function otherVariable(name: string, names: string[]): string | undefined {
  const lastOf = (one: string) => one.slice(one.lastIndexOf('_') + 1);
  const onlyOf = ([only, ...more]: string[]): string | undefined => (more.length === 0 ? only : undefined);
  const longer = onlyOf(names.filter((one) => one.endsWith(`_${name}`)));
  return longer ?? nearest(name, names)[0] ?? onlyOf(names.filter((one) => lastOf(one) === lastOf(name)));
}

/** Why nothing replaces a reference (Kubernetes, "Define Dependent Environment Variables"). */
const asItIs = (reference: string): string =>
  /(?<!\$)\$\(/.test(reference)
    ? 'Kubernetes replaces a reference only by a variable that the container defines before it.'
    : `Kubernetes does not replace ${code(reference)}, and no shell does.`;

function writeInstead(input: RuleInput, from: string, to: string, why: string): Correction[] {
  return writtenInstead(input, { from, to }, { why, explanation: asItIs(from) });
}

function definedFirst(input: RuleInput, place: ContainerPlace, name: string): Correction[] {
  const env = place.container?.env ?? [];
  const later = env.findIndex((one) => one.name === name);
  const user = env.findIndex(({ value }) => value?.includes(`$(${name})`));
  if (later < 0) {
    const near = otherVariable(
      name,
      env.map((one) => one.name),
    );
    return near === undefined
      ? []
      : writeInstead(input, `$(${name})`, `$(${near})`, `there is a variable ${code(near)} and none named ${code(name)}`);
  }
  if (user < 0 || user > later) return [];
  const isPlain = (text: string | undefined): text is string => typeof text === 'string' && !text.includes('$(');
  const value = env[later]?.value;
  const written = (env[user]?.value ?? '').replaceAll(/(?<!\$)\$\((\w{1,80})\)/g, (whole, one: string) => {
    const at = env.findIndex((variable) => variable.name === one);
    const text = env[at]?.value;
    return at > user && isPlain(text) ? text : whole;
  });
  // A plain value can be written directly. Reordering the list would not help, because `kubectl apply` does not see it as a change.
  if (isPlain(value)) {
    const [from, to] = isPlain(written) ? [env[user]?.value ?? '', written] : [`$(${name})`, value];
    return writeInstead(input, from, to, `${code(name)} is defined further down, where it is not known yet`);
  }
  const late = lateReference(input, name);
  return late ? [late.correction] : [];
}

/** How programs report a value that is not a valid port. */
const NO_PORT = /ERR_SOCKET_BAD_PORT|\bport\b.{0,60}(?:6553[56]|out of range|invalid)|invalid port\b/i;

/** A line that says that a value is not a URL, but not which value. */
const NO_URL = /\b(?:must|should) (?:start|begin) with (?:the )?(?:protocol|scheme)|[Ii]nvalid URL|not a valid UR[IL]|no scheme/;

/** A value with quotes in the manifest. The quotes become part of the value, so the program does not find such a host, file or address. */
function quotedOwn(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  const given = givenIn(place);
  const quoted = given.filter(({ value }) => withoutQuotes(value) !== value.trim());
  // White space at an end counts where the line shows it.
  const shown =
    quoted.find(({ value }) => line.includes(value.trim()) || line.includes(escapedText(value.trim()))) ??
    given.find(({ value }) => value.trim().length > 2 && value !== value.trim() && line.includes(`"${escapedText(value)}"`));
  const [only, ...more] = NO_NUMBER.test(line) ? quoted.filter(({ value }) => /^\d{1,12}$/.test(withoutQuotes(value))) : [];
  const [address, ...addresses] = NO_URL.test(line) ? quoted.filter(({ value }) => /^\w{2,20}:\/\//.test(withoutQuotes(value))) : [];
  const found = shown ?? (more.length === 0 ? only : undefined) ?? (addresses.length === 0 ? address : undefined);
  return found && refused(input, place, found, line);
}

/** The only port variable whose value is a word, if the program complains that the port is not a number. */
function wordForPort(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  if (!NO_PORT.test(line) || !NO_NUMBER.test(line)) return undefined;
  const [only, ...more] = givenIn(place).filter(({ name, value }) => /(?:^|_)PORT$/.test(name) && /^[A-Za-z][\w-]{0,40}$/.test(value));
  return only && more.length === 0 ? refused(input, place, only, line) : undefined;
}

/** An AWS region that does not exist and became part of a host name. */
function otherRegion(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  if (!line.includes('.amazonaws.com')) return undefined;
  const found = givenIn(place).find(
    ({ name, value }) => /region/i.test(name) && !isRegion(value) && line.includes(`.${value}.amazonaws.com`),
  );
  return found && refused(input, place, found, line);
}

/** A value that the program does not accept: a number that is out of bounds, a value that the line names (`namedValue`), or broken JSON. */
function badValue(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  // Redis says this of a name that it does not know, whatever the value.
  if (line.includes('Bad directive')) return undefined;
  // The value beside it is right: a provider that has no credentials.
  if (/\b(?:invalid|missing|no) credentials\b/i.test(line)) return undefined;
  const given = allGivenIn(place);
  const found = namedValue(given, withoutCommand(place, line)) ?? convertedValue(input, given, line);
  return (
    forbiddenBeside(input, line) ??
    tooFarOut(place, given, line) ??
    (found ? refused(input, place, found, line) : brokenJson(place, given, line))
  );
}

/** The only duration with a unit that the program does not know, wherever it stands in a text of the container: `30sec` where it takes `30s`. */
function otherUnit(place: ContainerPlace, line: string): Meaning | undefined {
  const unit = /(?:[Cc]ould not parse|[Uu]nknown|[Ii]nvalid) (?:time )?unit ['"`]([a-z]{1,12})['"`]/.exec(line)?.[1];
  const short = unit === undefined ? undefined : TIME_UNITS.find(([pattern]) => pattern.test(unit))?.[1];
  if (unit === undefined || short === undefined || short === unit) return undefined;
  const written = new RegExp(`(?<![\\w.])(\\d{1,9}) ?${unit}(?!\\w)`);
  const [only, ...more] = placedTexts(place).filter(({ text }) => written.test(text.slice(0, 4000)));
  if (!only || more.length > 0) return undefined;
  const [whole = '', digits = ''] = written.exec(only.text) ?? [];
  const to = `${digits}${short}`;
  return {
    because: `the program does not know the unit of ${code(whole)}: ${quotedLine(line)}`,
    culprit: whole,
    advice: ['Write the duration with a unit that the program names.'],
    corrections: [
      {
        title: `Write ${code(to)}`,
        changes: [
          change(
            place,
            only.path,
            only.text.replace(whole, () => to),
            `the program does not know ${code(unit)}`,
          ),
        ],
        confidence: 'likely',
        explanation: `It is the same time as ${code(whole)}.`,
        mirrorable: true,
      },
    ],
    whereToLook: 'where the duration is set',
  };
}

/** The value that the call behind the line shows, as Erlang prints it: `binary_to_integer("auto")`. */
function convertedValue(input: RuleInput, given: Given[], line: string): Given | undefined {
  const shown = NO_NUMBER.test(line) ? foundInLogs(input.subject, /binary_to_(?:integer|float)\("([^"]{1,60})"/) : '';
  const [only, ...more] = shown === '' ? [] : given.filter(({ value }) => value === shown);
  return more.length === 0 ? only : undefined;
}

/** The line without the program's arguments. Some programs print all of them in an error, which says nothing about a single one. */
function withoutCommand({ container }: ContainerPlace, line: string): string {
  const args = (container?.args ?? []).join(' ');
  return (container?.args?.length ?? 0) > 1 && args.length < 600 ? line.replaceAll(args, '') : line;
}

/** A number that is outside the bounds in the line. */
function tooFarOut(place: ContainerPlace, given: Given[], line: string): Meaning | undefined {
  const found = outOfBounds(given, line);
  if (!found) return undefined;
  const { name, value } = found.given;
  const to = String(found.to);
  return {
    because: `the program does not take ${code(value)} as ${code(name)}: ${quotedLine(line)}`,
    culprit: `${name}=${value}`,
    advice: [`Give ${code(name)} a value within the bounds that the program names.`],
    corrections: [
      {
        title: `Set ${code(name)} to ${code(to)}`,
        changes: [rewritten(place, found.given, to, 'it is the nearest value that the program takes')],
        confidence: 'likely',
        explanation: `The program names the bound itself.`,
        mirrorable: true,
      },
    ],
    whereToLook: `where ${code(name)} is set`,
  };
}

/** What it means that the program refuses the value of a variable that it names; undefined if the container does not give it one. */
export function refusedValue(input: RuleInput, { name, line }: { name: string; line: string }): Meaning | undefined {
  const place = input.place();
  const found = place && givenIn(place).find((one) => one.name === name || one.name === name.toUpperCase());
  return found && refused(input, place, found, line);
}

function refused(input: RuleInput, place: ContainerPlace, found: Given, line: string): Meaning {
  const { name, value } = found;
  // White space is only seen in quotes.
  const shown = value === value.trim() ? value : JSON.stringify(value);
  return {
    because: `the program does not take ${code(shown)} as ${code(name)}: ${quotedLine(line)}`,
    culprit: `${name}=${shown}`,
    advice: [`Give ${code(name)} a value that the program takes.`],
    corrections: otherValue(input, place, found, line),
    whereToLook: `where ${code(name)} is set, and what the program expects of it`,
  };
}

/** A value that is nearly JSON, where the line is about JSON. */
function brokenJson(place: ContainerPlace, given: Given[], line: string): Meaning | undefined {
  if (!/JSON|json|looking for beginning|property name enclosed/.test(line)) return undefined;
  const [only, ...more] = given.filter(({ value }) => isBrokenJson(value));
  if (!only || more.length > 0) return undefined;
  const { name, value, path } = only;
  const to = repaired(value);
  const isVariable = path.endsWith('.value');
  return {
    because: `${code(name)} is not JSON: ${quotedLine(line)}`,
    culprit: `${name}=${value}`.slice(0, 200),
    advice: [`Write ${code(name)} as JSON: double quotes, no comma at the end, and nothing around it.`],
    corrections:
      to === undefined || !isVariable
        ? []
        : [{ ...toldAsJson(name), changes: [change(place, path, to, 'only this is JSON')], confidence: 'likely', mirrorable: true }],
    whereToLook: `where ${code(name)} is set`,
  };
}

/** Other values to try: without surrounding quotes or spaces, one that the line names, or the number in it. */
function otherValue(input: RuleInput, place: ContainerPlace, found: Given, line: string): Correction[] {
  const { name, value, path } = found;
  const tidy = withoutQuotes(value);
  const split = twoOptions(place, path);
  if (split) return [split];
  const swapped = swappedWithPort(place, (given) => given.path === path);
  if (swapped) return [swapped.correction];
  const set = (to: string, why: string, confidence: Correction['confidence']): Correction => ({
    title: `Set ${code(name)} to ${code(to)}`,
    changes: [rewritten(place, found, to, why)],
    confidence,
    explanation: `The program does not take ${code(value)}.`,
    mirrorable: true,
  });
  if (tidy !== value && tidy !== '') return [set(tidy, 'quotes and white space become part of a value', 'likely')];
  const user = userOfPassword(place, found);
  if (user !== undefined) return [set(user, `the password comes from the key ${code(user)}`, 'likely')];
  const address = withPortOfService(input, tidy, line);
  if (address) return [set(address.to, address.why, 'likely')];
  const form = otherForm({ name, value: tidy, line });
  if (form) {
    const made = set(form.to, form.why, form.confidence);
    return [{ ...made, changes: [...made.changes, ...alsoWithUnit(place, found, form)] }];
  }
  const folder = otherFolder(input, { name, value: tidy, line });
  if (folder) return folder;
  const port = portMeant(place, tidy, line);
  if (port) return [set(port.to, port.why, port.confidence)];
  const entry = entryMeant(givenIn(place), { name, value: tidy, line });
  if (entry) return [set(entry.to, `${code(entry.list)} has the entry ${code(entry.to)}`, 'likely')];
  // Without a word where a number is wanted, the program has its own.
  return NO_NUMBER.test(line) && /^[a-z]+$/i.test(value) ? withoutVariable(input, name).map(asGuess) : [];
}

/** The number of a port, for its name, a word, or a number with something behind it. */
function portMeant(place: ContainerPlace, value: string, line: string): { to: string; why: string; confidence: Confidence } | undefined {
  // A probe may ask a port by its name, and a program may not.
  const named = /integer|number|port/i.test(line) ? place.container?.ports?.find((one) => one.name === value)?.containerPort : undefined;
  if (named !== undefined)
    return { to: String(named), why: `the container declares port ${code(named)} under this name`, confidence: 'likely' };
  if (!NO_PORT.test(line)) return undefined;
  const port = portFor(place);
  if (port !== undefined && String(port) !== value)
    return { to: String(port), why: 'the container declares this port, or its probes ask it', confidence: 'likely' };
  const [digits] = /^\d{2,5}(?=\D)/.exec(value) ?? [];
  return digits === undefined ? undefined : { to: digits, why: 'a port is a plain number', confidence: 'guess' };
}

/** For a folder that does not exist: the similar one at which a volume is mounted. */
function otherFolder(input: RuleInput, { name, value, line }: { name: string; value: string; line: string }): Correction[] | undefined {
  const isFolder = value.startsWith('/') && /not a directory|does not exist|[Nn]o such/.test(line);
  const found = isFolder ? unbroughtFolder(input) : undefined;
  return found?.name === name ? found.corrections : undefined;
}

/**
 * The same unit for the program's other durations: numbers in variables with the same first and last word (`GATEWAY_SHUTDOWN_TIMEOUT` beside
 * `GATEWAY_IDLE_TIMEOUT`). A program that reads one with a unit reads all of them so, and reports only the first.
 */
function alsoWithUnit(place: ContainerPlace, { name, value, path }: Given, { to, why }: { to: string; why: string }): Change[] {
  const unit = /^\d+$/.test(value) && to.startsWith(value) ? to.slice(value.length) : '';
  const words = name.split('_');
  if (!/^(?:ms|s|m)$/.test(unit) || words.length < 3) return [];
  const isSameKind = (other: string[]): boolean => other.length > 2 && other[0] === words[0] && other.at(-1) === words.at(-1);
  return givenIn(place)
    .filter((one) => one.path !== path && /^\d+$/.test(one.value) && isSameKind(one.name.split('_')))
    .map((one) => rewritten(place, one, `${one.value}${unit}`, why));
}

/** The name of a Service with its only port, where the program wants an address. */
function withPortOfService({ subject }: RuleInput, value: string, line: string): { to: string; why: string } | undefined {
  const service = subject.surroundings?.services?.find(({ name }) => name === value.split('.', 1)[0]);
  const [port, ...more] = service?.ports ?? [];
  if (
    port === undefined ||
    more.length > 0 ||
    !/^[a-z][\w.-]{0,252}$/.test(value) ||
    !/\burl\b|address|host:port|bootstrap|\bport\b/i.test(line)
  )
    return undefined;
  return { to: `${value}:${port}`, why: `Service ${code(service?.name ?? '')} has port ${code(port)}` };
}

/** The user after whom the key of the password beside the user's variable is named: `kibana_system`. */
function userOfPassword({ container }: ContainerPlace, { name, value }: Given): string | undefined {
  const [, prefix] = /^(.*?)USER(?:NAME)?$/.exec(name) ?? [];
  const password = container?.env?.find((one) => prefix !== undefined && one.name === `${prefix}PASSWORD`);
  const key = password?.valueFrom?.secretKeyRef?.key ?? '';
  return key === value || key === '' || /pass|secret|pwd|key|token|value/i.test(key) ? undefined : key;
}

/** Two options in one entry of `args` or `command`: the program reads the second as part of the first one's value. */
function twoOptions(place: ContainerPlace, path: string): Correction | undefined {
  const [, list] = /\.(args|command)\[\d+\]$/.exec(path.slice(place.path.length)) ?? [];
  const word = textAt(place, path);
  if (list === undefined || !/^-{1,2}[A-Za-z]/.test(word)) return undefined;
  const words = word.split(/\s+(?=-{1,2}[A-Za-z])/);
  if (words.length < 2) return undefined;
  const own = place.container?.[list as 'args'] ?? [];
  const to = own.flatMap((one) => (one === word ? words : [one]));
  return {
    title: 'Write each option as a word of its own',
    changes: [change(place, fieldPath(place.path, list), to, 'every word is an entry of the list')],
    confidence: 'likely',
    explanation: `${code(word)} reaches the program as one word.`,
    mirrorable: true,
  };
}

function textAt({ container, path }: ContainerPlace, at: string): string {
  const [, list, index] = /\.(args|command)\[(\d+)\]$/.exec(at.slice(path.length)) ?? [];
  return (list === undefined ? undefined : container?.[list as 'args'])?.[Number(index)] ?? '';
}
