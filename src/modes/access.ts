import { answerPaths, answerRights, answerWhoCan } from '../access/answers.ts';
import { aggregated } from '../access/aggregate.ts';
import { requestOf } from '../access/ask.ts';
import type { RbacSubject } from '../access/objects.ts';
import { escalations, isWanted } from '../access/paths/paths.ts';
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
 * there is one; 2 on bad input or when something could not be read (one line each on stderr; the rest is answered).
 */
export const runAccess: Command = (argv, io) =>
  orBadInput('access', io, async () => {
    const wish = readArguments(argv);
    const { world, problems } = wish.files.length > 0 ? await worldInFiles(wish.files, io) : await worldInCluster(wish);
    for (const problem of problems) io.stderr.write(`podmend access: ${oneLine(problem, 500)}\n`);
    const { answer, text, found } = answerTo(wish, world);
    await write(io, wish.output === 'json' ? `${JSON.stringify(answer, null, 2)}\n` : text);
    return problems.length > 0 ? 2 : found;
  });

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
}

function answerTo({ question, words, namespace, groups, to, all }: Wish, world: World): Told {
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
  const { paths, cut } = escalations(world);
  const wanted = paths.filter((path) => isWanted({ ...subject, to }, path));
  const shown = subject || all ? wanted : wanted.filter((path) => !isBuiltIn(path.subject));
  const answer = answerPaths(shown, cut, Infinity);
  return { answer, text: pathsText(answer, wanted.length - shown.length), found: shown.length > 0 ? 1 : 0 };
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
  // A cluster stores the rules that an aggregated ClusterRole collects; in files nobody has collected them.
  return { world: { ...world, rbac: { ...world.rbac, clusterRoles: aggregated(world.rbac.clusterRoles) } }, problems };
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
  return { question, words, files, namespace, groups, to, all: values.all === true, output, kubeconfig, context };
}
