import { fieldPath } from '../../../crd/field-path.ts';
import { parseImage } from '../../../crd/image.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { appended, change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';
import { isOff, turnedOn } from '../settings/switch-word.ts';

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

/** A command that prepares the database, as programs propose it in quotes. */
const PROPOSED =
  /\b(?:[Rr]un|[Rr]unning|[Ee]xecute|[Uu]se|[Tt]ry)\b[^`'"\n]{0,40}[`'"]((?:\.?\/)?[a-z][\w./-]{0,60}(?: [\w.:/=-]{1,60}){1,6})[`'"]/g;
const PREPARES = /\bmigrat\w{0,5}\b|\bdb[: ](?:init|upgrade|setup|prepare)\b|\bbootstrap\b|\bupgrade (?:head|db)\b/;
/** Programs that say that their database is empty, and not which command fills it. Source: their documentation. */
const FILLS: readonly (readonly [says: RegExp, image: RegExp, command: readonly string[]])[] = [
  [/[Dd]atabase needs bootstrapping/, /(?:^|\/)kong(?:-gateway)?$/, ['kong', 'migrations', 'bootstrap']],
];

/** For a database without its tables: the only variable that keeps the program from migrating at its start. */
export function migrateAtStart(input: RuleInput): Correction[] {
  const place = input.place();
  const [only, ...more] = (place ? givenIn(place) : []).filter(({ name, value }) => /MIGRAT/i.test(name) && isOff(value));
  if (!place || !only || more.length > 0) return [];
  const to = turnedOn(only.value);
  return [
    {
      title: `Set ${code(only.name)} to ${code(to)}`,
      changes: [rewritten(place, only, to, 'the tables are missing, and it keeps the program from making them')],
      confidence: 'guess',
      explanation: 'Where a Job migrates the database, see first why that did not run.',
      mirrorable: false,
    },
  ];
}

/** For a database that nobody has prepared: an init container of the same image and settings, with the command that the program names. */
export function prepareDatabase(input: RuleInput, line: string): { command: string; correction: Correction } | undefined {
  const place = input.place();
  const { container } = place ?? {};
  const isInit = place?.spec.initContainers?.some(({ name }) => name === container?.name) === true;
  if (!place || !container?.image || isInit) return undefined;
  const said = [...line.matchAll(PROPOSED)].map(([, command = '']) => command).filter((command) => PREPARES.test(command));
  const { repository } = parseImage(container.image);
  const words = said.length === 1 ? said[0]?.split(' ') : FILLS.find(([says, image]) => says.test(line) && image.test(repository))?.[2];
  const command = words?.join(' ') ?? '';
  const { image, env, envFrom, volumeMounts, workingDir, securityContext } = container;
  const others = { env, envFrom, volumeMounts, workingDir, securityContext };
  const init = {
    name: 'prepare-database',
    image,
    command: words,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
  };
  const list = place.spec.initContainers;
  if (!words || list?.some(({ name, command: own = [], args = [] }) => name === init.name || [...own, ...args].join(' ').includes(command)))
    return undefined;
  return {
    command,
    correction: {
      title: `Run ${code(command)} first`,
      changes: [
        appended(place, fieldPath(place.specPath, 'initContainers'), list, init, 'it prepares the database, and the program does not'),
      ],
      confidence: 'guess',
      explanation: 'An init container runs it before each start. See first that it may run again where the database is prepared already.',
      mirrorable: false,
    },
  };
}

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
