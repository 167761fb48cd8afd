import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../contract/failure.ts';
import type { EnvVar } from '../crd/kubernetes.ts';
import type { Case } from './case.ts';
import { applyChanges, valueAt } from './fix/apply.ts';
import { fullRepository, parseImage } from './fix/image.ts';
import { editDistance } from './fix/nearest.ts';
import { parseQuantity } from './fix/quantity.ts';
import { type Placed, placed, type Proposal } from './place.ts';
import type { Diagnosis } from './rules/answer.ts';

/** What a value is held to. `from` is the present one, null when there is none. */
interface Look {
  to: Proposal['to'];
  from: unknown;
  /** Whether the text is one that the cluster or the rules know as such. */
  isKnown(kind: keyof Known, text: string): boolean;
}

interface Known {
  images: Set<string>;
  configMaps: Set<string>;
  keys: Set<string>;
  labels: Set<string>;
}

type Test = (look: Look) => boolean;

const text =
  (pattern: RegExp): Test =>
  ({ to }) =>
    typeof to === 'string' && to.length <= 253 && pattern.test(to);
const whole =
  (min: number, max: number): Test =>
  ({ to }) =>
    Number.isInteger(to) && (to as number) >= min && (to as number) <= max;
const oneOf =
  (...values: string[]): Test =>
  ({ to }) =>
    typeof to === 'string' && values.includes(to);
const some =
  (...tests: Test[]): Test =>
  (look) =>
    tests.some((test) => test(look));
const removal: Test = ({ to }) => to === null;
/** A slip of the pen: nobody gets anything else into the pod by it. */
const slip: Test = ({ to, from }) =>
  typeof to === 'string' && typeof from === 'string' && PLAIN.test(to) && isSlip(from, to) && isDeepStrictEqual(hostsIn(from), hostsIn(to));
const known =
  (kind: keyof Known): Test =>
  ({ to, isKnown }) =>
    typeof to === 'string' && isKnown(kind, to);

/** No blanks, quotes or signs that a shell or a template would read. */
const PLAIN = /^[\w./:=@%+,-]{1,253}$/;
const PATH = /^\/(?!.*(?:^|\/)\.\.(?:\/|$))[\w./=&?%~+,@:-]{0,252}$/;
const PORT = some(whole(1, 65_535), text(/^(?=[a-z0-9-]{1,15}$)[a-z0-9]+(?:-[a-z0-9]+)*$/));
/** Words, numbers, amounts, switches: no host with a dot, no address, no command. */
const SETTING = text(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$|^-?\d{1,12}(?:\.\d{1,6})?(?:[a-zA-Z]{1,3}|%)?$/);

/** Variables by which an image is told to run something else. */
const EXECUTING =
  /^(?:LD_|DYLD_|PATH$|BASH_ENV$|ENV$|IFS$|SHELL|PROMPT_COMMAND|NODE_OPTIONS|NODE_PATH|PYTHON|PERL|RUBY|JAVA_|JDK_|_JAVA|CLASSPATH|GIT_|.*_(?:COMMAND|CMD|HOOK|SCRIPT|EXEC|PLUGINS?|OPTS|OPTIONS|PROXY)$|.*PROXY$)/i;

/** A quantity that grows at most eightfold and stays what a node may have; without a present one, a modest one. */
const quantity = (most: number, modest: number): Test =>
  some(removal, ({ to, from }) => {
    const amount = typeof to === 'string' ? parseQuantity(to) : undefined;
    const before = typeof from === 'string' || typeof from === 'number' ? parseQuantity(from) : undefined;
    return amount !== undefined && amount > 0 && amount <= Math.min(most, before ? before * 8 : modest);
  });
const GI = 2 ** 30;

/** The fields that a model may change, and to what. Nothing else is, whoever asks for it. */
const ALLOWED: [path: RegExp, test: Test][] = [
  [/^containers\[\]\.image$/, some(sameRepository, sameName)],
  [/^containers\[\]\.imagePullPolicy$/, oneOf('Always', 'IfNotPresent', 'Never')],
  [/^containers\[\]\.workingDir$/, some(removal, slip)],
  [/^containers\[\]\.(?:command|args)\[\]$/, slip],
  [/^containers\[\]\.env\[\]\.value$/, some(SETTING, slip)],
  [/^containers\[\]\.env\[\]\.valueFrom\.configMapKeyRef\.name$/, some(known('configMaps'), slip)],
  [/^containers\[\]\.env\[\]\.valueFrom\.(?:configMapKeyRef|secretKeyRef)\.key$/, some(known('keys'), slip)],
  [/^containers\[\]\.envFrom\[\]\.configMapRef\.name$/, some(known('configMaps'), slip)],
  [/^containers\[\]\.resources\.(?:limits|requests)\.cpu$/, quantity(32, 2)],
  [/^containers\[\]\.resources\.(?:limits|requests)\.memory$/, quantity(64 * GI, 2 * GI)],
  [/^containers\[\]\.resources\.(?:limits|requests)\.ephemeral-storage$/, quantity(64 * GI, 4 * GI)],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.httpGet\.path$/, text(PATH)],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.httpGet\.scheme$/, oneOf('HTTP', 'HTTPS')],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.(?:httpGet|tcpSocket)\.port$/, PORT],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.grpc\.port$/, whole(1, 65_535)],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.(?:initialDelaySeconds|periodSeconds|timeoutSeconds)$/, whole(0, 3600)],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.failureThreshold$/, whole(1, 1000)],
  [/^containers\[\]\.volumeMounts\[\]\.mountPath$/, slip],
  [/^containers\[\]\.volumeMounts\[\]\.subPath$/, some(removal, slip, known('keys'))],
  [/^containers\[\]\.ports\[\]\.containerPort$/, whole(1, 65_535)],
  [/^nodeSelector\[\]$/, some(removal, known('labels'), slip)],
  [/^volumes\[\]\.configMap\.name$/, some(known('configMaps'), slip)],
  [/^volumes\[\]\.(?:configMap|secret)\.items\[\]\.key$/, some(known('keys'), slip)],
  [/^volumes\[\]\.emptyDir\.sizeLimit$/, quantity(64 * GI, 4 * GI)],
  [/^(?:terminationGracePeriodSeconds|activeDeadlineSeconds)$/, whole(1, 86_400)],
];

