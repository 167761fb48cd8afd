import { answerPaths, answerRights, answerWhoCan } from '../access/answers.ts';
import { requestOf } from '../access/asked-right.ts';
import type { RbacSubject } from '../access/objects.ts';
import { escalations, isAbout, isWanted } from '../access/paths/paths.ts';
import { type World, worldOf } from '../access/paths/world.ts';
import { accessIndex } from '../access/rights.ts';
import { canonicalSubject, isBuiltIn, requesterOf } from '../access/subjects.ts';
import { PATH_TARGETS } from '../contract/access.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { graphReader } from '../kube/graph-reader.ts';
import { type Command, InputError, type Io, parseArguments } from './mode.ts';
import { pathsText, rightsText, whoCanText } from './offline/access-text.ts';
import { connected, explained } from './offline/connected.ts';
import { orBadInput, write } from './offline/output.ts';
import { readManifests } from './offline/read-manifests.ts';

/**
 * `podmend access who-can|rights|paths`: answers from manifests (`-f`), or live with the user's own kubeconfig. Returns 0; `paths` returns 1 when
 * there is one; 2 on bad input, when something could not be read, or when not all paths were searched (one line each on stderr; the rest is
 * answered).
 */
export const runAccess: Command = (argv, io) =>
  orBadInput('access', io, async () => {
    const wish = readArguments(argv);
    const { world, problems } = wish.files.length > 0 ? await worldInFiles(wish.files, io) : await worldInCluster(wish);
    const { answer, text, found, leftOut = 0 } = answerTo(wish, world);
    if (leftOut > 0) problems.push(tooMuch(leftOut, wish.effort));
    for (const problem of problems) io.stderr.write(`podmend access: ${oneLine(problem, 500)}\n`);
    await write(io, wish.output === 'json' ? `${JSON.stringify(answer, null, 2)}\n` : text);
    return problems.length > 0 ? 2 : found;
  });

/** The default effort of `paths`: about six seconds and 700 MB in the worst known cluster. */
const EFFORT = 5_000_000;

function tooMuch(subjects: number, effort: number): string {
  const whose = subjects === 1 ? 'of 1 subject' : `of ${subjects} subjects`;
  return `there are too many roles and bindings: ${whose} not all paths were searched. Name a SUBJECT, whose paths are searched first, or search on with --effort all, or a number above ${effort}`;
}

const QUESTIONS = ['who-can', 'rights', 'paths'] as const;

interface Wish {
  question: (typeof QUESTIONS)[number];
  words: string[];
  files: string[];
  namespace: string | undefined;
  groups: string[];
  to: string | undefined;
  /** Whether paths of the cluster's own components are shown. */
  all: boolean;
  /** The limit of search steps. */
  effort: number;
  output: 'text' | 'json';
  kubeconfig: string | undefined;
  context: string | undefined;
}

interface ReadWorld {
  world: World;
  problems: string[];
}

interface Told {
  answer: unknown;
  text: string;
  /** The exit code. */
  found: number;
  /** The number of subjects whose search was not finished. */
  leftOut?: number;
}

function answerTo({ question, words, namespace, groups, to, all, effort }: Wish, world: World): Told {
  const index = accessIndex(world.rbac);
  if (question === 'who-can') {
    const [verb = '', target = '', name] = words;
    if (verb === '' || target === '') throw new InputError('who-can needs a verb and a resource, like: who-can get secrets -n shop');
    const asked = target.startsWith('/') ? { verb, path: target } : { verb, resource: target, name, namespace };
    const request = requestOf(asked);
    if (!request) throw new InputError(`${JSON.stringify(target)} is neither a resource nor a path`);
    const answer = answerWhoCan(index.whoCan(request));
    return { answer, text: whoCanText(answer), found: 0 };
  }
  const subject = words[0] === undefined ? undefined : subjectOf(words[0], namespace);
  if (question === 'rights') {
    if (!subject) throw new InputError('rights needs a subject: user:ann, group:dev or sa:shop/web');
    const answer = answerRights(index.grantsOf(requesterOf(subject, groups)));
    return { answer, text: rightsText(answer), found: 0 };
  }
  const about = (one: RbacSubject): boolean => (subject ? isAbout(subject, one) : all || !isBuiltIn(one));
  const { paths, ...found } = escalations(world, { effort, about });
  const wanted = paths.filter((path) => isWanted({ ...subject, to }, path));
  const shown = subject || all ? wanted : wanted.filter((path) => !isBuiltIn(path.subject));
  const answer = answerPaths(shown, found, Infinity);
  return { answer, text: pathsText(answer, wanted.length - shown.length), found: shown.length > 0 ? 1 : 0, leftOut: found.leftOut };
}

