import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { givenIn, setTo } from '../given-values.ts';
import { writtenInstead } from '../replace-text.ts';
import { placedTexts, textsOf } from '../container-texts.ts';

/** A size in a form that a program does not accept, with the correction. */
interface WrongSize {
  from: string;
  corrections: Correction[];
}

/** The size in MiB of each unit's first letter. */
const MEBIBYTES: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024, t: 1024 * 1024 };
/** The unit that each program writes for a first letter. */
const UNITS = {
  go: { k: 'KiB', m: 'MiB', g: 'GiB', t: 'TiB' },
  postgres: { k: 'kB', m: 'MB', g: 'GB', t: 'TB' },
} as const satisfies Record<string, Record<string, string>>;

const ONE_LETTER = 'the JVM takes one letter as the unit: `k`, `m` or `g`';

/** A JVM size whose unit has more than one letter (`256mb`, `256Mi`), or a percentage with its sign (`75%`). */
export function plainSize(input: RuleInput, option: string): Correction[] {
  const [, share] = /^(-?[\w:=+]{0,60}=\d{1,3}(?:\.\d{1,3})?)%$/.exec(option) ?? [];
  if (share !== undefined) return written(input, { from: `${share}%`, to: share, why: 'the JVM wants the number alone' });
  const [, name, part, of] = /^(-X\w{2,3})(\d{1,4}\.\d{1,3})([gGmM])$/.exec(option) ?? [];
  if (name !== undefined && part !== undefined)
    return written(input, {
      from: option,
      to: `${name}${Math.round(Number(part) * 1024)}${of?.toLowerCase() === 'g' ? 'm' : 'k'}`,
      why: 'the JVM takes whole numbers only',
    });
  const [, start, letter] = /^(-?[\w:=+]{0,60}?\d{1,12})([kKmMgGtT])i?[bB]?[sS]?$/.exec(option) ?? [];
  if (start === undefined) return [];
  const place = input.place();
  const [, size] = /^-X\D{2,3}(\d.*)$/.exec(option) ?? [];
  const [alone, ...more] = place && !textIn(input).includes(option) ? givenIn(place).filter(({ value }) => value === size) : [];
  if (place && alone && more.length === 0)
    return [
      setTo(place, alone, `${/\d+$/.exec(start)?.[0]}${letter?.toLowerCase()}`, {
        why: ONE_LETTER,
        explanation: `The program makes ${code(option)} of it.`,
      }),
    ];
  return written(input, {
    from: option,
    to: `${start}${letter?.toLowerCase()}`,
    why: ONE_LETTER,
  });
}

/** The container's command, arguments and variables as one text. */
const textIn = (input: RuleInput): string => textsOf(input.place()?.container).join(' ').slice(0, 20_000);

/** Turns a heap size without a unit, which the JVM reads as bytes, into MiB. */
export function heapWithUnit(input: RuleInput): { option: string | undefined; corrections: Correction[] } {
  const option = /-Xm[sx]\d{1,5}(?![\dkKmMgGtT])/.exec(textIn(input))?.[0];
  if (option !== undefined)
    return { option, corrections: written(input, { from: option, to: `${option}m`, why: 'without a unit it is a number of bytes' }) };
  const [whole, name] = /-Xm[sx]\$\((\w{1,80})\)(?![kKmMgGtT])/.exec(textsOf(input.place()?.container).join(' ')) ?? [];
  const { value, valueFrom } = input.place()?.container?.env?.find((one) => one.name === name) ?? {};
  const unit =
    { '1Mi': 'm', '1M': 'm', '1Gi': 'g', '1Ki': 'k' }[valueFrom?.resourceFieldRef?.divisor ?? ''] ??
    (/^\d{2,5}$/.test(value ?? '') ? 'm' : undefined);
  return whole === undefined || unit === undefined
    ? { option: whole, corrections: [] }
    : { option: whole, corrections: replaced(input, whole, `${whole}${unit}`) };
}

/** Writes one text instead of another, in the variables and words of the container. */
function replaced(input: RuleInput, from: string, to: string): Correction[] {
  const place = input.place();
  const changes = place
    ? placedTexts(place).flatMap(({ path, text }) =>
        text.includes(from) ? [change(place, path, text.split(from).join(to), 'without a unit it is a number of bytes')] : [],
      )
    : [];
  return changes.length === 0
    ? []
    : [
        {
          title: `Write ${code(to)}`,
          changes,
          confidence: 'likely',
          explanation: `The program does not take ${code(from)}.`,
          mirrorable: true,
        },
      ];
}

