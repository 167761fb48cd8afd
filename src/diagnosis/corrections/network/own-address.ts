import { fieldPath } from '../../../crd/field-path.ts';
import { parseImage } from '../../../crd/image.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { appended } from '../change.ts';
import type { Correction } from '../correction.ts';
import { withOption } from '../settings/set-option.ts';

/** Messages of programs that find no own address to advertise to their peers. */
const NONE_FOUND =
  /\bno private IP|explicit (?:IP|advertise addr\w{0,4}) not provided|(?:deduce|determine|find) an? (?:final )?(?:advertise|bind|private) (?:IP )?addr|multiple private IPv4 addresses/i;

/** Options for that address. Source: the programs' references of their command lines. */
const OPTIONS: readonly (readonly [image: RegExp, option: string, port: string])[] = [
  [/(?:^|\/)alertmanager$/, '--cluster.advertise-address', ':9094'],
  [/(?:^|\/)grafana\/(?:loki|mimir|tempo)$/, '-memberlist.advertise-addr', ''],
  [/(?:^|\/)consul$/, '-advertise', ''],
];
const NAME = 'POD_IP';

/** The option of the image for its own address, if the line says that it finds none. */
function lackingOption(place: ContainerPlace | undefined, line: string): { option: string; port: string } | undefined {
  if (!NONE_FOUND.test(line)) return undefined;
  const { image = '', args = [], command = [] } = place?.container ?? {};
  const { repository } = parseImage(image);
  const [, option, port = ''] = OPTIONS.find(([known]) => known.test(repository)) ?? [];
  return option === undefined || [...args, ...command].some((word) => word.startsWith(option)) ? undefined : { option, port };
}

/** For a program that does not know its own address: the option with the address of the pod. */
export function ownAddress(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const lacking = lackingOption(place, line);
  const env = place?.container?.env;
  const known = env?.find(({ valueFrom }) => valueFrom?.fieldRef?.fieldPath === 'status.podIP')?.name;
  if (!place || !lacking || (known === undefined && env?.some(({ name }) => name === NAME))) return [];
  const entry = { name: NAME, valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };
  const to = `$(${known ?? NAME})${lacking.port}`;
  return [
    {
      title: `Give it the address of the pod: ${code(`${lacking.option}=${to}`)}`,
      changes: [
        ...(known === undefined ? [appended(place, fieldPath(place.path, 'env'), env, entry, 'the pod has it in `status.podIP`')] : []),
        withOption(place, lacking.option, to, 'its peers reach it there'),
      ],
      confidence: 'likely',
      explanation: 'The program finds no address by itself that it could give to its peers.',
      mirrorable: true,
    },
  ];
}
