import { fieldPath } from '../../../crd/field-path.ts';
import type { ServiceAround } from '../../case.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Meaning } from '../meaning.ts';
import type { Correction } from '../correction.ts';
import { textsOf } from '../container-texts.ts';
import { selectsPods } from '../../facts/service.ts';
import { foundInLogs } from '../../facts/log-sections.ts';

/** A line that says that a value is not a number, but not which value. */
export const NO_NUMBER =
  /\bNaN\b|received nan|InvalidDigit|invalid digit found|not a (?:number|textual representation of an integer)|is not numeric|must be an? (?:number|integer)/;

/** A line of a framework that says which setting it could not convert, and the value only below. */
const NOT_CONVERTED = /(?:bind properties|convert).{0,120}\bto (?:int(?:eger)?|long|short|java\.lang\.(?:Integer|Long))\b/i;

const SERVICE_ADDRESS = /\btcp:\/\/(?:\d{1,3}\.){3}\d{1,3}:(\d{1,5})\b/;
/** A line that reports that a Service address could not be converted to a number. */
const LINE_WITH_ADDRESS = /((?:badarg|parse|integer|int\(|number|convert).{0,200}\btcp:\/\/(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}\b)/;

/** The Service address in the line. If the line says only that something is not a number, the address in another line of the log. */
function shownAddress(input: RuleInput, line: string, isGeneral: boolean): RegExpExecArray | null {
  const shown = SERVICE_ADDRESS.exec(line);
  return shown || !isGeneral || !(NO_NUMBER.test(line) || NOT_CONVERTED.test(line))
    ? shown
    : SERVICE_ADDRESS.exec(foundInLogs(input.subject, LINE_WITH_ADDRESS));
}

/** Kubernetes sets variables for every Service, such as `REDIS_PORT=tcp://10.96.0.7:6379`. A program may take one for its own setting. */
export function serviceLink(input: RuleInput, place: ContainerPlace, line: string, isGeneral: boolean): Meaning | undefined {
  const shown = shownAddress(input, line, isGeneral);
  const taken = shown ? undefined : takenForSetting(input, line);
  const [address, port] = shown ?? taken ?? [];
  if (
    address === undefined ||
    place.spec.enableServiceLinks === false ||
    (!taken && textsOf(place.container).some((text) => text.includes(address)))
  )
    return undefined;
  const services = (input.subject.surroundings?.services ?? []).filter(({ ports }) => ports?.includes(Number(port)));
  const named = /\b((?!ERR_)[A-Z][A-Z0-9_]{1,60}_PORT)\b/.exec(line)?.[1];
  const variable = taken?.[0] ?? named ?? (services.length === 1 ? `${prefixOf(services[0])}_PORT` : undefined);
  return {
    because: `Kubernetes sets ${variable ? code(variable) : 'a variable'} to the address of a Service${taken ? '' : ` (${code(address)})`}, and the program takes it for its own setting`,
    culprit: taken ? `${variable ?? ''}: ${line}`.slice(0, 200) : variable ? `${variable}=${address}` : address,
    advice: ['Switch the variables of Services off, or set the variable to what the program expects.'],
    corrections: [withoutServiceLinks(place)],
    whereToLook: 'the Services of the namespace whose name begins the name of the variable',
  };
}

/** Switches off the variables that Kubernetes sets for each Service. */
export function withoutServiceLinks(place: ContainerPlace): Correction {
  return {
    title: 'Switch off the variables of Services',
    changes: [
      change(
        place,
        fieldPath(place.specPath, 'enableServiceLinks'),
        false,
        'Kubernetes then sets no variables that a program could take for its own',
      ),
    ],
    confidence: 'likely',
    explanation: "Services are then found by their DNS names only. Kubernetes' own variables stay.",
    mirrorable: true,
  };
}

/** The prefix of the variables that Kubernetes sets for a Service. */
const prefixOf = (service: ServiceAround | undefined): string => (service?.name ?? '').toUpperCase().replaceAll('-', '_');

/** How programs report a variable whose value they do not accept. */
const REFUSED =
  /invalid|not an? (?:valid )?(?:number|integer|port)|must be an? (?:valid )?(?:number|integer|port)|should be an? (?:number|integer)|(?:could not|cannot|unable to|failed to) (?:parse|convert)|\bNaN\b|numeric|out of range/i;

/** The only Service that the container's variables name by their prefix, without one for its port: `REDIS_HOST` for Service `redis`. */
function withoutPort(services: ServiceAround[], place: ContainerPlace | undefined): ServiceAround | undefined {
  const names = (place?.container?.env ?? []).map(({ name }) => name);
  const found = services.filter(
    (one) => names.some((name) => name.startsWith(`${prefixOf(one)}_`)) && !names.includes(`${prefixOf(one)}_PORT`),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** The Service whose variable gives gunicorn a port that begins with `tcp`: the one that the command names, or the only one of the pod itself. */
function ofScheme(
  { surroundings, labels }: RuleInput['subject'],
  place: ContainerPlace | undefined,
  line: string,
): ServiceAround | undefined {
  if (!/['"]tcp['"] is not a valid port/.test(line)) return undefined;
  const text = textsOf(place?.container).join(' ').slice(0, 20_000);
  const services = surroundings?.services ?? [];
  const named = services.filter((one) => text.includes(`${prefixOf(one)}_PORT`));
  const [only, ...more] = named.length > 0 ? named : services.filter((one) => selectsPods(one, labels));
  return more.length === 0 ? only : undefined;
}

/**
 * Some images turn all variables with their prefix into settings, so `KAFKA_PORT` becomes the setting `port`, which no longer exists. Other programs
 * report a Service's variable only by its name, without its value.
 */
function takenForSetting({ subject, place }: RuleInput, line: string): [address: string, port: string] | undefined {
  const gone = /^(?:port|host) is deprecated\. Please use ([A-Z][A-Z0-9_]{2,60})/i.exec(line)?.[1];
  const refused = REFUSED.test(line) ? /\b([A-Z][A-Z0-9_]{1,60})_PORT\b/.exec(line)?.[1] : undefined;
  const isOwn = place()?.container?.env?.some(({ name }) => name === `${refused}_PORT`) === true;
  const named = isOwn ? undefined : refused;
  const said = subject.surroundings?.services?.find((one) => (gone ? gone.startsWith(`${prefixOf(one)}_`) : prefixOf(one) === named));
  const service =
    said ??
    ofScheme(subject, place(), line) ??
    (/\bport\b.*\bNaN\b/i.test(line) ? withoutPort(subject.surroundings?.services ?? [], place()) : undefined);
  const prefix = service && prefixOf(service);
  const port = service?.ports?.[0];
  return prefix && port !== undefined ? [`${prefix}_PORT`, String(port)] : undefined;
}
