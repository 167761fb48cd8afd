import { mirrorPodName, type MirrorPod } from '../../../src/crd/mirrorpod.ts';
import type { Running } from '../processes/process.ts';
import { type Installed, installPodmend } from './installed.ts';

/** Podmend on a real node, with an administrator. In the namespace, pod `web` cannot pull its image. */
export interface NodeMirrors extends Installed {
  operator: Running;
  /** A MirrorPod of this name as YAML; `spec` is the pod's, in one line. */
  mirror(name: string, source: string, spec: string, more?: string): string;
  /** Reads `kind/name`, or all objects of a kind, from the namespace. */
  read<T>(what: string): Promise<T>;
}

/** `admin` is the path of a disposable cluster's kubeconfig. `more` is further YAML to apply, with `---` before each document. */
export async function nodeMirrors(admin: string, namespace: string, more = ''): Promise<NodeMirrors> {
  const installed = await installPodmend(admin);
  const { client, kubectl } = installed;
  try {
    const operator = await installed.startOperator();
    installed.startAgent();
    const { status } = await client.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' });
    if (status !== 200) throw new Error(`signup: ${status}`);
    await kubectl.apply(`${sources(namespace)}${more}`);
    return {
      ...installed,
      operator,
      mirror: (name, source, spec, fields = 'ttlSeconds: 120') => `
apiVersion: podmend.dev/v1alpha1
kind: MirrorPod
metadata: {name: ${name}, namespace: ${namespace}}
spec: {source: {name: ${source}}, ${fields}, template: {spec: ${spec}}}
`,
      read: async <T>(what: string) => JSON.parse(await kubectl('get', what, '-n', namespace, '-o', 'json')) as T,
    };
  } catch (error) {
    await installed.stop([namespace]);
    throw error;
  }
}

const sources = (namespace: string): string => `
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: ${namespace}}
spec: {containers: [{name: app, image: 'web:11'}]}
`;

/** The name of the pod that a MirrorPod gets. */
export const podNameOf = ({ metadata, spec }: MirrorPod): string => mirrorPodName(spec.source.name, metadata.uid ?? '');
