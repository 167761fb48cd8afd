import { suite } from 'uvu';
import { fileSignatures } from '../../../../src/diagnosis/rules/signatures/files.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about missing files and programs');

const around = (surroundings: object) => ({ surroundings }) as { surroundings: object };
const map = (...keys: string[]) => around({ configMaps: [{ name: 'web', keys }] });
const mounted = (mountPath: string, volume: object = { configMap: { name: 'web' } }, mount: object = {}) => ({
  container: { volumeMounts: [{ name: 'conf', mountPath, ...mount }] },
  spec: {
    volumes: [
      { name: 'other', emptyDir: {} },
      { name: 'conf', ...volume },
    ],
  },
});
const entering = (log: string): LogRow => [
  log,
  '/data/in',
  'the folder `/data/in` is not there',
  { advice: 'Correct the path in the script', where: 'the folders of the image', corrections: [] },
];
const noFolder = (log: string, more: LogRow[3] = {}): LogRow => [
  log,
  '/data/in/x',
  'the folder of `/data/in/x` is not in the image',
  {
    advice: 'Create the folder',
    where: "the image's folders",
    corrections: likely({
      'spec.volumes': [{ name: 'writable-data-in', emptyDir: {} }],
      volumeMounts: [{ name: 'writable-data-in', mountPath: '/data/in' }],
    }),
    ...more,
  },
];
const interpreter = (log: string, program: string, more: LogRow[3] = {}): LogRow => [
  log,
  `interpreter of ${program}`,
  `the image lacks what runs \`${program}\``,
  { advice: 'Use an image with this interpreter', where: '`head -1`', corrections: [], ...more },
];
const folder = (log: string, file: string, more: LogRow[3] = {}): LogRow => [
  log,
  file || log,
  `it reads a folder${file ? ` (\`${file}\`)` : ''} where a file should be`,
  { advice: 'Compare each `subPath`', where: 'the path that the program uses', corrections: [], ...more },
];
const KEYLESS = {
  because: 'it reads a folder where a file should be: `ConfigMap web` has no key `app.yml`, so kubelet makes an empty folder',
  culprit: 'key app.yml in ConfigMap web (subPath)',
};
const windows = (log: string, name: string): LogRow => [
  log,
  `${name}\\r`,
  `a script calls \`${name}\\r\`: it was saved with Windows line ends`,
  { advice: 'Save the script', where: 'the entrypoint script' },
];
const program = (log: string, name = 'jq', more: LogRow[3] = {}): LogRow => [
  log,
  name,
  `the program \`${name}\` is not in the image`,
  { advice: `Use an image that has \`${name}\``, where: "the image's own programs", corrections: [], ...more },
];
const data = (log: string, file: string, more: LogRow[3] = {}): LogRow => [
  log,
  file,
  `\`${file}\` does not exist`,
  { advice: 'correct its path', where: 'the keys of the mounted', corrections: [], ...more },
];
const script = (log: string, file: string, more: LogRow[3] = {}): LogRow => [
  log,
  file,
  `\`${file}\` is not in the image`,
  { advice: 'Correct the path in `command` or `args`', where: '`workingDir`', corrections: [], ...more },
];
const library = (log: string, name: string): LogRow => [
  log,
  name,
  `the library \`${name}\` is not in the image`,
  { advice: 'Build the program for its base image', where: 'its packages' },
];
const missing = (log: string, file: string | null = '/data/x', more: LogRow[3] = {}): LogRow => [
  log,
  file ?? log,
  `${file === null ? 'a file it needs' : `\`${file}\``} does not exist`,
  { advice: 'Put it into the image', where: 'arguments and variables that name the file', corrections: [], ...more },
];
const viper = (folders: string, more: LogRow[3] = {}): LogRow => [
  `Config File "app" Not Found in "[${folders}]"`,
  `config file app in ${folders}`,
  `no folder of \`${folders}\` has the configuration \`app\``,
  { advice: 'under the name that it expects', where: 'the mounted ConfigMaps', corrections: [], ...more },
];

