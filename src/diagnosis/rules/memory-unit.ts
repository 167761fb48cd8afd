import { fieldPath } from '../../crd/field-path.ts';
import { parseQuantity } from '../../crd/quantity.ts';
import { code } from '../rendering/quote.ts';
import { describe } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { type ContainerPlace, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** No process starts with less. */
const LEAST = 2 ** 20;

interface Tiny {
  path: string;
  written: string;
  container: string;
}

/**
 * A memory limit with the wrong unit: `128m` is an eighth of a byte, and `512` is 512 bytes. Nothing can start with it, and no volume can
 * be mounted.
 */
export const tinyMemory: DiagnosisRule = {
  id: 'tiny-memory',
  reasons: ['FailedMount', 'FailedCreatePodSandBox'],
  answer(input) {
    const place = input.place(null);
    const [tiny] = place && tinyMemory.reasons.includes(input.subject.reason) ? tinyIn(place) : [];
    const digits = /^(\d{1,9})m?$/.exec(tiny?.written ?? '')?.[1];
    if (!place || !tiny || digits === undefined) return undefined;
    return {
      summary: `${who(input, null)} cannot start: the memory limit ${code(tiny.written)} of container ${code(tiny.container)} ${
        tiny.written.endsWith('m') ? `means ${Number(digits) / 1000} bytes, because \`m\` stands for thousandths` : `means ${digits} bytes`
      }.`,
      culprit: `memory limit ${tiny.written}`,
      evidence: evidenceOf(input, tiny),
      advice: ['Write memory with `Mi` or `Gi`. `m` are thousandths, and a number alone are bytes.'],
      commands: [describe(input.subject)],
      corrections: [
        {
          title: `Set the memory limit to ${code(`${digits}Mi`)}`,
          changes: tinyIn(place).flatMap(({ path, written }) => {
            const number = /^(\d{1,9})m?$/.exec(written)?.[1];
            return number === undefined ? [] : [change(place, path, `${number}Mi`, `${code(written)} lacks its unit`)];
          }),
          confidence: 'likely',
          explanation: `${code(tiny.written)} looks like ${code(`${digits}Mi`)} without its unit.`,
          mirrorable: true,
        },
      ],
      noCorrection: { why: 'The limit is too low for any program.', whereToLook: "the container's `resources`" },
    };
  },
};

function evidenceOf({ subject }: RuleInput, { container, written }: Tiny) {
  const said = subject.message ? [{ from: 'pod status', text: subject.message.slice(0, 1000) }] : [];
  return [{ from: 'manifest', text: `resources.limits.memory of ${container}: ${written}` }, ...said];
}

/** Limits that are too small for any use, with the requests beside them. */
function tinyIn({ spec, specPath }: ContainerPlace): Tiny[] {
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ name, resources }, index) =>
      (['limits', 'requests'] as const).flatMap((field): Tiny[] => {
        const limit = parseQuantity(resources?.limits?.memory);
        const written = resources?.[field]?.['memory'];
        const amount = parseQuantity(written);
        const isTiny = limit !== undefined && limit > 0 && limit < LEAST && amount !== undefined && amount > 0 && amount < LEAST;
        return isTiny
          ? [{ path: fieldPath(specPath, list, index, 'resources', field, 'memory'), written: String(written), container: name }]
          : [];
      }),
    ),
  );
}
