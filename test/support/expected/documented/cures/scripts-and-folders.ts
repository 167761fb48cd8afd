import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely } from './rows.ts';

const shell = (script: string) => ['sh', '-c', script];
const data = (mountPath: string) => ({ volumeMounts: [{ name: 'data', mountPath }] });
const claim = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };

/** Scripts and folders of a container; then near misses. */
export const SCRIPTS_AND_FOLDERS: Record<string, CureRow> = {
  'a folder that is mounted under its whole name': crash(
    "sh: 1: cd: can't cd to /srv/app\n",
    { command: shell('cd /srv/app && ./run'), ...data('/srv/application') },
    { culprit: /\/srv\/app/, best: { [`${app}.command[2]`]: 'cd /srv/application && ./run' }, ...likely },
    [],
    claim,
  ),
  'a folder that is there already': crash(
    "mkdir: can't create directory '/data/cache': File exists\n",
    { command: shell('mkdir /data/cache && run'), ...data('/data') },
    { culprit: /\/data\/cache/, best: { [`${app}.command[2]`]: 'mkdir -p /data/cache && run' }, ...likely },
    [],
    claim,
  ),
  'a switch in quotes in JSON': crash(
    'json: cannot unmarshal string into Go struct field Config.debug of type bool\n',
    env({ APP_CONFIG: '{"debug": "true", "port": 80}' }),
    { culprit: /debug in APP_CONFIG/, best: { [`${app}.env[0].value`]: '{"debug": true, "port": 80}' }, ...likely },
  ),
  'a worker that does not like root': crash(
    'Running a worker with superuser privileges when the worker accepts messages serialized with pickle is a very bad idea!\nIf you really want to continue then you have to set the C_FORCE_ROOT environment variable (but please think about this before you do).\n',
    { args: ['celery', 'worker'] },
    { culprit: /superuser/, best: { [`${app}.securityContext.runAsUser`]: 1000 } },
  ),
  'a program that is not where it starts': crash(
    '[FATAL tini (7)] exec ./server failed: No such file or directory\n',
    { command: ['tini', '--', './server'], workingDir: '/' },
    { culprit: /\.\/server/, best: { [`${app}.workingDir`]: null }, ...guess },
  ),

  // Near misses.
  'a folder that is mounted elsewhere': crash(
    "sh: 1: cd: can't cd to /srv/app\n",
    { command: shell('cd /srv/app && ./run'), ...data('/var/app') },
    { culprit: /\/srv\/app/, best: null },
    [],
    claim,
  ),
  'a folder that is there already, and is made with -p': crash(
    "mkdir: can't create directory '/data/cache': File exists\n",
    { command: shell('mkdir -p /data/cache && run'), ...data('/data') },
    { culprit: /\/data\/cache/, best: null },
    [],
    claim,
  ),
  'a text in JSON that is no switch': crash(
    'json: cannot unmarshal string into Go struct field Config.debug of type bool\n',
    env({ APP_CONFIG: '{"debug": "maybe"}' }),
    { culprit: /debug/, best: null },
  ),
};
