import type { EnvVar } from '../../../crd/kubernetes.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { factsOf } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { type FailingProbe, portNumber } from './failing-probe.ts';

/** The path before all others of a server, and how sure it is that the server serves there. */
interface BasePath {
  path: string;
  confidence: Correction['confidence'];
}

/** Where Spring puts the paths of its health, unless a setting moves them. */
const ACTUATOR = '/actuator';
const LOGGED_ACTUATOR = /endpoint\(?s?\)? beneath base path ['"`]?(\/[\w./-]{0,80})/;
const ACTUATOR_VARIABLE = /^MANAGEMENT_ENDPOINTS_WEB_BASE_?PATH$/;
/** How much of a log is read: servers say at their start where they serve. */
const MAX_LOG = 32 * 1024;

/**
 * The probe's path below the one under which the program says, or is told, that it serves, in all probes of the port: outside of it the
 * server knows no path.
 */
export function belowBase(failing: FailingProbe): Correction[] {
  const { input, place, container, name, probe } = failing;
  const text = logSections(input.subject)
    .find((section) => section.container === null || section.container === container.name)
    ?.text.slice(0, MAX_LOG);
  const health = LOGGED_ACTUATOR.exec(text ?? '')?.[1] ?? container.env?.find((one) => ACTUATOR_VARIABLE.test(one.name))?.value;
  const base = basePath(failing, text ?? '');
  const moved = (own: string): string => {
    const isActuator = own.startsWith(`${ACTUATOR}/`) && health?.startsWith('/') === true;
    const rest = isActuator ? withoutEnd(health) + own.slice(ACTUATOR.length) : own;
    return !base || rest === base.path || rest.startsWith(`${base.path}/`) ? rest : base.path + rest;
  };
  const own = probe.httpGet?.path ?? '/';
  const to = moved(own);
  if (to === own) return [];
  // A startup probe that succeeded found its path.
  const others = (['liveness', 'readiness', 'startup'] as const).filter((one) => {
    const other = container[`${one}Probe`]?.httpGet;
    const failed = factsOf(input, 'probe').find((fact) => fact.probe === one);
    const isSame = other && one !== name && portNumber(container, other.port) === portNumber(container, probe.httpGet?.port);
    return isSame && one !== 'startup' && (failed?.status ?? 404) === 404;
  });
  const why = 'the program serves its paths below another one';
  return [
    {
      title: `Probe the path ${code(to)}`,
      changes: [name, ...others].flatMap((one) => {
        const before = container[`${one}Probe`]?.httpGet?.path ?? '/';
        const path = fieldPath(place.path, `${one}Probe`, 'httpGet', 'path');
        return moved(before) === before ? [] : [change(place, path, moved(before), why)];
      }),
      confidence: base && !foundOutside(failing, base.path) ? base.confidence : base ? 'guess' : 'likely',
      explanation: `${code(own)} answers with status ${code(404)}.`,
      mirrorable: true,
    },
  ];
}

/** Whether the startup probe found a path outside of the base: then the server serves others there too. */
function foundOutside({ container, name, probe }: FailingProbe, base: string): boolean {
  const { startupProbe } = container;
  const isSame = startupProbe?.httpGet && portNumber(container, startupProbe.httpGet.port) === portNumber(container, probe.httpGet?.port);
  return name !== 'startup' && isSame === true && !`${startupProbe.httpGet?.path ?? '/'}/`.startsWith(`${base}/`);
}

function basePath(failing: FailingProbe, text: string): BasePath | undefined {
  const logged = ofLog(failing, text);
  const found = logged ?? ofWords(failing) ?? ofVariables(failing, text);
  return found && found.path !== '' ? found : undefined;
}

/** `context path '/shop'`. A root or base path may be a folder of the file system, so the line must speak of a server. */
const LOGGED = /\b(context|root|base)[ -]?path\b(?: is| set to)?[ :=]{1,3}(?:(['"`])(\/[\w./-]{0,80})?\2|(\/[\w./-]{0,80}))/gi;
const OF_SERVER = /\b(?:serv(?:er?|ing|es)|listen(?:ing|s)?|https?|rout(?:er?|es|ing)|urls?|endpoints?)\b/i;
const PORT = /\bport(?:\(s\))?:? ?(\d{2,5})\b/;

/** What the log says of the probe's port. An empty path says that the server serves at its root. */
function ofLog({ container, probe }: FailingProbe, text: string): BasePath | undefined {
  const asked = portNumber(container, probe.httpGet?.port);
  for (const found of text.matchAll(LOGGED)) {
    const start = Math.max(text.lastIndexOf('\n', found.index) + 1, found.index - 300);
    const line = text.slice(start, found.index + 200).split('\n', 1)[0] ?? '';
    const port = PORT.exec(line)?.[1];
    const path = withoutEnd(found[3] ?? found[4] ?? '');
    if (LOGGED_ACTUATOR.test(line) || (port !== undefined && asked !== undefined && Number(port) !== asked)) continue;
    if (found[1]?.toLowerCase() === 'context') return { path, confidence: 'likely' };
    if (OF_SERVER.test(line) && path !== '' && !isFolder(container, path)) return { path, confidence: 'likely' };
  }
  return undefined;
}

/** Options that move all paths of a server, also as a property of Java. `--root-path` of uvicorn moves none. */
const OPTION =
  /(?:^|\s)(?:--?|-D)(?:server\.(?:servlet\.)?context-?path|spring\.webflux\.base-path|quarkus\.http\.root-path|micronaut\.server\.context-path|web\.route-prefix|context-path|route-prefix|url-prefix|base-path|path-prefix)[= ]["']?(\/[\w./-]{0,80})/;
/** Prometheus and its kin serve below the path of the address by which others know them. */
const EXTERNAL = /(?:^|\s)--?web\.external-url[= ]["']?(?:https?:\/\/[\w.:[\]-]{1,253})?(\/[\w./-]{1,80})/;

function ofWords({ container }: FailingProbe): BasePath | undefined {
  const { command = [], args = [], env = [] } = container;
  const options = env.flatMap(({ name, value }) => (/(?:^|_)(?:OPTS|OPTIONS|ARGS|FLAGS)$/.test(name) ? (value ?? '') : []));
  const text = [...(command ?? []), ...(args ?? []), ...options].join(' ').slice(0, 8000);
  const path = (OPTION.exec(text) ?? EXTERNAL.exec(text))?.[1];
  return path === undefined || isFolder(container, path) ? undefined : { path: withoutEnd(path), confidence: 'likely' };
}

const VARIABLE =
  /(?:^|_)(?:CONTEXT_?PATH|RELATIVE_PATH|BASE_?PATH|ROOT_PATH|URL_PREFIX|PATH_PREFIX|ROUTE_PREFIX|BASE_URL(?:_PATH)?|BASEURL)$/;
/** Settings of frameworks, and names that can only mean the program itself. With another word before, it may be a server that it calls. */
const OWN_VARIABLE =
  /^(?:SERVER_(?:SERVLET_)?CONTEXT_?PATH|SPRING_WEBFLUX_BASE_?PATH|QUARKUS_HTTP_ROOT_PATH|KC_HTTP_(?:MANAGEMENT_)?RELATIVE_PATH|MICRONAUT_SERVER_CONTEXT_PATH|(?:(?:APP|APPLICATION|SERVER|HTTP|WEB|SERVICE)_)?(?:CONTEXT_?PATH|BASE_?PATH|URL_PREFIX|PATH_PREFIX|ROUTE_PREFIX))$/;
const OF_FILES =
  /(?:^|_)(?:DATA|STORAGE|FILES?|UPLOADS?|MEDIA|STATIC|LOGS?|CACHE|HOME|S3|BUCKET|CONFIG|TEMPLATES?|REPO|WORK|BACKUPS?|MOUNT)_/;

function ofVariables({ container }: FailingProbe, text: string): BasePath | undefined {
  const found = (container.env ?? []).flatMap((variable): BasePath[] => {
    const { name } = variable;
    const path = pathOf(variable);
    if (!path || !VARIABLE.test(name) || /^MANAGEMENT_/.test(name) || OF_FILES.test(name) || isFolder(container, path)) return [];
    if (/ROOT_PATH$/.test(name) && !name.startsWith('QUARKUS_') && isAsgi(container, text)) return [];
    return [{ path, confidence: OWN_VARIABLE.test(name) ? 'likely' : 'guess' }];
  });
  return found.find(({ confidence }) => confidence === 'likely') ?? found[0];
}

/** The path that a variable holds, alone or in a URL. */
function pathOf({ name, value = '' }: EnvVar): string | undefined {
  const isUrl = /BASE_?URL$/.test(name);
  const path = (isUrl ? /^(?:https?:\/\/[\w.:[\]-]{1,253})?(\/[\w./-]{1,80})$/ : /^(\/[\w./-]{1,80})$/).exec(value)?.[1];
  return path === undefined ? undefined : withoutEnd(path);
}

/** Servers of ASGI only write links with their root path. They find a path with it and without. */
function isAsgi({ command, args }: FailingProbe['container'], text: string): boolean {
  return /\b(?:uvicorn|hypercorn|daphne|granian|fastapi)\b/i.test([...(command ?? []), ...(args ?? []), text].join(' '));
}

const FOLDERS = /^\/(?:bin|data|dev|etc|home|lib|mnt|opt|proc|root|run|srv|sys|tmp|usr|var|work|workspace)(?:\/|$)/;

/** Whether a path is one of the file system rather than of a server. */
function isFolder({ volumeMounts, workingDir, command, args }: FailingProbe['container'], path: string): boolean {
  const inside = withoutEnd(path);
  const folders = [workingDir ?? '', ...(volumeMounts ?? []).map(({ mountPath }) => mountPath)].filter((folder) => folder.length > 1);
  const isNamed = [...(command ?? []), ...(args ?? [])].some((word) => word.startsWith(`${inside}/`));
  return (
    FOLDERS.test(path) || isNamed || folders.some((folder) => `${folder}/`.startsWith(`${inside}/`) || inside.startsWith(`${folder}/`))
  );
}

function withoutEnd(path: string): string {
  return path.replace(/\/$/, '');
}
