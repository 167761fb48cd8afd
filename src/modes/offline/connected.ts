import { BACKGROUND_SILENCE_MS, connect, type KubeClient } from '../../kube/client.ts';
import { ClusterUnavailable, CredentialsUnavailable, KubeError } from '../../kube/errors.ts';
import { oneLine } from '../../diagnosis/rendering/quote.ts';
import { InputError } from '../mode.ts';

/** The address that Kubernetes clients use if there is no kubeconfig. */
const NO_KUBECONFIG = 'http://localhost:8080';

/** The cluster that `--kubeconfig` and `--context` select. */
export interface ClusterChoice {
  kubeconfig: string | undefined;
  context: string | undefined;
}

/** A client with the user's own rights. Throws `InputError` when no cluster is configured. */
export function connected({ kubeconfig, context }: ClusterChoice): KubeClient {
  try {
    return connect({ kubeconfig, context, silenceMs: BACKGROUND_SILENCE_MS });
  } catch (error) {
    throw new InputError(`cannot connect to a cluster: ${(error as Error).message}`);
  }
}

/** Turns a cluster's errors into messages for the user (`InputError`). */
export async function explained<T>({ server }: Pick<KubeClient, 'server'>, reading: Promise<T>): Promise<T> {
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
