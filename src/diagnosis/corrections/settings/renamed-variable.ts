import { fieldPath } from '../../../crd/field-path.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { renamed } from './rename.ts';

/** A variable or option that a program reads, wrong names that people use for it, and what the program logs if it is missing. */
interface Renamed {
  wanted: string;
  others: readonly RegExp[];
  without: RegExp;
  why: string;
}

const RENAMED: readonly Renamed[] = [
  {
    wanted: 'AIRFLOW__DATABASE__SQL_ALCHEMY_CONN',
    others: [/^AIRFLOW__CORE__SQL_ALCHEMY_CONN$/],
    without: /cannot use SQLite with the \w{1,60}/,
    why: 'Airflow reads it since version 2.3',
  },
  {
    wanted: 'HF_TOKEN',
    others: [
      /^HUGGING_?FACE_(?!HUB_TOKEN$)(?:HUB_|API_|ACCESS_)?(?:TOKEN|KEY)$|^HUGGINGFACE_HUB_TOKEN$|^HF_(?:API|ACCESS|AUTH|HUB)_(?:TOKEN|KEY)$/,
    ],
    without: /\bgated repo\b|GatedRepoError|401 Client Error: Unauthorized for url: https:\/\/huggingface\.co\//,
    why: 'the libraries of Hugging Face read it',
  },
  {
    wanted: 'RENOVATE_TOKEN',
    others: [/^(?:GITLAB|GITHUB|GITEA|FORGEJO|BITBUCKET|AZURE)_TOKEN$/],
    without: /You must configure a \w{3,20} (?:personal access )?token/,
    why: 'Renovate reads it for every platform',
  },
  {
    wanted: 'SUPERSET_SECRET_KEY',
    others: [/^(?:FLASK_)?SECRET_KEY$/],
    without: /Refusing to start due to insecure SECRET_KEY/,
    why: "Superset's own configuration reads it",
  },
  {
    wanted: 'CF_API_TOKEN',
    others: [/^(?:CLOUDFLARE|CF)_(?:DNS_)?(?:API_)?TOKEN$/],
    without: /failed to initialize cloudflare provider: invalid credentials/,
    why: 'external-dns reads it',
  },
  {
    // Laravel, "Database: Getting Started".
    wanted: 'DB_PASSWORD',
    others: [/^DB_(?:PASS|PASSWD|PWD)$/],
    without: /\(using password: NO\) \((?:Connection: \w{1,40}, )?SQL: |Illuminate\\Database\b[^]{0,2000}using password: NO/,
    why: "Laravel's configuration reads it",
  },
  {
    // Transformers, "Trainer": `evaluation_strategy` was removed in version 4.46.
    wanted: '--eval_strategy',
    others: [/^--evaluation_strategy$/],
    without: /not used by the HfArgumentParser: \[.{0,200}'--evaluation_strategy'|unrecognized arguments:.{0,200} --evaluation_strategy\b/,
    why: 'the option is called so now',
  },
  {
    // Play Framework, "The Application Secret".
    wanted: '-Dplay.http.secret.key',
    others: [/^-D(?:play\.crypto\.secret|play\.http\.secret|application\.secret|http\.secret\.key|play\.secret\.key)$/],
    without: /application secret has not been set/,
    why: 'Play reads this property',
  },
  ...['HOST', 'URL'].map((part) => ({
    wanted: `SPRING_DATA_REDIS_${part}`,
    others: [new RegExp(`^SPRING_REDIS_${part}$`)],
    without: /Unable to connect to (?:localhost|127\.0\.0\.1)[^\s:]{0,40}:6379/,
    why: 'Spring Boot reads it since version 3',
  })),
];
/** Other names that the program also reads. */
const ALSO_READ: Record<string, readonly string[]> = { HF_TOKEN: ['HUGGING_FACE_HUB_TOKEN'] };
/** Further settings that moved together with a host. */
const MOVED_WITH: readonly [from: RegExp, to: string][] = [[/^SPRING_REDIS_/, 'SPRING_DATA_REDIS_']];

/** The variable of the container that holds the missing setting under a name that the program does not read. Undefined if there is none. */
export function renamedVariable(input: RuleInput): { name: string; wanted: string; correction: Correction } | undefined {
  const place = input.place();
  const env = place?.container?.env ?? [];
  if (!place) return undefined;
  const names = env.map(({ name }) => name);
  const texts = logSections(input.subject).map(({ text }) => text.slice(0, 40_000));
  for (const { wanted, others, without, why } of RENAMED) {
    if (wanted.startsWith('-')) {
      const option = texts.some((text) => without.test(text)) ? renamedOption(place, { wanted, others, why }) : undefined;
      if (option) return option;
      continue;
    }
    const index = names.findIndex((name) => others.some((other) => other.test(name)));
    const old = names[index];
    const isRead = [wanted, ...(ALSO_READ[wanted] ?? [])].some((name) => names.includes(name));
    if (old === undefined || isRead || env[index]?.value === '') continue;
    if (!texts.some((text) => without.test(text))) continue;
    const moved = MOVED_WITH.find(([from]) => from.test(old));
    const changes = names.flatMap((name, at) => {
      const to = at === index ? wanted : moved?.[0].test(name) ? name.replace(...moved) : undefined;
      return to === undefined || names.includes(to) ? [] : [change(place, fieldPath(place.path, 'env', at, 'name'), to, why)];
    });
    const explanation = `The program reads ${code(wanted)}, which is not set, and not ${code(old)}.`;
    return {
      name: old,
      wanted,
      correction: { ...renamed(place, { from: old, to: wanted }, { why, explanation }), changes },
    };
  }
  return undefined;
}

/** The option of the container under the name that the program reads. */
function renamedOption(
  place: ContainerPlace,
  { wanted, others, why }: Pick<Renamed, 'wanted' | 'others' | 'why'>,
): { name: string; wanted: string; correction: Correction } | undefined {
  for (const field of ['args', 'command'] as const)
    for (const [index, word] of (place.container?.[field] ?? []).entries()) {
      const [name = ''] = word.split('=', 1);
      if (!others.some((other) => other.test(name))) continue;
      const to = `${wanted}${word.slice(name.length)}`;
      return {
        name,
        wanted,
        correction: {
          title: `Write ${code(wanted)}`,
          changes: [change(place, fieldPath(place.path, field, index), to, why)],
          confidence: 'likely',
          explanation: `The program does not read ${code(name)}.`,
          mirrorable: true,
        },
      };
    }
  return undefined;
}
