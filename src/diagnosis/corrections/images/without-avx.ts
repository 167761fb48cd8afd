import { fieldPath } from '../../../crd/field-path.ts';
import { parseImage } from '../../../crd/image.ts';
import type { RuleInput } from '../../facts/input.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { change } from '../change.ts';
import type { Meaning } from '../meaning.ts';

/** What it means that MongoDB crashes after the warning of its image about the CPU (MongoDB, "Production Notes": x86_64). */
export function cpuWithoutAvx(input: RuleInput): Meaning | undefined {
  const place = input.place();
  if (!foundInLogs(input.subject, /MongoDB 5\.0\+ requires a CPU with (AVX) support/)) return undefined;
  const image = place?.container?.image ?? 'mongo';
  const isOwn = /(?:^|\/)mongo$/.test(parseImage(image).repository);
  return {
    because: 'the CPU of its node has no AVX instructions, which MongoDB needs since version 5.0',
    culprit: `AVX (${image})`,
    advice: ['Run it on nodes whose CPU has AVX (virtual machines must pass it on), or use MongoDB 4.4 with data of that version.'],
    corrections:
      place && isOwn
        ? [
            {
              title: 'Use MongoDB 4.4',
              changes: [change(place, fieldPath(place.path, 'image'), `${image.replace(/[:@][^/]*$/, '')}:4.4`, 'newer versions need AVX')],
              confidence: 'guess',
              explanation: 'It helps if there is no data yet: 4.4 does not open data of a newer version.',
              mirrorable: true,
            },
          ]
        : [],
    whereToLook: '`grep avx /proc/cpuinfo` on the node',
  };
}