const KINDS_OF_SUBJECT: Record<string, RbacSubject['kind']> = {
  user: 'User',
  group: 'Group',
  sa: 'ServiceAccount',
  serviceaccount: 'ServiceAccount',
};

/** `user:ann`, `group:dev`, `sa:shop/web`, `sa:web` with `-n shop`, `system:serviceaccount:shop:web`. */
function subjectOf(text: string, given: string | undefined): RbacSubject {
  const [word = '', rest = ''] = text.split(/:(.*)/s);
  const kind = Object.hasOwn(KINDS_OF_SUBJECT, word.toLowerCase()) ? KINDS_OF_SUBJECT[word.toLowerCase()] : undefined;
  const plain: RbacSubject | undefined =
    kind && rest !== '' ? { kind, name: rest } : text.startsWith('system:') ? { kind: 'User', name: text } : undefined;
  if (!plain) throw new InputError(`${JSON.stringify(text)} is no subject: user:ann, group:dev or sa:shop/web`);
  const [namespace, name] = kind === 'ServiceAccount' && rest.includes('/') ? rest.split(/\/(.*)/s) : [given, plain.name];
  const subject = canonicalSubject({ ...plain, name: name ?? '' }, namespace);
  if (!subject) throw new InputError('name the namespace of the ServiceAccount: sa:NAMESPACE/NAME, or -n');
  return subject;
}

async function worldInFiles(files: string[], io: Io): Promise<ReadWorld> {
  const { objects, problems } = await readManifests(files, io.stdin);
  if (objects.length === 0 && problems.length === 0)
    throw new InputError(`${files.map((name) => (name === '-' ? 'standard input' : name)).join(', ')}: no Kubernetes object in it`);
  const world = worldOf(
    objects.map(({ object }) => object),
    false,
  );
  return { world, problems };
}

async function worldInCluster(wish: Wish): Promise<ReadWorld> {
  const client = connected(wish);
  try {
    const reader = graphReader({
      client,
      watchNamespaces: [],
      graces: { pendingSeconds: 0, unreadySeconds: 0 },
      now: () => new Date(),
    });
    const [access, around] = await explained(
      client,
      Promise.all([reader.access(), wish.question === 'paths' ? reader.around() : undefined]),
    );
    const missing = [...new Set([...access.missingRights, ...(around?.missingRights ?? [])])];
    return {
      world: worldOf(around?.objects ?? [], true, access.objects),
      problems: missing.map((right) => `you may not ${right}, so the answer may lack something`),
    };
  } finally {
    client.close();
  }
}

function readArguments(argv: string[]): Wish {
  const { values, positionals } = parseArguments({
    args: argv,
    allowPositionals: true,
    options: {
      filename: { type: 'string', short: 'f', multiple: true },
      namespace: { type: 'string', short: 'n' },
      group: { type: 'string', multiple: true },
      to: { type: 'string' },
      all: { type: 'boolean' },
      effort: { type: 'string' },
      output: { type: 'string', short: 'o' },
      context: { type: 'string' },
      kubeconfig: { type: 'string' },
    },
  });
  const [first, ...words] = positionals;
  const question = QUESTIONS.find((one) => one === first);
  if (!question) throw new InputError(`ask one of ${QUESTIONS.join(', ')}${first === undefined ? '' : `, not ${JSON.stringify(first)}`}`);
  const most = question === 'who-can' ? 3 : 1;
  if (words.length > most) throw new InputError(`unexpected argument ${JSON.stringify(words[most])}`);
  const { output = 'text', to, filename: files = [], namespace, group: groups = [], kubeconfig, context } = values;
  if (output !== 'text' && output !== 'json') throw new InputError(`unknown output ${JSON.stringify(output)}: -o is text or json`);
  if (to !== undefined && !PATH_TARGETS.some((one) => one === to))
    throw new InputError(`--to is ${PATH_TARGETS.join(', ')}, not ${JSON.stringify(to)}`);
  return {
    question,
    words,
    files,
    namespace,
    groups,
    to,
    all: values.all === true,
    effort: effortOf(values.effort),
    output,
    kubeconfig,
    context,
  };
}

function effortOf(text = String(EFFORT)): number {
  const number = text === 'all' ? Infinity : Number(text);
  if (number === Infinity ? text === 'all' : Number.isInteger(number) && number > 0) return number;
  throw new InputError(`--effort is a number of 1 or more, or all, not ${JSON.stringify(text)}`);
}
