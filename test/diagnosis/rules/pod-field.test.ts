import { suite } from 'uvu';
import { podField } from '../../../src/diagnosis/rules/pod-field.ts';
import { anInput } from '../../support/builders/cases.ts';
import { tells, type Told } from '../../support/builders/told-by-rule.ts';

const fields = suite('fields that a node cannot fulfil');

/** The answer for a container that waits with this message. */
const answered = (message: string, container: object = {}, spec: object = {}) =>
  podField.answer(
    anInput(container, spec, {
      failure_reason: 'CreateContainerError',
      status: { state: 'waiting', reason: 'CreateContainerError', message },
    }),
  );

type Row = [sentence: string, message: string, container: object, spec: object, expected: Partial<Told> | undefined];

const KEY = 'environment variable key "HOST" not found in file "/var/lib/kubelet/pods/u1/volumes/kubernetes.io~empty-dir/shared/env/a.env"';
const FROM_FILE = {
  env: [
    { name: 'A', value: 'x' },
    { name: 'HOST', valueFrom: { fileKeyRef: { volumeName: 'shared', path: 'a.env', key: 'HOST' } } },
  ],
};
const writer = (script: string) => ({
  initContainers: [
    { name: 'write', image: 'web:1', command: ['sh', '-c', script], volumeMounts: [{ name: 'shared', mountPath: '/shared' }] },
  ],
});
const NINE = 'a1=1 a2=1 a3=1 a4=1 a5=1 a6=1 a7=1 a8=1 a9=1 > /shared/a.env';
const mounts = (...volumeMounts: object[]) => ({ volumeMounts });
const RECURSIVE = 'volume "data" requested recursive read-only mode, but it is not supported by the runtime';
const SHARED = 'path "/mnt/host" is mounted on "/mnt" but it is not a shared mount';
const IDMAP = 'failed to set MOUNT_ATTR_IDMAP on /var/lib/kubelet/pods/u1/volumes/kubernetes.io~nfs/data: invalid argument';
const NO_PROFILE = 'apparmor profile not found k8s-web';
const LABEL = 'write /proc/self/attr/keycreate: invalid argument';
const FOLDER = 'failed to stat image volume sub path "models": no such file or directory';
const BUNDLE = 'MountVolume.SetUp failed for volume "ca" : clustertrustbundle "corp" not found';
const ZERO = 'MountVolume.SetUp failed for volume "ca" : combination of signerName and labelSelector matched zero ClusterTrustBundles';
const trust = (...bundles: object[]) => ({
  volumes: [
    { name: 'x', emptyDir: {} },
    { name: 'ca', projected: { sources: [{ secret: { name: 's' } }, ...bundles.map((clusterTrustBundle) => ({ clusterTrustBundle }))] } },
  ],
});
const TOKEN = 'MountVolume.SetUp failed for volume "kube-api-access" : failed to fetch token: serviceaccounts "shop" not found';

