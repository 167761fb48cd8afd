import { connect, type KubeClient, BACKGROUND_SILENCE_MS } from '../kube/connect.ts';
import { ClusterUnavailable, CredentialsUnavailable, KubeError } from '../kube/errors.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { failingCases } from '../failures/detect/recording.ts';
import { type Command, InputError, parseArguments } from './mode.ts';
import { type Format, formatOf, orBadInput, printAll } from './offline/output.ts';
import { readLive } from './offline/read-cluster.ts';

/**
 * `podmend why POD -n NS [-o text|json|yaml] [--secret-names] [--show-secrets]`: the same as `diagnose`, for what the cluster shows
 * now to the user of the kubeconfig. Answers 0 when nothing fails, 1 when something does, 2 on bad input (one line on stderr).
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
      return await printAll(io, failingCases(recording, isAsked), { format, where, showSecrets: wish.showSecrets });
    } finally {
      client.close();
    }
  });

/** The address that Kubernetes clients use without a kubeconfig. */
const NO_KUBECONFIG = 'http://localhost:8080';

interface WhyArguments {
  /** undefined: all of the namespace. */
  pod: string | undefined;
  namespace: string | undefined;
  format: Format;
  context: string | undefined;
  kubeconfig: string | undefined;
  /** Whether Secrets are read, for their names and key names. */
  secretNames: boolean;
  /** Whether the answer holds secrets as they are. */
  showSecrets: boolean;
}

function readArguments(argv: string[]): WhyArguments {
  const { values, positionals } = parse(argv);
  const [first, second, ...more] = positionals;
  // As in kubectl: `pod NAME` and `pod/NAME`.
  const pod = first === 'pod' && second !== undefined ? second : first?.replace(/^pods?\//, '');
  const surplus = pod === second ? more[0] : second;
  if (surplus !== undefined) throw new InputError(`unexpected argument ${JSON.stringify(surplus)}: one pod at a time, or --all`);
  if (pod !== undefined && values.all) throw new InputError('name a pod or use --all, not both');
  if (pod === '') throw new InputError('the name of the pod is empty');
  const { namespace, context, kubeconfig } = values;
  return {
    ...{ pod, namespace, context, kubeconfig, format: formatOf(values.output) },
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

function connected({ kubeconfig, context }: Pick<WhyArguments, 'kubeconfig' | 'context'>): KubeClient {
  try {
    return connect({ kubeconfig, context, silenceMs: BACKGROUND_SILENCE_MS });
  } catch (error) {
    throw new InputError(`no way to a cluster: ${(error as Error).message}`);
  }
}

/** Turns errors of the cluster into messages for the user. */
async function explained<T>({ server }: KubeClient, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CredentialsUnavailable) throw new InputError(error.why);
    if (error instanceof ClusterUnavailable) {
      const why = server === NO_KUBECONFIG ? 'there is no kubeconfig (--kubeconfig, KUBECONFIG or ~/.kube/config name one)' : error.why;
      throw new InputError(`the cluster at ${server} does not answer: ${why}`);
    }
    if (!(error instanceof KubeError)) throw error;
    if (error.code === 401) throw new InputError(`the cluster at ${server} does not accept your credentials`);
    throw new InputError(`the cluster at ${server} refuses: ${oneLine(error.message, 400)}`);
  }
}
