import { fieldPath } from '../../crd/field-path.ts';
import type { PodFieldCause, PodFieldFact } from '../facts/pod-field.ts';
import { code, withoutWrappers } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { fileVariable, otherKey } from '../corrections/files/file-variable.ts';
import { describe, kubectl } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { type ContainerPlace, factOf, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** What a field that the node cannot fulfil means. */
interface ExplainedField {
  /** Completes "X cannot start: …". */
  because: string;
  culprit: string;
  advice: string;
  whereToLook: string;
  commands?: string[];
  corrections?: Correction[];
}

/** A message names a field of the pod that the node, its runtime or the cluster cannot fulfil. */
export const podField: DiagnosisRule = {
  id: 'pod-field',
  reasons: [
    'CreateContainerConfigError',
    'CreateContainerError',
    'StartError',
    'RunContainerError',
    'FailedMount',
    'ContainerCreating',
    'FailedPrepareDynamicResources',
  ],
  answer(input) {
    const fact = factOf(input, 'pod-field');
    if (!fact) return undefined;
    const { because, culprit, advice, whereToLook, commands = [], corrections = [] } = EXPLANATIONS[fact.cause](input, fact);
    return {
      summary: `${who(input)} cannot start: ${because}.`,
      culprit,
      evidence: [fact.evidence],
      advice: [advice],
      commands: [describe(input.subject), ...commands],
      corrections,
      noCorrection: { why: `No field of the manifest is known to be wrong: ${because}.`, whereToLook },
    };
  },
};

const EXPLANATIONS: Record<PodFieldCause, (input: RuleInput, fact: PodFieldFact) => ExplainedField> = {
  'file-key'(input, { subject, of }) {
    const key = subject ?? '';
    const file = fileVariable(input, key);
    const path = file?.path ?? (of ?? '').replace(/^.*\/volumes\/[^/]{1,253}\/[^/]{1,253}\//, '');
    return {
      because: `the file ${code(path)}${file ? ` of volume ${code(file.volume)}` : ''} has no variable ${code(key)}`,
      culprit: `key ${key} in file ${path}`,
      advice: `${writerOf(file)} Correct \`fileKeyRef.key\`, or let the file set ${code(key)}.${
        file && file.keys.length > 0
          ? ` Its command sets ${file.keys
              .slice(0, 8)
              .map((one) => code(one))
              .join(', ')}.`
          : ''
      }`,
      whereToLook: `what writes ${code(path)}`,
      corrections: otherKey(input, key),
    };
  },
  'file-format'(input) {
    const file = fileVariable(input, null);
    return {
      because: file
        ? `the file ${code(file.path)} of volume ${code(file.volume)}, from which its variables come, cannot be read as one`
        : 'the file from which its variables come cannot be read as one',
      culprit: file ? `file ${file.path}` : 'file with the variables',
      advice: `${writerOf(file)} Each of its lines must be \`NAME='value'\`, with single quotes, or a comment.`,
      whereToLook: `what writes ${file ? code(file.path) : 'this file'}`,
    };
  },
  'recursive-read-only'(input, { subject }) {
    return {
      because: `volume ${code(subject ?? '')} must be read-only with everything mounted below it, which the container runtime cannot do`,
      culprit: `recursiveReadOnly of volume ${subject ?? ''}`,
      advice: '`recursiveReadOnly: IfPossible` takes it where the node can do it. The node needs Linux 5.12 and runc 1.1 or crun 1.4.',
      whereToLook: "the node's kernel and its container runtime",
      corrections: ofMount(input, ({ name }) => name === subject, {
        field: 'recursiveReadOnly',
        to: 'IfPossible',
        title: 'Make it read-only recursively where the node can',
        confidence: 'likely',
        explanation: 'On this node, what is mounted below the volume stays writable.',
      }),
    };
  },
  propagation(input, { subject }) {
    const mounts = input.place()?.container?.volumeMounts ?? [];
    const mount = mounts.find(({ mountPropagation }) => mountPropagation && mountPropagation !== 'None');
    const name = mount?.name ?? subject ?? '';
    return {
      because: `volume ${code(name)} is to pass on mounts (\`mountPropagation: ${mount?.mountPropagation ?? 'Bidirectional'}\`), and the node does not share mounts at ${code(subject ?? '')}`,
      culprit: `mountPropagation of volume ${name}`,
      advice: 'Share the mount on the node (`mount --make-rshared`), or use the volume without `mountPropagation`.',
      whereToLook: 'the mounts of the node (`findmnt -o TARGET,PROPAGATION`)',
      corrections: ofMount(input, (one) => one === mount, {
        field: 'mountPropagation',
        to: null,
        title: 'Do not pass on mounts',
        confidence: 'guess',
        explanation: 'The container then does not see what is mounted later, nor does the node see what it mounts.',
      }),
    };
  },
  apparmor(input, { subject }) {
    const [to, title] = subject
      ? ([{ type: 'RuntimeDefault' }, "Use the runtime's default AppArmor profile"] as const)
      : ([null, 'Remove the AppArmor profile'] as const);
    return {
      because: subject ? `the AppArmor profile ${code(subject)} is not on its node` : 'its node cannot enforce an AppArmor profile',
      culprit: subject ? `AppArmor profile ${subject}` : 'AppArmor profile',
      advice: subject
        ? 'Load the profile on every node, or use the default one of the runtime.'
        : 'Use nodes with AppArmor, or remove `appArmorProfile`.',
      whereToLook: 'the profiles of the node (`aa-status`) and what installs them',
      corrections: ofSecurity(input, 'appArmorProfile', to, title),
    };
  },
  selinux(input) {
    return {
      because: 'its node does not know the SELinux labels of `seLinuxOptions`',
      culprit: `seLinuxOptions ${Object.values(securityWith(input, 'seLinuxOptions')?.value ?? {}).join(':')}`.trim(),
      advice: 'Correct the labels, or install their policy on the nodes. Without `seLinuxOptions` the runtime chooses them.',
      whereToLook: 'the SELinux policy of the node (`seinfo -t`)',
      corrections: ofSecurity(input, 'seLinuxOptions', null, 'Let the runtime choose the SELinux labels'),
    };
  },
  'mapped-users'(input, { subject }) {
    const place = input.place();
    const volume = subject ? code(subject.replace(/^.*\/volumes\/[^/]{1,253}\//, '')) : 'a volume';
    return {
      because: `with users of its own (\`hostUsers: false\`) the node must map the owners of its files, and the file system of ${volume} cannot do that`,
      culprit: `hostUsers: false${subject ? `, with volume ${subject}` : ''}`,
      advice: 'Remove `hostUsers: false`, or put the volume on a file system that supports idmapped mounts (not NFS).',
      whereToLook: 'the file systems of the volumes and the kernel of the node',
      corrections:
        place?.spec.hostUsers === false
          ? [
              {
                title: `Remove ${code('hostUsers')}`,
                changes: [change(place, fieldPath(place.specPath, 'hostUsers'), null, 'a volume cannot map its owners')],
                confidence: 'guess',
                explanation: 'Root in the container is then root on the node. Decide first whether that is acceptable.',
                mirrorable: false,
              },
            ]
          : [],
    };
  },
  'image-folder'(input, { subject }) {
    const mount = input.place()?.container?.volumeMounts?.find(({ subPath }) => subPath === subject);
    return {
      because: `the image of ${mount ? `volume ${code(mount.name)}` : 'a volume'} has no folder ${code(subject ?? '')}`,
      culprit: `subPath ${subject ?? ''}${mount ? ` of volume ${mount.name}` : ''}`,
      advice: 'Correct the `subPath`, or use an image that has this folder.',
      whereToLook: 'the files of that image (`crane export IMAGE - | tar -t`)',
      corrections: ofMount(input, (one) => one === mount, {
        field: 'subPath',
        to: null,
        title: 'Mount the whole image',
        confidence: 'guess',
        explanation: 'The container starts. Its files are then in other folders than the program may expect.',
      }),
    };
  },
  'trust-bundle'(input, { subject }) {
    const source = bundle(input, subject);
    const name = subject ?? source?.signerName ?? '';
    return {
      because: subject
        ? `the ClusterTrustBundle ${code(subject)} does not exist`
        : `there is no ClusterTrustBundle of the signer ${code(name)} with these labels`,
      culprit: `ClusterTrustBundle ${name}`.trim(),
      advice: 'Create the ClusterTrustBundle, or correct what the projected volume names.',
      whereToLook: '`kubectl get clustertrustbundles`, and who should publish this one',
      commands: ['kubectl get clustertrustbundles'],
      corrections: source
        ? [
            {
              title: 'Start without the certificates',
              changes: [change(source.place, source.path, true, 'the bundle does not exist')],
              confidence: 'guess',
              explanation: 'The file is then empty until somebody makes the bundle. A program that needs it fails later.',
              mirrorable: true,
            },
          ]
        : [],
    };
  },
  'pod-certificate': (_input, { evidence }) => ({
    because: `the certificate that it asks for is refused: ${code(withoutMount(evidence.text))}`,
    culprit: withoutMount(evidence.text),
    advice: 'The signer refuses the certificate. Correct `signerName` and what the pod asks for, or ask those who run the signer.',
    whereToLook: '`kubectl get podcertificaterequests`, and the log of the signer',
  }),
  git: (_input, { evidence }) => ({
    because: `its volume ${code(volumeIn(evidence.text))} is a \`gitRepo\`, and Kubernetes has switched these volumes off`,
    culprit: `gitRepo of volume ${volumeIn(evidence.text)}`,
    advice: 'Use an `emptyDir`, and an init container with `git clone` that fills it.',
    whereToLook: 'https://kubernetes.io/docs/concepts/storage/volumes/#gitrepo',
  }),
  'inline-volume': (_input, { subject, evidence }) => ({
    because: `the driver ${code(subject ?? '')} has no volumes that stand in the pod itself, as ${code(volumeIn(evidence.text))} does`,
    culprit: `csi ${subject ?? ''} of volume ${volumeIn(evidence.text)}`,
    advice: 'Use a PersistentVolumeClaim of a storage class of this driver, or an `ephemeral` volume with a template for the claim.',
    whereToLook: '`volumeLifecycleModes` of the driver (`kubectl get csidriver -o yaml`)',
  }),
  'token-account'(input, { subject }) {
    const place = input.place(null);
    const path = fieldPath(place?.specPath ?? '', 'serviceAccountName');
    return {
      because: `its service account ${code(subject ?? '')} does not exist any more`,
      culprit: `ServiceAccount ${subject ?? ''}`,
      advice: 'Create the service account again with its rights.',
      whereToLook: 'who deleted the service account',
      commands: [kubectl(input.subject, 'get', 'serviceaccounts')],
      corrections: place?.spec.serviceAccountName
        ? [
            {
              title: "Use the namespace's own service account",
              changes: [change(place, path, null, 'every namespace has the account `default`')],
              confidence: 'guess',
              explanation: 'The pods then run without the rights that the missing account had.',
              mirrorable: false,
            },
          ]
        : [],
    };
  },
  'device-driver': (input, { subject, evidence }) => ({
    because: subject
      ? `the DRA driver ${code(subject)} does not run on its node`
      : `its devices cannot be prepared: ${code(withoutMount(evidence.text))}`,
    culprit: subject ? `DRA driver ${subject}` : withoutMount(evidence.text),
    advice: subject
      ? 'Look at the pod of this device driver on the node.'
      : 'Look at the ResourceClaim of the pod and at the log of the device driver on the node.',
    whereToLook: "the device driver's DaemonSet and its log on the node",
    commands: [kubectl(input.subject, 'get', 'resourceclaims')],
  }),
};

function writerOf(file: { writer: string | undefined } | undefined): string {
  return file?.writer ? `Init container ${code(file.writer)} writes the file.` : 'Another container must write the file first.';
}

const volumeIn = (text: string): string => /for volume "([^"]{1,253})"/.exec(text)?.[1] ?? '';
const withoutMount = (text: string): string =>
  withoutWrappers(text.replace(/^MountVolume\.\w{1,40} failed for volume "[^"]{1,253}" : /, ''));

interface MountChange extends Pick<Correction, 'title' | 'confidence' | 'explanation'> {
  field: 'recursiveReadOnly' | 'mountPropagation' | 'subPath';
  to: string | null;
}

type Mount = NonNullable<NonNullable<ContainerPlace['container']>['volumeMounts']>[number];

/** Changes one field of the mount that is meant, where it is set. */
function ofMount(input: RuleInput, isMeant: (mount: Mount) => boolean, { field, to, ...rest }: MountChange): Correction[] {
  const place = input.place();
  const changes = (place?.container?.volumeMounts ?? []).flatMap((mount, index) =>
    place && isMeant(mount) && mount[field] !== undefined
      ? [change(place, fieldPath(place.path, 'volumeMounts', index, field), to, 'the node cannot fulfil it')]
      : [],
  );
  return changes.length > 0 ? [{ ...rest, changes, mirrorable: true }] : [];
}

type SecurityField = 'appArmorProfile' | 'seLinuxOptions';

/** Where the container, or else the pod, sets the field. */
function securityWith(input: RuleInput, field: SecurityField): { place: ContainerPlace; path: string; value: object } | undefined {
  const place = input.place();
  if (!place) return undefined;
  const own = place.container?.securityContext?.[field];
  const value = own ?? place.spec.securityContext?.[field];
  return value && { place, path: fieldPath(own ? place.path : place.specPath, 'securityContext', field), value };
}

function ofSecurity(input: RuleInput, field: SecurityField, to: object | null, title: string): Correction[] {
  const found = securityWith(input, field);
  if (!found) return [];
  return [
    {
      title,
      changes: [change(found.place, found.path, to, 'the node cannot enforce it')],
      confidence: 'guess',
      explanation: 'It forbids less, or other things, than the author wanted. Decide first whether that is acceptable.',
      mirrorable: false,
    },
  ];
}

/** The source of the bundle of that name or, without a name, of a signer; `path` is its `optional`. */
function bundle(
  input: RuleInput,
  name: string | null,
): { place: ContainerPlace; path: string; signerName: string | undefined } | undefined {
  const place = input.place(null);
  const all = (place?.spec.volumes ?? []).flatMap((volume, index) =>
    (volume.projected?.sources ?? []).map(({ clusterTrustBundle }, at) => ({ clusterTrustBundle, index, at })),
  );
  const found = all.find(({ clusterTrustBundle: one }) => one && !one.optional && (name === null ? one.signerName : one.name === name));
  if (!place || !found) return undefined;
  const path = fieldPath(place.specPath, 'volumes', found.index, 'projected', 'sources', found.at, 'clusterTrustBundle', 'optional');
  return { place, path, signerName: found.clusterTrustBundle?.signerName };
}
