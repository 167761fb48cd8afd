import { readFile } from 'node:fs/promises';
import { dumpManifest, loadManifests } from '../../../src/crd/manifest.ts';
import { findKubectl, kubectlFor } from './kubectl.ts';

/** Runs kubectl as a user would. Returns its output; throws its error text if it fails. */
export interface ClusterUser {
  (...args: string[]): Promise<string>;
  /** `kubectl apply -f -` of this YAML. */
  apply(yaml: string): Promise<string>;
  close(): Promise<void>;
}

const inBlocks = (yaml: string): string => loadManifests(yaml).map(dumpManifest).join('---\n');

/** A user with the kubeconfig at `path`. Throws if there is no kubectl. */
export async function clusterUser(path: string): Promise<ClusterUser> {
  const found = await findKubectl();
  if ('missing' in found) throw new Error(found.missing);
  const kubectl = await kubectlFor(found.path, await readFile(path, 'utf8'));
  const run = async (args: string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await kubectl(args, input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  return Object.assign((...args: string[]) => run(args), {
    // Some versions treat input that starts with a brace as JSON.
    apply: (yaml: string) => run(['apply', '-f', '-'], yaml.trimStart().startsWith('{') ? inBlocks(yaml) : yaml),
    close: () => kubectl.close(),
  });
}
