import { isDeepStrictEqual } from 'node:util';
import type { Case } from './case.ts';
import { valueAt } from '../crd/field-path.ts';
import { correctedTemplate } from './changes/corrected-template.ts';
import { whatChanged } from './changes/revision-change.ts';
import { factsOfCase } from './facts/facts.ts';
import type { Quote } from './facts/message.ts';
import { oneLine } from './rendering/quote.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { Correction } from './corrections/correction.ts';
import { givenIn } from './corrections/given-values.ts';
import { bySureness, joined } from './corrections/combine.ts';
import { onPaper } from './paper/on-paper.ts';
import { describe } from './rendering/commands.ts';
import { afterDeadline, deadline } from './rules/deadline.ts';
import { generic } from './rules/generic.ts';
import { RULES } from './rules/list.ts';
import { type RuleAnswer, type DiagnosisRule } from './rules/rule.ts';
import { type RuleInput, ruleInput } from './facts/input.ts';

export type { Diagnosis } from './diagnosis.ts';

/** People do not try more corrections than these. */
const MAX_CORRECTIONS = 5;

/** Says why a case fails and which corrections may end the failure. Pure; never throws. */
export function diagnose(subject: Case): Diagnosis {
  const input = ruleInput(subject, factsOfCase(subject));
  for (const rule of rulesFor(subject.reason)) {
    const answer = rule.answer(input);
    if (answer) {
      const present = correctedTemplate(input, answer);
      return finish(input, rule === deadline ? present : { ...present, summary: afterDeadline(input, present.summary) });
    }
  }
  return finish(input, generic(subject));
}

/** First the rules for the reason, then all others, because a reporter's reason may be vague. */
function rulesFor(reason: string): readonly DiagnosisRule[] {
  return BY_REASON.get(reason) ?? RULES;
}

/** The order of the rules for each reason that a rule names. */
const BY_REASON: ReadonlyMap<string, readonly DiagnosisRule[]> = new Map(
  RULES.flatMap(({ reasons }) => reasons).map((reason) => {
    const knows = (rule: DiagnosisRule) => rule.reasons.includes(reason);
    return [reason, [...RULES.filter(knows), ...RULES.filter((rule) => !knows(rule))]];
  }),
);

function finish(input: RuleInput, answer: RuleAnswer | Diagnosis): Diagnosis {
  const { subject } = input;
  const changed = whatChanged(input);
  // With equal confidence a rule's correction comes first, because it changes less than going back.
  const own = withOthers(input, answer.corrections ?? []);
  const back = changed?.corrections ?? [];
  const offered = distinct(
    isMovedServer(own[0], back[0]) || isKnownToWork(own[0], back[0]) ? [...back, ...own] : [...agreed(own, back), ...back],
  );
  const tried = offered
    .toSorted(bySureness)
    .slice(0, MAX_CORRECTIONS + 1)
    .map((correction) => onPaper(input, correction));
  const corrections = distinct(tried).toSorted(bySureness).slice(0, MAX_CORRECTIONS);
  return {
    ...(changed ? { changed: changed.description } : {}),
    summary: answer.summary,
    evidence: withoutRepeats(answer.evidence.map((line) => (typeof line === 'string' ? line : quoted(line)))),
    culprit: withField(input, answer.culprit === null ? null : oneLine(answer.culprit) || null, corrections[0]),
    advice: answer.advice,
    commands: [...new Set(answer.commands ?? [describe(subject)])],
    corrections,
    noCorrection:
      corrections.length > 0
        ? null
        : (answer.noCorrection ?? {
            why: 'No field of the manifest is known to be wrong.',
            whereToLook: 'the events and the logs',
            isOpen: true,
          }),
  };
}

/** Fields whose values the culprit names already. */
const NAMED_BY_VALUE = /Name$|^(?:containerPort|subPath)$/;

/** The culprit, with the variable or the field that the first correction changes: a value alone does not say where it is set. */
function withField(input: RuleInput, culprit: string | null, first: Correction | undefined): string | null {
  const [only, ...more] = first?.confidence === 'guess' ? [] : (first?.changes ?? []);
  // What is not there yet is at no fault.
  if (culprit === null || !only || more.length > 0 || only.from === null) return culprit;
  const from = typeof only.from === 'string' ? only.from : undefined;
  const option = optionAt(input, only.path);
  if (option !== undefined) return option.some((word) => culprit.includes(word)) ? culprit : `${culprit} (${option.join(' ')})`;
  const key = /KeyRef\.key$/.test(only.path) ? from : undefined;
  const entry = /\.env\[\d+\]$/.test(only.path) ? (only.from as { name?: string }).name : undefined;
  const isName = /(?:\.env\[\d+\]|Ref)\.name$/.test(only.path);
  const name = entry ?? (isName ? from : fieldAt(input, only.path));
  return name === undefined ? culprit : withSource(culprit, name, key);
}

/** The culprit with the variable and its key. One of them that is said already tells where it is. */
function withSource(culprit: string, name: string, key: string | undefined): string {
  const isSaid = culprit.includes(name) || (key !== undefined && culprit.includes(key));
  return isSaid ? culprit : `${culprit} (${key === undefined ? name : `${name}, key ${key}`})`;
}

