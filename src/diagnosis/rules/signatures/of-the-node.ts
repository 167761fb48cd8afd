import { fieldPath } from '../../../crd/field-path.ts';
import type { Correction } from '../../corrections/correction.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../../corrections/change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { phraseIn } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';

/** Packages that contain a tool which programs run on the node. */
const PACKAGES: readonly [tool: RegExp, name: string][] = [
  [/^iscsi/, '`open-iscsi` (`iscsi-initiator-utils`)'],
  [/nfs/, '`nfs-common` (`nfs-utils`)'],
  [/cifs|smb/, '`cifs-utils`'],
  [/^cryptsetup/, '`cryptsetup`'],
  [/^multipath/, '`multipath-tools`'],
  [/^(?:rbd|ceph)/, '`ceph-common`'],
  [/^(?:ip6?tables|nft)/, '`iptables` or `nftables`'],
];

/** What programs log that need something from their node, or more rights on it. */
export const nodeSignatures: readonly Signature[] = [
  {
    // The paths in such a line are those of the node's namespaces, and they are there.
    id: 'tool-of-node',
    hints: ['nsenter: ', 'chroot: '],
    pattern:
      /nsenter: (?:failed to execute|can(?:'|no)t execute|exec failed:?) ['"]?(?<a>[\w./-]{1,80}?)['"]?: No such file|chroot: (?:failed to run command|can(?:'|no)t execute) ['"‘]?(?<b>[\w./-]{1,80}?)['"’]?: No such file/,
    explain({ a, b }) {
      const tool = a ?? b ?? '';
      const name = tool.slice(tool.lastIndexOf('/') + 1);
      const brings = PACKAGES.find(([pattern]) => pattern.test(name))?.[1];
      return {
        because: `its node has no program ${code(name)}`,
        culprit: name,
        advice: [`Install ${brings ?? `what brings ${code(name)}`} on every node that runs this pod.`],
        whereToLook: 'the packages of the node, and what sets nodes up',
        elsewhere: 'The program is missing on the node, not in the image.',
      };
    },
  },
  {
    id: 'processor',
    hints: ['avx', 'cpu does not support', 'a cpu with'],
    pattern: /requires? (?:a |an )?(?:CPU|processor)s? with (?<a>[A-Z][\w.]{2,12})|CPU does not support (?<b>x86-64-v\d|[A-Z][\w.]{2,12})/,
    explain({ a, b }, input) {
      const what = a ?? b ?? '';
      return {
        because: `the processor of its node has no ${code(what)}, or the virtual machine does not show it`,
        culprit: `processor without ${what}`,
        advice: [
          `Run it on nodes whose processors have ${code(what)} (a virtual machine must pass the model of its host on), or use an image that does without it.`,
        ],
        corrections: beforeAvx(input),
        whereToLook: 'the processors of the nodes (`lscpu`), and what the image is built for',
        elsewhere: 'The processor of the node decides this.',
      };
    },
  },
  {
    id: 'needs-privileged',
    hints: ['privileged', 'are you root?'],
    pattern:
      /^mount: permission denied \(are you root\?\)|(?:requires?|needs?|must (?:be )?(?:run|started|execut\w{0,3})|should be run|run (?:it|the container|me)) (?:\w{1,20} ){0,4}(?:--)?privileged\b(?! (?:TCP |UDP )?ports?)/i,
    explain: (_, input, line) => ({
      because: `it needs more rights on its node than the container has: ${code(phraseIn(line), 120)}`,
      culprit: phraseIn(line),
      advice: [
        'Run it as a privileged container, which may do on the node what root may. Decide first whether that is acceptable: programs that build images have ways without it (rootless, `kaniko`, `buildah`).',
      ],
      corrections: asPrivileged(input),
      whereToLook: "the container's `securityContext`, and what the documentation of the program asks for",
    }),
  },
];

/** MongoDB needs AVX since 5.0 (MongoDB, "Production Notes": Platform Support). */
function beforeAvx(input: RuleInput): Correction[] {
  const place = input.place();
  const image = place?.container?.image ?? '';
  if (!place || !/(?:^|\/)mongo:[5-9]/.test(image)) return [];
  return [
    {
      title: 'Use MongoDB 4.4',
      changes: [
        change(place, fieldPath(place.path, 'image'), image.replace(/:[^:/]*$/, ':4.4'), 'it is the last version that does without AVX'),
      ],
      confidence: 'guess',
      explanation: 'MongoDB needs AVX since version 5.0. Data that a newer version wrote cannot be read then.',
      mirrorable: true,
    },
  ];
}

function asPrivileged(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place?.container || place.container.securityContext?.privileged === true) return [];
  return [
    {
      title: 'Run it as a privileged container',
      changes: [change(place, fieldPath(place.path, 'securityContext', 'privileged'), true, 'the program asks for it')],
      confidence: 'guess',
      explanation: 'It is then as mighty as root on the node.',
      mirrorable: false,
    },
  ];
}
