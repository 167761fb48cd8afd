import { createHash } from 'node:crypto';
import { APPLET_PATHS } from './shell/applets.ts';

/** The content of an image: its start command, its programs, its user. */
export interface Image {
  /** `docker.io/library/web:1`. */
  name: string;
  digest: string;
  sizeBytes: number;
  entrypoint: string[];
  command: string[];
  environment: Record<string, string>;
  executables: string[];
}

/** The result of a pull: the image, or the registry's refusal in containerd's words. */
export type Pulled = { image: Image } | { error: string };

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
type Contents = Omit<Image, 'name' | 'digest'>;

const WEB: Contents = { sizeBytes: 3_023_274, entrypoint: ['/web'], command: [], environment: { PATH }, executables: ['/web'] };
const BUSYBOX: Contents = {
  sizeBytes: 1_069_204,
  entrypoint: [],
  command: ['sh'],
  environment: { PATH: '/bin' },
  executables: APPLET_PATHS,
};

/** The catalogue of the simulated registry: repository → tag → image. Repositories under `private/` require a user and a password. */
const CATALOGUE: Record<string, Record<string, Contents>> = {
  busybox: { '1.35': BUSYBOX },
  web: { '1': WEB },
  'no-command': { '1': { ...WEB, sizeBytes: 3_023_220, entrypoint: [] } },
  'private/app': { '1': WEB },
};

/** The host that does not exist. Every other host serves the catalogue. */
const NO_HOST = 'registry.example';

interface Reference {
  host: string;
  repository: string;
  tag: string;
  full: string;
}

/** Parses an image reference as containerd does. Throws the reason if it is invalid. */
function referenceOf(image: string): Reference {
  const [first = '', ...others] = image.split('/');
  const hasHost = others.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const host = hasHost ? first : 'docker.io';
  const rest = hasHost ? others.join('/') : image;
  const match = /^(.*?)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(rest);
  const repository = match?.[1] ?? '';
  const tag = match?.[3] ?? match?.[2] ?? 'latest';
  const path = host === 'docker.io' && !repository.includes('/') ? `library/${repository}` : repository;
  const prefix = `Failed to apply default image tag ${JSON.stringify(image)}: couldn't parse image name ${JSON.stringify(image)}: invalid reference format`;
  if (/[A-Z]/.test(repository)) throw new Error(`${prefix}: repository name (${path.replace(/:.*$/, '')}) must be lowercase`);
  if (!/^[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/.test(repository)) throw new Error(prefix);
  return { host, repository: repository.replace(/^library\//, ''), tag, full: `${host}/${path}${match?.[3] ? '@' : ':'}${tag}` };
}

/** The kubelet's message about an invalid image reference; undefined if it is valid. */
export function nameError(image: string): string | undefined {
  try {
    referenceOf(image);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Requests an image from the simulated registry. `isAuthorized`: a pull secret had the user and password of `private/`. */
export function pull(image: string, isAuthorized: boolean): Pulled {
  const { host, repository, tag, full } = referenceOf(image);
  const failed = `failed to pull and unpack image ${JSON.stringify(full)}: failed to resolve image:`;
  const denied = 'pull access denied, repository does not exist or may require authorization:';
  if (host === NO_HOST)
    return {
      error: `${failed} failed to do request: Head "https://${host}/v2/${repository}/manifests/${tag}": dial tcp: lookup ${host}: no such host`,
    };
  if (repository.startsWith('private/') && !isAuthorized)
    return { error: `${failed} ${denied} authorization failed: no basic auth credentials` };
  const tags = CATALOGUE[repository];
  if (!tags) return { error: `${failed} ${denied} server message: insufficient_scope: authorization failed` };
  const contents = tags[tag];
  if (!contents) return { error: `rpc error: code = NotFound desc = ${failed} ${full}: not found` };
  const digest = `sha256:${createHash('sha256').update(full).digest('hex')}`;
  return { image: { ...contents, name: full, digest } };
}
