import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { withOption } from './set-option.ts';

const OPTION = '--timeout';
const VARIABLE = 'GUNICORN_CMD_ARGS';
/** Gunicorn's default timeout. */
const DEFAULT_SECONDS = 30;
const TIMES = 4;

/** Lets Gunicorn wait longer for its workers. This does not help a worker that hangs, so it is a guess. */
export function longerWorkers(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const { command = [], args = [], env = [] } = place.container;
  const words = [...command, ...args];
  const inVariable = env.find(({ name }) => name === VARIABLE)?.value;
  const written = /(?:--timeout|(?:^| )-t)[= ](\d{1,5})\b/.exec(`${words.join(' ')} ${inVariable ?? ''}`)?.[1];
  // Zero means that it waits for ever.
  if (written !== undefined && Number(written) === 0) return [];
  const seconds = Number(written ?? DEFAULT_SECONDS) * TIMES;
  const why = `a worker that loads or answers for longer than ${written ?? DEFAULT_SECONDS} s is killed`;
  return [
    {
      title: `Let workers take ${seconds} seconds`,
      changes: [inWords(place, words, seconds, why) ?? asVariable(place, inVariable, seconds, why)],
      confidence: 'guess',
      explanation: `It cures workers that are slow, not workers that wait for something that never comes. Work that ${code('--preload')} does before the workers start is not timed.`,
      mirrorable: true,
    },
  ];
}

/** Without a shell, each option of Gunicorn is its own entry. */
function inWords(place: ContainerPlace, words: string[], seconds: number, why: string): Correction['changes'][0] | undefined {
  const isPlain = words.some((word) => /(?:^|\/)gunicorn$/.test(word)) && !words.includes('-t');
  return isPlain ? withOption(place, OPTION, String(seconds), why) : undefined;
}

function asVariable(place: ContainerPlace, before: string | undefined, seconds: number, why: string): Correction['changes'][0] {
  const path = fieldPath(place.path, 'env');
  const env = place.container?.env;
  if (before === undefined) return appended(place, path, env, { name: VARIABLE, value: `${OPTION}=${seconds}` }, why);
  const index = env?.findIndex(({ name }) => name === VARIABLE) ?? -1;
  const rest = before.replace(/(?:^| )(?:--timeout|-t)[= ]\d{1,5}\b/, '').trim();
  return change(place, fieldPath(path, index, 'value'), `${rest} ${OPTION}=${seconds}`.trim(), why);
}
