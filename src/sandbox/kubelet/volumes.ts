import type { Api } from '../api/api.ts';
import type { Loose, Stored } from '../store/object.ts';
import { entriesOf, fieldValue } from './environment.ts';
import { Files } from './files.ts';

/** A volume cannot be mounted. The message is the kubelet's, for the event `FailedMount`. */
export class MountFault extends Error {}

/** Directories and files of the node that exist for a hostPath with a type. */
const HOST_DIRECTORIES = new Set([
  '/',
  '/etc',
  '/tmp',
  '/var',
  '/var/log',
  '/var/lib',
  '/run',
  '/proc',
  '/sys',
  '/dev',
  '/usr',
  '/home',
  '/root',
  '/opt',
  '/srv',
]);

/** The chosen keys of a ConfigMap or Secret, as files. */
function keyed(api: Api, namespace: string, kind: 'ConfigMap' | 'Secret', source: Loose): Record<string, string> {
  const name = source.secretName ?? source.name;
  const entries = entriesOf(api, kind, namespace, name);
  if (!entries && source.optional) return {};
  if (!entries) throw new MountFault(`${kind.toLowerCase()} "${name}" not found`);
  if (!source.items) return Object.fromEntries(Object.entries(entries).map(([key, text]) => [`/${key}`, text]));
  const files: Record<string, string> = {};
  for (const { key, path } of source.items as Loose[]) {
    const text = entries[key];
    if (text !== undefined) files[`/${path}`] = text;
    else if (!source.optional)
      throw new MountFault(
        kind === 'Secret' ? `references non-existent secret key: ${key}` : `configmap references non-existent config key: ${key}`,
      );
  }
  return files;
}

function projected(api: Api, pod: Stored, sources: Loose[]): Record<string, string> {
  const namespace = pod.metadata.namespace ?? '';
  return Object.assign(
    {},
    ...sources.map((source) => {
      if (source.configMap) return keyed(api, namespace, 'ConfigMap', source.configMap);
      if (source.secret) return keyed(api, namespace, 'Secret', source.secret);
      if (source.downwardAPI) return downward(pod, source.downwardAPI.items);
      return { [`/${source.serviceAccountToken?.path ?? 'token'}`]: 'sandbox' };
    }),
  );
}

const downward = (pod: Stored, items: Loose[] = []): Record<string, string> =>
  Object.fromEntries(items.map(({ path, fieldRef }) => [`/${path}`, fieldRef ? fieldValue(pod, fieldRef.fieldPath) : '']));

function checkHostPath({ path, type }: Loose): void {
  if (!type || type.endsWith('OrCreate')) return;
  const isDirectory = HOST_DIRECTORIES.has(path);
  if (type === 'Directory' && !isDirectory) throw new MountFault(`hostPath type check failed: ${path} is not a directory`);
  if (type === 'File') throw new MountFault(`hostPath type check failed: ${path} is not a file`);
  if (type === 'Socket') throw new MountFault(`hostPath type check failed: ${path} is not a socket file`);
}

/** One volume of a pod as a tree of files. Throws `MountFault` with the words after `MountVolume.SetUp failed for volume "…" : `. */
export function volumeFiles(api: Api, pod: Stored, volume: Loose): Files {
  const namespace = pod.metadata.namespace ?? '';
  if (volume.configMap) return Files.volume(keyed(api, namespace, 'ConfigMap', volume.configMap), true);
  if (volume.secret) return Files.volume(keyed(api, namespace, 'Secret', volume.secret), true);
  if (volume.projected) return Files.volume(projected(api, pod, volume.projected.sources ?? []), true);
  if (volume.downwardAPI) return Files.volume(downward(pod, volume.downwardAPI.items), true);
  if (volume.hostPath) checkHostPath(volume.hostPath);
  return Files.volume({}, false);
}
