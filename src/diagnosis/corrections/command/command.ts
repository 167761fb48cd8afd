import { commandWords, isShell } from '../container-texts.ts';
import type { Container, KeyToPath, VolumeMount } from '../../../crd/kubernetes.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { nearest } from '../similar-names.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';

/** Programs that many images have. A mistyped command probably means one of them. */
const PROGRAMS = [
  'sh', 'bash', 'python', 'python3', 'node', 'npm', 'npx', 'yarn', 'pnpm', 'java', 'ruby', 'bundle', 'rails', 'php', 'php-fpm', 'perl', 'go', 'dotnet', 'deno', 'bun',
  'nginx', 'httpd', 'apachectl', 'caddy', 'redis-server', 'redis-cli', 'postgres', 'mysqld', 'mongod', 'memcached', 'haproxy', 'envoy', 'traefik', 'gunicorn', 'uvicorn',
  'celery', 'flask', 'django-admin', 'sleep', 'echo', 'cat', 'tail', 'curl', 'wget', 'env', 'make', 'supervisord', 'tini', 'dumb-init', 'gosu',
]; // prettier-ignore

/** Words that begin no name of a program: a port, an option, an address. */
const NO_PROGRAM = /^(?::\d|-{1,2}\w|[\d.]+:\d)/;

/** For arguments that stand in `command`, where they replace the image's own program. */
export function asArguments(place: ContainerPlace | undefined): Correction[] {
  const { command = [], args } = place?.container ?? {};
  if (!place || args?.length || !NO_PROGRAM.test(command[0] ?? '')) return [];
  const why = 'words in `command` replace the program of the image';
  return [
    {
      title: 'Move `command` to `args`',
      changes: [
        change(place, fieldPath(place.path, 'command'), null, why),
        change(place, fieldPath(place.path, 'args'), command, 'the program of the image gets these words'),
      ],
      confidence: 'likely',
      explanation: `${code(command[0] ?? '', 80)} is no program, but an argument for one.`,
      mirrorable: true,
    },
  ];
}

/** Interpreters for scripts that are not executable. */
const INTERPRETERS: Record<string, string> = {
  sh: 'sh',
  bash: 'bash',
  py: 'python3',
  js: 'node',
  mjs: 'node',
  rb: 'ruby',
  pl: 'perl',
  php: 'php',
};

/** Removes the container's `command` (and its `args`, which belong to it), so that the image's own entrypoint runs. */
export function dropCommand(place: ContainerPlace | undefined, why: string): Correction[] {
  const { container } = place ?? {};
  if (hasLongScript(container)) return [];
  if (!place || !container || (!container.command?.length && !container.args?.length)) return [];
  const changes = (['command', 'args'] as const)
    .filter((field) => container[field]?.length)
    .map((field) => change(place, fieldPath(place.path, field), null, field === 'command' ? why : 'the arguments belong to the command'));
  return [
    {
      title: "Run the image's own entrypoint",
      changes,
      confidence: 'guess',
      explanation: 'Without a command in the pod, the image starts the program that it was built for.',
      mirrorable: true,
    },
  ];
}

/** Whether the command is a shell with a script of several commands. That is the work of this container, which the image's own program does not do. */
function hasLongScript(container: Container | undefined): boolean {
  const words = commandWords(container);
  return isShell(words[0] ?? '') && words.some((word) => /\n\s*\S|;\s*\S|&&|\|\|/.test(word.trim()));
}

/**
 * For a program that the image lacks: a program with a similar name, the words of a command that was not split, or a shell that every image
 * has.
 */
