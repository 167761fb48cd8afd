import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { folderOfFile } from '../../../../src/diagnosis/corrections/files/file-of-folder.ts';
import { anInput } from '../../../support/builders/cases.ts';

const test = suite('tools that start in another folder than their file is in');

const found = (line: string, keys: string[], container: object = {}) =>
  folderOfFile(
    anInput(
      { volumeMounts: [{ name: 'v', mountPath: '/job/' }], ...container },
      { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
      { surroundings: { configMaps: [{ name: 'c', keys }] } },
    ),
    line,
  );

for (const [line, file] of [
  ["No 'script_location' key found in configuration", 'alembic.ini'],
  ['No script_location key found', 'alembic.ini'],
  ["No config file 'alembic.ini' found", 'alembic.ini'],
  ['No knexfile found in this directory', 'knexfile.js'],
  ['Failed to resolve config file, knexfile cannot be found', 'knexfile.ts'],
  ['Could not locate Gemfile or .bundle/ directory', 'Gemfile'],
  ['make: *** No targets specified and no makefile found.  Stop.', 'Makefile'],
  ['make: *** No targets specified and no makefile found.  Stop.', 'makefile'],
  ['make: *** No targets specified and no makefile found.  Stop.', 'GNUmakefile'],
  ['Could not find a Procfile', 'Procfile'],
  ['Procfile does not exist', 'Procfile'],
  ['no configuration file provided: not found', 'docker-compose.yml'],
  ['no configuration file provided: not found', 'docker-compose.yaml'],
  ['no configuration file provided: not found', 'compose.yaml'],
  ['No dbt_project.yml found at expected path', 'dbt_project.yml'],
] as const)
  test(`${line}: ${file}`, () => {
    const one = found(line, ['other', file]);
    assert.is(one?.file, `/job/${file}`);
    const [{ path, to, why } = { path: '', to: '', why: '' }] = one?.correction.changes ?? [];
    assert.equal([path, to, why], ['spec.containers[0].workingDir', '/job', `a volume brings \`${file}\` there`]);
    assert.is(one?.correction.explanation, 'The tool looks for it in the folder in which it starts.');
  });

test('nothing is changed where the folder is not the cause', () => {
  const gem = 'Could not locate Gemfile';
  assert.is(found('another error', ['Gemfile']), undefined);
  assert.is(found(gem, ['Procfile']), undefined, 'no volume has it');
  assert.is(found(gem, ['Gemfile'], { workingDir: '/job' }), undefined, 'it starts there');
  assert.is(found(gem, ['Gemfile'], { workingDir: '/job/' }), undefined, 'it starts there, with a slash');
  assert.is(found('No knexfile found', ['knexfile.js', 'knexfile.ts']), undefined, 'two files');
});

test.run();
