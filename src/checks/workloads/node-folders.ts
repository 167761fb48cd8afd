import { posix } from 'node:path';
import type { Check, Subject, Violation } from '../check.ts';
import { indexed } from '../containers.ts';

/** Sockets of container runtimes. /run and /var/run are the same folder. */
export const SOCKET = /^(?:\/var)?\/run(?:\/(?:docker|containerd|crio|cri-dockerd|podman|k3s|containerd\/s))*(?:\/[\w.-]+\.sock)?$/;
/** Folders that the node's own processes use. For `/`, `/var` and `/var/lib`, the folders below them do not count. */
export const SENSITIVE = [
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/boot',
  '/root',
  '/home',
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/var/lib/kubelet',
  '/var/lib/docker',
  '/var/lib/containerd',
  '/var/lib/containers',
  '/var/lib/etcd',
  '/var/lib/rancher',
];

export const runtimeSocket: Check = {
  id: 'runtime-socket',
  title: 'Socket of the container runtime',
  severity: 'critical',
  rationale: 'Who talks to the runtime starts any container on the node, a privileged one too: the API server and its rules are not asked.',
  remediation:
    'Remove the volume. Build images with tools that need no runtime (BuildKit rootless, Buildah), and read metrics from the kubelet.',
  references: ['https://kubernetes.io/docs/concepts/storage/volumes/#hostpath'],
  frameworks: { nsa: ['Pod security enforcement'], cis: ['5.2.12'], mitre: ['T1611', 'T1610'] },
  run: (subject) => foldersOf(subject, (path) => SOCKET.test(path), 'reaches the container runtime of the node'),
};

export const nodeFolder: Check = {
  id: 'node-folder',
  title: 'Folder that the node works with',
  severity: 'critical',
  rationale: 'These folders hold keys, programs, devices and the files of all pods: reading them is enough to take over the node.',
  remediation: 'Remove the volume. Where an agent needs a single file, mount that file, read-only.',
  references: ['https://kubernetes.io/docs/concepts/storage/volumes/#hostpath'],
  frameworks: { nsa: ['Pod security enforcement'], cis: ['5.2.12'], mitre: ['T1611', 'T1552'] },
  run: (subject) => foldersOf(subject, isSensitive, 'is of the system'),
};

function isSensitive(path: string): boolean {
  return (
    path === '/' || path === '/var' || path === '/var/lib' || SENSITIVE.some((folder) => path === folder || path.startsWith(`${folder}/`))
  );
}

function foldersOf({ template: { spec } }: Subject, isMeant: (path: string) => boolean, problem: string): Violation[] {
  return indexed(spec.volumes).flatMap(([{ name, hostPath }, index]) => {
    const path = typeof hostPath?.path === 'string' ? posix.normalize(hostPath.path).replace(/(.)\/$/, '$1') : undefined;
    if (path === undefined || !isMeant(path)) return [];
    return [{ path: `spec.volumes[${index}].hostPath.path`, about: `Volume ${name}`, problem: `(${path}) ${problem}`, cures: [] }];
  });
}