export function otherProgram(place: ContainerPlace | undefined, program: string): Correction[] {
  const found = placeOfProgram(place, program);
  if (!place) return [];
  if (!found) return behindLauncher(place, program);
  const { field, words } = found;
  const path = fieldPath(place.path, field);
  const fix = programInstead(place, path, program);
  const rest = words.slice(1);
  if (/\s/.test(program.trim())) {
    const isScript = /[|&;<>$`]/.test(program);
    const to = isScript ? ['sh', '-c', program, ...rest] : [...program.trim().split(/\s+/), ...rest];
    return [
      fix(
        isScript ? 'Let a shell run the command' : 'Split the command into its words',
        to,
        isScript
          ? 'only a shell reads several commands in one text; the runtime looks for one file with this whole name'
          : 'every word of a command is an entry of the list; the runtime looks for one file with this whole name',
        'likely',
      ),
    ];
  }
  const [folder, name] = [program.slice(0, program.lastIndexOf('/') + 1), program.slice(program.lastIndexOf('/') + 1)];
  if (WRAPPERS.has(name)) return withoutWrapper(place, field);
  if (name === 'bash') return [fix('Use `sh`', [`${folder ? '/bin/' : ''}sh`, ...rest], 'small images have `sh` but not `bash`', 'likely')];
  if (name === 'python')
    return [fix('Use `python3`', [`${folder}python3`, ...rest], 'in many images the program is only called `python3`', 'guess')];
  if (/[\r\n]|^\s|\s$/.test(name))
    return [fix('Remove the white space', [program.trim(), ...rest], 'the white space is not part of the name', 'likely')];
  // A path below a program is no folder.
  if (/\/(?:ba|da|a|z)?sh\/$/.test(folder)) return [];
  return nearest(name, PROGRAMS)
    .slice(0, 2)
    .map((guess) =>
      fix(`Use ${code(guess)}`, [`${folder}${guess}`, ...rest], `${code(name, 80)} looks like a typo of ${code(guess)}`, 'likely'),
    );
}

/** Programs that others start: `bundle exec puma`, `npx next`, `poetry run alembic`. */
const STARTED = [
  ...['puma', 'unicorn', 'rackup', 'rake', 'sidekiq', 'resque', 'rspec', 'hanami', 'karafka', 'shoryuken', 'clockwork', 'whenever'],
  ...['next', 'nest', 'nodemon', 'ts-node', 'vite', 'prisma', 'sequelize', 'knex', 'typeorm', 'serve', 'http-server', 'pm2'],
  ...['alembic', 'hypercorn', 'daphne', 'waitress-serve', 'streamlit', 'airflow', 'dagster', 'dramatiq', 'huey', 'rqworker', 'scrapy'],
];

/** A slip in the name of a program that another one starts. */
function behindLauncher(place: ContainerPlace, program: string): Correction[] {
  const near = nearest(program, [...PROGRAMS, ...STARTED]);
  const found = (['command', 'args'] as const).flatMap((field) =>
    (place.container?.[field] ?? []).flatMap((word, index) => (word === program ? [fieldPath(place.path, field, index)] : [])),
  );
  const [path, ...more] = found;
  if (path === undefined || more.length > 0) return [];
  const fix = programInstead(place, path, program);
  return near
    .slice(0, 2)
    .map((guess) => fix(`Use ${code(guess)}`, guess, `${code(program, 80)} looks like a typo of ${code(guess)}`, 'likely'));
}

/** Makes corrections that put another text or other words at the path, because the image lacks the program. */
function programInstead(place: ContainerPlace, path: string, program: string) {
  return (title: string, to: string | string[], why: string, confidence: Correction['confidence']): Correction => ({
    title,
    changes: [change(place, path, to, why)],
    confidence,
    explanation: `${code(program, 80)} is not a program of the image.`,
    mirrorable: true,
  });
}

/** Programs that only start another one as the first process of a container. */
const WRAPPERS = new Set(['tini', 'tini-static', 'dumb-init', 'catatonit', 'my_init', 's6-svscan', 'docker-init', 'pid1', 'go-init']);

/** Starts the program directly, without the wrapper that the image lacks. */
function withoutWrapper(place: ContainerPlace, field: 'command' | 'args'): Correction[] {
  const { command = [], args = [] } = place.container ?? {};
  const words = field === 'command' ? [...command, ...args] : args;
  const start = words.findIndex((word, index) => index > 0 && word !== '--' && !word.startsWith('-'));
  if (start < 0) return [];
  const to = words.slice(start);
  return [
    {
      title: `Start ${code(to[0] ?? '', 60)} itself`,
      changes: [
        change(place, fieldPath(place.path, field), to, `the image has no ${code(words[0] ?? '', 60)}`),
        ...(field === 'command' && args.length > 0
          ? [change(place, fieldPath(place.path, 'args'), null, 'they are now in the command')]
          : []),
      ],
      confidence: 'likely',
      explanation: 'The wrapper only starts the program and passes signals on. Kubernetes does without it.',
      mirrorable: true,
    },
  ];
}

/** A shell takes its script for a file name because `-c` is missing. Undefined for any other command. */
export function scriptAsFile(place: ContainerPlace | undefined): { script: string; corrections: Correction[] } | undefined {
  const words = commandWords(place?.container);
  const [shell = '', script = ''] = words;
  const field = place?.container?.command?.length === 1 ? 'args' : 'command';
  if (!place || !isShell(shell) || !/[\s;&|]/.test(script.trim())) return undefined;
  const own = place.container?.[field] ?? [];
  const to = own.flatMap((word) => (word === script ? ['-c', word] : [word]));
  return {
    script,
    corrections: [
      {
        title: 'Give the shell its script with `-c`',
        changes: [change(place, fieldPath(place.path, field), to, 'without `-c` a shell reads its first argument as the name of a file')],
        confidence: 'certain',
        explanation: 'The shell then runs the script.',
        mirrorable: true,
      },
    ],
  };
}

/** For a script that is not executable: give the volume's files an executable mode, or run the script with its interpreter. */
export function runnable(
  place: ContainerPlace | undefined,
  program: string,
  because = 'The file is a script without the right to be executed.',
): Correction[] {
  if (!place || !commandWords(place.container).includes(program)) return [];
  // A wrapper (`tini -- /scripts/run.sh`) may start the program too.
  return [...modeOfVolume(place, program), ...byInterpreter(place, program, because)];
}

/**
 * Runs a script with the interpreter that its name suggests. If the name suggests none and the script comes from a ConfigMap or Secret
 * volume, uses `sh`.
 */
export function byInterpreter(place: ContainerPlace | undefined, program: string, because: string): Correction[] {
  const found = placeOfProgram(place, program);
  if (!place || !found) return [];
  const known = INTERPRETERS[/\.(\w{1,5})$/.exec(program)?.[1] ?? ''];
  const interpreter = known ?? (modeOfVolume(place, program).length > 0 && !/\.\w{1,5}$/.test(program) ? 'sh' : undefined);
  if (!interpreter) return [];
  return [
    {
      title: `Run it with ${code(interpreter)}`,
      changes: [
        change(place, fieldPath(place.path, found.field), [interpreter, ...found.words], 'an interpreter only needs to read the file'),
      ],
      confidence: 'likely',
      explanation: because,
      mirrorable: true,
    },
  ];
}

/** For a file of a ConfigMap or Secret volume that is run: gives it, or all files of the volume, an executable mode. */
export function modeOfVolume(place: ContainerPlace, program: string): Correction[] {
  const mount = place.container?.volumeMounts?.find(
    ({ mountPath }) => program.startsWith(mountPath.endsWith('/') ? mountPath : `${mountPath}/`) || program === mountPath,
  );
  const index = place.spec.volumes?.findIndex(({ name }) => name === mount?.name) ?? -1;
  const volume = place.spec.volumes?.[index];
  const source = volume?.configMap ? 'configMap' : volume?.secret ? 'secret' : undefined;
  if (!source) return [];
  const path = fieldPath(place.specPath, 'volumes', index, source);
  const item = itemOf(volume?.[source]?.items ?? [], program, mount);
  if (item)
    return [
      {
        title: `Make ${code(item.path)} executable`,
        changes: [
          change(
            place,
            fieldPath(path, 'items', item.index, 'mode'),
            0o755,
            'the mode of an item counts before `defaultMode`; JSON writes 0755 as 493',
          ),
        ],
        confidence: 'likely',
        explanation: `The item of volume ${code(volume?.name ?? '')} has a mode of its own, which lets nobody run the file.`,
        mirrorable: true,
      },
    ];
  return [
    {
      title: 'Make the files of the volume executable',
      changes: [
        change(place, fieldPath(path, 'defaultMode'), 0o755, 'files of a volume have mode 0644 by default; JSON writes 0755 as 493'),
      ],
      confidence: 'likely',
      explanation: `${code(program, 80)} comes from volume ${code(volume?.name ?? '')}.`,
      mirrorable: true,
    },
  ];
}

/** The item that brings the program with a mode of its own. */
function itemOf(items: readonly KeyToPath[], program: string, mount: VolumeMount | undefined): { index: number; path: string } | undefined {
  const below = mount?.subPath ?? program.slice((mount?.mountPath.replace(/\/$/, '') ?? '').length + 1);
  const index = items.findIndex(({ path, mode }) => path === below && mode !== undefined);
  return index < 0 ? undefined : { index, path: below };
}

/** The field whose first word is the program: `command`, or `args` when the image has the command. */
function placeOfProgram(place: ContainerPlace | undefined, program: string): { field: 'command' | 'args'; words: string[] } | undefined {
  for (const field of ['command', 'args'] as const) {
    const words = place?.container?.[field];
    if (words?.[0] === program) return { field, words };
  }
  return undefined;
}

/** Why the kernel cannot run a file, in words. Its name tells a script. */
export function wrongFormat(program: string | undefined): string {
  const name = program === undefined ? 'the program' : code(program);
  return /\.(?:sh|bash|py|rb|pl)$/.test(program ?? '')
    ? `${name} is a script without its first line \`#!\``
    : `${name} is built for another processor than the node's, or is a script without its first line \`#!\``;
}
