import type { RestClient } from '../support/cluster/rest.ts';
import { until } from '../support/runner/wait.ts';
import { masked } from './masked.ts';
import type { Case, Loose, Step } from './step.ts';

/** A server's answer to one request, masked. */
export interface Answered {
  request: string;
  code: number;
  body: Loose;
  warnings?: string[];
}

/** Creates the ServiceAccount `default` of a new namespace, because no controller does it here. */
export async function furnish(client: RestClient, namespace: string): Promise<void> {
  await client.request('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
}

/** Sends the requests of a case one after the other. It does not check the codes: they are part of the answers to compare. */
export async function ask(client: RestClient, { steps }: Case): Promise<Answered[]> {
  const bodies: Loose[] = [];
  const answers: Answered[] = [];
  for (const step of steps) {
    const asked = typeof step === 'function' ? step(bodies) : step;
    const { status, headers, body } = await send(client, asked);
    bodies.push(body);
    if (asked.method === 'POST' && asked.path === '/api/v1/namespaces' && status === 201) await furnish(client, body.metadata.name);
    const warnings = [...(headers.get('warning') ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] as string);
    answers.push({
      request: masked(`${asked.method} ${asked.path}`),
      code: status,
      body: masked(asked.only ? asked.only(body) : body),
      ...(warnings.length && { warnings }),
    });
  }
  return answers;
}

async function send(client: RestClient, { method, path, body, headers, code, isEventual }: Step) {
  const once = () => client.request(method, path, body, headers);
  if (!isEventual) return once();
  let answer = await once();
  await until(async () => answer.status === code || ((answer = await once()).status === code && answer), {
    timeoutMs: 5000,
    what: `${method} ${path}: ${code}`,
  }).catch(() => undefined);
  return answer;
}
