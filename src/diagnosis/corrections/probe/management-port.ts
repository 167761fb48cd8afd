import { fieldPath } from '../../../crd/field-path.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { type FailingProbe, portNumber } from './failing-probe.ts';
import { textsOf } from '../container-texts.ts';

/** Paths that a program may serve at a port of their own. */
const MANAGED = /^\/(?:actuator|manage|management|q|health\w{0,4}|ready\w{0,4}|live\w{0,4}|started|metrics|status)(?:[/?]|$)/;
/** Variables that name that port: Spring, Quarkus, Keycloak, Micronaut. */
const VARIABLE = /^(?:MANAGEMENT_SERVER_PORT|MANAGEMENT_PORT|QUARKUS_MANAGEMENT_PORT|KC_HTTP_MANAGEMENT_PORT|ENDPOINTS_ALL_PORT)$/;
const OPTION = /(?:-D|--)(?:management\.server\.port|quarkus\.management\.port|endpoints\.all\.port|http-management-port)[= ](\d{2,5})\b/;
const INTERFACE =
  /\b[Mm]anagement (?:interface|server|endpoints?|port)\b[^\n]{0,40}?\b(?:listen\w{0,4}|started|on)\b[^\n]{0,60}?[: ](\d{2,5})\b/;
/** How much of a log is read: servers say at their start where they listen. */
const MAX_LOG = 32 * 1024;

/** For a path of the management that the asked port does not know: the port of the management, in all probes that ask such a path. */
export function managementPort(failing: FailingProbe): Correction[] {
  const { place, container, name, probe } = failing;
  const asked = portNumber(container, probe.httpGet?.port);
  const port = configured(failing) ?? logged(failing);
  if (!probe.httpGet || !MANAGED.test(probe.httpGet.path ?? '/') || port === undefined || port === asked) return [];
  const probes = [name, ...(['liveness', 'readiness', 'startup'] as const).filter((other) => other !== name)].filter((one) => {
    const request = container[`${one}Probe`]?.httpGet;
    return request && portNumber(container, request.port) === asked && MANAGED.test(request.path ?? '/');
  });
  return [
    {
      title: `Probe port ${code(port)}`,
      changes: probes.map((one) =>
        change(place, fieldPath(place.path, `${one}Probe`, 'httpGet', 'port'), port, 'the program serves its management there'),
      ),
      confidence: 'likely',
      explanation: `Port ${code(asked ?? '')} does not know ${code(probe.httpGet.path ?? '/')}: the management of the program has a port of its own.`,
      mirrorable: true,
    },
  ];
}

function configured({ container }: FailingProbe): number | undefined {
  const own = container.env?.find(({ name }) => VARIABLE.test(name))?.value;
  const option = OPTION.exec(textsOf(container).join(' ').slice(0, 20_000))?.[1];
  const port = Number(own ?? option);
  return port > 0 && port < 65_536 ? port : undefined;
}

/** The port that the log names for the management. Spring starts the server of the actuator after it has told its paths. */
function logged({ input, container }: FailingProbe): number | undefined {
  const text = logSections(input.subject)
    .find((section) => section.container === null || section.container === container.name)
    ?.text.slice(0, MAX_LOG);
  if (text === undefined) return undefined;
  const said = INTERFACE.exec(text)?.[1];
  if (said !== undefined) return Number(said);
  const at = text.search(/Exposing \d{1,3} endpoint/);
  const started = at < 0 ? undefined : /(?:Tomcat|Jetty|Netty|Undertow) started on port\S{0,6} (\d{2,5})/.exec(text.slice(at))?.[1];
  return started === undefined ? undefined : Number(started);
}
