import type { Message, Quote } from './message.ts';

/** A missing ConfigMap, Secret or key that a container or volume names. `key` is null when the object itself is missing. */
export interface MissingFact {
  kind: 'missing';
  what: 'ConfigMap' | 'Secret';
  name: string;
  key: string | null;
  /** The volume that names it; null if a variable does. */
  volume: string | null;
  evidence: Quote;
}
/** `runAsNonRoot` contradicts the image or the pod. `user` is the image's user if that is a name. */
export interface RunAsRootFact {
  kind: 'run-as-root';
  cause: 'image' | 'named-user' | 'pod';
  user: string | null;
  evidence: Quote;
}
/** A container that could not be created for another reason. */
export interface CreateFact {
  kind: 'create';
  cause: 'no-command' | 'name-in-use' | 'sub-path' | 'device' | 'mount' | 'services' | 'seccomp' | 'field' | 'variable' | 'other';
  detail: string | null;
  evidence: Quote;
}
export type ConfigFact = MissingFact | RunAsRootFact | CreateFact;

/** Facts in a message about the configuration that a container needs. */
export function readConfig(message: Message): ConfigFact[] {
  const { text } = message;
  const evidence = { from: message.from, text };
  return missing(text, evidence) ?? runAsRoot(text, evidence) ?? create(message, evidence) ?? [];
}

function missing(text: string, evidence: Quote): MissingFact[] | undefined {
  const volume = /for volume "([^"]{1,253})"/.exec(text)?.[1] ?? null;
  const key = /couldn't find key (\S{1,253}) in (ConfigMap|Secret) (?:[^\s/]{1,63}\/)?([^\s,]{1,253})/.exec(text);
  if (key)
    return [{ kind: 'missing', key: key[1] as string, what: key[2] as MissingFact['what'], name: key[3] as string, volume, evidence }];
  const object =
    /\b(configmap|secret)s? "([^"]{1,253})" not found/i.exec(text) ?? /object "[^"/]{1,63}"\/"([^"]{1,253})" not registered/.exec(text);
  if (object?.[2]) {
    const what = object[1]?.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap';
    return [{ kind: 'missing', what, name: object[2], key: null, volume, evidence }];
  }
  const volumeKey = /references non-existent (config|secret) key: (\S{1,253})/.exec(text);
  if (!volumeKey) return undefined;
  // The message names only the volume and the key; the manifest names the object.
  return [
    { kind: 'missing', what: volumeKey[1] === 'secret' ? 'Secret' : 'ConfigMap', name: '', key: volumeKey[2] as string, volume, evidence },
  ];
}

function runAsRoot(text: string, evidence: Quote): RunAsRootFact[] | undefined {
  if (text.includes('runAsNonRoot and image will run as root')) return [{ kind: 'run-as-root', cause: 'image', user: null, evidence }];
  const named = /runAsNonRoot and image has non-numeric user \(([^)]{1,100})\)/.exec(text);
  if (named) return [{ kind: 'run-as-root', cause: 'named-user', user: named[1] as string, evidence }];
  return text.includes('runAsUser breaks non-root policy') ? [{ kind: 'run-as-root', cause: 'pod', user: null, evidence }] : undefined;
}

const CREATE_CAUSES: readonly [CreateFact['cause'], RegExp][] = [
  ['no-command', /no command specified|No command specified|no command or entrypoint/],
  [
    'name-in-use',
    /is reserved for "?[0-9a-f]{8,64}|name "[^"]{1,300}" is (?:reserved|already in use)|The container name .{1,300} is already in use/,
  ],
  ['variable', /missing value for "?([\w.-]{1,253})/],
  [
    'sub-path',
    /failed to prepare subPath for volumeMount "([^"]{1,253})"|failed to create subPath directory for volumeMount "([^"]{1,253})"|subPath/,
  ],
  ['device', /no such device|lstat \/dev\/|stat \/dev\/|device plugin|CDI device/],
  ['services', /services have not yet been read/],
  ['field', /^container (\S{1,253}) not found$/],
  // containerd, CRI-O, dockershim.
  [
    'seccomp',
    /seccomp profile "([^"]{1,500})"|unable to load local profile "([^"]{1,500})"|open (\/\S{0,300}seccomp\/\S{1,300}): no such file/,
  ],
  ['mount', /mkdir |failed to (?:mkdir|stat|mount)|invalid mount|error mounting|read-only file system|not a shared mount/],
];

function create({ text, reason }: Message, evidence: Quote): CreateFact[] | undefined {
  if (
    reason !== 'CreateContainerConfigError' &&
    reason !== 'CreateContainerError' &&
    reason !== 'Failed' &&
    reason !== 'PreCreateHookError'
  )
    return undefined;
  if (reason === 'Failed' && !/failed to (?:generate|create) (?:container|containerd container)|no command specified|subPath/i.test(text))
    return undefined;
  for (const [cause, words] of CREATE_CAUSES) {
    const found = words.exec(text);
    if (found) return [{ kind: 'create', cause, detail: found.slice(1).find((group) => group !== undefined) ?? null, evidence }];
  }
  return text && reason !== 'Failed' ? [{ kind: 'create', cause: 'other', detail: null, evidence }] : undefined;
}
