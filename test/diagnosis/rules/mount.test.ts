import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mount } from '../../../src/diagnosis/rules/mount.ts';
import { anInput, type CaseParts } from '../../support/builders/cases.ts';
import { tells, type Told, told } from '../../support/builders/told-by-rule.ts';

const mounts = suite('volumes that cannot be mounted');

const failed = (messages: string[], container: object = {}, spec: object = {}, parts: CaseParts = {}) =>
  mount.answer(
    anInput(container, spec, {
      failure_reason: 'FailedMount',
      container: null,
      container_statuses: [],
      // The newest event is the last.
      events: messages.toReversed().map((message) => ({ type: 'Warning', reason: 'FailedMount', message })),
      ...parts,
    }),
  );

const setUp = (why: string, volume = 'data') => `MountVolume.SetUp failed for volume "${volume}" : ${why}`;
const MEANINGS: [message: string, because: string, advice: string, look: string][] = [
  [
    setUp('hostPath type check failed: /srv/x is not a directory'),
    'the path does not exist on the node, or is not what its `type` says (`/srv/x`)',
    'Correct `hostPath.path`, or see why the nodes lack it',
    'the folder on the node',
  ],
  [
    setUp('driver name disk.csi.example not found in the list of registered CSI drivers'),
    'its CSI driver is not on the node (`disk.csi.example`)',
    'Install the driver',
    "the driver's DaemonSet",
  ],
  [
    setUp('Multi-Attach error: the volume is in use'),
    'it is attached to another node and can only be attached to one',
    'End the pod that uses it',
    'the pods with the same claim',
  ],
  [
    'Unable to attach or mount volumes: unmounted volumes=[data x], timed out waiting for the condition',
    'it was not ready in time',
    'Look at the claim, the attachment',
    "the claim's events",
  ],
  [
    setUp('open /x: permission denied'),
    'the node has no right to open it',
    'Check the rights on the server',
    "the storage server's export",
  ],
  [
    setUp('wrong fs type, bad option, bad superblock'),
    'its file system cannot be mounted',
    'Check the file system type',
    "kubelet's log on the node, and the disk",
  ],
  [
    setUp('access denied by server while mounting files:/srv'),
    'the NFS server refuses it, or the node lacks the NFS client (`files:/srv`)',
    'Where the message speaks of a helper program',
    'the server, its export',
  ],
  [
    setUp('medium HugePages is set, but no container asks for any'),
    'it is made of huge pages, and no container asks for any',
    'Use an ordinary `emptyDir`',
    '`emptyDir.medium`',
  ],
  [
    setUp('volume data has volumeMode Block, but is specified in volumeMounts'),
    'the pod and the claim do not agree on whether it has a file system or is a device (`Block`)',
    'A claim of `volumeMode: Filesystem`',
    "the claim's `volumeMode`",
  ],
  [
    setUp('path "/srv/x" does not exist'),
    'its folder does not exist on the node (`/srv/x`)',
    'Create the folder on the node that the volume names',
    "the PersistentVolume's `local.path`",
  ],
  [
    setUp('error processing PVC shop/files: PVC is being deleted'),
    'its claim is being deleted, or has no volume yet (`files`)',
    'Look at the claim.',
    "the claim's `deletionTimestamp`",
  ],
  [
    'AttachVolume.Attach failed for volume "data" : it is broken',
    'kubelet cannot mount it',
    "Correct what kubelet's message names",
    "kubelet's log on the node, and the volume",
  ],
];
for (const [message, because, advice, look] of MEANINGS)
  mounts(message, () => {
    const answer = told(failed([message]))!;
    assert.is(answer.summary, `The pod \`web\` cannot start: volume \`data\` cannot be mounted, because ${because}.`);
    assert.ok(answer.advice[0]?.startsWith(advice), answer.advice[0]);
    assert.ok(answer.look?.startsWith(look), answer.look);
    assert.is(answer.why, `The manifest is not the cause: ${because.replace(/ \(`[^)]*\)$/, '')}.`);
  });
mounts('a volume that cannot be attached', () => {
  const { summary, advice } = told(
    failed([], {}, {}, { events: [{ type: 'Warning', reason: 'FailedAttachVolume', message: 'it is broken' }] }),
  )!;
  assert.is(summary, 'The pod `web` cannot start: a volume cannot be mounted, because it cannot be attached to the node.');
  assert.equal(advice, ["Look at the attachment and at the driver's controller."]);
});

const host = (path: string, more: object = {}) => ({
  volumes: [
    { name: 'other', emptyDir: {} },
    { name: 'data', hostPath: { path }, ...more },
  ],
});
const check = (path: string, wanted: string) => setUp(`hostPath type check failed: ${path} is not a ${wanted}`);
const HUGE = setUp('medium HugePages is set, but no container asks for any');
const mode = (is: string, where: string) => setUp(`volume files has volumeMode ${is}, but is specified in ${where}`, 'pvc-1');
const TIMEOUT = 'Unable to attach or mount volumes: unmounted volumes=[data], timed out waiting for the condition';
const OTHER = setUp('rpc error: code = Internal desc = it is broken');
const NODES = [
  '/var/log',
  '/var/log/pods',
  '/var/log/containers',
  '/var/log/journal',
  '/var/lib/docker',
  '/var/lib/docker/containers',
  '/var/lib/containerd',
  '/var/lib/kubelet',
  '/var/lib/kubelet/pods',
  '/run/containerd',
  '/run/systemd',
  '/run/udev',
  '/etc/kubernetes',
  '/etc/cni/net.d',
  '/etc/ssl/certs',
  '/opt/cni/bin',
  '/lib/modules',
  '/sys/fs/cgroup',
  '/sys/fs/bpf',
  '/usr/share/zoneinfo',
  '/usr/share/ca-certificates',
];

const ROWS: [sentence: string, answer: ReturnType<typeof mount.answer>, expected: Partial<Told> | undefined][] = [
  ['nothing about volumes', failed(['all is well'], {}, {}, { failure_reason: 'Pending', events: [] }), undefined],
  [
    'the newest message that says more than that it took too long',
    failed([TIMEOUT, OTHER, setUp('path "/srv/x" does not exist')]),
    {
      culprit: '/srv/x',
      evidence: ['event FailedMount: MountVolume.SetUp failed for volume "data" : path "/srv/x" does not exist'],
    },
  ],
  [
    'only a timeout',
    failed([TIMEOUT]),
    {
      summary: 'The pod `web` cannot start: volume `data` cannot be mounted, because it was not ready in time.',
      culprit: 'volume data',
    },
  ],
  [
    'another message',
    failed([OTHER]),
    {
      summary: 'The pod `web` cannot start: volume `data` cannot be mounted, because kubelet cannot mount it.',
      culprit: 'volume data: it is broken',
      evidence: ['event FailedMount: MountVolume.SetUp failed for volume "data" : rpc error: code = Internal desc = it is broken'],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [],
    },
  ],
  [
    'a volume of a claim',
    failed([OTHER], {}, { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'files' } }] }),
    { commands: ['kubectl describe pod web -n shop', 'kubectl describe persistentvolumeclaim files -n shop'] },
  ],
  [
    'a claim of another volume',
    failed([OTHER], {}, { volumes: [{ name: 'x', persistentVolumeClaim: { claimName: 'files' } }] }),
    { commands: ['kubectl describe pod web -n shop'] },
  ],
  // Folders of the node.
  [
    'a folder of the node',
    failed([check('/srv/x', 'directory')], {}, host('/srv/x')),
    {
      culprit: '/srv/x',
      corrections: [
        ['guess', 'Let kubelet create it', { 'spec.volumes[1].hostPath.type': 'DirectoryOrCreate' }, 'no mirror'],
        ['guess', 'Use an empty volume', { 'spec.volumes[1].hostPath': null, 'spec.volumes[1].emptyDir': {} }],
      ],
    },
  ],
  [
    'a file that every node has, where the volume wants a folder',
    failed([check('/etc/machine-id', 'directory')], {}, host('/etc/machine-id')),
    { corrections: [['likely', 'Mount it as the type `File`', { 'spec.volumes[1].hostPath.type': 'File' }, 'no mirror']] },
  ],
  [
    'a socket that every node may have, where the volume wants a folder',
    failed([check('/var/run/docker.sock', 'directory')], {}, host('/var/run/docker.sock')),
    { corrections: [['likely', 'Mount it as the type `Socket`', { 'spec.volumes[1].hostPath.type': 'Socket' }, 'no mirror']] },
  ],
  [
    'a mistyped folder of the node',
    failed([check('/var/logs/', 'directory')], {}, host('/var/logs/')),
    {
      corrections: [
        ['likely', 'Mount `/var/log`', { 'spec.volumes[1].hostPath.path': '/var/log' }, 'no mirror'],
        ['guess', 'Let kubelet create it', { 'spec.volumes[1].hostPath.type': 'DirectoryOrCreate' }, 'no mirror'],
        ['guess', 'Use an empty volume', { 'spec.volumes[1].hostPath': null, 'spec.volumes[1].emptyDir': {} }],
      ],
    },
  ],
  [
    'a folder that is called like the namespace',
    failed([check('/srv/shop/x', 'directory')], {}, host('/srv/shop/x')),
    {
      corrections: [
        ['likely', 'Let kubelet create it', { 'spec.volumes[1].hostPath.type': 'DirectoryOrCreate' }, 'no mirror'],
        ['guess', 'Use an empty volume', { 'spec.volumes[1].hostPath': null, 'spec.volumes[1].emptyDir': {} }],
      ],
    },
  ],
  [
    'a folder that is called like the namespace and more',
    failed([check('/srv/shops', 'directory')], {}, host('/srv/shops')),
    {
      corrections: [
        ['guess', 'Let kubelet create it', { 'spec.volumes[1].hostPath.type': 'DirectoryOrCreate' }, 'no mirror'],
        ['guess', 'Use an empty volume', { 'spec.volumes[1].hostPath': null, 'spec.volumes[1].emptyDir': {} }],
      ],
    },
  ],
  [
    'a folder that is called like the container',
    failed([check('/srv/app', 'directory')], {}, host('/srv/app'), { container: 'app' }),
    {
      corrections: [
        ['likely', 'Let kubelet create it', { 'spec.volumes[1].hostPath.type': 'DirectoryOrCreate' }, 'no mirror'],
        ['guess', 'Use an empty volume', { 'spec.volumes[1].hostPath': null, 'spec.volumes[1].emptyDir': {} }],
      ],
    },
  ],
  [
    'a folder that is called like the workload',
    failed([check('/srv/web', 'directory')], {}, host('/srv/web'), { workload: { kind: 'Deployment', name: 'web' } }),
    {
      corrections: [
        ['likely', 'Let kubelet create it', { 'spec.volumes[1].hostPath.type': 'DirectoryOrCreate' }, 'no mirror'],
        ['guess', 'Use an empty volume', { 'spec.volumes[1].hostPath': null, 'spec.volumes[1].emptyDir': {} }],
      ],
    },
  ],
  [
    'a file of the node',
    failed([check('/srv/x', 'file')], {}, host('/srv/x')),
    {
      corrections: [['guess', 'Let kubelet create it', { 'spec.volumes[1].hostPath.type': 'FileOrCreate' }, 'no mirror']],
    },
  ],
  ['a socket of the node', failed([check('/run/x.sock', 'socket')], {}, host('/run/x.sock')), { corrections: [] }],
  [
    'a folder of another volume',
    failed([check('/srv/x', 'directory')], {}, { volumes: [{ name: 'other', hostPath: { path: '/srv/x' } }] }),
    { corrections: [] },
  ],
  [
    'a folder of a volume that the message does not name',
    failed(['MountVolume failed: hostPath type check failed: /srv/x is not a file'], {}, host('/srv/x')),
    {
      corrections: [['guess', 'Let kubelet create it', { 'spec.volumes[1].hostPath.type': 'FileOrCreate' }, 'no mirror']],
    },
  ],
  ['another folder of the volume', failed([check('/srv/x', 'directory')], {}, host('/srv/y')), { corrections: [] }],
  // Huge pages.
  [
    'huge pages',
    failed(
      [HUGE],
      {},
      {
        volumes: [
          { name: 'x', emptyDir: { medium: 'HugePages' } },
          { name: 'data', emptyDir: { medium: 'HugePages-2Mi' } },
        ],
      },
    ),
    {
      culprit: 'volume data: emptyDir.medium HugePages',
      corrections: [['likely', 'Use an ordinary empty volume', { 'spec.volumes[1].emptyDir.medium': null }]],
    },
  ],
  [
    'huge pages that the volume does not ask for',
    failed([HUGE], {}, { volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }] }),
    { corrections: [] },
  ],
  // Modes.
  [
    'a device that is mounted',
    failed([mode('Block', 'volumeMounts')], {
      volumeMounts: [
        { name: 'x', mountPath: '/x' },
        { name: 'files', mountPath: '/f' },
      ],
    }),
    {
      culprit: 'volume files has volumeMode Block, but is specified in volumeMounts',
      corrections: [
        [
          'guess',
          'Give `files` as a device',
          {
            volumeMounts: [{ name: 'x', mountPath: '/x' }],
            volumeDevices: [{ name: 'files', devicePath: '/dev/files' }],
          },
        ],
      ],
    },
  ],
  [
    'a folder that is given as a device',
    failed([mode('Filesystem', 'volumeDevices')], {
      volumeDevices: [{ name: 'files', devicePath: '/dev/f' }],
      volumeMounts: [{ name: 'x', mountPath: '/x' }],
    }),
    {
      corrections: [
        ['guess', 'Mount `files` as a folder', { volumeDevices: null, 'volumeMounts[1]': { name: 'files', mountPath: '/files' } }],
      ],
    },
  ],
  [
    'a mode of a volume that nobody mounts',
    failed([mode('Block', 'volumeMounts')], { volumeMounts: [{ name: 'x', mountPath: '/x' }] }),
    { corrections: [] },
  ],
];
for (const [sentence, answer, expected] of ROWS) mounts(sentence, () => tells(answer, expected));

mounts('a mistyped folder, for each that nodes have', () => {
  for (const path of NODES) {
    const wrong = `${path}${path.at(-1)}`;
    const [first] = told(failed([check(wrong, 'directory')], {}, host(wrong)))!.corrections;
    assert.equal(first, ['likely', `Mount \`${path}\``, { 'spec.volumes[1].hostPath.path': path }, 'no mirror'], path);
  }
});

mounts.run();