const ROWS: Row[] = [
  [
    'a key that the file lacks, and a like one',
    KEY,
    FROM_FILE,
    writer('echo HOSTS=a > /shared/a.env'),
    {
      summary: 'Container `app` cannot start: the file `a.env` of volume `shared` has no variable `HOST`.',
      culprit: 'key HOST in file a.env',
      evidence: [
        'status of container app: environment variable key "HOST" not found in file "/var/lib/kubelet/pods/u1/volumes/kubernetes.io~empty-dir/shared/env/a.env"',
      ],
      advice: ['Init container `write` writes the file. Correct `fileKeyRef.key`, or let the file set `HOST`. Its command sets `HOSTS`.'],
      commands: ['kubectl describe pod web -n shop'],
      why: 'No field of the manifest is known to be wrong: the file `a.env` of volume `shared` has no variable `HOST`.',
      corrections: [['likely', 'Take `HOSTS` of the file', { 'env[1].valueFrom.fileKeyRef.key': 'HOSTS' }]],
      look: 'what writes `a.env`',
    },
  ],
  [
    'at most eight keys are named',
    KEY,
    FROM_FILE,
    writer(NINE),
    {
      advice: [
        'Init container `write` writes the file. Correct `fileKeyRef.key`, or let the file set `HOST`. Its command sets `a1`, `a2`, `a3`, `a4`, `a5`, `a6`, `a7`, `a8`.',
      ],
      corrections: [],
    },
  ],
  [
    'a writer whose keys are not known',
    KEY,
    FROM_FILE,
    writer('/bin/write /shared/a.env'),
    { advice: ['Init container `write` writes the file. Correct `fileKeyRef.key`, or let the file set `HOST`.'] },
  ],
  [
    'nobody writes the file',
    KEY,
    FROM_FILE,
    {},
    { advice: ['Another container must write the file first. Correct `fileKeyRef.key`, or let the file set `HOST`.'] },
  ],
  [
    'without a manifest of it the file is the one of the message',
    KEY,
    {},
    {},
    {
      summary: 'Container `app` cannot start: the file `env/a.env` has no variable `HOST`.',
      culprit: 'key HOST in file env/a.env',
      advice: ['Another container must write the file first. Correct `fileKeyRef.key`, or let the file set `HOST`.'],
      look: 'what writes `env/a.env`',
    },
  ],
  [
    'a file that is no list of variables',
    "couldn't parse env file",
    FROM_FILE,
    writer('date > /shared/a.env'),
    {
      summary: 'Container `app` cannot start: the file `a.env` of volume `shared`, from which its variables come, cannot be read as one.',
      culprit: 'file a.env',
      advice: ["Init container `write` writes the file. Each of its lines must be `NAME='value'`, with single quotes, or a comment."],
      look: 'what writes `a.env`',
      corrections: [],
    },
  ],
  [
    'such a file that the manifest does not name',
    "couldn't parse env file",
    {},
    {},
    {
      summary: 'Container `app` cannot start: the file from which its variables come cannot be read as one.',
      culprit: 'file with the variables',
      advice: ["Another container must write the file first. Each of its lines must be `NAME='value'`, with single quotes, or a comment."],
      look: 'what writes this file',
    },
  ],
  [
    'recursive read-only',
    RECURSIVE,
    mounts(
      { name: 'other', mountPath: '/o', recursiveReadOnly: 'Enabled' },
      { name: 'data', mountPath: '/d', recursiveReadOnly: 'Enabled' },
    ),
    {},
    {
      summary:
        'Container `app` cannot start: volume `data` must be read-only with everything mounted below it, which the container runtime cannot do.',
      culprit: 'recursiveReadOnly of volume data',
      advice: ['`recursiveReadOnly: IfPossible` takes it where the node can do it. The node needs Linux 5.12 and runc 1.1 or crun 1.4.'],
      look: "the node's kernel and its container runtime",
      corrections: [['likely', 'Make it read-only recursively where the node can', { 'volumeMounts[1].recursiveReadOnly': 'IfPossible' }]],
    },
  ],
  ['recursive read-only that the mount does not ask for', RECURSIVE, mounts({ name: 'data', mountPath: '/d' }), {}, { corrections: [] }],
  [
    'the mount that passes on mounts',
    SHARED,
    mounts(
      { name: 'a', mountPath: '/a' },
      { name: 'b', mountPath: '/b', mountPropagation: 'None' },
      { name: 'c', mountPath: '/c', mountPropagation: 'HostToContainer' },
    ),
    {},
    {
      summary:
        'Container `app` cannot start: volume `c` is to pass on mounts (`mountPropagation: HostToContainer`), and the node does not share mounts at `/mnt`.',
      culprit: 'mountPropagation of volume c',
      advice: ['Share the mount on the node (`mount --make-rshared`), or use the volume without `mountPropagation`.'],
      look: 'the mounts of the node (`findmnt -o TARGET,PROPAGATION`)',
      corrections: [['guess', 'Do not pass on mounts', { 'volumeMounts[2].mountPropagation': null }]],
    },
  ],
  [
    'no mount passes on mounts',
    SHARED,
    mounts({ name: 'b', mountPath: '/b', mountPropagation: 'None' }),
    {},
    {
      summary:
        'Container `app` cannot start: volume `/mnt` is to pass on mounts (`mountPropagation: Bidirectional`), and the node does not share mounts at `/mnt`.',
      culprit: 'mountPropagation of volume /mnt',
      corrections: [],
    },
  ],
  [
    'an AppArmor profile of the container',
    NO_PROFILE,
    { securityContext: { appArmorProfile: { type: 'Localhost' } } },
    { securityContext: { appArmorProfile: { type: 'Localhost' } } },
    {
      summary: 'Container `app` cannot start: the AppArmor profile `k8s-web` is not on its node.',
      culprit: 'AppArmor profile k8s-web',
      advice: ['Load the profile on every node, or use the default one of the runtime.'],
      look: 'the profiles of the node (`aa-status`) and what installs them',
      corrections: [
        [
          'guess',
          "Use the runtime's default AppArmor profile",
          { 'securityContext.appArmorProfile': { type: 'RuntimeDefault' } },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'an AppArmor profile of the pod',
    NO_PROFILE,
    {},
    { securityContext: { appArmorProfile: { type: 'Localhost' } } },
    {
      corrections: [
        [
          'guess',
          "Use the runtime's default AppArmor profile",
          { 'spec.securityContext.appArmorProfile': { type: 'RuntimeDefault' } },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a node without AppArmor',
    'apparmor is not supported on this host',
    { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
    {},
    {
      summary: 'Container `app` cannot start: its node cannot enforce an AppArmor profile.',
      culprit: 'AppArmor profile',
      advice: ['Use nodes with AppArmor, or remove `appArmorProfile`.'],
      look: 'the profiles of the node (`aa-status`) and what installs them',
      corrections: [['guess', 'Remove the AppArmor profile', { 'securityContext.appArmorProfile': null }, 'no mirror']],
    },
  ],
  ['no profile in the manifest', NO_PROFILE, {}, {}, { corrections: [] }],
  [
    'SELinux labels',
    LABEL,
    { securityContext: { seLinuxOptions: { type: 'web_t', level: 's0' } } },
    {},
    {
      summary: 'Container `app` cannot start: its node does not know the SELinux labels of `seLinuxOptions`.',
      culprit: 'seLinuxOptions web_t:s0',
      advice: ['Correct the labels, or install their policy on the nodes. Without `seLinuxOptions` the runtime chooses them.'],
      look: 'the SELinux policy of the node (`seinfo -t`)',
      corrections: [['guess', 'Let the runtime choose the SELinux labels', { 'securityContext.seLinuxOptions': null }, 'no mirror']],
    },
  ],
  ['SELinux labels of nobody', LABEL, {}, {}, { culprit: 'seLinuxOptions', corrections: [] }],
  [
    'owners that cannot be mapped',
    IDMAP,
    {},
    { hostUsers: false },
    {
      summary:
        'Container `app` cannot start: with users of its own (`hostUsers: false`) the node must map the owners of its files, and the file system of `data` cannot do that.',
      culprit: 'hostUsers: false, with volume /var/lib/kubelet/pods/u1/volumes/kubernetes.io~nfs/data',
      advice: ['Remove `hostUsers: false`, or put the volume on a file system that supports idmapped mounts (not NFS).'],
      look: 'the file systems of the volumes and the kernel of the node',
      corrections: [['guess', 'Remove `hostUsers`', { 'spec.hostUsers': null }, 'no mirror']],
    },
  ],
  [
    'owners that cannot be mapped, of no volume',
    'idmapped mounts are not supported',
    {},
    { hostUsers: true },
    {
      summary:
        'Container `app` cannot start: with users of its own (`hostUsers: false`) the node must map the owners of its files, and the file system of a volume cannot do that.',
      culprit: 'hostUsers: false',
      corrections: [],
    },
  ],
  [
    'a folder that the image of a volume lacks',
    FOLDER,
    mounts({ name: 'a', mountPath: '/a', subPath: 'other' }, { name: 'llm', mountPath: '/m', subPath: 'models' }),
    {},
    {
      summary: 'Container `app` cannot start: the image of volume `llm` has no folder `models`.',
      culprit: 'subPath models of volume llm',
      advice: ['Correct the `subPath`, or use an image that has this folder.'],
      look: 'the files of that image (`crane export IMAGE - | tar -t`)',
      corrections: [['guess', 'Mount the whole image', { 'volumeMounts[1].subPath': null }]],
    },
  ],
  [
    'a folder that no mount names',
    FOLDER,
    mounts({ name: 'a', mountPath: '/a', subPath: 'other' }),
    {},
    {
      summary: 'Container `app` cannot start: the image of a volume has no folder `models`.',
      culprit: 'subPath models',
      corrections: [],
    },
  ],
  [
    'a bundle by its name',
    BUNDLE,
    {},
    trust({ name: 'other', path: 'a' }, { name: 'corp', path: 'b' }),
    {
      summary: 'Container `app` cannot start: the ClusterTrustBundle `corp` does not exist.',
      culprit: 'ClusterTrustBundle corp',
      advice: ['Create the ClusterTrustBundle, or correct what the projected volume names.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get clustertrustbundles'],
      look: '`kubectl get clustertrustbundles`, and who should publish this one',
      corrections: [
        ['guess', 'Start without the certificates', { 'spec.volumes[1].projected.sources[2].clusterTrustBundle.optional': true }],
      ],
    },
  ],
  ['a bundle that is optional already', BUNDLE, {}, trust({ name: 'corp', path: 'b', optional: true }), { corrections: [] }],
  [
    'bundles of a signer',
    ZERO,
    {},
    trust({ name: 'other', path: 'a' }, { signerName: 'corp/signer', path: 'b' }),
    {
      summary: 'Container `app` cannot start: there is no ClusterTrustBundle of the signer `corp/signer` with these labels.',
      culprit: 'ClusterTrustBundle corp/signer',
      corrections: [
        ['guess', 'Start without the certificates', { 'spec.volumes[1].projected.sources[2].clusterTrustBundle.optional': true }],
      ],
    },
  ],
  ['bundles of a signer that no volume names', ZERO, {}, {}, { culprit: 'ClusterTrustBundle', corrections: [] }],
  [
    'a certificate that is refused',
    'MountVolume.SetUp failed for volume "tls" : PodCertificateRequest "r1" was denied by its signer',
    {},
    {},
    {
      summary:
        'Container `app` cannot start: the certificate that it asks for is refused: `PodCertificateRequest "r1" was denied by its signer`.',
      culprit: 'PodCertificateRequest "r1" was denied by its signer',
      advice: ['The signer refuses the certificate. Correct `signerName` and what the pod asks for, or ask those who run the signer.'],
      look: '`kubectl get podcertificaterequests`, and the log of the signer',
    },
  ],
  [
    'a volume of Git',
    'MountVolume.SetUp failed for volume "src" : git-repo volumes: git volume plugin is disabled',
    {},
    {},
    {
      summary: 'Container `app` cannot start: its volume `src` is a `gitRepo`, and Kubernetes has switched these volumes off.',
      culprit: 'gitRepo of volume src',
      advice: ['Use an `emptyDir`, and an init container with `git clone` that fills it.'],
      look: 'https://kubernetes.io/docs/concepts/storage/volumes/#gitrepo',
    },
  ],
  [
    'a volume in the pod of a driver without such volumes',
    'MountVolume.SetUp failed for volume "d" : volume mode "Ephemeral" not supported by driver disk.csi.example',
    {},
    {},
    {
      summary: 'Container `app` cannot start: the driver `disk.csi.example` has no volumes that stand in the pod itself, as `d` does.',
      culprit: 'csi disk.csi.example of volume d',
      advice: ['Use a PersistentVolumeClaim of a storage class of this driver, or an `ephemeral` volume with a template for the claim.'],
      look: '`volumeLifecycleModes` of the driver (`kubectl get csidriver -o yaml`)',
    },
  ],
  [
    'a service account that was deleted',
    TOKEN,
    {},
    { serviceAccountName: 'shop' },
    {
      summary: 'Container `app` cannot start: its service account `shop` does not exist any more.',
      culprit: 'ServiceAccount shop',
      advice: ['Create the service account again with its rights.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get serviceaccounts -n shop'],
      look: 'who deleted the service account',
      corrections: [['guess', "Use the namespace's own service account", { 'spec.serviceAccountName': null }, 'no mirror']],
    },
  ],
  ['a service account that the pod does not name', TOKEN, {}, {}, { corrections: [] }],
  [
    'a driver of devices that is not there',
    'DRA driver gpu.example is not registered',
    {},
    {},
    {
      summary: 'Container `app` cannot start: the DRA driver `gpu.example` does not run on its node.',
      culprit: 'DRA driver gpu.example',
      advice: ['Look at the pod of this device driver on the node.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get resourceclaims -n shop'],
      look: "the device driver's DaemonSet and its log on the node",
    },
  ],
  [
    'devices that cannot be prepared',
    'Failed to prepare dynamic resources: no such device',
    {},
    {},
    {
      summary: 'Container `app` cannot start: its devices cannot be prepared: `Failed to prepare dynamic resources: no such device`.',
      culprit: 'Failed to prepare dynamic resources: no such device',
      advice: ['Look at the ResourceClaim of the pod and at the log of the device driver on the node.'],
    },
  ],
  ['a message that names no field', 'no space left on device', {}, {}, undefined],
];
for (const [sentence, message, container, spec, expected] of ROWS)
  fields(sentence, () => tells(answered(message, container, spec), expected));

fields.run();
