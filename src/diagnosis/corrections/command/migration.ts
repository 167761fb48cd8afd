import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** Commands of migration tools that only look, and the command of the same tool that migrates. */
const ONLY_LOOK: readonly (readonly [tool: RegExp, looks: readonly string[], migrates: readonly string[]])[] = [
  [/flyway/i, ['info', 'validate'], ['migrate']],
  [/liquibase/i, ['status', 'validate', 'update-sql', 'history'], ['update']],
  [/alembic/i, ['current', 'history', 'check', 'heads'], ['upgrade', 'head']],
  [/manage\.py|django/i, ['showmigrations', 'makemigrations', 'sqlmigrate'], ['migrate']],
  [/goose|dbmate/i, ['status', 'version'], ['up']],
  [/knex/i, ['migrate:status', 'migrate:list'], ['migrate:latest']],
  [/sequelize/i, ['db:migrate:status'], ['db:migrate']],
  [/rails|rake|bundle/i, ['db:version', 'db:migrate:status', 'db:abort_if_pending_migrations'], ['db:migrate']],
];

/** An init container that only looks at the migrations, and the correction. */
export interface LookingContainer {
  container: string;
  /** The command that changes nothing. */
  looks: string;
  correction: Correction;
}

/** For a table that is missing: lets an init container of the pod migrate that only looks at the migrations. */
export function migrateInstead(input: RuleInput): LookingContainer | undefined {
  const place = input.place();
  for (const [at, { name, command = [], args = [] }] of (place?.spec.initContainers ?? []).entries()) {
    const [, looks = [], migrates = []] = ONLY_LOOK.find(([tool]) => [name, ...command, ...args].some((word) => tool.test(word))) ?? [];
    const field = args.some((word) => looks.includes(word)) ? 'args' : 'command';
    const words = field === 'args' ? args : command;
    const index = words.findIndex((word) => looks.includes(word));
    if (!place || index < 0) continue;
    const path = fieldPath(place.specPath, 'initContainers', at, field);
    const [first = '', ...more] = migrates;
    const why = `${code(words[index] ?? '')} changes nothing in the database`;
    return {
      container: name,
      looks: words[index] ?? '',
      correction: {
        title: `Run ${code(migrates.join(' '))} in ${code(name)}`,
        changes: [
          more.length === 0
            ? change(place, fieldPath(path, index), first, why)
            : change(place, path, [...words.slice(0, index), ...migrates, ...words.slice(index + 1)], why),
        ],
        confidence: 'likely',
        explanation: `Init container ${code(name)} only looks at the migrations, and nothing makes the tables.`,
        mirrorable: true,
      },
    };
  }
  return undefined;
}