/** The variable whose value or key is at the path, or else the field that the path ends with, unless its value says as much. */
function fieldAt({ subject }: RuleInput, path: string): string | undefined {
  const variable = /^(.*\.env\[\d+\])\.value(?:From\.\w+KeyRef\.key)?$/.exec(path)?.[1];
  const field = /\.([a-z]+[A-Z]\w{1,40}|host|divisor)$/.exec(path)?.[1];
  const name = variable === undefined ? field : valueAt(subject.manifest(), `${variable}.name`);
  return typeof name === 'string' && !NAMED_BY_VALUE.test(name) ? name : undefined;
}

/** The option of the failing container that stands at the path, and its value. */
function optionAt(input: RuleInput, path: string): [name: string, value: string] | undefined {
  const place = /\.(?:args|command)\[\d+\]$/.test(path) ? input.place() : undefined;
  const found = place && givenIn(place).find((one) => one.path === path && one.name.startsWith('-') && /^[^\s,=]{1,40}$/.test(one.value));
  return found && [found.name, found.value];
}

/** Containers that are starting, or that wait for the failing one, are not at fault. */
const NO_FAULT = new Set(['', 'ContainerCreating', 'PodInitializing', 'Completed']);

/** Whether going back only gives the one setting another value than the rule does: that of a revision that worked. */
function isKnownToWork(own: Correction | undefined, back: Correction | undefined): boolean {
  const [one, ...more] = own?.changes ?? [];
  const [other, ...others] = back?.changes ?? [];
  if (one === undefined || other === undefined || more.length > 0 || back?.confidence === 'guess') return false;
  if (/\.resources\.requests\.\w+$/.test(one.path))
    return [other, ...others].some(({ path }) => path === one.path) && [other, ...others].every(({ path }) => path.includes('.resources.'));
  const isOnly = others.length === 0 && other.path === one.path && one.to !== other.to;
  return isOnly && /\.env\[\d+\]\.value$|\.(?:args|command)\[\d+\]$/.test(one.path);
}

/** Extends the first correction with those of the pod's other containers that fail for reasons of their own. */
function withOthers({ subject }: RuleInput, corrections: Correction[]): Correction[] {
  const [first, ...rest] = corrections;
  if (!first || first.confidence === 'guess' || subject.container === null || subject.resource_kind !== 'Pod') return corrections;
  const others = subject.statuses.filter(
    ({ name, state, reason, ready }) => name !== subject.container && ready !== true && state !== 'running' && !NO_FAULT.has(reason ?? ''),
  );
  const also = others.flatMap(({ name, reason, message }) => {
    const best = bestFor({ ...subject, container: name, reason: reason ?? '', message: message ?? '' });
    const isNew = best?.changes.every(({ path }) => first.changes.every((one) => one.path !== path)) === true;
    return best && best.confidence !== 'guess' && isNew ? [best] : [];
  });
  return also.length > 0 ? [joined(first, ...also), first, ...rest] : corrections;
}

function bestFor(subject: Case): Correction | undefined {
  const input = ruleInput(subject, factsOfCase(subject));
  for (const rule of rulesFor(subject.reason)) {
    const answer = rule.answer(input);
    if (answer) return answer.corrections?.[0];
  }
  return undefined;
}

/** If a rule's correction has the same effect as going back, it is shown as going back, with the higher of both confidences. */
function agreed(corrections: Correction[], back: Correction[]): Correction[] {
  return corrections.map((one) => {
    const same = back.find((other) => effectOf(other) === effectOf(one));
    return same ? { ...same, confidence: bySureness(one, same) < 0 ? one.confidence : same.confidence } : one;
  });
}

/**
 * Whether a correction would only let the probe follow the program to a port to which the last change moved it. Services then still send requests to the
 * old one.
 */
function isMovedServer(own: Correction | undefined, back: Correction | undefined): boolean {
  const ports = (own?.changes ?? []).map(({ path, to }) =>
    /Probe\.(?:httpGet|tcpSocket|grpc)\.port$/.test(path) ? String(to) : undefined,
  );
  const [port] = ports;
  const isNew = (value: unknown): boolean => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(JSON.stringify(value ?? ''));
  return (
    port !== undefined &&
    /^\d+$/.test(port) &&
    ports.every((one) => one === port) &&
    back?.confidence === 'likely' &&
    back.changes.some(({ from, to }) => isNew(from) && !isNew(to))
  );
}

const effectOf = ({ changes }: Correction): string => JSON.stringify(changes.map(({ path, to }) => [path, to]));

/**
 * Removes corrections that change nothing: an old log may speak of what the manifest has right by now. Of several with the same effect, the
 * first stays.
 */
function distinct(corrections: Correction[]): Correction[] {
  const changing = corrections.filter(({ changes }) => changes.some(({ from, to }) => !isDeepStrictEqual(from, to)));
  const effects = changing.map(effectOf);
  return changing.filter((_, index) => effects.indexOf(effects[index] as string) === index);
}

/** Each line once, without lines that only repeat part of another line of the same source. */
function withoutRepeats(lines: string[]): string[] {
  const said = [...new Set(lines)];
  return said.filter((line) => {
    const [source = '', text = ''] = line.split(/: (.*)/s);
    return !said.some((other) => other !== line && other.startsWith(`${source}: `) && other.length > line.length && other.includes(text));
  });
}

function quoted({ from, text }: Quote): string {
  return `${oneLine(from, 120)}: ${oneLine(text, 600)}`;
}