/**
 * The proposals as changes of the case's own manifest; undefined when any is not allowed, names something that is not there, or there are
 * none: half of a correction is another one. A change that the rules propose themselves is always allowed.
 */
export function allowedChanges(proposals: readonly Proposal[], subject: Case, rules: Diagnosis): Change[] | undefined {
  const all = placed(proposals, subject.manifest());
  const offered = new Set(rules.corrections.flatMap(({ changes }) => changes.map(({ path, to }) => `${path}\n${JSON.stringify(to)}`)));
  const isKnown = knownTo(subject);
  const isAllowed = (one: Placed): boolean => {
    const { from, proposal, path } = one;
    const { to } = proposal;
    return offered.has(`${path}\n${JSON.stringify(to)}`) || testsOf(one).some((test) => test({ to, from, isKnown }));
  };
  if (!all?.every(isAllowed)) return undefined;
  const changes = all.map(({ path, from, proposal: { to, why } }) => ({ path, from, to, why }));
  return hasTwoSources(applyChanges(subject.manifest(), changes), changes) ? undefined : changes;
}

/** Whether a changed variable would have its value twice, which the API server refuses: as text and from elsewhere, or from two places. */
function hasTwoSources(changed: unknown, changes: readonly Change[]): boolean {
  return changes.some(({ path }) => {
    const variable = /^(.*\.env\[\d+\])\.value/.exec(path)?.[1];
    if (variable === undefined) return false;
    const { value, valueFrom } = (valueAt(changed, variable) ?? {}) as Partial<EnvVar>;
    return Boolean(valueFrom) && (Boolean(value) || Object.values(valueFrom ?? {}).filter(Boolean).length > 1);
  });
}

function testsOf({ form, names }: Placed): Test[] {
  if (form.includes('.env[].') && EXECUTING.test(names.at(-1) ?? '')) return [];
  return ALLOWED.filter(([path]) => path.test(form)).map(([, test]) => test);
}

function sameRepository({ to, from }: Look): boolean {
  if (typeof to !== 'string' || typeof from !== 'string' || !/^[\w./:@-]{1,500}$/.test(to)) return false;
  return fullRepository(parseImage(to).repository) === fullRepository(parseImage(from).repository);
}

/** An image that the cluster runs already, called as this one is but for its registry, folders and tag. */
function sameName(look: Look): boolean {
  const { to, from } = look;
  if (!known('images')(look) || typeof to !== 'string' || typeof from !== 'string') return false;
  const [wanted, present] = [to, from].map((image) => parseImage(image).repository.split('/').at(-1) ?? '') as [string, string];
  return wanted === present || isSlip(present, wanted);
}

function isSlip(from: string, to: string): boolean {
  const limit = Math.max(1, Math.min(3, Math.floor(from.length / 4)));
  return Math.abs(from.length - to.length) <= limit && from.length <= 253 && editDistance(from, to) <= limit;
}

/** Names with dots where addresses have their hosts, and IP addresses: one letter, and another machine gets what is meant for this one. */
const HOST = new RegExp(
  [
    '(?<=//|@)[\\w-]+(?:\\.[\\w-]+)+',
    '(?<=[=,]|^)(?:\\d{1,3}(?:\\.\\d{1,3}){3}|(?:[\\w-]+\\.)+(?!(?:[cm]?js|ts|py|sh|rb|[jw]ar|go|php|pl|lua|so|dll|exe|bin|conf|cfg|ini|json|ya?ml' +
      '|toml|xml|properties|env|txt|log|sql|db|html?|crt|pem|key|gz|zip|tar|wasm)\\b)[a-z][\\w-]+)(?=[:/?,]|$)',
  ].join('|'),
  'gi',
);

function hostsIn(text: string): string[] {
  return text.match(HOST) ?? [];
}

function knownTo({ surroundings = {} }: Case): Look['isKnown'] {
  const { configMaps = [], images = [], nodes = [] } = surroundings;
  const all: Known = {
    images: new Set(images),
    configMaps: new Set(configMaps.map(({ name }) => name)),
    keys: new Set(configMaps.flatMap(({ keys }) => keys)),
    labels: new Set(nodes.flatMap(({ labels }) => Object.values(labels))),
  };
  return (kind, value) => all[kind].has(value);
}
