import type { PodSpec } from '../../../../../src/crd/kubernetes.ts';
import type { CureRow } from './cure.ts';
import { app, crash, guess, likely } from './rows.ts';

const home = (to: string, index?: number): object =>
  index === undefined ? { [`${app}.env`]: [{ name: 'HOME', value: to }] } : { [`${app}.env[${index}]`]: { name: 'HOME', value: to } };
/** An emptyDir at this folder, after the only volume that the pod already has. */
const emptyAt = (mountPath: string): object => ({
  'spec.volumes[1]': (to: { emptyDir?: object }) => to.emptyDir !== undefined,
  [`${app}.volumeMounts[1]`]: (to: { mountPath?: string }) => to.mountPath === mountPath,
});
const user: Partial<PodSpec> = { securityContext: { runAsUser: 1000 } };
const readOnly = { securityContext: { readOnlyRootFilesystem: true } };

/** Programs that want a folder in the home of a user without a home. */
export const HOMES: Record<string, CureRow> = {
  'Python, a cache at the root, and a hint before it': crash(
    'There was a problem when trying to write in your cache folder (/.cache/huggingface/hub). You should set the environment variable TRANSFORMERS_CACHE to a writable directory.\nTraceback (most recent call last):\n  File "/app/embed.py", line 14, in <module>\n    os.makedirs(path, exist_ok=True)\nPermissionError: [Errno 13] Permission denied: \'/.cache\'',
    { env: [{ name: 'MODEL_ID', value: 'example/e5' }] },
    { culprit: /\/\.cache/, best: home('/tmp', 1), ...likely },
    [],
    user,
  ),
  'npm without a home': crash(
    "npm error code EACCES\nnpm error syscall mkdir\nnpm error path /.npm\nnpm error errno EACCES\nnpm error Error: EACCES: permission denied, mkdir '/.npm'",
    {},
    { culprit: /\/\.npm/, best: home('/tmp'), ...likely },
    [],
    user,
  ),
  'Go, a build cache': crash(
    'failed to initialize build cache at /.cache/go-build: mkdir /.cache: permission denied',
    {},
    { culprit: /\/\.cache/, best: home('/tmp'), ...likely },
    [],
    user,
  ),
  '.NET, and a home that is the root': crash(
    "Unhandled exception. System.UnauthorizedAccessException: Access to the path '/.nuget/packages' is denied.",
    { env: [{ name: 'HOME', value: '/' }] },
    { culprit: /\/\.nuget/, best: { [`${app}.env[0].value`]: '/tmp' }, ...likely },
    [],
    user,
  ),
  'the home of root, for somebody else': crash(
    "EACCES: permission denied, mkdir '/root/.cache/puppeteer'",
    {},
    { culprit: /\/root\/\.cache/, best: home('/tmp'), ...likely },
    [],
    user,
  ),
  'a root that nobody may write, with a volume': crash(
    "PermissionError: [Errno 13] Permission denied: '/.config'",
    { ...readOnly, volumeMounts: [{ name: 'work', mountPath: '/work' }] },
    { culprit: /\/\.config/, best: home('/work'), ...likely },
    [],
    { ...user, volumes: [{ name: 'work', emptyDir: {} }] },
  ),
  'a root that nobody may write, without a volume': crash(
    "PermissionError: [Errno 13] Permission denied: '/.config'",
    readOnly,
    { culprit: /\/\.config/, best: null },
    [],
    user,
  ),
  'a folder that another variable names': crash(
    "PermissionError: [Errno 13] Permission denied: '/.cache/models'",
    { env: [{ name: 'XDG_CACHE_HOME', value: '/.cache' }] },
    {
      culprit: /\/\.cache/,
      best: {
        'spec.volumes': [{ name: 'writable--cache', emptyDir: {} }],
        [`${app}.volumeMounts`]: [{ name: 'writable--cache', mountPath: '/.cache' }],
      },
    },
    [],
    user,
  ),
  'a home that the container has, elsewhere': crash(
    "PermissionError: [Errno 13] Permission denied: '/.shop'",
    { env: [{ name: 'HOME', value: '/data' }] },
    { culprit: /\/\.shop/, best: null },
    [],
    user,
  ),
  'a file of the program that begins with a dot': crash(
    "PermissionError: [Errno 13] Permission denied: '/app/.env'",
    {},
    { culprit: /\/app\/\.env/, best: null },
    [],
    user,
  ),
  // With another home, the program would lose what volumes put into this one.
  'a path in a volume that is mounted at the home': crash(
    "PermissionError: [Errno 13] Permission denied: '/root/.cache/huggingface/hub'",
    { volumeMounts: [{ name: 'models', mountPath: '/root/.cache/huggingface' }] },
    { culprit: /\/root\/\.cache/, best: { 'spec.securityContext.fsGroup': 1000 }, ...guess },
    [],
    { ...user, volumes: [{ name: 'models', persistentVolumeClaim: { claimName: 'models' } }] },
  ),
  'a folder beside a volume in the same dot folder': crash(
    "PermissionError: [Errno 13] Permission denied: '/.cache/torch'",
    { volumeMounts: [{ name: 'models', mountPath: '/.cache/huggingface' }] },
    { culprit: /\/\.cache/, best: emptyAt('/.cache'), ...likely },
    [],
    { ...user, volumes: [{ name: 'models', persistentVolumeClaim: { claimName: 'models' } }] },
  ),
  'keys at the home, and a cache beside them': crash(
    "Error: EACCES: permission denied, mkdir '/root/.npm'",
    { volumeMounts: [{ name: 'keys', mountPath: '/root/.ssh', readOnly: true }] },
    { culprit: /\/root\/\.npm/, best: emptyAt('/root/.npm'), ...likely },
    [],
    { ...user, volumes: [{ name: 'keys', secret: { secretName: 'keys' } }] },
  ),
  'a configuration at the root, and a cache beside it': crash(
    "PermissionError: [Errno 13] Permission denied: '/.cache'",
    { volumeMounts: [{ name: 'rclone', mountPath: '/.config/rclone' }] },
    { culprit: /\/\.cache/, best: emptyAt('/.cache'), ...likely },
    [],
    { ...user, volumes: [{ name: 'rclone', configMap: { name: 'rclone' } }] },
  ),
  'a home that is a claim': crash(
    'mkdir /root/.config: permission denied',
    { volumeMounts: [{ name: 'home', mountPath: '/root' }] },
    { culprit: /\/root\/\.config/, best: { 'spec.securityContext.fsGroup': 1000 }, ...likely },
    [],
    { ...user, volumes: [{ name: 'home', persistentVolumeClaim: { claimName: 'home' } }] },
  ),
  'a volume that has nothing to do with the home': crash(
    "PermissionError: [Errno 13] Permission denied: '/.cache'",
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { culprit: /\/\.cache/, best: home('/tmp'), ...likely },
    [],
    { ...user, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  ),
};
