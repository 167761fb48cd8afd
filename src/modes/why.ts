import { parseArgs } from 'node:util';
import { connect, type KubeClient, UNHURRIED_MS } from '../kube/connect.ts';
import { ClusterUnavailable, KubeError } from '../kube/errors.ts';
import { oneLine } from '../solutions/quote.ts';
import { failingCases } from '../solutions/recording.ts';
import { type Command, InputError } from './mode.ts';
import { type Format, formatOf, orBadInput, tellAll } from './told.ts';
import { readLive } from './why-input.ts';

/**
 * `podmend why POD -n NS [-o text|json|yaml] [--secret-names]`: what `diagnose` says, of what the cluster shows at this moment to the user of the
 * kubeconfig. Answers 0 when nothing fails, 1 when something does, 2 on bad input (one line on stderr).
 */
export const runWhy: Command = (argv, io) =>
  orBadInput('why', io, async () => {
    const { pod, format, ...wish } = readArguments(argv);
    const client = connected(wish);
    try {
      const namespace = wish.namespace ?? client.namespace ?? 'default';
      const { recording, isAsked, refused } = await explained(
        client,
        readLive(client, { namespace, name: pod, secretNames: wish.secretNames }),
      );
      if (refused.length > 0) io.stderr.write(`podmend why: you may not read, so it was not looked at: ${refused.join(', ')}\n`);
      const where = pod === undefined ? ` in namespace ${JSON.stringify(namespace)}` : '';
      return await tellAll(io, failingCases(recording, isAsked), format, where);
    } finally {
      client.close();
    }
  });

/** What Kubernetes clients take where nothing tells them of a cluster. */
const NO_KUBECONFIG = 'http://localhost:8080';

interface Wish {
  /** undefined: all of the namespace. */
  pod: string | undefined;
  namespace: string | undefined;
  format: Format;
  context: string | undefined;
  kubeconfig: string | undefined;
  /** Whether Secrets are read, for their names and key names. */
  secretNames: boolean;
}

function readArguments(argv: string[]): Wish {
  const { values, positionals } = parse(argv);
  const [first, second, ...more] = positionals;
  // As kubectl takes it too: `pod NAME` and `pod/NAME`.
  const pod = first === 'pod' && second !== undefined ? second : first?.replace(/^pods?\//, '');
  const surplus = pod === second ? more[0] : second;
  if (surplus !== undefined) throw new InputError(`unexpected argument ${JSON.stringify(surplus)}: one pod at a time, or --all`);
  if (pod !== undefined && values.all) throw new InputError('either a pod or --all');
  if (pod === '') throw new InputError('the name of the pod is empty');
  const { namespace, context, kubeconfig } = values;
  return { pod, namespace, context, kubeconfig, secretNames: values['secret-names'] === true, format: formatOf(values.output) };
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        namespace: { type: 'string', short: 'n' },
        output: { type: 'string', short: 'o' },
        context: { type: 'string' },
        kubeconfig: { type: 'string' },
        all: { type: 'boolean' },
        'secret-names': { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new InputError((error as Error).message);
  }
}

function connected({ kubeconfig, context }: Pick<Wish, 'kubeconfig' | 'context'>): KubeClient {
  try {
    return connect({ kubeconfig, context, silenceMs: UNHURRIED_MS });
  } catch (error) {
    throw new InputError(`no way to a cluster: ${(error as Error).message}`);
  }
}

/** What the cluster refuses, said to its user. */
async function explained<T>({ server }: KubeClient, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ClusterUnavailable) {
      const why = server === NO_KUBECONFIG ? 'there is no kubeconfig (--kubeconfig, KUBECONFIG or ~/.kube/config name one)' : error.why;
      throw new InputError(`the cluster at ${server} does not answer: ${why}`);
    }
    if (!(error instanceof KubeError)) throw error;
    if (error.code === 401) throw new InputError(`the cluster at ${server} does not accept your credentials`);
    throw new InputError(`the cluster at ${server} refuses: ${oneLine(error.message, 400)}`);
  }
}
