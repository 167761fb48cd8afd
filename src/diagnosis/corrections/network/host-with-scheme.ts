import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten, setTo, type Given } from '../given-values.ts';

/** A setting for a host that holds something else, with its corrections. */
export interface WrongHost {
  culprit: string;
  because: string;
  corrections: Correction[];
}

/** A scheme and a host, without port or path. */
const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]{1,15}:\/\/([\w.-]{1,253})\/?$/i;

/** For a program that resolves a whole URL as a host name: `http://db` in `DB_HOST`. */
export function hostWithScheme(input: RuleInput, line: string): WrongHost | undefined {
  const place = input.place();
  const found =
    place && givenIn(place).find(({ name, value }) => !/UR[IL]|DSN/i.test(name) && SCHEME_AND_HOST.test(value) && line.includes(value));
  const host = SCHEME_AND_HOST.exec(found?.value ?? '')?.[1];
  if (!place || !found || host === undefined) return undefined;
  return {
    culprit: `${found.name}=${found.value}`,
    because: `it looks up ${code(found.value)} as the name of a host`,
    corrections: [
      {
        title: `Write ${code(host)}`,
        changes: [rewritten(place, found, host, 'the setting is a host, without a scheme')],
        confidence: 'likely',
        explanation: `The program takes all of ${code(found.value)} for the name of a host.`,
        mirrorable: true,
      },
    ],
  };
}

/** For a host with white space around it, which becomes a part of the name. */
export function hostWithBlank(input: RuleInput, host: string): WrongHost | undefined {
  const place = input.place();
  const found =
    place && host !== '' ? givenIn(place).find(({ value }) => value !== value.trim() && value.trim() === host.trim()) : undefined;
  if (!place || !found) return undefined;
  const shown = JSON.stringify(found.value);
  return {
    culprit: `${found.name}=${shown}`,
    because: `it looks up ${code(shown)}, with the white space, as the name of a host`,
    corrections: [
      setTo(place, found, found.value.trim(), {
        why: 'white space becomes part of a value',
        explanation: 'No name of a host has white space.',
      }),
    ],
  };
}

/** Settings that hold a host with its port, and a scheme before it. */
const SCHEME_AND_ADDRESS = /^[a-z][a-z\d+.-]{1,15}:\/\/([\w.-]{1,253}:\d{2,5})\/?$/i;

/** Removes the scheme from the container's only endpoint, for a client that wants host and port instead of a URL. */
export function endpointWithScheme(input: RuleInput): WrongHost | undefined {
  const place = input.place();
  const found = place
    ? givenIn(place).filter(({ name, value }) => /ENDPOINT|ADDR|HOST|MINIO|S3/i.test(name) && SCHEME_AND_ADDRESS.test(value))
    : [];
  const [only, ...more] = found;
  const address = SCHEME_AND_ADDRESS.exec(only?.value ?? '')?.[1];
  if (!place || !only || address === undefined || more.length > 0) return undefined;
  return {
    culprit: `${only.name}=${only.value}`,
    because: `it wants a host and a port, and ${code(only.name)} is the URL ${code(only.value)}`,
    corrections: [
      {
        title: `Write ${code(address)}`,
        changes: [rewritten(place, only, address, 'the setting is a host with its port, without a scheme')],
        confidence: 'likely',
        explanation: 'The program has another setting for whether it speaks TLS.',
        mirrorable: true,
      },
    ],
  };
}

/** For a program that resolves a number as a host name, while the port's setting holds the host: swaps the two. */
export function hostInPort(input: RuleInput, host: string): WrongHost | undefined {
  const place = input.place();
  const swapped = place && swappedWithPort(place, (given) => given.value === host);
  if (!swapped) return undefined;
  const { number, word, correction } = swapped;
  return {
    culprit: `${number.name}=${number.value}, ${word.name}=${word.value}`,
    because: `host and port are swapped: ${code(number.name)} is ${code(number.value)}, and ${code(word.name)} is ${code(word.value)}`,
    corrections: [correction],
  };
}

/** A host setting that holds a number and its port setting that holds a name, if `isMeant` accepts one of them; with the swapped values. */
export function swappedWithPort(
  place: ContainerPlace,
  isMeant: (given: Given) => boolean,
): { number: Given; word: Given; correction: Correction } | undefined {
  const given = givenIn(place);
  for (const number of given.filter(({ name, value }) => /^\d{2,5}$/.test(value) && !/PORT/i.test(name))) {
    const word = given.find(({ name, value }) => isPortOf(name, number.name) && /^[a-z][\w.-]{0,252}$/i.test(value));
    if (!word || (!isMeant(number) && !isMeant(word))) continue;
    const why = 'host and port are swapped';
    return {
      number,
      word,
      correction: {
        title: `Swap ${code(number.name)} and ${code(word.name)}`,
        changes: [rewritten(place, number, word.value, why), rewritten(place, word, number.value, why)],
        confidence: 'likely',
        explanation: 'A number is no host, and a name is no port.',
        mirrorable: true,
      },
    };
  }
  return undefined;
}

/** Whether the setting is the port beside that host: `DB_PORT` and `DB_HOST`. */
function isPortOf(name: string, host: string): boolean {
  const [own, other] = [name, host].map((one) => one.split(/[_-]+/).slice(0, -1).join('_')) as [string, string];
  return /PORT$/i.test(name) && own === other;
}