logRows(test, fileSignatures, {
  'folder-exists': ["can't", 'cannot'].flatMap((cannot) =>
    ["'", '"', '`', '‘'].map((quote): LogRow => [
      `mkdir: ${cannot} create directory ${quote}/data/in${quote === '‘' ? '’' : quote}: File exists`,
      '/data/in',
      '`/data/in` is there already',
      {
        advice: '`mkdir -p`',
        where: 'the script',
        container: { command: ['sh', '-c', 'mkdir /data/in && run'] },
        corrections: likely({ 'command[2]': 'mkdir -p /data/in && run' }),
      },
    ]),
  ),
  'folder-to-enter': [
    entering("sh: cd: can't cd to /data/in"),
    entering('run.sh: line 3: cd: /data/in: No such file or directory'),
    [
      "sh: cd: can't cd to /data/input",
      '/data/input',
      'is not there',
      {
        container: { volumeMounts: [{ name: 'in', mountPath: '/data/inputs' }], command: ['sh', '-c', 'cd /data/input'] },
        corrections: likely({ 'command[2]': 'cd /data/inputs' }),
      },
    ],
    [
      'cd: /data/input: No such file or directory',
      '/data/input',
      'is not there',
      {
        container: { volumeMounts: [{ name: 'in', mountPath: '/data/inputs' }], command: ['sh', '-c', 'cd /data/input'] },
        corrections: likely({ 'command[2]': 'cd /data/inputs' }),
      },
    ],
  ],
  'folder-missing': [
    noFolder("sh: can't create /data/in/x: nonexistent directory"),
    noFolder('sh: cannot create /data/in/x: Directory nonexistent'),
  ],
  'interpreter-missing': [
    interpreter('exec /app/run: no such file or directory', '/app/run'),
    interpreter('exec /app/run.sh: no such file or directory', '/app/run.sh', {
      container: { command: ['/app/run.sh', '-v'] },
      corrections: guess({ command: ['sh', '/app/run.sh', '-v'] }),
    }),
    interpreter('exec /app/run.sh: no such file or directory', '/app/run.sh', {
      ...mounted('/app', { configMap: { name: 'web', defaultMode: 0o755 } }),
    }),
    interpreter('standard_init_linux.go:228: exec user process caused: no such file or directory', 'its program'),
    interpreter('exec user process caused "no such file or directory"', '/app/x', { container: { command: ['/app/x'] } }),
  ],
  'folder-in-place-of-file': [
    folder('read /etc/app.yml: is a directory', '/etc/app.yml'),
    folder('EISDIR: illegal operation, read', ''),
    folder("IsADirectoryError: Is a directory: '/etc/app.yml'", '/etc/app.yml', {
      ...mounted('/etc/app.yml'),
      parts: map('app.yml'),
      corrections: likely({ 'volumeMounts[0].subPath': 'app.yml' }),
    }),
    folder('EISDIR', '', mounted('/etc/app')),
    [
      'EISDIR',
      '/etc/app.yml',
      '(`/etc/app.yml`)',
      { ...mounted('/etc/app.yml', { secret: { secretName: 'web' } }), corrections: guess({ 'volumeMounts[0].subPath': 'app.yml' }) },
    ],
    folder('EISDIR', '', mounted('/etc/app.yml', { emptyDir: {} })),
    [
      'EISDIR',
      '/etc/a.yml',
      '(`/etc/a.yml`)',
      {
        container: {
          volumeMounts: [
            { name: 'a', mountPath: '/etc/a.yml' },
            { name: 'b', mountPath: '/etc/b.yml', subPath: 'b.yml' },
          ],
        },
        spec: { volumes: ['a', 'b'].map((name) => ({ name, configMap: { name } })) },
        corrections: guess({ 'volumeMounts[0].subPath': 'a.yml' }),
      },
    ],
    folder('EISDIR', '', {
      container: { volumeMounts: ['a', 'b'].map((name) => ({ name, mountPath: `/etc/${name}.yml` })) },
      spec: { volumes: ['a', 'b'].map((name) => ({ name, configMap: { name } })) },
    }),
    [
      'EISDIR',
      KEYLESS.culprit,
      KEYLESS.because,
      {
        ...mounted('/etc/app.yml', undefined, { subPath: 'app.yml' }),
        parts: map('app.yaml'),
        corrections: likely({ 'volumeMounts[0].subPath': 'app.yaml' }),
      },
    ],
    [
      'read /etc/app.yml: is a directory',
      'key app.yml in Secret web (subPath)',
      '`Secret web` has no key `app.yml`',
      {
        ...mounted('/etc/app.yml', { secret: { secretName: 'web' } }, { subPath: 'app.yml' }),
        parts: around({ secrets: [{ name: 'web', keys: ['app.yaml'] }] }),
        corrections: likely({ 'volumeMounts[0].subPath': 'app.yaml' }),
      },
    ],
    folder('read /etc/other.yml: is a directory', '/etc/other.yml', mounted('/etc/app.yml', undefined, { subPath: 'app.yml' })),
    folder('read /etc/app.yml: is a directory', '/etc/app.yml', mounted('/etc/app.yml', { emptyDir: {} }, { subPath: 'app.yml' })),
  ],
  'windows-line-ends': [
    windows(String.raw`env: 'bash\r': No such file`, 'bash'),
    windows('bad interpreter: /bin/bash^M: no such file', '/bin/bash'),
    windows(String.raw`exec /bin/sh\r: failed`, '/bin/sh'),
    windows(String.raw`not found: node\r`, 'node'),
    windows(String.raw`sh: 3: set\r: x`, 'set'),
  ],
  'command-not-found': [
    ...[
      'sh: jq: not found',
      '/bin/bash: line 3: jq: command not found',
      'dash: 3: jq: not found',
      'ash: jq: not found',
      'zsh: jq: No such file or directory',
      '/app/run.sh: line 3: exec: jq: not found',
      'docker-entrypoint: jq: not found',
      'at entrypoint.x: 12: jq: not found',
      'zsh: command not found: jq',
      '[dumb-init] jq: No such file or directory',
    ].map((log) => program(log)),
    program('sh: jqq: not found', 'jqq', { container: { command: ['jqq'] }, corrections: guess({ command: null }) }),
    data('sh: /etc/app/x.yml: not found', '/etc/app/x.yml'),
    ...['yaml', 'json', 'toml', 'ini', 'conf', 'cnf', 'properties', 'pem', 'crt', 'key', 'env', 'txt'].map((ending) =>
      data(`sh: /etc/app/x.${ending}: not found`, `/etc/app/x.${ending}`),
    ),
    data('sh: /run/secrets/token: No such file or directory', '/run/secrets/token'),
    data('sh: /var/run/secrets/token: No such file or directory', '/var/run/secrets/token'),
    program('sh: /run/x: not found', '/run/x'),
    program('sh: /run/secrets/: not found', '/run/secrets/'),
    program('sh: x.yml: not found', 'x.yml'),
    [
      'sh: /data/list: not found',
      '/data/list',
      '`/data/list` does not exist, which `LIST` names',
      { container: env({ LIST: '/data/list' }), advice: 'correct the path in `LIST`', corrections: [] },
    ],
    [
      'sh: /data/lost: not found',
      '/data/lost',
      'which `LIST` names',
      {
        container: { ...mounted('/data').container, ...env({ LIST: '/data/lost' }) },
        spec: mounted('/data').spec,
        parts: map('lots'),
        corrections: likely({ 'env[0].value': '/data/lots' }),
      },
    ],
    ...['BIN', 'JQ_BINARY', 'MY_CMD', 'COMMAND', 'EXEC', 'EXECUTABLE', 'PROGRAM', 'ENTRYPOINT', 'SHELL', 'INTERPRETER', 'SCRIPT'].map(
      (name) => program('sh: /data/jq: not found', '/data/jq', { container: env({ [name]: '/data/jq' }) }),
    ),
    data('sh: /data/jq: not found', '/data/jq', { container: env({ CABIN: '/data/jq' }), advice: 'the path in `CABIN`' }),
  ],
  'script-missing': [
    script("The application './x' does not exist or is not executable", './x'),
    script("the application 'x' does not exist", 'x'),
    script('exec ./run failed: No such file or directory', './run'),
    script('[FATAL tini (7)] exec ../run failed: No such file', '../run'),
    script("python: can't open file '/app/x.py': [Errno 2]", '/app/x.py'),
    script(`can't open "/app/x.py": no`, '/app/x.py'),
    script("sh: 0: can't open /app/run.sh", '/app/run.sh'),
    script("sh: can't open 'run.sh': No such file", 'run.sh'),
    script("Error: Cannot find module '/app/x.js'", '/app/x.js'),
    script('Error: Cannot find module "/app/x.js"', '/app/x.js'),
    script('Error: Unable to access jarfile app.jar', 'app.jar'),
    script('Could not open input file: artisan', 'artisan'),
    script('Error: Could not find or load main class org.x.Main', 'org.x.Main'),
    script("npm ERR! enoent ENOENT: open '/app/package.json'", '/app/package.json'),
    script('Unable to access jarfile app.jar', 'app.jar', {
      container: { workingDir: '/srv', command: ['java', '-jar', './app.jar'] },
      corrections: [
        ['guess', { workingDir: null }],
        ['guess', { command: null }],
      ],
    }),
    script('Unable to access jarfile a.b', 'a.b', { container: { command: ['.b'] } }),
    [
      "sh: can't open 'echo a.b; run': no",
      'echo a.b; run',
      'is a script, and the shell takes it for the name of a file',
      {
        container: { command: ['sh', 'echo a.b; run'] },
        advice: 'follows `-c`',
        where: '`command` and `args`',
        corrections: [['certain', { command: ['sh', '-c', 'echo a.b; run'] }]],
      },
    ],
    script('Unable to access jarfile app.jar', 'app.jar', { container: { command: ['sh', 'echo a.b; run'] } }),
    [
      "Error: Cannot find module '/app/x.js'",
      '/app/x.js (volume conf at /app, mountPath)',
      '`/app/x.js` is not there: volume `conf` is mounted at `/app` and hides',
      {
        ...mounted('/app', { emptyDir: {} }),
        advice: 'below the one of the program',
        where: '`volumeMounts`',
        corrections: guess({ 'volumeMounts[0].mountPath': '/app/conf' }),
      },
    ],
    [
      "python: can't open file '/app/x.py': no",
      '/app/x.py',
      '`/app/x.py` does not exist',
      {
        ...mounted('/src'),
        parts: map('x.py'),
        corrections: likely({ 'volumeMounts[0].mountPath': '/app' }),
      },
    ],
  ],
  'library-missing': [
    library('error while loading shared libraries: libpq.so.5: cannot open', 'libpq.so.5'),
    library('Error loading shared library libpq.so.5: No such file', 'libpq.so.5'),
    library("version `GLIBC_2.34' not found (required by x)", 'GLIBC_2.34'),
    [
      'Error relocating /app/run: __fprintf_chk: symbol not found',
      '/app/run: __fprintf_chk',
      'no library of the image has `__fprintf_chk`, which `/app/run` needs',
    ],
    library('OSError: libpq.so.5: cannot open shared object file', 'libpq.so.5'),
  ],
  'config-in-folder': [
    viper('/etc/app /app'),
    ...['yaml', 'yml', 'json', 'toml'].map((ending) =>
      viper('./conf /srv/ /etc/app', {
        ...mounted('/conf'),
        parts: map(`app.${ending}`),
        corrections: likely({ 'volumeMounts[0].mountPath': '/srv' }),
      }),
    ),
    viper('/etc/app', { ...mounted('/conf'), parts: map('other.ini') }),
  ],
  'file-missing': [
    ...[
      'open /data/x: no such file or directory',
      "Error: ENOENT: open '/data/x'",
      'FileNotFoundError: /data/x',
      'java.nio.file.NoSuchFileException: /data/x',
      'the file /data/x does not exist',
      "the file /data/x doesn't exist, the config doesn't exist",
      '/data/x: was not found',
      'directory does not exist: /data/x',
      'config not found in /data/x',
      'path not found. /data/x',
      'file not found in /data/x',
      'directory not found at /data/x',
      'Data directory /data/x not found., terminating',
      'answer not found: /data/x',
      "the config doesn't exist in '/data/x'",
      'the `path` was not found: it is /data/x',
      'invalid path: /data/x',
      'could not open file /data/x',
      'could not find file /data/x',
      'cannot open the file /data/x',
      'cannot find file /data/x',
      'cannot find the file /data/x',
      'Cannot access directory /data/x',
      'unable to open /data/x',
      'Error opening log file "/data/x"',
      'unable to read config file /data/x',
      "failed to load configuration file: '/data/x'",
      'could not open config file `/data/x`',
      "couldn't find the config file /data/x",
      "can't locate file /data/x",
      'failed to load file /data/x',
      'can not read file /data/x',
      'cannot load the file: "/data/x"',
    ].map((log) => missing(log)),
    missing("No config file 'app.toml' found", 'app.toml'),
    missing("Config data resource 'file [/data/x]' via location 'y' cannot be found"),
    missing("resource '/data/x' of it cannot be found"),
    missing("Config data location '/data/x' of it cannot be found"),
    missing('No such file: conf/app.yml', 'conf/app.yml'),
    missing("no such file 'app.yml'", 'app.yml'),
    missing('Could not locate Gemfile', 'Gemfile', { container: { workingDir: '/srv' }, corrections: guess({ workingDir: null }) }),
    missing('No Rakefile found (looking for: rakefile, Rakefile)', 'Rakefile'),
    missing('Could not read package.json', 'package.json'),
    ...[
      'drive not found',
      'the drive does not exist',
      'could not open file a',
      'could not find file a',
      'cannot open file a',
      'cannot find file a',
      'cannot find the file a',
      'its config file was not found',
    ].map((log) => missing(log, null)),
    missing('npm error code ENOENT\nnpm error path /data/x\nnpm error syscall open', '/data/x'),
    missing('ENOENT, see below:\nopen /data/x', '/data/x'),
    missing("ENOENT: stat 'conf/app.yml'", 'conf/app.yml'),
    ...['open', 'lstat', 'scandir', 'access'].map((call) => missing(`ENOENT: ${call} 'conf/app.d'`, 'conf/app.d')),
    missing("ENOENT of 'app.yml'", 'app.yml'),
    ...[false, true].map((isReadOnly): LogRow => [
      'No usable temporary directory found: no such file or directory',
      isReadOnly ? '/tmp (readOnlyRootFilesystem)' : '/tmp',
      isReadOnly ? 'with `readOnlyRootFilesystem` it can write to none of the image' : 'no folder for temporary files that it may write to',
      {
        ...(isReadOnly ? { container: { securityContext: { readOnlyRootFilesystem: true } } } : {}),
        advice: 'Mount an empty volume at `/tmp`',
        where: '`securityContext` and its mounts',
        corrections: likely({
          'spec.volumes': [{ name: 'writable-tmp', emptyDir: {} }],
          volumeMounts: [{ name: 'writable-tmp', mountPath: '/tmp' }],
        }),
      },
    ]),
    missing('open /data/x.yml: no such file or directory', '/data/x.yml', {
      ...mounted('/conf'),
      parts: map('x.yml'),
      corrections: likely({ 'volumeMounts[0].mountPath': '/data' }),
    }),
    ...[
      'package.json',
      'Rakefile',
      'manage.py',
      'artisan',
      'composer.json',
      'Procfile',
      'mix.exs',
      'go.mod',
      'pom.xml',
      'a.jar',
      'b.dll',
    ].map((file) =>
      missing(`open /app/${file}: no such file or directory`, `/app/${file}`, {
        container: { workingDir: '/srv' },
        corrections: guess({ workingDir: null }),
      }),
    ),
    missing('open /app/a.yml: no such file or directory', '/app/a.yml', { container: { workingDir: '/srv' } }),
  ],
});
otherLogs(test, {
  'interpreter-missing': ['exec /app/run: no such file or directory: x'],
  'folder-in-place-of-file': ['this is a directoryless error'],
  'command-not-found': ['push: jq: not found', 'sh: a b: not found'],
  'script-missing': ["can't open it", "Cannot find module 'express'", "ENOENT: open '/app/x.json'"],
  'library-missing': ["version `2.0' not found"],
  'file-missing': [
    'unable to open /data/x: access denied',
    'Unable to open database file /data/x',
    'failed to read file /data/x: access denied',
    'failed to read file x',
    'field scrape_config not found in type config.plain',
    'No such file system here, error',
    'NoSuchFileException: x',
  ],
});

test.run();
