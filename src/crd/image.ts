/** The parts of an image reference as written, without default registry, folder or tag. */
export interface ImageName {
  /** With registry and folders: `ghcr.io/acme/web`. */
  repository: string;
  tag: string | null;
  digest: string | null;
}

/** The parts of an image reference. Total: an invalid reference is read as well as possible. */
export function parseImage(image: string): ImageName {
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  const digest = at < 0 ? null : image.slice(at + 1);
  const colon = name.lastIndexOf(':');
  if (colon <= name.lastIndexOf('/')) return { repository: name, tag: null, digest };
  return { repository: name.slice(0, colon), tag: name.slice(colon + 1), digest };
}

/** The repository with its defaults: `web` is `docker.io/library/web`. */
export function fullRepository(repository: string): string {
  const [first = '', ...rest] = repository.split('/');
  if (rest.length === 0) return `docker.io/library/${first}`;
  return /[.:]/.test(first) || first === 'localhost' ? repository : `docker.io/${repository}`;
}

/** The registry's host; `docker.io` when the reference names none. */
export function registryOf(image: string): string {
  return fullRepository(parseImage(image).repository).split('/', 1)[0] as string;
}
