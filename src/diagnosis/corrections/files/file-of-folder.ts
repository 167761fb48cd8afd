import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { mountedFiles, sameName } from './mounted-files.ts';
import { startedIn } from './other-folder.ts';

/** What tools say that did not find their file in the folder in which they start, and the names of that file. Source: their documentation. */
const FILES: readonly (readonly [says: RegExp, names: readonly string[]])[] = [
  [/No '?script_location'? key found|No config file ['"]?alembic\.ini/, ['alembic.ini']],
  [/No knexfile found|Failed to resolve config file/, ['knexfile.js', 'knexfile.ts']],
  [/Could not locate Gemfile/, ['Gemfile']],
  [/No targets specified and no makefile found/, ['Makefile', 'makefile', 'GNUmakefile']],
  [/[Cc]ould not find a Procfile|Procfile does not exist/, ['Procfile']],
  [/no configuration file provided/, ['docker-compose.yml', 'docker-compose.yaml', 'compose.yaml']],
  [/No dbt_project\.yml found/, ['dbt_project.yml']],
];

/** For a tool that starts in another folder than its file is mounted in: that folder. */
export function folderOfFile(input: RuleInput, line: string): { file: string; correction: Correction } | undefined {
  const names = FILES.find(([says]) => says.test(line))?.[1];
  const place = input.place();
  const files = place && names ? mountedFiles(input, place) : [];
  const [file, ...more] = names?.flatMap((name) => sameName(files, name)) ?? [];
  const folder = file?.slice(0, file.lastIndexOf('/')) ?? '';
  if (!place || file === undefined || more.length > 0 || folder === '' || place.container?.workingDir?.replace(/\/$/, '') === folder)
    return undefined;
  return {
    file,
    correction: startedIn(place, folder, {
      why: `a volume brings ${code(file.slice(file.lastIndexOf('/') + 1))} there`,
      explanation: 'The tool looks for it in the folder in which it starts.',
    }),
  };
}
