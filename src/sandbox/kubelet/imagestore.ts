import type { Api } from '../api/api.ts';
import type { Clock } from '../clock.ts';
import type { Loose, Stored } from '../store/object.ts';
import type { Image } from './images.ts';
import { nameError, pull, type Pulled } from './images.ts';

type Tell = (type: 'Normal' | 'Warning', reason: string, message: string, isPodWide?: boolean) => void;

/** The images on the node. `get` returns the image, or the reason and message of the container that waits for it. */
export interface ImageStore {
  get(pod: Stored, container: Loose, tell: Tell): Promise<{ image: Image } | { reason: string; message: string }>;
}

const PULL_MS = 150;

/** Answers a pull, in its own time. */
export type ImageRegistry = (image: string, isAuthorized: boolean) => Promise<Pulled>;

/** The simulated registry: every pull takes the same time. */
const catalogue =
  (clock: Clock): ImageRegistry =>
  async (image, mayPull) => {
    await new Promise<void>((done) => clock.after(PULL_MS, done));
    return pull(image, mayPull);
  };

/** Whether a pull secret of the pod contains `user` and `password`, for any registry. Reports missing secrets. */
function isAuthorized(api: Api, pod: Stored, tell: Tell): boolean {
  const secrets = api.registry.builtin('secrets').storage;
  const names = ((pod.spec.imagePullSecrets ?? []) as Loose[]).map(({ name }) => name as string);
  const missing = names.filter((name) => !api.store.get(secrets, `${pod.metadata.namespace}/${name}`));
  if (missing.length)
    tell(
      'Warning',
      'FailedToRetrieveImagePullSecret',
      `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`,
      true,
    );
  return names.some((name) => {
    const data = api.store.get(secrets, `${pod.metadata.namespace}/${name}`)?.data?.['.dockerconfigjson'];
    try {
      const auths = JSON.parse(Buffer.from(data ?? '', 'base64').toString()).auths as Record<string, Loose>;
      return Object.values(auths).some(
        ({ username, password, auth }) =>
          (username === 'user' && password === 'password') || Buffer.from(auth ?? '', 'base64').toString() === 'user:password',
      );
    } catch {
      return false;
    }
  });
}

/** The images that a node has pulled, by the reference that was requested. A private image is only for pods that may pull it. */
export function imageStore(api: Api, clock: Clock, registry: ImageRegistry = catalogue(clock)): ImageStore {
  const present = new Map<string, Image>();
  return {
    async get(pod, container, tell) {
      const { image: name, imagePullPolicy: policy } = container;
      const wrong = nameError(name);
      if (wrong) {
        tell('Warning', 'InspectFailed', wrong);
        return { reason: 'InvalidImageName', message: wrong };
      }
      const known = present.get(name);
      if (known && policy !== 'Always') {
        tell('Normal', 'Pulled', `Container image "${name}" already present on machine and can be accessed by the pod`);
        return { image: known };
      }
      if (policy === 'Never') {
        const message = `Container image "${name}" is not present with pull policy of Never`;
        tell('Warning', 'ErrImageNeverPull', message);
        return { reason: 'ErrImageNeverPull', message };
      }
      const mayPull = isAuthorized(api, pod, tell);
      tell('Normal', 'Pulling', `Pulling image "${name}"`);
      const pulled = await registry(name, mayPull);
      if ('error' in pulled) {
        tell('Warning', 'Failed', `Failed to pull image "${name}": ${pulled.error}`);
        return { reason: 'ErrImagePull', message: pulled.error };
      }
      if (!name.includes('private/')) present.set(name, pulled.image);
      tell(
        'Normal',
        'Pulled',
        `Successfully pulled image "${name}" in ${PULL_MS}ms (${PULL_MS}ms including waiting). Image size: ${pulled.image.sizeBytes} bytes.`,
      );
      return pulled;
    },
  };
}
