import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** A message that two options or variables must not have the same address. */
const SAME =
  /(?<a>--?[a-z][\w.-]{2,60}|[A-Z][A-Z\d]{1,40}_[A-Z\d_]{2,60})['"`]? (?:address |port )?(?:cannot|can't|can not|must not|should not|may not) be (?:the )?(?:same|equal|identical)(?: (?:as|to|with))? ['"`]?(?<b>--?[a-z][\w.-]{2,60}|[A-Z][A-Z\d]{1,40}_[A-Z\d_]{2,60})|(?<c>--?[a-z][\w.-]{2,60}|[A-Z][A-Z\d]{1,40}_[A-Z\d_]{2,60})['"`]? (?:must|should|has to) (?:be different from|differ from) ['"`]?(?<d>--?[a-z][\w.-]{2,60}|[A-Z][A-Z\d]{1,40}_[A-Z\d_]{2,60})/;

/** Gives the first of the two settings the only declared port that no setting uses. */
export function differentPort(input: RuleInput, line: string): Correction[] {
  const { a, b, c, d } = SAME.exec(line)?.groups ?? {};
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const found = [a ?? c, b ?? d].flatMap((name) => given.find((one) => one.name === name) ?? [])[0];
  const [, host = '', port] = /^(.*:)?(\d{2,5})$/.exec(found?.value ?? '') ?? [];
  const isUsed = (number: number): boolean =>
    String(number) === port || given.some(({ value }) => new RegExp(`(?:^|:)${number}$`).test(value));
  const [free, ...more] = (place?.container?.ports ?? []).filter(({ containerPort }) => !isUsed(containerPort));
  if (!place || !found || port === undefined || !free || more.length > 0) return [];
  const to = `${host}${free.containerPort}`;
  return [
    {
      title: `Set ${code(found.name)} to ${code(to)}`,
      changes: [rewritten(place, found, to, `the container declares port ${free.containerPort} too, and no setting has it`)],
      confidence: 'likely',
      explanation: 'The program wants two different ports.',
      mirrorable: true,
    },
  ];
}
