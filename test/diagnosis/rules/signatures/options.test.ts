import { suite } from 'uvu';
import { optionSignatures } from '../../../../src/diagnosis/rules/signatures/options.ts';
import { env, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about options and commands');

const rowOf =
  (because: (name: string) => string, advice: string, where: string) =>
  (log: string, name: string, more: LogRow[3] = {}): LogRow => [log, name, because(name), { advice, where, corrections: [], ...more }];
const lacks = rowOf((name) => `the option \`${name}\` stands without its value`, 'in the same word behind', '`command` and `args`');
const alone = rowOf((name) => `the option \`${name}\` takes no value`, 'Write the option alone', '`command` and `args`');
const command = rowOf((name) => `the program has no command \`${name}\``, 'Compare `args` with the commands', "program's own help");
const ofRuntime = rowOf(
  (name) => `the program does not know the option \`${name}\``,
  'Options change between versions',
  '`JAVA_OPTS`, `NODE_OPTIONS`',
);
const unknown = rowOf((name) => `the program does not know the option \`${name}\``, 'Options change between versions', 'release notes');
const oneDash = rowOf((name) => `takes each letter of \`${name}\` for an option`, 'two dashes', '`command` and `args`');

logRows(test, optionSignatures, {
  'option-lacks-value': [
    lacks('flag needs an argument: --config', '--config'),
    lacks("flag needs an argument: 'c' in -c", '-c'),
    lacks('app: error: argument --port: expected one argument', '--port'),
    lacks('app: error: argument --port/-p: expected one argument', '--port'),
    lacks("option '--port' requires an argument", '--port'),
    lacks('option --port requires a value', '--port'),
    lacks('option "--port" requires a parameter', '--port'),
    lacks('option --port requires its value; it requires a value', '--port'),
    lacks('flag `--port` requires an argument', '--port'),
    lacks("error: a value is required for '--port <PORT>' but none was supplied", '--port'),
    lacks("A value is required for '-p <PORT>'", '-p'),
  ],
  'option-without-value': [
    alone("error: unexpected value 'true' for '--verbose' found; no more were expected", '--verbose'),
    alone('unexpected value "x" for "-v"', '-v'),
    alone("option '--verbose' doesn't allow an argument", '--verbose'),
    alone("option --verbose doesn't take a value", '--verbose'),
    alone('option --verbose does not take an argument', '--verbose'),
    alone('option `--verbose` does not allow a value', '--verbose'),
    alone('flag --verbose takes no value', '--verbose'),
    alone('argument --verbose: takes no parameter', '--verbose'),
    alone("app: error: argument --verbose: ignored explicit argument 'true'", '--verbose', {
      container: { command: ['app', '--verbose=true'] },
      corrections: likely({ 'command[1]': '--verbose' }),
    }),
    alone("unexpected value 'true' for '--verbose'", '--verbose', {
      container: { args: ['--verbose=true'] },
      corrections: likely({ 'args[0]': '--verbose' }),
    }),
  ],
  'command-unknown': [
    command('Error: unknown command "sever" for "app"', 'sever'),
    command('Unknown command: "sever"', 'sever'),
    command("unknown subcommand 'sever'", 'sever'),
    command("error: unrecognized subcommand 'sever'", 'sever'),
    command("Unrecognised subcommand: 'sever'", 'sever'),
    command("Error: No such command 'sever'.", 'sever'),
    command("no such subcommand: 'sever'", 'sever'),
    command("error: Invalid command: 'sever'", 'sever'),
    command('npm error Missing script: "sever"', 'sever'),
    command('error: Script not found "sever"', 'sever'),
    command("make: *** No rule to make target 'sever'.  Stop.", 'sever'),
    command("Don't know how to build task 'db:migrat' (See the list of available tasks with `rake --tasks`)", 'db:migrat'),
    command('Command "sever" is not defined.', 'sever'),
    command("command 'sever' not found: unknown command", 'sever'),
    command("Unknown command! command 'sever' does not exist", 'sever'),
    command("docker: 'sever' is not a docker command.", 'sever'),
    command("'sever' is not an app command", 'sever'),
    command("app: 'sever' is not a command", 'sever'),
    command('unknown command "serve --port 80" for "app"', 'serve --port 80', {
      container: { args: ['serve --port 80'] },
      corrections: likely({ args: ['serve', '--port', '80'] }),
    }),
    command('unknown command "sever" for "app"\n\nDid you mean this?\n\tserve\n', 'sever', {
      container: { args: ['sever'] },
      corrections: likely({ 'args[0]': 'serve' }),
    }),
    command("'sever' is not a command. Did you mean 'serve'?", 'sever', {
      container: { args: ['--run=sever'] },
      corrections: likely({ 'args[0]': '--run=serve' }),
    }),
    command("unknown command 'sever'. Did you mean 'serve'?", 'sever', {
      container: { args: ['sever'] },
      corrections: likely({ 'args[0]': 'serve' }),
    }),
    command("'servr' is not a command\n\nCommands:\n  serve   start it\n", 'servr', {
      container: { args: ['servr'] },
      corrections: likely({ 'args[0]': 'serve' }),
    }),
    command("'sever' is not a command, did you mean 'serve'?", 'sever', {
      container: { args: ['sever'] },
      corrections: likely({ 'args[0]': 'serve' }),
    }),
  ],
  'option-of-runtime': [
    ofRuntime('node: --foo-bar is not allowed in NODE_OPTIONS', '--foo-bar'),
    ofRuntime('node: --foo=1 is not allowed in NODE_OPTIONS', '--foo', {
      container: env({ NODE_OPTIONS: '--foo=1 --bar' }),
      corrections: likely({ 'env[0].value': '--bar' }),
    }),
    ofRuntime("Unrecognized VM option 'UseFooGC'", 'UseFooGC', {
      container: { command: ['java', '-XX:+UseFooGC', '-jar', 'a.jar'] },
      corrections: likely({ command: ['java', '-jar', 'a.jar'] }),
    }),
    ofRuntime("Unrecognized VM option '-UseFooGC'", '-UseFooGC', {
      container: { command: ['java', '-XX:-UseFooGC', '-jar', 'a.jar'] },
      corrections: likely({ command: ['java', '-jar', 'a.jar'] }),
    }),
    ofRuntime("Unrecognized VM option 'FooSize=1'", 'FooSize', {
      container: { args: ['-XX:FooSize=1', '-jar', 'a.jar'] },
      corrections: likely({ args: ['-jar', 'a.jar'] }),
    }),
    ofRuntime("Unrecognized VM option '+UseFooGC'", '+UseFooGC', {
      container: env({ JAVA_TOOL_OPTIONS: '-Xmx1g -XX:+UseFooGC' }),
      corrections: likely({ 'env[0].value': '-Xmx1g' }),
    }),
    ofRuntime("Unrecognized VM option 'UseG1G'\nDid you mean '(+/-)UseG1GC'?", 'UseG1G', {
      container: { args: ['-XX:+UseG1G'] },
      corrections: likely({ 'args[0]': '-XX:+UseG1GC' }),
    }),
    ofRuntime('Unrecognized option: -Xfoo', '-Xfoo'),
    ofRuntime('unrecognized option: --foo', '--foo', {
      container: { args: ['--foo', '--bar'] },
      corrections: likely({ args: ['--bar'] }),
    }),
  ],
  'option-with-one-dash': [
    oneDash("unknown shorthand flag: 'o' in -config=/etc/a.yml", '-config=/etc/a.yml', {
      container: { args: ['-config=/etc/a.yml'] },
      corrections: likely({ 'args[0]': '--config=/etc/a.yml' }),
      mirrorable: true,
    }),
    oneDash('unknown shorthand flag: "o" in -config', '-config'),
    oneDash("error: unknown short flag '-c'", '-c', { container: { args: ['-c'] } }),
    oneDash("error: unknown short flag '-c'", '-config.file=/etc/a.yml', {
      container: { args: ['-config.file=/etc/a.yml', '-v'] },
      corrections: likely({ 'args[0]': '--config.file=/etc/a.yml' }),
    }),
    oneDash("error: unknown short flag '-c'", '-config', {
      container: { command: ['app', '-config', 'a'] },
      corrections: likely({ 'command[1]': '--config' }),
    }),
    oneDash("error: unknown short flag '-c'", '-c', { container: { args: ['-config=a', '-color=b'] } }),
  ],
  'option-unknown': [
    unknown("error: unknown long flag '--foo'", '--foo'),
    unknown('unknown short flag: foo', 'foo'),
    unknown("unknown variable 'foo=1'", 'foo'),
    unknown('Error: unknown flag: --foo', '--foo'),
    unknown("error: unknown option '--foo'", '--foo'),
    unknown("app: unrecognized option '--foo'", '--foo'),
    unknown("app: unrecognised option '--foo'", '--foo'),
    unknown('app: error: unrecognized arguments: --foo', '--foo'),
    unknown('flag provided but not defined: -foo', '-foo'),
    unknown("unknown shorthand flag: 'f'", 'f'),
    unknown("app: invalid option -- 'f'", 'f'),
    unknown('node: bad option: --foo', '--foo'),
    unknown('Error: No such option: --foo', '--foo'),
    unknown("error: unexpected argument '--foo' found", '--foo'),
    unknown('illegal option -- f', 'f'),
    unknown('Unknown argument: --foo', '--foo'),
    unknown("ERROR: unknown command line flag 'foo'", 'foo'),
    unknown("Unknown parameter '--foo'", '--foo'),
    unknown('unrecognized configuration parameter "foo_bar"', 'foo_bar', {
      container: { args: ['-c', 'foo_bar=1', '-c', 'max_connections=9'] },
      corrections: likely({ args: ['-c', 'max_connections=9'] }),
    }),
    unknown('Unrecognized VM option: +UseFoo', '+UseFoo'),
    unknown('unknown flag: --port', '--port', {
      container: { args: ['--port 80', '--x'] },
      corrections: likely({ args: ['--port', '80', '--x'] }),
    }),
    unknown('unknown flag: --foo, it is a global option', '--foo', {
      container: { args: ['run', '--foo=1', '--x'] },
      corrections: [...likely({ args: ['--foo=1', 'run', '--x'] }), ...likely({ args: ['run', '--x'] })],
    }),
    unknown('unknown flag: --storage.tsdb.retention', '--storage.tsdb.retention', {
      container: { args: ['--storage.tsdb.retention=1d'] },
      corrections: [...likely({ 'args[0]': '--storage.tsdb.retention.time=1d' }), ...likely({ args: null })],
    }),
    unknown("unknown variable 'max_conections=5'", 'max_conections', {
      container: { image: 'mysql:8', args: ['--max_conections=5'] },
      corrections: [...likely({ 'args[0]': '--max_connections=5' }), ...likely({ args: null })],
    }),
    unknown('unknown flag: --prot\nUsage:\n  --port int   the port\n', '--prot', {
      container: { args: ['--prot=1'] },
      corrections: [...likely({ 'args[0]': '--port=1' }), ...likely({ args: null })],
    }),
  ],
});
otherLogs(test, {
  'option-lacks-value': ['flag needs an argument: port'],
  'command-unknown': ["'x' is not a number", 'unknown command x'],
  'option-unknown': ['unknown option', 'unknown flag: -'],
});

test.run();
