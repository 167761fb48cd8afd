import { fieldPath } from '../../fix/apply.ts';
import { nearest } from '../../fix/nearest.ts';
import { code } from '../../quote.ts';
import type { RuleCorrection } from '../answer.ts';
import { change, type Place } from '../rule.ts';

/** Programs that images commonly have: what a mistyped command was probably meant to be. */
const PROGRAMS = [
  'sh', 'bash', 'python', 'python3', 'node', 'npm', 'npx', 'yarn', 'pnpm', 'java', 'ruby', 'bundle', 'rails', 'php', 'php-fpm', 'perl', 'go', 'dotnet', 'deno', 'bun',
  'nginx', 'httpd', 'apachectl', 'caddy', 'redis-server', 'redis-cli', 'postgres', 'mysqld', 'mongod', 'memcached', 'haproxy', 'envoy', 'traefik', 'gunicorn', 'uvicorn',
  'celery', 'flask', 'django-admin', 'sleep', 'echo', 'cat', 'tail', 'curl', 'wget', 'env', 'make', 'supervisord', 'tini', 'dumb-init', 'gosu',
]; // prettier-ignore

/** Interpreters for scripts that cannot be executed themselves. */
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
export function dropCommand(place: Place | undefined, why: string): RuleCorrection[] {
  const { container } = place ?? {};
  if (!place || !container || (!container.command?.length && !container.args?.length)) return [];
  const changes = (['command', 'args'] as const)
    .filter((field) => container[field]?.length)
    .map((field) => change(place, fieldPath(place.path, field), null, field === 'command' ? why : 'the arguments belong to that command'));
  return [
    {
      title: "Run the image's own entrypoint",
      changes,
      confidence: 'guess',
      explanation: 'Without a command of the pod the image starts the program that it was built for.',
      mirrorable: true,
    },
  ];
}

/** A program that is not in the image: the one it is a slip of, the words of a line that nobody split, a shell that every image has. */
export function otherProgram(place: Place | undefined, program: string): RuleCorrection[] {
  const found = placeOfProgram(place, program);
  if (!place || !found) return [];
  const { field, words } = found;
  const path = fieldPath(place.path, field);
  const fix = (title: string, to: string[], why: string, confidence: RuleCorrection['confidence']): RuleCorrection => ({
    title,
    changes: [change(place, path, to, why)],
    confidence,
    explanation: `${code(program, 80)} is not a program of the image.`,
    mirrorable: true,
  });
  const rest = words.slice(1);
  if (/\s/.test(program.trim())) {
    const isScript = /[|&;<>$`]/.test(program);
    const to = isScript ? ['sh', '-c', program, ...rest] : [...program.trim().split(/\s+/), ...rest];
    return [
      fix(
        'Split the command into its words',
        to,
        'each word of a command is an entry of the list; the runtime looks for one file of that whole name',
        'likely',
      ),
    ];
  }
  const [folder, name] = [program.slice(0, program.lastIndexOf('/') + 1), program.slice(program.lastIndexOf('/') + 1)];
  if (name === 'bash') return [fix('Use `sh`', [`${folder ? '/bin/' : ''}sh`, ...rest], 'small images have `sh` and no `bash`', 'likely')];
  if (name === 'python') return [fix('Use `python3`', [`${folder}python3`, ...rest], 'many images call it `python3` only', 'guess')];
  if (/[\r\n]|^\s|\s$/.test(name))
    return [fix('Remove the white space', [program.trim(), ...rest], 'the name has white space that is not part of it', 'likely')];
  return nearest(name, PROGRAMS)
    .slice(0, 2)
    .map((guess) =>
      fix(`Use ${code(guess)}`, [`${folder}${guess}`, ...rest], `${code(name, 80)} looks like a slip of ${code(guess)}`, 'likely'),
    );
}

/** A script that may not be executed: its interpreter runs it; one that a volume brings gets the mode it needs. */
export function runnable(place: Place | undefined, program: string): RuleCorrection[] {
  const found = placeOfProgram(place, program);
  if (!place || !found) return [];
  const interpreter = INTERPRETERS[/\.(\w{1,5})$/.exec(program)?.[1] ?? ''];
  const path = fieldPath(place.path, found.field);
  const byInterpreter: RuleCorrection[] = interpreter
    ? [
        {
          title: `Run it with ${code(interpreter)}`,
          changes: [change(place, path, [interpreter, ...found.words], 'an interpreter needs the right to read only')],
          confidence: 'likely',
          explanation: 'The file is a script without the right to be executed.',
          mirrorable: true,
        },
      ]
    : [];
  return [...modeOfVolume(place, program), ...byInterpreter];
}

function modeOfVolume(place: Place, program: string): RuleCorrection[] {
  const mount = place.container?.volumeMounts?.find(
    ({ mountPath }) => program.startsWith(mountPath.endsWith('/') ? mountPath : `${mountPath}/`) || program === mountPath,
  );
  const index = place.spec.volumes?.findIndex(({ name }) => name === mount?.name) ?? -1;
  const volume = place.spec.volumes?.[index];
  const source = volume?.configMap ? 'configMap' : volume?.secret ? 'secret' : undefined;
  if (!source) return [];
  return [
    {
      title: 'Make the files of the volume executable',
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'volumes', index, source, 'defaultMode'),
          0o755,
          'files of a volume have mode 0644 unless it says otherwise; 493 is 0755',
        ),
      ],
      confidence: 'likely',
      explanation: `${code(program, 80)} comes from volume ${code(volume?.name ?? '')}.`,
      mirrorable: true,
    },
  ];
}

/** The field (`command`, or `args` when the image has the command) whose first word is that program. */
function placeOfProgram(place: Place | undefined, program: string): { field: 'command' | 'args'; words: string[] } | undefined {
  for (const field of ['command', 'args'] as const) {
    const words = place?.container?.[field];
    if (words?.[0] === program) return { field, words };
  }
  return undefined;
}
