import { code } from '../../rendering/quote.ts';
import { kubectl } from '../../rendering/commands.ts';
import type { Case, ServiceAround } from '../../case.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Meaning } from '../../corrections/meaning.ts';

/** Why a Service has no pod to send requests to. `because` completes a sentence. */
interface EmptyService {
  because: string;
  advice: string;
  culprit: string;
  commands: string[];
  /** Why no change to the pod can help, if that is known. */
  elsewhere?: string;
}

/** The Service of the case's namespace at an address (`db`, `db:5432`, `db.shop.svc:5432`). */
export function serviceAt({ namespace, surroundings }: Case, address: string): ServiceAround | undefined {
  const [host = ''] = address.split(':', 1);
  const [name, where = namespace] = host.split('.');
  return where === namespace ? surroundings?.services?.find((one) => one.name === name) : undefined;
}

/**
 * The Service at an address (`db`, `db:5432`, `db.shop.svc:5432`), if it selects no pods or no ready ones. Undefined if it has ready pods,
 * or if its pods are unknown.
 */
export function emptyService({ subject }: RuleInput, address: string): EmptyService | undefined {
  const { name = '', selector = {}, selected, almost } = serviceAt(subject, address) ?? {};
  if (!selected || selected.ready > 0) return undefined;
  const labels = Object.entries(selector)
    .map((pair) => pair.join('='))
    .join(',');
  // A pod that calls its own Service waits for itself or for its peers, and those wait as well.
  const isOwn = Object.entries(selector).every(([key, value]) => subject.labels?.[key] === value);
  if (selected.pods > 0 && isOwn) return undefined;
  if (selected.pods > 0)
    return {
      because: `no pod of the Service ${code(name)} is ready`,
      advice: `Find out why the pods of the Service ${code(name)} (${code(labels)}) are not ready: until then it leads nowhere.`,
      culprit: address,
      commands: [],
    };
  if (!almost)
    return {
      because: `the Service ${code(name)} selects no pods (no pod has the labels ${code(labels)})`,
      advice: `Correct the selector of the Service ${code(name)}, or start the pods that it selects (${code(labels)}): a workload scaled to zero has none.`,
      culprit: `Service ${name}: no pods have ${labels}`,
      commands: [],
    };
  const [wants, has] = [`${almost.key}=${selector[almost.key] ?? ''}`, `${almost.key}=${almost.has}`];
  const patch = JSON.stringify({ spec: { selector: { [almost.key]: almost.has } } });
  return {
    because: `the Service ${code(name)} selects no pods (it wants ${code(wants)}, they have ${code(has)})`,
    advice: `Set ${code(`spec.selector.${almost.key}`)} of the Service ${code(name)} to ${code(almost.has)}, if these pods are meant; else give the pods the label ${code(wants)}.`,
    culprit: `Service ${name}: selector ${wants}`,
    commands: [kubectl(subject, 'patch', 'service', name, '--type=merge', '-p', patch)],
    elsewhere: `The selector of the Service ${code(name)} is wrong, or the labels of the pods that it should select. This pod is not.`,
  };
}

/** The meaning of a line about an address, plus what is wrong with the Service at that address. */
export function ofService(input: RuleInput, address: string, meaning: Meaning): Meaning {
  const empty = emptyService(input, address);
  if (!empty) return meaning;
  return {
    ...meaning,
    because: `${meaning.because}: ${empty.because}`,
    culprit: empty.culprit,
    advice: [empty.advice, ...meaning.advice],
    commands: [...empty.commands, ...(meaning.commands ?? [])],
    ...(empty.elsewhere === undefined ? {} : { elsewhere: empty.elsewhere }),
  };
}