/** Lowers the initial heap size to the maximum. */
export function equalHeap(input: RuleInput): { culprit: string; corrections: Correction[] } | undefined {
  const heaps = [...textsOf(input.place()?.container), textIn(input)].map((text) => ({
    start: /-Xms\d{1,12}[kKmMgG]?\b/.exec(text)?.[0],
    most: /-Xmx(\d{1,12}[kKmMgG]?)\b/.exec(text)?.[1],
  }));
  // If several texts match, the one in which they differ.
  const { start, most } = heaps.find((one) => one.start !== undefined && one.most !== undefined && one.start !== `-Xms${one.most}`) ?? {};
  if (start === undefined || most === undefined) return fromVariables(input);
  const corrections = written(input, { from: start, to: `-Xms${most}`, why: `the heap may have ${code(most)} at most` });
  return { culprit: `${start} above -Xmx${most}`, corrections };
}

/** The same where both sizes come from variables of the container: `-Xms$(HEAP_INIT) -Xmx$(HEAP_MAX)`. */
function fromVariables(input: RuleInput): { culprit: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const text = [...textsOf(place?.container), textIn(input)].join(' ');
  const [, start] = /-Xms\$[({](\w{1,80})[)}]/.exec(text) ?? [];
  const [, most] = /-Xmx\$[({](\w{1,80})[)}]/.exec(text) ?? [];
  const env = place?.container?.env ?? [];
  const at = env.findIndex(({ name }) => name === start);
  const to = env.find(({ name }) => name === most)?.value;
  if (!place || at < 0 || to === undefined || most === undefined || start === most) return undefined;
  return {
    culprit: `${start} above ${most}=${to}`,
    corrections: [
      {
        title: `Set ${code(start ?? '')} to ${code(to)}`,
        changes: [change(place, fieldPath(place.path, 'env', at, 'value'), to, `the heap may have ${code(to)} at most`)],
        confidence: 'likely',
        explanation: `The heap begins with ${code(start ?? '')}, and ${code(most)} is less. If the two are swapped, swap them.`,
        mirrorable: true,
      },
    ],
  };
}

/** The size that a program refuses, in that program's units. If the line shows no size, it is `GOMEMLIMIT`. */
export function otherSize(input: RuleInput, { node, pg }: { node?: string | undefined; pg?: string | undefined }): WrongSize | undefined {
  if (node) return inMebibytes(input, node);
  if (pg) return inUnits(input, { from: pg, whole: pg, units: UNITS.postgres });
  const limit = input.place()?.container?.env?.find(({ name }) => name === 'GOMEMLIMIT')?.value;
  return typeof limit === 'string' ? inUnits(input, { from: limit, whole: `GOMEMLIMIT=${limit}`, units: UNITS.go }) : undefined;
}

function inMebibytes(input: RuleInput, option: string): WrongSize {
  const [, name, digits, letter = ''] = /^([\w-]{1,60}=)(\d{1,9})([kmgt])i?b?s?$/i.exec(option) ?? [];
  const factor = MEBIBYTES[letter.toLowerCase()];
  const to = factor === undefined ? option : `${name}${Math.max(1, Math.round(Number(digits) * factor))}`;
  return { from: option, corrections: written(input, { from: option, to, why: 'it is a number of MiB' }) };
}

function inUnits(input: RuleInput, { from, whole, units }: { from: string; whole: string; units: Record<string, string> }): WrongSize {
  const [, digits, letter = ''] = /^(\d{1,12}) ?([kmgt])i?b?s?$/i.exec(from) ?? [];
  const to = digits === undefined ? from : `${digits}${units[letter.toLowerCase()] ?? ''}`;
  return { from: whole, corrections: written(input, { from, to, why: 'the program takes sizes in this form' }) };
}

function written(input: RuleInput, { from, to, why }: { from: string; to: string; why: string }): Correction[] {
  return to === from ? [] : writtenInstead(input, { from, to }, { why, explanation: `The program does not take ${code(from)}.` });
}
