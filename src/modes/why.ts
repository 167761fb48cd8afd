import type { KubeClient } from '../kube/client.ts';
import { failingCases } from '../failures/detect/recording.ts';
import { type Command, InputError, parseArguments } from './mode.ts';
import { kindOfWord } from './offline/completions.ts';
import { connected, explained } from './offline/connected.ts';
import { type Format, formatOf, orBadInput, printAll } from './offline/output.ts';
import { type Live, NoSuchPod, readLive, type WantedWorkload } from './offline/read-cluster.ts';

/**
 * `podmend why POD|KIND/NAME -n NS [-o text|json|yaml|patch] [--secret-names] [--show-secrets]`: the same as `diagnose`, for what the
 * kubeconfig's user may read in the cluster now. Returns 0 when nothing fails, 1 when something does, 2 on bad input (one line on stderr).
 */
export const runWhy: Command = (argv, io) =>
  orBadInput('why', io, async () => {
    const { asked, format, ...wish } = readArguments(argv);
    const client = connected(wish);
    try {
      const namespace = wish.namespace ?? client.namespace ?? 'default';
      const { recording, isAsked, refused } = await explained(
        client,
        readAsked(client, { namespace, asked, secretNames: wish.secretNames }),
      );
      if (refused.length > 0) io.stderr.write(`podmend why: skipped, because you may not read it: ${refused.join(', ')}\n`);
      const where = asked === undefined ? ` in namespace ${JSON.stringify(namespace)}` : '';
      return await printAll(io, failingCases(recording, isAsked), { format, where, showSecrets: wish.showSecrets });
    } finally {
      client.close();
    }
  });

/** A name without a kind is a pod's; if there is no such pod, a workload's. */
async function readAsked(
  client: KubeClient,
  { namespace, asked, secretNames }: { namespace: string; asked: WantedWorkload | undefined; secretNames: boolean },
): Promise<Live> {
  if (!asked) return readLive(client, { namespace, name: undefined, secretNames });
  if (asked.kind !== undefined && asked.kind !== 'Pod') return readLive(client, { namespace, name: undefined, of: asked, secretNames });
  try {
    return await readLive(client, { namespace, name: asked.name, secretNames });
  } catch (error) {
    if (!(error instanceof NoSuchPod) || asked.kind === 'Pod') throw error;
    return readLive(client, { namespace, name: undefined, of: asked, secretNames });
  }
}

interface WhyArguments {
  /** undefined: all of the namespace. */
  asked: WantedWorkload | undefined;
  namespace: string | undefined;
  format: Format;
  context: string | undefined;
  kubeconfig: string | undefined;
  /** Whether Secrets are read, for their names and key names. */
  secretNames: boolean;
  /** Whether secrets are printed as they are. */
  showSecrets: boolean;
}

function readArguments(argv: string[]): WhyArguments {
  const { values, positionals } = parse(argv);
  const [first, second, ...more] = positionals;
  // Both forms of kubectl: `pod NAME` and `pod/NAME`.
  const [word = '', rest] = first?.includes('/') ? first.split(/\/(.*)/s) : [first, undefined];
  const kind = kindOfWord(word);
  const isApart = kind !== undefined && rest === undefined && second !== undefined;
  if (rest !== undefined && kind === undefined)
    throw new InputError(`unknown kind ${JSON.stringify(word)}: name a pod, deployment, replicaset, statefulset, daemonset or job`);
  const name = rest ?? (isApart ? second : first);
  const surplus = isApart ? more[0] : second;
  if (surplus !== undefined) throw new InputError(`unexpected argument ${JSON.stringify(surplus)}: one pod at a time, or --all`);
  if (name !== undefined && values.all) throw new InputError('name a pod or use --all, not both');
  if (name === '') throw new InputError('the name of the pod is empty');
  const asked = name === undefined ? undefined : { name, kind: rest !== undefined || isApart ? kind : undefined };
  const { namespace, context, kubeconfig } = values;
  return {
    ...{ asked, namespace, context, kubeconfig, format: formatOf(values.output) },
    ...{ secretNames: values['secret-names'] === true, showSecrets: values['show-secrets'] === true },
  };
}

function parse(argv: string[]) {
  return parseArguments({
    args: argv,
    allowPositionals: true,
    options: {
      namespace: { type: 'string', short: 'n' },
      output: { type: 'string', short: 'o' },
      context: { type: 'string' },
      kubeconfig: { type: 'string' },
      all: { type: 'boolean' },
      'secret-names': { type: 'boolean' },
      'show-secrets': { type: 'boolean' },
    },
  });
}
