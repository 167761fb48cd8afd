import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

const ARCH = 'kubernetes.io/arch';

/** Names of processors at the end of a tag, and the one that Kubernetes uses for the label of a node. */
const PROCESSORS: readonly (readonly [tag: RegExp, processor: string])[] = [
  [/(?<=[-_.:])(?:arm64(?:v8)?|aarch64)(?=$|[-_.])/, 'arm64'],
  [/(?<=[-_.:])(?:amd64|x86_64|x64)(?=$|[-_.])/, 'amd64'],
];

/** A script, which lacks its first line. */
const SCRIPT = /\.\w{1,4}$/;

/** For a program that the node's processor cannot run, on a node with another processor than most: the nodes with the usual one. */
export function otherNodes(input: RuleInput, program: string): Correction[] {
  const place = input.place();
  const nodes = input.subject.surroundings?.nodes ?? [];
  const own = nodes.find(({ name }) => name === place?.spec.nodeName)?.labels[ARCH];
  const [other, ...more] = new Set(nodes.flatMap(({ labels }) => (labels[ARCH] && labels[ARCH] !== own ? [labels[ARCH]] : [])));
  if (!place || own === undefined || other === undefined || more.length > 0 || place.spec.nodeSelector?.[ARCH] !== undefined) return [];
  return [
    {
      title: `Select nodes with ${code(`${ARCH}=${other}`)}`,
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'nodeSelector', ...(place.spec.nodeSelector ? [ARCH] : [])),
          place.spec.nodeSelector ? other : { [ARCH]: other },
          `its node has ${code(own)}, for which the program is not built`,
        ),
      ],
      confidence: SCRIPT.test(program) ? 'guess' : 'likely',
      explanation: `The cluster has nodes with ${code(other)} too.`,
      mirrorable: true,
    },
  ];
}

/** For a program that is built for another processor than the node's: the tag of the node's processor, where the tag names one. */
export function forProcessor(input: RuleInput): Correction[] {
  const place = input.place();
  const image = place?.container?.image ?? '';
  const at = image.lastIndexOf(':');
  const tag = at > image.lastIndexOf('/') && !image.includes('@') ? image.slice(at) : '';
  const [pattern, own] = PROCESSORS.find(([one]) => one.test(tag)) ?? [];
  const other = own === 'arm64' ? 'amd64' : 'arm64';
  const nodes = input.subject.surroundings?.nodes ?? [];
  const isKnown = nodes.length > 0 && nodes.every(({ labels }) => labels[ARCH] === other);
  if (!place || !pattern || own === undefined) return [];
  const to = `${image.slice(0, at)}${tag.replace(pattern, other)}`;
  return [
    {
      title: `Use the image ${code(to)}`,
      changes: [change(place, fieldPath(place.path, 'image'), to, `the tag names ${own}, which its node is not`)],
      confidence: isKnown ? 'likely' : 'guess',
      explanation: 'See first that the registry has this tag.',
      mirrorable: true,
    },
  ];
}
