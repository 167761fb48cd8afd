import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { askedServers, otherServicePort } from './other-server.ts';

/** Messages about a server that does not answer on a port. */
const NO_ANSWER = /time(?:d)?[ -]?out|deadline exceeded|refused|unreachable|not reachable|no route|EOF\b|cannot connect|could not connect/i;
/** Messages about data that did not arrive. */
const NO_DATA = /unexpected (?:end|eof|token)|empty|no content|JSON|parse|zero[- ]length|truncated|invalid/i;

/**
 * For a failure whose message points to no field: finds a container that calls a Service on a port that the Service does not have.
 * Checks the failing container first, then the containers that ran before it.
 */
export function lackingPort(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const own = place.container.name;
  const inits = place.spec.initContainers ?? [];
  const at = inits.findIndex(({ name }) => name === own);
  const before = inits.slice(0, at < 0 ? inits.length : at).map(({ name }) => name);
  for (const container of [own, ...before]) {
    const there: RuleInput = { ...input, place: (name = container) => input.place(name) };
    for (const { host, port } of askedServers(there)) {
      const service = input.subject.surroundings?.services?.find(({ name }) => name === host.split('.', 1)[0]);
      const [found] = service?.ports?.length && port !== undefined ? otherServicePort(there, host, port) : [];
      if (!found) continue;
      const isSaid = line.includes(host) || (container === own ? NO_ANSWER : NO_DATA).test(line);
      const explanation = `${found.explanation.replace(/\.$/, '')}, and the container calls port ${code(String(port))}.`;
      return [{ ...found, explanation, confidence: isSaid ? 'likely' : 'guess' }];
    }
  }
  return [];
}
